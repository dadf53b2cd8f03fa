/*
 * From top to bottom: the space that a build uses; the lines of a build's output that say why it
 * failed; the cache of builds; a build from its start to its end; how a build ended, in words; a
 * build that the caller waits for.
 */
#include "arena/play/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/stop.h"
#include "arena/play/tree.h"
#include "sandbox/sandbox.h"

/* ---- the space that it uses ---- */

enum {
    SPARE_MIB_MAX = 1024, /* free space below which a disk counts as almost full */
    SPARE_SHARE = 16,     /* a small disk: only below 1/16 of its size */
};

/*
 * Measures the build's /tmp, which only the build's processes see. Goes through any thread of the
 * process pid, because its first thread may have ended.
 */
static bool measure_scratch(pid_t pid, struct statfs *scratch)
{
    char path[320];
    const struct dirent *entry;
    bool found = false;
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = pid ? opendir(path) : NULL;
    while (threads && !found && (entry = readdir(threads))) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/root/tmp", (int)pid, entry->d_name);
        found = *entry->d_name != '.' && statfs(path, scratch) == 0;
    }
    if (threads)
        closedir(threads);
    return found;
}

static bool has_eaten_the_disk(const struct build_room *room)
{
    int64_t spare_bytes = (int64_t)SPARE_MIB_MAX << 20, share_bytes, free_bytes;
    struct statfs disk;

    if (statfs(room->folder, &disk) < 0)
        return false;
    free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
    share_bytes = (int64_t)disk.f_blocks * disk.f_bsize / SPARE_SHARE;
    if (share_bytes < spare_bytes)
        spare_bytes = share_bytes;
    return free_bytes < spare_bytes && room->free_bytes - free_bytes > room->enough.bytes;
}

void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes)
{
    const int64_t mib = space_bytes ? space_bytes >> 20 : BUILD_SPACE_MIB;
    struct statfs disk;

    *room = (struct build_room){
        .folder = folder,
        .enough = {.bytes = mib << 20, .inode_count = mib * BUILD_FILES_PER_MIB},
    };
    if (statfs(folder, &disk) == 0)
        room->free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
}

enum build_room_fault build_room_look(const struct build_room *room, pid_t pid)
{
    struct tree_size size;
    struct statfs scratch;
    int result = tree_measure(room->folder, &room->enough, &size);

    if (result == -ELOOP)
        return BUILD_ROOM_TOO_DEEP;
    if (measure_scratch(pid, &scratch)) {
        size.bytes += (int64_t)(scratch.f_blocks - scratch.f_bfree) * scratch.f_bsize;
        size.inode_count += (int64_t)(scratch.f_files - scratch.f_ffree);
    }
    if (size.bytes > room->enough.bytes || (pid && has_eaten_the_disk(room)))
        return BUILD_ROOM_TOO_LARGE;
    return size.inode_count > room->enough.inode_count ? BUILD_ROOM_TOO_MANY : BUILD_ROOM_FITS;
}

/* ---- an excerpt of the output ---- */

/*
 * Words with which compilers, linkers, runtimes and shells report an error. Case does not matter.
 */
static const char *const signs[] = {
    "error",      "fatal",     "undefined reference", "cannot find",       "not found",
    "no such",    "exception", "traceback",           "permission denied", "panic",
    "unresolved", "failed",    "no rule to make",
};

/* Words that contain an error word but report no error. */
static const char *const no_signs[] = {"0 error", "no error", "-Werror"};

static bool has(const char *line, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (size_t at = 0; at + length <= size; at++)
        if (strncasecmp(line + at, word, length) == 0)
            return true;
    return false;
}

static size_t digits(const char *line, size_t size, size_t at)
{
    size_t end = at;

    while (end < size && line[end] >= '0' && line[end] <= '9')
        end++;
    return end - at;
}

/*
 * True if the line has FILE:LINE:COLUMN: as Go and other compilers write it before an error, even
 * without the word "error". False for warnings and notes.
 */
