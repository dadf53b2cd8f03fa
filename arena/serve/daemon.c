/* SPDX-License-Identifier: MIT */
#include "arena/serve/daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/mailbox.h"
#include "arena/base/memory.h"
#include "arena/base/notify.h"
#include "arena/base/place.h"
#include "arena/play/foreground.h"
#include "arena/play/subprocess.h"
#include "arena/base/plain_text.h"
#include "arena/report/season.h"
#include "arena/season/dealer.h"
#include "arena/season/player.h"
#include "arena/serve/live.h"
#include "arena/serve/scout.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

enum {
    QUIET_S_MAX = 120, /* longest wait for the end of games, before a submission is checked alone */
    END_S = 2,         /* time for a process to leave once its submission has ended */
    ADMITS_MAX = 2,    /* maximum number of submissions being admitted at once */
    PUBLISH_S = 3600,
    CONTEST_S = 3600, /* time limit of a challenge; then the next process plays what is left */
    LULL_S = 5,       /* for so long no rated game wanted a job: else it is between two batches */
    ANALYSE_S = 600,  /* time limit of a run of `arena analyse --wanted`, which ends by itself */
    ANALYSE_LULL_S = 30, /* no rated game was under way for so long: the machine is idle */
    FREE_CORES = 2, /* processors that games do not use, with which analysis may run beside them */
    CONTEST_REST = 9, /* pause after a challenge while rated games want all jobs, in its duration */
    SERVICES_MAX = 4,
    AGAIN_S = 60,   /* longest pause before a service that ended is started again */
    ERRORS_MAX = 8, /* number of different errors that the status shows, the latest ones */
    LINE_BYTES = 4096 + 512,
    ARGUMENTS_MAX = 32,
    PUBLISHED_DAMAGED = 2, /* exit status of `arena publish` if replays were damaged */
};

/* A season that is being played. */
struct daemon_season {
    struct daemon_season *next;
    struct daemon *daemon;
    struct scout_ready *ready;
    struct player *player; /* plays the season in this process; NULL if workers play it */
    struct dealer
        *dealer; /* offers the season's games to workers; NULL if this process plays the season */
    struct player_report report; /* latest report of the player or dealer */
    /* Of the season's terms, which the thread of its player or dealer reads anew while it runs. */
    char name[STORE_NAME_BYTES_MAX + 1];
    int live_delay_s;
};

/* The state of an open season, as the log last told it. */
struct daemon_told {
    char name[STORE_NAME_BYTES_MAX + 1];
    struct season_status status;
};

/* A submission that is being admitted. */
struct daemon_admit {
    struct subprocess process; /* text is NULL if no process runs */
    struct daemon *daemon;
    struct scout_submission submission;
    int64_t begun_us; /* start of the process, monotonic */
    int64_t
        ended_us; /* time when its submission was seen to have ended, monotonic; 0: it goes on */
};

/* A process of options.services. */
struct service {
    struct subprocess process; /* text is NULL if no process runs */
    struct daemon *daemon;
    const struct daemon_service *service;
    int64_t begun_us, again_us; /* time of the last start; earliest time of the next start */
    int pause_s;                /* pause before the last start */
};

/* An error that the status shows. */
struct daemon_error {
    char time[CLOCK_TIME_BYTES]; /* when the error came last */
    char line[LINE_BYTES];
    int count; /* how often the error has come while the status showed it */
};

struct daemon {
    struct daemon_options options;
    bool stops; /* SIGINT or SIGTERM has come: nothing new begins */
    struct foreground foreground;
    struct ev_loop *loop; /* the foreground's */
    struct transport transport;
    struct live *live; /* NULL: the site has no live games */
    struct scout *scout;
    struct scout_view view; /* what the scout (a thread) last found in the store */
    bool has_view;
    int64_t store_since_us; /* since when the store has been up, down or full, since 1970 */
    bool was_away;          /* the store was down or full since the daemon began */
    struct daemon_told told[SCOUT_SEASONS_MAX]; /* what the log told of the seasons of `view` */
    int told_count;
    struct runner_jobs jobs;
    struct daemon_season *seasons;
    struct daemon_admit admits[ADMITS_MAX];
    struct service services[SERVICES_MAX];
    int failure_count; /* number of times that the arena failed a submission */
    int64_t quiet_us;  /* since when no game begins, for a submission that is checked alone; or 0 */
    struct daemon_admit *preferred; /* it has a job that games would have; NULL: games have all */
    int64_t all_jobs_us;            /* since when they have */
    struct subprocess contest;      /* plays a challenge */
    /* Start of the last one; earliest starts of the next: while rated games want jobs, and ever. */
    int64_t contest_us, contest_rest_us, contest_again_us;
    int64_t wanted_us;                    /* when rated games were last seen to want jobs */
    struct subprocess analyse;            /* analyses games that the last publication wished for */
    bool has_wishes;                      /* that publication may have left some */
    int64_t analyse_us, analyse_again_us; /* start of the last run; earliest start of the next */
    int64_t rated_us;                     /* when a rated game was last under way; 0: never */
    struct subprocess publish;
    struct mailbox *errands; /* starts the admit and publish processes; NULL until the first */
    bool is_stale;           /* what the site shows has changed since the last publication began */
    int64_t unpublished_us;  /* time of the oldest change that the site does not show; 0: none */
    int64_t site_us;         /* end of the last publication that succeeded, since 1970; 0: never */
    /* Mark (struct scout_view) at the last reading of the store without an error. */
    uint64_t shown_mark;
    int64_t published_us; /* time when the last publication began; 0: never */
    ev_timer tick, drain;
    ev_prepare going_to_sleep;
    ev_check woken;
    int64_t woke_us, longest_hold_us;
    /* Processor time of the loop's thread at its last wake-up, and the longest between two polls.
     */
    int64_t woke_processor_us, longest_busy_us;
    int64_t since_us;                       /* start of the daemon, since 1970 */
    int64_t began_us;                       /* start of the daemon, monotonic */
    int64_t game_count;                     /* number of games stored since the start */
    int64_t watched_us;                     /* when the service manager last heard of the daemon */
    struct daemon_error errors[ERRORS_MAX]; /* the latest last */
    int shown_count;                        /* number of elements used in errors */
    int error_count;                        /* number of all errors since the start */
};

/* Logs an error, and makes it the last one that the status shows. */
static void tell_error(struct daemon *daemon, const char *name, const char *words)
{
    struct daemon_error error = {.count = 1};
    int at = 0;

    clock_write_time(clock_time_us(), error.time);
    snprintf(error.line, sizeof error.line, "%s%s%s", name, *name ? ": " : "", words);
    while (at < daemon->shown_count && strcmp(daemon->errors[at].line, error.line) != 0)
        at++;
    if (at < daemon->shown_count)
        error.count += daemon->errors[at].count;
    else if (at < ERRORS_MAX)
        daemon->shown_count++;
    else
        at = 0;
    memmove(&daemon->errors[at], &daemon->errors[at + 1],
            (size_t)(daemon->shown_count - at - 1) * sizeof error);
    daemon->errors[daemon->shown_count - 1] = error;
    daemon->error_count++;
    daemon->options.log_fn("error", name, words);
}

