#include "arena/season/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "arena/play/source.h"
#include "arena/play/subprocess.h"
#include "arena/play/tree.h"
#include "arena/store/archive.h"

/* The bot of one entry. */
struct staged {
    struct errand dropping; /* must be the first field: remove_dropped casts from it */
    enum staging_state state;
    struct store_bot bot;
    char *package; /* path of the package's file; in the private folder if the thread read it from
                      the store */
    bool is_copy;  /* package is in the cache of a worker: damage to it is not the bot's fault */
    struct source source; /* complete once the bot is unpacked; only manifest_text is set before */
};

/* A package that the thread reads from the store into a file. */
struct fetch {
    struct errand errand; /* must be the first field: run_fetch casts from it */
    struct staging *staging;
    struct staged *staged;
    int result; /* a package_result; or -errno if the machine has no room */
    char error[SOURCE_ERROR_BYTES];
};

struct staging {
    struct ev_loop *loop;
    char *url, *program;
    struct stage *stage;            /* private folder; NULL until the thread has created it */
    int stage_error;                /* -errno if the folder could not be created */
    struct staging_options options; /* copy of the options, without url and program */
    struct staged *
        *entries; /* by number of the bot in the season; NULL until the bot is requested */
    int count;
    int at_work; /* number of the bot that is being unpacked; -1: none */
    struct fetch fetch;
    struct subprocess process; /* the process that unpacks */
    bool is_made, ends;
    ev_timer room;   /* timer of the next attempt to unpack, while the machine has no room */
    int64_t full_us; /* moment since which the disk has had no room for bots; 0: room */
    /* The thread that creates the folder, reads packages, starts processes and removes folders. */
    struct mailbox *mailbox;
    struct errand making, removal;
    void (*removed_fn)(void *owner);
};

static void begin_next(struct staging *staging);

/*
 * Creates the private folder. Runs in the thread, because removing the folders of killed arenas may
 * take long.
 */
static void make_stage(struct errand *errand)
{
    struct staging *staging = (struct staging *)((char *)errand - offsetof(struct staging, making));

    staging->stage = stage_create(staging->options.sandbox);
    if (!staging->stage)
        staging->stage_error = -errno;
}

static void stage_made(struct errand *errand)
{
    struct staging *staging = (struct staging *)((char *)errand - offsetof(struct staging, making));

    staging->is_made = true;
    if (!staging->ends)
        begin_next(staging);
}

static void try_again(struct ev_loop *loop, ev_timer *timer, int events)
{
    begin_next(timer->data);
}

struct staging *staging_create(struct ev_loop *loop, const struct staging_options *options)
{
    struct staging *staging = calloc(1, sizeof *staging);
    int error = ENOMEM;

    if (!staging)
        return NULL;
    staging->loop = loop;
    staging->options = *options;
    staging->at_work = -1;
    ev_timer_init(&staging->room, try_again, STAGING_ROOM_MS / 1000., 0.);
    staging->room.data = staging;
    staging->url = options->url ? strdup(options->url) : NULL;
    staging->program = strdup(options->program ? options->program : "/proc/self/exe");
    if (staging->program && (staging->url || !options->url))
        error = -mailbox_create(&staging->mailbox, loop, NULL);
    if (staging->mailbox) {
        staging->making = (struct errand){.run_fn = make_stage, .done_fn = stage_made};
        mailbox_add(staging->mailbox, &staging->making);
        return staging;
    }
    staging_destroy(staging);
    errno = error;
    return NULL;
}

static void free_staged(struct staged *staged)
{
    source_close(&staged->source);
    free(staged->package);
    free(staged);
}

void staging_destroy(struct staging *staging)
{
    if (!staging)
        return;
    staging->removed_fn = NULL;
    staging->ends = true;
    ev_timer_stop(staging->loop, &staging->room);
    subprocess_finish(&staging->process);
    mailbox_destroy(staging->mailbox);
    for (int i = 0; i < staging->count; i++)
        if (staging->entries[i])
            free_staged(staging->entries[i]);
    free(staging->entries);
    free(staging->url);
    free(staging->program);
    stage_destroy(staging->stage);
    free(staging);
}

