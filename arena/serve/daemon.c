#include "arena/serve/daemon.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play/alarm.h"
#include "arena/play/mailbox.h"
#include "arena/play/stop.h"
#include "arena/serve/daemon_state.h"
#include "arena/serve/notify.h"

static const char *const event_names[] = {
    [DAEMON_STARTED] = "started",           [DAEMON_SEASON_BEGUN] = "season begun",
    [DAEMON_SEASON_RESTS] = "season rests", [DAEMON_SUBMISSION] = "submission",
    [DAEMON_PUBLISHED] = "published",       [DAEMON_ERROR] = "error",
    [DAEMON_STOPPING] = "stopping",         [DAEMON_STOPPED] = "stopped",
};

const char *daemon_event_name(enum daemon_event event)
{
    return event_names[event];
}

/* ---- the log ---- */

struct log_line {
    struct errand errand;
    struct daemon *daemon;
    enum daemon_event event;
    char *name, *words; /* behind the structure */
};

static void write_line(struct errand *errand)
{
    const struct log_line *line = (struct log_line *)errand; /* its first member */

    line->daemon->options.log_fn(line->event, line->name, line->words);
}

static void line_written(struct errand *errand)
{
    ((struct log_line *)errand)->daemon->log_line_count--;
    free(errand);
}

static void queue_line(struct daemon *daemon, enum daemon_event event, const char *name,
                       const char *words)
{
    size_t name_size = strlen(name) + 1, words_size = strlen(words) + 1;
    struct log_line *line = NULL;

    if (daemon->log_line_count < DAEMON_LOG_LINES_MAX)
        line = malloc(sizeof *line + name_size + words_size);
    if (!line) {
        daemon->dropped_line_count++;
        return;
    }
    *line = (struct log_line){.errand = {.run_fn = write_line, .done_fn = line_written},
                              .daemon = daemon,
                              .event = event,
                              .name = (char *)(line + 1)};
    line->words = line->name + name_size;
    memcpy(line->name, name, name_size);
    memcpy(line->words, words, words_size);
    daemon->log_line_count++;
    mailbox_add(daemon->journal, &line->errand);
}

void daemon_log(struct daemon *daemon, enum daemon_event event, const char *name, const char *words)
{
    if (daemon->dropped_line_count && daemon->log_line_count < DAEMON_LOG_LINES_MAX) {
        char missing[96];

        snprintf(missing, sizeof missing, "%d lines are missing here: the log was not read",
                 daemon->dropped_line_count);
        daemon->dropped_line_count = 0;
        queue_line(daemon, DAEMON_ERROR, "log", missing);
    }
    queue_line(daemon, event, name, words);
}

void daemon_tell_error(struct daemon *daemon, const char *name, const char *words)
{
    char *line = daemon->errors[daemon->error_count++ % DAEMON_ERRORS_MAX];

    snprintf(line, DAEMON_LINE_BYTES, "%s%s%s", name, *name ? ": " : "", words);
    daemon_log(daemon, DAEMON_ERROR, name, words);
}

static void count_game(void *context, const struct table *table)
{
    (void)table;
    ++*(int *)context;
}

int daemon_playing_count(const struct daemon *daemon)
{
    int count = 0;

    for (const struct daemon_season *season = daemon->seasons; season; season = season->next)
        if (season->player)
            player_games_each(season->player, count_game, &count);
    return count;
}

/* ---- seasons ---- */

static void tell_rest(struct daemon_season *season)
{
    const struct player_report *report = &season->report;
    const char *name = season->ready->season.terms.name;
    char words[128];
    const char *why = report->step == SEASON_DECIDED  ? "its order is decided"
                      : report->step == SEASON_CLOSED ? "it was closed"
                      : report->step == -EDOM         ? "it has too few bots for a table"
                      : report->was_stopped           ? "the daemon stops"
                                                      : "its budget is spent";

    if (report->failed) {
        daemon_tell_error(season->daemon, name, report->error);
        return;
    }
    snprintf(words, sizeof words, "%s: %lld games in all, %lld in this run", why,
             (long long)report->standing.stored_count, (long long)report->played_count);
    daemon_log(season->daemon, DAEMON_SEASON_RESTS, name, words);
}

static bool is_idle(const struct daemon *daemon)
{
    return !daemon->seasons;
}

/* The player has ended: frees the season, called from the loop. */
static void take_apart(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct daemon_season *season = timer->data;
    struct daemon *daemon = season->daemon;

    (void)events;
    player_destroy(season->player);
    dealer_destroy(season->dealer);
    tell_rest(season);
    for (struct daemon_season **at = &daemon->seasons; *at; at = &(*at)->next)
        if (*at == season) {
            *at = season->next;
            break;
        }
    scout_return(daemon->scout, season->ready, season->report.failed);
    free(season);
    if (daemon->state != DAEMON_RUNNING && is_idle(daemon))
        ev_break(loop, EVBREAK_ONE);
}