/* Marks the site as outdated: something that it shows has changed. */
static void outdate_site(struct daemon *daemon)
{
    daemon->is_stale = true;
    if (!daemon->unpublished_us)
        daemon->unpublished_us = clock_now_us();
}

/* True if this error is the last one that came. */
static bool is_last_error(const struct daemon *daemon, const char *name, const char *words)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "%s: %s", name, words);
    return daemon->shown_count > 0 &&
           strcmp(daemon->errors[daemon->shown_count - 1].line, line) == 0;
}

static void count_game(void *context, const struct table *table)
{
    *(int *)context += table->state == TABLE_PLAYING;
}

static int playing_count(const struct daemon *daemon)
{
    int count = 0;

    for (const struct daemon_season *season = daemon->seasons; season; season = season->next)
        if (season->player)
            player_games_each(season->player, count_game, &count);
    return count;
}

/* ---- playing seasons ---- */

static void take_apart(struct daemon_season *season)
{
    struct daemon *daemon = season->daemon;
    const bool failed = season->report.failed && !season->ready->season.is_voided;

    player_destroy(season->player);
    dealer_destroy(season->dealer);
    if (failed)
        tell_error(daemon, season->name, season->report.error);
    for (struct daemon_season **at = &daemon->seasons; *at; at = &(*at)->next)
        if (*at == season) {
            *at = season->next;
            break;
        }
    scout_return(daemon->scout, season->ready, failed ? season->report.error : "",
                 season->report.lack);
    free(season);
    if (daemon->stops && !daemon->seasons)
        foreground_end(&daemon->foreground);
}

/* Adds the games that were stored since the last report to the daemon's count. */
static void count(struct daemon_season *season, const struct player_report *report)
{
    const int64_t new_count = report->played_count - season->report.played_count;

    season->report = *report;
    if (new_count == 0)
        return;
    season->daemon->game_count += new_count;
    outdate_site(season->daemon);
}

/* Reports the state of a season. Logs once if a season that workers play cannot continue. */
static void season_ticks(void *owner, const struct player_report *report)
{
    struct daemon_season *season = owner;
    bool is_news = *report->error && !*season->report.error;

    count(season, report);
    if (is_news)
        tell_error(season->daemon, season->name, report->error);
}

static void season_game_over(void *owner, const struct table *table)
{
    const struct daemon_season *season = owner;

    if (season->daemon->live)
        live_over(season->daemon->live, table);
}

static void season_warns(void *owner, const char *words)
{
    struct daemon_season *season = owner;

    tell_error(season->daemon, season->name, words);
}

static void season_ended(void *owner, const struct player_report *report)
{
    struct daemon_season *season = owner;

    count(season, report);
    take_apart(season);
}

static void play(struct daemon *daemon, struct scout_ready *ready)
{
    struct daemon_season *season = calloc(1, sizeof *season);
    const struct store_season *terms = &ready->season.terms;
    const struct player_options options = {
        .season = &ready->season,
        .transport = &daemon->transport,
        .sandbox = daemon->options.sandbox,
        .job_count = daemon->options.job_count,
        .jobs = &daemon->jobs,
        .is_practice = terms->is_practice,
        .pin = terms->play.pin,
        .rules = {.memory_bytes = terms->play.memory_bytes, .freeze = terms->play.freeze},
        .over_fn = season_game_over,
        .warn_fn = season_warns,
        .tick_fn = season_ticks,
        .ended_fn = season_ended,
        .owner = season,
    };
    const struct dealer_options dealt = {.season = &ready->season,
                                         .owner = season,
                                         .tick_fn = season_ticks,
                                         .warn_fn = season_warns,
                                         .ended_fn = season_ended};

    if (!season) {
        scout_return(daemon->scout, ready, "out of memory", "");
        return;
    }
    season->daemon = daemon;
    season->ready = ready;
    memcpy(season->name, terms->name, sizeof season->name);
    season->live_delay_s = terms->live_delay_s;
    season->next = daemon->seasons;
    daemon->seasons = season;
    if (ready->is_dealt)
        season->dealer = dealer_start(daemon->loop, &dealt);
    else
        season->player = player_start(daemon->loop, &options);
    if (season->player || season->dealer)
        return;
    daemon->seasons = season->next;
    free(season);
    scout_return(daemon->scout, ready, strerror(errno), "");
}

static void season_is_ready(void *owner, struct scout_ready *ready)
{
    struct daemon *daemon = owner;

    if (daemon->stops)
        scout_return(daemon->scout, ready, "", "");
    else
        play(daemon, ready);
}

/* ---- child processes: they build, check and admit submissions, and publish the site ---- */

/* Returns the first line that a process printed, which may be cut within a character. */
static const char *first_line(struct subprocess *process)
{
    process->text[process->text_bytes] = '\0';
    process->text[strcspn(process->text, "\n")] = '\0';
    return process->text;
}

/*
 * Starts a command of the arena (its name and arguments; NULL after the last) on the daemon's
 * store. Passes the store's URL in the environment, because the URL may contain a password, and
 * everybody can read a process's arguments.
 */
static int start(struct daemon *daemon, struct subprocess *process, const char *const *command,
                 int limit_s, bool has_store)
{
    char parent[16], *variable;
    const char *arguments[ARGUMENTS_MAX] = {"arena", "aside", parent};
    int error = 0;

    snprintf(parent, sizeof parent, "%d", (int)getpid());
    for (int i = 3; *command && i < ARGUMENTS_MAX - 1; i++)
        arguments[i] = *command++;
    if (!daemon->errands)
        error = mailbox_create(&daemon->errands, daemon->loop, NULL);
    if (error)
        return error;
    if (asprintf(&variable, "ARENA_STORE=%s", daemon->options.url) < 0)
        return -ENOMEM;
    process->variable = has_store ? variable : NULL;
    error = subprocess_start(process, daemon->loop, daemon->errands, NULL,
                             (char *const *)(uintptr_t)arguments, LINE_BYTES - 1, limit_s);
    process->variable = NULL;
    free(variable);
    return error;
}

/* Returns whether the first line that a process printed is an error. */
static bool is_error(const char *line)
{
    return strncmp(line, SUBPROCESS_ERROR, strlen(SUBPROCESS_ERROR)) == 0;
}

/*
 * Returns the line that a process printed as its result, or "". Logs the errors that it printed
 * before this line: it reported them, but they did not make it fail.
 */
