/*
 * A thread that reads the store twice a second to find work for a daemon: open submissions, and
 * open seasons, which it claims, loads and passes to the loop ready to be played. It also writes
 * the status files. The loop that serves the bots therefore never waits for a disk.
 */
#ifndef ARENA_SERVE_SCOUT_H
#define ARENA_SERVE_SCOUT_H

#include "arena/play/mailbox.h"
#include "arena/season/season.h"
#include "arena/store/submissions.h"

enum scout_limits {
    SCOUT_SEASONS_MAX = 256,    /* open at a time; others wait */
    SCOUT_SUBMISSIONS_MAX = 64, /* reported at a time: of each author the oldest that may begin */
    SCOUT_ATTEMPTS_MAX = 8,     /* of a submission for which the arena fails */
    SCOUT_RETRY_S = 30,         /* pause after the first failure; twice as long after each other */
    SCOUT_ERROR_BYTES = 4096 + 256,
};

/* An open season, played here or elsewhere. */
struct scout_season {
    char name[STORE_NAME_BYTES_MAX + 1];
    int64_t budget_games;
    int64_t game_count; /* stored when it was last loaded; -1: not loaded yet */
};

struct scout_submission {
    int64_t id;
    char author[STORE_TEXT_BYTES_MAX + 1];
    enum store_submission_state state;
};

/* The result of the last look. */
struct scout_view {
    int season_count;
    struct scout_season seasons[SCOUT_SEASONS_MAX];
    bool is_played_elsewhere; /* another process plays one of the seasons and stores its games */
    int submission_count;     /* number of all open submissions */
    int told_count;           /* number of entries in submissions */
    struct scout_submission submissions[SCOUT_SUBMISSIONS_MAX];
    int failure_count; /* calls of scout_submission_failed that it takes into account */
    uint64_t mark; /* changes when anything that the site shows changes, except the games of seasons
                      that the loop plays */
    int64_t disk_free_bytes;
    char error[SCOUT_ERROR_BYTES]; /* of the store or a file; "" if the look succeeded */
};

/* A claimed and loaded season, with a store of its own. */
struct scout_ready {
    struct errand errand; /* the scout's */
    struct scout *scout;
    bool failed;
    struct store *store;
    struct season season;
    bool is_dealt;      /* workers on other machines play it */
    const char *rested; /* why the loop last let it rest, a static string; NULL: it never did */
};

struct scout_options {
    const char *url;     /* of the store */
    const char *folder;  /* its disk's free space is reported */
    const char *status;  /* status file to write; borrowed, as all of these */
    const char *metrics; /* the same in Prometheus's text format, or NULL; removed at the end */
    bool deals;          /* lets workers play seasons, if the store has workers */
    int tier;            /* enum sandbox_tier of this machine */
    void *owner;
    /* A look is complete. */
    void (*seen_fn)(void *owner, const struct scout_view *view);
    /* A season is ready; give it back with scout_return. */
    void (*ready_fn)(void *owner, struct scout_ready *ready);
    /* Says why a season is not played, once until the reason changes. is_busy: another process
       plays it. */
    void (*trouble_fn)(void *owner, const char *season, const char *words, bool is_busy);
};

struct scout;

/* Starts the thread. The functions are called on the loop. Returns NULL with errno set. */
struct scout *scout_create(struct ev_loop *loop, const struct scout_options *options);

/*
 * Gives back a season that is no longer played: it is freed, and passed to ready_fn again once it
 * has changed in the store. failed: the arena failed, so the season is tried again after a while.
 */
void scout_return(struct scout *scout, struct scout_ready *ready, bool failed);

/*
 * The arena failed a submission: no look reports it until a pause is over. At the last attempt it
 * is refused in the store, with these words as the reason. Returns -ENOMEM or 0.
 */
int scout_submission_failed(struct scout *scout, int64_t id, const char *words);

/*
 * Queues these texts to be written to the files, and takes ownership of both (metrics may be NULL).
 */
void scout_write(struct scout *scout, char *status, char *metrics);

/* Writes the status file at once; for use before the loop runs. Returns 0 or -errno. */
int scout_write_first(struct scout *scout, const char *status);

/* Frees what was returned; seasons not returned are not freed. Accepts NULL. */
void scout_destroy(struct scout *scout);

#endif
