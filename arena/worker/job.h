/*
 * What goes between the loop of a worker and the thread that has its store, and back with what
 * came of it. For lessee.c only, which locks.
 */
#ifndef ARENA_WORKER_JOB_H
#define ARENA_WORKER_JOB_H

#include "arena/worker/lessee.h"

enum job_kind {
    JOB_CLAIM = 0,
    JOB_FETCH = 1,
    JOB_STORE = 2,
    JOB_RELEASE = 3,
    JOB_END = 4,
    /* Told by the thread, unasked. */
    JOB_LAPSED = 5,
    JOB_LINK = 6,
    JOB_WORK = 7,
};

/* Goes to the thread and comes back with what came of it. */
struct job {
    struct job *next;
    enum job_kind kind;
    int count;                  /* CLAIM: groups wanted, then claimed */
    int64_t *refused;           /* CLAIM: owned */
    size_t refused_count;       /* likewise */
    struct store_lease *leases; /* CLAIM: owned, out */
    struct store_bot bot;       /* FETCH */
    struct store_lease lease;   /* STORE, RELEASE */
    struct game_result *result; /* STORE: owned */
    bool flag;                  /* RELEASE: back; LINK: is up; END: all was stored */
    int64_t deadline_us;        /* END */
    int outcome;
    char words[LESSEE_FAILURE_BYTES];
};

struct job_queue {
    struct job *first;
    struct job **end;
};

void job_queue_init(struct job_queue *queue);
void job_queue_add(struct job_queue *queue, struct job *job);

/* The oldest, or NULL. */
struct job *job_queue_take(struct job_queue *queue);

/* It becomes the oldest. */
void job_queue_put_back(struct job_queue *queue, struct job *job);

/* A zeroed one; NULL when memory is out. */
struct job *job_create(enum job_kind kind);

/* With all that it owns. */
void job_destroy(struct job *job);

#endif
