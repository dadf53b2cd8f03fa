/* SPDX-License-Identifier: MIT */
#include "arena/worker/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/mailbox.h"
#include "arena/base/place.h"
#include "arena/store/archive.h"
#include "arena/base/clock.h"

enum {
    /* Pause before a failed store call is repeated; doubled after each failure. */
    PAUSE_US_MIN = 100000,
    PAUSE_US_MAX = 5000000,
};

enum job_kind {
    JOB_CLAIM = 0,
    JOB_FETCH = 1,
    JOB_DELIVER = 2,
    JOB_RELEASE = 3,
    JOB_END = 4,
    /* News from the thread, which answer no request. */
    NEWS_LEASE = 5, /* the store changed a claimed group; in must_wait: a renewal failed */
    NEWS_FAULT = 6, /* the store refused a renewal */
    NEWS_LINK = 7,
    NEWS_WORK = 8,
};

/*
 * A request from the loop to the thread, or news from the thread that answers no request. A request
 * reaches the thread as an errand, waits in the queue until the thread has carried it out, and goes
 * back to the loop as the answer. The comment of a field names the kinds of jobs that use the
 * field.
 */
struct job {
    struct errand request; /* the first member, because arrive() casts an errand to its job */
    struct errand news;
    struct job *next;
    struct connection *connection;
    enum job_kind kind;
    int count;           /* CLAIM: number of groups wanted; later, number of groups claimed */
    int64_t *barred;     /* CLAIM: ids of bots whose groups are not claimed; owned */
    size_t barred_count; /* CLAIM: length of barred */
    struct store_lease *leases; /* CLAIM: the claimed groups; owned */
    struct store_bot bot;       /* FETCH: the bot to be fetched */
    struct store_lease lease;   /* JOB_DELIVER, JOB_RELEASE: the claim of the group of games */
    struct game_result *result; /* DELIVER: the game; owned */
    /* NEWS_LEASE: the state of a claimed group of games in the store. */
    struct store_renewal renewal;
    /*
     * FETCH: the package is in the cache; RELEASE: give the group back; LEASE: it is still held;
     * LINK: the store answers
     */
    bool flag;
    int64_t deadline_us; /* END: time at which the thread stops waiting for other jobs */
    int error;
    char words[CONNECTION_WORDS_BYTES];
};

/* A claimed group, whose claim the thread renews. */
struct holding {
    int64_t season_id;
    int group;
    int64_t token;
    enum store_lease_state state; /* state that the loop knows */
    bool is_confirmed;            /* the store named this group in the current renewal */
};

/* Only the thread uses the fields after `ends`. */
struct connection {
    struct connection_options options;
    struct mailbox *mailbox;
    bool ends;         /* the loop has called connection_destroy */
    struct job *first; /* first of the queued jobs, linked by next */
    struct job *end;   /* the job JOB_END, which runs after all other jobs, or at its deadline */
    struct holding held[LEASE_HELD_MAX];
    int held_count;
    bool is_down;
    enum job_kind down_kind; /* kind of the job whose store call failed last */
    int64_t pause_us;
    int64_t retry_us;   /* time of the next attempt */
    int64_t renewal_us; /* time of the next renewal */
    int listen_fd;      /* of store_listen; -1: none */
};

/* ---- the cache of packages ---- */

int cache_open(struct cache *cache, const char *folder, int64_t bytes_max)
{
    struct stat status;
    int error;

    cache->bytes_max = bytes_max;
    if (snprintf(cache->folder, sizeof cache->folder, "%s", folder) >= (int)sizeof cache->folder)
        return -ENAMETOOLONG;
    error = home_create(folder);
    if (error)
        return error;
    if (stat(folder, &status) < 0)
        return -errno;
    return status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

void cache_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", cache->folder, sha256);
}

static void shrink(const struct cache *cache)
{
    char *paths[] = {(char *)cache->folder, NULL};

    for (;;) {
        FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
        char oldest[PATH_MAX] = "";
        struct timespec oldest_at = {0};
        int64_t sum = 0;
        FTSENT *entry;

        while (tree && (entry = fts_read(tree))) {
            const struct timespec *at = &entry->fts_statp->st_mtim;

            if (entry->fts_info != FTS_F)
                continue;
            sum += entry->fts_statp->st_size;
            if (!*oldest || at->tv_sec < oldest_at.tv_sec ||
                (at->tv_sec == oldest_at.tv_sec && at->tv_nsec < oldest_at.tv_nsec)) {
                snprintf(oldest, sizeof oldest, "%s", entry->fts_path);
                oldest_at = *at;
            }
        }
        if (tree)
            fts_close(tree);
        if (sum <= cache->bytes_max || !*oldest || unlink(oldest) < 0)
            return;
    }
}

