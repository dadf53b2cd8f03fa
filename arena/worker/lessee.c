#include "arena/worker/lessee.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/worker/lessee_state.h"

static struct job *take_job(struct lessee *lessee)
{
    struct job *job;

    pthread_mutex_lock(&lessee->mutex);
    job = job_queue_take(&lessee->jobs);
    pthread_mutex_unlock(&lessee->mutex);
    return job;
}

/* Returns whether to give up: after the deadline of JOB_END nothing else is waited for. */
static bool give_up(struct lessee *lessee)
{
    struct job *last;
    bool is_late;

    pthread_mutex_lock(&lessee->mutex);
    last = job_queue_find(&lessee->jobs, JOB_END);
    is_late = last && alarm_now_us() >= last->deadline_us;
    while (is_late && lessee->jobs.first != last) {
        struct job *job = job_queue_take(&lessee->jobs);

        last->outcome = job->kind == JOB_STORE ? -ETIMEDOUT : last->outcome;
        job_destroy(job);
    }
    if (is_late)
        job_queue_take(&lessee->jobs);
    pthread_mutex_unlock(&lessee->mutex);
    if (!is_late)
        return false;
    last->flag = last->outcome == 0;
    lessee_answer(lessee, last);
    return true;
}

static void do_job(struct lessee *lessee, struct job *job)
{
    int error = lessee_run_job(lessee, job);

    if (lessee_must_wait(lessee, job->kind, error)) {
        pthread_mutex_lock(&lessee->mutex);
        job_queue_put_back(&lessee->jobs, job);
        pthread_mutex_unlock(&lessee->mutex);
        return;
    }
    job->outcome = error;
    if (error)
        snprintf(job->words, sizeof job->words, "%s", lessee_failure(lessee, error));
    job->flag = job->flag || job->kind == JOB_END;
    lessee_answer(lessee, job);
}

/* ---- the thread ---- */

static void listen_again(struct lessee *lessee)
{
    struct job *job;

    if (!lessee->options.listens || lessee->listen_fd >= 0 || lessee->is_down)
        return;
    lessee->listen_fd = store_listen(lessee->options.store, STORE_CHANNEL_WORK);
    if (lessee->listen_fd == -ENOTSUP)
        lessee->options.listens = false;
    /* Earlier notifications were missed. */
    if (lessee->listen_fd >= 0 && (job = job_create(JOB_WORK)))
        lessee_answer(lessee, job);
}

/* There may be work; or a season closes, which a renewal tells of. */
static void hear(struct lessee *lessee)
{
    int heard = store_heard(lessee->options.store);
    struct job *job;

    if (heard > 0 && (job = job_create(JOB_WORK)))
        lessee_answer(lessee, job);
    if (heard > 0 && lessee->held_count > 0)
        lessee->renewal_us = alarm_now_us();
    if (heard < 0)
        lessee->listen_fd = -1;
}

/* Waits for a job, a notification, or the time of the next action. */
static void wait(struct lessee *lessee, bool has_job)
{
    struct pollfd watched[2] = {{.fd = lessee->wake_fd, .events = POLLIN}, {.events = POLLIN}};
    int64_t until_us, now_us = alarm_now_us();
    uint64_t count;

    if (lessee->listen_fd >= 0)
        hear(lessee); /* what came during another call; the descriptor may be gone */
    watched[1].fd = lessee->listen_fd;
    until_us = lessee->renewal_us;
    if (lessee->is_down && (has_job || lessee->retry_us < until_us || until_us < now_us))
        until_us = lessee->retry_us;
    if (until_us <= now_us)
        return;
    poll(watched, lessee->listen_fd >= 0 ? 2 : 1, (int)((until_us - now_us) / 1000) + 1);
    if (read(lessee->wake_fd, &count, sizeof count) < 0 && errno != EAGAIN)
        return;
    if (lessee->listen_fd >= 0 && watched[1].revents)
        hear(lessee);
}

static bool is_ending(struct lessee *lessee, bool *has_job)
{
    bool ends;

    pthread_mutex_lock(&lessee->mutex);
    ends = lessee->ends;
    *has_job = lessee->jobs.first != NULL;
    pthread_mutex_unlock(&lessee->mutex);
    return ends;
}

static void *run(void *context)
{
    struct lessee *lessee = context;
    bool has_job;

    while (!is_ending(lessee, &has_job)) {
        int64_t now_us = alarm_now_us();

        if (give_up(lessee))
            continue;
        if (lessee->is_down && now_us < lessee->retry_us)
            wait(lessee, has_job);
        else if (now_us >= lessee->renewal_us || (lessee->is_down && !has_job))
            lessee_renew(lessee);
        else if (has_job)
            do_job(lessee, take_job(lessee));
        else
            wait(lessee, false);
        listen_again(lessee);
    }
    return NULL;
}

/* ---- on the loop ---- */

