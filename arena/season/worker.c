#include "arena/season/worker.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PRUNE_EVERY = 32, /* stored games between prunings of replays */
};

enum job_kind {
    JOB_ASK = 0,
    JOB_RETURN = 1,
    JOB_STORE = 2,
    JOB_LOOK = 3,
};

/* A job for the thread; it comes back with its result. */
struct job {
    struct job *next;
    enum job_kind kind;
    struct worker_game told;    /* ASK: result; RETURN: its game */
    struct game_result *result; /* STORE: owned */
    struct season_game *games;  /* LOOK: owned; running games; in the result, those given up */
    size_t game_count;
    bool is_open; /* LOOK */
    int outcome;  /* ASK: result of season_next; STORE: 0 or -errno; LOOK: result of season_look */
    char failure[WORKER_FAILURE_BYTES];
    struct worker_standing standing;
};

struct queue {
    struct job *first;
    struct job **end;
};

struct worker {
    struct worker_options options;
    struct ev_loop *loop;
    ev_async done;
    pthread_t thread;
    struct worker_standing standing; /* used by the loop */

    /* Used by the thread. */
    struct leaders leaders;
    int rated_batch_count; /* batches that were rated when the leaders were computed */
    int unpruned_count;    /* games stored since replays were pruned */

    pthread_mutex_t mutex; /* protects the fields below */
    pthread_cond_t due;
    struct queue questions; /* handled before results: a free slot waits for them */
    struct queue results;
    struct queue answers;
    bool ends;
    atomic_bool is_over;           /* the thread has finished */
    void (*ended_fn)(void *owner); /* used by the loop; NULL: worker_end was not called */
};