static bool has_place(const char *line, size_t size)
{
    for (size_t at = 1; at < size; at++) {
        size_t row = line[at] == ':' ? digits(line, size, at + 1) : 0;
        size_t column = at + 1 + row;

        if (row > 0 && column < size && line[column] == ':') {
            size_t end = column + 1 + digits(line, size, column + 1);

            if (end > column + 1 && end < size && line[end] == ':')
                return !has(line, size, "warning") && !has(line, size, "note");
        }
    }
    return false;
}

static bool names_error(const char *line, size_t size)
{
    for (size_t i = 0; i < sizeof no_signs / sizeof *no_signs; i++)
        if (has(line, size, no_signs[i]))
            return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (has(line, size, signs[i]))
            return true;
    return has_place(line, size);
}

/* Returns the size of the line at text, including its line end. */
static size_t line_bytes(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);

    return end ? (size_t)(end - text) + 1 : size;
}

/*
 * Copies the first BUILD_EXCERPT_LINES lines; with errors, only lines that report an error. Returns
 * the size of the copy.
 */
static size_t copy_lines(char *excerpt, const char *text, size_t size, bool errors)
{
    size_t used = 0;

    for (size_t at = 0, count = 0, line; at < size && count < BUILD_EXCERPT_LINES; at += line) {
        line = line_bytes(text + at, size - at);
        if (errors && !names_error(text + at, line))
            continue;
        memcpy(excerpt + used, text + at, line);
        used += line;
        count++;
    }
    excerpt[used] = '\0';
    return used;
}

char *build_excerpt(const char *text, size_t size)
{
    char *excerpt = malloc(size + 1);
    size_t from = size, lines = 0;

    if (!excerpt || copy_lines(excerpt, text, size, true) > 0)
        return excerpt;
    while (from > 0 && (from == size || text[from - 1] != '\n' || ++lines < BUILD_EXCERPT_LINES))
        from--;
    copy_lines(excerpt, text + from, size - from, false);
    return excerpt;
}

/* ---- the cache of builds ---- */

/*
 * An entry of the cache is a folder named by its key. It contains the folder `built` with the
 * files, and the file `sha256` with the hash of `built` as a package. An entry gets its name only
 * when it is complete: it is created under a temporary name and then renamed.
 */
#define NEW_PREFIX "new-"

enum {
    KEY_CHARS = PACKAGE_HASH_CHARS,
    NEW_KEPT_S = 60 * 60, /* age at which a temporary entry counts as abandoned, in seconds */
};

static void name_key(const struct build_key *key, char name[static KEY_CHARS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;
    char tier[16];

    sha256_init(&hash);
    sha256_update(&hash, strlen(key->package_sha256) + 1, (const uint8_t *)key->package_sha256);
    for (const char *const *word = key->command; *word; word++)
        sha256_update(&hash, strlen(*word) + 1, (const uint8_t *)*word);
    snprintf(tier, sizeof tier, "%d", key->tier);
    sha256_update(&hash, strlen(tier) + 1, (const uint8_t *)tier);
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(name + 2 * i, "%02x", digest[i]);
}

/* Joins a path. Returns false if the path is too long. */
static bool join(char path[static PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);

    return length > 0 && length < PATH_MAX;
}

static bool read_hash(const char *entry, char hash[static PACKAGE_HASH_CHARS + 1])
{
    char path[PATH_MAX];
    ssize_t got;
    int fd;

    if (!join(path, entry, "sha256"))
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    got = read(fd, hash, PACKAGE_HASH_CHARS);
    close(fd);
    hash[PACKAGE_HASH_CHARS] = '\0';
    return got == PACKAGE_HASH_CHARS;
}

bool build_cache_take(const char *cache, const struct build_key *key, const char *target)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], built[PATH_MAX], error[PACKAGE_ERROR_BYTES];
    char wanted[PACKAGE_HASH_CHARS + 1], found[PACKAGE_HASH_CHARS + 1];

    name_key(key, name);
    if (!join(entry, cache, name) || !join(built, entry, "built") || !read_hash(entry, wanted))
        return false;
    if (package_copy(built, target, found, error) == 0 && strcmp(found, wanted) == 0) {
        utimensat(AT_FDCWD, entry, NULL, AT_SYMLINK_NOFOLLOW); /* marks the entry as just used */
        return true;
    }
    tree_remove(target);
    tree_remove(entry);
    return false;
}