static const char *result_of(struct daemon *daemon, struct subprocess *process, const char *name)
{
    char *line = process->text, *next;

    process->text[process->text_bytes] = '\0';
    for (; is_error(line); line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        tell_error(daemon, name, line + strlen(SUBPROCESS_ERROR));
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Returns why a process failed: the error that it printed first, if it printed one. */
static const char *failure_of(struct subprocess *process, int status)
{
    const char *line = first_line(process);

    return is_error(line) ? line + strlen(SUBPROCESS_ERROR)
           : *line        ? line
           : status == SUBPROCESS_KILLED
               ? "the process was killed, or exceeded its time limit"
               : "the process failed: the daemon's standard error says why";
}

/* ---- submissions ---- */

/* Makes the scout thread put off a submission that failed because of the arena. */
static void put_off(struct daemon *daemon, int64_t id, const char *words)
{
    char name[48];

    if (scout_submission_failed(daemon->scout, id) == 0)
        daemon->failure_count++;
    snprintf(name, sizeof name, "submission %" PRId64, id);
    tell_error(daemon, name, words);
}

/* Sets how many games may be played at a time beside the submissions. */
static void set_jobs(struct daemon *daemon)
{
    const int count = daemon->options.job_count ? daemon->options.job_count : 1;

    runner_jobs_set(&daemon->jobs, daemon->quiet_us ? 0 : count - (daemon->preferred != NULL));
}

/*
 * Builds and checks run at a low priority, so games may leave them next to nothing of the
 * processors. A submission for which that lasts gets one job of the games until it ends. Then the
 * games have all jobs for as long as the next submission must be patient: neither can starve the
 * other.
 */
static void prefer(struct daemon *daemon)
{
    struct daemon_admit *longest = NULL;
    char name[32], words[128];
    int64_t since_us;

    if (daemon->preferred || daemon->quiet_us || daemon->options.job_count == 0)
        return;
    for (struct daemon_admit *at = daemon->admits; at < daemon->admits + ADMITS_MAX; at++)
        if (at->process.text && (!longest || at->begun_us < longest->begun_us))
            longest = at;
    if (!longest)
        return;
    since_us = longest->begun_us > daemon->all_jobs_us ? longest->begun_us : daemon->all_jobs_us;
    if (clock_now_us() - since_us < daemon->options.patience_s * INT64_C(1000000))
        return;
    daemon->preferred = longest;
    set_jobs(daemon);
    snprintf(name, sizeof name, "%" PRId64, longest->submission.id);
    snprintf(words, sizeof words,
             "has taken %d s beside games: one game fewer is played until it ends",
             daemon->options.patience_s);
    daemon->options.log_fn("submission", name, words);
}

static void prefer_no_longer(struct daemon *daemon, const struct daemon_admit *admit)
{
    if (daemon->preferred != admit)
        return;
    daemon->preferred = NULL;
    daemon->all_jobs_us = clock_now_us();
    set_jobs(daemon);
}

static void admit_ended(struct subprocess *process, int status)
{
    struct daemon_admit *admit = process->owner;
    struct daemon *daemon = admit->daemon;
    char name[32];

    prefer_no_longer(daemon, admit);
    snprintf(name, sizeof name, "%" PRId64, admit->submission.id);
    if (status == 0) {
        const char *line = result_of(daemon, process, name);

        if (*line) /* the line is empty if the submission had ended before */
            daemon->options.log_fn("submission", name, line);
        outdate_site(daemon);
    } else if (!daemon->stops) { /* else the daemon itself has killed the process */
        put_off(daemon, admit->submission.id, failure_of(process, status));
    }
    subprocess_finish(process);
}

/*
 * Kills what builds or checks a submission that was cancelled or replaced. A process that itself
 * ended its submission has END_S to leave.
 */
static void stop_ended(struct daemon *daemon)
{
    char name[32];

    for (struct daemon_admit *at = daemon->admits; at < daemon->admits + ADMITS_MAX; at++) {
        for (int i = 0; i < daemon->view.ended_count && at->process.text; i++)
            if (at->submission.id == daemon->view.ended[i] && !at->ended_us)
                at->ended_us = clock_now_us();
        if (!at->process.text || !at->ended_us ||
            clock_now_us() - at->ended_us < END_S * INT64_C(1000000))
            continue;
        snprintf(name, sizeof name, "%" PRId64, at->submission.id);
        daemon->options.log_fn("submission", name,
                               "has ended: what is left of its build or check is stopped");
        prefer_no_longer(daemon, at);
        subprocess_finish(&at->process);
        outdate_site(daemon);
    }
}

static bool is_taken(const struct daemon *daemon, const struct scout_submission *submission)
{
    for (int i = 0; i < ADMITS_MAX; i++) {
        const struct daemon_admit *admit = &daemon->admits[i];

        if (admit->process.text && (admit->submission.id == submission->id ||
                                    strcmp(admit->submission.author, submission->author) == 0))
            return true;
    }
    return false;
}

static void admit(struct daemon *daemon, struct daemon_admit *place,
                  const struct scout_submission *submission)
{
    char id[24];
    const char *command[ARGUMENTS_MAX] = {"admit"};
    int count = 1, error;

    snprintf(id, sizeof id, "%" PRId64, submission->id);
    for (const char *const *option = daemon->options.admit_options; option && *option; option++)
        if (count < ARGUMENTS_MAX - 2)
            command[count++] = *option;
    command[count++] = id;
    place->daemon = daemon;
    place->submission = *submission;
    place->begun_us = clock_now_us();
    place->ended_us = 0;
    place->process.owner = place;
    place->process.ended_fn = admit_ended;
    error = start(daemon, &place->process, command, daemon->options.admit_s, true);
    if (!error)
        return;
    put_off(daemon, submission->id, strerror(-error));
}

/* Returns the submission that is next, or NULL. */
static const struct scout_submission *next_submission(const struct daemon *daemon)
{
    for (int i = 0; i < daemon->view.listed_count; i++)
        if (!is_taken(daemon, &daemon->view.submissions[i]))
            return &daemon->view.submissions[i];
    return NULL;
}

/* Lets no game begin while a submission is checked alone, or is about to be. */
static void make_quiet(struct daemon *daemon, bool is_quiet)
{
    if (is_quiet == (daemon->quiet_us != 0))
        return;
    daemon->quiet_us = is_quiet ? clock_now_us() : 0;
    set_jobs(daemon);
    daemon->options.log_fn("quiet", "",
                           is_quiet ? "no game begins while a submission is checked alone, for "
                                      "which the machine was too busy"
                                    : "games begin again");
}

/* True if games still run beside a submission that is to be checked alone, but not for too long. */
static bool awaits_games(const struct daemon *daemon)
{
    return (playing_count(daemon) > 0 || daemon->contest.text) &&
           clock_now_us() - daemon->quiet_us < QUIET_S_MAX * INT64_C(1000000);
}

static void begin_admits(struct daemon *daemon)
{
    const struct scout_submission *next;
    struct daemon_admit *place = NULL;
    int running_count = 0;
    bool is_alone = false;

    if (daemon->view.failure_count != daemon->failure_count)
        return; /* the submission has failed since the scout thread made this list */
    for (int i = 0; i < ADMITS_MAX; i++) {
        const bool is_running = daemon->admits[i].process.text;

        running_count += is_running;
        is_alone = is_alone || (is_running && daemon->admits[i].submission.is_alone);
        place = is_running ? place : &daemon->admits[i];
    }
    next = is_alone ? NULL : next_submission(daemon);
    make_quiet(daemon, is_alone || (next && next->is_alone));
    if (!next || !place || (next->is_alone && (running_count > 0 || awaits_games(daemon))))
        return;
    admit(daemon, place, next);
    if (place->process.text && !next->is_alone)
        begin_admits(daemon); /* in the next place */
}

/* ---- challenges ---- */

static void contest_ended(struct subprocess *process, int status)
{
    struct daemon *daemon = process->owner;
    const int64_t now_us = clock_now_us();

    daemon->contest_rest_us = now_us + CONTEST_REST * (now_us - daemon->contest_us);
    if (status == 0) {
        daemon->options.log_fn("challenge", "", result_of(daemon, process, "challenge"));
    } else if (!daemon->stops) {
        daemon->contest_again_us = now_us + AGAIN_S * INT64_C(1000000);
        tell_error(daemon, "challenge", failure_of(process, status));
    }
    subprocess_finish(process);
}

/*
 * Plays a challenge while no submission waits and no rated game lacks a job; while some do,
 * challenges get a tenth of the time, as practice games get a tenth of the jobs.
 */
static void begin_contest(struct daemon *daemon)
{
    const int64_t now_us = clock_now_us();
    char id[24];
    const char *const command[] = {"contest", id, NULL};
    int error;

    if (runner_jobs_are_wanted(&daemon->jobs))
        daemon->wanted_us = now_us;
    if (!daemon->view.challenge_id || daemon->contest.text || daemon->options.job_count == 0 ||
        daemon->quiet_us || daemon->view.listed_count > 0 || now_us < daemon->contest_again_us ||
        (now_us < daemon->contest_rest_us &&
         now_us - daemon->wanted_us < LULL_S * INT64_C(1000000)))
        return;
    snprintf(id, sizeof id, "%" PRId64, daemon->view.challenge_id);
    daemon->view.challenge_id = 0; /* until the scout has looked again */
    daemon->contest_us = now_us;
    daemon->contest.owner = daemon;
    daemon->contest.ended_fn = contest_ended;
    error = start(daemon, &daemon->contest, command, CONTEST_S, true);
    if (error)
        tell_error(daemon, "challenge", strerror(-error));
}

/* ---- analysis that nobody has asked for ---- */

/*
 * True while games may be analysed: nothing else of the arena wants a processor, or the games under
 * way leave two free. A bot that plays shall not notice.
 */
static bool may_analyse(const struct daemon *daemon)
{
    const long free_count = sysconf(_SC_NPROCESSORS_ONLN) - daemon->options.job_count;
    const bool is_idle =
        !daemon->rated_us || clock_now_us() - daemon->rated_us > ANALYSE_LULL_S * INT64_C(1000000);

    return daemon->options.analyse_percent > 0 && !daemon->quiet_us && !daemon->stops &&
           !daemon->contest.text && daemon->view.listed_count == 0 &&
           (is_idle || free_count >= FREE_CORES);
}

static void analyse_ended(struct subprocess *process, int status)
{
    struct daemon *daemon = process->owner;
    const int64_t now_us = clock_now_us();
    const int64_t share = daemon->options.analyse_percent * (int64_t)sysconf(_SC_NPROCESSORS_ONLN);

    /* One process takes one processor: it rests for the others' share. */
    daemon->analyse_again_us =
        now_us + (share >= 100 ? 0 : (now_us - daemon->analyse_us) * (100 - share) / share);
    daemon->has_wishes = false;
    if (status == 0) {
        const char *line = result_of(daemon, process, "analyse");

        if (*line) { /* there may be more, and pages show what was found */
            daemon->has_wishes = true;
            daemon->options.log_fn("analysed", "", line);
            outdate_site(daemon);
        }
    } else if (!daemon->stops) {
        tell_error(daemon, "analyse", failure_of(process, status));
    }
    subprocess_finish(process);
}

static void begin_analysis(struct daemon *daemon)
{
    static const char *const command[] = {"analyse", "--wanted", NULL};
    const int64_t now_us = clock_now_us();
    int error;

    if (!daemon->has_wishes || daemon->analyse.text || daemon->publish.text ||
        now_us < daemon->analyse_again_us || !may_analyse(daemon))
        return;
    daemon->analyse_us = now_us;
    daemon->analyse.owner = daemon;
    daemon->analyse.ended_fn = analyse_ended;
    error = start(daemon, &daemon->analyse, command, ANALYSE_S, true);
    if (!error)
        return;
    daemon->has_wishes = false;
    tell_error(daemon, "analyse", strerror(-error));
}

/* Ends an analysis that is in others' way; its game is analysed later. */
static void interrupt_analysis(struct daemon *daemon)
{
    if (playing_count(daemon) > 0)
        daemon->rated_us = clock_now_us();
    if (daemon->analyse.text && !may_analyse(daemon))
        subprocess_finish(&daemon->analyse);
}

/* ---- the site ---- */

static void publish_ended(struct subprocess *process, int status)
{
    struct daemon *daemon = process->owner;
    const char *line = status == 0 ? result_of(daemon, process, "publish") : first_line(process);

    if (status == 0 || (status == PUBLISHED_DAMAGED && *line && !is_error(line))) {
        daemon->options.log_fn("published", "", line);
        daemon->site_us = clock_time_us();
        daemon->has_wishes = daemon->options.analyse_percent > 0;
        daemon->unpublished_us = daemon->is_stale ? daemon->published_us : 0;
        if (status != 0)
            tell_error(daemon, "publish", line);
    } else {
        daemon->is_stale = true;
        if (!daemon->stops)
            tell_error(daemon, "publish", failure_of(process, status));
    }
    subprocess_finish(process);
}

static void begin_publish(struct daemon *daemon)
{
    int64_t now_us = clock_now_us();
    const char *command[11] = {"publish", daemon->options.site};
    int error, count = 2;

    if (!daemon->options.site || daemon->publish.text || !daemon->is_stale ||
        (daemon->published_us &&
         now_us - daemon->published_us < (int64_t)daemon->options.every_s * 1000000))
        return;
    if (daemon->options.is_web)
        command[count++] = "--live";
    if (daemon->options.analyse_percent > 0)
        command[count++] = "--wishes";
    if (daemon->options.address) {
        command[count++] = "--address";
        command[count++] = daemon->options.address;
    }
    if (daemon->options.contact) {
        command[count++] = "--contact";
        command[count++] = daemon->options.contact;
    }
    if (daemon->options.program) {
        command[count++] = "--program";
        command[count++] = daemon->options.program;
    }
    daemon->is_stale = false;
    daemon->published_us = now_us;
    daemon->publish.owner = daemon;
    daemon->publish.ended_fn = publish_ended;
    error = start(daemon, &daemon->publish, command, PUBLISH_S, true);
    if (error) {
        daemon->is_stale = true;
        tell_error(daemon, "publish", strerror(-error));
    }
}

/* ---- services ---- */

/* Logs a line that a service printed, without the service's name at its beginning. */
static void service_said(struct subprocess *process, const char *line)
{
    const struct service *service = process->owner;
    const char *name = service->service->name;
    const bool failed = is_error(line);

    if (failed)
        line += strlen(SUBPROCESS_ERROR);
    if (strncmp(line, name, strlen(name)) == 0 && strncmp(line + strlen(name), ": ", 2) == 0)
        line += strlen(name) + 2;
    if (failed)
        tell_error(service->daemon, name, line);
    else
        service->daemon->options.log_fn("service", name, line);
}

static void service_ended(struct subprocess *process, int status)
{
    struct service *service = process->owner;
    struct daemon *daemon = service->daemon;
    const int64_t now_us = clock_now_us();
    char words[128], end[32] = "was killed";

    if (now_us - service->begun_us > AGAIN_S * INT64_C(1000000))
        service->pause_s = 0;
    service->pause_s = service->pause_s ? 2 * service->pause_s : 1;
    if (service->pause_s > AGAIN_S)
        service->pause_s = AGAIN_S;
    service->again_us = now_us + service->pause_s * INT64_C(1000000);
    if (status >= 0)
        snprintf(end, sizeof end, "ended with status %d", status);
    snprintf(words, sizeof words, "the process %s: the daemon starts it again in %d s", end,
             service->pause_s);
    if (!daemon->stops)
        tell_error(daemon, service->service->name, words);
    subprocess_finish(process);
}

static void begin_service(struct daemon *daemon, struct service *service)
{
    int error;

    service->daemon = daemon;
    service->begun_us = clock_now_us();
    service->process.owner = service;
    service->process.ended_fn = service_ended;
    service->process.line_fn = service_said;
    error = start(daemon, &service->process, service->service->arguments, INT_MAX,
                  service->service->has_store);
    if (error) {
        service->again_us = service->begun_us + AGAIN_S * INT64_C(1000000);
        tell_error(daemon, service->service->name, strerror(-error));
    }
}

static void begin_services(struct daemon *daemon)
{
    const struct daemon_service *options = daemon->options.services;

    for (int i = 0; options && i < SERVICES_MAX && options[i].name; i++) {
        struct service *service = &daemon->services[i];

        service->service = &options[i];
        if (!service->process.text && clock_now_us() >= service->again_us)
            begin_service(daemon, service);
    }
}

static void begin_children(struct daemon *daemon)
{
    begin_services(daemon);
    stop_ended(daemon);
    begin_admits(daemon);
    prefer(daemon);
    begin_contest(daemon);
    begin_publish(daemon);
    begin_analysis(daemon);
}

/* Kills all child processes; subprocess_finish waits for their deaths without blocking the loop. */
static void end_children(struct daemon *daemon)
{
    for (int i = 0; i < ADMITS_MAX; i++)
        subprocess_finish(&daemon->admits[i].process);
    subprocess_finish(&daemon->contest);
    subprocess_finish(&daemon->analyse);
    subprocess_finish(&daemon->publish);
    for (int i = 0; i < SERVICES_MAX; i++)
        subprocess_finish(&daemon->services[i].process);
}

/* ---- the status ---- */

static const struct daemon_season *find_played(const struct daemon *daemon, const char *name)
{
    for (const struct daemon_season *season = daemon->seasons; season; season = season->next)
        if (strcmp(season->name, name) == 0)
            return season;
    return NULL;
}

static json_t *leaders_json(const struct daemon_season *season)
{
    const struct leaders *leaders = &season->report.standing.leaders;
    json_t *list = json_array();

    for (int i = 0; i < leaders->count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:f}", "bot", leaders->names[i], "elo", leaders->elo[i]));
    return list;
}

/* Completes the facts about a season with what the loop has stored since they were read. */
static struct season_facts facts_now(const struct daemon *daemon, const struct season_facts *seen)
{
    const struct daemon_season *played = find_played(daemon, seen->terms.name);
    const struct store_season_counts *counts = played ? &played->report.standing.counts : NULL;
    struct season_facts facts = *seen;

    facts.now_us = clock_time_us();
    facts.is_ours = seen->is_ours || played;
    if (counts && (counts->played > facts.counts.played || counts->groups > facts.counts.groups)) {
        facts.counts.entries = counts->entries;
        facts.counts.batches = counts->batches;
        facts.counts.groups = counts->groups;
        facts.counts.scheduled = counts->scheduled;
        facts.counts.played = counts->played;
    }
    return facts;
}

static void read_status(const struct daemon *daemon, const struct season_facts *seen,
                        struct season_status *status)
{
    const struct season_facts facts = facts_now(daemon, seen);

    season_status_of(&facts, status);
}

static json_t *seasons_json(const struct daemon *daemon)
{
    json_t *seasons = json_array();

    for (int i = 0; i < daemon->view.season_count; i++) {
        const struct season_facts *seen = &daemon->view.seasons[i];
        const struct daemon_season *played = find_played(daemon, seen->terms.name);
        struct report_season told = {.facts = facts_now(daemon, seen), .is_counted = true};
        json_t *season;

        season_status_of(&told.facts, &told.status);
        told.facts.is_ours = played != NULL;
        season = report_season_json(&told, READER_ORGANIZER);
        json_object_set_new(season, "top", played ? leaders_json(played) : json_array());
        json_array_append_new(seasons, season);
    }
    return seasons;
}

static json_t *errors_json(const struct daemon *daemon)
{
    json_t *errors = json_array();
    char since[CLOCK_TIME_BYTES] = ""; /* when the store was back; "": it was not away */

    if (daemon->was_away && !daemon->view.is_down && !daemon->view.is_full)
        clock_write_time(daemon->store_since_us, since);

    for (const struct daemon_error *error = daemon->errors;
         error < daemon->errors + daemon->shown_count; error++) {
        const bool is_past = strcmp(error->time, since) <= 0;
        char times[24] = "", *line;

        if (error->count > 1)
            snprintf(times, sizeof times, " (%d times)", error->count);
        if (asprintf(&line, "%s %s%s%s", error->time, error->line, times,
                     is_past ? " (before the store was back)" : "") < 0)
            continue;
        json_array_append_new(errors, json_text(line, strlen(line)));
        free(line);
    }
    return errors;
}

static const char *store_state(const struct daemon *daemon)
{
    return !daemon->has_view      ? "unread"
           : daemon->view.is_down ? "down"
           : daemon->view.is_full ? "full"
                                  : "up";
}

static double games_a_second(const struct daemon *daemon, int64_t now_us)
{
    int64_t passed_us = now_us - daemon->began_us;

    return passed_us > 0 ? (double)daemon->game_count * 1e6 / (double)passed_us : 0;
}

static char *status_json(const struct daemon *daemon, int64_t now_us)
{
    json_t *status;
    char *text;

    status = json_pack(
        "{s:b, s:i, s:o, s:I, s:f, s:i, s:i, s:I, s:I, s:I, s:s, s:o, s:o, s:i, s:o, s:o, s:i,"
        " s:b}",
        "running", 1, "pid", (int)getpid(), "since", json_time(daemon->since_us), "games",
        (json_int_t)daemon->game_count, "games_per_s", games_a_second(daemon, now_us), "jobs",
        daemon->options.job_count, "queue", daemon->view.submission_count, "longest_hold_us",
        (json_int_t)daemon->longest_hold_us, "longest_hold_processor_us",
        (json_int_t)daemon->longest_busy_us, "disk_free_bytes",
        (json_int_t)daemon->view.disk_free_bytes, "store", store_state(daemon), "store_since",
        json_time_or_null(daemon->store_since_us), "published", json_time_or_null(daemon->site_us),
        "elsewhere", daemon->view.elsewhere_count, "seasons", seasons_json(daemon), "errors",
        errors_json(daemon), "playing_count", playing_count(daemon), "analyses",
        may_analyse(daemon));
    text = status ? json_dumps(status, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(status);
    return text;
}

/* Returns for how long the site has lacked a change; 0 if it shows all, or there is no site. */
static int64_t unpublished_us(const struct daemon *daemon)
{
    return daemon->options.site && daemon->unpublished_us ? clock_now_us() - daemon->unpublished_us
                                                          : 0;
}

/* ---- metrics, in Prometheus's text format ---- */

struct metric {
    const char *name; /* without "pavilion_"; a counter's name ends with "_total" */
    const char *type; /* "gauge" or "counter" */
    const char *help;
    int64_t value;
    bool is_us; /* the value is in microseconds, and is printed in seconds */
};

static void print_head(FILE *stream, const struct metric *metric)
{
    fprintf(stream, "# HELP pavilion_%s %s\n# TYPE pavilion_%s %s\n", metric->name, metric->help,
            metric->name, metric->type);
}

static void print_metrics(FILE *stream, const struct metric *metrics, size_t count)
{
    for (const struct metric *at = metrics; at < metrics + count; at++) {
        print_head(stream, at);
        fprintf(stream, "pavilion_%s %lld", at->name,
                (long long)(at->is_us ? at->value / 1000000 : at->value));
        if (at->is_us)
            fprintf(stream, ".%06d", (int)(at->value % 1000000));
        fputc('\n', stream);
    }
}

/* Returns how long a season without games has waited for its first one; negative: not yet. */
static int64_t unbegun_us(const struct store_season *terms)
{
    return clock_time_us() -
           (terms->from_us > terms->created_us ? terms->from_us : terms->created_us);
}

static void print_season_figure(FILE *stream, const char *season, const char *figure,
                                const struct season_status *status, int64_t idle_us)
{
    if (strcmp(figure, "season_games") == 0)
        fprintf(stream, "pavilion_season_games{season=\"%s\"} %lld\n", season,
                (long long)status->game_count);
    else if (strcmp(figure, "season_games_left") == 0)
        fprintf(stream, "pavilion_season_games_left{season=\"%s\"} %lld\n", season,
                (long long)status->left_count);
    else if (strcmp(figure, "season_state") == 0)
        fprintf(stream, "pavilion_season_state{season=\"%s\",state=\"%s\"} 1\n", season,
                season_states[status->state]);
    else if (idle_us >= 0)
        fprintf(stream, "pavilion_season_idle_seconds{season=\"%s\"} %lld\n", season,
                (long long)(idle_us / 1000000));
}

static void print_season_metrics(FILE *stream, const struct daemon *daemon)
{
    static const struct metric metrics[] = {
        {"season_games", "gauge", "Games of an open season that are stored and count."},
        {"season_games_left", "gauge", "Games of an open season that are still to be played."},
        {"season_state", "gauge", "The state of an open season, which is its label."},
        {"season_idle_seconds", "gauge",
         "Time since the last stored game of an open season; before the first one, since the "
         "season's begin."},
    };

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        print_head(stream, &metrics[i]);
        for (int j = 0; j < daemon->view.season_count; j++) {
            const struct season_facts *seen = &daemon->view.seasons[j];
            struct season_status status;

            read_status(daemon, seen, &status);
            /* Names have only a-z 0-9 - _, which need no escaping. */
            print_season_figure(stream, seen->terms.name, metrics[i].name, &status,
                                status.idle_us < 0 ? unbegun_us(&seen->terms) : status.idle_us);
        }
    }
}

/* Prints the name of a worker as the value of a label. */
static void print_label(FILE *stream, const char *name)
{
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', stream);
        fputc(*name, stream);
    }
}

/* Prints the metrics of each worker. */
static void print_figures(FILE *stream, const struct scout_view *view)
{
    static const struct {
        struct metric metric;
        size_t offset;
    } metrics[] = {
        {{"workers_games_total", "counter", "Games of a worker that were stored."},
         offsetof(struct store_worker_figures, game_count)},
        {{"workers_forfeits_total", "counter", "Seats that forfeited in these games."},
         offsetof(struct store_worker_figures, forfeit_count)},
        {{"workers_refused", "gauge", "Deliveries of a worker that the daemon refused."},
         offsetof(struct store_worker_figures, refused_count)},
        {{"workers_groups", "gauge", "Groups that a worker holds."},
         offsetof(struct store_worker_figures, lease_count)},
        {{"workers_silent_seconds", "gauge", "Time since a worker reported to the store."},
         offsetof(struct store_worker_figures, silent_s)},
        {{"workers_aside", "gauge", "1 if the daemon set a worker aside, else 0."},
         offsetof(struct store_worker_figures, aside)},
    };

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        print_head(stream, &metrics[i].metric);
        for (int j = 0; j < view->figure_count; j++) {
            const struct store_worker_figures *figures = &view->figures[j];

            fprintf(stream, "pavilion_%s{worker=\"", metrics[i].metric.name);
            print_label(stream, figures->name);
            fprintf(stream, "\",id=\"%lld\"} %lld\n", (long long)figures->id,
                    (long long)*(const int64_t *)((const char *)figures + metrics[i].offset));
        }
    }
}

