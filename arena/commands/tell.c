/* SPDX-License-Identifier: MIT */
/*
 * arena tell: a process of the daemon (`serve --on-event`). It looks at the store and at the
 * daemon's status once a second, and runs a program of the organizer for each news, one after the
 * other, with the news as JSON on its standard input. What it has told is in a file, so that news
 * of a time without a daemon are told later, and none twice. The store is the queue: news older
 * than a day are left out. A program that fails, or takes longer than TELL_S, is an error of the
 * daemon's status; nothing else waits for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/json.h"
#include "arena/base/place.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/play/subprocess.h"
#include "arena/report/model.h"
#include "arena/store/games.h"
#include "arena/store/submissions.h"

enum {
    TELL_S = 10,       /* time limit of the program */
    PAUSE_S = 1,       /* between two looks */
    DAY_S = 24 * 3600, /* age of news that are left out; a deadline this near is news */
    QUIET_S = 3600,    /* a season's leader, and its forfeits, are news once in this time */
    FORFEITS_EVERY_S =
        60, /* time between two counts of forfeits, which read all games of a season */
    FORFEIT_GAMES_LEAST =
        8, /* forfeits are many from so many games of an hour on, and a quarter of all */
    STATE_BYTES_MAX = 1 << 20,
    NEWS_BYTES = 512,
};

static const int64_t disk_low_bytes = 2000000000; /* as the alert PavilionDiskLow */

static const char *status_path, *state_path, *program;

/* What was told: "event" and "ended_us", up to which; and by season "near", "leader", "leader_us",
 * "forfeits_us". */
static json_t *state;

static int64_t number_of(const char *key)
{
    return json_integer_value(json_object_get(state, key));
}

/* Returns an object of the state by its key, and makes it if there is none. */
static json_t *part_of(const char *key)
{
    if (!json_is_object(json_object_get(state, key)))
        json_object_set_new(state, key, json_object());
    return json_object_get(state, key);
}

static void keep_state(void)
{
    char *text = json_dumps(state, JSON_COMPACT);
    int error = text ? place_write_over(state_path, text, strlen(text), NULL) : -ENOMEM;

    if (error)
        command_fail("tell: %s: %s%s", state_path, strerror(-error), place_cure(error));
    free(text);
}

/* ---- the program ---- */

/* In the new process: the program, with the news as standard input and nothing of the store's
 * password. */
static _Noreturn void become_program(int news_fd)
{
    const int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    dup2(news_fd, STDIN_FILENO);
    dup2(null_fd, STDOUT_FILENO); /* the daemon reads ours */
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* Waits for the end of the program, TELL_S at most. Returns what is wrong with it, or "". */
static const char *await_program(pid_t pid, char words[static NEWS_BYTES])
{
    const int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = pid_fd, .events = POLLIN};
    const bool is_late = pid_fd < 0 || poll(&end, 1, TELL_S * 1000) == 0;
    int status = 0;

    kill(-pid, SIGKILL); /* with all that it started */
    subprocess_reap(pid, &status);
    if (pid_fd >= 0)
        close(pid_fd);
    *words = '\0';
    if (is_late)
        snprintf(words, NEWS_BYTES, "took longer than %d s and was killed", TELL_S);
    else if (WIFSIGNALED(status))
        snprintf(words, NEWS_BYTES, "was killed by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 127)
        snprintf(words, NEWS_BYTES, "could not be run");
    else if (WEXITSTATUS(status) != 0)
        snprintf(words, NEWS_BYTES, "ended with status %d", WEXITSTATUS(status));
    return words;
}

/* Tells the program news (a new reference), which took place at time_us, unless that is too long
 * ago. */
static void tell_news(json_t *news, int64_t time_us)
{
    json_t *json;
    char *text, words[NEWS_BYTES];
    int pipe_fds[2];
    pid_t pid;

    if (time_us < clock_time_us() - DAY_S * INT64_C(1000000)) {
        json_decref(news);
        return;
    }
    keep_state(); /* before the program runs: whatever is killed, no news is told twice */
    json_object_set_new(news, "time", json_time(time_us));
    json = columns_row_json(&news_columns, news, NULL, READER_ORGANIZER);
    text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text && pipe2(pipe_fds, O_CLOEXEC) == 0) {
        fflush(NULL);
        pid = fork();
        if (pid == 0)
            become_program(pipe_fds[0]);
        close(pipe_fds[0]);
        if (pid > 0) /* news fit into a pipe, so this does not wait */
            file_write_all(pipe_fds[1], text, strlen(text));
        close(pipe_fds[1]);
        if (pid < 0 || *await_program(pid, words))
            command_fail("tell: %s: %s (news: %s)", program, pid < 0 ? strerror(errno) : words,
                         json_string_value(json_object_get(json, "news")));
    }
    free(text);
    json_decref(json);
    json_decref(news);
}

/* ---- from the store: changes, and submissions that ended ---- */

