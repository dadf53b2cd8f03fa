/*
 * The memory of a child where no control group counts it: of all its processes together, and of
 * the sockets between them, whose buffers count nowhere else.
 */
#ifndef SANDBOX_MEMORY_H
#define SANDBOX_MEMORY_H

#include <stdint.h>

#include "sandbox/sandbox.h"

/*
 * Bytes that cannot be taken from the child without it noticing: pages of its own, resident or
 * swapped, and socket buffers as if each were full. Pages that several processes share count once,
 * if that decides whether they are more than limit_bytes; else they may count for each. Raises
 * the peak in child->private. Does not block. 0 if the child is dead.
 */
int64_t memory_in_use(struct sandbox_child *child, int64_t limit_bytes);

#endif