static char *status_metrics(const struct daemon *daemon)
{
    const struct scout_view *view = &daemon->view;
    const struct metric metrics[] = {
        {"games_total", "counter", "Games stored since the daemon began.", daemon->game_count},
        {"games_playing", "gauge", "Games under way.", playing_count(daemon)},
        {"jobs", "gauge", "Limit on the games that are played at the same time.",
         daemon->options.job_count},
        {"queue", "gauge", "Submissions that wait or are being checked.", view->submission_count},
        {"waiting", "gauge", "Submissions that are tried again, because of the machine.",
         view->waiting_count},
        {"longest_hold_seconds", "gauge", "The longest time for which the event loop was blocked.",
         daemon->longest_hold_us, .is_us = true},
        {"disk_free_bytes", "gauge", "Free space on the disk of the arena's home folder.",
         view->disk_free_bytes},
        {"errors_total", "counter", "Errors of the arena since the daemon began.",
         daemon->error_count},
        {"store_up", "gauge", "1 if the store answers, else 0.", !view->is_down},
        {"store_full", "gauge", "1 if the store's disk is full, else 0.", view->is_full},
        {"seasons_open", "gauge", "Open seasons.", view->season_count},
        {"seasons_elsewhere", "gauge", "Open seasons that another process plays.",
         view->elsewhere_count},
        {"published_timestamp_seconds", "gauge",
         "When the site was last published, since 1970; 0: not since the daemon began.",
         daemon->site_us, .is_us = true},
        {"unpublished_seconds", "gauge",
         "For how long the site has lacked a change; 0: it has all.", unpublished_us(daemon),
         .is_us = true},
    };
    const struct metric of_workers[] = {
        {"workers_alive", "gauge", "Workers that reported to the store within the last minute.",
         view->workers.alive_count},
        {"workers_silent", "gauge", "Workers that fell silent without reporting their end.",
         view->workers.silent_count},
        {"leases", "gauge", "Groups that workers hold.", view->workers.lease_count},
        {"inbox_games", "gauge", "Games that workers delivered and the daemon has not yet checked.",
         view->workers.inbox_count},
        {"inbox_oldest_seconds", "gauge",
         "For how long the oldest delivered game has waited to be checked; 0: none waits.",
         view->workers.oldest_us, .is_us = true},
        {"refused_deliveries", "gauge", "Deliveries that the daemon refused: see `arena workers`.",
         view->workers.refused_count},
    };
    char *text = NULL;
    size_t size;
    FILE *stream = memory_stream(&text, &size);

    print_metrics(stream, metrics, sizeof metrics / sizeof *metrics);
    if (view->has_workers) {
        print_metrics(stream, of_workers, sizeof of_workers / sizeof *of_workers);
        print_figures(stream, view);
    }
    print_season_metrics(stream, daemon);
    memory_stream_end(stream);
    return text;
}