static void destroy_job(struct job *job)
{
    if (job->kind == JOB_CLAIM && job->leases)
        store_leases_finish(job->leases, job->error ? 0 : job->count);
    result_destroy(job->result);
    free(job->barred);
    free(job->leases);
    free(job);
}

/* ---- in the thread: news for the loop ---- */

static void call_back(const struct connection_options *options, const struct job *job)
{
    void *owner = options->owner;

    switch (job->kind) {
    case JOB_CLAIM:
        options->claimed_fn(owner, job->leases, job->error ? job->error : job->count, job->words);
        break;
    case JOB_FETCH:
        options->fetched_fn(owner, job->bot.id, job->flag, job->words);
        break;
    case JOB_DELIVER:
        options->delivered_fn(owner, job->result, &job->lease, job->error, job->words);
        break;
    case JOB_RELEASE:
        break;
    case JOB_END:
        options->ended_fn(owner, job->error == 0);
        break;
    case NEWS_LEASE:
        options->lease_fn(owner, &job->renewal, job->flag);
        break;
    case NEWS_FAULT:
        options->fault_fn(owner, job->words);
        break;
    case NEWS_LINK:
        options->link_fn(owner, job->flag, job->words);
        break;
    case NEWS_WORK:
        options->work_fn(owner);
        break;
    }
}

static void news_arrived(struct errand *news)
{
    struct job *job = (struct job *)((char *)news - offsetof(struct job, news));

    if (!job->connection->ends)
        call_back(&job->connection->options, job);
    destroy_job(job);
}

static void answer(struct connection *connection, struct job *job)
{
    job->connection = connection;
    job->news = (struct errand){.done_fn = news_arrived};
    mailbox_tell(connection->mailbox, &job->news);
}

/* Sends the loop news that answers no request. */
static void send_news(struct connection *connection, struct job content)
{
    struct job *job = connection_memory(sizeof *job);

    *job = content;
    answer(connection, job);
}

static void set_link(struct connection *connection, bool is_up, const char *words)
{
    struct job news = {.kind = NEWS_LINK, .flag = is_up};

    if (connection->is_down == !is_up)
        return;
    connection->is_down = !is_up;
    snprintf(news.words, sizeof news.words, "%s", words);
    send_news(connection, news);
}

/*
 * Returns a random number of microseconds between us / 2 and us, so that workers that failed at the
 * same time do not try again at the same time.
 */
static int64_t jitter(int64_t us)
{
    uint32_t random = 0;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint32_t)clock_now_us();
    return us / 2 + (int64_t)(random % 1024) * us / 2048;
}

/*
 * Records the result of a store call. Returns true if the call must be repeated later. The link
 * counts as up again when a call of the kind that failed succeeds: with a full disk, renewals
 * succeed although deliveries fail.
 */
static bool must_wait(struct connection *connection, enum job_kind kind, int error)
{
    if (!store_error_passes(error)) {
        if (kind == connection->down_kind || kind == JOB_DELIVER || !connection->first) {
            connection->pause_us = 0;
            set_link(connection, true, "");
        }
        return false;
    }
    connection->down_kind = kind;
    set_link(connection, false, store_failure(connection->options.store));
    connection->pause_us = connection->pause_us ? connection->pause_us * 2 : (int64_t)PAUSE_US_MIN;
    if (connection->pause_us > PAUSE_US_MAX)
        connection->pause_us = PAUSE_US_MAX;
    connection->retry_us = clock_now_us() + jitter(connection->pause_us);
    if (error == -ENOTCONN)
        connection->listen_fd = -1;
    return true;
}

/* ---- in the thread: leases ---- */

static struct holding *find_held(struct connection *connection, int64_t season_id, int group,
                                 int64_t token)
{
    for (int i = 0; i < connection->held_count; i++)
        if (connection->held[i].season_id == season_id && connection->held[i].group == group &&
            connection->held[i].token == token)
            return &connection->held[i];
    return NULL;
}

