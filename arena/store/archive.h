/*
 * Packs a folder into bytes in memory, and unpacks it: a tar archive of paths (sorted), modes and
 * contents, without times, owners or anything else that could differ between two copies of the same
 * files. This file does not use the store.
 */
#ifndef ARENA_STORE_ARCHIVE_H
#define ARENA_STORE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

enum archive_result {
    ARCHIVE_REFUSED = -1,
    ARCHIVE_UNWRITTEN = -2, /* out of memory, disk full, or a disk error */
};

enum archive_limits {
    ARCHIVE_BYTES_MAX = 512 << 20,    /* limit for all files of a package together */
    ARCHIVE_ERROR_BYTES = 4096 + 256, /* room for one line that says what is wrong */
};

/*
 * Packs the contents of a folder: files, folders and symbolic links. A file's mode becomes 0755 if
 * it has any execute bit, else 0644. The caller frees *bytes. Returns 0, or -1 with a line in
 * error.
 */
int archive_pack(const char *folder, uint8_t **bytes, size_t *size,
                 char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Unpacks an archive into a folder, which must not exist and is created. Nothing is written outside
 * of the folder, whatever the archive contains. An entry that archive_pack would not have written
 * (another mode or kind, a hard link) is refused. Returns 0; ARCHIVE_REFUSED if the archive is at
 * fault; ARCHIVE_UNWRITTEN if it could not be written. After a failure, error has a line, and files
 * already written stay.
 */
int archive_unpack(const uint8_t *bytes, size_t size, const char *folder,
                   char error[static ARCHIVE_ERROR_BYTES]);

/* Writes a whole archive to a descriptor. Returns 0 or -errno. */
int archive_write(int fd, const uint8_t *bytes, size_t size);

#endif
