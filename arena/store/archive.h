/* SPDX-License-Identifier: MIT */
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
#include <stdio.h>

enum archive_result {
    ARCHIVE_REFUSED = -1,
    ARCHIVE_UNWRITTEN = -2, /* out of memory, or an error of the disk, which may be full */
    ARCHIVE_TOO_LARGE = -3,
    ARCHIVE_STOPPED = -4, /* nobody waits for the result any more */
};

enum archive_limits {
    ARCHIVE_BYTES_MAX = 512 << 20,    /* limit for all files of a package together */
    ARCHIVE_ERROR_BYTES = 4096 + 256, /* room for one line that says what is wrong */
};

/* Limits for the work on a stranger's archive. */
struct archive_bounds {
    int entries_max; /* files, folders and links */
    /* Asked for each entry: true stops the work, because nobody waits for it. May be NULL. */
    bool (*is_over_fn)(void *owner);
    void *owner;
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
 * (another mode or kind, a hard link, a file before its folder) is refused, so that unpacking makes
 * as many files and folders as the archive lists. bounds may be NULL: no limits. Returns 0 or an
 * archive_result: ARCHIVE_REFUSED if the archive is at fault, ARCHIVE_UNWRITTEN if it could not be
 * written. After a failure, error has a line, and files already written stay.
 */
int archive_unpack(const uint8_t *bytes, size_t size, const char *folder,
                   const struct archive_bounds *bounds, char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Reads an archive that anybody made (tar, tar.gz or zip) from a file, and writes its files to
 * another as archive_pack would: so that whoever unpacks the result need not know other formats.
 * Folders that the archive implies are listed in the result. Refuses names that lead elsewhere,
 * special files, more than `most` bytes or bounds->entries_max files and folders, an archive that
 * is packed twice or takes 20 s of processor time. Returns 0 or an archive_result.
 */
int archive_convert(int from_fd, int to_fd, int64_t most, const struct archive_bounds *bounds,
                    char error[static ARCHIVE_ERROR_BYTES]);

struct archive;

/*
 * Begins a zip archive, which the stream receives: the same bytes for the same files, whose time is
 * a fixed one. Returns NULL after writing a line to error.
 */
struct archive *archive_zip_begin(FILE *stream, char error[static ARCHIVE_ERROR_BYTES]);

/* Adds a file. A failure shows at the end. */
void archive_zip_add(struct archive *zip, const char *path, const uint8_t *bytes, size_t size);

/* Ends the archive. Returns 0; or ARCHIVE_UNWRITTEN, with a line in error. */
int archive_zip_end(struct archive *zip, char error[static ARCHIVE_ERROR_BYTES]);

/*
 * Loads libarchive in advance; else the first call of another function loads it. Returns false if
 * libarchive cannot be loaded.
 */
bool archive_load(void);

/* Writes a whole archive to a descriptor. Returns 0 or -errno. */
int archive_write(int fd, const uint8_t *bytes, size_t size);

#endif
