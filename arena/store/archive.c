/* SPDX-License-Identifier: MIT */
#include "arena/store/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/library.h"
#include "arena/base/memory.h"
#include "arena/play/package.h"
#include "sdk/wire.h"

enum {
    PART_BYTES = 65536,
    ZIP_TIME_S = 946728000, /* noon of 2000-01-01: zip knows no year before 1980 */
};

/* ---- loading libarchive ---- */

/* clang-format off */
#define LIBARCHIVE_FUNCTIONS(FUNCTION) \
    FUNCTION(archive_entry_clear) FUNCTION(archive_entry_filetype) \
    FUNCTION(archive_entry_free) FUNCTION(archive_entry_hardlink) FUNCTION(archive_entry_new) \
    FUNCTION(archive_entry_pathname) FUNCTION(archive_entry_perm) \
    FUNCTION(archive_entry_set_filetype) FUNCTION(archive_entry_set_mtime) \
    FUNCTION(archive_entry_set_pathname) FUNCTION(archive_entry_set_perm) FUNCTION(archive_entry_set_size) \
    FUNCTION(archive_entry_set_symlink) FUNCTION(archive_entry_size) \
    FUNCTION(archive_entry_size_is_set) FUNCTION(archive_entry_symlink) \
    FUNCTION(archive_errno) FUNCTION(archive_error_string) FUNCTION(archive_filter_bytes) \
    FUNCTION(archive_filter_count) FUNCTION(archive_format) FUNCTION(archive_read_data) \
    FUNCTION(archive_read_data_block) FUNCTION(archive_read_free) FUNCTION(archive_read_new) \
    FUNCTION(archive_read_next_header) FUNCTION(archive_read_open1) \
    FUNCTION(archive_read_open_memory) FUNCTION(archive_read_set_callback_data) \
    FUNCTION(archive_read_set_read_callback) FUNCTION(archive_read_set_seek_callback) \
    FUNCTION(archive_read_support_filter_gzip) \
    FUNCTION(archive_read_support_format_tar) FUNCTION(archive_read_support_format_zip) \
    FUNCTION(archive_set_error) \
    FUNCTION(archive_write_close) FUNCTION(archive_write_data) \
    FUNCTION(archive_write_data_block) FUNCTION(archive_write_disk_new) \
    FUNCTION(archive_write_disk_set_options) FUNCTION(archive_write_finish_entry) \
    FUNCTION(archive_write_free) FUNCTION(archive_write_header) FUNCTION(archive_write_new) \
    FUNCTION(archive_write_open_FILE) FUNCTION(archive_write_open_fd) \
    FUNCTION(archive_write_set_bytes_in_last_block) \
    FUNCTION(archive_write_set_format_pax_restricted) \
    FUNCTION(archive_write_set_format_zip)
/* clang-format on */

LIBRARY(library, LIBARCHIVE_FUNCTIONS)

static bool library_is_whole;
static locale_t utf8;

static void load_library(void)
{
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8 && errno == ENOMEM)
        memory_end();
    library_is_whole = LIBRARY_LOAD(library, "libarchive.so.13");
}

bool archive_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_library);
    return library_is_whole;
}

static int refuse(char error[static ARCHIVE_ERROR_BYTES], const char *path, const char *what)
{
    snprintf(error, ARCHIVE_ERROR_BYTES, "%s: %s", path, what);
    return ARCHIVE_REFUSED;
}

static bool is_over(const struct archive_bounds *bounds)
{
    return bounds && bounds->is_over_fn && bounds->is_over_fn(bounds->owner);
}

static int stop(char error[static ARCHIVE_ERROR_BYTES], const char *path)
{
    refuse(error, path, "nobody waits for this any more");
    return ARCHIVE_STOPPED;
}

/*
 * Loads libarchive, and gives the calling thread a UTF-8 locale, because libarchive converts names
 * by the locale. Returns false, with a line in error, if libarchive cannot be loaded.
 */
