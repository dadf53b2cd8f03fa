/* SPDX-License-Identifier: MIT */
#include "arena/season/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "arena/play/source.h"
#include "arena/play/subprocess.h"
#include "arena/base/tree.h"
#include "arena/store/archive.h"
#include "arena/base/clock.h"

struct staged {
    struct errand dropping; /* must be the first field: remove_dropped casts from it */
    enum staging_state state;
    struct store_bot bot;
    char *package; /* the package's file in a worker's cache; NULL: the package is in the store */
    char *lack;    /* why its games are left out; NULL: they are not */
    struct source source; /* complete once the bot is unpacked */
};

struct staging {
    struct ev_loop *loop;
    char *variable; /* ARENA_STORE=URL, for the processes that unpack; or NULL */
    char *program;
    struct stage *stage; /* private folder; NULL until the thread has created it */
    int stage_error;     /* -errno if the folder could not be created */
    struct staging_options options;
    struct staged *
        *entries; /* by number of the bot in the season; NULL until the bot is requested */
    int count;
    int at_work;               /* number of the bot that is being unpacked; -1: none */
    struct subprocess process; /* the process that unpacks */
    bool is_made, ends;
    ev_timer room;   /* timer of the next attempt to unpack, while the machine has no room */
    int64_t full_us; /* moment since which the disk has had no room for bots; 0: room */
    /* The thread that creates the folder, starts processes and removes folders. */
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
    if (options->url && asprintf(&staging->variable, "ARENA_STORE=%s", options->url) < 0)
        staging->variable = NULL;
    staging->program = strdup(options->program ? options->program : "/proc/self/exe");
    if (staging->program && (staging->variable || !options->url))
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
    free(staged->lack);
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
    free(staging->variable);
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

static void warn(const struct staging *staging, const char *words)
{
    if (staging->options.warn_fn)
        staging->options.warn_fn(staging->options.owner, words);
}

static void tell_crowded(const struct staging *staging, int error)
{
    char words[RUNNER_WORDS_BYTES];

    if (error)
        snprintf(words, sizeof words,
                 "the machine has no room to unpack a package (%s): the arena tries again",
                 strerror(-error));
    else
        snprintf(
            words, sizeof words,
            "the process that unpacks a package was killed: the arena unpacks the package again");
    warn(staging, words);
}

/*
 * Puts off the bot being unpacked until the next attempt, because the machine has no room for the
 * process (error is -errno) or killed it (error is 0). Returns false if the shortage has lasted
 * RUNNER_FULL_MS.
 */
static bool await_room(struct staging *staging, int error)
{
    int64_t now_us = clock_now_us();
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
 * Ends the work on the bot being unpacked: the bot is READY, or LEFT_OUT if it has a lack, if error
 * is NULL; else FAILED, because the arena failed.
 */
static void settle(struct staging *staging, const char *error)
{
    int entry = staging->at_work;
    struct staged *staged = staging->entries[entry];

    staging->at_work = -1;
    staging->full_us = 0;
    staged->state = error ? STAGING_FAILED : staged->lack ? STAGING_LEFT_OUT : STAGING_READY;
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

/* Ends the work on a bot whose games are left out: that is neither its fault nor the season's. */
static void settle_left_out(struct staging *staging, const char *why)
{
    struct staged *staged = staging->entries[staging->at_work];

    staged->lack = strdup(why);
    settle(staging, staged->lack ? NULL : "out of memory");
}

/* Ends the work on a bot whose package or manifest is not in the store as it was admitted. */
static void settle_lost(struct staging *staging, const char *why)
{
    const struct store_bot *bot = &staging->entries[staging->at_work]->bot;
    char words[SOURCE_ERROR_BYTES + 256];

    snprintf(words, sizeof words, "games of bot %s %s are left out: %.4096s", bot->name,
             bot->version, why);
    warn(staging, words);
    settle_left_out(staging, why);
}

/* ---- the process that unpacks ---- */

/* Names a bot as the store does: its bot.json may have no name. */
static void name_as_stored(struct source *source, const struct store_bot *bot)
{
    snprintf(source->manifest.name, sizeof source->manifest.name, "%s", bot->name);
}

static void process_ended(struct subprocess *process, int status)
{
    struct staging *staging = process->owner;
    struct staged *staged = staging->entries[staging->at_work];
    int start_error = process->start_error;
    char line[SOURCE_ERROR_BYTES], what[MANIFEST_ERROR_BYTES];
    const char *text; /* the manifest as the author submitted it, which the build cannot change */

    snprintf(line, sizeof line, "%.*s", (int)process->text_bytes, process->text);
    if (status == UNPACK_DONE && !staged->package)
        staged->source.manifest_text = strndup(process->text, process->text_bytes);
    text = staged->source.manifest_text;
    subprocess_finish(process);
    if ((status == SUBPROCESS_KILLED && await_room(staging, 0)) ||
        (status == SUBPROCESS_UNSTARTED && runner_is_exhaustion(-start_error) &&
         await_room(staging, start_error)))
        return;
    if (status == UNPACK_REFUSED && !staged->package)
        settle_lost(staging, line);
    else if (status != UNPACK_DONE)
        settle_failed(staging, *line ? line : "the process that unpacks the package was killed");
    else if (!text)
        settle_failed(staging, "out of memory");
    else if (manifest_parse(&staged->source.manifest, text, strlen(text), what) < 0)
        settle_failed(staging, what);
    else if (source_cannot_run(&staged->source))
        settle_failed(staging, SOURCE_CANNOT_RUN);
    else if (source_lacks_tier(&staged->source.manifest, staging->options.sandbox, true))
        settle_left_out(staging, STAGING_WEAK);
    else {
        name_as_stored(&staged->source, &staged->bot);
        settle(staging, NULL);
    }
}

static void unpack(struct staging *staging)
{
    struct staged *staged = staging->entries[staging->at_work];
    char parent[16], bot[24];
    char *arguments[] = {(char *)"arena",
                         (char *)"unpack",
                         staged->source.folder,
                         parent,
                         staged->bot.built_sha256,
                         staged->package ? staged->package : bot,
                         NULL};
    int error;

    snprintf(parent, sizeof parent, "%d", (int)getpid());
    snprintf(bot, sizeof bot, "%" PRId64, staged->bot.id);
    staging->process = (struct subprocess){
        .owner = staging, .variable = staging->variable, .ended_fn = process_ended};
    error = subprocess_start(&staging->process, staging->loop, staging->mailbox, staging->program,
                             arguments, STORE_MANIFEST_BYTES_MAX, STAGING_S_MAX);
    if (error && !(runner_is_exhaustion(-error) && await_room(staging, error)))
        settle_failed(staging, strerror(-error));
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

static void begin(struct staging *staging, int entry)
{
    struct staged *staged = staging->entries[entry];

    staging->at_work = entry;
    if (staging->stage_error) {
        tell_no_stage(staging);
    } else if (!staged->source.folder &&
               asprintf(&staged->source.folder, "%s/%d", staging->stage->path, entry) < 0) {
        staged->source.folder = NULL;
        settle_failed(staging, "out of memory");
    } else {
        unpack(staging);
    }
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
    if (entry < staging->count)
        return 0;
    if (ARRAY_GROW(staging->entries, staging->count, entry + 1 - staging->count) < 0)
        return -1;
    while (staging->count <= entry)
        staging->entries[staging->count++] = NULL;
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

const char *staging_lack(const struct staging *staging, int entry)
{
    return staging->entries[entry]->lack;
}

/* ---- unpacking: blocks, for a long time if the package is large ---- */

/* Where a package comes from, for the line that says that it is damaged. */
struct origin {
    const char *name, *cure;
};

static const struct origin of_store = {"the package in the store", "restore a backup"};
/* A worker fetches a damaged package anew, and tells of it only if it is then damaged again. */
static const struct origin of_cache = {"the package that the store sends",
                                       "`arena store check` says if it is damaged there"};

static int tell_damage(const struct origin *origin, const char *how,
                       char error[static SOURCE_ERROR_BYTES])
{
    snprintf(error, SOURCE_ERROR_BYTES, "%s is damaged: %.4096s: %s", origin->name, how,
             origin->cure);
    return PACKAGE_REFUSED;
}

/*
 * Unpacks a package to folder and checks the package's hash. Returns a package_result, with one
 * line in error.
 */
static int unpack_package(const char *folder, const uint8_t *bytes, size_t size, const char *sha256,
                          const struct origin *origin, char error[static SOURCE_ERROR_BYTES])
{
    char hash[PACKAGE_HASH_CHARS + 1], archive_error[ARCHIVE_ERROR_BYTES],
        copy_error[PACKAGE_ERROR_BYTES];
    const char *how;
    int result;

    tree_remove(folder); /* left over from an attempt that was killed */
    result = archive_unpack(bytes, size, folder, NULL, archive_error);
    if (result == ARCHIVE_REFUSED) {
        how = strstr(archive_error, ": ");
        return tell_damage(origin, how ? how + 2 : archive_error, error);
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
    return tell_damage(origin, "its hash differs", error);
}

int unpack_stored(struct store *store, const char *sha256, const char *folder,
                  char error[static SOURCE_ERROR_BYTES])
{
    uint8_t *bytes;
    size_t size;
    int result = store_package_read(store, sha256, &bytes, &size);

    if (result == 0) {
        result = unpack_package(folder, bytes, size, sha256, &of_store, error);
        free(bytes);
        return result;
    }
    snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
    return result == -ENODATA ? -ENODATA : result == -ENOENT ? PACKAGE_REFUSED : PACKAGE_FAILED;
}

/* Unpacks a stored bot to source->folder, and reads its manifest. Returns as unpack_bot does. */
static int unpack_source(struct source *source, struct store *store, const struct store_bot *bot,
                         char error[static SOURCE_ERROR_BYTES])
{
    char what[MANIFEST_ERROR_BYTES];
    int result = unpack_stored(store, bot->built_sha256, source->folder, error);

    if (result < 0)
        return result;
    result = store_manifest_read(store, bot->id, &source->manifest_text);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
        return result == -ENOENT ? PACKAGE_REFUSED : PACKAGE_FAILED;
    }
    if (manifest_parse(&source->manifest, source->manifest_text, strlen(source->manifest_text),
                       what) == 0) {
        name_as_stored(source, bot);
        return 0;
    }
    snprintf(error, SOURCE_ERROR_BYTES, "bot.json in the store is damaged: %s: restore a backup",
             what);
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
        result = unpack_source(source, store, bot, what);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %.4096s", bot->name, bot->version, what);
        source_close(source);
        return result;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
}

static int unpack_file(const char *path, const char *sha256, const char *folder,
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
        result = unpack_package(folder, bytes, (size_t)status.st_size, sha256, &of_cache, error);
        munmap(bytes, (size_t)status.st_size);
    }
    if (fd >= 0)
        close(fd);
    return result;
}

/* Unpacks a bot of the store that $ARENA_STORE names, and prints the bot's manifest. */
static int unpack_from_store(int64_t id, const char *sha256, const char *folder,
                             char error[static SOURCE_ERROR_BYTES])
{
    struct source source = {.folder = (char *)folder};
    struct store_bot bot = {.id = id};
    const char *url = getenv("ARENA_STORE");
    struct store *store;
    int result = PACKAGE_FAILED;

    snprintf(bot.built_sha256, sizeof bot.built_sha256, "%s", sha256);
    if (store_open(&store, url ? url : "", STORE_READ) < 0)
        snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
    else
        result = unpack_source(&source, store, &bot, error);
    if (result == 0)
        printf("%s", source.manifest_text);
    free(source.manifest_text);
    manifest_finish(&source.manifest);
    store_close(store);
    return result;
}

int unpack_run(int count, char **arguments)
{
    const char *folder = arguments[0], *sha256 = arguments[2], *what = arguments[3];
    const bool is_file = strchr(what, '/') != NULL;
    char error[SOURCE_ERROR_BYTES] = "";
    int result;

    if (!subprocess_settle(atoi(arguments[1])))
        return UNPACK_FAILED;
    result = is_file ? unpack_file(what, sha256, folder, error)
                     : unpack_from_store(strtoll(what, NULL, 10), sha256, folder, error);
    if (is_file && result == PACKAGE_REFUSED)
        unlink(what);
    if (result < 0)
        printf("%s", error);
    if (fflush(stdout) != 0)
        return UNPACK_FAILED;
    return result == 0                                       ? UNPACK_DONE
           : result == PACKAGE_REFUSED || result == -ENODATA ? UNPACK_REFUSED
                                                             : UNPACK_FAILED;
}
