/* Files of replays: their names, and how to read them. place_write_new writes them. */
#ifndef ARENA_REPLAY_FILE_H
#define ARENA_REPLAY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the path of a match's replay, which the caller frees; NULL if memory runs out. */
char *replay_file_path(const char *folder, const char *match);

/*
 * Reads a whole file to *bytes, which the caller frees. Returns 0 or -errno (-EFBIG if the file is
 * larger than REPLAY_BYTES_MAX).
 */
int replay_file_read(const char *path, uint8_t **bytes, size_t *size);

#endif
