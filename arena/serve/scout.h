/*
 * A thread that looks at the store twice a second for what a daemon is to do: open seasons, which
 * it claims, loads and hands over ready to be played, and open submissions. It also writes the
 * files that tell how the daemon stands. So the loop on which bots think waits for no disk.
 */
#ifndef ARENA_SERVE_SCOUT_H
#define ARENA_SERVE_SCOUT_H

#include <ev.h>

#include "arena/season/season.h"

enum scout_limits {
    SCOUT_LOOK_MS = 500,
    SCOUT_SEASONS_MAX = 256,    /* open at a time; further ones wait */
    SCOUT_SUBMISSIONS_MAX = 64, /* open ones that are told at a time, in order of arrival */
    SCOUT_ERROR_BYTES = 4096 + 256,
};

/* An open season, whoever plays it. */
struct scout_season {
    char name[STORE_NAME_BYTES_MAX + 1];
    int64_t budget_games;
    int64_t game_count; /* stored when it was loaded last; -1: not loaded yet */
};

struct scout_submission {
    int64_t id;
    char author[STORE_TEXT_BYTES_MAX + 1];
    enum store_submission_state state;
};

/* What was seen at the last look. */
struct scout_view {
    int season_count;
    struct scout_season seasons[SCOUT_SEASONS_MAX];
    int submission_count; /* open ones in all */
    int told_count;       /* of them told here */
    struct scout_submission submissions[SCOUT_SUBMISSIONS_MAX];
    int64_t disk_free_bytes;
    char error[SCOUT_ERROR_BYTES]; /* "" when the look went well */
};

/* A season that is claimed and loaded, with a store of its own. */
struct scout_ready {
    struct store *store;
    struct season season;
    bool is_dealt; /* workers of other machines play it */
};

struct scout_options {
    const char *url;     /* of the store */
    const char *folder;  /* whose disk is looked at */
    const char *status;  /* file to be written; borrowed, as all of these */
    const char *metrics; /* the same in Prometheus' text format, or NULL */
    bool deals;          /* seasons are for workers to play, where the store has any */
    void *owner;
    /* A look is over. */
    void (*seen_fn)(void *owner, const struct scout_view *view);
    /* To be given back by scout_return. */
    void (*ready_fn)(void *owner, struct scout_ready *ready);
};

struct scout;

/* Starts the thread; both functions are called on the loop. NULL with errno set. */
struct scout *scout_create(struct ev_loop *loop, const struct scout_options *options);

/*
 * A season is not being played any more: it is freed, and handed over again once something in the
 * store has changed for it. failed: the arena failed it, so that it is tried again after a while.
 */
void scout_return(struct scout *scout, struct scout_ready *ready, bool failed);

/* Has these texts written to the files, soon; takes both over (metrics may be NULL). */
void scout_write(struct scout *scout, char *status, char *metrics);

/* Frees what was returned; what was handed over and was not is lost. Takes NULL. */
void scout_destroy(struct scout *scout);

#endif
