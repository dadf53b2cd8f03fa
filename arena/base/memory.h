/* SPDX-License-Identifier: MIT */
/*
 * Memory without which something would be told, published or stored in part, as if it were whole.
 * Where it is lacking, the process says so and ends with status 1. That loses nothing: results are
 * single transactions, files are renamed when they are whole, and a daemon is started again.
 * Jansson's values are of such memory, too (main.c).
 */
#ifndef ARENA_BASE_MEMORY_H
#define ARENA_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Allocates like malloc. */
void *memory_need(size_t size);

/* Opens a stream into memory, like open_memstream. */
FILE *memory_stream(char **text, size_t *size);

/* Has the text be all that was printed. */
void memory_stream_flush(FILE *stream);

/* Closes such a stream. *text is then whole, and the caller's to free. */
void memory_stream_end(FILE *stream, char *const *text);

#endif
