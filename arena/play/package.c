/* SPDX-License-Identifier: MIT */
#include "arena/play/package.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/base/memory.h"
#include "arena/base/tree.h"
#include "sdk/wire.h"

/* ---- bot.json ---- */

const char *const manifest_keys[] = {"name",  "version", "author",    "language", "run",
                                     "build", "keep",    "processes", NULL};

__attribute__((format(printf, 2, 3))) static int refuse_key(char error[static MANIFEST_ERROR_BYTES],
                                                            const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, MANIFEST_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return -1;
}

/*
 * Reads a short text without control characters. jansson has already checked that the text is
 * UTF-8.
 */
static int read_text(const json_t *root, const char *key, char text[static WIRE_NAME_BYTES_MAX + 1],
                     char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, key);
    const char *string = json_string_value(value);

    if (!value)
        return 0;
    if (!string)
        return refuse_key(error, "\"%s\" is not a string", key);
    if (json_string_length(value) > WIRE_NAME_BYTES_MAX)
        return refuse_key(error, "\"%s\" is longer than 64 bytes", key);
    for (const unsigned char *byte = (const unsigned char *)string; *byte; byte++)
        if (*byte < 0x20 || *byte == 0x7f)
            return refuse_key(error, "\"%s\" has a control character", key);
    strcpy(text, string);
    return 0;
}

/*
 * Reads an array of strings to *argv, which stays NULL if the key is missing. `what` is the error
 * message for a value that is no such array.
 */
static int read_strings(const json_t *root, const char *key, const char *what, char ***argv,
                        char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, key);
    size_t count = json_array_size(value);

    if (!value)
        return 0;
    if (count == 0 || count > MANIFEST_ARGUMENTS_MAX)
        return refuse_key(error, "\"%s\" is not %s", key, what);
    *argv = memory_need((count + 1) * sizeof **argv);
    memset(*argv, 0, (count + 1) * sizeof **argv);
    for (size_t i = 0; i < count; i++) {
        const char *argument = json_string_value(json_array_get(value, i));

        if (!argument || (i == 0 && !*argument))
            return refuse_key(error, "\"%s\" is not %s", key, what);
        (*argv)[i] = memory_need(strlen(argument) + 1);
        strcpy((*argv)[i], argument);
    }
    return 0;
}

static int read_argv(const json_t *root, const char *key, char ***argv,
                     char error[static MANIFEST_ERROR_BYTES])
{
    return read_strings(root, key, "an array of 1 to 64 strings: the program and its arguments",
                        argv, error);
}

/* True for a path of one or more names, none of which is "." or "..". */
static bool is_path_within(const char *path)
{
    for (;;) {
        const size_t size = strcspn(path, "/");

        if (size == 0 || (size <= 2 && strncmp(path, "..", size) == 0))
            return false;
        if (!path[size])
            return true;
        path += size + 1;
    }
}

static int read_keep(const json_t *root, struct manifest *manifest,
                     char error[static MANIFEST_ERROR_BYTES])
{
    static const char what[] = "an array of 1 to 64 paths in the bot's folder, such as "
                               "\"target/release/bot\"";
    int result = read_strings(root, "keep", what, &manifest->keep, error);

    for (char **path = manifest->keep; result == 0 && path && *path; path++) {
        if (!is_path_within(*path))
            result = refuse_key(error, "\"keep\" is not %s", what);
        else if (strlen(*path) > MANIFEST_PATH_BYTES_MAX)
            result =
                refuse_key(error, "\"keep\" has a path longer than 1024 bytes: shorten the path");
    }
    if (result == 0 && manifest->keep && !manifest->build)
        result = refuse_key(
            error, "\"keep\" names files that a build makes, but the manifest has no \"build\": "
                   "add \"build\", or remove \"keep\"");
    return result;
}

static int read_process_count(const json_t *root, int *process_count,
                              char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, "processes");

    *process_count = 1;
    if (!value)
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > MANIFEST_PROCESSES_MAX)
        return refuse_key(error, "\"processes\" is not a whole number from 1 to 64");
    *process_count = (int)json_integer_value(value);
    return 0;
}