/* Removes the private folder, in the thread, so that staging_destroy has nothing left to remove. */
static void remove_stage(struct errand *errand)
{
    struct staging *staging =
        (struct staging *)((char *)errand - offsetof(struct staging, removal));

    stage_destroy(staging->stage);
    staging->stage = NULL;
}

static void stage_removed(struct errand *errand)
{
    struct staging *staging =
        (struct staging *)((char *)errand - offsetof(struct staging, removal));

    if (staging->removed_fn)
        staging->removed_fn(staging->options.owner);
}

void staging_remove(struct staging *staging, void (*removed_fn)(void *owner))
{
    ev_timer_stop(staging->loop, &staging->room);
    subprocess_finish(&staging->process);
    staging->ends = true;
    staging->removed_fn = removed_fn;
    staging->removal = (struct errand){.run_fn = remove_stage, .done_fn = stage_removed};
    mailbox_add(staging->mailbox, &staging->removal);
}

static void tell_crowded(const struct staging *staging, int error)
{
    char words[RUNNER_WORDS_BYTES];

    if (!staging->options.crowded_fn)
        return;
    if (error)
        snprintf(words, sizeof words,
                 "the machine has no room to unpack a package (%s): the arena tries again",
                 strerror(-error));
    else
        snprintf(
            words, sizeof words,
            "the process that unpacks a package was killed: the arena unpacks the package again");
    staging->options.crowded_fn(staging->options.owner, words);
}

/*
 * Puts off the bot being unpacked until the next attempt, because the machine has no room for the
 * process (error is -errno) or killed it (error is 0). Returns false if the shortage has lasted
 * RUNNER_FULL_MS.
 */
static bool await_room(struct staging *staging, int error)
{
    int64_t now_us = alarm_now_us();
    bool is_first = !staging->full_us;

    if (is_first)
        staging->full_us = now_us;
    if (now_us - staging->full_us > (int64_t)RUNNER_FULL_MS * 1000)
        return false;
    staging->at_work = -1;
    ev_timer_start(staging->loop, &staging->room);
    if (is_first)
        tell_crowded(staging, error);
    return true;
}

/*
 * Ends the work on the bot being unpacked: the bot is READY if error is NULL; else FAILED, because
 * the arena failed.
 */
static void settle(struct staging *staging, const char *error)
{
    int entry = staging->at_work;
    struct staged *staged = staging->entries[entry];

    staging->at_work = -1;
    staging->full_us = 0;
    staged->state = error ? STAGING_FAILED : STAGING_READY;
    memcpy(staged->source.sha256, staged->bot.sha256, sizeof staged->source.sha256);
    begin_next(staging);
    staging->options.staged_fn(staging->options.owner, entry, error);
}

static void settle_failed(struct staging *staging, const char *why)
{
    const struct store_bot *bot = &staging->entries[staging->at_work]->bot;
    char error[SOURCE_ERROR_BYTES];

    snprintf(error, sizeof error, "bot %s %s: %.4096s", bot->name, bot->version, why);
    settle(staging, error);
}

/*
 * Ends the work on a bot whose own package or manifest is at fault. The bot gets its seats but is
 * out before its first turn, so that one bad bot does not end a season.
 */
static void settle_unfit(struct staging *staging, const char *why)
{
    const struct staged *staged = staging->entries[staging->at_work];
    struct source *source = &staging->entries[staging->at_work]->source;

    snprintf(source->manifest.name, sizeof source->manifest.name, "%s", staged->bot.name);
    snprintf(source->manifest.version, sizeof source->manifest.version, "%s", staged->bot.version);
    source->unfit = strdup(why);
    settle(staging, source->unfit ? NULL : "out of memory");
}

/* ---- the process that unpacks ---- */

