/*
 * The bots of a running season as folders that can be executed: unpacked from the store when
 * first wanted, checked against their hash, and removed at the end. Another process of this
 * program unpacks (stage_child.h), at a lower priority and one package at a time, while the loop
 * goes on.
 */
#ifndef ARENA_SEASON_STAGING_H
#define ARENA_SEASON_STAGING_H

#include <ev.h>

#include "arena/play/source.h"
#include "arena/store/store.h"

enum staging_limits {
    STAGING_S_MAX = 600, /* that a package may take */
};

enum staging_state {
    STAGING_WAITING = 1, /* for its turn, or for the process */
    STAGING_READY = 2,
    STAGING_FAILED = 3,
};

struct staging;

struct staging_options {
    const char *url;               /* of the store */
    const char *program;           /* the arena, NULL: this program; as stage_child.h */
    const struct sandbox *sandbox; /* that the bots run in, or NULL */
    void *owner;

    /* An entry became READY (error NULL), or FAILED because the arena could not; also called
       within staging_want. */
    void (*staged_fn)(void *owner, int entry, const char *error);
};

/* Makes the private folder. Copies url and program. NULL with errno set. */
struct staging *staging_create(struct ev_loop *loop, const struct staging_options *options);

/*
 * Ends what is under way and has the folder removed beside the loop; removed_fn is then called.
 * Nothing else may be called afterwards but staging_destroy.
 */
void staging_remove(struct staging *staging, void (*removed_fn)(void *owner));

/* Ends what is under way and removes all; after staging_remove there is nothing to wait for. Takes
   NULL. */
void staging_destroy(struct staging *staging);

/* The bot of an entry is needed. Returns how it stands; -1 when memory is out. */
int staging_want(struct staging *staging, int entry, const struct store_bot *bot);

/*
 * The bot of a READY entry, the staging's own and good until its end. One that cannot be unpacked
 * has unfit set, and is out when it is started.
 */
const struct source *staging_source(const struct staging *staging, int entry);

#endif