static void drop_held(struct connection *connection, struct holding *holding)
{
    if (holding)
        *holding = connection->held[--connection->held_count];
}

/* Claimed groups that the worker does not know, because the answer to its claim was lost. */
struct strays {
    struct connection *connection;
    struct store_lease leases[LEASE_CLAIM_MAX];
    int count;
};

static int confirm(void *context, const struct store_renewal *lease)
{
    struct strays *strays = context;
    struct holding *holding =
        find_held(strays->connection, lease->season_id, lease->group, lease->token);

    if (holding) {
        holding->is_confirmed = true;
        if (lease->state != holding->state)
            send_news(strays->connection,
                      (struct job){.kind = NEWS_LEASE, .renewal = *lease, .flag = true});
        holding->state = lease->state;
    } else if (strays->count < LEASE_CLAIM_MAX) {
        struct store_lease *stray = &strays->leases[strays->count++];

        stray->season.id = lease->season_id;
        stray->group = lease->group;
        stray->token = lease->token;
    }
    return 0;
}

/* Removes the groups that the renewal did not name, and reports each as lost to the loop. */
static void drop_lapsed(struct connection *connection)
{
    for (int i = connection->held_count - 1; i >= 0; i--) {
        const struct holding *held = &connection->held[i];

        if (held->is_confirmed)
            continue;
        send_news(connection, (struct job){.kind = NEWS_LEASE,
                                           .renewal = {.season_id = held->season_id,
                                                       .group = held->group,
                                                       .token = held->token}});
        drop_held(connection, &connection->held[i]);
    }
}

static void renew(struct connection *connection)
{
    const struct connection_options *options = &connection->options;
    struct strays *strays = connection_memory(sizeof *strays);
    int error;

    strays->connection = connection;
    for (int i = 0; i < connection->held_count; i++)
        connection->held[i].is_confirmed = false;
    error = store_lease_renew(options->store, &options->worker, options->lease_us, confirm, strays);
    if (!must_wait(connection, NEWS_LEASE, error)) {
        connection->renewal_us = clock_now_us() + options->lease_us / 3;
        if (error) {
            struct job news = {.kind = NEWS_FAULT};

            snprintf(news.words, sizeof news.words, "%s", store_failure(connection->options.store));
            send_news(connection, news);
        } else {
            drop_lapsed(connection);
        }
        for (int i = 0; i < strays->count && !error; i++)
            error = store_lease_return(options->store, &options->worker, &strays->leases[i]);
    }
    free(strays);
}

/* ---- in the thread: jobs ---- */

static int claim(struct connection *connection, struct job *job)
{
    const struct connection_options *options = &connection->options;
    struct store_worker worker = options->worker;
    const struct store_claim wanted = {.group_count = job->count,
                                       .lease_us = options->lease_us,
                                       .barred = job->barred,
                                       .barred_count = job->barred_count};
    int count = store_lease_claim(options->store, &worker, &wanted, job->leases);

    /* A store restored from a backup does not know this worker: register the worker again. */
    if (count == -ECANCELED && (count = store_worker_add(options->store, &worker)) == 0)
        count = store_lease_claim(options->store, &worker, &wanted, job->leases);
    if (count < 0)
        return count;
    job->count = count;
    for (int i = 0; i < count && connection->held_count < LEASE_HELD_MAX; i++)
        connection->held[connection->held_count++] =
            (struct holding){.season_id = job->leases[i].season.id,
                             .group = job->leases[i].group,
                             .token = job->leases[i].token};
    return 0;
}

/*
 * Writes a package to a descriptor, part by part, and renews the worker's claims between two parts
 * if a renewal is due. Returns 0 or -errno of the store; *disk_error is 0 or -errno of the disk.
 */
static int write_parts(struct connection *connection, const char *sha256, int fd, int *disk_error)
{
    const struct connection_options *options = &connection->options;
    size_t written = 0, whole = 0;

    do {
        struct store_part part;
        int error =
            store_lease_package_read(options->store, &options->worker, sha256, written, &part);

        if (error)
            return error;
        if (written == 0)
            whole = part.whole_bytes;
        if (part.whole_bytes != whole || part.size > whole - written ||
            (part.size == 0 && written < whole))
            error = store_refuse(options->store, -EBADMSG, "package %s changed while it was read",
                                 sha256);
        if (!error)
            *disk_error = archive_write(fd, part.bytes, part.size);
        written += part.size;
        free(part.bytes);
        if (error || *disk_error)
            return error;
        if (written < whole && clock_now_us() >= connection->renewal_us)
            renew(connection);
    } while (written < whole);
    return 0;
}

