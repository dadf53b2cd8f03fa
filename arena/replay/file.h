/*
 * Replay files: read whole, and written whole or not at all, never over another.
 */
#ifndef ARENA_REPLAY_FILE_H
#define ARENA_REPLAY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The path of a match's replay; the caller frees it. NULL when memory is out. */
char *replay_file_path(const char *folder, const char *match);

/* Writes bytes to path, which must not exist. Returns 0 or -errno (-EEXIST). */
int replay_file_write(const char *path, const uint8_t *bytes, size_t size);

/* Reads a whole file to *bytes, which the caller frees. Returns 0 or -errno (-EFBIG past
   REPLAY_BYTES_MAX). */
int replay_file_read(const char *path, uint8_t **bytes, size_t *size);

#endif