static bool make_folders(const char *path)
{
    char partial[PATH_MAX];

    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return false;
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0700) < 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(partial, 0700) == 0 || errno == EEXIST;
}

static bool write_hash_file(const char *entry, const char *hash)
{
    char path[PATH_MAX];
    bool written;
    int fd;

    if (!join(path, entry, "sha256"))
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    written = write(fd, hash, PACKAGE_HASH_CHARS) == PACKAGE_HASH_CHARS;
    return close(fd) == 0 && written;
}

struct entry {
    char name[NAME_MAX + 1];
    struct timespec used;
    int64_t bytes;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return (x->used.tv_sec < y->used.tv_sec) - (x->used.tv_sec > y->used.tv_sec);
    return (x->used.tv_nsec < y->used.tv_nsec) - (x->used.tv_nsec > y->used.tv_nsec);
}

/*
 * Lists the most recently used entries, newest first, at most room of them, and removes all other
 * entries. entries has space for room + 1. Returns how many it listed.
 */
static int list_entries(const char *cache, struct entry *entries, int room)
{
    DIR *folder = opendir(cache);
    const struct dirent *found;
    int count = 0;

    while (folder && (found = readdir(folder))) {
        struct tree_size size, enough = {.bytes = INT64_MAX, .inode_count = INT64_MAX};
        struct stat status;
        char path[PATH_MAX];

        if (*found->d_name == '.' || !join(path, cache, found->d_name) || lstat(path, &status) < 0)
            continue;
        if (strncmp(found->d_name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0) {
            if (status.st_mtime + NEW_KEPT_S < time(NULL))
                tree_remove(path);
            continue;
        }
        tree_measure(path, &enough, &size);
        snprintf(entries[count].name, sizeof entries[count].name, "%s", found->d_name);
        entries[count].used = status.st_mtim;
        entries[count].bytes = size.bytes;
        qsort(entries, (size_t)++count, sizeof *entries, compare_entries);
        if (count > room) {
            if (join(path, cache, entries[--count].name))
                tree_remove(path);
        }
    }
    if (folder)
        closedir(folder);
    return count;
}

/* Removes the least recently used entries that exceed the limits. */
static void trim(const char *cache)
{
    struct entry *entries = calloc(BUILD_CACHE_COUNT_MAX + 1, sizeof *entries);
    int64_t bytes = 0;
    int count = entries ? list_entries(cache, entries, BUILD_CACHE_COUNT_MAX) : 0;

    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];

        bytes += entries[i].bytes;
        if (bytes > (int64_t)BUILD_CACHE_MIB_MAX << 20 && join(path, cache, entries[i].name))
            tree_remove(path);
    }
    free(entries);
}

void build_cache_keep(const char *cache, const struct build_key *key, const char *folder)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], made[PATH_MAX], built[PATH_MAX];
    char hash[PACKAGE_HASH_CHARS + 1], error[PACKAGE_ERROR_BYTES];

    name_key(key, name);
    if (!make_folders(cache) || !join(made, cache, NEW_PREFIX "XXXXXX") ||
        !join(entry, cache, name) || !mkdtemp(made))
        return;
    if (!join(built, made, "built") || package_copy(folder, built, hash, error) < 0 ||
        !write_hash_file(made, hash)) {
        tree_remove(made);
        return;
    }
    tree_remove(entry);
    if (rename(made, entry) < 0)
        tree_remove(made); /* another arena stored the same entry meanwhile */
    trim(cache);
}

/* ---- a build ---- */