static void process_ended(struct subprocess *process, int status)
{
    struct staging *staging = process->owner;
    struct staged *staged = staging->entries[staging->at_work];
    int start_error = process->start_error;
    char line[SOURCE_ERROR_BYTES], what[MANIFEST_ERROR_BYTES];
    const char *text = staged->source.manifest_text; /* the manifest as the author submitted it,
                                                        which the build cannot change */

    snprintf(line, sizeof line, "%.*s", (int)process->text_bytes, process->text);
    subprocess_finish(process);
    if ((status == SUBPROCESS_KILLED && await_room(staging, 0)) ||
        (status == SUBPROCESS_UNSTARTED && runner_is_exhaustion(-start_error) &&
         await_room(staging, start_error)))
        return;
    if (status == UNPACK_REFUSED && !staged->is_copy)
        settle_unfit(staging, line);
    else if (status != UNPACK_DONE)
        settle_failed(staging, *line ? line : "the process that unpacks the package was killed");
    else if (manifest_parse(&staged->source.manifest, text, strlen(text), what) < 0)
        settle_unfit(staging, what);
    else if (source_cannot_run(&staged->source))
        settle_failed(staging, SOURCE_CANNOT_RUN);
    else
        settle(staging, NULL);
}

static void unpack(struct staging *staging)
{
    struct staged *staged = staging->entries[staging->at_work];
    char parent[16];
    char *arguments[] = {(char *)"arena",
                         (char *)"unpack",
                         staged->package,
                         staged->bot.built_sha256,
                         staged->source.folder,
                         parent,
                         (char *)(staged->is_copy ? "keep" : "remove"),
                         NULL};
    int error;

    snprintf(parent, sizeof parent, "%d", (int)getpid());
    staging->process = (struct subprocess){.owner = staging, .ended_fn = process_ended};
    error = subprocess_start(&staging->process, staging->loop, staging->mailbox, staging->program,
                             arguments, SOURCE_ERROR_BYTES - 1, STAGING_S_MAX);
    if (error && !(runner_is_exhaustion(-error) && await_room(staging, error)))
        settle_failed(staging, strerror(-error));
}

/* ---- packages from the store ---- */

/* Writes a bot's package to a descriptor and reads its manifest. Returns a package_result. */
static int read_stored(struct fetch *fetch, int fd)
{
    const struct store_bot *bot = &fetch->staged->bot;
    struct store *store;
    uint8_t *bytes = NULL;
    size_t size;
    int error = store_open(&store, fetch->staging->url, STORE_READ), write_error = 0;

    if (!error)
        error = store_manifest_read(store, bot->id, &fetch->staged->source.manifest_text);
    if (!error)
        error = store_package_read(store, bot->built_sha256, &bytes, &size);
    if (!error)
        write_error = archive_write(fd, bytes, size);
    free(bytes);
    if (error || write_error)
        snprintf(fetch->error, sizeof fetch->error, "%s",
                 error ? store_failure(store) : strerror(-write_error));
    store_close(store);
    if (!error && !write_error)
        return 0;
    /* A missing or removed package is the bot's fault; any other error is the arena's. */
    return error == -ENOENT || error == -ENODATA ? PACKAGE_REFUSED : PACKAGE_FAILED;
}

/* Reads the package from the store and starts the process; runs in the thread. */
static void run_fetch(struct errand *errand)
{
    struct fetch *fetch = (struct fetch *)errand;
    const char *path = fetch->staged->package;
    int fd;

    unlink(path); /* left over from a failed attempt */
    free(fetch->staged->source.manifest_text);
    fetch->staged->source.manifest_text = NULL;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        fetch->result = -errno;
        return;
    }
    fetch->result = read_stored(fetch, fd);
    close(fd);
}

static void fetched(struct errand *errand)
{
    struct fetch *fetch = (struct fetch *)errand;
    struct staging *staging = fetch->staging;

    if (staging->ends)
        return;
    if (fetch->result == 0)
        unpack(staging);
    else if (*fetch->error && fetch->result == PACKAGE_REFUSED)
        settle_unfit(staging, fetch->error);
    else if (*fetch->error)
        settle_failed(staging, fetch->error);
    else if (!runner_is_exhaustion(-fetch->result) || !await_room(staging, fetch->result))
        settle_failed(staging, strerror(-fetch->result));
}

