/* SPDX-License-Identifier: MIT */
#include "arena/base/blocks.h"

#include <jansson.h>
#include <malloc.h>
#include <stdlib.h>

#include "arena/base/memory.h"

enum {
    STEP_BYTES = 16, /* malloc's: its blocks have 8, 24, 40 ... bytes */
    SIZES = 9,
};

struct block {
    struct block *next;
};

/* This thread's free blocks that have room for STEP_BYTES * the index + 8 bytes. */
static _Thread_local struct block *released[SIZES];

static json_malloc_t malloc_before;
static json_free_t free_before;

static void *take(size_t size)
{
    const size_t at = size <= 24 ? 1 : (size + STEP_BYTES - 9) / STEP_BYTES;
    struct block *block = at < SIZES ? released[at] : NULL;

    if (!block)
        return memory_need(at * STEP_BYTES + 8);
    released[at] = block->next;
    return block;
}

static void release(void *bytes)
{
    const size_t at = bytes ? (malloc_usable_size(bytes) - 8) / STEP_BYTES : SIZES;
    struct block *block = bytes;

    if (at >= SIZES) {
        free(bytes);
        return;
    }
    block->next = released[at];
    released[at] = block;
}

void blocks_begin(void)
{
    json_get_alloc_funcs(&malloc_before, &free_before);
    json_set_alloc_funcs(take, release);
}

void blocks_end(void)
{
    json_set_alloc_funcs(malloc_before, free_before);
    for (int at = 0; at < SIZES; at++)
        for (struct block *block; (block = released[at]); free(block))
            released[at] = block->next;
}