enum {
    HALTED_MS = 5000,     /* time that a build may be stopped by a signal before it is killed */
    KILLED_LOOK_MS = 100, /* milliseconds between checks whether a killed build has ended */
    LOOK_SHARE = 10,      /* measuring takes at most 1/10 of the time */
    LAST_READS = 16,      /* reads after the end; enough to empty a pipe */
};

/* Why the arena killed the build. */
enum build_kill {
    BUILD_NOT_KILLED = 0,
    BUILD_LATE = 1,
    BUILD_STOPPED = 2,
    BUILD_TOO_LARGE = 3, /* too many bytes */
    BUILD_TOO_MANY = 4,  /* too many files */
    BUILD_TOO_DEEP = 5,  /* folders nested too deep */
    BUILD_HALTED = 6,    /* a process of the build was stopped by a signal, and nobody resumes it */
};

/* A running build. */
struct build {
    struct build_order order;
    struct ev_loop *loop;
    struct build_room room;
    struct sandbox_child child;
    struct sandbox_verdict verdict;
    struct sandbox_failure failure;
    enum sandbox_setup setup;
    enum build_kill kill;
    bool over;
    ev_io output, errors, set_up, notify, death;
    ev_timer deadline;
    ev_timer second; /* calls progress_fn */
    int elapsed_s;
    int64_t halted_us;    /* since when a process is stopped by a signal; 0: none is */
    ev_timer look;        /* measures the space; after a kill, checks whether the build is dead */
    size_t printed_bytes; /* number of bytes in printed */
    char printed[BUILD_OUTPUT_BYTES]; /* the last part of the build's output */
};

static int64_t wall_ms(const struct build *build)
{
    return build->order.wall_ms ? build->order.wall_ms : BUILD_WALL_MS;
}

/*
 * Reads output that is available. When the buffer is full, drops the older half of its content.
 * Returns false if there was nothing to read.
 */
static bool read_output(struct build *build, ev_io *watch)
{
    char *place;
    ssize_t got;

    if (build->printed_bytes == sizeof build->printed) {
        memmove(build->printed, build->printed + sizeof build->printed / 2,
                sizeof build->printed / 2);
        build->printed_bytes = sizeof build->printed / 2;
    }
    place = build->printed + build->printed_bytes;
    got = read(watch->fd, place, sizeof build->printed - build->printed_bytes);
    if (got > 0) {
        build->printed_bytes += (size_t)got;
        if (build->order.output_fn)
            build->order.output_fn(build->order.owner, place, (size_t)got);
    } else if (got == 0 || errno != EAGAIN) {
        ev_io_stop(build->loop, watch);
    }
    return got > 0;
}

static void kill_build(struct build *build, enum build_kill kill)
{
    if (build->over || build->kill)
        return;
    build->kill = kill;
    sandbox_child_kill(&build->child);
    ev_timer_stop(build->loop, &build->look);
    ev_timer_set(&build->look, 0., KILLED_LOOK_MS / 1000.);
    ev_timer_start(build->loop, &build->look);
}

static void stop_watching(struct build *build)
{
    ev_io_stop(build->loop, &build->output);
    ev_io_stop(build->loop, &build->errors);
    ev_io_stop(build->loop, &build->set_up);
    ev_io_stop(build->loop, &build->notify);
    ev_io_stop(build->loop, &build->death);
    ev_timer_stop(build->loop, &build->deadline);
    ev_timer_stop(build->loop, &build->second);
    ev_timer_stop(build->loop, &build->look);
}

/*
 * Measures the space of the build. Called also after the build's end, because a quick build may end
 * before the timer fires.
 */
static enum build_kill measure(const struct build *build)
{
    static const enum build_kill kills[] = {[BUILD_ROOM_FITS] = BUILD_NOT_KILLED,
                                            [BUILD_ROOM_TOO_LARGE] = BUILD_TOO_LARGE,
                                            [BUILD_ROOM_TOO_MANY] = BUILD_TOO_MANY,
                                            [BUILD_ROOM_TOO_DEEP] = BUILD_TOO_DEEP};

