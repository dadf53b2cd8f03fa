/* The store calls of a lessee's thread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena/play/alarm.h"
#include "arena/worker/lessee_state.h"

enum {
    PAUSE_US_MIN = 100000, /* before a retry; doubled after each failure */
    PAUSE_US_MAX = 5000000,
};

/* ---- in the thread: answers ---- */

void lessee_answer(struct lessee *lessee, struct job *job)
{
    pthread_mutex_lock(&lessee->mutex);
    job_queue_add(&lessee->answers, job);
    pthread_mutex_unlock(&lessee->mutex);
    ev_async_send(lessee->loop, &lessee->told);
}

const char *lessee_failure(const struct lessee *lessee, int error)
{
    return error == -ENOMEM ? "out of memory" : store_failure(lessee->options.store);
}

/*
 * Returns a random time from half of us to us, so that workers that failed together do not retry
 * together.
 */
static int64_t jitter(int64_t us)
{
    uint32_t random = 0;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint32_t)alarm_now_us();
    return us / 2 + (int64_t)(random % 1024) * us / 2048;
}

/* True if an error may go away by itself or once somebody fixes the server. */
static bool is_passing(int error)
{
    return error == -ENOTCONN || error == -ENOSPC || error == -EBUSY || error == -EAGAIN ||
           error == -EIO || error == -EROFS || error == -ECONNABORTED;
}

static void set_link(struct lessee *lessee, bool is_up, const char *words)
{
    struct job *job;

    if (lessee->is_down == !is_up || !(job = job_create(JOB_LINK)))
        return;
    lessee->is_down = !is_up;
    job->flag = is_up;
    snprintf(job->words, sizeof job->words, "%s", words);
    lessee_answer(lessee, job);
}

bool lessee_must_wait(struct lessee *lessee, int error)
{
    if (error >= 0 || !is_passing(error)) {
        lessee->pause_us = 0;
        set_link(lessee, true, "");
        return false;
    }
    set_link(lessee, false, lessee_failure(lessee, error));
    lessee->pause_us = lessee->pause_us ? lessee->pause_us * 2 : (int64_t)PAUSE_US_MIN;
    if (lessee->pause_us > PAUSE_US_MAX)
        lessee->pause_us = PAUSE_US_MAX;
    lessee->retry_us = alarm_now_us() + jitter(lessee->pause_us);
    if (error == -ENOTCONN)
        lessee->listen_fd = -1;
    return true;
}

/* ---- leases ---- */

static struct holding *find_held(struct lessee *lessee, int64_t season_id, int group, int64_t token)
{
    for (int i = 0; i < lessee->held_count; i++)
        if (lessee->held[i].season_id == season_id && lessee->held[i].group == group &&
            lessee->held[i].token == token)
            return &lessee->held[i];
    return NULL;
}

static void drop_held(struct lessee *lessee, struct holding *holding)
{
    if (holding)
        *holding = lessee->held[--lessee->held_count];
}

/* Leases that the worker does not know of, because the answer to their claim was lost. */
struct strays {
    struct lessee *lessee;
    struct store_lease leases[LEASE_CLAIM_MAX];
    int count;
};

static int confirm(void *context, int64_t season_id, int group, int64_t token)
{
    struct strays *strays = context;
    struct holding *holding = find_held(strays->lessee, season_id, group, token);

    if (holding) {
        holding->is_confirmed = true;
    } else if (strays->count < LEASE_CLAIM_MAX) {
        struct store_lease *stray = &strays->leases[strays->count++];

        stray->season.id = season_id;
        stray->group.number = group;
        stray->token = token;
    }
    return 0;
}

static void tell_lapsed(struct lessee *lessee, const struct holding *holding)
{
    struct job *job = job_create(JOB_LAPSED);

    if (!job)
        return;
    job->lease.season.id = holding->season_id;
    job->lease.group.number = holding->group;
    job->lease.token = holding->token;
    lessee_answer(lessee, job);
}