static bool is_known(const char *key)
{
    for (const char *const *known = manifest_keys; *known; known++)
        if (strcmp(key, *known) == 0)
            return true;
    return false;
}

/*
 * Refuses an unknown key, because it may be a misspelt key, which the arena would otherwise ignore.
 */
static int find_unknown_key(json_t *root, char error[static MANIFEST_ERROR_BYTES])
{
    char shown[65], keys[128] = "";
    const char *key;
    json_t *value;

    json_object_foreach(root, key, value)
    {
        if (is_known(key))
            continue;
        snprintf(shown, sizeof shown, "%s", key);
        for (char *byte = shown; *byte; byte++)
            if ((unsigned char)*byte < 0x20 || (unsigned char)*byte >= 0x7f)
                *byte = '?';
        for (const char *const *known = manifest_keys; *known; known++)
            snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", *keys ? ", " : "",
                     *known);
        return refuse_key(error, "\"%s\" is an unknown key: a manifest has the keys %s", shown,
                          keys);
    }
    return 0;
}

static int read_keys(struct manifest *manifest, json_t *root,
                     char error[static MANIFEST_ERROR_BYTES])
{
    if (!json_is_object(root))
        return refuse_key(error, "is not a JSON object");
    if (read_text(root, "name", manifest->name, error) ||
        read_text(root, "version", manifest->version, error) ||
        read_text(root, "author", manifest->author, error) ||
        read_text(root, "language", manifest->language, error) ||
        read_argv(root, "run", &manifest->run, error) ||
        read_argv(root, "build", &manifest->build, error) || read_keep(root, manifest, error) ||
        read_process_count(root, &manifest->process_count, error) || find_unknown_key(root, error))
        return -1;
    if (!manifest->run)
        return refuse_key(error, "\"run\" is missing: name the program that starts the bot, as in "
                                 "\"run\": [\"./mybot\"]");
    return 0;
}

int manifest_parse(struct manifest *manifest, const char *text, size_t size,
                   char error[static MANIFEST_ERROR_BYTES])
{
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    int result;

    *manifest = (struct manifest){0};
    if (!root) {
        const bool has_nul = json_error_code(&where) == json_error_null_character;
        const bool is_marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;

        snprintf(error, MANIFEST_ERROR_BYTES, "is not valid JSON: line %d: %s", where.line,
                 has_nul     ? "a text contains \\u0000: remove this character"
                 : is_marked ? "it begins with a byte order mark: save it as UTF-8 without one"
                             : where.text);
        return -1;
    }
    result = read_keys(manifest, root, error);
    if (result < 0)
        manifest_finish(manifest);
    json_decref(root);
    return result;
}

static void free_argv(char **argv)
{
    for (char **argument = argv; argument && *argument; argument++)
        free(*argument);
    free(argv);
}

void manifest_finish(struct manifest *manifest)
{
    free_argv(manifest->run);
    free_argv(manifest->keep);
    free_argv(manifest->build);
    *manifest = (struct manifest){0};
}

/* ---- files ---- */

enum {
    COPY_BUFFER_BYTES = 65536,
    PATH_BYTES_MAX =
        MANIFEST_PATH_BYTES_MAX +
        1, /* shorter than PATH_MAX, so that the arena can put its own folder before the path */
    LINK_BYTES_MAX = 4096,
    DEPTH_MAX = 64, /* maximum depth of nested folders */
};

/* A file, folder or link of the source, as `gather` found it. */
struct entry {
    char *path;
    mode_t mode;
};

struct copy {
    int source_fd;        /* descriptor of the source folder */
    int target_fd;        /* descriptor of the target folder, or -1 */
    const char *target;   /* path of the target folder or file */
    const char *left_out; /* path that does not go into the hash, or NULL */
    struct entry *entries;
    size_t entry_count;
    int64_t bytes; /* number of bytes copied so far */
    struct sha256_ctx hash;
    char *error;
};