    return kills[build_room_look(&build->room, build->over ? 0 : build->child.pid)];
}

/* Ends the build if its process has ended: reads the verdict and the last output. */
static void reap(struct build *build)
{
    if (build->over || !sandbox_child_reap(&build->child, &build->verdict))
        return;
    build->over = true;
    for (int i = 0; i < LAST_READS && read_output(build, &build->output); i++)
        ;
    for (int i = 0; i < LAST_READS && read_output(build, &build->errors); i++)
        ;
    if (build->setup == SANDBOX_SETUP_PENDING)
        build->setup = sandbox_child_setup(&build->child, &build->failure);
    stop_watching(build);
    sandbox_child_finish(&build->child); /* also gives the arena the folder back */
    if (!build->kill)
        build->kill = measure(build);
    if (build->order.done_fn)
        build->order.done_fn(build->order.owner, build);
}

static void output_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    read_output(watch->data, watch);
}

static void set_up_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct build *build = watch->data;

    build->setup = sandbox_child_setup(&build->child, &build->failure);
    if (build->setup != SANDBOX_SETUP_PENDING)
        ev_io_stop(loop, watch);
}

static void notify_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct build *build = watch->data;

    if (!sandbox_child_notified(&build->child))
        ev_io_stop(loop, watch);
}

static void death_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    reap(watch->data);
}

static void deadline_due(struct ev_loop *loop, ev_timer *timer, int events)
{
    kill_build(timer->data, BUILD_LATE);
}

static void second_over(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct build *build = timer->data;

    build->order.progress_fn(build->order.owner, build->order.manifest->name, ++build->elapsed_s);
}

/*
 * True if a process of the build has been stopped by a signal for so long that nobody will resume
 * it.
 */
static bool is_halted(struct build *build)
{
    int64_t now_us = alarm_now_us();

    if (!sandbox_child_is_stopped(&build->child)) {
        build->halted_us = 0;
        return false;
    }
    if (!build->halted_us)
        build->halted_us = now_us;
    return now_us - build->halted_us >= (int64_t)HALTED_MS * 1000;
}

/* Measures the space; measures a large tree less often. */
static void look_due(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct build *build = timer->data;
    enum build_kill kill;
    int64_t begun_us;
    double wait_s;

    if (build->kill) {
        reap(build);
        return;
    }
    sandbox_child_watch(&build->child);
    begun_us = alarm_now_us();
    kill = measure(build);
    if (!kill && is_halted(build))
        kill = BUILD_HALTED;
    if (kill) {
        kill_build(build, kill);
        return;
    }
    wait_s = LOOK_SHARE * (double)(alarm_now_us() - begun_us) / 1e6;
    timer->repeat = wait_s > BUILD_LOOK_MS / 1000. ? wait_s : BUILD_LOOK_MS / 1000.;
    ev_timer_again(loop, timer);
}

static void watch_fd(struct build *build, ev_io *watch,
                     void (*ready)(struct ev_loop *, ev_io *, int), int fd)
{
    ev_io_init(watch, ready, fd, EV_READ);
    ev_set_priority(watch, watch == &build->output); /* standard output first */
    watch->data = build;
    if (fd >= 0)
        ev_io_start(build->loop, watch);
}

static void watch_all(struct build *build)
{
    watch_fd(build, &build->output, output_ready, build->child.stdout_fd);
    watch_fd(build, &build->errors, output_ready, build->child.stderr_fd);
    watch_fd(build, &build->set_up, set_up_ready, build->child.setup_fd);
    watch_fd(build, &build->notify, notify_ready, build->child.notify_fd);
    watch_fd(build, &build->death, death_ready, build->child.pid_fd);
    ev_timer_init(&build->deadline, deadline_due, (double)wall_ms(build) / 1000., 0.);
    build->deadline.data = build;
    ev_timer_start(build->loop, &build->deadline);
    ev_timer_init(&build->second, second_over, 1., 1.);
    build->second.data = build;
    if (build->order.progress_fn)
        ev_timer_start(build->loop, &build->second);
    ev_timer_init(&build->look, look_due, BUILD_LOOK_MS / 1000., BUILD_LOOK_MS / 1000.);
    build->look.data = build;
    ev_timer_start(build->loop, &build->look);
}

