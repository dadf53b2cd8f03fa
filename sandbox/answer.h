/*
 * Calls that the arena answers in the kernel's place, since the kernel would tell of the whole
 * machine: how many processes run on it, how busy it is, how much memory is free.
 */
#ifndef SANDBOX_ANSWER_H
#define SANDBOX_ANSWER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* The questions of one child that wait for an answer. */
struct answerer;

/* Duplicates notify_fd. NULL where there is no memory or no descriptor. */
struct answerer *answerer_create(int notify_fd, int64_t memory_bytes);

/*
 * Answers sysinfo: the child's memory limit as the whole memory, all of it free, one process, no
 * load. Where the child's memory cannot be written (a machine that forbids it to everybody), or
 * answerer is NULL, the kernel answers after all. Does not block: the child's memory is written
 * beside the arena. False if more wait than a child has threads.
 */
bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call);

/* The child is gone. Takes NULL. Does not block. */
void answerer_destroy(struct answerer *answerer);

#endif
