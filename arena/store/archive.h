/*
 * Packs a folder into bytes in memory, and unpacks it: a tar archive of paths (sorted), modes and
 * contents, without times, owners or anything else that could differ between two copies of the same
 * files. This file does not use the store.
 */
#ifndef ARENA_STORE_ARCHIVE_H
#define ARENA_STORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum archive_result {
    ARCHIVE_REFUSED = -1,
    ARCHIVE_UNWRITTEN = -2, /* out of memory, or an error of the disk, which may be full */
    ARCHIVE_TOO_LARGE = -3,
};

enum archive_limits {
    ARCHIVE_BYTES_MAX = 512 << 20,    /* limit for all files of a package together */
    ARCHIVE_ERROR_BYTES = 4096 + 256, /* room for one line that says what is wrong */
};

/*
 * Packs the contents of a folder: files, folders and symbolic links. A file's mode becomes 0755 if
 * it has any execute bit, else 0644. The caller frees *bytes. Returns 0; ARCHIVE_TOO_LARGE as soon
 * as the archive has more than `most` bytes; or ARCHIVE_REFUSED. After a failure, error has a line.
 */
int archive_pack(const char *folder, size_t most, uint8_t **bytes, size_t *size,
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

/*
 * Reads an archive that anybody made (tar, tar.gz or zip) from a file, and writes its files to
 * another as archive_pack would: so that whoever unpacks the result need not know other formats.
 * Refuses names that lead elsewhere, special files, more than `most` bytes or 20,000 entries, an
 * archive that is packed twice or takes 20 s of processor time. Returns 0 or an archive_result.
 */
int archive_convert(int from_fd, int to_fd, int64_t most, char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Loads libarchive in advance; else the first call of another function loads it. Returns false if
 * libarchive cannot be loaded.
 */
bool archive_load(void);

/* Writes a whole archive to a descriptor. Returns 0 or -errno. */
int archive_write(int fd, const uint8_t *bytes, size_t size);

#endif