/*
 * Fetches a bot's package, unless the cache has it, through a file with a temporary name: whatever
 * is in the cache is complete.
 */
static int fetch(struct connection *connection, struct job *job)
{
    const struct cache *cache = connection->options.cache;
    char path[PATH_MAX], part[PATH_MAX + 32];
    int error = 0, disk_error = 0, fd;

    cache_path(cache, job->bot.built_sha256, path);
    /* Marks the package as used now, if it is there. */
    if (utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) < 0) {
        shrink(cache);
        snprintf(part, sizeof part, "%s.part-%d", path, (int)getpid());
        unlink(part);
        fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            disk_error = -errno;
        else
            error = write_parts(connection, job->bot.built_sha256, fd, &disk_error);
        if (fd >= 0)
            close(fd);
        if (!error && !disk_error && rename(part, path) < 0)
            disk_error = -errno;
        if (error || disk_error)
            unlink(part);
    }
    job->flag = !error && !disk_error;
    if (disk_error) /* a fault of this machine's disk, not of the store */
        snprintf(job->words, sizeof job->words, "the cache of packages: %s%s",
                 strerror(-disk_error), place_cure(disk_error));
    return error;
}

static int release(struct connection *connection, struct job *job)
{
    const struct connection_options *options = &connection->options;
    int error = job->flag ? store_lease_return(options->store, &options->worker, &job->lease) : 0;

    if (!error)
        drop_held(connection,
                  find_held(connection, job->lease.season.id, job->lease.group, job->lease.token));
    return error;
}

static int run_job(struct connection *connection, struct job *job)
{
    const struct connection_options *options = &connection->options;

    switch (job->kind) {
    case JOB_CLAIM:
        return claim(connection, job);
    case JOB_FETCH:
        return fetch(connection, job);
    case JOB_DELIVER:
        return store_deliver(options->store, &options->worker, &job->lease,
                             job->result->game.rotation, job->result->game.wall_us,
                             job->result->replay, job->result->replay_bytes);
    case JOB_RELEASE:
        return release(connection, job);
    case JOB_END:
        connection->held_count = 0;
        return store_lease_return(options->store, &options->worker, NULL);
    case NEWS_LEASE:
    case NEWS_FAULT:
    case NEWS_LINK:
    case NEWS_WORK:
        break;
    }
    return 0;
}

/* Runs the oldest job, or JOB_END if there is no other job. A job that must wait stays queued. */
static void do_job(struct connection *connection)
{
    struct job *job = connection->first ? connection->first : connection->end;
    int error = run_job(connection, job);

    if (must_wait(connection, job->kind, error))
        return;
    if (job == connection->first)
        connection->first = job->next;
    else
        connection->end = NULL;
    job->error = error;
    if (error)
        snprintf(job->words, sizeof job->words, "%s", store_failure(connection->options.store));
    answer(connection, job);
}

/* At the deadline of JOB_END: drops all other jobs; if one was a delivery, that is an error. */
static void give_up(struct connection *connection)
{
    struct job *end = connection->end, *job;

    while ((job = connection->first)) {
        connection->first = job->next;
        end->error = job->kind == JOB_DELIVER ? -ETIMEDOUT : end->error;
        destroy_job(job);
    }
    connection->end = NULL;
    answer(connection, end);
}

/* ---- in the thread: whatever is due ---- */

/*
 * A notification from the store means that there may be groups to claim, or that a season closes.
 * The worker learns about the closing by a renewal, so the renewal becomes due at once.
 */
static void hear(struct connection *connection)
{
    int heard = store_heard(connection->options.store);

    if (heard > 0)
        send_news(connection, (struct job){.kind = NEWS_WORK});
    if (heard > 0 && connection->held_count > 0)
        connection->renewal_us = clock_now_us();
    if (heard < 0)
        connection->listen_fd = -1;
}

static void listen_again(struct connection *connection)
{
    if (connection->listen_fd >= 0 || connection->is_down)
        return;
    connection->listen_fd = store_listen(connection->options.store, STORE_CHANNEL_WORK);
    /* The store may have sent notifications while nobody listened. */
    if (connection->listen_fd >= 0)
        send_news(connection, (struct job){.kind = NEWS_WORK});
}

