/*
 * Runs work that may block on a separate thread. Access to a child's memory may: another thread of
 * the child can stall it for seconds by changing its memory map.
 */
#ifndef SANDBOX_ASIDE_H
#define SANDBOX_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls fn(owner) on another thread, with all signals blocked. Returns false if no thread can be
 * created.
 */
bool aside_run(void (*fn)(void *owner), void *owner);

/* Blocks until all work that was begun has ended, at most until deadline_us (CLOCK_MONOTONIC). */
void aside_await(int64_t deadline_us);

#endif
