/* Shared by the files of a lessee. For these files only. */
#ifndef ARENA_WORKER_LESSEE_STATE_H
#define ARENA_WORKER_LESSEE_STATE_H

#include <pthread.h>

#include "arena/worker/job.h"

/* A lease to be renewed. */
struct holding {
    int64_t season_id;
    int group;
    int64_t token;
    enum store_lease_state state; /* that was told */
    bool is_confirmed;            /* by the current renewal */
};

struct lessee {
    struct lessee_options options;
    struct ev_loop *loop;
    ev_async told;
    pthread_t thread;
    int wake_fd;

    /* Used by the thread only. */
    struct holding held[LESSEE_HELD_MAX];
    int held_count;
    bool is_down;
    enum job_kind down_kind; /* of what failed */
    int64_t pause_us;
    int64_t retry_us;   /* next attempt */
    int64_t renewal_us; /* next renewal */
    int listen_fd;      /* -1: none */

    pthread_mutex_t mutex; /* protects the fields below */
    struct job_queue jobs, answers;
    bool ends;
};

/* lessee_store.c, called on the thread: */

/* Passes a job to the loop, for its callback. */
void lessee_answer(struct lessee *lessee, struct job *job);

/*
 * Records the result of a store call. Returns true if the call must be repeated later. The link is
 * up again once a call of the kind that failed succeeds: with a full disk, renewals still do.
 */
bool lessee_must_wait(struct lessee *lessee, enum job_kind kind, int error);

/* Returns the message for an error of the store. */
const char *lessee_failure(const struct lessee *lessee, int error);

/* Renews all leases, and reports those that another worker has claimed. */
void lessee_renew(struct lessee *lessee);

/* Executes a job. Returns 0 or -errno. */
int lessee_run_job(struct lessee *lessee, struct job *job);

#endif
