/*
 * A thread that owns a worker's connection to its store: it claims groups, fetches their bots,
 * renews leases at a third of their time, and brings results. The loop on which bots think asks,
 * and is called back. While the store does not answer, or has no room, everything that was asked
 * waits, with growing pauses between tries, and goes on where it was.
 */
#ifndef ARENA_WORKER_LESSEE_H
#define ARENA_WORKER_LESSEE_H

#include <ev.h>

#include "arena/season/result.h"
#include "arena/store/depot/depot.h"
#include "arena/store/leases.h"

enum lessee_limits {
    LESSEE_FAILURE_BYTES = 4096 + 256,
    LESSEE_HELD_MAX = 1024, /* groups that a worker holds at a time */
};

/* What came of fetching a bot. */
enum lessee_fetch {
    LESSEE_FETCHED = 0,   /* it is in the depot */
    LESSEE_FOREIGN = 1,   /* its programs are for other machines */
    LESSEE_UNFETCHED = 2, /* no group with it is held any more, or the disk is full */
};

struct lessee_options {
    struct store *store;        /* open; the thread's until lessee_destroy */
    struct store_worker worker; /* registered */
    struct depot *depot;        /* borrowed; the thread's alone */
    int64_t lease_us;
    bool listens; /* to notices of new work: one worker a host */
    void *owner;

    /* All are called on the loop; what is told is borrowed. */
    void (*claimed_fn)(void *owner, const struct store_lease *leases, int count);
    void (*fetched_fn)(void *owner, int64_t bot_id, enum lessee_fetch outcome, const char *words);
    /* 0: stored; -errno: it is not and never will be, for that reason. */
    void (*stored_fn)(void *owner, const struct game_result *result,
                      const struct store_lease *lease, int error, const char *words);
    /* A lease has lapsed, and another worker has claimed the group. */
    void (*lapsed_fn)(void *owner, int64_t season_id, int group, int64_t token);
    /* The store does not answer, and why; or it does again. */
    void (*link_fn)(void *owner, bool is_up, const char *words);
    /* There may be groups to claim. */
    void (*work_fn)(void *owner);
    /* lessee_end has come to its end. */
    void (*ended_fn)(void *owner, bool all_stored);
};

struct lessee;

/* Starts the thread. Copies the options. NULL with errno set. */
struct lessee *lessee_create(struct ev_loop *loop, const struct lessee_options *options);

/* Joins the thread; what it holds is dropped. Takes NULL. */
void lessee_destroy(struct lessee *lessee);

/* Claims so many groups at most; claimed_fn follows. refused is copied. 0 or -ENOMEM. */
int lessee_claim(struct lessee *lessee, int group_count, const int64_t *refused, size_t count);

/* Brings a bot to the depot; fetched_fn follows. 0 or -ENOMEM. */
int lessee_fetch(struct lessee *lessee, const struct store_bot *bot);

/* Stores a result, which it takes over; stored_fn follows. 0 or -ENOMEM. */
int lessee_store(struct lessee *lessee, struct game_result *result,
                 const struct store_lease *lease);

/* A group is finished, or lost: it is renewed no more. With `back` it is given back. */
int lessee_release(struct lessee *lessee, const struct store_lease *lease, bool back);

/*
 * Once all that was asked is done, or wait_us have passed: gives all leases back, and tells the
 * store that the worker ends; ended_fn follows. 0 or -ENOMEM.
 */
int lessee_end(struct lessee *lessee, int64_t wait_us);

#endif
