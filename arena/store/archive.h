/*
 * Packs a folder into one string of bytes and unpacks it: a tar archive of sorted paths, modes and
 * contents, without times, owners or anything else that could differ between two copies of the same
 * files. Reads and writes files; knows no store.
 */
#ifndef ARENA_STORE_ARCHIVE_H
#define ARENA_STORE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

enum archive_result {
    ARCHIVE_REFUSED = -1,
    ARCHIVE_UNWRITTEN = -2, /* no memory, no space, or a disk error */
};

enum archive_limits {
    ARCHIVE_BYTES_MAX = 512 << 20,    /* total size of a package's files */
    ARCHIVE_ERROR_BYTES = 4096 + 256, /* room for one line that says what is wrong */
};

/*
 * Packs the contents of folder: files, folders and symbolic links. A file's mode is 0755 if it has
 * any execute bit, else 0644. The caller frees *bytes. Returns 0, or -1 with a line in error.
 */
int archive_pack(const char *folder, uint8_t **bytes, size_t *size,
                 char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Unpacks into folder, which it creates and which must not exist. No path leads out of it, whatever
 * the archive contains; an entry that archive_pack would not have written (another mode or type, a
 * hard link) is refused. Returns 0, ARCHIVE_REFUSED if the archive is at fault, or
 * ARCHIVE_UNWRITTEN if it could not be written; after a failure, error has a line and files already
 * written stay.
 */
int archive_unpack(const uint8_t *bytes, size_t size, const char *folder,
                   char error[static ARCHIVE_ERROR_BYTES]);

/* Writes all of an archive to a descriptor. Returns 0 or -errno. */
int archive_write(int fd, const uint8_t *bytes, size_t size);

#endif
