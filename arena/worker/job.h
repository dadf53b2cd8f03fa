/*
 * Jobs that a worker's loop passes to the thread that owns its store, and that come back with their
 * results. For lessee.c only, which locks.
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
    /* Sent by the thread without a request. */
    JOB_LEASE = 5,
    JOB_LINK = 6,
    JOB_WORK = 7,
    JOB_FAULT = 8,
    JOB_RENEWAL = 9, /* stands for a renewal, which is no job */
};

/* One job. It goes to the thread and comes back with its result. */
struct job {
    struct job *next;
    enum job_kind kind;
    int count;                    /* CLAIM: groups wanted; in the result, groups claimed */
    int64_t *refused;             /* CLAIM: owned */
    size_t refused_count;         /* CLAIM */
    struct store_lease *leases;   /* CLAIM: owned; the result */
    struct store_bot bot;         /* FETCH */
    struct store_lease lease;     /* STORE, RELEASE */
    struct game_result *result;   /* STORE: owned */
    struct store_renewal renewal; /* LEASE */
    bool flag;                    /* RELEASE: give back; LINK: the store answers; LEASE: it is held;
                                              END: all was stored */
    int64_t deadline_us;          /* END */
    int outcome;
    char words[LESSEE_FAILURE_BYTES];
};

struct job_queue {
    struct job *first;
    struct job **end;
};

void job_queue_init(struct job_queue *queue);
void job_queue_add(struct job_queue *queue, struct job *job);

/* The first of a kind, or NULL. */
struct job *job_queue_find(const struct job_queue *queue, enum job_kind kind);

/* Removes and returns the oldest job, or NULL. */
struct job *job_queue_take(struct job_queue *queue);

/* Puts a job back as the oldest. */
void job_queue_put_back(struct job_queue *queue, struct job *job);

/* Returns a zeroed job; NULL if memory runs out. */
struct job *job_create(enum job_kind kind);

/* Frees a job and all that it owns. */
void job_destroy(struct job *job);

#endif