/* Does one thing that is due, if any. Returns the time of the next call. */
static int64_t go_on(void *owner)
{
    struct connection *connection = owner;
    bool has_job = connection->first || connection->end;
    int64_t now_us = clock_now_us(), due_us = connection->renewal_us;

    listen_again(connection);
    if (connection->listen_fd >= 0)
        hear(connection);
    mailbox_listen(connection->mailbox, connection->listen_fd);
    if (connection->end && now_us >= connection->end->deadline_us) {
        give_up(connection);
    } else if (connection->is_down && now_us < connection->retry_us) {
        due_us = connection->retry_us;
        if (connection->end && connection->end->deadline_us < due_us)
            due_us = connection->end->deadline_us;
        return due_us;
    } else if (now_us >= connection->renewal_us || (connection->is_down && !has_job)) {
        renew(connection);
    } else if (has_job) {
        do_job(connection);
    } else {
        return due_us;
    }
    return now_us; /* call again at once */
}

/* ---- on the loop ---- */

struct connection *connection_create(struct ev_loop *loop, const struct connection_options *options)
{
    struct connection *connection = connection_memory(sizeof *connection);
    const struct mailbox_options of_mailbox = {.owner = connection, .due_fn = go_on};
    int error;

    connection->options = *options;
    connection->listen_fd = -1;
    connection->renewal_us = clock_now_us() + options->lease_us / 3;
    error = mailbox_create(&connection->mailbox, loop, &of_mailbox);
    if (!error)
        return connection;
    free(connection);
    errno = -error;
    return NULL;
}

void connection_destroy(struct connection *connection)
{
    struct job *job;

    if (!connection)
        return;
    connection->ends = true;
    mailbox_destroy(connection->mailbox);
    if (connection->end)
        destroy_job(connection->end);
    while ((job = connection->first)) {
        connection->first = job->next;
        destroy_job(job);
    }
    free(connection);
}

/* Runs in the thread: puts the request into the queue. */
static void arrive(struct errand *request)
{
    struct job *job = (struct job *)request;
    struct job **at = &job->connection->first;

    if (job->kind == JOB_END) {
        job->connection->end = job;
        return;
    }
    while (*at)
        at = &(*at)->next;
    *at = job;
}

/* Runs on the loop, and does nothing: the thread owns the job until it sends the answer. */
static void arrived(struct errand *request)
{
}

void *connection_memory(size_t size)
{
    void *memory = calloc(1, size);

    if (!memory) {
        fputs("arena worker: out of memory\n", stderr);
        _exit(EXIT_FAILURE);
    }
    return memory;
}

static struct job *create_job(struct connection *connection, enum job_kind kind)
{
    struct job *job = connection_memory(sizeof *job);

    job->connection = connection;
    job->kind = kind;
    return job;
}

static void send(struct job *job)
{
    job->request = (struct errand){.run_fn = arrive, .done_fn = arrived};
    mailbox_add(job->connection->mailbox, &job->request);
}

void connection_claim(struct connection *connection, int group_count, const int64_t *barred,
                      size_t barred_count)
{
    struct job *job = create_job(connection, JOB_CLAIM);

    job->count = group_count;
    /* Replaced when the claim succeeds; until then the job has no claimed groups. */
    job->error = -ECANCELED;
    job->leases = connection_memory((size_t)group_count * sizeof *job->leases);
    job->barred = connection_memory((barred_count + 1) * sizeof *job->barred);
    job->barred_count = barred_count;
    memcpy(job->barred, barred, barred_count * sizeof *barred);
    send(job);
}

void connection_fetch(struct connection *connection, const struct store_bot *bot)
{
    struct job *job = create_job(connection, JOB_FETCH);

    job->bot = *bot;
    send(job);
}

void connection_deliver(struct connection *connection, struct game_result *result,
                        const struct store_lease *lease)
{
    struct job *job = create_job(connection, JOB_DELIVER);

    job->result = result;
    job->lease = *lease;
    send(job);
}

void connection_release(struct connection *connection, const struct store_lease *lease, bool back)
{
    struct job *job = create_job(connection, JOB_RELEASE);

    job->lease = *lease;
    job->flag = back;
    send(job);
}

void connection_end(struct connection *connection, int64_t wait_us)
{
    struct job *job = create_job(connection, JOB_END);

    job->deadline_us = clock_now_us() + wait_us;
    send(job);
}