void lessee_renew(struct lessee *lessee)
{
    const struct lessee_options *options = &lessee->options;
    struct strays *strays = calloc(1, sizeof *strays);
    int error;

    if (!strays)
        return;
    strays->lessee = lessee;
    for (int i = 0; i < lessee->held_count; i++)
        lessee->held[i].is_confirmed = false;
    error = store_lease_renew(options->store, &options->worker, options->lease_us, confirm, strays);
    if (!lessee_must_wait(lessee, error)) {
        lessee->renewal_us = alarm_now_us() + options->lease_us / 3;
        for (int i = lessee->held_count - 1; i >= 0 && !error; i--)
            if (!lessee->held[i].is_confirmed) {
                tell_lapsed(lessee, &lessee->held[i]);
                drop_held(lessee, &lessee->held[i]);
            }
        for (int i = 0; i < strays->count && !error; i++)
            error = store_lease_return(options->store, &options->worker, &strays->leases[i]);
    }
    free(strays);
}

/* ---- jobs ---- */

static int claim(struct lessee *lessee, struct job *job)
{
    const struct lessee_options *options = &lessee->options;
    struct store_worker worker = options->worker;
    const struct store_claim wanted = {.group_count = job->count,
                                       .lease_us = options->lease_us,
                                       .refused = job->refused,
                                       .refused_count = job->refused_count};
    int count = store_lease_claim(options->store, &worker, &wanted, job->leases);

    /* A store restored from a backup does not know this worker: register it again. */
    if (count == -ECANCELED && (count = store_worker_add(options->store, &worker)) == 0)
        count = store_lease_claim(options->store, &worker, &wanted, job->leases);
    if (count < 0)
        return count;
    job->count = count;
    for (int i = 0; i < count && lessee->held_count < LESSEE_HELD_MAX; i++)
        lessee->held[lessee->held_count++] = (struct holding){.season_id = job->leases[i].season.id,
                                                              .group = job->leases[i].group.number,
                                                              .token = job->leases[i].token};
    return 0;
}

/* Fetches a package from the cache, or from the store into the cache. Returns 0 or -errno. */
static int fetch_package(struct lessee *lessee, const char *sha256, bool *runs_here)
{
    const struct lessee_options *options = &lessee->options;
    uint8_t *bytes;
    size_t size;
    int error = depot_package_read(options->depot, sha256, &bytes, &size);

    if (error) {
        error = store_lease_package_read(options->store, &options->worker, sha256, &bytes, &size);
        if (error)
            return error;
        error = depot_package_add(options->depot, sha256, (struct store_package){bytes, size});
        if (error)
            store_refuse(options->store, error, "the cache of packages: %s", strerror(-error));
    }
    *runs_here = depot_package_runs_here((struct store_package){bytes, size});
    free(bytes);
    return error;
}

static int fetch(struct lessee *lessee, struct job *job)
{
    const struct lessee_options *options = &lessee->options;
    bool runs_here, ignored;
    char *manifest;
    int error;

    error = store_lease_manifest_read(options->store, &options->worker, job->bot.id, &manifest);
    if (!error)
        error = fetch_package(lessee, job->bot.built_sha256, &runs_here);
    if (!error && !manifest) /* bot of an older arena: its manifest is in the submitted package */
        error = fetch_package(lessee, job->bot.sha256, &ignored);
    if (!error)
        error = depot_bot_add(options->depot, &job->bot, manifest);
    if (!error)
        job->count = runs_here ? LESSEE_FETCHED : LESSEE_FOREIGN;
    free(manifest);
    return error;
}

static int store_result(struct lessee *lessee, struct job *job)
{
    struct game_result *result = job->result;

    result->game.play = job->lease.season.play;
    return store_lease_game_add(lessee->options.store, &lessee->options.worker, &job->lease,
                                &result->game, result->replay, result->replay_bytes);
}

static int release(struct lessee *lessee, struct job *job)
{
    const struct lessee_options *options = &lessee->options;
    int error = job->flag ? store_lease_return(options->store, &options->worker, &job->lease) : 0;

    if (!error)
        drop_held(lessee, find_held(lessee, job->lease.season.id, job->lease.group.number,
                                    job->lease.token));
    return error;
}

int lessee_run_job(struct lessee *lessee, struct job *job)
{
    switch (job->kind) {
    case JOB_CLAIM:
        return claim(lessee, job);
    case JOB_FETCH:
        return fetch(lessee, job);
    case JOB_STORE:
        return store_result(lessee, job);
    case JOB_RELEASE:
        return release(lessee, job);
    case JOB_END:
        lessee->held_count = 0;
        return store_lease_return(lessee->options.store, &lessee->options.worker, NULL);
    case JOB_LAPSED:
    case JOB_LINK:
    case JOB_WORK:
        break;
    }
    return 0;
}