static void begin_fetch(struct staging *staging, struct staged *staged)
{
    staging->fetch = (struct fetch){
        .errand = {.run_fn = run_fetch, .done_fn = fetched}, .staging = staging, .staged = staged};
    mailbox_add(staging->mailbox, &staging->fetch.errand);
}

/* ---- beginning with the next entry ---- */

static void tell_no_stage(struct staging *staging)
{
    const char *parent = getenv("TMPDIR");
    char line[SOURCE_ERROR_BYTES];

    snprintf(line, sizeof line,
             "%s: the arena cannot make a folder for copies of bots in this folder: %s: set TMPDIR "
             "to another folder",
             parent && *parent ? parent : "/tmp", strerror(-staging->stage_error));
    settle(staging, line);
}

/* Chooses the paths of a bot's package file and folder. Returns false if memory runs out. */
static bool name_files(const struct staging *staging, struct staged *staged, int entry)
{
    if (!staged->source.folder &&
        asprintf(&staged->source.folder, "%s/%d", staging->stage->path, entry) < 0)
        staged->source.folder = NULL;
    if (staged->source.folder && !staged->package &&
        asprintf(&staged->package, "%s/%d.package", staging->stage->path, entry) < 0)
        staged->package = NULL;
    return staged->source.folder && staged->package;
}

static void begin(struct staging *staging, int entry)
{
    struct staged *staged = staging->entries[entry];

    staging->at_work = entry;
    if (staging->stage_error)
        tell_no_stage(staging);
    else if (!name_files(staging, staged, entry))
        settle_failed(staging, "out of memory");
    else if (staged->is_copy)
        unpack(staging);
    else
        begin_fetch(staging, staged);
}

static void begin_next(struct staging *staging)
{
    for (int i = 0; i < staging->count && staging->at_work < 0 && staging->is_made &&
                    !ev_is_active(&staging->room);
         i++)
        if (staging->entries[i] && staging->entries[i]->state == STAGING_WAITING)
            begin(staging, i);
}

/* ---- requests ---- */

/* Makes room in staging->entries for the bot with this number. Returns 0 or -1. */
static int grow(struct staging *staging, int entry)
{
    struct staged **larger;

    if (entry < staging->count)
        return 0;
    larger = realloc(staging->entries, (size_t)(entry + 1) * sizeof *larger);
    if (!larger)
        return -1;
    for (int i = staging->count; i <= entry; i++)
        larger[i] = NULL;
    staging->entries = larger;
    staging->count = entry + 1;
    return 0;
}

static struct staged *create_staged(const struct store_bot *bot, const char *package)
{
    struct staged *staged = calloc(1, sizeof *staged);

    if (!staged)
        return NULL;
    staged->bot = *bot;
    staged->state = STAGING_WAITING;
    if (!package)
        return staged;
    staged->is_copy = true;
    staged->package = strdup(package);
    staged->source.manifest_text = strdup(bot->manifest);
    if (staged->package && staged->source.manifest_text)
        return staged;
    free_staged(staged);
    return NULL;
}

int staging_want(struct staging *staging, int entry, const struct store_bot *bot,
                 const char *package)
{
    if (grow(staging, entry) < 0)
        return -1;
    if (!staging->entries[entry]) {
        staging->entries[entry] = create_staged(bot, package);
        if (!staging->entries[entry])
            return -1;
        begin_next(staging);
    }
    return (int)staging->entries[entry]->state;
}

static void remove_dropped(struct errand *errand)
{
    source_close(&((struct staged *)errand)->source);
}

static void free_dropped(struct errand *errand)
{
    free_staged((struct staged *)errand);
}

void staging_drop(struct staging *staging, int entry)
{
    struct staged *staged = staging->entries[entry];

    staging->entries[entry] = NULL;
    staged->dropping = (struct errand){.run_fn = remove_dropped, .done_fn = free_dropped};
    mailbox_add(staging->mailbox, &staged->dropping);
}

