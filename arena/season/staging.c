#include "arena/season/staging.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/alarm.h"
#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "arena/play/source.h"
#include "arena/season/stage_child.h"

/* One entry's bot. */
struct staged {
    enum staging_state state;
    struct store_bot bot;
    struct source source; /* set if READY */
};

struct staging {
    struct ev_loop *loop;
    char *url, *program;
    struct stage *stage;            /* a private folder; NULL until it is created */
    int stage_error;                /* -errno: it could not be created */
    struct staging_options options; /* except url and program */
    struct staged **entries;        /* by entry; NULL until requested */
    int count;
    int at_work; /* entry being unpacked; -1: none */
    struct stage_child child;
    bool is_made, ends;
    ev_timer room;   /* until the next attempt, while the machine has no room */
    int64_t full_us; /* start of the shortage of room; 0: there is room */
    /* The thread that creates the folder, starts the processes and removes the folder at the end.
     */
    struct mailbox *errands;
    struct errand making, removal;
    void (*removed_fn)(void *owner);
};

/*
 * Marks a bot as unfit: it gets its seat and is out before the first turn, so that one bot does not
 * end a season.
 */
static int make_unfit(struct staged *staged, const char *why)
{
    struct source *source = &staged->source;
    const char *behind_bot = strstr(why, ": "); /* the forfeit already names the bot */

    snprintf(source->manifest.name, sizeof source->manifest.name, "%s", staged->bot.name);
    snprintf(source->manifest.version, sizeof source->manifest.version, "%s", staged->bot.version);
    source->unfit = strdup(behind_bot ? behind_bot + 2 : why);
    return source->unfit ? 0 : -1;
}

static void begin_next(struct staging *staging);

/* Runs in the thread, because it also removes what killed arenas left, which may be much. */
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
    staging->url = strdup(options->url);
    staging->program = strdup(options->program ? options->program : "/proc/self/exe");
    if (staging->url && staging->program)
        error = -mailbox_create(&staging->errands, loop, NULL);
    if (staging->errands) {
        staging->making = (struct errand){.run_fn = make_stage, .done_fn = stage_made};
        mailbox_add(staging->errands, &staging->making);
        return staging;
    }
    staging_destroy(staging);
    errno = error;
    return NULL;
}

void staging_destroy(struct staging *staging)
{
    if (!staging)
        return;
    staging->removed_fn = NULL;
    staging->ends = true;
    ev_timer_stop(staging->loop, &staging->room);
    stage_child_finish(&staging->child);
    mailbox_destroy(staging->errands);
    for (int i = 0; i < staging->count; i++) {
        if (staging->entries[i])
            source_close(&staging->entries[i]->source);
        free(staging->entries[i]);
    }
    free(staging->entries);
    free(staging->url);
    free(staging->program);
    stage_destroy(staging->stage);
    free(staging);
}

/* Runs in the thread; leaves nothing for staging_destroy to do. */
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
    stage_child_finish(&staging->child);
    staging->ends = true;
    staging->removed_fn = removed_fn;
    staging->removal = (struct errand){.run_fn = remove_stage, .done_fn = stage_removed};
    mailbox_add(staging->errands, &staging->removal);
}

static void tell_crowded(const struct staging *staging, int error)
{
    char words[RUNNER_WORDS_BYTES];

    if (!staging->options.crowded_fn)
        return;
    if (error)
        snprintf(words, sizeof words,
                 "the machine has no room to unpack a package (%s): it is tried again",
                 strerror(-error));
    else
        snprintf(words, sizeof words,
                 "a package was not unpacked, the process for that was killed: it is tried again");
    staging->options.crowded_fn(staging->options.owner, words);
}

/* Delays the bot being unpacked until the next attempt: the machine has no room for the process
   (-errno), or killed it (0). Returns false after a shortage of RUNNER_FULL_MS. */
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

/* The bot being unpacked is ready, or the arena failed. */
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

