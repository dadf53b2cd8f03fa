/*
 * The bots of a running season as folders that can be executed: unpacked when first needed, checked
 * against their hash, and removed at the end.
 *
 *     the store --(a thread)--> package file --(a process)--> folder
 *
 * One package at a time. A worker has the package's file already, in its cache. The process is this
 * program's `arena unpack` (unpack.h), at a lower priority than the bots.
 */
#ifndef ARENA_SEASON_STAGING_H
#define ARENA_SEASON_STAGING_H

#include <ev.h>

#include "arena/play/source.h"
#include "arena/store/store.h"

enum staging_limits {
    STAGING_S_MAX = 600,    /* time limit for one package */
    STAGING_ROOM_MS = 1000, /* between attempts while the machine has no room for the process */
};

enum staging_state {
    STAGING_WAITING = 1, /* queued, or being unpacked */
    STAGING_READY = 2,
    STAGING_FAILED = 3,
};

struct staging;

struct staging_options {
    const char *url;     /* of the store with the packages; NULL: staging_want gets their files */
    const char *program; /* the arena's program; NULL: this one */
    const struct sandbox *sandbox; /* the sandbox of the bots, or NULL */
    void *owner;

    /*
     * An entry became READY (error NULL), or FAILED because the arena failed. Also called from
     * within staging_want.
     */
    void (*staged_fn)(void *owner, int entry, const char *error);

    /*
     * The machine has no room for the process that unpacks, or killed it; attempts continue for
     * RUNNER_FULL_MS. Called once per shortage, with a sentence for the operator. May be NULL.
     */
    void (*crowded_fn)(void *owner, const char *words);
};

/*
 * Starts to create the private folder on another thread; if that fails, every requested bot is
 * FAILED. Copies url and program. Returns NULL with errno set.
 */
struct staging *staging_create(struct ev_loop *loop, const struct staging_options *options);

/*
 * Ends the running process and removes the folder without holding the loop; then calls removed_fn.
 * After this only staging_destroy may be called.
 */
void staging_remove(struct staging *staging, void (*removed_fn)(void *owner));

/*
 * Ends the running process and removes everything; does not block after staging_remove. Accepts
 * NULL.
 */
void staging_destroy(struct staging *staging);

/* The bot of a READY entry, which nobody uses, is removed beside the loop; the entry is as new. */
void staging_drop(struct staging *staging, int entry);

/*
 * Requests the bot of an entry. package: its file, with bot->manifest its manifest; if the file is
 * damaged, it is removed, and the entry is FAILED. NULL: both are read from the store. Copies all
 * of it. Returns its state, or -1 if memory runs out.
 */
int staging_want(struct staging *staging, int entry, const struct store_bot *bot,
                 const char *package);

/*
 * Returns the bot of a READY entry; owned by the staging, valid until its end. If the bot could not
 * be unpacked, its unfit field is set, and it will be out as soon as it is started.
 */
const struct source *staging_source(const struct staging *staging, int entry);

#endif
