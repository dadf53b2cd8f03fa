/*
 * From top to bottom: the space that a build uses; the lines of a build's output that say why it
 * failed; the cache of builds; how a build ended, in words; a build from its start to its end:
 *
 *   start -> running -(limit, stop)-> killed -> over
 *
 * A build has an event loop of its own, since starting it, measuring its folder and ending it block
 * for up to seconds.
 */
#include "arena/play/build.h"

#include <dirent.h>
#include <errno.h>
#include <ev.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdarg.h>
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
#include "arena/play/foreground.h"
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

enum build_kill build_room_look(const struct build_room *room, pid_t pid)
{
    struct tree_size size;
    struct statfs scratch;
    int result = tree_measure(room->folder, &room->enough, &size);

    if (result == -ELOOP)
        return BUILD_TOO_DEEP;
    if (measure_scratch(pid, &scratch)) {
        size.bytes += (int64_t)(scratch.f_blocks - scratch.f_bfree) * scratch.f_bsize;
        size.inode_count += (int64_t)(scratch.f_files - scratch.f_ffree);
    }
    if (size.bytes > room->enough.bytes || (pid && has_eaten_the_disk(room)))
        return BUILD_TOO_LARGE;
    return size.inode_count > room->enough.inode_count ? BUILD_TOO_MANY : BUILD_NOT_KILLED;
}

/* ---- an excerpt of the output ---- */

/* True if the line has a word with which a compiler, linker, runtime or shell reports an error. */
static bool names_error(const char *line)
{
    static const char *const signs[] = {
        "error:",         "error[",  ": error",   "fatal",     "undefined reference", "cannot find",
        "not found",      "no such", "exception", "traceback", "permission denied",   "panic",
        "no rule to make"};

    for (; *line && *line != '\n'; line++)
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (strncasecmp(line, signs[i], strlen(signs[i])) == 0)
                return true;
    return false;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

char *build_excerpt(const char *text)
{
    const char *first = text, *end;
    int count = 0;

    while (*first && !names_error(first))
        first = next_line(first);
    if (!*first)
        while (first > text && (!*first || first[-1] != '\n' || ++count < BUILD_EXCERPT_LINES))
            first--;
    end = first;
    for (count = 0; count < BUILD_EXCERPT_LINES; count++)
        end = next_line(end);
    return strndup(first, (size_t)(end - first));
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

/* A running build. */
struct build {
    const struct build_order *order;
    struct foreground foreground;
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
    return build->order->wall_ms ? build->order->wall_ms : BUILD_WALL_MS;
}

/* ---- how it ended, in words ---- */

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

__attribute__((format(printf, 3, 4))) static int tell(char error[static MANIFEST_ERROR_BYTES],
                                                      int result, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, MANIFEST_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return result;
}

static int tell_unconfined(const struct sandbox_failure *failure,
                           char error[static MANIFEST_ERROR_BYTES])
{
    return tell(error, PACKAGE_FAILED, "the arena could not confine the build: %s: %s",
                failure->step, strerror(failure->error));
}

/* Says why the arena killed the build. */
static int tell_kill(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    const long long mib = build->room.enough.bytes >> 20;

    switch (build->kill) {
    case BUILD_NOT_KILLED:
        return 0;
    case BUILD_LATE:
        return tell(error, PACKAGE_REFUSED, "the build took longer than %lld s",
                    (long long)wall_ms(build) / 1000);
    case BUILD_STOPPED:
        return tell(error, PACKAGE_FAILED, "the arena stopped the build");
    case BUILD_TOO_LARGE:
        return tell(
            error, PACKAGE_REFUSED,
            "the build's folder and /tmp took more than %lld MiB: --build-space allows more", mib);
    case BUILD_TOO_MANY:
        return tell(error, PACKAGE_REFUSED,
                    "the build's folder and /tmp held more than %lld files (%d for each of %lld "
                    "MiB): --build-space allows more",
                    mib * BUILD_FILES_PER_MIB, BUILD_FILES_PER_MIB, mib);
    case BUILD_TOO_DEEP:
        return tell(error, PACKAGE_REFUSED, "the build nested folders deeper than %d",
                    TREE_DEPTH_MAX);
    case BUILD_HALTED:
        return tell(error, PACKAGE_REFUSED,
                    "a signal, such as SIGSTOP, stopped a process of the build, and no signal "
                    "resumed the process");
    }
    return 0;
}

/* Returns the result of a build that has ended, and says in error how it ended. */
static int tell_end(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    const struct sandbox_verdict *verdict = &build->verdict;
    char line[512];

    if (build->kill)
        return tell_kill(build, error);
    if (build->setup == SANDBOX_SETUP_FAILED)
        return tell_unconfined(&build->failure, error);
    if (build->setup == SANDBOX_SETUP_REFUSED)
        return tell(error, PACKAGE_REFUSED, "%.200s: cannot be executed: %s",
                    build->order->manifest->build[0], strerror(build->failure.error));
    last_line(build, line, sizeof line);
    if (verdict->end == SANDBOX_END_FORBIDDEN)
        return tell(error, PACKAGE_REFUSED, "the build made the forbidden system call %s",
                    verdict->call);
    if (verdict->end == SANDBOX_END_MEMORY)
        return tell(error, PACKAGE_REFUSED,
                    "the build ran out of memory: limit %d MiB, peak %lld MiB: run fewer compilers "
                    "at a time, or put built files into the package",
                    BUILD_MEMORY_MIB, (long long)verdict->memory_peak_bytes >> 20);
    if (verdict->end == SANDBOX_END_CPU)
        return tell(error, PACKAGE_REFUSED, "the build used more than %d s of processor time",
                    BUILD_CPU_S);
    if (verdict->end == SANDBOX_END_SIGNALED)
        return tell(error, PACKAGE_REFUSED, "the build died of signal %d: %s", verdict->signal,
                    line);
    if (verdict->status != 0)
        return tell(error, PACKAGE_REFUSED, "the build exited with %d: %s", verdict->status, line);
    return 0;
}

/* ---- events ---- */

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
        if (build->order->output_fn)
            build->order->output_fn(build->order->owner, place, (size_t)got);
    } else if (got == 0 || errno != EAGAIN) {
        ev_io_stop(build->foreground.loop, watch);
    }
    return got > 0;
}

