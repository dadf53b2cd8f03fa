#include "arena/site/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/season/mix.h"

/* The file that marks a folder as a site that the arena wrote. */
static const char mark[] = "site.txt";
static const char mark_text[] = "Written by `arena publish`, which replaces this folder.\n";

/* The file that lists the files of a site, and the start of its first line. */
static const char keys[] = "site.keys";
static const char heading[] = "arena site keys 1 ";

enum {
    ATTEMPTS = 10, /* attempts of make_temporary to create a temporary folder */
    NAME_BYTES_MAX = 512,
    KEYS_BYTES_MAX = 1 << 28,
    SUM_DIGITS = 16,
    LINE_BYTES_MAX = 1024,
    DEPTH_MAX = 32, /* deeper folders are not emptied */
};

static int fail(struct folder *folder, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct folder *folder, int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(folder->error, sizeof folder->error, format, arguments);
    va_end(arguments);
    return error;
}

/* ---- the list of a site's files ---- */

uint64_t folder_sum(uint64_t sum, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    sum = mix(sum, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        sum = mix(sum, word);
    }
    for (; size > 0; at++, size--)
        sum = mix(sum, *at);
    return sum;
}

static void page_list_finish(struct page_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    free(list->slots);
    memset(list, 0, sizeof *list);
}

/*
 * Returns the slot of a name, or the free slot where the name belongs. At least half of the slots
 * are free.
 */
static uint32_t *slot_of(const struct page_list *list, const char *name)
{
    size_t at = folder_sum(0, name, strlen(name)) & (list->slot_count - 1);

    while (list->slots[at] && strcmp(list->entries[list->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (list->slot_count - 1);
    return &list->slots[at];
}

static int grow(struct page_list *list)
{
    size_t room = list->room ? 2 * list->room : 256;
    struct page_entry *entries = realloc(list->entries, room * sizeof *entries);
    uint32_t *slots = entries ? calloc(2 * room, sizeof *slots) : NULL;

    if (entries)
        list->entries = entries;
    if (!slots)
        return -ENOMEM;
    free(list->slots);
    list->slots = slots;
    list->slot_count = 2 * room;
    list->room = room;
    for (size_t i = 0; i < list->count; i++)
        *slot_of(list, list->entries[i].name) = (uint32_t)i + 1;
    return 0;
}

static int page_list_add(struct page_list *list, const struct page_entry *entry)
{
    struct page_entry *added;

    if (list->count == list->room && grow(list) < 0)
        return -ENOMEM;
    added = &list->entries[list->count];
    *added = *entry;
    added->name = strdup(entry->name);
    if (!added->name)
        return -ENOMEM;
    *slot_of(list, added->name) = (uint32_t)++list->count;
    return 0;
}

static const struct page_entry *page_list_find(const struct page_list *list, const char *name)
{
    uint32_t index = list->count ? *slot_of(list, name) : 0;

    return index ? &list->entries[index - 1] : NULL;
}

/* True if both lists have files of the same names with the same keys, in any order. */
static bool page_list_equal(const struct page_list *list, const struct page_list *other)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct page_entry *entry = &list->entries[i];
        const struct page_entry *found = page_list_find(other, entry->name);

        if (!found || found->inode != entry->inode || found->key != entry->key)
            return false;
    }
    return list->count == other->count;
}

/* Returns a list as text of *size bytes, which the caller frees; NULL if memory runs out. */
static char *page_list_pack(const struct page_list *list, uint64_t form, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    bool failed;

    if (!stream)
        return NULL;
    fprintf(stream, "%s%016" PRIx64 "\n", heading, form);
    for (size_t i = 0; i < list->count; i++) {
        const struct page_entry *entry = &list->entries[i];

        fprintf(stream, "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n",
                entry->key, entry->sum, (uint64_t)entry->size, (uint64_t)entry->inode,
                (uint64_t)entry->changed_ns, entry->name);
    }
    fflush(stream);
    failed = ferror(stream);
    if (!failed)
        fprintf(stream, "%016" PRIx64 "\n", folder_sum(form, text, *size));
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/*
 * Adds the file that one line of site.keys describes. line has no line end. Returns false if the
 * line is invalid or memory runs out.
 */
static bool read_line(struct page_list *list, char *line)
{
    uint64_t numbers[5];
    struct page_entry entry;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;

        numbers[i] = strtoull(line, &end, 16);
        if (end == line || *end != ' ')
            return false;
        line = end + 1;
    }
    entry = (struct page_entry){.name = line,
                                .key = numbers[0],
                                .sum = numbers[1],
                                .size = (int64_t)numbers[2],
                                .inode = (int64_t)numbers[3],
                                .changed_ns = (int64_t)numbers[4]};
    return *line && !page_list_find(list, line) && page_list_add(list, &entry) == 0;
}

/*
 * True if the text ends with the checksum of all bytes before the checksum. Subtracts the
 * checksum's size from *size.
 */
static bool is_whole(const char *text, size_t *size, uint64_t form)
{
    char sum[SUM_DIGITS + 2];

    if (*size < sizeof heading + 2 * (SUM_DIGITS + 1))
        return false;
    *size -= SUM_DIGITS + 1;
    snprintf(sum, sizeof sum, "%016" PRIx64 "\n", folder_sum(form, text, *size));
    return memcmp(text + *size, sum, SUM_DIGITS + 1) == 0;
}

/*
 * Reads a list from text. Returns false and an empty list if the text is damaged or was written for
 * pages of another form.
 */
static bool page_list_unpack(struct page_list *list, const char *text, size_t size, uint64_t form)
{
    char first[sizeof heading + SUM_DIGITS + 2], line[LINE_BYTES_MAX];
    size_t at;

    memset(list, 0, sizeof *list);
    snprintf(first, sizeof first, "%s%016" PRIx64 "\n", heading, form);
    at = strlen(first);
    if (!is_whole(text, &size, form) || size < at || memcmp(text, first, at) != 0)
        return false;
    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t bytes = end ? (size_t)(end - text) - at : 0;

        if (!end || bytes >= sizeof line)
            break;
        memcpy(line, text + at, bytes);
        line[bytes] = '\0';
        if (!read_line(list, line))
            break;
        at += bytes + 1;
    }
    if (at < size)
        page_list_finish(list);
    return at == size;
}

