/*
 * The memory of a child that no control group counts: that of all its processes, and of the sockets
 * between them, whose buffers no other limit covers.
 */
#ifndef SANDBOX_MEMORY_H
#define SANDBOX_MEMORY_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

enum {
    MEMORY_MEASURING_MS = 5000,
};

/* One child's, while the pages that its processes share are being counted. */
struct measuring;

/*
 * True if the child is over its limit. Private pages count, resident or swapped, and each socket
 * buffer counts as full. Pages that several processes share count once: if they decide, a separate
 * thread counts them, and the result is that of the previous count; a count that takes longer than
 * MEMORY_MEASURING_MS means true. More threads than the child may have mean true as well, if the
 * kernel does not limit them. Raises the peak in child->private. Does not block. False if the child
 * is dead.
 */
bool memory_is_over(struct sandbox_child *child);

/* Call once the child is gone. Accepts NULL. Does not block. */
void memory_forget(struct measuring *measuring);

#endif
