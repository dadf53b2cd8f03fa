/*
 * Runs on a separate thread work that may block, such as an access to a child's memory: another
 * thread of the child can stall the access for seconds by changing the child's memory map.
 */
#ifndef SANDBOX_ASIDE_H
#define SANDBOX_ASIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Calls fn(owner) on another thread, with all signals blocked. Returns false if no thread can be
 * created.
 */
bool aside_run(void (*fn)(void *owner), void *owner);

/*
 * Work for an owner that is done again and again, by at most one thread at a time. The owner may
 * forget the job at any time: a thread that still works frees it. First member of a struct with the
 * data of the work.
 */
struct aside_job {
    pthread_mutex_t lock; /* protects the whole struct */
    int fd;               /* duplicate of the owner's descriptor; owned */
    bool under_way;       /* a thread works */
    bool forgotten;
    /* Called with the lock held; may give it up while it works. */
    void (*work_fn)(struct aside_job *job);
};

/*
 * Creates a zeroed struct of size_bytes that begins with a job. Duplicates fd. Returns NULL if
 * memory or descriptors have run out.
 */
void *aside_job_create(size_t size_bytes, int fd, void (*work_fn)(struct aside_job *job));

/*
 * Starts a thread that works, unless one does; does nothing if no thread can be created. The caller
 * holds the lock.
 */
void aside_job_begin(struct aside_job *job);

/* Frees the job, now or once the thread has ended. Accepts NULL. Does not block. */
void aside_job_forget(struct aside_job *job);

/* Blocks until every call made by aside_run has returned, at most until deadline_us
 * (CLOCK_MONOTONIC). */
void aside_await(int64_t deadline_us);

#endif
