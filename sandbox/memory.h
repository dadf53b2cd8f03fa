/*
 * The memory of a child where no control group counts it: of all its processes together, and of
 * the sockets between them, whose buffers count nowhere else.
 */
#ifndef SANDBOX_MEMORY_H
#define SANDBOX_MEMORY_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

enum {
    MEMORY_MEASURING_MS = 5000,
};

/* One child's, while pages that its processes share are counted. */
struct measuring;

/*
 * Is the child over its limit? Pages of its own count, resident or swapped, and socket buffers as
 * if each were full. Pages that several processes share count once: where that decides, they are
 * counted beside the arena, and the answer is that of the count before; a count that does not
 * end within MEMORY_MEASURING_MS means yes. So do more threads than it may have, where the kernel
 * does not limit them. Raises the peak in child->private. Does not block. False if it is dead.
 */
bool memory_is_over(struct sandbox_child *child);

/* The child is gone. Takes NULL. Does not block. */
void memory_forget(struct measuring *measuring);

#endif