static int fail_to_confine(const struct sandbox_failure *failure,
                           char error[static MANIFEST_ERROR_BYTES])
{
    snprintf(error, MANIFEST_ERROR_BYTES, "the arena could not confine it: %s: %s", failure->step,
             strerror(failure->error));
    return PACKAGE_FAILED;
}

int build_start(struct build **made, struct ev_loop *loop, const struct build_order *order,
                char error[static MANIFEST_ERROR_BYTES])
{
    struct build *build = calloc(1, sizeof *build);
    int64_t scratch_bytes = (int64_t)BUILD_SCRATCH_MIB << 20;
    struct sandbox_command command = {
        .folder = order->folder,
        .argv = (const char *const *)order->manifest->build,
        .executable_fd = -1,
        .profile = SANDBOX_PROFILE_BUILD,
        .limits = {.memory_bytes = (int64_t)BUILD_MEMORY_MIB << 20,
                   .cpu_s = BUILD_CPU_S,
                   .process_count = BUILD_PROCESSES},
        .cpu = -1,
        .name = order->manifest->name,
    };

    *made = NULL;
    if (!build) {
        snprintf(error, MANIFEST_ERROR_BYTES, "it cannot be run: %s", strerror(ENOMEM));
        return PACKAGE_FAILED;
    }
    build->order = *order;
    build->loop = loop;
    build_room_begin(&build->room, order->folder, order->space_bytes);
    if (build->room.enough.bytes < scratch_bytes)
        scratch_bytes = build->room.enough.bytes;
    command.limits.scratch_bytes = scratch_bytes;
    if (sandbox_spawn(order->sandbox, &command, &build->child, &build->failure) < 0) {
        int result = fail_to_confine(&build->failure, error);

        free(build);
        return result;
    }
    close(build->child.stdin_fd);
    build->child.stdin_fd = -1;
    watch_all(build);
    *made = build;
    return 0;
}

void build_stop(struct build *build)
{
    kill_build(build, BUILD_STOPPED);
}

void build_destroy(struct build *build)
{
    if (!build)
        return;
    if (!build->over) {
        stop_watching(build);
        sandbox_child_finish(&build->child);
    }
    free(build);
}

const char *build_output(const struct build *build, size_t *size)
{
    *size = build->printed_bytes;
    return build->printed;
}

/* ---- how it ended ---- */

/* Copies the last line of the output that is not blank. */
static void last_line(const struct build *build, char *line, size_t room)
{
    size_t end = build->printed_bytes;
    size_t start;

    while (end > 0 && (build->printed[end - 1] == '\n' || build->printed[end - 1] == ' '))
        end--;
    for (start = end; start > 0 && build->printed[start - 1] != '\n';)
        start--;
    snprintf(line, room, "%.*s", (int)(end - start), build->printed + start);
    for (char *byte = line; *byte; byte++)
        if ((unsigned char)*byte < 0x20)
            *byte = ' ';
}

/* Writes why the arena killed the build. */
static int tell_kill(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    const long long mib = build->room.enough.bytes >> 20;

    switch (build->kill) {
    case BUILD_NOT_KILLED:
        return 0;
    case BUILD_LATE:
        snprintf(error, MANIFEST_ERROR_BYTES, "it took longer than %lld s",
                 (long long)wall_ms(build) / 1000);
        return PACKAGE_REFUSED;
    case BUILD_STOPPED:
        snprintf(error, MANIFEST_ERROR_BYTES, "it was stopped");
        return PACKAGE_FAILED;
    case BUILD_TOO_LARGE:
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "its folder and /tmp took more than %lld MiB: --build-space allows more", mib);
        return PACKAGE_REFUSED;
    case BUILD_TOO_MANY:
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "its folder and /tmp held more than %lld files (%d for each of %lld MiB): "
                 "--build-space allows more",
                 mib * BUILD_FILES_PER_MIB, BUILD_FILES_PER_MIB, mib);
        return PACKAGE_REFUSED;
    case BUILD_TOO_DEEP:
        snprintf(error, MANIFEST_ERROR_BYTES, "it nested folders deeper than %d", TREE_DEPTH_MAX);
        return PACKAGE_REFUSED;
    case BUILD_HALTED:
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "a process of it was stopped by a signal, such as SIGSTOP, and not resumed");
        return PACKAGE_REFUSED;
    }
    return 0;
}

