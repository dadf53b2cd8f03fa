/* SPDX-License-Identifier: MIT */
/*
 * Waits, with a deadline, for the arena's child processes to end. The deadline is needed because
 * SIGKILL does not end a process that is stuck in the kernel.
 */
#ifndef SANDBOX_DEATH_H
#define SANDBOX_DEATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns CLOCK_MONOTONIC in microseconds. */
int64_t death_now_us(void);

/* Reaps the child if it is dead. Does not block. Returns true if no child with this PID is left. */
bool death_take(pid_t pid);

/*
 * Waits for a child that was killed or is exiting, and reaps the child. Blocks until deadline_us
 * at most. Borrows pid_fd, which may be -1. Returns false if the child still lives.
 */
bool death_await(pid_t pid, int pid_fd, int64_t deadline_us);

/* Waits until a descriptor is readable, at most until deadline_us. Returns false at the deadline.
 */
bool death_poll(int fd, int64_t deadline_us);

#endif
