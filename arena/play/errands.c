#include "arena/play/errands.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "arena/play/alarm.h"

struct queue {
    struct errand *first, **end;
};

struct errands {
    struct ev_loop *loop;
    void (*idle_fn)(void *owner);
    void *owner;
    int count; /* not settled yet; used on the loop only */
    ev_async done;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t due;     /* signals a new errand, or the end */
    pthread_cond_t settled; /* signals that an errand was run */
    struct queue waiting, ended;
    bool ends;    /* the loop's side is gone, or waits for the thread's end */
    bool lost;    /* the loop has given the thread up, which may use nothing but this */
    bool is_back; /* lost, the thread came back: of it and errands_destroy the last frees this */

    /* The watch over an errand that does not end. */
    _Atomic int64_t begun_us; /* when the thread took its errand; 0: it has none */
    void (*slow_fn)(void *owner, bool lost);
    int64_t slow_us, lost_us; /* how long an errand may take, and then still */
    int64_t told_us;          /* when slow_fn was first told of the present one; 0: not yet */
    ev_timer look;
};

static void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_add(struct queue *queue, struct errand *errand)
{
    errand->next = NULL;
    *queue->end = errand;
    queue->end = &errand->next;
}

static struct errand *queue_take(struct queue *queue)
{
    struct errand *errand = queue->first;

    if (errand && !(queue->first = errand->next))
        queue->end = &queue->first;
    return errand;
}

/* ---- in the thread ---- */

/* Waits for the next errand; NULL when no more will come. The mutex is held. */
static struct errand *wait_for_errand(struct errands *errands)
{
    struct errand *errand;

    while (!(errand = queue_take(&errands->waiting)) && !errands->ends)
        pthread_cond_wait(&errands->due, &errands->mutex);
    return errand;
}

static void destroy(struct errands *errands)
{
    pthread_cond_destroy(&errands->settled);
    pthread_cond_destroy(&errands->due);
    pthread_mutex_destroy(&errands->mutex);
    free(errands);
}

/* The loop has given this thread up. The mutex is held, and released. */
static void end_lost(struct errands *errands)
{
    bool is_last = errands->ends;

    errands->is_back = true;
    pthread_mutex_unlock(&errands->mutex);
    if (is_last)
        destroy(errands);
}

static void *work(void *argument)
{
    struct errands *errands = argument;
    struct errand *errand;

    pthread_mutex_lock(&errands->mutex);
    while ((errand = wait_for_errand(errands))) {
        pthread_mutex_unlock(&errands->mutex);
        atomic_store(&errands->begun_us, alarm_now_us());
        errand->run_fn(errand);
        atomic_store(&errands->begun_us, 0);
        pthread_mutex_lock(&errands->mutex);
        if (errands->lost) {
            end_lost(errands);
            return NULL;
        }
        queue_add(&errands->ended, errand);
        pthread_mutex_unlock(&errands->mutex); /* first, because a woken thread needs the mutex */
        pthread_cond_signal(&errands->settled);
        ev_async_send(errands->loop, &errands->done);
        pthread_mutex_lock(&errands->mutex);
    }
    pthread_mutex_unlock(&errands->mutex);
    return NULL;
}

/* ---- on the loop ---- */

/* Returns the next errand that was run, or NULL; waits for it for a while if `waits`. */
static struct errand *take_ended(struct errands *errands, bool waits)
{
    struct timespec until;
    struct errand *errand;

    if (waits) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += ERRANDS_LOOK_MS / 1000;
    }
    pthread_mutex_lock(&errands->mutex);
    while (!(errand = queue_take(&errands->ended)) && waits)
        if (pthread_cond_clockwait(&errands->settled, &errands->mutex, CLOCK_MONOTONIC, &until) !=
            0)
            break;
    pthread_mutex_unlock(&errands->mutex);
    return errand;
}

static void give_up(struct errands *errands)
{
    pthread_mutex_lock(&errands->mutex);
    errands->lost = true;
    pthread_mutex_unlock(&errands->mutex);
    errands->count = 0;
    ev_timer_stop(errands->loop, &errands->look);
}

