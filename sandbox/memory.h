/*
 * The memory of a child that no control group counts: that of all its processes, and of the sockets
 * between them, whose buffers no other limit covers. Private pages count, resident or swapped, and
 * each socket buffer counts as full.
 */
#ifndef SANDBOX_MEMORY_H
#define SANDBOX_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/sandbox.h"

/*
 * True if a child of one process is over its limit, or has more threads than it may have where the
 * kernel does not limit them. Raises the peak in child->private. False if the child is dead. Does
 * not block.
 */
bool memory_is_one_over(struct sandbox_child *child);

/* True if its sockets alone are over its limit: a control group may leave out what TCP holds. */
bool memory_sockets_are_over(const struct sandbox_child *child);

/* What the child's processes may hold beside its sockets. */
int64_t memory_room_bytes(const struct sandbox_child *child);

/* True if processes that hold so much are over it. Raises the peak. */
bool memory_is_over(struct sandbox_child *child, int64_t bytes);

/*
 * For processes_each: add to the int64_t of owner what a process holds. The first counts a page
 * that several processes share for each of them. The second counts a part of it for each, but may
 * block for seconds: a process can hold the kernel up there, by changing its memory map without
 * end.
 */
void memory_add_resident(int proc_fd, int number, void *owner);
void memory_add_own(int proc_fd, int number, void *owner);

#endif