/* ---- views, the clock, the end ---- */

/* Logs that the store is back. (Its loss is the error of the view.) */
static void tell_store(struct daemon *daemon, const struct scout_view *view)
{
    const struct scout_view *before = &daemon->view;

    if (daemon->has_view && before->is_down == view->is_down && before->is_full == view->is_full)
        return;
    daemon->store_since_us = clock_time_us();
    daemon->was_away = daemon->was_away || view->is_down || view->is_full;
    if (before->is_down && !view->is_down)
        daemon->options.log_fn("store back", "", "the store answers again");
    else if (before->is_full && !view->is_full && !view->is_down)
        daemon->options.log_fn("store back", "", "there is room again on its disk");
}

/* Logs an event of the store. An admission, by the daemon itself, is in the log already. */
static void tell_change(struct daemon *daemon, const struct scout_change *change)
{
    char words[sizeof *change + 32];

    if (strcmp(change->what, "submit") == 0 && strcmp(change->who, "daemon") == 0)
        return;
    snprintf(words, sizeof words, "%s%s%s, by %s", change->what, *change->about ? " " : "",
             change->about, change->who);
    daemon->options.log_fn("change", change->season, words);
}

/* While the store does not answer, the status shows the seasons as they were last read. */
static void keep_counts(const struct daemon *daemon, struct scout_view *view)
{
    const struct scout_view *before = &daemon->view;

    view->season_count = before->season_count;
    view->left_out_count = before->left_out_count;
    memcpy(view->seasons, before->seasons, sizeof view->seasons);
    view->elsewhere_count = before->elsewhere_count;
    view->submission_count = before->submission_count;
    view->waiting_count = before->waiting_count;
    view->has_workers = before->has_workers;
    view->workers = before->workers;
    view->figure_count = before->figure_count;
    memcpy(view->figures, before->figures, sizeof view->figures);
    view->is_full = before->is_full;
}