/* Tells an errand that takes too long. */
static void look_at_errand(struct errands *errands)
{
    int64_t now_us = alarm_now_us(), begun_us = atomic_load(&errands->begun_us);

    if (!errands->slow_fn || begun_us == 0 || now_us - begun_us < errands->slow_us) {
        errands->told_us = 0;
        return;
    }
    if (!errands->told_us)
        errands->told_us = now_us;
    if (now_us - errands->told_us >= errands->lost_us)
        give_up(errands);
    errands->slow_fn(errands->owner, errands->lost);
}

static void look(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct errands *errands = timer->data;

    if (errands->count == 0)
        ev_timer_stop(loop, timer);
    else
        look_at_errand(errands);
}

static void settle(struct errands *errands, struct errand *errand)
{
    errands->count--;
    errand->done_fn(errand);
}

static void tell(struct ev_loop *loop, ev_async *watch, int events)
{
    struct errands *errands = watch->data;
    struct errand *errand = take_ended(errands, false);

    if (!errand)
        return;
    settle(errands, errand);
    /* One at a time, so that other watchers of the loop can run in between. */
    ev_async_send(loop, watch);
    if (errands->count == 0 && errands->idle_fn)
        errands->idle_fn(errands->owner);
}

static int start_thread(struct errands *errands)
{
    sigset_t all, before;
    int error;

    sigfillset(&all); /* the main thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&errands->thread, NULL, work, errands);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct errands *errands_create(struct ev_loop *loop, void (*idle_fn)(void *owner), void *owner)
{
    struct errands *errands = calloc(1, sizeof *errands);
    int error;

    if (!errands)
        return NULL;
    errands->loop = loop;
    errands->idle_fn = idle_fn;
    errands->owner = owner;
    pthread_mutex_init(&errands->mutex, NULL);
    pthread_cond_init(&errands->due, NULL);
    pthread_cond_init(&errands->settled, NULL);
    queue_init(&errands->waiting);
    queue_init(&errands->ended);
    ev_async_init(&errands->done, tell);
    errands->done.data = errands;
    ev_timer_init(&errands->look, look, ERRANDS_LOOK_MS / 1000., ERRANDS_LOOK_MS / 1000.);
    errands->look.data = errands;
    ev_async_start(loop, &errands->done);
    error = start_thread(errands);
    if (!error)
        return errands;
    ev_async_stop(loop, &errands->done);
    pthread_cond_destroy(&errands->settled);
    pthread_cond_destroy(&errands->due);
    pthread_mutex_destroy(&errands->mutex);
    free(errands);
    errno = error;
    return NULL;
}

void errands_destroy(struct errands *errands)
{
    if (!errands)
        return;
    while (errands->count > 0) {
        struct errand *errand = take_ended(errands, true);

        if (errand)
            settle(errands, errand);
        else
            look_at_errand(errands);
    }
    ev_timer_stop(errands->loop, &errands->look);
    ev_async_stop(errands->loop, &errands->done);
    pthread_mutex_lock(&errands->mutex);
    errands->ends = true;
    if (errands->lost && !errands->is_back) {
        pthread_detach(errands->thread);
        pthread_mutex_unlock(&errands->mutex);
        return;
    }
    pthread_cond_signal(&errands->due);
    pthread_mutex_unlock(&errands->mutex);
    pthread_join(errands->thread, NULL);
    destroy(errands);
}

void errands_watch(struct errands *errands, int slow_ms, int lost_ms,
                   void (*slow_fn)(void *owner, bool lost))
{
    errands->slow_fn = slow_fn;
    errands->slow_us = (int64_t)slow_ms * 1000;
    errands->lost_us = (int64_t)lost_ms * 1000;
}

void errands_hurry(struct errands *errands, int slow_ms)
{
    errands->slow_us = (int64_t)slow_ms * 1000;
}

void errands_add(struct errands *errands, struct errand *errand)
{
    if (errands->lost)
        return; /* nobody will run it */
    if (errands->count++ == 0 && errands->slow_fn)
        ev_timer_again(errands->loop, &errands->look);
    pthread_mutex_lock(&errands->mutex);
    queue_add(&errands->waiting, errand);
    pthread_mutex_unlock(&errands->mutex);
    pthread_cond_signal(&errands->due);
}

bool errands_are_under_way(const struct errands *errands)
{
    return errands->count > 0;
}
