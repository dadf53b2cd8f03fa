/* SPDX-License-Identifier: MIT */
#include "arena/site/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/file.h"
#include "arena/base/memory.h"
#include "arena/base/mix.h"
#include "arena/site/gzip.h"

/* The file that marks a folder as a site that the arena wrote. */
static const char mark[] = "site.txt";
static const char mark_text[] = "Written by `arena publish`, which replaces this folder.\n";

/*
 * The file that lists the files of a site: a line with the form in hex and the number of files,
 * then a line "NAME FACTS" for each, with FACTS as struct page_facts in hex. In memory, a list is a
 * JSON object {NAME: FACTS}.
 */
static const char keys[] = "site.keys";

enum {
    DEPTH_MAX = 32, /* deeper folders are not emptied */
    FOLDER_MODE = 0755,
    FILE_MODE = 0644,
};

#define PACKED ".gz" /* ending of the name of a compressed file */

/* What the arena knows of a file that it wrote. */
struct page_facts {
    uint64_t key; /* the caller's number for what the file shows; 0: none */
    uint64_t sum; /* mix_bytes of the file's bytes */
    uint64_t size_bytes, inode, changed_ns;
};

int folder_fail(struct folder *folder, int error, const char *format, ...)
{
    va_list arguments;

    if (folder->failed)
        return folder->failed;
    va_start(arguments, format);
    vsnprintf(folder->error, sizeof folder->error, format, arguments);
    va_end(arguments);
    return folder->failed = error;
}

/* ---- the list of a site's files ---- */

static bool find_facts(const json_t *files, const char *name, struct page_facts *facts)
{
    uint64_t *const numbers[] = {&facts->key, &facts->sum, &facts->size_bytes, &facts->inode,
                                 &facts->changed_ns};
    const char *at = json_string_value(json_object_get(files, name));
    size_t read = 0;

    for (char *end; at && *at && read < sizeof numbers / sizeof *numbers; at = end)
        *numbers[read++] = strtoull(at, &end, 16);
    return read == sizeof numbers / sizeof *numbers;
}

/* Adds a file to the list of the new site. Takes over the caller's reference to its facts. */
static bool add_text(struct folder *folder, const char *name, json_t *text)
{
    if (json_object_set_new(folder->files, name, text) == 0)
        return true;
    folder_fail(folder, -ENOMEM, "out of memory");
    return false;
}

static bool add_facts(struct folder *folder, const char *name, const struct page_facts *facts)
{
    return add_text(folder, name,
                    json_sprintf("%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
                                 facts->key, facts->sum, facts->size_bytes, facts->inode,
                                 facts->changed_ns));
}

