/*
 * A folder as one string of bytes and back: a tar archive of sorted paths, modes and
 * contents, without times, owners or anything else that could differ between two
 * copies of the same files. Reads and writes files; knows no store.
 */
#ifndef ARENA_STORE_ARCHIVE_H
#define ARENA_STORE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

enum archive_result {
    ARCHIVE_REFUSED = -1,
    ARCHIVE_UNWRITTEN = -2, /* no memory, no room, a disk's error */
};

enum archive_limits {
    ARCHIVE_BYTES_MAX = 512 << 20,    /* of a package's files in all */
    ARCHIVE_ERROR_BYTES = 4096 + 256, /* of one line that says what is wrong */
};

/*
 * Packs all below folder: files, folders and symbolic links; files are 0755 where any
 * execute bit is set, else 0644. The caller frees *bytes. Returns 0, or -1 with a line in
 * error.
 */
int archive_pack(const char *folder, uint8_t **bytes, size_t *size,
                 char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Unpacks into folder, which is made and must not exist. No path leads out of it, whatever
 * the archive says; an entry that archive_pack would not have written (another mode or type, a
 * hard link) is refused. Returns 0, or with a line in error ARCHIVE_REFUSED where the archive is
 * at fault, ARCHIVE_UNWRITTEN where it could not be written; what was written then stays.
 */
int archive_unpack(const uint8_t *bytes, size_t size, const char *folder,
                   char error[static ARCHIVE_ERROR_BYTES]);

#endif