static int tell_change(void *context, const struct store_event *event, const char *season)
{
    static const struct {
        const char *what, *news, *words;
        bool is_of_season; /* the change is one of a season, else of whom it is about */
    } told[] = {
        {"new", "opened", "is open", true},
        {"reopen", "opened", "is open again", true},
        {"close", "closed", "is closed", true},
        {"pause", "paused", "is paused", true},
        {"resume", "resumed", "is resumed: games begin again", true},
        {"ban", "banned", "is banned", false},
        {"void", "banned", "is banned, and its games do not count", false},
        {"void", "voided", "is void: it counts for nobody", true},
        {"unvoid", "voided", "counts again", true},
    };
    char words[NEWS_BYTES];

    json_object_set_new(state, "event", json_integer(event->id));
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        if (strcmp(told[i].what, event->what) != 0 || told[i].is_of_season != (*season != '\0'))
            continue;
        /* Why a season is paused, is what its event is about. */
        snprintf(words, sizeof words, "%s%s %s%s%s", told[i].is_of_season ? "season " : "",
                 told[i].is_of_season ? season : event->about, told[i].words,
                 strcmp(event->what, "pause") == 0 ? ": " : "",
                 strcmp(event->what, "pause") == 0 ? event->about : "");
        tell_news(json_pack("{s:s, s:o, s:s, s:s}", "news", told[i].news, "season",
                            *season ? json_string(season) : json_null(), "who", event->who, "words",
                            words),
                  event->time_us);
    }
    return 0;
}

static int tell_submission(void *context, const struct store_submission *submission)
{
    const bool is_admitted = submission->state == STORE_ADMITTED;
    const char *outcome = store_submission_states[submission->state];
    json_t *report = submission->report ? json_loads(submission->report, 0, NULL) : NULL;
    const char *reason = json_string_value(json_object_get(report, "reason"));
    char words[NEWS_BYTES];

    if (is_admitted || !reason)
        reason = "";
    snprintf(words, sizeof words, "%s %s of %s is %s%s%.*s", submission->name, submission->version,
             submission->author, outcome, *reason ? ": " : "", (int)strcspn(reason, "\n"), reason);
    json_object_set_new(state, "ended_us", json_integer(submission->ended_us));
    if (submission->is_check) { /* only its author has asked */
        json_decref(report);
        return 0;
    }
    tell_news(json_pack("{s:s, s:s, s:s, s:s, s:I, s:o}", "news", outcome, "bot", submission->name,
                        "version", submission->version, "author", submission->author, "submission",
                        (json_int_t)submission->id, "words", json_text(words, strlen(words))),
              submission->ended_us);
    json_decref(report);
    return 0;
}

/* Returns whether news of a kind about a season may be told, and notes that they are. */
static bool is_quiet(const char *key, const char *season)
{
    json_t *times = part_of(key);
    const int64_t now_us = clock_time_us();

    if (now_us - json_integer_value(json_object_get(times, season)) < QUIET_S * INT64_C(1000000))
        return false;
    json_object_set_new(times, season, json_integer(now_us));
    return true;
}

static int count_forfeits(void *context, const struct store_season *season)
{
    struct store *store = context;
    int64_t games, forfeits;
    char words[NEWS_BYTES];
    int error;

    if (season->closed_us)
        return 0;
    error = store_forfeits_count(store, season->id, clock_time_us() - QUIET_S * INT64_C(1000000),
                                 &games, &forfeits);
    if (error || forfeits < FORFEIT_GAMES_LEAST || 4 * forfeits < games ||
        !is_quiet("forfeits_us", season->name))
        return error;
    snprintf(words, sizeof words,
             "season %s: %lld of the %lld games of the last hour have a forfeit: see `arena games "
             "%s`",
             season->name, (long long)forfeits, (long long)games, season->name);
    tell_news(json_pack("{s:s, s:s, s:s}", "news", "forfeits many", "season", season->name, "words",
                        words),
              clock_time_us());
    return 0;
}

static int look_at_store(struct store *store)
{
    static int64_t counted_us;
    int error = store_changes_each(store, number_of("event"), tell_change, NULL)
                    ?: store_submissions_ended(store, number_of("ended_us"), tell_submission, NULL);

    if (!error && clock_now_us() - counted_us >= FORFEITS_EVERY_S * INT64_C(1000000)) {
        counted_us = clock_now_us();
        error = store_seasons_each(store, count_forfeits, store);
    }
    return error;
}

/* ---- from the daemon's status: dates, leaders, the disk ---- */

