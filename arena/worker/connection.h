/* SPDX-License-Identifier: MIT */
/*
 * A worker's connection to its store, owned by a thread of its own. The thread claims groups,
 * fetches the packages of their bots into the cache, renews each claim after a third of its
 * duration, and delivers games. The worker's event loop asks for this and is called back on the
 * loop. While the store does not answer or its disk is full, all requests wait; the thread repeats
 * the failed call after growing pauses.
 */
#ifndef ARENA_WORKER_CONNECTION_H
#define ARENA_WORKER_CONNECTION_H

#include <ev.h>
#include <limits.h>

#include "arena/season/result.h"
#include "arena/store/leases.h"

enum connection_limits {
    CONNECTION_WORDS_BYTES = STORE_WHERE_BYTES + 192,
};

/*
 * The packages that a worker has fetched, kept on this machine as plain files named by their hash.
 * Workers on one machine may share a cache; its files stay when the workers end. Whoever unpacks a
 * package checks its hash, and removes the file if it is damaged.
 */
struct cache {
    char folder[PATH_MAX / 2];
    /* Limit for all packages together; the least recently used ones are removed. */
    int64_t bytes_max;
};

/*
 * Creates the folder if it does not exist. Returns 0 or -errno: -EPERM if other users may write to
 * the folder, because they could then change the programs that run here.
 */
int cache_open(struct cache *cache, const char *folder, int64_t bytes_max);

/* Writes the path of the file of a package; the file need not exist. */
void cache_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX]);

struct connection_options {
    struct store *store; /* an open store; only the thread may use it until connection_destroy */
    struct store_worker worker; /* the worker, already registered in the store */
    const struct cache *cache;  /* cache for packages; borrowed */
    int64_t lease_us;
    void *owner;

    /* All callbacks run on the loop. Their arguments are borrowed. */
    /* Answers connection_claim. If the store refused, count is -errno, and words the reason. */
    void (*claimed_fn)(void *owner, const struct store_lease *leases, int count, const char *words);
    /*
     * Answers connection_fetch. If the store refused the package, or the cache could not keep it,
     * is_fetched is false, and words the reason.
     */
    void (*fetched_fn)(void *owner, int64_t bot_id, bool is_fetched, const char *words);
    /* Answers connection_deliver. error: 0, or -errno if the store refused the game for good. */
    void (*delivered_fn)(void *owner, const struct game_result *result,
                         const struct store_lease *lease, int error, const char *words);
    /*
     * The store changed a claimed group: the worker has lost the group (is_held is false), or
     * *lease says that no further game of the group may begin, or that no game of the group counts.
     */
    void (*lease_fn)(void *owner, const struct store_renewal *lease, bool is_held);
    /* The store answered, but refused to renew the worker's claims. */
    void (*fault_fn)(void *owner, const char *words);
    /* The store stopped answering (words says why), or answers again. */
    void (*link_fn)(void *owner, bool is_up, const char *words);
    /* The store may have new groups to claim. */
    void (*work_fn)(void *owner);
    /* Answers connection_end. */
    void (*ended_fn)(void *owner, bool all_delivered);
};

struct connection;

/*
 * Starts the thread. Copies the options, but not what they point to. Returns NULL with errno set.
 */
struct connection *connection_create(struct ev_loop *loop,
                                     const struct connection_options *options);

/* Ends the thread and drops all requests that are not complete. Accepts NULL. */
void connection_destroy(struct connection *connection);

/*
 * Allocates zeroed memory, which the caller frees. Ends the process if memory runs out: its claims
 * run out, and other workers play the groups.
 */
void *connection_memory(size_t size);

/* Claims groups that have none of the barred bots (ids; copied). Calls claimed_fn later. */
void connection_claim(struct connection *connection, int group_count, const int64_t *barred,
                      size_t barred_count);

/* Fetches a bot's package into the cache. Calls fetched_fn later. */
void connection_fetch(struct connection *connection, const struct store_bot *bot);

/* Delivers a game and takes ownership of it. Calls delivered_fn later. */
void connection_deliver(struct connection *connection, struct game_result *result,
                        const struct store_lease *lease);

/*
 * Stops renewing the claim to a group that is finished or lost. If `back` is set, also gives the
 * group back to the store.
 */
void connection_release(struct connection *connection, const struct store_lease *lease, bool back);

/*
 * Waits until all requests are complete, at most wait_us; then gives all groups back and reports
 * the worker's end to the store. Calls ended_fn later.
 */
void connection_end(struct connection *connection, int64_t wait_us);

#endif
