/* SPDX-License-Identifier: MIT */
/*
 * From top to bottom: the lines of a build's output that say why it failed; the cache of builds;
 * the space that a build uses; messages about a build's end; running a build. build_run blocks its
 * caller, because starting a build, measuring its folder and ending it take up to seconds.
 */
#include "arena/play/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <poll.h>
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

#include "arena/play/foreground.h"
#include "arena/base/tree.h"
#include "sandbox/sandbox.h"
#include "arena/base/clock.h"

/* Why the arena killed a build. */
enum kill {
    NOT_KILLED = 0,
    LATE,
    GIVEN_UP, /* the machine had no time for it */
    STOPPED,
    TOO_LARGE, /* too many bytes */
    TOO_MANY,  /* too many files */
    TOO_DEEP,  /* folders nested too deep */
    TOO_LOUD,  /* too much output */
};

enum {
    SPARE_MIB_MAX = 1024, /* free space below which a disk counts as almost full */
    SPARE_SHARE = 16,     /* a small disk counts as almost full below 1/16 of its size */
};

/* ---- an excerpt of the output ---- */

/* True if the line contains a word that compilers, linkers, runtimes or shells use in an error. */
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
 * The cache has a folder for each build, named by the build's key. The folder contains the folder
 * `built` with the files, and the link `sha256`, whose target is the hash of `built` as a package.
 * A build's folder is created under a temporary name, and renamed when it is complete.
 */
#define NEW_PREFIX "new-"