static int64_t changed_ns(const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

/* Copies size, inode and time of change from a file's status to its entry. */
static void page_entry_look(struct page_entry *entry, const struct stat *status)
{
    entry->size = status->st_size;
    entry->inode = (int64_t)status->st_ino;
    entry->changed_ns = changed_ns(status);
}

static bool page_entry_looks_like(const struct page_entry *entry, const struct stat *status)
{
    return S_ISREG(status->st_mode) && entry->size == status->st_size &&
           entry->inode == (int64_t)status->st_ino && entry->changed_ns == changed_ns(status);
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

static bool is_empty(int fd)
{
    DIR *dir = list_folder(fd);
    bool empty = dir && !next_name(dir);

    if (dir)
        closedir(dir);
    return empty;
}

/* True if the arena may replace the folder: the folder is empty or has the mark of a site. */
static bool is_ours(int fd)
{
    char text[sizeof mark_text];
    int mark_fd = openat(fd, mark, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool is;

    if (mark_fd < 0)
        return errno == ENOENT && is_empty(fd);
    is = read(mark_fd, text, sizeof text) == (ssize_t)sizeof mark_text - 1 &&
         memcmp(text, mark_text, sizeof mark_text - 1) == 0;
    close(mark_fd);
    return is;
}

/*
 * Removes every file below the folder fd except the files in the list and the file named kept. path
 * is the folder's path within the site, "" for the site's own folder.
 */
static void remove_others(int fd, const char *path, const struct page_list *list, const char *kept,
                          int depth)
{
    DIR *dir = depth < DEPTH_MAX ? list_folder(fd) : NULL;
    const char *name;

    while (dir && (name = next_name(dir))) {
        char inner[PATH_MAX];
        int inner_fd;

        if (snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "/" : "", name) >=
                (int)sizeof inner ||
            page_list_find(list, inner) || strcmp(inner, kept) == 0 || unlinkat(fd, name, 0) == 0 ||
            errno != EISDIR)
            continue;
        inner_fd = open_folder(fd, name);
        if (inner_fd < 0)
            continue;
        remove_others(inner_fd, inner, list, kept, depth + 1);
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
    static const struct page_list none;

    remove_others(fd, "", &none, mark, 0);
    if (unlinkat(fd, mark, 0) == 0 || errno == ENOENT)
        /* Fails, as it should, if the folder is not empty. */
        unlinkat(folder->site.folder_fd, name, AT_REMOVEDIR);
}

/* True if the entry `name` of the parent folder is the folder that is open as fd. */
static bool is_named(const struct folder *folder, const char *name, int fd)
{
    struct stat status, named;

    return fstat(fd, &status) == 0 &&
           fstatat(folder->site.folder_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           named.st_ino == status.st_ino && named.st_dev == status.st_dev;
}

/* ---- beginning ---- */

/*
 * Opens the parent folder of the site and, if there is one, the older site. Returns -EEXIST if path
 * may not be replaced: only an empty folder, an older site or a path that does not exist may be.
 */
static int open_site(struct folder *folder, const char *path)
{
    int error;

    memset(folder, 0, sizeof *folder);
    folder->old_fd = -1;
    error = place_open(&folder->site, path);
    if (error == -EINVAL)
        return fail(folder, error,
                    "does not end in a folder's name; add the name of the site's folder");
    if (error)
        return fail(folder, error, "%s", strerror(-error));
    folder->old_fd = open_folder(folder->site.folder_fd, folder->site.name);
    if (folder->old_fd >= 0 ? is_ours(folder->old_fd) : errno == ENOENT)
        return 0;
    error = folder->old_fd >= 0 || errno == ENOTDIR || errno == ELOOP ? -EEXIST : -errno;
    fail(folder, error, "%s",
         folder->old_fd >= 0
             ? "is a folder with files other than a published site; choose another folder"
         : error == -EEXIST ? "is not a folder; choose another name"
                            : strerror(-error));
    if (folder->old_fd >= 0)
        close(folder->old_fd);
    place_close(&folder->site);
    return error;
}

/* True for NAME.new-PID, the name of a temporary folder of a publication of this site. */
static bool is_temporary(const struct folder *folder, const char *name)
{
    static const char infix[] = ".new-";
    size_t base_bytes = strlen(folder->site.name);
    const char *pid = name + base_bytes + sizeof infix - 1;

    return strncmp(name, folder->site.name, base_bytes) == 0 &&
           strncmp(name + base_bytes, infix, sizeof infix - 1) == 0 && *pid != '\0' &&
           strspn(pid, "0123456789") == strlen(pid);
}

/* Removes the temporary folders that killed publications of this site left behind. */
static void remove_left(const struct folder *folder)
{
    DIR *dir = list_folder(folder->site.folder_fd);
    const char *name;

    while (dir && (name = next_name(dir))) {
        int fd = is_temporary(folder, name) ? open_folder(folder->site.folder_fd, name) : -1;

        if (fd < 0)
            continue;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_ours(fd))
            remove_site(folder, name, fd);
        close(fd);
    }
    if (dir)
        closedir(dir);
}

int folder_remove_left(const char *path, char error[static FOLDER_ERROR_BYTES])
{
    struct folder folder;
    int result = open_site(&folder, path);

    memcpy(error, folder.error, FOLDER_ERROR_BYTES);
    if (result)
        return result;
    remove_left(&folder);
    if (folder.old_fd >= 0)
        close(folder.old_fd);
    place_close(&folder.site);
    return 0;
}

/*
 * Creates the temporary folder and locks it. Returns 0 or -errno: -EAGAIN if another publication
 * removed the folder, because it took it for one that a killed publication left.
 */
static int make_temporary(struct folder *folder)
{
    struct stat status = {0};

    if (mkdirat(folder->site.folder_fd, folder->aside, 0755) < 0)
        return -errno;
    folder->aside_fd = open_folder(folder->site.folder_fd, folder->aside);
    if (folder->aside_fd >= 0 && flock(folder->aside_fd, LOCK_SH | LOCK_NB) == 0 &&
        fstat(folder->aside_fd, &status) == 0 && status.st_nlink > 0 && is_empty(folder->aside_fd))
        return 0;
    if (folder->aside_fd >= 0)
        close(folder->aside_fd);
    return -EAGAIN;
}

/*
 * Opens the spare folder and locks it; creates the folder if it does not exist. Returns false if
 * another publication holds the lock, or if the arena did not write the folder.
 */
static bool take_spare(struct folder *folder)
{
    int fd;

    snprintf(folder->aside, sizeof folder->aside, ".%.240s.spare", folder->site.name);
    if (mkdirat(folder->site.folder_fd, folder->aside, 0755) < 0 && errno != EEXIST)
        return false;
    fd = open_folder(folder->site.folder_fd, folder->aside);
    /*
     * Another publication may have made this folder the site before we locked the folder: look
     * again.
     */
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(folder, folder->aside, fd) &&
        is_ours(fd)) {
        folder->aside_fd = fd;
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
}

/* Takes the spare folder; if that fails, creates a temporary folder. */
static int take_aside(struct folder *folder)
{
    int error = 0;

    folder->has_spare = take_spare(folder);
    if (folder->has_spare)
        return 0;
    snprintf(folder->aside, sizeof folder->aside, "%.240s.new-%d", folder->site.name,
             (int)getpid());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if ((error = make_temporary(folder)) != -EAGAIN)
            break;
    return error ? fail(folder, error, "%s: %s", folder->aside, strerror(-error)) : 0;
}

/* Reads the older site's site.keys, if the list is whole and was written for pages of this form. */
static void read_keys(struct folder *folder)
{
    int fd = openat(folder->old_fd, keys, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        status.st_size <= KEYS_BYTES_MAX) {
        char *text = malloc((size_t)status.st_size);

        if (text && read(fd, text, (size_t)status.st_size) == (ssize_t)status.st_size)
            page_list_unpack(&folder->old_files, text, (size_t)status.st_size, folder->form);
        free(text);
    }
    if (fd >= 0)
        close(fd);
}

int folder_begin(struct folder *folder, const char *path, uint64_t form)
{
    int error = open_site(folder, path);

    if (error)
        return error;
    folder->form = form;
    remove_left(folder);
    error = take_aside(folder);
    if (error) {
        if (folder->old_fd >= 0)
            close(folder->old_fd);
        place_close(&folder->site);
        return error;
    }
    if (folder->old_fd >= 0)
        read_keys(folder);
    error = folder_put(folder, mark, 0, mark_text, sizeof mark_text - 1);
    if (error)
        folder_abandon(folder);
    return error;
}

/* ---- files ---- */

/* Creates the folders on the path of a file below the site's folder fd. */
static void make_parents(struct folder *folder, int fd, const char *name)
{
    const char *end = strrchr(name, '/');
    size_t size = end ? (size_t)(end - name) : 0;
    char path[NAME_BYTES_MAX];

    if (size == 0 || size >= sizeof path ||
        (strncmp(folder->made, name, size) == 0 && folder->made[size] == '\0'))
        return;
    memcpy(path, name, size);
    path[size] = '\0';
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdirat(fd, path, 0755);
        *slash = '/';
    }
    mkdirat(fd, path, 0755);
    memcpy(folder->made, path, size + 1);
}

/*
 * Links a file of the folder from_fd into the folder to_fd, where it replaces a file of the same
 * name. Returns false if the file no longer has the size, inode and time that the entry records.
 */
static bool share(struct folder *folder, int from_fd, int to_fd, const struct page_entry *entry)
{
    struct stat status, other;

    if (fstatat(from_fd, entry->name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
        !page_entry_looks_like(entry, &status))
        return false;
    if (fstatat(to_fd, entry->name, &other, AT_SYMLINK_NOFOLLOW) == 0) {
        if (other.st_ino == status.st_ino && other.st_dev == status.st_dev)
            return true;
        unlinkat(to_fd, entry->name, 0);
    } else {
        make_parents(folder, to_fd, entry->name);
    }
    return linkat(from_fd, entry->name, to_fd, entry->name, 0) == 0;
}

/* Keeps a file of the older site in the new site, under this key. */
static bool keep(struct folder *folder, const struct page_entry *old, uint64_t key)
{
    struct page_entry entry = *old;

    entry.key = key;
    if (!share(folder, folder->old_fd, folder->aside_fd, old) ||
        page_list_add(&folder->files, &entry) < 0)
        return false;
    folder->kept_count++;
    return true;
}

bool folder_keep(struct folder *folder, const char *name, uint64_t key)
{
    const struct page_entry *old = page_list_find(&folder->old_files, name);

    return key && old && old->key == key && keep(folder, old, key);
}

/* Writes a new file to the folder aside, and records in entry how the file looks on disk. */
static int write_file(struct folder *folder, struct page_entry *entry, const char *bytes,
                      size_t size)
{
    int fd = openat(folder->aside_fd, entry->name,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    int error = fd < 0 ? -errno : place_write_all(fd, bytes, size);
    struct stat status;

    if (!error && fstat(fd, &status) < 0)
        error = -errno;
    if (!error)
        page_entry_look(entry, &status);
    if (fd >= 0 && close(fd) < 0 && !error)
        error = -errno;
    if (error)
        return fail(folder, error, "%s/%s: %s", folder->aside, entry->name, strerror(-error));
    folder->written_count++;
    return 0;
}

int folder_put(struct folder *folder, const char *name, uint64_t key, const void *bytes,
               size_t size)
{
    const struct page_entry *old = page_list_find(&folder->old_files, name);
    char copy[NAME_BYTES_MAX];
    struct page_entry entry = {.name = copy, .key = key, .sum = folder_sum(0, bytes, size)};
    int error;

    if (snprintf(copy, sizeof copy, "%s", name) >= (int)sizeof copy)
        return fail(folder, -ENAMETOOLONG, "%.100s: name too long", name);
    if (old && old->sum == entry.sum && old->size == (int64_t)size && keep(folder, old, key))
        return 0;
    make_parents(folder, folder->aside_fd, name);
    if (unlinkat(folder->aside_fd, name, 0) < 0 && errno != ENOENT)
        return fail(folder, -errno, "%s/%s: %s", folder->aside, name, strerror(errno));
    error = write_file(folder, &entry, bytes, size);
    if (!error && page_list_add(&folder->files, &entry) < 0)
        error = fail(folder, -ENOMEM, "out of memory");
    return error;
}

FILE *folder_page(struct folder *folder)
{
    if (folder->page)
        fclose(folder->page);
    free(folder->page_bytes);
    folder->page_bytes = NULL;
    folder->page = open_memstream(&folder->page_bytes, &folder->page_size);
    if (!folder->page)
        fail(folder, -ENOMEM, "out of memory");
    return folder->page;
}

int folder_put_page(struct folder *folder, const char *name, uint64_t key)
{
    int error = fclose(folder->page) == 0 ? 0 : fail(folder, -ENOMEM, "out of memory");

    folder->page = NULL;
    if (!error)
        error = folder_put(folder, name, key, folder->page_bytes, folder->page_size);
    return error;
}

/* ---- ending ---- */

static int write_keys(struct folder *folder)
{
    char name[sizeof keys];
    struct page_entry entry = {.name = name};
    size_t size;
    char *text = page_list_pack(&folder->files, folder->form, &size);
    int error;

    if (!text)
        return fail(folder, -ENOMEM, "out of memory");
    memcpy(name, keys, sizeof keys);
    unlinkat(folder->aside_fd, keys, 0);
    error = write_file(folder, &entry, text, size);
    free(text);
    return error;
}

/*
 * Called after the first publication: makes a spare folder with links to the site's files, so that
 * the next publication writes only what changed. Without a spare the next publication takes longer,
 * but works.
 */
static void make_spare(struct folder *folder)
{
    int site_fd = folder->aside_fd;

    *folder->made = '\0';
    if (!take_spare(folder))
        return;
    for (size_t i = 0; i < folder->files.count; i++)
        share(folder, site_fd, folder->aside_fd, &folder->files.entries[i]);
    close(site_fd);
}

int folder_commit(struct folder *folder)
{
    bool first = folder->has_spare && folder->old_fd < 0;
    int error = 0;

    if (folder->old_fd < 0 || !page_list_equal(&folder->files, &folder->old_files)) {
        error = write_keys(folder);
        if (!error)
            remove_others(folder->aside_fd, "", &folder->files, keys, 0);
        if (!error && renameat2(folder->site.folder_fd, folder->aside, folder->site.folder_fd,
                                folder->site.name,
                                folder->old_fd >= 0 ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0)
            error = fail(folder, -errno, "cannot be exchanged: %s", strerror(errno));
        if (error)
            /* Keep no spare folder: the disk may be full, or the site a mount point. */
            folder->has_spare = false;
        else if (first)
            make_spare(folder);
    }
    folder_abandon(folder);
    return error;
}

void folder_abandon(struct folder *folder)
{
    /* After the exchange the older site has the name folder->aside. */
    if (!folder->has_spare && is_named(folder, folder->aside, folder->aside_fd))
        remove_site(folder, folder->aside, folder->aside_fd);
    else if (!folder->has_spare && folder->old_fd >= 0 &&
             is_named(folder, folder->aside, folder->old_fd))
        remove_site(folder, folder->aside, folder->old_fd);
    if (folder->page)
        fclose(folder->page);
    free(folder->page_bytes);
    close(folder->aside_fd);
    if (folder->old_fd >= 0)
        close(folder->old_fd);
    place_close(&folder->site);
    page_list_finish(&folder->old_files);
    page_list_finish(&folder->files);
}