static bool begin(const char *folder, char error[static ARCHIVE_ERROR_BYTES])
{
    if (!archive_load())
        refuse(error, folder, "libarchive cannot be loaded: install libarchive13");
    else if (utf8)
        uselocale(utf8);
    return library_is_whole;
}

/* ---- packing ---- */

/*
 * True once libarchive got no memory since errno was set to 0: it then leaves out names, or more,
 * and says that all is well.
 */
static bool is_out_of_memory(struct archive *archive)
{
    if (errno != ENOMEM)
        return false;
    library.archive_set_error(archive, ENOMEM, "out of memory");
    return true;
}

static int pack_content(struct archive *archive, const char *path, int64_t size,
                        char error[static ARCHIVE_ERROR_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char part[PART_BYTES];
    int result = 0;

    if (fd < 0)
        return refuse(error, path, strerror(errno));
    for (int64_t left = size; left > 0 && result == 0;) {
        ssize_t got = read(fd, part, left < PART_BYTES ? (size_t)left : PART_BYTES);

        if (got <= 0)
            result = refuse(error, path, got < 0 ? strerror(errno) : "changed while it was read");
        else if (library.archive_write_data(archive, part, (size_t)got) != got)
            result = refuse(error, path, library.archive_error_string(archive));
        left -= got;
    }
    close(fd);
    return result;
}

/*
 * Writes the header of an entry. A package's header has only name, kind, size, target of a link and
 * one of two modes, so that equal files make equal packages.
 */
static bool write_header(struct archive *archive, struct archive_entry *entry, const char *name,
                         mode_t type, bool is_executable, int64_t size, const char *link)
{
    errno = 0;
    library.archive_entry_clear(entry);
    library.archive_entry_set_pathname(entry, name);
    library.archive_entry_set_filetype(entry, type);
    library.archive_entry_set_perm(entry, type == AE_IFLNK                    ? 0777
                                          : type == AE_IFDIR || is_executable ? 0755
                                                                              : 0644);
    if (type == AE_IFREG)
        library.archive_entry_set_size(entry, size);
    if (type == AE_IFLNK)
        library.archive_entry_set_symlink(entry, link);
    return library.archive_write_header(archive, entry) == ARCHIVE_OK && !is_out_of_memory(archive);
}

/*
 * Returns the type of a file, and reads the target of a link. Returns 0 if a package cannot contain
 * such a file.
 */
static mode_t type_of(const FTSENT *file, char link[static PART_BYTES])
{
    ssize_t length;

    switch (file->fts_info) {
    case FTS_D:
        return AE_IFDIR;
    case FTS_F:
        return AE_IFREG;
    case FTS_SL:
    case FTS_SLNONE:
        length = readlink(file->fts_accpath, link, PART_BYTES - 1);
        link[length < 0 ? 0 : length] = '\0';
        return length < 0 ? 0 : AE_IFLNK;
    default:
        return 0;
    }
}

static int compare_files(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Packs all files of a folder into the stream `bytes`, which may become `most` bytes long. */
static int pack_files(struct archive *archive, FTS *files, size_t base_length, FILE *bytes,
                      size_t most, char error[static ARCHIVE_ERROR_BYTES])
{
    struct archive_entry *entry = library.archive_entry_new();
    static const char unkept[] =
        "a package has only files, folders and links, and the arena must be able to read each";
    char link[PART_BYTES];
    int64_t total = 0;
    int result = 0;
    FTSENT *file;

    if (!entry)
        return refuse(error, "package", "out of memory");
    while (result == 0 && (errno = 0, file = fts_read(files))) {
        const struct stat *status = file->fts_statp;
        mode_t type;

        if (file->fts_info == FTS_DNR || file->fts_info == FTS_NS || file->fts_info == FTS_ERR) {
            result = refuse(error, file->fts_path, strerror(file->fts_errno));
            break;
        }
        if (file->fts_info == FTS_DP || file->fts_level == 0)
            continue;
        type = type_of(file, link);
        if (type == AE_IFREG)
            total += status->st_size;
        if (!type)
            result = refuse(error, file->fts_path, unkept);
        else if (total > ARCHIVE_BYTES_MAX)
            result = refuse(error, file->fts_path, "the package is larger than 512 MiB");
        else if ((size_t)total > most || (size_t)ftello(bytes) > most)
            result = ARCHIVE_TOO_LARGE;
        else if (!write_header(archive, entry, file->fts_path + base_length + 1, type,
                               status->st_mode & 0111, status->st_size, link))
            result = refuse(error, file->fts_path, library.archive_error_string(archive));
        else if (type == AE_IFREG)
            result = pack_content(archive, file->fts_accpath, status->st_size, error);
    }
    if (result == 0 && errno)
        result = refuse(error, "package", strerror(errno));
    library.archive_entry_free(entry);
    return result;
}

int archive_pack(const char *folder, size_t most, uint8_t **bytes, size_t *size,
                 char error[static ARCHIVE_ERROR_BYTES])
{
    char *const roots[] = {(char *)folder, NULL};
    struct archive *archive;
    FILE *stream;
    FTS *files;
    int result;

    *bytes = NULL;
    if (!begin(folder, error))
        return ARCHIVE_REFUSED;
    archive = library.archive_write_new();
    files = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_files);
    stream = memory_stream((char **)bytes, size);
    if (!archive || !files) {
        result = refuse(error, folder, "out of memory");
    } else {
        library.archive_write_set_format_pax_restricted(archive);
        library.archive_write_set_bytes_in_last_block(archive, 1);
        library.archive_write_open_FILE(archive, stream);
        result = pack_files(archive, files, strlen(folder), stream, most, error);
        if (library.archive_write_close(archive) != ARCHIVE_OK && result == 0)
            result = refuse(error, folder, library.archive_error_string(archive));
    }
    library.archive_write_free(archive);
    memory_stream_end(stream);
    if (files)
        fts_close(files);
    if (result == 0 && *size > most)
        result = ARCHIVE_TOO_LARGE;
    if (result < 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return result;
}

/* ---- zip ---- */

struct archive *archive_zip_begin(FILE *stream, char error[static ARCHIVE_ERROR_BYTES])
{
    struct archive *zip = begin("zip", error) ? library.archive_write_new() : NULL;

    if (!zip) {
        if (library_is_whole)
            refuse(error, "zip", "out of memory");
        return NULL;
    }
    library.archive_write_set_format_zip(zip);
    library.archive_write_set_bytes_in_last_block(zip, 1);
    library.archive_write_open_FILE(zip, stream);
    return zip;
}

void archive_zip_add(struct archive *zip, const char *path, const uint8_t *bytes, size_t size)
{
    struct archive_entry *entry;

    errno = 0;
    entry = library.archive_entry_new();
    if (!entry) {
        library.archive_set_error(zip, ENOMEM, "out of memory");
        return;
    }
    library.archive_entry_set_pathname(entry, path);
    library.archive_entry_set_filetype(entry, AE_IFREG);
    library.archive_entry_set_perm(entry, 0644);
    library.archive_entry_set_mtime(entry, ZIP_TIME_S, 0);
    library.archive_entry_set_size(entry, (la_int64_t)size);
    if (library.archive_write_header(zip, entry) != ARCHIVE_OK ||
        library.archive_write_data(zip, bytes, size) != (la_ssize_t)size)
        library.archive_set_error(zip, ENOMEM, "%s could not be packed", path);
    is_out_of_memory(zip);
    library.archive_entry_free(entry);
}

int archive_zip_end(struct archive *zip, char error[static ARCHIVE_ERROR_BYTES])
{
    int result = library.archive_write_close(zip);

    if (result != ARCHIVE_OK || library.archive_errno(zip)) {
        refuse(error, "zip", library.archive_error_string(zip));
        result = ARCHIVE_UNWRITTEN;
    }
    library.archive_write_free(zip);
    return result;
}

/* ---- unpacking ---- */

static int unpack_content(struct archive *archive, struct archive *disk)
{
    const void *part;
    size_t size;
    la_int64_t offset;
    int result;

    while ((result = library.archive_read_data_block(archive, &part, &size, &offset)) == ARCHIVE_OK)
        if (library.archive_write_data_block(disk, part, size, offset) != ARCHIVE_OK)
            return ARCHIVE_FATAL;
    return result == ARCHIVE_EOF ? ARCHIVE_OK : result;
}

/*
 * Returns why archive_pack could not have written an entry; NULL if it could have. The caller then
 * does not unpack the entry. left: how many bytes of files may follow in a package of this size;
 * only a sparse file, which archive_pack never writes, has more than its package.
 */
static const char *entry_fault(struct archive_entry *entry, int64_t *left)
{
    const char *inside = library.archive_entry_pathname(entry);
    const mode_t mode = library.archive_entry_perm(entry);

    if (!inside)
        return "the package has a file whose name is not UTF-8";
    if (*inside == '/')
        return "the package has a file whose path begins with /";
    if (library.archive_entry_hardlink(entry))
        return "the package has a hard link";
    if (library.archive_entry_filetype(entry) == AE_IFREG) {
        if (library.archive_entry_size(entry) < 0 || library.archive_entry_size(entry) > *left)
            return "the package has files of more bytes than the package itself";
        *left -= library.archive_entry_size(entry);
    }
    switch (library.archive_entry_filetype(entry)) {
    case AE_IFLNK:
        return NULL;
    case AE_IFDIR:
        return mode == 0755 ? NULL : "the package has a folder whose mode is not 0755";
    case AE_IFREG:
        return mode == 0755 || mode == 0644
                   ? NULL
                   : "the package has a file whose mode is neither 0755 nor 0644";
    default:
        return "the package contains a special file, which is neither a file, a folder nor a link";
    }
}

/*
 * Returns why an entry cannot have its place: archive_pack writes a folder once, and before its
 * contents. libarchive would make the missing folders, as many as the path has.
 */
static const char *place_fault(char *path, mode_t type)
{
    char *slash = strrchr(path, '/');
    struct stat status;
    bool has_folder;

    *slash = '\0';
    has_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
    *slash = '/';
    if (!has_folder)
        return "the package has a file without its folder";
    return type == AE_IFDIR && lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)
               ? "the package has a file and a folder of the same name"
               : NULL;
}

/* Unpacks an entry into folder. libarchive refuses paths that could lead out of the folder. */
static int unpack_entry(struct archive *archive, struct archive *disk, struct archive_entry *entry,
                        const char *folder)
{
    char *path = NULL;
    int length = asprintf(&path, "%s/%s", folder, library.archive_entry_pathname(entry));
    const char *fault;

    if (length < 0) {
        library.archive_set_error(disk, ENOMEM, "out of memory");
        return ARCHIVE_FATAL;
    }
    while (path[length - 1] == '/') /* libarchive reads a folder's name with a slash at its end */
        path[--length] = '\0';
    fault = place_fault(path, library.archive_entry_filetype(entry));
    library.archive_entry_set_pathname(entry, path);
    free(path);
    if (fault) {
        library.archive_set_error(disk, EINVAL, "%s", fault);
        return ARCHIVE_FATAL;
    }
    if (library.archive_write_header(disk, entry) != ARCHIVE_OK ||
        unpack_content(archive, disk) != ARCHIVE_OK)
        return ARCHIVE_FATAL;
    return library.archive_write_finish_entry(disk);
}

static int unpack_entries(struct archive *archive, struct archive *disk, size_t size,
                          const char *folder, const struct archive_bounds *bounds,
                          char error[static ARCHIVE_ERROR_BYTES])
{
    int64_t left = (int64_t)size;
    struct archive_entry *entry;
    int result, count = 0;

    while ((result = library.archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const char *fault = bounds && ++count > bounds->entries_max
                                ? "the package has too many files"
                                : entry_fault(entry, &left);

        if (fault)
            return refuse(error, folder, fault);
        if (is_over(bounds))
            return stop(error, folder);
        if (unpack_entry(archive, disk, entry, folder) != ARCHIVE_OK) {
            const char *why = library.archive_error_string(disk)
                                  ? library.archive_error_string(disk)
                                  : library.archive_error_string(archive);

            if (library.archive_errno(disk) == ENOSPC || library.archive_errno(disk) == EDQUOT)
                why = "the folder's disk is full: make room on the disk";
            refuse(error, folder, why ? why : "the package is damaged");
            return package_is_arenas_error(library.archive_errno(disk)) ? ARCHIVE_UNWRITTEN
                                                                        : ARCHIVE_REFUSED;
        }
    }
    return result == ARCHIVE_EOF ? 0 : refuse(error, folder, library.archive_error_string(archive));
}

int archive_unpack(const uint8_t *bytes, size_t size, const char *folder,
                   const struct archive_bounds *bounds, char error[static ARCHIVE_ERROR_BYTES])
{
    struct archive *archive, *disk;
    /* The folder's path without symbolic links, because libarchive refuses to follow any. */
    char real[PATH_MAX];
    int result = ARCHIVE_UNWRITTEN;

    if (!begin(folder, error))
        return ARCHIVE_UNWRITTEN;
    archive = library.archive_read_new();
    disk = library.archive_write_disk_new();
    if (!archive || !disk) {
        refuse(error, folder, "out of memory");
        goto out;
    }
    /*
     * The sandbox may run the bot as another user, who must be able to enter the folder, whatever
     * the umask is.
     */
    if (mkdir(folder, 0755) < 0 || chmod(folder, 0755) < 0 || !realpath(folder, real)) {
        refuse(error, folder, strerror(errno));
        goto out;
    }
    library.archive_read_support_format_tar(archive);
    library.archive_write_disk_set_options(disk, ARCHIVE_EXTRACT_PERM |
                                                     ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                                                     ARCHIVE_EXTRACT_SECURE_SYMLINKS);
    if (library.archive_read_open_memory(archive, bytes, size) != ARCHIVE_OK)
        result = refuse(error, folder, library.archive_error_string(archive));
    else
        result = unpack_entries(archive, disk, size, real, bounds, error);
out:
    library.archive_read_free(archive);
    library.archive_write_free(disk);
    return result;
}

/* ---- converting what others packed ---- */

enum {
    CONVERT_NAME_BYTES = 1024,   /* longest path of a file */
    CONVERT_DEPTH = 64,          /* maximum number of folders in a path */
    CONVERT_PART_BYTES = 1024,   /* gzip makes at most 1 MiB of a part */
    CONVERT_HEADER_BYTES = 8192, /* average size of an entry's header with its padding */
    /*
     * Limits for one header, because libarchive keeps the parts of a sparse file in memory, and the
     * whole directory of a zip.
     */
    CONVERT_TAR_HEADER_MAX = 256 << 10,
    CONVERT_ZIP_DIRECTORY_MAX = 4 << 20,
    CONVERT_S = 20, /* limit in seconds for the processor time of a conversion */
};

struct conversion {
    struct archive *from, *to;
    struct archive_entry *entry;
    const struct archive_bounds *bounds;
    int from_fd;
    int64_t begun_us;    /* processor time of the thread when the conversion began */
    int64_t most, total; /* limit for the bytes of all files; bytes of the files so far */
    int64_t read_bytes;  /* bytes of the archive that were read so far */
    int64_t data_end;    /* position in the archive at or before the end of the last file's data */
    bool is_too_large;
    int count;                         /* of files, folders and links so far */
    void *folders;                     /* paths of the folders so far: a tree of tsearch */
    char name[CONVERT_NAME_BYTES + 1]; /* path of the entry, without "." and double slashes */
    char part[CONVERT_PART_BYTES];     /* the part of the archive that was read last */
};

static bool is_zip(const struct conversion *conversion)
{
    return (library.archive_format(conversion->from) & ARCHIVE_FORMAT_BASE_MASK) ==
           ARCHIVE_FORMAT_ZIP;
}

/* Returns how many bytes were read so far; of a compressed archive, how many unpacked bytes. */
static int64_t position(const struct conversion *conversion)
{
    return library.archive_filter_count(conversion->from) > 1
               ? library.archive_filter_bytes(conversion->from, 0)
               : conversion->read_bytes;
}

/* Returns true for a bomb: a small file that unpacks to far too much. */
static bool is_bomb(const struct conversion *conversion)
{
    const int64_t header_bytes = position(conversion) - conversion->data_end;

    return header_bytes >
               (is_zip(conversion) ? CONVERT_ZIP_DIRECTORY_MAX : CONVERT_TAR_HEADER_MAX) ||
           position(conversion) - conversion->most >
               (int64_t)conversion->bounds->entries_max * CONVERT_HEADER_BYTES ||
           clock_thread_us() - conversion->begun_us > CONVERT_S * INT64_C(1000000);
}

/* Reads the next part of the archive, unless the archive unpacks to far too many bytes (a bomb). */
static la_ssize_t read_part(struct archive *archive, void *context, const void **part)
{
    struct conversion *conversion = context;
    la_ssize_t got;

    *part = conversion->part;
    if (is_bomb(conversion)) {
        conversion->is_too_large = true;
        library.archive_set_error(archive, EFBIG, "too large");
        return -1;
    }
    got = read(conversion->from_fd, conversion->part, CONVERT_PART_BYTES);
    conversion->read_bytes += got > 0 ? got : 0;
    return got;
}

static la_int64_t seek_part(struct archive *archive, void *context, la_int64_t offset, int whence)
{
    (void)archive;
    return lseek(((const struct conversion *)context)->from_fd, offset, whence);
}

/* Begins to read the archive. gzip within gzip is not read: it could unpack to any size. */
static int open_archive(struct conversion *conversion)
{
    struct archive *from = conversion->from;
    int result;

    conversion->begun_us = clock_thread_us();
    library.archive_read_support_filter_gzip(from);
    library.archive_read_support_format_tar(from);
    library.archive_read_support_format_zip(from);
    library.archive_read_set_read_callback(from, read_part);
    library.archive_read_set_seek_callback(from, seek_part);
    library.archive_read_set_callback_data(from, conversion);
    result = library.archive_read_open1(from);
    return result == ARCHIVE_OK && library.archive_filter_count(from) > 2 ? ARCHIVE_FATAL : result;
}

static const char leads_out[] =
    "this file's name leads out of the bot's folder: pack the folder itself";

/* Reads an entry's path. Returns what is wrong with it; NULL if nothing is. */
static const char *read_name(struct conversion *conversion, struct archive_entry *entry)
{
    const char *path = library.archive_entry_pathname(entry);
    size_t length = 0, size;
    int depth = 0;

    *conversion->name = '\0';
    if (!path || !wire_is_utf8(path, strlen(path)))
        return "this file's name is not UTF-8: rename the file";
    if (*path == '/')
        return leads_out;
    for (const char *part = path; *part; part += size, part += strspn(part, "/")) {
        size = strcspn(part, "/");
        if (size == 1 && *part == '.')
            continue;
        if (size == 2 && strncmp(part, "..", 2) == 0)
            return leads_out;
        if (++depth > CONVERT_DEPTH)
            return "this file lies deeper than 64 folders: pack fewer, one in the other";
        if (length + 1 + size > CONVERT_NAME_BYTES)
            return "this file's name has more than 1024 bytes: shorten it";
        length += (size_t)sprintf(conversion->name + length, "%s%.*s", length ? "/" : "", (int)size,
                                  part);
    }
    return NULL;
}

/* Returns why an entry makes the archive invalid; NULL if the entry is valid. */
static const char *conversion_fault(struct conversion *conversion, struct archive_entry *entry)
{
    const mode_t type = library.archive_entry_filetype(entry);
    const char *link = type == AE_IFLNK ? library.archive_entry_symlink(entry) : "";
    const char *fault;

    conversion->data_end = position(conversion);
    if (is_zip(conversion) && library.archive_filter_count(conversion->from) > 1)
        return "the archive is a compressed zip: send the zip itself";
    fault = read_name(conversion, entry);
    if (fault)
        return fault;
    if (library.archive_entry_hardlink(entry))
        return "this is a hard link: pack the file itself instead of the link";
    if (type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK)
        return "this is a special file, neither a file, a folder nor a link: leave it out";
    if (!link || !wire_is_utf8(link, strlen(link)))
        return "this link's target is not UTF-8: rename the target";
    if (type != AE_IFREG)
        return NULL;
    if (!library.archive_entry_size_is_set(entry) || library.archive_entry_size(entry) < 0)
        return "the archive does not give the size of this file: pack the bot as tar.gz";
    conversion->is_too_large =
        library.archive_entry_size(entry) > conversion->most - conversion->total;
    if (conversion->is_too_large)
        return "the archive's files together have more bytes than a package may have: leave out "
               "what the bot does not need";
    conversion->total += library.archive_entry_size(entry);
    conversion->data_end += library.archive_entry_size(entry);
    return NULL;
}

static int count_entry(struct conversion *conversion, char error[static ARCHIVE_ERROR_BYTES])
{
    if (++conversion->count <= conversion->bounds->entries_max)
        return 0;
    snprintf(error, ARCHIVE_ERROR_BYTES,
             "archive: the archive has more than %d files, folders and links: leave out what the "
             "bot does not need",
             conversion->bounds->entries_max);
    return ARCHIVE_REFUSED;
}

static int fail_to_write(char error[static ARCHIVE_ERROR_BYTES])
{
    refuse(error, "archive", "no room left on the disk of the temporary folder");
    return ARCHIVE_UNWRITTEN;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Writes the folder conversion->name, unless the package has it already. */
static int convert_folder(struct conversion *conversion, char error[static ARCHIVE_ERROR_BYTES])
{
    char *name;
    int result;

    if (tfind(conversion->name, &conversion->folders, compare_names))
        return 0;
    if ((result = count_entry(conversion, error)) < 0)
        return result;
    name = strdup(conversion->name);
    if (!name || !tsearch(name, &conversion->folders, compare_names)) {
        free(name);
        return fail_to_write(error);
    }
    return write_header(conversion->to, conversion->entry, name, AE_IFDIR, true, 0, NULL)
               ? 0
               : fail_to_write(error);
}

/* Writes the folders in which the entry lies, so that unpacking makes nothing that is not listed.
 */
static int convert_folders(struct conversion *conversion, char error[static ARCHIVE_ERROR_BYTES])
{
    int result = 0;

    for (char *slash = conversion->name; !result && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        result = convert_folder(conversion, error);
        *slash = '/';
    }
    return result;
}

static int convert_content(struct conversion *conversion, int64_t left,
                           char error[static ARCHIVE_ERROR_BYTES])
{
    char part[PART_BYTES];

    while (left > 0) {
        la_ssize_t got = library.archive_read_data(conversion->from, part,
                                                   left < PART_BYTES ? (size_t)left : PART_BYTES);

        if (got <= 0) /* the file is damaged, or shorter than its header says */
            return refuse(error, "archive", "the archive is damaged: pack it again");
        if (library.archive_write_data(conversion->to, part, (size_t)got) != got)
            return fail_to_write(error);
        left -= got;
    }
    return 0;
}

/* True for the folder that macOS adds to a zip, and all that lies in it. */
static bool is_of_macos(const char *name)
{
    static const char folder[] = "__MACOSX";
    const size_t size = strlen(folder);

    return strncmp(name, folder, size) == 0 && (name[size] == '/' || name[size] == '\0');
}

static int convert_entry(struct conversion *conversion, struct archive_entry *entry,
                         char error[static ARCHIVE_ERROR_BYTES])
{
    const mode_t type = library.archive_entry_filetype(entry);
    const int64_t size = type == AE_IFREG ? library.archive_entry_size(entry) : 0;
    int result;

    if (!*conversion->name || is_of_macos(conversion->name))
        return 0;
    result = convert_folders(conversion, error);
    if (result == 0 && type == AE_IFDIR)
        return convert_folder(conversion, error);
    if (result == 0)
        result = count_entry(conversion, error);
    if (result == 0 && !write_header(conversion->to, conversion->entry, conversion->name, type,
                                     library.archive_entry_perm(entry) & 0111, size,
                                     library.archive_entry_symlink(entry)))
        result = fail_to_write(error);
    return result ? result : convert_content(conversion, size, error);
}

static int refuse_entry(struct archive_entry *entry, const char *fault, bool is_too_large,
                        char error[static ARCHIVE_ERROR_BYTES])
{
    const char *path = library.archive_entry_pathname(entry);
    char shown[WIRE_TEXT_BYTES_MAX];

    wire_repair_text(shown, path ? path : "", path ? strlen(path) : 0, NAME_MAX);
    refuse(error, *shown ? shown : "archive", fault);
    return is_too_large ? ARCHIVE_TOO_LARGE : ARCHIVE_REFUSED;
}

static int convert_entries(struct conversion *conversion, char error[static ARCHIVE_ERROR_BYTES])
{
    struct archive_entry *entry;
    int result = 0, read = open_archive(conversion);

    while (read == ARCHIVE_OK && result == 0 &&
           (read = library.archive_read_next_header(conversion->from, &entry)) == ARCHIVE_OK) {
        const char *fault = conversion_fault(conversion, entry);

        if (is_over(conversion->bounds))
            result = stop(error, "archive");
        else if (!fault)
            result = convert_entry(conversion, entry, error);
        else
            result = refuse_entry(entry, fault, conversion->is_too_large, error);
    }
    if (conversion->is_too_large && read != ARCHIVE_OK) {
        refuse(error, "archive",
               "the archive unpacks to more bytes than a package may have: leave out what the bot "
               "does not need");
        result = ARCHIVE_TOO_LARGE;
    } else if (result == 0 && read != ARCHIVE_EOF) {
        result = refuse(error, "archive",
                        "the archive is damaged, or is neither a tar, a tar.gz nor a zip");
    }
    return result;
}

int archive_convert(int from_fd, int to_fd, int64_t most, const struct archive_bounds *bounds,
                    char error[static ARCHIVE_ERROR_BYTES])
{
    struct conversion conversion = {.bounds = bounds, .from_fd = from_fd, .most = most};
    int result = ARCHIVE_UNWRITTEN;

    if (!begin("archive", error))
        return result;
    conversion.from = library.archive_read_new();
    conversion.to = library.archive_write_new();
    conversion.entry = library.archive_entry_new();
    if (!conversion.from || !conversion.to || !conversion.entry ||
        lseek(from_fd, 0, SEEK_SET) < 0) {
        refuse(error, "archive", "out of memory");
    } else {
        library.archive_write_set_format_pax_restricted(conversion.to);
        library.archive_write_set_bytes_in_last_block(conversion.to, 1);
        library.archive_write_open_fd(conversion.to, to_fd);
        result = convert_entries(&conversion, error);
        if (library.archive_write_close(conversion.to) != ARCHIVE_OK && result == 0)
            result = fail_to_write(error);
    }
    tdestroy(conversion.folders, free);
    library.archive_entry_free(conversion.entry);
    library.archive_read_free(conversion.from);
    library.archive_write_free(conversion.to);
    return result;
}

int archive_write(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);

        if (written < 0)
            return -errno;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}
