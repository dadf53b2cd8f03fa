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
 * Returns a random number of microseconds between us / 2 and us, so that workers that failed at the
 * same time do not retry at the same time.
 */
static int64_t jitter(int64_t us)
{
    uint32_t random = 0;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint32_t)alarm_now_us();
    return us / 2 + (int64_t)(random % 1024) * us / 2048;
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

static bool has_jobs(struct lessee *lessee)
{
    bool has_jobs;

    pthread_mutex_lock(&lessee->mutex);
    has_jobs = lessee->jobs.first != NULL;
    pthread_mutex_unlock(&lessee->mutex);
    return has_jobs;
}

bool lessee_must_wait(struct lessee *lessee, enum job_kind kind, int error)
{
    if (!store_error_passes(error)) {
        if (kind == lessee->down_kind || kind == JOB_STORE || !has_jobs(lessee)) {
            lessee->pause_us = 0;
            set_link(lessee, true, "");
        }
        return false;
    }
    lessee->down_kind = kind;
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

static void tell_lease(struct lessee *lessee, const struct store_renewal *lease, bool is_held)
{
    struct job *job = job_create(JOB_LEASE);

    if (!job)
        return;
    job->renewal = *lease;
    job->flag = is_held;
    lessee_answer(lessee, job);
}

static int confirm(void *context, const struct store_renewal *lease)
{
    struct strays *strays = context;
    struct holding *holding =
        find_held(strays->lessee, lease->season_id, lease->group, lease->token);

    if (holding) {
        holding->is_confirmed = true;
        if (lease->state != holding->state)
            tell_lease(strays->lessee, lease, true);
        holding->state = lease->state;
    } else if (strays->count < LEASE_CLAIM_MAX) {
        struct store_lease *stray = &strays->leases[strays->count++];

        stray->season.id = lease->season_id;
        stray->group.number = lease->group;
        stray->token = lease->token;
    }
    return 0;
}

/* Tells of those that the renewal did not name. */
static void drop_lapsed(struct lessee *lessee)
{
    for (int i = lessee->held_count - 1; i >= 0; i--) {
        const struct store_renewal lease = {.season_id = lessee->held[i].season_id,
                                            .group = lessee->held[i].group,
                                            .token = lessee->held[i].token};

        if (lessee->held[i].is_confirmed)
            continue;
        tell_lease(lessee, &lease, false);
        drop_held(lessee, &lessee->held[i]);
    }
}

static void tell_fault(struct lessee *lessee, const char *words)
{
    struct job *job = job_create(JOB_FAULT);

    if (!job)
        return;
    snprintf(job->words, sizeof job->words, "%s", words);
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
    if (!lessee_must_wait(lessee, JOB_RENEWAL, error)) {
        lessee->renewal_us = alarm_now_us() + options->lease_us / 3;
        if (error)
            tell_fault(lessee, lessee_failure(lessee, error));
        else
            drop_lapsed(lessee);
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

/* The machine's own trouble: the bot is not fetched, and the store is not to blame. */
static void refuse_fetch(struct job *job, int error)
{
    job->count = LESSEE_UNFETCHED;
    snprintf(job->words, sizeof job->words, "the cache of packages: %s", strerror(-error));
}

/* A whole package, part by part: between them leases are renewed. The caller frees it. */
static int fetch_parts(struct lessee *lessee, const char *sha256, uint8_t **bytes, size_t *size)
{
    const struct lessee_options *options = &lessee->options;
    size_t whole = 0;
    int error;

    *bytes = NULL;
    *size = 0;
    do {
        struct store_part part;

        error = store_lease_package_read(options->store, &options->worker, sha256, *size, &part);
        if (!error && !*bytes) {
            whole = part.whole_bytes;
            *bytes = malloc(whole + 1);
        }
        if (!error && !*bytes)
            error = -ENOMEM;
        if (!error && (part.whole_bytes != whole || part.size > whole - *size ||
                       (part.size == 0 && *size < whole)))
            error = store_refuse(options->store, -EBADMSG, "package %s changed while it was read",
                                 sha256);
        if (!error)
            memcpy(*bytes + *size, part.bytes, part.size);
        *size += error ? 0 : part.size;
        free(part.bytes);
        if (!error && *size < whole && alarm_now_us() >= lessee->renewal_us)
            lessee_renew(lessee);
    } while (!error && *size < whole);
    if (error) {
        free(*bytes);
        *bytes = NULL;
    }
    return error;
}

/*
 * Fetches a package from the cache, or from the store into the cache. Returns 0 or -errno of the
 * store; a cache that cannot keep it is told in the job.
 */
static int fetch_package(struct lessee *lessee, struct job *job, const char *sha256)
{
    const struct lessee_options *options = &lessee->options;
    uint8_t *bytes;
    size_t size;
    int error = depot_package_read(options->depot, sha256, &bytes, &size);

    if (error) {
        if ((error = fetch_parts(lessee, sha256, &bytes, &size)) < 0)
            return error;
        error = depot_package_add(options->depot, sha256, (struct store_package){bytes, size});
    }
    if (error)
        refuse_fetch(job, error);
    else if (!depot_package_runs_here((struct store_package){bytes, size}))
        job->count = LESSEE_FOREIGN;
    free(bytes);
    return 0;
}

static int fetch(struct lessee *lessee, struct job *job)
{
    const struct lessee_options *options = &lessee->options;
    char *manifest;
    int error;

    job->count = LESSEE_FETCHED;
    error = store_lease_manifest_read(options->store, &options->worker, job->bot.id, &manifest);
    if (!error)
        error = fetch_package(lessee, job, job->bot.built_sha256);
    /* Bot of an older arena: its manifest is in the submitted package. */
    if (!error && !manifest && job->count == LESSEE_FETCHED) {
        error = fetch_package(lessee, job, job->bot.sha256);
        job->count = job->count == LESSEE_FOREIGN ? LESSEE_FETCHED : job->count; /* it is not run */
    }
    if (!error && job->count == LESSEE_FETCHED) {
        int local_error = depot_bot_add(options->depot, &job->bot, manifest);

        if (local_error)
            refuse_fetch(job, local_error);
    }
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
    case JOB_LEASE:
    case JOB_LINK:
    case JOB_WORK:
    case JOB_FAULT:
    case JOB_RENEWAL:
        break;
    }
    return 0;
}