/* Logs the state of an open season if it has changed, with the reason. */
static struct daemon_told tell_state(struct daemon *daemon, const struct season_facts *seen)
{
    struct daemon_told told = {.name = ""};
    const struct season_status *status = &told.status;
    const char *reason = status->reason;

    memcpy(told.name, seen->terms.name, sizeof told.name);
    read_status(daemon, seen, &told.status);
    for (int i = 0; i < daemon->told_count; i++)
        if (strcmp(daemon->told[i].name, told.name) == 0 &&
            daemon->told[i].status.state == status->state &&
            strcmp(daemon->told[i].status.reason, reason) == 0)
            return told;
    outdate_site(daemon); /* pages tell the state, too */
    if (status->state == STATE_FAILED) {
        if (!is_last_error(daemon, told.name, reason)) /* else the loop has told why it failed */
            tell_error(daemon, told.name, reason);
    } else {
        daemon->options.log_fn(status->state == STATE_PLAYED && seen->is_ours ? "season begun"
                                                                              : "season rests",
                               told.name, reason);
    }
    return told;
}

/* Logs each season whose state has changed since the last view. */
static void tell_states(struct daemon *daemon)
{
    static struct daemon_told told[SCOUT_SEASONS_MAX]; /* too large for the stack */

    for (int i = 0; i < daemon->view.season_count; i++)
        told[i] = tell_state(daemon, &daemon->view.seasons[i]);
    memcpy(daemon->told, told, (size_t)daemon->view.season_count * sizeof *told);
    daemon->told_count = daemon->view.season_count;
}

