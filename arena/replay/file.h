/* Replay files: read as a whole; written completely or not at all, and never over another file. */
#ifndef ARENA_REPLAY_FILE_H
#define ARENA_REPLAY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the path of a match's replay, which the caller frees; NULL if memory runs out. */
char *replay_file_path(const char *folder, const char *match);

/* Writes bytes to path, which must not exist. Returns 0 or -errno (-EEXIST). */
int replay_file_write(const char *path, const uint8_t *bytes, size_t size);

/*
 * Reads a whole file to *bytes, which the caller frees. Returns 0 or -errno (-EFBIG past
 * REPLAY_BYTES_MAX).
 */
int replay_file_read(const char *path, uint8_t **bytes, size_t *size);

#endif