/* Tells a date of a season that is less than a day away; moved, it is told again. */
static void tell_date(const json_t *season, const char *key, const char *words)
{
    const char *name = json_string_value(json_object_get(season, "season"));
    const char *date = json_string_value(json_object_get(season, key));
    char now[CLOCK_TIME_BYTES], soon[CLOCK_TIME_BYTES], told[NEWS_BYTES], id[NEWS_BYTES];
    const char *before;

    if (!name || !date)
        return;
    clock_write_time(clock_time_us(), now);
    clock_write_time(clock_time_us() + DAY_S * INT64_C(1000000), soon);
    snprintf(id, sizeof id, "%s %s", name, key);
    before = json_string_value(json_object_get(part_of("near"), id));
    if (strcmp(date, now) <= 0 || strcmp(date, soon) > 0 || (before && strcmp(before, date) == 0))
        return;
    json_object_set_new(part_of("near"), id, json_string(date));
    snprintf(told, sizeof told, "season %s: %s %s", name, words, date);
    tell_news(json_pack("{s:s, s:s, s:s}", "news", "deadline near", "season", name, "words", told),
              clock_time_us());
}

static void tell_leader(const json_t *season)
{
    const char *name = json_string_value(json_object_get(season, "season"));
    const json_t *top = json_array_get(json_object_get(season, "top"), 0);
    const char *bot = json_string_value(json_object_get(top, "bot"));
    const char *before = name ? json_string_value(json_object_get(part_of("leader"), name)) : NULL;
    char words[NEWS_BYTES];

    if (!name || !bot || (before && strcmp(before, bot) == 0) || !is_quiet("leader_us", name))
        return;
    snprintf(words, sizeof words, "season %s: %s leads%s%s", name, bot,
             before ? " in place of " : "", before ? before : "");
    json_object_set_new(part_of("leader"), name, json_string(bot));
    tell_news(json_pack("{s:s, s:s, s:s, s:s}", "news", "leader changed", "season", name, "bot",
                        bot, "words", words),
              clock_time_us());
}

/* Tells that the disk is nearly full; again after there was twice as much room as that. */
static void tell_disk(const json_t *status)
{
    const json_t *free_bytes = json_object_get(status, "disk_free_bytes");
    const int64_t bytes = json_integer_value(free_bytes);
    const bool was_low = json_is_true(json_object_get(state, "disk_low"));
    char words[NEWS_BYTES];

    if (!json_is_integer(free_bytes) || bytes == 0 ||
        (was_low ? bytes < 2 * disk_low_bytes : bytes >= disk_low_bytes))
        return;
    json_object_set_new(state, "disk_low", json_boolean(!was_low));
    if (was_low)
        return;
    snprintf(words, sizeof words, "the arena's disk has %lld MiB left", (long long)(bytes >> 20));
    tell_news(json_pack("{s:s, s:s}", "news", "disk low", "words", words), clock_time_us());
}

static void look_at_status(void)
{
    json_t *status = json_load_file(status_path, 0, NULL), *season;
    size_t i;

    json_array_foreach(json_object_get(status, "seasons"), i, season)
    {
        tell_date(season, "deadline", "what is submitted later does not enter: the deadline is");
        tell_date(season, "until", "the season ends at");
        tell_leader(season);
    }
    tell_disk(status);
    json_decref(status);
}

/* ---- the process ---- */

/* Reads what was told; at the first time, and after a backup was put back, takes all that has
 * happened as told. */
static int begin(struct store *store)
{
    uint8_t *text;
    size_t size;
    int64_t event = 0;
    int error;

    if (file_read(state_path, STATE_BYTES_MAX, &text, &size) == 0) {
        state = json_loadb((const char *)text, size, 0, NULL);
        free(text);
    }
    error = store_event_latest(store, &event);
    if (!json_is_object(state)) {
        json_decref(state);
        state = json_object();
        json_object_set_new(state, "ended_us", json_integer(clock_time_us()));
    } else if (number_of("event") <= event) {
        return error;
    }
    /* A store with fewer events is a backup that was put back: its numbers begin again. */
    json_object_set_new(state, "event", json_integer(event));
    return error;
}

static int tell(struct store_call *call)
{
    int status = begin(call->store);
    json_t *kept = NULL;

    program = call->argv[0];
    unsetenv("ARENA_STORE"); /* may hold a password, which is not the program's */
    unsetenv("PGPASSWORD");
    while (status == COMMAND_DONE) {
        look_at_status();
        status = look_at_store(call->store);
        if (!kept || !json_equal(kept, state)) {
            keep_state();
            json_decref(kept);
            kept = json_deep_copy(state);
        }
        nanosleep(&(struct timespec){.tv_sec = PAUSE_S}, NULL);
    }
    return status;
}

static const struct option tell_options[] = {
    {"status", "FILE", "the daemon's status", .text = &status_path},
    {"state", "FILE", "what was told", .text = &state_path},
    STORE_OPTIONS};

const struct command_line command_tell = {
    .name = "tell",
    .usage = "--status FILE --state FILE PROGRAM",
    .about = "Runs a program for each news of the arena: for `arena serve --on-event` only.",
    .options = tell_options,
    .least = 1,
    .arguments = "only the daemon runs this command",
    .store_fn = tell,
    .mode = STORE_READ};
