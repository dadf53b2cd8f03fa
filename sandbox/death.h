/*
 * Waits, with a deadline, for the arena's children to end. The deadline is needed: a process that
 * is stuck in the kernel does not end on SIGKILL either.
 */
#ifndef SANDBOX_DEATH_H
#define SANDBOX_DEATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns CLOCK_MONOTONIC in microseconds. */
int64_t death_now_us(void);

/* Reaps a child without waiting. Returns true if no such child is left. */
bool death_take(pid_t pid);

/*
 * Waits for a child that was killed or is exiting, and reaps it. Blocks up to deadline_us. Borrows
 * pid_fd, which may be -1. Returns false if the child still lives.
 */
bool death_await(pid_t pid, int pid_fd, int64_t deadline_us);

/* Waits until a descriptor is readable; blocks up to deadline_us. */
bool death_poll(int fd, int64_t deadline_us);

#endif
