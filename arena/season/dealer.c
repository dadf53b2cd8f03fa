#include "arena/season/dealer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/store/leases.h"

enum {
    LOOK_MS = 500,       /* between looks at the store, without a notification */
    LOST_LOOK_MS = 2000, /* while the store does not answer */
    PRUNE_EVERY = 32,    /* games */
};

struct dealer {
    struct dealer_options options;
    struct ev_loop *loop;
    ev_async told;
    pthread_t thread;
    int wake_fd;
    int listen_fd;     /* used by the thread; -1: none */
    int64_t pruned_at; /* used by the thread: stored games at the last pruning */
    bool has_ended_fn_run;

    pthread_mutex_t mutex; /* protects the fields below */
    struct player_report report;
    bool ends, has_ended;
};

/* ---- in the thread ---- */

/* Stores the result of a look for the loop. Returns true if it was the last look. */
static bool tell(struct dealer *dealer, int step, int64_t begun_with)
{
    const struct season *season = dealer->options.season;
    struct player_report *report = &dealer->report;
    bool waits_for_store = store_error_passes(step);
    bool is_last = step != SEASON_WAIT && !waits_for_store;

    pthread_mutex_lock(&dealer->mutex);
    report->step = waits_for_store ? SEASON_WAIT : step;
    snprintf(report->error, sizeof report->error, "%s",
             waits_for_store ? store_failure(season->store) : "");
    report->standing.stored_count = season->schedule.played_count;
    report->standing.budget_games = season_game_budget(season);
    report->played_count = season->schedule.played_count - begun_with;
    if (is_last && step < 0 && step != -EDOM) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "%s",
                 step == -ENOMEM ? "out of memory" : store_failure(season->store));
    }
    report->was_stopped = dealer->ends;
    is_last = is_last || dealer->ends;
    dealer->has_ended = is_last;
    pthread_mutex_unlock(&dealer->mutex);
    ev_async_send(dealer->loop, &dealer->told);
    return is_last;
}

/* Removes some of the replays that the season does not keep. */
static void prune(struct dealer *dealer, int step)
{
    struct season *season = dealer->options.season;

    if (step < 0 ||
        (step == SEASON_WAIT && season->schedule.played_count - dealer->pruned_at < PRUNE_EVERY))
        return;
    dealer->pruned_at = season->schedule.played_count;
    while (season_prune(season) > 0 && step != SEASON_WAIT)
        ;
}

/*
 * Sleeps until the next look, a notification or the end. The looks of several seasons are spread in
 * time.
 */
static void rest(struct dealer *dealer, int step)
{
    struct store *store = dealer->options.season->store;
    struct pollfd watched[2] = {{.fd = dealer->wake_fd, .events = POLLIN}, {.events = POLLIN}};
    int wait_ms = step < 0 ? (int)LOST_LOOK_MS : (int)LOOK_MS;

    if (step < 0)
        dealer->listen_fd = -1;
    else if (dealer->listen_fd < 0)
        dealer->listen_fd = store_listen(store, STORE_CHANNEL_RESULTS);
    if (dealer->listen_fd >= 0) {
        int heard = store_heard(store); /* it may have come during the look */

        if (heard < 0)
            dealer->listen_fd = -1;
        if (heard != 0)
            return;
    }
    watched[1].fd = dealer->listen_fd;
    poll(watched, dealer->listen_fd >= 0 ? 2 : 1,
         wait_ms / 2 + (int)(alarm_now_us() / 7 % (wait_ms / 2)));
}

static void *run(void *context)
{
    struct dealer *dealer = context;
    int64_t begun_with = dealer->options.season->schedule.played_count;

    for (;;) {
        int step = season_deal(dealer->options.season);

        prune(dealer, step);
        if (tell(dealer, step, begun_with))
            return NULL;
        rest(dealer, step);
    }
}

/* ---- on the loop ---- */

static void told(struct ev_loop *loop, ev_async *watch, int events)
{
    struct dealer *dealer = watch->data;
    struct player_report report;
    bool has_ended;

    pthread_mutex_lock(&dealer->mutex);
    report = dealer->report;
    has_ended = dealer->has_ended;
    pthread_mutex_unlock(&dealer->mutex);
    if (dealer->has_ended_fn_run)
        return;
    dealer->has_ended_fn_run = has_ended;
    (has_ended ? dealer->options.ended_fn : dealer->options.tick_fn)(dealer->options.owner,
                                                                     &report);
}

struct dealer *dealer_start(struct ev_loop *loop, const struct dealer_options *options)
{
    struct dealer *dealer = calloc(1, sizeof *dealer);
    sigset_t all, before;
    int error;

    if (!dealer)
        return NULL;
    dealer->options = *options;
    dealer->loop = loop;
    dealer->listen_fd = -1;
    dealer->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    error = dealer->wake_fd < 0 ? errno : 0;
    pthread_mutex_init(&dealer->mutex, NULL);
    ev_async_init(&dealer->told, told);
    dealer->told.data = dealer;
    ev_async_start(loop, &dealer->told);
    sigfillset(&all); /* the loop's thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!error)
        error = pthread_create(&dealer->thread, NULL, run, dealer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        return dealer;
    ev_async_stop(loop, &dealer->told);
    pthread_mutex_destroy(&dealer->mutex);
    if (dealer->wake_fd >= 0)
        close(dealer->wake_fd);
    free(dealer);
    errno = error;
    return NULL;
}

void dealer_interrupt(struct dealer *dealer)
{
    uint64_t one = 1;

    pthread_mutex_lock(&dealer->mutex);
    dealer->ends = true;
    pthread_mutex_unlock(&dealer->mutex);
    if (write(dealer->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        abort();
}

void dealer_destroy(struct dealer *dealer)
{
    if (!dealer)
        return;
    dealer_interrupt(dealer);
    pthread_join(dealer->thread, NULL);
    ev_async_stop(dealer->loop, &dealer->told);
    pthread_mutex_destroy(&dealer->mutex);
    close(dealer->wake_fd);
    free(dealer);
}
