/*
 * A thread that owns a worker's connection to its store: it claims groups, fetches their bots,
 * renews leases after a third of their duration, and stores results. The loop that serves the bots
 * sends it requests and is called back. While the store does not answer or has no space, all
 * requests wait; the thread retries with growing pauses and then continues where it was.
 */
#ifndef ARENA_WORKER_LESSEE_H
#define ARENA_WORKER_LESSEE_H

#include <ev.h>

#include "arena/season/result.h"
#include "arena/store/depot/depot.h"
#include "arena/store/leases.h"

enum lessee_limits {
    LESSEE_FAILURE_BYTES = 4096 + 256,
    LESSEE_HELD_MAX = 1024, /* groups that a worker may hold at a time */
};

/* The result of fetching a bot. */
enum lessee_fetch {
    LESSEE_FETCHED = 0,   /* it is in the depot */
    LESSEE_FOREIGN = 1,   /* its programs are for other machines */
    LESSEE_UNFETCHED = 2, /* the worker holds no group with it any more, or cannot keep it */
};

struct lessee_options {
    struct store *store;        /* open; owned by the thread until lessee_destroy */
    struct store_worker worker; /* already registered in the store */
    struct depot *depot;        /* borrowed; used by the thread only */
    int64_t lease_us;
    bool listens; /* listens for notifications of new work: one worker per host does */
    void *owner;

    /* All are called on the loop; their arguments are borrowed. */
    /* count is -errno for a claim that the store refuses, for the reason in words. */
    void (*claimed_fn)(void *owner, const struct store_lease *leases, int count, const char *words);
    void (*fetched_fn)(void *owner, int64_t bot_id, enum lessee_fetch outcome, const char *words);
    /* error is 0 if the result was stored; -errno if it was not and never will be. */
    void (*stored_fn)(void *owner, const struct game_result *result,
                      const struct store_lease *lease, int error, const char *words);
    /* A lease ran out, and another worker has claimed the group; or it is held, and no further game
       of it may begin, or none counts any more. */
    void (*lease_fn)(void *owner, const struct store_renewal *lease, bool is_held);
    /* The store answers, and refuses to renew. */
    void (*fault_fn)(void *owner, const char *words);
    /* The store does not answer, with the reason; or it answers again. */
    void (*link_fn)(void *owner, bool is_up, const char *words);
    /* There may be groups to claim. */
    void (*work_fn)(void *owner);
    /* lessee_end is complete. */
    void (*ended_fn)(void *owner, bool all_stored);
};

struct lessee;

/* Starts the thread. Copies the options. Returns NULL with errno set. */
struct lessee *lessee_create(struct ev_loop *loop, const struct lessee_options *options);

/* Joins the thread and drops its jobs. Accepts NULL. */
void lessee_destroy(struct lessee *lessee);

/* Claims at most group_count groups; claimed_fn follows. Copies refused. Returns 0 or -ENOMEM. */
int lessee_claim(struct lessee *lessee, int group_count, const int64_t *refused, size_t count);

/* Fetches a bot into the depot; fetched_fn follows. Returns 0 or -ENOMEM. */
int lessee_fetch(struct lessee *lessee, const struct store_bot *bot);

/* Stores a result and takes ownership of it; stored_fn follows. Returns 0 or -ENOMEM. */
int lessee_store(struct lessee *lessee, struct game_result *result,
                 const struct store_lease *lease);

/*
 * Stops renewing the lease of a group that is finished or lost. With `back`, gives the lease back.
 */
int lessee_release(struct lessee *lessee, const struct store_lease *lease, bool back);

/*
 * Waits until all requests are done, at most wait_us; then gives all leases back and reports the
 * worker's end to the store. ended_fn follows. Returns 0 or -ENOMEM.
 */
int lessee_end(struct lessee *lessee, int64_t wait_us);

#endif
