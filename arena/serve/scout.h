/* SPDX-License-Identifier: MIT */
/*
 * The scout is a thread that reads the store twice a second to find work for a daemon: open
 * submissions, and open seasons, which the scout claims, loads and passes to the loop ready to be
 * played. The scout also writes the status files. Thus the loop, which serves the bots, never waits
 * for a disk.
 */
#ifndef ARENA_SERVE_SCOUT_H
#define ARENA_SERVE_SCOUT_H

#include "arena/play/mailbox.h"
#include "arena/season/season.h"
#include "arena/season/status.h"
#include "arena/store/submissions.h"

enum scout_limits {
    SCOUT_WORKERS_MAX = 256, /* maximum number of workers with metrics of their own */
    SCOUT_SEASONS_MAX = 256, /* maximum number of open seasons; more seasons wait */
    SCOUT_CHANGES_MAX = 16,  /* as store_changes_each reads; further events come in the next view */
    SCOUT_SUBMISSIONS_MAX = 64, /* that the daemon sees: each author's oldest that may begin */
    SCOUT_ATTEMPTS_MAX = 8,     /* failures of the arena before a submission is refused */
    SCOUT_RETRY_S =
        30, /* pause after a submission's first failure, doubled after each further one */
    SCOUT_ENDED_MAX = 16, /* as many as store_submissions_ended reads */
    SCOUT_ERROR_BYTES = 4096 + 256,
};

struct scout_submission {
    int64_t id;
    char author[STORE_TEXT_BYTES_MAX + 1];
    enum store_submission_state state;
    bool is_alone; /* nothing else may run beside it */
};

/* An event that somebody added to the store (struct store_event). */
struct scout_change {
    char what[16];
    char season[STORE_NAME_BYTES_MAX + 1]; /* "": all seasons */
    char about[STORE_ABOUT_BYTES], who[STORE_WHO_BYTES];
};

/* What the scout found when it last read the store. */
struct scout_view {
    int season_count;
    /* The open seasons; the games of a season that the loop plays are not counted again. */
    struct season_facts seasons[SCOUT_SEASONS_MAX];
    int left_out_count;   /* open seasons beyond these: nobody plays them */
    int submission_count; /* number of all open submissions */
    int waiting_count;    /* number of those that wait to be tried again */
    int listed_count;     /* number of elements used in submissions */
    struct scout_submission submissions[SCOUT_SUBMISSIONS_MAX];
    int ended_count; /* number of elements used in ended: submissions that ended meanwhile */
    int64_t ended[SCOUT_ENDED_MAX];
    int64_t challenge_id; /* the challenge that is to be played next; 0: none */
    int failure_count; /* number of calls of scout_submission_failed that the thread had handled */
    int change_count;  /* number of elements used in changes: events since the last view */
    struct scout_change changes[SCOUT_CHANGES_MAX];
    uint64_t mark; /* changes with all that the site shows, except games that the loop plays */
    int64_t disk_free_bytes;
    int elsewhere_count; /* number of open seasons that another process plays */
    bool is_down;        /* the store does not answer, so the other counts are 0 */
    bool is_full;        /* the store's disk is full */
    bool has_workers;    /* `workers` is set: the daemon lets workers play, and writes metrics */
    struct store_worker_counts workers;
    int figure_count; /* number of elements used in figures */
    struct store_worker_figures figures[SCOUT_WORKERS_MAX];
    char error[SCOUT_ERROR_BYTES]; /* error of the store or of a file; "" if there was none */
};

/* A claimed and loaded season, with a connection to the store of its own. */
struct scout_ready {
    struct errand errand; /* used only inside scout.c */
    struct scout *scout;
    char failure[STATUS_REASON_BYTES]; /* why the loop failed to play the season, or "" */
    char lack[STATUS_REASON_BYTES];    /* why the loop left out games of the season, or "" */
    struct store *store;
    struct season season;
    bool is_dealt; /* workers on other machines play the season */
};

struct scout_options {
    const char *url;     /* address of the store */
    const char *folder;  /* a folder on the disk whose free space is reported */
    const char *status;  /* path of the status file; borrowed, like all strings here */
    const char *metrics; /* path of the metrics, or NULL; the file is removed at the end */
    bool deals;          /* workers play the seasons, if the store has workers; else nobody */
    int tier;            /* enum sandbox_tier that this machine provides */
    void *owner;
    /* Called when the thread has read the store. The view, which it found, is borrowed. */
    void (*seen_fn)(void *owner, struct scout_view *view);
    /* Called when a season is ready to be played; the owner gives it back with scout_return. */
    void (*ready_fn)(void *owner, struct scout_ready *ready);
};

struct scout;

/*
 * Starts the thread. The functions in options are called on the loop. Returns NULL with errno set.
 */
struct scout *scout_create(struct ev_loop *loop, const struct scout_options *options);

/*
 * Gives back a season that the loop no longer plays. The thread passes the season to ready_fn again
 * once it has changed in the store, or, if the arena failed (`failure` says why, else it is ""),
 * after a pause. `lack` says why the loop left out games, else it is "".
 */
void scout_return(struct scout *scout, struct scout_ready *ready, const char *failure,
                  const char *lack);

/*
 * Reports that the arena failed a submission, which then waits (STORE_WAITING); after
 * SCOUT_ATTEMPTS_MAX failures the thread refuses the submission. Returns 0 or -ENOMEM.
 */
int scout_submission_failed(struct scout *scout, int64_t id);

/*
 * Makes the thread write both files, unless it still writes the previous texts. Takes ownership of
 * the texts; metrics may be NULL.
 */
void scout_write(struct scout *scout, char *status, char *metrics);

/* Ends the thread. Frees the seasons that were given back. Accepts NULL. */
void scout_destroy(struct scout *scout);

#endif
