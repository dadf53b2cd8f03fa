#include "arena/play/errands.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

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
    bool ends;
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

static void *work(void *argument)
{
    struct errands *errands = argument;
    struct errand *errand;

    pthread_mutex_lock(&errands->mutex);
    while ((errand = wait_for_errand(errands))) {
        pthread_mutex_unlock(&errands->mutex);
        errand->run_fn(errand);
        pthread_mutex_lock(&errands->mutex);
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

/* Returns the next errand that was run, or NULL; waits for it if `waits`. */
static struct errand *take_ended(struct errands *errands, bool waits)
{
    struct errand *errand;

    pthread_mutex_lock(&errands->mutex);
    while (!(errand = queue_take(&errands->ended)) && waits)
        pthread_cond_wait(&errands->settled, &errands->mutex);
    pthread_mutex_unlock(&errands->mutex);
    return errand;
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
    while (errands->count > 0)
        settle(errands, take_ended(errands, true));
    pthread_mutex_lock(&errands->mutex);
    errands->ends = true;
    pthread_cond_signal(&errands->due);
    pthread_mutex_unlock(&errands->mutex);
    pthread_join(errands->thread, NULL);
    ev_async_stop(errands->loop, &errands->done);
    pthread_cond_destroy(&errands->settled);
    pthread_cond_destroy(&errands->due);
    pthread_mutex_destroy(&errands->mutex);
    free(errands);
}

void errands_add(struct errands *errands, struct errand *errand)
{
    errands->count++;
    pthread_mutex_lock(&errands->mutex);
    queue_add(&errands->waiting, errand);
    pthread_mutex_unlock(&errands->mutex);
    pthread_cond_signal(&errands->due);
}

bool errands_are_under_way(const struct errands *errands)
{
    return errands->count > 0;
}