static void output_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    read_output(watch->data, watch);
}

static void kill_build(struct build *build, enum build_kill kill)
{
    if (build->over || build->kill)
        return;
    build->kill = kill;
    sandbox_child_kill(&build->child);
    ev_timer_stop(build->foreground.loop, &build->look);
    ev_timer_set(&build->look, 0., KILLED_LOOK_MS / 1000.);
    ev_timer_start(build->foreground.loop, &build->look);
}

/* Ends the build if its process has ended. */
static void reap(struct build *build)
{
    if (build->over || !sandbox_child_reap(&build->child, &build->verdict))
        return;
    build->over = true;
    foreground_end(&build->foreground);
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

static void asked_to_stop(void *owner)
{
    kill_build(owner, BUILD_STOPPED);
}

static void second_over(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct build *build = timer->data;

    build->order->progress_fn(build->order->owner, build->order->manifest->name,
                              ++build->elapsed_s);
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

    if (build->kill || build->over) {
        reap(build);
        return;
    }
    sandbox_child_watch(&build->child);
    begun_us = alarm_now_us();
    kill = build_room_look(&build->room, build->child.pid);
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

/* ---- from start to end ---- */

static void watch_fd(struct build *build, ev_io *watch,
                     void (*ready)(struct ev_loop *, ev_io *, int), int fd)
{
    ev_io_init(watch, ready, fd, EV_READ);
    ev_set_priority(watch, watch == &build->output); /* standard output first */
    watch->data = build;
    if (fd >= 0)
        ev_io_start(build->foreground.loop, watch);
}

static void watch_all(struct build *build)
{
    watch_fd(build, &build->output, output_ready, build->child.stdout_fd);
    watch_fd(build, &build->errors, output_ready, build->child.stderr_fd);
    watch_fd(build, &build->set_up, set_up_ready, build->child.setup_fd);
    watch_fd(build, &build->notify, notify_ready, build->child.notify_fd);
    watch_fd(build, &build->death, death_ready, build->child.pid_fd);
    ev_timer_init(&build->deadline, deadline_due, (double)wall_ms(build) / 1000., 0.);
    ev_timer_init(&build->second, second_over, 1., 1.);
    ev_timer_init(&build->look, look_due, BUILD_LOOK_MS / 1000., BUILD_LOOK_MS / 1000.);
    build->deadline.data = build->second.data = build->look.data = build;
    ev_timer_start(build->foreground.loop, &build->deadline);
    if (build->order->progress_fn)
        ev_timer_start(build->foreground.loop, &build->second);
    ev_timer_start(build->foreground.loop, &build->look);
}

static int spawn(struct build *build)
{
    const struct build_order *order = build->order;
    const int64_t scratch_bytes = (int64_t)BUILD_SCRATCH_MIB << 20;
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

    build_room_begin(&build->room, order->folder, order->space_bytes);
    command.limits.scratch_bytes =
        scratch_bytes < build->room.enough.bytes ? scratch_bytes : build->room.enough.bytes;
    if (sandbox_spawn(order->sandbox, &command, &build->child, &build->failure) < 0)
        return -1;
    close(build->child.stdin_fd);
    build->child.stdin_fd = -1;
    return 0;
}

/* Takes what is left of a build whose processes are all dead. */
static void wind_up(struct build *build)
{
    for (int i = 0; i < LAST_READS && read_output(build, &build->output); i++)
        ;
    for (int i = 0; i < LAST_READS && read_output(build, &build->errors); i++)
        ;
    if (build->setup == SANDBOX_SETUP_PENDING)
        build->setup = sandbox_child_setup(&build->child, &build->failure);
    sandbox_child_finish(&build->child); /* also makes the arena own the folder again */
    if (!build->kill) /* a quick build may end before its space was ever measured */
        build->kill = build_room_look(&build->room, 0);
}

int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES])
{
    struct build *build = calloc(1, sizeof *build);
    int result = build ? foreground_open_once(&build->foreground, asked_to_stop, build) : -ENOMEM;

    if (result < 0) {
        free(build);
        return tell(error, PACKAGE_FAILED, "the arena could not run the build: %s",
                    strerror(-result));
    }
    build->order = order;
    if (spawn(build) < 0) {
        result = tell_unconfined(&build->failure, error);
    } else {
        watch_all(build);
        foreground_wait(&build->foreground);
        wind_up(build);
        if (order->progress_fn && build->elapsed_s > 0)
            order->progress_fn(order->owner, order->manifest->name, -1);
        result = tell_end(build, error);
        if (output && result < 0)
            *output = strndup(build->printed, build->printed_bytes);
    }
    foreground_close(&build->foreground);
    free(build);
    return result;
}