const struct source *staging_source(const struct staging *staging, int entry)
{
    return &staging->entries[entry]->source;
}

/* ---- unpacking: blocks, for a long time if the package is large ---- */

/*
 * Unpacks a package to folder and checks the package's hash. `where`, for error messages, is
 * "store" or "cache". Returns a package_result, with one line in error.
 */
static int unpack_package(const char *folder, const uint8_t *bytes, size_t size, const char *sha256,
                          const char *where, char error[static SOURCE_ERROR_BYTES])
{
    char hash[PACKAGE_HASH_CHARS + 1], archive_error[ARCHIVE_ERROR_BYTES],
        copy_error[PACKAGE_ERROR_BYTES];
    const char *how;
    int result;

    tree_remove(folder); /* left over from an attempt that was killed */
    result = archive_unpack(bytes, size, folder, archive_error);
    if (result == ARCHIVE_REFUSED) {
        how = strstr(archive_error, ": ");
        snprintf(error, SOURCE_ERROR_BYTES, "the bot's package in the %s is damaged%s", where,
                 how ? how : "");
        return PACKAGE_REFUSED;
    }
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", archive_error);
        return PACKAGE_FAILED;
    }
    result = package_copy(folder, NULL, hash, copy_error);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", copy_error);
        return result;
    }
    if (strcmp(hash, sha256) == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "the bot's package in the %s is damaged: its hash differs",
             where);
    return PACKAGE_REFUSED;
}

static int unpack_stored(struct source *source, struct store *store, const struct store_bot *bot,
                         char error[static SOURCE_ERROR_BYTES])
{
    char what[MANIFEST_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int result = store_package_read(store, bot->built_sha256, &bytes, &size);

    if (result == 0) {
        result = unpack_package(source->folder, bytes, size, bot->built_sha256, "store", error);
        free(bytes);
        if (result < 0)
            return result;
        result = store_manifest_read(store, bot->id, &source->manifest_text);
    }
    if (result < 0) { /* a missing row or package is this bot's fault, not the arena's */
        snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
        return result == -ENOENT || result == -ENODATA ? PACKAGE_REFUSED : PACKAGE_FAILED;
    }
    if (manifest_parse(&source->manifest, source->manifest_text, strlen(source->manifest_text),
                       what) == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "%s", what);
    return PACKAGE_REFUSED;
}

int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES])
{
    char what[SOURCE_ERROR_BYTES] = "out of memory";
    int result = PACKAGE_FAILED;

    *source = (struct source){0};
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0)
        source->folder = NULL;
    else
        result = unpack_stored(source, store, bot, what);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %.4096s", bot->name, bot->version, what);
        source_close(source);
        return result;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
}

static int unpack_file(const char *path, const char *sha256, const char *folder, const char *where,
                       char error[static SOURCE_ERROR_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), result = PACKAGE_FAILED;
    struct stat status;
    void *bytes = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &status) == 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s: %s", path, strerror(errno));
    } else {
        result = unpack_package(folder, bytes, (size_t)status.st_size, sha256, where, error);
        munmap(bytes, (size_t)status.st_size);
    }
    if (fd >= 0)
        close(fd);
    return result;
}

int unpack_run(char **arguments)
{
    bool is_copy = strcmp(arguments[4], "keep") == 0;
    char error[SOURCE_ERROR_BYTES];
    int result;

    if (!subprocess_settle(atoi(arguments[3])))
        return UNPACK_FAILED;
    result =
        unpack_file(arguments[0], arguments[1], arguments[2], is_copy ? "cache" : "store", error);
    if (result == PACKAGE_REFUSED || !is_copy)
        unlink(arguments[0]);
    if (result == 0)
        return UNPACK_DONE;
    printf("%s", error);
    if (fflush(stdout) != 0)
        return UNPACK_FAILED;
    return result == PACKAGE_REFUSED ? UNPACK_REFUSED : UNPACK_FAILED;
}
