/*
 * Runs on a separate thread work that may block, such as an access to a child's memory: another
 * thread of the child can stall the access for seconds by changing the child's memory map.
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

/* Blocks until every call made by aside_run has returned, at most until deadline_us
 * (CLOCK_MONOTONIC). */
void aside_await(int64_t deadline_us);

#endif