/* Counts the games stored since the last look at this season. */
static void count(struct daemon_season *season, const struct player_report *report)
{
    struct daemon *daemon = season->daemon;

    season->report = *report;
    if (report->played_count == season->counted)
        return;
    daemon->game_count += report->played_count - season->counted;
    season->counted = report->played_count;
    daemon->is_stale = true;
}

/* Where others play it, what the store lacks is told here, once. */
static void season_ticks(void *owner, const struct player_report *report)
{
    struct daemon_season *season = owner;
    bool is_news = *report->error && !*season->report.error;

    count(season, report);
    if (is_news)
        daemon_tell_error(season->daemon, season->ready->season.terms.name, report->error);
}

static void season_crowded(void *owner, const char *words)
{
    struct daemon_season *season = owner;

    daemon_tell_error(season->daemon, season->ready->season.terms.name, words);
}

static void season_ended(void *owner, const struct player_report *report)
{
    struct daemon_season *season = owner;

    count(season, report);
    ev_timer_start(season->daemon->loop, &season->over);
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
        .crowded_fn = season_crowded,
        .tick_fn = season_ticks,
        .ended_fn = season_ended,
        .owner = season,
    };
    const struct dealer_options dealt = {.season = &ready->season,
                                         .owner = season,
                                         .tick_fn = season_ticks,
                                         .ended_fn = season_ended};

    if (!season) {
        scout_return(daemon->scout, ready, true);
        return;
    }
    season->daemon = daemon;
    season->ready = ready;
    ev_timer_init(&season->over, take_apart, 0., 0.);
    season->over.data = season;
    season->next = daemon->seasons;
    daemon->seasons = season;
    if (ready->is_dealt)
        season->dealer = dealer_start(daemon->loop, &dealt);
    else
        season->player = player_start(daemon->loop, &options);
    if (season->player || season->dealer) {
        daemon_log(daemon, DAEMON_SEASON_BEGUN, terms->name,
                   ready->is_dealt ? "workers play its games" : "its games are being played");
        return;
    }
    daemon_tell_error(daemon, terms->name, strerror(errno));
    daemon->seasons = season->next;
    free(season);
    scout_return(daemon->scout, ready, true);
}

static void season_is_ready(void *owner, struct scout_ready *ready)
{
    struct daemon *daemon = owner;
    bool is_left = daemon->options.job_count == 0 && !ready->is_dealt;

    if (daemon->state != DAEMON_RUNNING || is_left)
        scout_return(daemon->scout, ready, false);
    else
        play(daemon, ready);
}

/* ---- looks, the clock, the end ---- */

static void was_seen(void *owner, const struct scout_view *view)
{
    struct daemon *daemon = owner;

    if (*view->error && strcmp(view->error, daemon->view.error) != 0)
        daemon_tell_error(daemon, "", view->error);
    daemon->is_stale |= !*view->error && daemon->has_view && view->mark != daemon->shown_mark;
    daemon->is_stale |= view->is_played_elsewhere;
    if (!*view->error)
        daemon->shown_mark = view->mark;
    daemon->view = *view;
    daemon->has_view = true;
    if (daemon->state == DAEMON_RUNNING)
        daemon_children_begin(daemon);
}

static void season_is_left(void *owner, const char *season, const char *words, bool is_busy)
{
    struct daemon *daemon = owner;

    if (is_busy)
        daemon_log(daemon, DAEMON_SEASON_RESTS, season, words);
    else
        daemon_tell_error(daemon, season, words);
}

static int64_t time_of_day_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct daemon *daemon = timer->data;
    int64_t now_us = alarm_now_us();
    char line[128];
    char *status = daemon_status_json(daemon, now_us);

    (void)loop;
    (void)events;
    if (status)
        scout_write(daemon->scout, status,
                    daemon->options.metrics ? daemon_status_metrics(daemon) : NULL);
    if (!daemon->watchdog_us || now_us - daemon->watched_us < daemon->watchdog_us)
        return;
    daemon->watched_us = now_us;
    snprintf(line, sizeof line, "WATCHDOG=1\nSTATUS=%lld games played, %d under way",
             (long long)daemon->game_count, daemon_playing_count(daemon));
    notify_send(line);
}

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
    struct daemon *daemon = timer->data;

    (void)loop;
    (void)events;
    daemon->state = DAEMON_ENDING;
    interrupt_all(daemon);
}

static void signalled(struct ev_loop *loop, ev_signal *watch, int events)
{
    struct daemon *daemon = watch->data;

    (void)events;
    if (daemon->state == DAEMON_RUNNING) {
        daemon->state = DAEMON_DRAINING;
        notify_send("STOPPING=1");
        daemon_log(daemon, DAEMON_STOPPING, "", "games under way are being finished");
        daemon_children_end(daemon);
        interrupt_all(daemon);
        ev_timer_start(loop, &daemon->drain);
    } else {
        drained(loop, &daemon->drain, 0);
    }
    if (is_idle(daemon))
        ev_break(loop, EVBREAK_ONE);
}