static void was_seen(void *owner, struct scout_view *view)
{
    struct daemon *daemon = owner;

    if (*view->error && strcmp(view->error, daemon->view.error) != 0)
        tell_error(daemon, "", view->error);
    if (!*view->error && daemon->has_view && view->mark != daemon->shown_mark)
        outdate_site(daemon);
    if (!*view->error)
        daemon->shown_mark = view->mark;
    if (view->left_out_count > daemon->view.left_out_count) {
        char words[128];

        snprintf(words, sizeof words,
                 "too many seasons are open: %d wait until others are closed (the limit is %d)",
                 view->left_out_count, (int)SCOUT_SEASONS_MAX);
        tell_error(daemon, "", words);
    }
    tell_store(daemon, view);
    for (int i = 0; i < view->change_count; i++)
        tell_change(daemon, &view->changes[i]);
    if (view->is_down)
        keep_counts(daemon, view);
    daemon->view = *view;
    daemon->has_view = true;
    if (!view->is_down)
        tell_states(daemon);
    if (!daemon->stops)
        begin_children(daemon);
}

static void see_game(void *context, const struct table *table)
{
    const struct daemon_season *season = context;

    live_see(season->daemon->live, season->name, season->live_delay_s, table);
}

/* Passes on what is new in the games that can be watched. */
static void look_at_games(struct daemon *daemon)
{
    if (!daemon->live)
        return;
    for (struct daemon_season *season = daemon->seasons; season; season = season->next)
        if (season->player && season->live_delay_s >= 0)
            player_games_each(season->player, see_game, season);
    live_look(daemon->live);
}