static void child_ended(struct stage_child *child, int status)
{
    struct staging *staging = child->owner;
    struct staged *staged = staging->entries[staging->at_work];
    char line[SOURCE_ERROR_BYTES], what[MANIFEST_ERROR_BYTES];
    const char *error = NULL;

    if (status == STAGE_CHILD_NO_ROOM && await_room(staging, child->error)) {
        stage_child_finish(child);
        return;
    }
    if (status == 0) {
        if (manifest_parse(&staged->source.manifest, child->process.text, child->process.text_bytes,
                           what) < 0)
            error = what;
    } else {
        snprintf(line, sizeof line, "%.*s", (int)child->process.text_bytes, child->process.text);
        error = *line ? line
                      : "a package could not be unpacked: the process for that was killed, or not "
                        "started";
    }
    if (status == STAGE_CHILD_REFUSED && error == line)
        error = make_unfit(staged, line) < 0 ? "out of memory" : NULL;
    stage_child_finish(child);
    settle(staging, error);
}

static void tell_no_stage(struct staging *staging)
{
    const char *parent = getenv("TMPDIR");
    char line[SOURCE_ERROR_BYTES];

    snprintf(line, sizeof line,
             "%s: no folder for copies of bots can be made in it: %s: set TMPDIR to another folder",
             parent && *parent ? parent : "/tmp", strerror(-staging->stage_error));
    settle(staging, line);
}

/* Starts to unpack the bot at_work. Returns 0 or -errno. */
static int begin(struct staging *staging)
{
    int entry = staging->at_work;
    struct staged *staged = staging->entries[entry];

    if (!staged->source.folder &&
        asprintf(&staged->source.folder, "%s/%d", staging->stage->path, entry) < 0) {
        staged->source.folder = NULL;
        return -ENOMEM;
    }
    staging->child = (struct stage_child){.owner = staging, .ended_fn = child_ended};
    return stage_child_start(&staging->child, staging->loop, staging->errands, staging->program,
                             staging->url, staged->bot.id, staging->stage->path, entry,
                             STAGING_S_MAX);
}

static void begin_next(struct staging *staging)
{
    for (int i = 0; i < staging->count && staging->at_work < 0 && staging->is_made; i++) {
        struct staged *staged = staging->entries[i];
        int error;

        if (!staged || staged->state != STAGING_WAITING)
            continue;
        staging->at_work = i;
        if (staging->stage_error) {
            tell_no_stage(staging);
        } else {
            error = begin(staging);
            if (error && !(runner_is_exhaustion(-error) && await_room(staging, error)))
                settle(staging, strerror(-error));
        }
        if (ev_is_active(&staging->room))
            return;
    }
}

/* Makes room for an entry. Returns 0 or -1. */
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

int staging_want(struct staging *staging, int entry, const struct store_bot *bot)
{
    struct staged *staged;

    if (grow(staging, entry) < 0)
        return -1;
    if (!staging->entries[entry]) {
        staged = calloc(1, sizeof *staged);
        if (!staged)
            return -1;
        staged->bot = *bot;
        staged->state = STAGING_WAITING;
        staging->entries[entry] = staged;
        if (staging->at_work < 0 && !ev_is_active(&staging->room))
            begin_next(staging);
    }
    return (int)staging->entries[entry]->state;
}

/* A bot that is removed in the thread. */
struct dropped {
    struct errand errand; /* first */
    struct source source;
};

static void close_dropped(struct errand *errand)
{
    source_close(&((struct dropped *)errand)->source);
}

static void free_dropped(struct errand *errand)
{
    free(errand);
}

void staging_drop(struct staging *staging, int entry)
{
    struct staged *staged = staging->entries[entry];
    struct dropped *dropped = calloc(1, sizeof *dropped);

    staging->entries[entry] = NULL;
    if (dropped) {
        dropped->errand = (struct errand){.run_fn = close_dropped, .done_fn = free_dropped};
        dropped->source = staged->source;
        mailbox_add(staging->errands, &dropped->errand);
    } else {
        source_close(&staged->source);
    }
    free(staged);
}

const struct source *staging_source(const struct staging *staging, int entry)
{
    return &staging->entries[entry]->source;
}
