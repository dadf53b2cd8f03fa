/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files. */
#ifndef ARENA_BASE_FILE_H
#define ARENA_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads a whole file to *bytes, which the caller frees; a NUL, which *size does not count, follows
 * the bytes. Returns 0; or -errno with *bytes NULL: -EFBIG if the file is larger than bytes_max,
 * -EISDIR or -EINVAL if it is not a regular file. Does not wait for a writer of a pipe.
 */
int file_read(const char *path, size_t bytes_max, uint8_t **bytes, size_t *size);

/* Does the same with an open file, from its beginning; the file's position stays. */
int file_read_open(int fd, size_t bytes_max, uint8_t **bytes, size_t *size);

/* Writes all bytes to a descriptor that blocks. Returns 0 or -errno. */
int file_write_all(int fd, const void *bytes, size_t size);

#endif