static void tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct daemon *daemon = timer->data;
    int64_t now_us = clock_now_us();
    char words[128];
    char *status = status_json(daemon, now_us);

    if (status)
        scout_write(daemon->scout, status, daemon->options.metrics ? status_metrics(daemon) : NULL);
    snprintf(words, sizeof words, "%lld game%s played, %d under way", (long long)daemon->game_count,
             plain_text_s(daemon->game_count), playing_count(daemon));
    notify_alive(&daemon->watched_us, words);
    look_at_games(daemon);
    interrupt_analysis(daemon);
}

/* Lets no more games begin; the second call stops the running games. */
static void interrupt_all(struct daemon *daemon)
{
    for (struct daemon_season *season = daemon->seasons, *next; season; season = next) {
        next = season->next;
        if (season->player)
            player_interrupt(season->player);
        else
            dealer_interrupt(season->dealer);
    }
}

static void drained(struct ev_loop *loop, ev_timer *timer, int events)
{
    interrupt_all(timer->data);
}

static void signalled(void *owner)
{
    struct daemon *daemon = owner;

    if (!daemon->stops) {
        daemon->stops = true;
        notify_send("STOPPING=1");
        daemon->options.log_fn("stopping", "", "running games may end first");
        end_children(daemon);
        ev_timer_start(daemon->loop, &daemon->drain);
    }
    interrupt_all(daemon);
    if (!daemon->seasons)
        foreground_end(&daemon->foreground);
}

static void going_to_sleep(struct ev_loop *loop, ev_prepare *watch, int events)
{
    struct daemon *daemon = watch->data;
    int64_t hold_us = clock_now_us() - daemon->woke_us, busy_us;

    if (!daemon->woke_us || hold_us <= daemon->longest_busy_us)
        return;
    if (hold_us > daemon->longest_hold_us)
        daemon->longest_hold_us = hold_us;
    busy_us = clock_thread_us() - daemon->woke_processor_us;
    if (busy_us > daemon->longest_busy_us)
        daemon->longest_busy_us = busy_us;
}

static void woken(struct ev_loop *loop, ev_check *watch, int events)
{
    struct daemon *daemon = watch->data;

    daemon->woke_us = clock_now_us();
    daemon->woke_processor_us = clock_thread_us();
}

static void live_failed(void *owner, const char *words)
{
    tell_error(owner, "", words);
}

static void start_watchers(struct daemon *daemon)
{
    ev_timer_init(&daemon->tick, tick, 0.1, 1.0);
    ev_timer_init(&daemon->drain, drained, (double)daemon->options.drain_s, 0.);
    ev_prepare_init(&daemon->going_to_sleep, going_to_sleep);
    ev_check_init(&daemon->woken, woken);
    ev_set_priority(&daemon->woken, EV_MAXPRI);
    ev_set_priority(&daemon->going_to_sleep, EV_MINPRI);
    daemon->tick.data = daemon->drain.data = daemon->going_to_sleep.data = daemon->woken.data =
        daemon;
    ev_timer_start(daemon->loop, &daemon->tick);
    ev_prepare_start(daemon->loop, &daemon->going_to_sleep);
    ev_check_start(daemon->loop, &daemon->woken);
}

/*
 * Creates all parts of the daemon, and writes the first status file, so that the file exists once
 * the service manager learns that the daemon is ready. Returns 0 or -errno.
 */
static int assemble(struct daemon *daemon, const struct scout_options *of_scout)
{
    char *status;
    int error;

    error = foreground_open(&daemon->foreground, signalled, daemon);
    if (error)
        return error;
    daemon->loop = daemon->foreground.loop;
    daemon->scout = scout_create(daemon->loop, of_scout);
    if (!daemon->scout) {
        error = -errno;
        foreground_close(&daemon->foreground);
        return error;
    }
    if (daemon->options.site && daemon->options.is_web)
        daemon->live =
            live_create(daemon->loop, &(struct live_options){.site = daemon->options.site,
                                                             .contact = daemon->options.contact,
                                                             .owner = daemon,
                                                             .failed_fn = live_failed});
    status = status_json(daemon, clock_now_us());
    if (status)
        place_write_over(daemon->options.status, status, strlen(status), NULL);
    free(status);
    return 0;
}

int daemon_run(const struct daemon_options *options)
{
    struct daemon *daemon = calloc(1, sizeof *daemon);
    struct scout_options of_scout = {.url = options->url,
                                     .folder = options->folder,
                                     .status = options->status,
                                     .metrics = options->metrics,
                                     .deals = options->job_count == 0,
                                     .tier = (int)sandbox_tier(options->sandbox),
                                     .owner = daemon,
                                     .seen_fn = was_seen,
                                     .ready_fn = season_is_ready};
    int error;

    if (!daemon)
        return -ENOMEM;
    daemon->options = *options;
    daemon->transport = transport_of_sandbox(options->sandbox);
    daemon->jobs.count = options->job_count ? options->job_count : 1;
    daemon->since_us = daemon->store_since_us = clock_time_us();
    daemon->began_us = clock_now_us();
    outdate_site(daemon);
    error = assemble(daemon, &of_scout);
    if (error) {
        free(daemon);
        return error;
    }
    start_watchers(daemon);
    daemon->options.log_fn("started", "", "playing the open seasons");
    notify_send("READY=1\nSTATUS=running");
    foreground_wait(&daemon->foreground);
    end_children(daemon);
    live_destroy(daemon->live);
    scout_destroy(daemon->scout);
    mailbox_destroy(daemon->errands);
    daemon->options.log_fn("stopped", "", "every game that was played is stored");
    foreground_close(&daemon->foreground);
    free(daemon);
    return 0;
}
