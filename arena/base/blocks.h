/* SPDX-License-Identifier: MIT */
/*
 * Memory for the values of jansson in a program that makes and releases a tree of thousands for
 * each of many pages. malloc hands out the free block that has waited longest, which is in no
 * cache of the processor any more, after it has merged and sorted all that are free. Here the small
 * block that was released last is handed out first, as it is.
 */
#ifndef ARENA_BASE_BLOCKS_H
#define ARENA_BASE_BLOCKS_H

/* Call while no other thread uses jansson. Each thread then has free blocks of its own. */
void blocks_begin(void);

/*
 * Call as blocks_begin. Returns to malloc what this thread has free. Blocks in use stay valid;
 * anybody may free() them.
 */
void blocks_end(void);

#endif
