/* SPDX-License-Identifier: MIT */
/*
 * Memory without which something would be told, published or stored in part, as if it were whole.
 * Where it is lacking, the process says so and ends with status 1. That loses nothing: results are
 * single transactions, files are renamed when they are whole, and a daemon is started again.
 * The values of jansson and the watchers of libev are of such memory, too (main.c).
 */
#ifndef ARENA_BASE_MEMORY_H
#define ARENA_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Says that memory is lacking, and ends the process. */
_Noreturn void memory_end(void);

/* Allocates like malloc. */
void *memory_need(size_t size);

/* Allocates like realloc; frees the bytes if size is 0. The size is of libev's type. */
void *memory_need_again(void *bytes, long size);

/*
 * Opens a stream into memory: *text ends with a NUL, and *size is its length without it, both whole
 * after a flush and the end. Without memory the program ends, at whichever call that is. rewind
 * empties the text, ftell tells its length; other positions cannot be sought.
 */
FILE *memory_stream(char **text, size_t *size);

/* Has the text be all that was printed. */
void memory_stream_flush(FILE *stream);

/* Closes such a stream. *text is then the caller's to free. */
void memory_stream_end(FILE *stream);

#endif
