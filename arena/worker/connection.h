/*
 * A worker's connection to its store, owned by a thread of its own: claims groups, fetches their
 * bots' packages into the cache, renews leases after a third of their duration, and delivers games.
 * The loop that serves the bots asks for these and is called back. While the store does not answer
 * or has no space, everything waits; the thread tries again, after growing pauses, and then goes on
 * where it was.
 */
#ifndef ARENA_WORKER_CONNECTION_H
#define ARENA_WORKER_CONNECTION_H

#include <ev.h>

#include "arena/season/result.h"
#include "arena/store/leases.h"
#include "arena/worker/cache.h"

enum connection_limits {
    CONNECTION_WORDS_BYTES = STORE_WHERE_BYTES + 192,
};

/* The result of fetching a bot. */
enum connection_fetch {
    CONNECTION_FETCHED = 0,   /* its package is in the cache */
    CONNECTION_FOREIGN = 1,   /* its programs are for other machines */
    CONNECTION_UNFETCHED = 2, /* the worker holds no group with it any more, or cannot keep it */
};

struct connection_options {
    struct store *store;        /* open; the thread's until connection_destroy */
    struct store_worker worker; /* already registered in the store */
    const struct cache *cache;  /* borrowed */
    int64_t lease_us;
    bool listens; /* listens for notifications of new work: one worker per host does */
    void *owner;

    /* All are called on the loop; their arguments are borrowed. */
    /* count is -errno for a claim that the store refuses, for the reason in words. */
    void (*claimed_fn)(void *owner, const struct store_lease *leases, int count, const char *words);
    void (*fetched_fn)(void *owner, int64_t bot_id, enum connection_fetch outcome,
                       const char *words);
    /* error is 0 if the game was delivered; -errno if it was not and never will be. */
    void (*delivered_fn)(void *owner, const struct game_result *result,
                         const struct store_lease *lease, int error, const char *words);
    /* A lease is lost (is_held false), or no further game of its group may begin or counts. */
    void (*lease_fn)(void *owner, const struct store_renewal *lease, bool is_held);
    /* The store answers, and refuses to renew. */
    void (*fault_fn)(void *owner, const char *words);
    /* The connection went down (words says why), or is back. */
    void (*link_fn)(void *owner, bool is_up, const char *words);
    /* There may be groups to claim. */
    void (*work_fn)(void *owner);
    /* connection_end is complete. */
    void (*ended_fn)(void *owner, bool all_delivered);
};

struct connection;

/* Starts the thread. Copies the options. Returns NULL with errno set. */
struct connection *connection_create(struct ev_loop *loop,
                                     const struct connection_options *options);

/* Ends the thread and drops what it was asked for. Accepts NULL. */
void connection_destroy(struct connection *connection);

/* Claims at most group_count groups; claimed_fn follows. Copies barred. Returns 0 or -ENOMEM. */
int connection_claim(struct connection *connection, int group_count, const int64_t *barred,
                     size_t barred_count);

/* Fetches a bot's package into the cache; fetched_fn follows. Returns 0 or -ENOMEM. */
int connection_fetch(struct connection *connection, const struct store_bot *bot);

/* Delivers a game and takes ownership of it; delivered_fn follows. Returns 0 or -ENOMEM. */
int connection_deliver(struct connection *connection, struct game_result *result,
                       const struct store_lease *lease);

/*
 * Stops renewing the lease of a group that is finished or lost. With `back`, gives the lease back.
 */
int connection_release(struct connection *connection, const struct store_lease *lease, bool back);

/*
 * Waits until everything is done, at most wait_us; then gives all leases back and reports the
 * worker's end to the store. ended_fn follows. Returns 0 or -ENOMEM.
 */
int connection_end(struct connection *connection, int64_t wait_us);

#endif