static int refuse(struct copy *copy, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct copy *copy, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(copy->error, PACKAGE_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return PACKAGE_REFUSED;
}

/* Reports a failure that the bot's author cannot fix. path is "" for the whole package. */
static int fail(struct copy *copy, const char *path, const char *what, int error)
{
    refuse(copy, "%s%s%s: %s", path, *path ? ": " : "", what, strerror(error));
    return PACKAGE_FAILED;
}

/*
 * Reports that the copy could not be written, which is the organizer's concern. path is "" for the
 * whole package.
 */
static int fail_to_copy(struct copy *copy, const char *path, int error)
{
    bool full = error == ENOSPC || error == EDQUOT;

    refuse(copy, "%s%scannot be copied to %s: %s%s", path, *path ? ": " : "", copy->target,
           strerror(error), full ? ": make room there, or set TMPDIR to another folder" : "");
    return PACKAGE_FAILED;
}

static int fail_to_read(struct copy *copy, const char *path, int error)
{
    int result = fail(copy, path, "cannot be read", error);

    return package_is_arenas_error(error) ? result : PACKAGE_REFUSED;
}

static int add_entry(struct copy *copy, const char *path, mode_t mode)
{
    struct entry entry = {strdup(path), mode};

    if (!entry.path || ARRAY_GROW(copy->entries, copy->entry_count, 1) < 0) {
        free(entry.path);
        return fail(copy, "", "the files of the folder cannot be listed", ENOMEM);
    }
    copy->entries[copy->entry_count++] = entry;
    return copy->entry_count > PACKAGE_FILES_MAX
               ? refuse(copy, "holds more than %d files", PACKAGE_FILES_MAX)
               : 0;
}

static int refuse_name(struct copy *copy, const char *folder, const char *name)
{
    char repaired[WIRE_TEXT_BYTES_MAX];

    wire_repair_text(repaired, name, strlen(name), NAME_MAX);
    return refuse(copy, "%s%s%s: the file's name is not UTF-8: rename the file", folder,
                  *folder ? "/" : "", repaired);
}

/* Collects all files, folders and links below path ("" for the folder itself). */
static int gather(struct copy *copy, const char *path, int depth)
{
    int folder_fd = tree_open_below(copy->source_fd, *path ? path : ".", O_RDONLY | O_DIRECTORY);
    DIR *folder = folder_fd < 0 ? NULL : fdopendir(folder_fd);
    const struct dirent *entry;
    int result = 0;

    if (!folder) {
        result = fail_to_read(copy, path, errno);
        if (folder_fd >= 0)
            close(folder_fd);
        return result;
    }
    if (depth > DEPTH_MAX)
        result = refuse(copy, "%s: folders are nested deeper than %d", path, DEPTH_MAX);
    while (result == 0 && (errno = 0, entry = readdir(folder))) {
        char below[PATH_BYTES_MAX];
        struct stat status;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (!wire_is_utf8(entry->d_name, strlen(entry->d_name)))
            result = refuse_name(copy, path, entry->d_name);
        else if (snprintf(below, sizeof below, "%s%s%s", path, *path ? "/" : "", entry->d_name) >=
                 (int)sizeof below)
            result = refuse(copy, "%.200s...: the path is longer than %d bytes: shorten the path",
                            path, PATH_BYTES_MAX - 1);
        else if (fstatat(folder_fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
            result = fail_to_read(copy, below, errno);
        else
            result = add_entry(copy, below, status.st_mode);
        if (result == 0 && S_ISDIR(status.st_mode))
            result = gather(copy, below, depth + 1);
    }
    if (result == 0 && errno)
        result = fail_to_read(copy, path, errno);
    closedir(folder);
    return result;
}

static void hash_entry(struct copy *copy, const char *path, const char *mode, int64_t size)
{
    char number[24];
    int digits = snprintf(number, sizeof number, "%" PRId64, size);

    sha256_update(&copy->hash, strlen(path) + 1, (const uint8_t *)path);
    sha256_update(&copy->hash, strlen(mode) + 1, (const uint8_t *)mode);
    sha256_update(&copy->hash, (size_t)digits + 1, (const uint8_t *)number);
}

/* Creates a file in the target. Returns a descriptor or a package_result. */
static int make_file(struct copy *copy, const char *path, bool executable)
{
    const int file_fd =
        openat(copy->target_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int result;

    if (file_fd >= 0 && fchmod(file_fd, executable ? 0755 : 0644) == 0)
        return file_fd;
    result = fail_to_copy(copy, path, errno);
    if (file_fd >= 0)
        close(file_fd);
    return result;
}

/* Copies and hashes exactly size bytes. path is "" if the package is a single file. */
static int copy_content(struct copy *copy, int from_fd, int to_fd, const char *path, int64_t size)
{
    uint8_t buffer[COPY_BUFFER_BYTES];

    if (size > PACKAGE_BYTES_MAX - copy->bytes)
        return refuse(
            copy,
            "the package is larger than %d MiB: remove files that builds and tests left there",
            PACKAGE_BYTES_MAX >> 20);
    copy->bytes += size;
    for (int64_t left = size; left > 0;) {
        size_t part = left < COPY_BUFFER_BYTES ? (size_t)left : COPY_BUFFER_BYTES;
        ssize_t got = read(from_fd, buffer, part);
        ssize_t put;

        if (got < 0)
            return fail_to_read(copy, path, errno);
        if (got == 0)
            return refuse(copy, "%s%schanged while it was read", path, *path ? ": " : "");
        sha256_update(&copy->hash, (size_t)got, buffer);
        if (to_fd >= 0 && (put = write(to_fd, buffer, (size_t)got)) != got)
            return fail_to_copy(copy, path, put < 0 ? errno : ENOSPC);
        left -= got;
    }
    return 0;
}

static int copy_file(struct copy *copy, const char *path)
{
    int from_fd = tree_open_below(copy->source_fd, path, O_RDONLY | O_NONBLOCK);
    int to_fd = -1;
    struct stat status;
    bool executable;
    int result;

    if (from_fd < 0 || fstat(from_fd, &status) < 0) {
        result = fail_to_read(copy, path, errno);
        goto out;
    }
    if (!S_ISREG(status.st_mode)) {
        result = refuse(copy, "%s: changed while it was read", path);
        goto out;
    }
    executable = status.st_mode & 0111;
    hash_entry(copy, path, executable ? "100755" : "100644", status.st_size);
    if (copy->target_fd >= 0) {
        to_fd = make_file(copy, path, executable);
        if (to_fd < 0) {
            result = to_fd;
            goto out;
        }
    }
    result = copy_content(copy, from_fd, to_fd, path, status.st_size);
out:
    if (to_fd >= 0)
        close(to_fd);
    if (from_fd >= 0)
        close(from_fd);
    return result;
}

static int copy_link(struct copy *copy, const char *path)
{
    int link_fd = tree_open_below(copy->source_fd, path, O_PATH);
    char link[LINK_BYTES_MAX];
    ssize_t size = link_fd < 0 ? -1 : readlinkat(link_fd, "", link, sizeof link - 1);
    int error = errno;

    if (link_fd >= 0)
        close(link_fd);
    if (size < 0)
        return fail_to_read(copy, path, error);
    link[size] = '\0';
    if (!wire_is_utf8(link, (size_t)size))
        return refuse(copy, "%s: links to a name that is not UTF-8: rename the link's target",
                      path);
    hash_entry(copy, path, "120777", size);
    sha256_update(&copy->hash, (size_t)size, (const uint8_t *)link);
    return copy->target_fd >= 0 && symlinkat(link, copy->target_fd, path) < 0
               ? fail_to_copy(copy, path, errno)
               : 0;
}

static int copy_folder(struct copy *copy, const char *path)
{
    hash_entry(copy, path, "040755", 0);
    return copy->target_fd >= 0 && (mkdirat(copy->target_fd, path, 0755) < 0 ||
                                    fchmodat(copy->target_fd, path, 0755, 0) < 0)
               ? fail_to_copy(copy, path, errno)
               : 0;
}

/*
 * Copies an entry as what `gather` found there, whatever its author has put in its place since. So
 * a path of the target leads through folders only, never through a link.
 */
static int copy_entry(struct copy *copy, const struct entry *entry)
{
    if (S_ISREG(entry->mode))
        return copy_file(copy, entry->path);
    if (S_ISDIR(entry->mode))
        return copy_folder(copy, entry->path);
    if (S_ISLNK(entry->mode))
        return copy_link(copy, entry->path);
    return refuse(copy, "%s: is neither a file, a folder nor a link: remove this special file",
                  entry->path);
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

/*
 * Copies all files, folders and links in ascending order of their paths, which the hash prescribes.
 */
static int copy_entries(struct copy *copy)
{
    int result = 0;

    if (copy->entry_count > 0)
        qsort(copy->entries, copy->entry_count, sizeof *copy->entries, compare_entries);
    for (size_t i = 0; result == 0 && i < copy->entry_count; i++) {
        const char *path = copy->entries[i].path;

        if (i > 0 && strcmp(path, copy->entries[i - 1].path) == 0)
            return refuse(copy, "%s: changed while it was read", path);
        if (!copy->left_out || strcmp(path, copy->left_out) != 0)
            result = copy_entry(copy, &copy->entries[i]);
    }
    return result;
}

static void write_hash(struct sha256_ctx *context, char hash[static PACKAGE_HASH_CHARS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(hash + 2 * i, "%02x", digest[i]);
}

static void finish(struct copy *copy)
{
    for (size_t i = 0; i < copy->entry_count; i++)
        free(copy->entries[i].path);
    free(copy->entries);
    if (copy->source_fd >= 0)
        close(copy->source_fd);
    if (copy->target_fd >= 0)
        close(copy->target_fd);
}

bool package_is_arenas_error(int error)
{
    switch (error) {
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EINTR:
        return true;
    default:
        return false;
    }
}

static int copy_package(const char *source, struct copy *copy,
                        char hash[static PACKAGE_HASH_CHARS + 1])
{
    int result = 0;

    copy->target_fd = -1;
    sha256_init(&copy->hash);
    copy->source_fd = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy->source_fd < 0)
        result = fail_to_read(copy, "", errno);
    if (result == 0 && copy->target) {
        if (mkdir(copy->target, 0755) < 0 || chmod(copy->target, 0755) < 0 ||
            (copy->target_fd = open(copy->target, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
            result = fail_to_copy(copy, "", errno);
    }
    if (result == 0)
        result = gather(copy, "", 0);
    if (result == 0)
        result = copy_entries(copy);
    write_hash(&copy->hash, hash);
    finish(copy);
    return result;
}

int package_copy(const char *source, const char *target, char hash[static PACKAGE_HASH_CHARS + 1],
                 char error[static PACKAGE_ERROR_BYTES])
{
    return copy_package(source, &(struct copy){.target = target, .error = error}, hash);
}

int package_hash_content(const char *source, char hash[static PACKAGE_HASH_CHARS + 1],
                         char error[static PACKAGE_ERROR_BYTES])
{
    return copy_package(source, &(struct copy){.left_out = "bot.json", .error = error}, hash);
}

int package_copy_file(const char *source, const char *target,
                      char hash[static PACKAGE_HASH_CHARS + 1],
                      char error[static PACKAGE_ERROR_BYTES])
{
    struct copy copy = {.source_fd = -1, .target_fd = -1, .target = target, .error = error};
    int from_fd = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int to_fd = -1;
    struct stat status;
    int result;

    sha256_init(&copy.hash);
    if (from_fd < 0 || fstat(from_fd, &status) < 0) {
        result = fail_to_read(&copy, "", errno);
    } else if (!S_ISREG(status.st_mode)) {
        result = refuse(&copy, "is neither a folder nor a file");
    } else if ((to_fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700)) < 0 ||
               fchmod(to_fd, 0755) < 0) {
        result = fail_to_copy(&copy, "", errno);
    } else {
        result = copy_content(&copy, from_fd, to_fd, "", status.st_size);
    }
    write_hash(&copy.hash, hash);
    if (to_fd >= 0)
        close(to_fd);
    if (from_fd >= 0)
        close(from_fd);
    return result;
}