enum {
    KEY_CHARS = PACKAGE_HASH_CHARS,
    /* Seconds after which the folder of an unfinished build counts as abandoned. */
    NEW_KEPT_S = 60 * 60,
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

static bool join(char path[static PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

bool build_cache_take(const char *cache, const struct build_key *key, const char *target)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], built[PATH_MAX], link[PATH_MAX];
    char wanted[PACKAGE_HASH_CHARS + 1] = "", found[PACKAGE_HASH_CHARS + 1];
    char error[PACKAGE_ERROR_BYTES];

    name_key(key, name);
    if (!join(entry, cache, name) || !join(built, entry, "built") || !join(link, entry, "sha256") ||
        readlink(link, wanted, PACKAGE_HASH_CHARS) != PACKAGE_HASH_CHARS)
        return false;
    if (package_copy(built, target, found, error) == 0 && strcmp(found, wanted) == 0) {
        utimensat(AT_FDCWD, entry, NULL, AT_SYMLINK_NOFOLLOW); /* marks the build as just used */
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

struct entry {
    char name[NAME_MAX + 1];
    struct timespec used;
    int64_t bytes;
};

/* Orders builds in the cache by last use, the latest first. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return (x->used.tv_sec < y->used.tv_sec) - (x->used.tv_sec > y->used.tv_sec);
    return (x->used.tv_nsec < y->used.tv_nsec) - (x->used.tv_nsec > y->used.tv_nsec);
}

static void remove_entry(const char *cache, const char *name)
{
    char path[PATH_MAX];

    if (join(path, cache, name))
        tree_remove(path);
}

/*
 * Removes unfinished builds that are older than NEW_KEPT_S, and the least recently used builds
 * beyond the limits of the cache.
 */
static void trim(const char *cache)
{
    const struct tree_size enough = {.bytes = INT64_MAX, .inode_count = INT64_MAX};
    struct entry entries[BUILD_CACHE_COUNT_MAX + 1];
    DIR *folder = opendir(cache);
    const struct dirent *found;
    struct tree_size size;
    struct stat status;
    char path[PATH_MAX];
    int64_t bytes = 0;
    int count = 0;

    while (folder && (found = readdir(folder))) {
        const bool is_new = strncmp(found->d_name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0;

        if (*found->d_name == '.' || !join(path, cache, found->d_name) || lstat(path, &status) < 0)
            continue;
        if (is_new && status.st_mtime + NEW_KEPT_S < clock_time_us() / 1000000)
            tree_remove(path);
        if (is_new)
            continue;
        tree_measure(path, &enough, &size, NULL, NULL);
        entries[count] = (struct entry){.used = status.st_mtim, .bytes = size.bytes};
        strcpy(entries[count].name, found->d_name);
        qsort(entries, (size_t)++count, sizeof *entries, compare_entries);
        if (count > BUILD_CACHE_COUNT_MAX)
            remove_entry(cache, entries[--count].name);
    }
    if (folder)
        closedir(folder);
    for (int i = 0; i < count; i++) {
        bytes += entries[i].bytes;
        if (bytes > (int64_t)BUILD_CACHE_MIB_MAX << 20)
            remove_entry(cache, entries[i].name);
    }
}

void build_cache_keep(const char *cache, const struct build_key *key, const char *folder)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], made[PATH_MAX], built[PATH_MAX], link[PATH_MAX];
    char hash[PACKAGE_HASH_CHARS + 1], error[PACKAGE_ERROR_BYTES];

    name_key(key, name);
    if (!make_folders(cache) || !join(made, cache, NEW_PREFIX "XXXXXX") ||
        !join(entry, cache, name) || !mkdtemp(made))
        return;
    if (join(built, made, "built") && join(link, made, "sha256") &&
        package_copy(folder, built, hash, error) == 0 && symlink(hash, link) == 0) {
        tree_remove(entry);
        if (rename(made, entry) == 0) {
            trim(cache);
            return;
        }
    }
    tree_remove(made); /* this build is incomplete, or another arena has stored the same build */
}

/* ---- a build ---- */

enum {
    TICK_MS = 50,    /* longest wait for an event, in milliseconds */
    LOOK_SHARE = 10, /* measuring the folder takes at most 1/10 of the build's time */
    LAST_READS = 16, /* reads of each pipe after the build's end; enough to empty a pipe */
};

/* The descriptors that watch() polls. */
enum watched {
    OUTPUT, /* read before ERRORS, so that `printed` has standard output above standard error */
    ERRORS,
    SET_UP,
    NOTIFY,
    DEATH,
    STOP, /* readable once the user asks the arena to stop */
    WATCHED_COUNT,
};

struct build {
    const struct build_order *order;
    struct tree_size enough; /* limits of the build's folder and its /tmp together */
    int64_t free_bytes;      /* free space on the disk when the build started */
    struct sandbox_child child;
    struct sandbox_verdict verdict;
    struct sandbox_failure failure;
    enum sandbox_setup setup;
    enum kill kill;
    struct pollfd watched[WATCHED_COUNT]; /* fd is -1 once the descriptor needs no more polling */
    int elapsed_s;
    int64_t begun_us;
    int64_t charged_us;   /* time that counts against the limit, */
    int64_t charge_us;    /* up to when, */
    int64_t load_us;      /* and the processor time until then */
    int64_t watch_us;     /* time of the next check of the memory and of the disk's free space */
    bool ate_the_disk;    /* a check found that the build has filled the disk */
    int64_t measure_us;   /* time of the next measurement of the build's folder */
    int64_t output_bytes; /* number of bytes that the build has printed */
    size_t printed_bytes; /* number of bytes in printed */
    char printed[BUILD_OUTPUT_BYTES]; /* the last part of the build's output */
};

static int64_t time_ms(const struct build *build)
{
    return build->order->time_ms ? build->order->time_ms : BUILD_TIME_MS;
}

/* ---- the time that counts ---- */

int64_t build_charge_us(int64_t passed_us, int64_t load_us, bool is_ready)
{
    /* A build that sleeps, or waits for a disk, is charged as on a machine without other programs.
     */
    return is_ready && load_us >= 0 && load_us < passed_us ? load_us : passed_us;
}

static void charge(struct build *build)
{
    const int64_t now_us = clock_now_us();
    bool is_ready = false;
    int64_t load_us;

    if (build->setup == SANDBOX_SETUP_PENDING)
        build->charge_us = now_us; /* that the build begins is the arena's task */
    if (now_us - build->charge_us < (int64_t)BUILD_LOOK_MS * 1000)
        return;
    load_us = sandbox_child_load_us(&build->child, &is_ready);
    build->charged_us += build_charge_us(
        now_us - build->charge_us, load_us < 0 ? load_us : load_us - build->load_us, is_ready);
    build->charge_us = now_us;
    if (load_us >= 0)
        build->load_us = load_us;
}

/* ---- the space that a build uses ---- */

/*
 * Measures the build's /tmp, which only the build's processes see. Tries each thread of process
 * pid, because the first thread may have ended.
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

/*
 * True if the disk is almost full and has lost more free space than the build may use. This catches
 * a file that the build deleted while it is open: such a file is in no folder, but uses the disk.
 */
static bool has_eaten_the_disk(const struct build *build)
{
    int64_t spare_bytes = (int64_t)SPARE_MIB_MAX << 20, share_bytes, free_bytes;
    struct statfs disk;

    if (statfs(build->order->folder, &disk) < 0)
        return false;
    free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
    share_bytes = (int64_t)disk.f_blocks * disk.f_bsize / SPARE_SHARE;
    if (share_bytes < spare_bytes)
        spare_bytes = share_bytes;
    return free_bytes < spare_bytes && build->free_bytes - free_bytes > build->enough.bytes;
}

/*
 * Measures the build's space. Calls meanwhile_fn(build) often. Returns the limit for which the
 * build must be killed, or NOT_KILLED. pid is the build's first process; 0: all its processes are
 * dead.
 */
static enum kill measure_room(struct build *build, pid_t pid, void (*meanwhile_fn)(void *build))
{
    struct tree_size size;
    struct statfs scratch;
    int result = tree_measure(build->order->folder, &build->enough, &size, meanwhile_fn, build);

    if (result == -ELOOP)
        return TOO_DEEP;
    if (measure_scratch(pid, &scratch)) {
        size.bytes += (int64_t)(scratch.f_blocks - scratch.f_bfree) * scratch.f_bsize;
        size.inode_count += (int64_t)(scratch.f_files - scratch.f_ffree);
    }
    if (size.bytes > build->enough.bytes)
        return TOO_LARGE;
    return size.inode_count > build->enough.inode_count ? TOO_MANY : NOT_KILLED;
}

/* ---- how it ended, in words ---- */

/* Copies the first line of the output that names an error, or else the last that is not empty. */
static void copy_cause(const struct build *build, char *line, size_t room)
{
    char *text = strndup(build->printed, build->printed_bytes);
    const char *cause = text ? text : "";

    while (*cause && !names_error(cause))
        cause = next_line(cause);
    if (text && !*cause) {
        size_t end = strlen(text);

        while (end > 0 && strchr(" \n", text[end - 1]))
            text[--end] = '\0';
        cause = memrchr(text, '\n', end);
        cause = cause ? cause + 1 : text;
    }
    snprintf(line, room, "%.*s", (int)strcspn(cause, "\n"), cause);
    free(text);
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

static int tell_kill(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    const long long mib = build->enough.bytes >> 20;

    switch (build->kill) {
    case NOT_KILLED:
        return 0;
    case LATE:
        return tell(
            error, PACKAGE_REFUSED,
            "the build took longer than %lld s: shorten it, or submit what it makes and leave "
            "out \"build\" in bot.json",
            (long long)time_ms(build) / 1000);
    case GIVEN_UP:
        return tell(error, PACKAGE_STARVED,
                    "the machine was too busy for the build: within %lld s it could work for %lld "
                    "s only",
                    (long long)(clock_now_us() - build->begun_us) / 1000000,
                    (long long)build->charged_us / 1000000);
    case STOPPED:
        return tell(error, PACKAGE_FAILED, "the arena stopped the build");
    case TOO_LARGE:
        return tell(error, PACKAGE_REFUSED,
                    "the build's folder and /tmp took more than %lld MiB: make less; whoever runs "
                    "the arena can allow more with --build-space",
                    mib);
    case TOO_MANY:
        return tell(error, PACKAGE_REFUSED,
                    "the build's folder and /tmp held more than %lld files (%d for each of %lld "
                    "MiB): make fewer; whoever runs the arena can allow more with --build-space",
                    mib * BUILD_FILES_PER_MIB, BUILD_FILES_PER_MIB, mib);
    case TOO_DEEP:
        return tell(error, PACKAGE_REFUSED, "the build nested folders deeper than %d",
                    TREE_DEPTH_MAX);
    case TOO_LOUD:
        return tell(error, PACKAGE_REFUSED, "the build printed more than %d MiB",
                    BUILD_PRINTED_MIB_MAX);
    }
    return 0;
}

/*
 * Returns the free MiB of the disk if a build that failed says that the disk is full, and the disk
 * does not have what a build may use; else -1. Neither is enough: the build may print anything, and
 * may fail for a cause of its own.
 */
static int64_t lacking_mib(const struct build *build)
{
    static const char words[] = "o space left on device"; /* "No" or "no", as the tool writes it */
    struct statfs disk;
    int64_t free_bytes;

    if (!memmem(build->printed, build->printed_bytes, words, strlen(words)) ||
        statfs(build->order->folder, &disk) < 0)
        return -1;
    free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
    return free_bytes < build->enough.bytes ? free_bytes >> 20 : -1;
}

/* Returns the result of a build that has ended. If the build failed, says in error why. */
static int tell_end(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    const struct sandbox_verdict *verdict = &build->verdict;
    const char *told;
    char line[512];
    int64_t free_mib;

    if (build->kill)
        return tell_kill(build, error);
    if (build->setup == SANDBOX_SETUP_FAILED)
        return tell_unconfined(&build->failure, error);
    if (build->setup == SANDBOX_SETUP_REFUSED)
        return tell(error, PACKAGE_REFUSED, "%.200s: cannot be executed: %s",
                    build->order->manifest->build[0], strerror(build->failure.error));
    copy_cause(build, line, sizeof line);
    told = *line ? ": " : " and printed no text";
    if (verdict->end == SANDBOX_END_FORBIDDEN)
        return tell(error, PACKAGE_REFUSED, "the build made the forbidden system call %s",
                    verdict->call);
    if (verdict->end == SANDBOX_END_MEMORY)
        return tell(error, PACKAGE_REFUSED,
                    "the build ran out of memory: limit %d MiB, peak %lld MiB: run fewer compilers "
                    "at a time, or put built files into the package",
                    BUILD_MEMORY_MIB, (long long)verdict->memory_peak_bytes >> 20);
    if (verdict->end == SANDBOX_END_KEEPER || verdict->end == SANDBOX_END_STARVED)
        return tell(error, PACKAGE_FAILED,
                    verdict->end == SANDBOX_END_KEEPER
                        ? "the arena's process that guards the build was killed"
                        : "the kernel killed the build within its memory limit, because the "
                          "machine or the arena's control group was full: try again with less "
                          "load");
    if ((verdict->end == SANDBOX_END_SIGNALED || verdict->status != 0) &&
        (free_mib = lacking_mib(build)) >= 0)
        return tell(error, PACKAGE_FAILED,
                    "the build found no room on the disk, of which %lld MiB are free, and a build "
                    "may use %lld MiB: make room, or set TMPDIR to another folder",
                    (long long)free_mib, (long long)build->enough.bytes >> 20);
    if (verdict->end == SANDBOX_END_SIGNALED)
        return tell(error, PACKAGE_REFUSED, "the build died of signal %d%s%s", verdict->signal,
                    told, line);
    if (verdict->status != 0)
        return tell(error, PACKAGE_REFUSED, "the build exited with %d%s%s", verdict->status, told,
                    line);
    return 0;
}

/* ---- from start to end ---- */

/*
 * Reads output that is available. When the buffer is full, drops the older half of its content.
 * Returns false if there was nothing to read.
 */
static bool read_output(struct build *build, enum watched which)
{
    char *place;
    ssize_t got;

    if (build->printed_bytes == sizeof build->printed) {
        memmove(build->printed, build->printed + sizeof build->printed / 2,
                sizeof build->printed / 2);
        build->printed_bytes = sizeof build->printed / 2;
    }
    place = build->printed + build->printed_bytes;
    got = read(build->watched[which].fd, place, sizeof build->printed - build->printed_bytes);
    if (got > 0) {
        build->printed_bytes += (size_t)got;
        build->output_bytes += got;
        if (build->order->output_fn)
            build->order->output_fn(build->order->owner, place, (size_t)got);
        for (char *end = place + got; (place = memchr(place, '\0', (size_t)(end - place)));)
            *place = ' '; /* `printed` becomes a text */
    } else if (got == 0 || errno != EAGAIN) {
        build->watched[which].fd = -1;
    }
    return got > 0;
}

static void take_events(struct build *build)
{
    struct pollfd *watched = build->watched;

    poll(watched, WATCHED_COUNT, TICK_MS);
    if (watched[OUTPUT].revents)
        read_output(build, OUTPUT);
    if (watched[ERRORS].revents)
        read_output(build, ERRORS);
    if (watched[SET_UP].revents) {
        build->setup = sandbox_child_setup(&build->child, &build->failure);
        if (build->setup != SANDBOX_SETUP_PENDING)
            watched[SET_UP].fd = -1;
    }
    if (watched[NOTIFY].revents && !sandbox_child_notified(&build->child))
        watched[NOTIFY].fd = -1;
}

/*
 * Checks memory and free space every BUILD_WATCH_MS, also during a measurement of the folder,
 * because the build itself chooses how large its folder is.
 */
static void watch_memory(void *owner)
{
    struct build *build = owner;
    const int64_t now_us = clock_now_us();

    if (now_us < build->watch_us)
        return;
    build->watch_us = now_us + (int64_t)BUILD_WATCH_MS * 1000;
    sandbox_child_watch(&build->child);
    build->ate_the_disk |= has_eaten_the_disk(build);
}

/* Returns why the build must be killed now, or NOT_KILLED. Measures a large folder less often. */
static enum kill find_kill(struct build *build)
{
    const int64_t now_us = clock_now_us();
    const int64_t wall_ms =
        build->order->wall_ms ? build->order->wall_ms : BUILD_WALL_TIMES * time_ms(build);
    enum kill kill = NOT_KILLED;
    int64_t ended_us, pause_us;

    if (build->watched[STOP].revents)
        return STOPPED;
    charge(build);
    if (build->charged_us >= time_ms(build) * 1000)
        return LATE;
    if (now_us - build->begun_us >= wall_ms * 1000)
        return GIVEN_UP;
    if (build->output_bytes > (int64_t)BUILD_PRINTED_MIB_MAX << 20)
        return TOO_LOUD;
    watch_memory(build);
    if (build->ate_the_disk)
        return TOO_LARGE;
    if (now_us >= build->measure_us) {
        kill = measure_room(build, build->child.pid, watch_memory);
        ended_us = clock_now_us();
        pause_us = LOOK_SHARE * (ended_us - now_us);
        if (pause_us < (int64_t)BUILD_LOOK_MS * 1000)
            pause_us = (int64_t)BUILD_LOOK_MS * 1000;
        build->measure_us = ended_us + pause_us;
    }
    return kill;
}

/* Watches the build until its processes are dead, or the sandbox has given them up. */
static void watch(struct build *build)
{
    const struct build_order *order = build->order;

    build->begun_us = build->charge_us = clock_now_us();
    build->measure_us = build->begun_us + (int64_t)BUILD_LOOK_MS * 1000;
    while (!sandbox_child_reap(&build->child, &build->verdict)) {
        take_events(build);
        if (!build->kill) {
            build->kill = find_kill(build);
            if (build->kill) {
                build->watched[STOP].fd = -1;
                sandbox_child_kill(&build->child);
            }
        }
        if (order->progress_fn &&
            clock_now_us() - build->begun_us >= (build->elapsed_s + 1) * 1000000LL)
            order->progress_fn(order->owner, order->manifest->name, ++build->elapsed_s);
    }
}

static int spawn(struct build *build, int stop_fd)
{
    const struct build_order *order = build->order;
    const int64_t scratch_bytes = (int64_t)BUILD_SCRATCH_MIB << 20;
    const int64_t mib = order->space_bytes ? order->space_bytes >> 20 : BUILD_SPACE_MIB;
    struct statfs disk;
    struct sandbox_command command = {
        .folder = order->folder,
        .argv = (const char *const *)order->manifest->build,
        .executable_fd = -1,
        .profile = SANDBOX_PROFILE_BUILD,
        .limits = {.memory_bytes = (int64_t)BUILD_MEMORY_MIB << 20,
                   .process_count = BUILD_PROCESSES},
        .cpu = -1,
        .name = order->manifest->name,
    };

    build->enough = (struct tree_size){mib << 20, mib * BUILD_FILES_PER_MIB};
    if (statfs(order->folder, &disk) == 0)
        build->free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
    command.limits.scratch_bytes =
        scratch_bytes < build->enough.bytes ? scratch_bytes : build->enough.bytes;
    if (sandbox_spawn(order->sandbox, &command, &build->child, &build->failure) < 0)
        return -1;
    close(build->child.stdin_fd);
    build->child.stdin_fd = -1;
    const int fds[WATCHED_COUNT] = {build->child.stdout_fd, build->child.stderr_fd,
                                    build->child.setup_fd,  build->child.notify_fd,
                                    build->child.pid_fd,    stop_fd};
    for (int i = 0; i < WATCHED_COUNT; i++)
        build->watched[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    return 0;
}

/*
 * Reads the rest of the output of a build whose processes are dead, and measures its space once
 * more.
 */
static void wind_up(struct build *build)
{
    for (int i = 0; i < LAST_READS && read_output(build, OUTPUT); i++)
        ;
    for (int i = 0; i < LAST_READS && read_output(build, ERRORS); i++)
        ;
    if (build->setup == SANDBOX_SETUP_PENDING)
        build->setup = sandbox_child_setup(&build->child, &build->failure);
    /* This also makes the arena's user the owner of the folder again. */
    sandbox_child_finish(&build->child);
    if (!build->kill) /* a quick build may end before the first measurement */
        build->kill = measure_room(build, 0, NULL);
}

int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES])
{
    struct build *build = calloc(1, sizeof *build);
    int stop_fd = build ? stop_open() : -ENOMEM, result;

    if (stop_fd < 0) {
        free(build);
        return tell(error, PACKAGE_FAILED, "the arena could not run the build: %s",
                    strerror(-stop_fd));
    }
    build->order = order;
    if (spawn(build, stop_fd) < 0) {
        result = tell_unconfined(&build->failure, error);
    } else {
        watch(build);
        wind_up(build);
        if (order->progress_fn && build->elapsed_s > 0)
            order->progress_fn(order->owner, order->manifest->name, -1);
        result = tell_end(build, error);
        if (output && result < 0)
            *output = strndup(build->printed, build->printed_bytes);
    }
    close(stop_fd);
    free(build);
    return result;
}