/* Returns the processor time of this thread, which other load on the machine does not increase. */
static int64_t processor_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static void going_to_sleep(struct ev_loop *loop, ev_prepare *watch, int events)
{
    struct daemon *daemon = watch->data;
    int64_t hold_us = alarm_now_us() - daemon->woke_us, busy_us;

    (void)loop;
    (void)events;
    if (!daemon->woke_us || hold_us <= daemon->longest_busy_us)
        return;
    if (hold_us > daemon->longest_hold_us)
        daemon->longest_hold_us = hold_us;
    busy_us = processor_us() - daemon->woke_processor_us;
    if (busy_us > daemon->longest_busy_us)
        daemon->longest_busy_us = busy_us;
}

static void woken(struct ev_loop *loop, ev_check *watch, int events)
{
    struct daemon *daemon = watch->data;

    (void)loop;
    (void)events;
    daemon->woke_us = alarm_now_us();
    daemon->woke_processor_us = processor_us();
}

static void start_watchers(struct daemon *daemon)
{
    ev_signal_init(&daemon->interrupt, signalled, SIGINT);
    ev_signal_init(&daemon->terminate, signalled, SIGTERM);
    ev_timer_init(&daemon->tick, tick, 0.1, 1.0);
    ev_timer_init(&daemon->drain, drained, (double)daemon->options.drain_s, 0.);
    ev_prepare_init(&daemon->going_to_sleep, going_to_sleep);
    ev_check_init(&daemon->woken, woken);
    ev_set_priority(&daemon->woken, EV_MAXPRI);
    ev_set_priority(&daemon->going_to_sleep, EV_MINPRI);
    daemon->interrupt.data = daemon->terminate.data = daemon->tick.data = daemon->drain.data =
        daemon->going_to_sleep.data = daemon->woken.data = daemon;
    ev_signal_start(daemon->loop, &daemon->interrupt);
    ev_signal_start(daemon->loop, &daemon->terminate);
    ev_timer_start(daemon->loop, &daemon->tick);
    ev_prepare_start(daemon->loop, &daemon->going_to_sleep);
    ev_check_start(daemon->loop, &daemon->woken);
}

static void finish(struct daemon *daemon)
{
    char *status;

    daemon_children_end(daemon);
    status = daemon_status_json(daemon, alarm_now_us());
    if (status)
        scout_write(daemon->scout, status, NULL);
    scout_destroy(daemon->scout);
    mailbox_destroy(daemon->errands);
}

/* Makes what it consists of, and the first status: whoever asks from READY on is told. 0 or -errno.
 */
static int assemble(struct daemon *daemon, const struct scout_options *of_scout)
{
    char *status;
    int error;

    /* Not the default loop: that one reaps every child of the process. */
    daemon->loop = ev_loop_new(EVFLAG_AUTO);
    if (!daemon->loop)
        return -ENOMEM;
    error = mailbox_create(&daemon->journal, daemon->loop, NULL);
    if (!error && !(daemon->scout = scout_create(daemon->loop, of_scout)))
        error = -errno;
    if (error) {
        mailbox_destroy(daemon->journal);
        ev_loop_destroy(daemon->loop);
        return error;
    }
    status = daemon_status_json(daemon, alarm_now_us());
    if (status)
        scout_write_first(daemon->scout, status);
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
                                     .ready_fn = season_is_ready,
                                     .trouble_fn = season_is_left};
    sigset_t before;
    int error;

    if (!daemon)
        return -ENOMEM;
    daemon->options = *options;
    daemon->transport = transport_of_sandbox(options->sandbox);
    daemon->jobs.count = options->job_count ? options->job_count : 1;
    daemon->since_us = time_of_day_us();
    daemon->began_us = alarm_now_us();
    daemon->is_stale = true;
    daemon->watchdog_us = notify_watchdog_us();
    error = assemble(daemon, &of_scout);
    if (error) {
        free(daemon);
        return error;
    }
    start_watchers(daemon);
    stop_hand_over(&before);
    daemon_log(daemon, DAEMON_STARTED, "", "playing the open seasons");
    notify_send("READY=1\nSTATUS=running");
    ev_run(daemon->loop, 0);
    stop_take_back(&before);
    finish(daemon);
    daemon_log(daemon, DAEMON_STOPPED, "", "every game that was played is stored");
    mailbox_limit(daemon->journal, 0, DAEMON_LOG_END_MS);
    if (!mailbox_destroy(daemon->journal))
        return DAEMON_LOG_IS_STUCK; /* the thread still uses the daemon */
    ev_loop_destroy(daemon->loop);
    free(daemon);
    return 0;
}
