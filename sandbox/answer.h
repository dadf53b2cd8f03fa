/*
 * System calls that the arena answers in place of the kernel: sysinfo, because the kernel's answer
 * would describe the whole machine, its process count, its load, its free memory; and flock of a
 * build.
 */
#ifndef SANDBOX_ANSWER_H
#define SANDBOX_ANSWER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* The calls of one child that wait for an answer. */
struct answerer;

/* Duplicates notify_fd. Returns NULL if there is no memory or no descriptor left. */
struct answerer *answerer_create(int notify_fd, int64_t memory_bytes);

/*
 * Answers a sysinfo call: the total memory is the child's limit, all of it free; one process; no
 * load. The kernel answers instead if answerer is NULL or if the child's memory cannot be written
 * (some machines forbid that to everyone). Does not block: a separate thread writes to the child's
 * memory. Returns false if more calls wait than the child has threads.
 */
bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call);

/* Answers those that wait because no thread could be started for them. Accepts NULL. */
void answerer_retry(struct answerer *answerer);

/* Call once the child is gone. Accepts NULL. Does not block. */
void answerer_destroy(struct answerer *answerer);

enum {
    ANSWER_WAITS = 1,
};

/*
 * flock for builds. Compilers lock their caches, but a lock on a system file would affect every
 * other process that has it open. The arena therefore makes the call for the build, on the same
 * open file that it has checked.
 *
 * Makes the flock call of a waiting thread, as its notification describes it. Does not block.
 * Returns 0 or -errno: -EPERM if the descriptor is neither a file nor a folder, or is on a
 * read-only mount, as all system files are in a build's root. Returns ANSWER_WAITS if somebody else
 * holds the lock: a thread beside the arena answers the call once it has it, or forgets it once
 * its caller is gone; -ENOLCK if 64 calls wait so already.
 */
int answer_flock(int notify_fd, const struct seccomp_notif *call);

#endif
