/* SPDX-License-Identifier: MIT */
/*
 * The bots of a running season as folders that can be executed. Staging unpacks a bot when it is
 * first requested, checks the package against its hash, and removes the folder at the end. A bot
 * whose package is damaged in the store, or for which this machine is too weak, plays no games: it
 * forfeits none, and the season goes on with the others.
 *
 * Staging unpacks one package at a time, with a process: this program's `arena unpack`
 * (unpack_run), at a lower priority than the bots, which reads the package from the store, or on a
 * worker's machine from the worker's cache.
 */
#ifndef ARENA_SEASON_STAGING_H
#define ARENA_SEASON_STAGING_H

#include <ev.h>

#include "arena/play/source.h"
#include "arena/store/store.h"

enum staging_limits {
    STAGING_S_MAX = 600, /* seconds that unpacking one package may take */
    /* Pause between two attempts while the machine has no room for the process. */
    STAGING_ROOM_MS = 1000,
};

enum staging_state {
    STAGING_WAITING = 1, /* the bot is queued or being unpacked */
    STAGING_READY = 2,
    STAGING_FAILED = 3,
    STAGING_LEFT_OUT = 4, /* the bot plays no games in this run; staging_lack says why */
};

/* What staging_lack says where this machine's sandbox is too weak for the bot. */
#define STAGING_WEAK                                                                               \
    "\"processes\" in its bot.json " SOURCE_LACKS_TIER                                             \
    ": play the season on a machine with the full tier"

struct staging;

struct staging_options {
    const char *url;               /* address of the store; NULL: staging_want gets package files */
    const char *program;           /* path of the arena's program; NULL: the running program */
    const struct sandbox *sandbox; /* sandbox of the bots; may be NULL */
    void *owner;

    /*
     * Called when a bot is unpacked or left out (error is NULL), or when the arena fails to unpack
     * it. May be called from within staging_want.
     */
    void (*staged_fn)(void *owner, int entry, const char *error);

    /*
     * Called, once per shortage, when the machine has no room for the process that unpacks, or
     * killed it; the arena tries again for RUNNER_FULL_MS. Called when a bot is left out because
     * its package is damaged or gone. May be NULL.
     */
    void (*warn_fn)(void *owner, const char *words);
};

/*
 * Creates the staging of a season's bots, whose private folder another thread creates. If the
 * thread fails, so does every requested bot (STAGING_FAILED). Copies url and program. Returns NULL
 * with errno set.
 */
struct staging *staging_create(struct ev_loop *loop, const struct staging_options *options);

/* Removes the folder without blocking; then calls removed_fn. Only staging_destroy may follow. */
void staging_remove(struct staging *staging, void (*removed_fn)(void *owner));

/* Removes the folder; does not block if staging_remove has finished. Accepts NULL. */
void staging_destroy(struct staging *staging);

/* Removes an unpacked bot, which no game may be using; the bot may be requested again. */
void staging_drop(struct staging *staging, int entry);

/*
 * Requests that a bot be unpacked. package is the path of its package, with its manifest in
 * bot->manifest; NULL: both are in the store. A damaged file is removed, and the request fails.
 * Copies all arguments. Returns the bot's state, or -1 if memory runs out.
 */
int staging_want(struct staging *staging, int entry, const struct store_bot *bot,
                 const char *package);

/* Returns an unpacked bot; owned by the staging until staging_drop. */
const struct source *staging_source(const struct staging *staging, int entry);

/* Returns why the bot is left out, and the cure; NULL if it is not. Owned as staging_source. */
const char *staging_lack(const struct staging *staging, int entry);

/* ---- unpacking ---- */

enum unpack_limits {
    UNPACK_ARGUMENTS = 4, /* number of arguments of `arena unpack` */
};

enum unpack_status {
    UNPACK_DONE = 0,
    UNPACK_FAILED = 1,  /* the arena failed */
    UNPACK_REFUSED = 2, /* the package is damaged, or gone */
};

/*
 * Unpacks a package of the store to folder, and checks its hash. Returns 0; or, with one line in
 * error, PACKAGE_REFUSED if it is damaged or missing in the store, -ENODATA if the arena removed
 * it, PACKAGE_FAILED if the arena failed. What was unpacked of it stays, for tree_remove.
 */
int unpack_stored(struct store *store, const char *sha256, const char *folder,
                  char error[static SOURCE_ERROR_BYTES]);

/*
 * Unpacks a bot from the store to subfolder `number` of the folder stage. Returns 0 and a source,
 * which the caller passes to source_close; or what unpack_stored returns, also PACKAGE_REFUSED if
 * the bot's manifest is damaged.
 */
int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

/*
 * The main function of `arena unpack FOLDER PARENT SHA256 FILE` or `... BOT`, a process that
 * unpacks the package in a file, which it removes if the package is damaged, or a bot of the store
 * in $ARENA_STORE, whose manifest it prints. Prints one line if it fails. Returns the exit status.
 */
int unpack_run(int count, char **arguments);

#endif