static void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_add(struct queue *queue, struct job *job)
{
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

static struct job *queue_take(struct queue *queue)
{
    struct job *job = queue->first;

    if (job && !(queue->first = job->next))
        queue->end = &queue->first;
    return job;
}

static void destroy_job(struct job *job)
{
    result_destroy(job->result);
    free(job->games);
    free(job);
}

/* ---- in the thread ---- */

static void ask(struct worker *worker, struct job *job)
{
    struct season *season = worker->options.season;

    job->outcome = season_next(season, &job->told.game);
    if (job->outcome == SEASON_GAME)
        for (int seat = 0; seat < job->told.game.player_count; seat++)
            job->told.bots[seat] = season->roster.members[job->told.game.entries[seat]].bot;
    if (!worker->options.finds_leaders ||
        season->schedule.rated_batch_count == worker->rated_batch_count)
        return;
    worker->rated_batch_count = season->schedule.rated_batch_count;
    leaders_find(&worker->leaders, season);
}

static void store(struct worker *worker, struct job *job)
{
    struct game_result *result = job->result;

    job->outcome =
        season_record(worker->options.season, &result->game, result->replay, result->replay_bytes);
    if (job->outcome < 0) /* not stored, so not played: the next run gets it again */
        season_return(worker->options.season, &result->played);
    else
        worker->unpruned_count++;
}

/*
 * Removes replays. Those that cannot be removed now, for example because the disk is full, are left
 * for a later call or `arena prune`.
 */
static void prune(struct worker *worker, bool all)
{
    worker->unpruned_count = 0;
    while (season_prune(worker->options.season) > 0 && all)
        ;
}

static int64_t time_of_day_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void look(struct worker *worker, struct job *job)
{
    bool given_up[WORKER_LOOK_MAX];
    size_t count = 0;

    job->outcome = season_look(worker->options.season, time_of_day_us(), job->games,
                               job->game_count, given_up);
    for (size_t i = 0; i < job->game_count; i++)
        if (given_up[i])
            job->games[count++] = job->games[i];
    job->game_count = count;
    job->is_open = season_is_open(worker->options.season);
}

static void fill_standing(const struct worker *worker, struct worker_standing *standing)
{
    const struct season *season = worker->options.season;

    standing->stored_count = season->schedule.played_count;
    standing->budget_games = season_game_budget(season);
    standing->leaders = worker->leaders;
}

static void run_job(struct worker *worker, struct job *job)
{
    switch (job->kind) {
    case JOB_ASK:
        ask(worker, job);
        break;
    case JOB_RETURN:
        season_return(worker->options.season, &job->told.game);
        break;
    case JOB_STORE:
        store(worker, job);
        break;
    case JOB_LOOK:
        look(worker, job);
        break;
    }
    if (job->outcome < 0)
        snprintf(job->failure, sizeof job->failure, "%s",
                 job->outcome == -ENOMEM ? "out of memory"
                                         : store_failure(worker->options.season->store));
    fill_standing(worker, &job->standing);
}

/* Waits for the next job; NULL when no more will come. The mutex is held. */
static struct job *wait_for_job(struct worker *worker)
{
    for (;;) {
        struct job *job = queue_take(&worker->questions);

        if (!job)
            job = queue_take(&worker->results);
        if (job || worker->ends)
            return job;
        pthread_cond_wait(&worker->due, &worker->mutex);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct job *job;
    bool prunes;

    pthread_mutex_lock(&worker->mutex);
    while ((job = wait_for_job(worker))) {
        pthread_mutex_unlock(&worker->mutex);
        run_job(worker, job);
        pthread_mutex_lock(&worker->mutex);
        queue_add(&worker->answers, job);
        prunes = worker->unpruned_count >= PRUNE_EVERY && !worker->questions.first;
        pthread_mutex_unlock(&worker->mutex); /* first, because the woken loop needs the mutex */
        ev_async_send(worker->loop, &worker->done);
        if (prunes)
            prune(worker, false);
        pthread_mutex_lock(&worker->mutex);
    }
    pthread_mutex_unlock(&worker->mutex);
    prune(worker, true);
    atomic_store(&worker->is_over, true);
    ev_async_send(worker->loop, &worker->done);
    return NULL;
}

/* ---- on the loop ---- */

static struct job *take_answer(struct worker *worker)
{
    struct job *job;

    pthread_mutex_lock(&worker->mutex);
    job = queue_take(&worker->answers);
    pthread_mutex_unlock(&worker->mutex);
    return job;
}

static void tell_view(const struct worker *worker, const struct job *job)
{
    const struct worker_view view = {.changed = job->outcome > 0,
                                     .is_open = job->is_open,
                                     .void_games = job->games,
                                     .void_count = job->game_count};

    worker->options.looked_fn(worker->options.owner, job->outcome < 0 ? NULL : &view, job->failure);
}

static void tell(struct ev_loop *loop, ev_async *watch, int events)
{
    struct worker *worker = watch->data;
    struct job *job;

    while ((job = take_answer(worker))) {
        const struct worker_options *options = &worker->options;

        worker->standing = job->standing;
        if (worker->ended_fn)
            ; /* nobody waits for the answer any more */
        else if (job->kind == JOB_ASK)
            options->told_fn(options->owner, job->outcome, &job->told, job->failure);
        else if (job->kind == JOB_STORE)
            options->stored_fn(options->owner, job->result, job->outcome, job->failure);
        else if (job->kind == JOB_LOOK)
            tell_view(worker, job);
        destroy_job(job);
    }
    if (worker->ended_fn && atomic_load(&worker->is_over))
        worker->ended_fn(worker->options.owner); /* may destroy the worker */
}

static int start_thread(struct worker *worker)
{
    sigset_t all, before;
    int error;

    sigfillset(&all); /* the main thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct worker *worker_create(struct ev_loop *loop, const struct worker_options *options)
{
    struct worker *worker = calloc(1, sizeof *worker);
    int error;

    if (!worker)
        return NULL;
    worker->options = *options;
    worker->loop = loop;
    worker->rated_batch_count = -1;
    fill_standing(worker, &worker->standing);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->due, NULL);
    queue_init(&worker->questions);
    queue_init(&worker->results);
    queue_init(&worker->answers);
    ev_async_init(&worker->done, tell);
    worker->done.data = worker;
    ev_async_start(loop, &worker->done);
    error = start_thread(worker);
    if (!error)
        return worker;
    ev_async_stop(loop, &worker->done);
    pthread_cond_destroy(&worker->due);
    pthread_mutex_destroy(&worker->mutex);
    free(worker);
    errno = error;
    return NULL;
}

static void send_end(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    worker->ends = true;
    pthread_mutex_unlock(&worker->mutex);
    pthread_cond_signal(&worker->due);
}

void worker_end(struct worker *worker, void (*ended_fn)(void *owner))
{
    worker->ended_fn = ended_fn;
    send_end(worker);
}

void worker_destroy(struct worker *worker)
{
    struct job *job;

    if (!worker)
        return;
    send_end(worker);
    pthread_join(worker->thread, NULL);
    ev_async_stop(worker->loop, &worker->done);
    while ((job = queue_take(&worker->answers)))
        destroy_job(job);
    pthread_cond_destroy(&worker->due);
    pthread_mutex_destroy(&worker->mutex);
    free(worker);
}

/* Passes a job to the thread. */
static void send(struct worker *worker, struct job *job)
{
    pthread_mutex_lock(&worker->mutex);
    queue_add(job->kind == JOB_STORE ? &worker->results : &worker->questions, job);
    pthread_mutex_unlock(&worker->mutex);
    pthread_cond_signal(&worker->due);
}

static struct job *make_job(enum job_kind kind)
{
    struct job *job = calloc(1, sizeof *job);

    if (job)
        job->kind = kind;
    return job;
}

int worker_ask(struct worker *worker)
{
    struct job *job = make_job(JOB_ASK);

    if (!job)
        return -ENOMEM;
    send(worker, job);
    return 0;
}

int worker_look(struct worker *worker, const struct season_game *games, size_t count)
{
    struct job *job = make_job(JOB_LOOK);

    if (job)
        job->games = malloc((count + 1) * sizeof *job->games);
    if (!job || !job->games) {
        free(job);
        return -ENOMEM;
    }
    assert(count <= WORKER_LOOK_MAX);
    memcpy(job->games, games, count * sizeof *games);
    job->game_count = count;
    send(worker, job);
    return 0;
}

int worker_return(struct worker *worker, const struct season_game *game)
{
    struct job *job = make_job(JOB_RETURN);

    if (!job)
        return -ENOMEM;
    job->told.game = *game;
    send(worker, job);
    return 0;
}

int worker_store(struct worker *worker, struct game_result *result)
{
    struct job *job = make_job(JOB_STORE);

    if (!job) {
        result_destroy(result);
        return -ENOMEM;
    }
    job->result = result;
    send(worker, job);
    return 0;
}

const struct worker_standing *worker_standing(const struct worker *worker)
{
    return &worker->standing;
}