/* Copies what the disk says about a file. */
static void take_status(struct page_facts *facts, const struct stat *status)
{
    facts->size_bytes = (uint64_t)status->st_size;
    facts->inode = status->st_ino;
    facts->changed_ns =
        (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* True if the file still looks on disk as it did when the arena wrote it. */
static bool is_unchanged(const struct page_facts *facts, const struct stat *status)
{
    struct page_facts now = *facts;

    take_status(&now, status);
    return S_ISREG(status->st_mode) && (status->st_mode & FILE_MODE) == FILE_MODE &&
           now.size_bytes == facts->size_bytes && now.inode == facts->inode &&
           now.changed_ns == facts->changed_ns;
}

/* ---- folders ---- */

static int open_folder(int parent_fd, const char *name)
{
    return openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Opens a folder for reading its entries. Does not close fd. */
static DIR *list_folder(int fd)
{
    int own_fd = open_folder(fd, ".");
    DIR *dir = own_fd >= 0 ? fdopendir(own_fd) : NULL;

    if (!dir && own_fd >= 0)
        close(own_fd);
    return dir;
}

/* Returns the name of the folder's next entry except "." and ".."; NULL after the last entry. */
static const char *next_name(DIR *dir)
{
    const struct dirent *entry;

    do
        entry = readdir(dir);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

/* True if the folder has no file but the mark, which may be without its text. */
static bool is_empty(int fd)
{
    DIR *dir = list_folder(fd);
    const char *name = NULL;

    while (dir && (name = next_name(dir)) && strcmp(name, mark) == 0)
        continue;
    if (dir)
        closedir(dir);
    return dir && !name;
}

/*
 * True if the arena may replace the folder: the folder is empty or has the mark of a site. If the
 * arena is killed while it writes its first file, the mark lacks its text.
 */
static bool is_ours(int fd)
{
    char text[sizeof mark_text];
    int mark_fd = openat(fd, mark, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t size;

    if (mark_fd < 0)
        return errno == ENOENT && is_empty(fd);
    size = read(mark_fd, text, sizeof text);
    close(mark_fd);
    return size >= 0 && memcmp(text, mark_text, (size_t)size) == 0 &&
           (size == (ssize_t)sizeof mark_text - 1 || is_empty(fd));
}

/*
 * Removes every file below the folder fd except the listed files and the file named kept. path is
 * the folder's path within the site, "" for the site's own folder.
 */
static void remove_others(int fd, const char *path, const json_t *files, const char *kept,
                          int depth)
{
    DIR *dir = depth < DEPTH_MAX ? list_folder(fd) : NULL;
    const char *name;

    while (dir && (name = next_name(dir))) {
        char inner[PATH_MAX];
        int inner_fd;

        if (snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "/" : "", name) >=
                (int)sizeof inner ||
            json_object_get(files, inner) || strcmp(inner, kept) == 0 ||
            unlinkat(fd, name, 0) == 0 || errno != EISDIR)
            continue;
        inner_fd = open_folder(fd, name);
        if (inner_fd < 0)
            continue;
        remove_others(inner_fd, inner, files, kept, depth + 1);
        close(inner_fd);
        unlinkat(fd, name, AT_REMOVEDIR); /* fails, as it should, if the folder is not empty */
    }
    if (dir)
        closedir(dir);
}

/*
 * Removes a site that the arena wrote. fd is the site's folder, name its name in the parent folder.
 * Removes the mark last, so that the remains can still be recognized as a site if the arena is
 * killed meanwhile.
 */
static void remove_site(const struct folder *folder, const char *name, int fd)
{
    remove_others(fd, "", NULL, mark, 0);
    if (unlinkat(fd, mark, 0) == 0 || errno == ENOENT)
        /* Fails, as it should, if the folder is not empty. */
        unlinkat(folder->site.folder_fd, name, AT_REMOVEDIR);
}

/* True if nobody but the arena's user can put files into the folder. */
static bool is_own(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && status.st_uid == geteuid() && !(status.st_mode & 0022);
}

/* ---- beginning ---- */

static void close_site(struct folder *folder)
{
    if (folder->lock_fd >= 0)
        close(folder->lock_fd);
    if (folder->old_fd >= 0)
        close(folder->old_fd);
    place_close(&folder->site);
}

/*
 * Opens the parent folder of the site and, if there is one, the older site. Returns -EEXIST if path
 * may not be replaced: only an empty folder, an older site or a path that does not exist may be.
 */
static int open_site(struct folder *folder, const char *path)
{
    int error;

    memset(folder, 0, sizeof *folder);
    folder->old_fd = folder->lock_fd = -1;
    error = place_open(&folder->site, path);
    if (error == -EINVAL)
        return folder_fail(folder, error,
                           "does not end in a folder's name; add the name of the site's folder");
    if (error)
        return folder_fail(folder, error, "%s", strerror(-error));
    folder->old_fd = open_folder(folder->site.folder_fd, folder->site.name);
    if (folder->old_fd >= 0 ? is_ours(folder->old_fd) : errno == ENOENT)
        return 0;
    error = folder->old_fd >= 0 || errno == ENOTDIR || errno == ELOOP ? -EEXIST : -errno;
    folder_fail(folder, error, "%s",
                folder->old_fd >= 0
                    ? "is a folder with files other than a published site; choose another folder"
                : error == -EEXIST ? "is not a folder; choose another name"
                                   : strerror(-error));
    close_site(folder);
    return error;
}

int folder_check(const char *path, char error[static FOLDER_ERROR_BYTES])
{
    struct folder folder;
    int result = open_site(&folder, path);

    memcpy(error, folder.error, FOLDER_ERROR_BYTES);
    if (result)
        return result;
    close_site(&folder);
    return 0;
}

/*
 * Locks the file .NAME.lock beside the site. Nobody else may open this file, so nobody else can
 * hold its lock; a folder of the site can be opened, and so locked by flock, by everybody. Returns
 * 0 or -errno: -EBUSY if another publication holds the lock.
 */
static int lock_site(struct folder *folder)
{
    struct flock lock = {.l_type = F_WRLCK};
    char name[NAME_MAX + 1];

    snprintf(name, sizeof name, ".%.240s.lock", folder->site.name);
    folder->lock_fd =
        openat(folder->site.folder_fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (folder->lock_fd < 0)
        return folder_fail(folder, -errno, "%s: %s", name, strerror(errno));
    if (!is_own(folder->lock_fd))
        return folder_fail(folder, -EEXIST,
                           "the file %s next to the site is not the arena's: move or remove that "
                           "file",
                           name);
    if (fcntl(folder->lock_fd, F_OFD_SETLK, &lock) < 0)
        return folder_fail(folder, -EBUSY,
                           "another publication is under way; try again when it ends");
    return 0;
}

/*
 * Opens the spare folder; creates the folder if it does not exist. Returns 0 or -errno: -EEXIST if
 * the arena did not write the folder, or others can write to it: whatever they left there would
 * become part of the site.
 */
static int take_spare(struct folder *folder)
{
    int fd;

    folder->is_fresh = mkdirat(folder->site.folder_fd, folder->spare, FOLDER_MODE) == 0;
    if (!folder->is_fresh && errno != EEXIST)
        return -errno;
    fd = open_folder(folder->site.folder_fd, folder->spare);
    if (fd < 0)
        return -errno;
    if (is_ours(fd) && is_own(fd) && fchmod(fd, FOLDER_MODE) == 0) {
        folder->new_fd = fd;
        return 0;
    }
    close(fd);
    return -EEXIST;
}

/* Reads the older site's list of files, if that is whole and its pages were written in this form.
 */
static void read_keys(struct folder *folder)
{
    int fd = openat(folder->old_fd, keys, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *file = fd >= 0 ? fdopen(fd, "re") : NULL;
    json_t *files = json_object();
    char *line = NULL, *facts;
    size_t size = 0, count = 0;
    uint64_t form = 0;
    ssize_t length;

    if (file && getline(&line, &size, file) > 0 &&
        sscanf(line, "%" SCNx64 " %zu\n", &form, &count) == 2 && form == folder->form)
        while ((length = getline(&line, &size, file)) > 0 && line[length - 1] == '\n' &&
               (facts = strchr(line, ' '))) {
            line[length - 1] = *facts++ = '\0';
            json_object_set_new(files, line, json_string(facts));
        }
    if (count > 0 && json_object_size(files) == count)
        folder->old_files = json_incref(files);
    json_decref(files);
    free(line);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
}

int folder_begin(struct folder *folder, const char *path, uint64_t form, const char *const *common)
{
    int error = open_site(folder, path);

    if (error)
        return error;
    folder->form = form;
    snprintf(folder->spare, sizeof folder->spare, ".%.240s.spare", folder->site.name);
    error = lock_site(folder);
    if (!error)
        error = take_spare(folder);
    if (error) {
        if (error == -EEXIST)
            folder_fail(
                folder, error,
                "the folder %s next to the site is not the arena's: move or remove that folder",
                folder->spare);
        else
            folder_fail(folder, error, "%s: %s", folder->spare, strerror(-error));
        close_site(folder);
        return error;
    }
    folder->files = json_object();
    folder->gzip = gzip_create(common);
    if (folder->old_fd >= 0 && is_own(folder->old_fd))
        read_keys(folder);
    if (folder_page(folder, mark, 0)) {
        fputs(mark_text, folder->page);
        folder_put_page(folder, 0);
    }
    if (folder->failed)
        folder_abandon(folder);
    return folder->failed;
}

/* ---- files ---- */

/* Creates a folder that a web server can read, whatever the umask. */
static void make_folder(struct folder *folder, int fd, const char *path)
{
    if (mkdirat(fd, path, FOLDER_MODE) == 0 && fchmodat(fd, path, FOLDER_MODE, 0) < 0)
        folder_fail(folder, -errno, "%s: %s", path, strerror(errno));
}

/* Creates the folders on the path of a file below the site's folder fd. */
static void make_parents(struct folder *folder, int fd, const char *name)
{
    const char *end = strrchr(name, '/');
    size_t size = end ? (size_t)(end - name) : 0;
    char path[FOLDER_NAME_BYTES];

    if (size == 0 || (strncmp(folder->made, name, size) == 0 && folder->made[size] == '\0'))
        return;
    memcpy(path, name, size);
    path[size] = '\0';
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        make_folder(folder, fd, path);
        *slash = '/';
    }
    make_folder(folder, fd, path);
    memcpy(folder->made, path, size + 1);
}

/*
 * Links a file of the folder from_fd into the folder to_fd, where it replaces a file of the same
 * name. Returns false if the file no longer looks as the facts say.
 */
static bool share(struct folder *folder, int from_fd, int to_fd, const char *name,
                  const struct page_facts *facts)
{
    struct stat status, other;

    if (fstatat(from_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !is_unchanged(facts, &status))
        return false;
    if (!folder->is_fresh && fstatat(to_fd, name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
        other.st_ino == status.st_ino && other.st_dev == status.st_dev)
        return true;
    make_parents(folder, to_fd, name);
    if (linkat(from_fd, name, to_fd, name, 0) == 0)
        return true;
    return errno == EEXIST && unlinkat(to_fd, name, 0) == 0 &&
           linkat(from_fd, name, to_fd, name, 0) == 0;
}

/*
 * Keeps what the older site has compressed of a file, before the file itself. Returns false if that
 * is not what the arena wrote: then the file is written anew.
 */
static bool keep_packed(struct folder *folder, const char *name)
{
    char packed[FOLDER_NAME_BYTES + sizeof PACKED];
    struct page_facts facts;

    snprintf(packed, sizeof packed, "%s" PACKED, name);
    return !find_facts(folder->old_files, packed, &facts) ||
           (share(folder, folder->old_fd, folder->new_fd, packed, &facts) &&
            add_text(folder, packed, json_incref(json_object_get(folder->old_files, packed))));
}

bool folder_keep(struct folder *folder, const char *name, uint64_t key)
{
    struct page_facts old;

    if (folder->failed)
        return true;
    if (!key || !find_facts(folder->old_files, name, &old) || old.key != key ||
        !keep_packed(folder, name) || !share(folder, folder->old_fd, folder->new_fd, name, &old) ||
        !add_text(folder, name, json_incref(json_object_get(folder->old_files, name))))
        return false;
    folder->kept_count++;
    return true;
}

json_t *folder_names(const struct folder *folder, const char *path)
{
    int fd = folder->old_fd >= 0 ? open_folder(folder->old_fd, path) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    json_t *names = json_object();
    const char *name;

    while (dir && (name = next_name(dir)))
        json_object_set_new(names, name, json_true());
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return names;
}

FILE *folder_page(struct folder *folder, const char *name, uint64_t key)
{
    if (folder_keep(folder, name, key))
        return NULL;
    if (snprintf(folder->name, sizeof folder->name, "%s", name) >= (int)sizeof folder->name) {
        folder_fail(folder, -ENAMETOOLONG, "%.100s: name too long", name);
        return NULL;
    }
    return folder->page = memory_stream(&folder->bytes, &folder->size);
}

/* Writes a new file, and records in facts how the file looks on disk. Returns 0 or -errno. */
static int write_new(int folder_fd, const char *name, const char *bytes, size_t size,
                     struct page_facts *facts)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = openat(folder_fd, name, flags, FILE_MODE);
    struct stat status;
    int error;

    if (fd < 0 && errno == EEXIST && unlinkat(folder_fd, name, 0) == 0)
        fd = openat(folder_fd, name, flags, FILE_MODE);
    error = fd < 0 || fchmod(fd, FILE_MODE) < 0 ? -errno : file_write_all(fd, bytes, size);
    if (!error && fstat(fd, &status) < 0)
        error = -errno;
    if (!error)
        take_status(facts, &status);
    if (fd >= 0 && close(fd) < 0 && !error)
        error = -errno;
    return error;
}

/* Writes a new file to the folder aside. */
static bool write_file(struct folder *folder, const char *name, const char *bytes, size_t size,
                       struct page_facts *facts)
{
    const int error = write_new(folder->new_fd, name, bytes, size, facts);

    if (error) {
        folder_fail(folder, error, "%s/%s: %s", folder->spare, name, strerror(-error));
        return false;
    }
    folder->written_count++;
    return true;
}

/* True for a file whose text compresses well. */
static bool is_text(const char *name)
{
    static const char *const endings[] = {".html", ".json", ".js",  ".css",
                                          ".svg",  ".xml",  ".csv", NULL};
    const char *end = strrchr(name, '.');

    for (const char *const *ending = endings; end && *ending; ending++)
        if (strcmp(end, *ending) == 0)
            return true;
    return false;
}

/* Writes what gzip makes of the page that the caller wrote beside it. */
static void write_packed(struct folder *folder)
{
    char name[FOLDER_NAME_BYTES + sizeof PACKED];
    struct page_facts facts = {0};
    const uint8_t *packed;
    size_t size = 0;
    int error;

    if (folder->gzip && folder->size >= FOLDER_PACKED_BYTES && is_text(folder->name))
        size = gzip_pack(folder->gzip, folder->bytes, folder->size, &packed);
    if (size == 0)
        return;
    snprintf(name, sizeof name, "%s" PACKED, folder->name);
    error = write_new(folder->new_fd, name, (const char *)packed, size, &facts);
    if (error)
        folder_fail(folder, error, "%s/%s: %s", folder->spare, name, strerror(-error));
    else
        add_facts(folder, name, &facts);
}

/* ---- pages ---- */

/* Keeps the older site's file if that has the bytes that the facts describe. */
static bool keep_equal(struct folder *folder, const struct page_facts *facts)
{
    struct page_facts old;

    if (!find_facts(folder->old_files, folder->name, &old) || old.sum != facts->sum ||
        old.size_bytes != facts->size_bytes)
        return false;
    old.key = facts->key;
    if (!keep_packed(folder, folder->name) ||
        !share(folder, folder->old_fd, folder->new_fd, folder->name, &old) ||
        !add_facts(folder, folder->name, &old))
        return false;
    folder->kept_count++;
    return true;
}

void folder_put_page(struct folder *folder, uint64_t key)
{
    struct page_facts facts = {.key = key};

    memory_stream_end(folder->page);
    facts.sum = mix_bytes(0, folder->bytes, folder->size);
    facts.size_bytes = folder->size;
    if (!folder->failed && !keep_equal(folder, &facts)) {
        make_parents(folder, folder->new_fd, folder->name);
        if (write_file(folder, folder->name, folder->bytes, folder->size, &facts)) {
            add_facts(folder, folder->name, &facts);
            write_packed(folder);
        }
    }
    free(folder->bytes);
    folder->bytes = NULL;
}

/* ---- ending ---- */

static void write_keys(struct folder *folder)
{
    struct page_facts facts;
    const char *name;
    json_t *file;
    char *text;
    size_t size;
    FILE *list = memory_stream(&text, &size);

    fprintf(list, "%" PRIx64 " %zu\n", folder->form, json_object_size(folder->files));
    json_object_foreach(folder->files, name, file)
    {
        fprintf(list, "%s %s\n", name, json_string_value(file));
    }
    memory_stream_end(list);
    write_file(folder, keys, text, size, &facts);
    free(text);
}

/*
 * Removes from the spare, which was the site until now, every file that the new site has in another
 * form or not at all: a page may show what its author had the arena erase. The mark stays, without
 * which the next publication would refuse the spare.
 */
static void remove_replaced(struct folder *folder)
{
    const char *name;
    json_t *text;

    unlinkat(folder->old_fd, keys, 0);
    json_object_foreach(folder->old_files, name, text)
    {
        if (strcmp(name, mark) != 0 && !json_equal(text, json_object_get(folder->files, name)))
            unlinkat(folder->old_fd, name, 0);
    }
}

/* Makes the new folder the site, and the older site the spare. */
static void exchange(struct folder *folder)
{
    int parent_fd = folder->site.folder_fd;
    bool first = folder->old_fd < 0;

    write_keys(folder);
    if (folder->failed)
        return;
    remove_others(folder->new_fd, "", folder->files, keys, 0);
    if (renameat2(parent_fd, folder->spare, parent_fd, folder->site.name,
                  first ? RENAME_NOREPLACE : RENAME_EXCHANGE) < 0) {
        folder_fail(folder, -errno, "cannot be exchanged: %s", strerror(errno));
    } else if (folder->old_files) {
        remove_replaced(folder);
    } else if (!first) {
        remove_site(folder, folder->spare, folder->old_fd);
    }
}

int folder_commit(struct folder *folder)
{
    if (!folder->failed && !json_equal(folder->files, folder->old_files))
        exchange(folder);
    if (folder->failed) /* whatever in the spare stopped the publication is gone for the next one */
        remove_site(folder, folder->spare, folder->new_fd);
    folder_abandon(folder);
    return folder->failed;
}

void folder_abandon(struct folder *folder)
{
    gzip_destroy(folder->gzip);
    close(folder->new_fd);
    close_site(folder);
    json_decref(folder->old_files);
    json_decref(folder->files);
}
