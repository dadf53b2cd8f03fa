/*
 * System calls that the arena answers in place of the kernel: sysinfo, because the kernel would
 * describe the whole machine (its processes, load and free memory), and the flock calls of a build.
 */
#ifndef SANDBOX_ANSWER_H
#define SANDBOX_ANSWER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* The sysinfo calls of one child that wait for an answer. */
struct answerer;

/* Duplicates notify_fd. Returns NULL if memory or descriptors have run out. */
struct answerer *answerer_create(int notify_fd, int64_t memory_bytes);

/*
 * Answers a sysinfo call: total and free memory are the child's limit, with one process and no
 * load. The kernel answers instead if answerer is NULL or if the arena cannot write to the child's
 * memory (some machines forbid that to every process). Does not block: a separate thread writes to
 * the child's memory. Returns false if more calls wait than the child can have threads.
 */
bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call);

/* Answers calls that still wait because no thread could be started earlier. Accepts NULL. */
void answerer_retry(struct answerer *answerer);

/* Call once the child is gone. Accepts NULL. Does not block. */
void answerer_destroy(struct answerer *answerer);

/*
 * flock for builds. Compilers lock their caches, but a lock on a system file would affect every
 * process that has the file open. The arena therefore checks the open file and makes the flock call
 * on it for the build.
 *
 * Makes the flock call of a waiting thread, as its notification describes it, and answers it. Does
 * not block. If another process holds the lock, another thread answers the call once it has the
 * lock, or drops the call once the calling thread no longer waits. A call that a signal interrupts
 * leaves no lock behind.
 *
 * Returns 0; or -errno, with which the caller must answer the call: -EPERM if the descriptor is
 * neither a file nor a folder, or is on a read-only mount, as all system files are in a build's
 * root folder; -ENOLCK if 64 calls already wait for a lock.
 */
int answer_flock(int notify_fd, const struct seccomp_notif *call);

#endif
