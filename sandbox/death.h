/*
 * The ends of the arena's children, waited for with a bound: a process that the kernel
 * holds does not end by SIGKILL either.
 */
#ifndef SANDBOX_DEATH_H
#define SANDBOX_DEATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Microseconds of the monotonic clock. */
int64_t death_now_us(void);

/* Takes the end of a child without waiting. True if nothing of it is left. */
bool death_take(pid_t pid);

/*
 * Waits for the end of a child that was killed or is leaving, and takes it; blocks up to
 * deadline_us. pid_fd is borrowed, -1: there is none. False if the child lives on.
 */
bool death_await(pid_t pid, int pid_fd, int64_t deadline_us);

/* Waits until a descriptor is readable; blocks up to deadline_us. */
bool death_poll(int fd, int64_t deadline_us);

#endif