int build_result(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    char line[512];

    if (build->kill)
        return tell_kill(build, error);
    if (build->setup == SANDBOX_SETUP_FAILED)
        return fail_to_confine(&build->failure, error);
    last_line(build, line, sizeof line);
    if (build->setup == SANDBOX_SETUP_REFUSED)
        snprintf(error, MANIFEST_ERROR_BYTES, "%.200s: cannot be executed: %s",
                 build->order.manifest->build[0], strerror(build->failure.error));
    else if (build->verdict.end == SANDBOX_END_FORBIDDEN)
        snprintf(error, MANIFEST_ERROR_BYTES, "it made the forbidden system call %s",
                 build->verdict.call);
    else if (build->verdict.end == SANDBOX_END_MEMORY)
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "it ran out of memory: limit %d MiB, peak %lld MiB: build with fewer jobs at a "
                 "time, or ship what it makes",
                 BUILD_MEMORY_MIB, (long long)build->verdict.memory_peak_bytes >> 20);
    else if (build->verdict.end == SANDBOX_END_CPU)
        snprintf(error, MANIFEST_ERROR_BYTES, "it used more than %d s of processor time",
                 BUILD_CPU_S);
    else if (build->verdict.end == SANDBOX_END_SIGNALED)
        snprintf(error, MANIFEST_ERROR_BYTES, "it died of signal %d: %s", build->verdict.signal,
                 line);
    else if (build->verdict.status != 0)
        snprintf(error, MANIFEST_ERROR_BYTES, "it exited with %d: %s", build->verdict.status, line);
    else
        return 0;
    return PACKAGE_REFUSED;
}

/* ---- by itself ---- */

struct wait {
    struct await await;
    const struct build_order *asked;
    struct build *build;
};

static void pass_progress(void *owner, const char *name, int elapsed_s)
{
    const struct build_order *asked = ((struct wait *)owner)->asked;

    asked->progress_fn(asked->owner, name, elapsed_s);
}

static void pass_output(void *owner, const char *bytes, size_t size)
{
    const struct build_order *asked = ((struct wait *)owner)->asked;

    asked->output_fn(asked->owner, bytes, size);
}

static void asked_to_stop(void *owner)
{
    build_stop(((struct wait *)owner)->build);
}

static void ended(void *owner, struct build *build)
{
    (void)build;
    await_end(&((struct wait *)owner)->await);
}

int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES])
{
    struct wait wait = {.asked = order};
    struct build_order own = *order;
    int result = await_open(&wait.await, asked_to_stop, &wait);

    if (result < 0) {
        snprintf(error, MANIFEST_ERROR_BYTES, "waiting for it failed: %s", strerror(-result));
        return PACKAGE_FAILED;
    }
    own.owner = &wait;
    own.progress_fn = order->progress_fn ? pass_progress : NULL;
    own.output_fn = order->output_fn ? pass_output : NULL;
    own.done_fn = ended;
    result = build_start(&wait.build, wait.await.loop, &own, error);
    if (result == 0) {
        await_run(&wait.await);
        if (own.progress_fn && wait.build->elapsed_s > 0)
            pass_progress(&wait, order->manifest->name, -1);
        result = build_result(wait.build, error);
        if (output && result < 0)
            *output = strndup(wait.build->printed, wait.build->printed_bytes);
    }
    build_destroy(wait.build);
    await_close(&wait.await);
    return result;
}