static void tell(const struct lessee_options *options, const struct job *job)
{
    void *owner = options->owner;

    switch (job->kind) {
    case JOB_CLAIM:
        options->claimed_fn(owner, job->leases, job->outcome ? job->outcome : job->count,
                            job->words);
        break;
    case JOB_FETCH:
        options->fetched_fn(owner, job->bot.id,
                            job->outcome ? LESSEE_UNFETCHED : (enum lessee_fetch)job->count,
                            job->words);
        break;
    case JOB_STORE:
        options->stored_fn(owner, job->result, &job->lease, job->outcome, job->words);
        break;
    case JOB_RELEASE:
        break;
    case JOB_END:
        options->ended_fn(owner, job->flag && job->outcome == 0);
        break;
    case JOB_LEASE:
        options->lease_fn(owner, &job->renewal, job->flag);
        break;
    case JOB_FAULT:
        options->fault_fn(owner, job->words);
        break;
    case JOB_RENEWAL:
        break;
    case JOB_LINK:
        options->link_fn(owner, job->flag, job->words);
        break;
    case JOB_WORK:
        options->work_fn(owner);
        break;
    }
}

static void told(struct ev_loop *loop, ev_async *watch, int events)
{
    struct lessee *lessee = watch->data;
    struct job_queue answers;
    struct job *job;

    pthread_mutex_lock(&lessee->mutex);
    answers = lessee->answers;
    if (!answers.first)
        answers.end = &answers.first;
    job_queue_init(&lessee->answers);
    pthread_mutex_unlock(&lessee->mutex);
    while ((job = job_queue_take(&answers))) {
        tell(&lessee->options, job);
        job_destroy(job);
    }
}

static int start_thread(struct lessee *lessee)
{
    sigset_t all, before;
    int error;

    sigfillset(&all); /* the main thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&lessee->thread, NULL, run, lessee);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct lessee *lessee_create(struct ev_loop *loop, const struct lessee_options *options)
{
    struct lessee *lessee = calloc(1, sizeof *lessee);
    int error;

    if (!lessee)
        return NULL;
    lessee->options = *options;
    lessee->loop = loop;
    lessee->listen_fd = -1;
    lessee->renewal_us = alarm_now_us() + options->lease_us / 3;
    lessee->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    error = lessee->wake_fd < 0 ? errno : 0;
    pthread_mutex_init(&lessee->mutex, NULL);
    job_queue_init(&lessee->jobs);
    job_queue_init(&lessee->answers);
    ev_async_init(&lessee->told, told);
    lessee->told.data = lessee;
    ev_async_start(loop, &lessee->told);
    if (!error)
        error = start_thread(lessee);
    if (!error)
        return lessee;
    ev_async_stop(loop, &lessee->told);
    pthread_mutex_destroy(&lessee->mutex);
    if (lessee->wake_fd >= 0)
        close(lessee->wake_fd);
    free(lessee);
    errno = error;
    return NULL;
}

static void wake(struct lessee *lessee)
{
    uint64_t one = 1;

    if (write(lessee->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        abort();
}

void lessee_destroy(struct lessee *lessee)
{
    struct job *job;

    if (!lessee)
        return;
    pthread_mutex_lock(&lessee->mutex);
    lessee->ends = true;
    pthread_mutex_unlock(&lessee->mutex);
    wake(lessee);
    pthread_join(lessee->thread, NULL);
    ev_async_stop(lessee->loop, &lessee->told);
    while ((job = job_queue_take(&lessee->jobs)) || (job = job_queue_take(&lessee->answers)))
        job_destroy(job);
    pthread_mutex_destroy(&lessee->mutex);
    close(lessee->wake_fd);
    free(lessee);
}

/* Passes a job to the thread, with everything it owns; job may be NULL. Returns 0 or -ENOMEM. */
static int send(struct lessee *lessee, struct job *job)
{
    if (!job)
        return -ENOMEM;
    pthread_mutex_lock(&lessee->mutex);
    job_queue_add(&lessee->jobs, job);
    pthread_mutex_unlock(&lessee->mutex);
    wake(lessee);
    return 0;
}

int lessee_claim(struct lessee *lessee, int group_count, const int64_t *refused, size_t count)
{
    struct job *job = job_create(JOB_CLAIM);

    if (!job)
        return -ENOMEM;
    job->count = group_count;
    job->leases = calloc((size_t)group_count, sizeof *job->leases);
    job->refused = calloc(count + 1, sizeof *job->refused);
    job->refused_count = count;
    if (!job->leases || !job->refused) {
        job_destroy(job);
        return -ENOMEM;
    }
    if (count)
        memcpy(job->refused, refused, count * sizeof *refused);
    return send(lessee, job);
}

int lessee_fetch(struct lessee *lessee, const struct store_bot *bot)
{
    struct job *job = job_create(JOB_FETCH);

    if (job)
        job->bot = *bot;
    return send(lessee, job);
}

int lessee_store(struct lessee *lessee, struct game_result *result, const struct store_lease *lease)
{
    struct job *job = job_create(JOB_STORE);

    if (!job) {
        result_destroy(result);
        return -ENOMEM;
    }
    job->result = result;
    job->lease = *lease;
    return send(lessee, job);
}

int lessee_release(struct lessee *lessee, const struct store_lease *lease, bool back)
{
    struct job *job = job_create(JOB_RELEASE);

    if (job) {
        job->lease = *lease;
        job->flag = back;
    }
    return send(lessee, job);
}

int lessee_end(struct lessee *lessee, int64_t wait_us)
{
    struct job *job = job_create(JOB_END);

    if (job)
        job->deadline_us = alarm_now_us() + wait_us;
    return send(lessee, job);
}
