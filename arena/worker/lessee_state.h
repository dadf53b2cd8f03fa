/* What the files of a lessee share. For these files only. */
#ifndef ARENA_WORKER_LESSEE_STATE_H
#define ARENA_WORKER_LESSEE_STATE_H

#include <pthread.h>

#include "arena/worker/job.h"

/* A lease that is to be renewed. */
struct holding {
    int64_t season_id;
    int group;
    int64_t token;
    bool is_confirmed; /* by the renewal that is under way */
};

struct lessee {
    struct lessee_options options;
    struct ev_loop *loop;
    ev_async told;
    pthread_t thread;
    int wake_fd;

    /* The thread's. */
    struct holding held[LESSEE_HELD_MAX];
    int held_count;
    bool is_down;
    int64_t pause_us;
    int64_t retry_us;   /* not before */
    int64_t renewal_us; /* when the next is due */
    int listen_fd;      /* -1: none */

    pthread_mutex_t mutex; /* for what follows */
    struct job_queue jobs, answers;
    bool ends;
};

/* lessee_store.c, in the thread: */

/* Hands what is to be told to the loop. */
void lessee_answer(struct lessee *lessee, struct job *job);

/* Notes how a call of the store went. True if it is to be made again later. */
bool lessee_must_wait(struct lessee *lessee, int error);

/* Words for an error of the store. */
const char *lessee_failure(const struct lessee *lessee, int error);

/* Renews all leases, and tells those that are another worker's. */
void lessee_renew(struct lessee *lessee);

/* Does what a job asks. 0 or -errno. */
int lessee_run_job(struct lessee *lessee, struct job *job);

#endif
