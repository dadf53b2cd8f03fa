/*
 * Work beside the arena: what may wait for a child, whose memory another of its threads can hold
 * for seconds by changing its map, does so on a thread of its own.
 */
#ifndef SANDBOX_ASIDE_H
#define SANDBOX_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Has fn called with owner on another thread, without signals. False if no thread is to be had. */
bool aside_run(void (*fn)(void *owner), void *owner);

/* Blocks until all that was begun has ended, or until a moment of the monotonic clock. */
void aside_await(int64_t deadline_us);

#endif
