/* Shared by the files of a host. For these files only. */
#ifndef ARENA_WORKER_HOST_STATE_H
#define ARENA_WORKER_HOST_STATE_H

#include "arena/play/foreground.h"
#include "arena/season/staging.h"
#include "arena/worker/host.h"
#include "arena/worker/lessee.h"

enum {
    HOST_FETCHES_MAX = 3, /* attempts to fetch a bot that this machine could not unpack */
    HOST_FETCHED_MAX = 2, /* bots that are fetched and not unpacked: the cache has to hold them */
};

enum host_state {
    HOST_RUNNING = 0,
    HOST_DRAINING = 1, /* only groups already begun are played */
    HOST_ENDING = 2,   /* running games are given up */
};

enum host_bot_state {
    HOST_BOT_FETCHING = 0,
    HOST_BOT_STAGING = 1,
    HOST_BOT_READY = 2,
    HOST_BOT_REFUSED = 3, /* does not run here: its groups are left to other workers */
    HOST_BOT_GONE = 4,    /* not fetched, or removed again: tried again with the next group */
    HOST_BOT_WAITING = 5, /* until others are fetched and unpacked */
};

struct host_bot {
    struct host_bot *next;
    struct store_bot bot;
    enum host_bot_state state;
    int entry; /* in the staging; -1: none */
    int fetch_count;
    int64_t barred_until_us; /* GONE: groups with it are left to others till then */
    int64_t bar_us;          /* for how long, the next time */
    int64_t used_us;         /* when a group with it was held last */
};

/* A leased group. Its games are bit masks by rotation. */
struct held {
    struct held *next;
    struct store_lease lease;
    struct host_bot *bots[GAME_PLAYERS_MAX]; /* in base order */
    unsigned unbegun, playing, unstored;
    bool is_begun; /* one of its games was begun here */
    bool is_lost;  /* the lease is lost: others play the rest of it */
};

/* The game of a runner's slot. */
struct host_game {
    struct held *held;
    struct season_game game;
};

/* A season with leased groups, and a runner for its terms. */
struct field {
    struct field *next;
    struct host *host;
    struct store_season season;
    struct held *held; /* oldest first */
    struct runner *runner;
    struct host_game games[RUNNER_JOBS_MAX]; /* by slot */
    bool is_over;                            /* the runner has ended: do not call it any more */
    ev_timer over;                           /* frees it, from the loop */
};

struct host {
    enum host_state state;
    struct host_options options;
    struct host_report *report;
    struct foreground foreground;
    struct lessee *lessee;
    struct staging *staging;
    struct runner_jobs jobs;
    struct field *fields;
    struct host_bot *bots;
    int staged_count;                   /* number of entries in the staging */
    int64_t refused[LEASE_REFUSED_MAX]; /* bots, of the claim that is asked */
    char fault[LESSEE_FAILURE_BYTES];   /* of the last claim or renewal that was refused */
    int64_t failing_since_us;           /* claims; 0: they do not */
    int64_t rest_ms;                    /* between claims that are refused */
    bool is_down;                       /* the store does not answer */
    bool asking;                        /* a claim of groups is pending */
    bool rests; /* no groups were available: waits for the timer or a notification */
    bool has_ended;
    int64_t game_us; /* duration of the last game */
    ev_timer again, drain, forget;
};

/* host.c */
void host_fail(struct host *host, const char *what);
void host_go_on(struct host *host);

/* host_field.c: returns the season of a lease, found or created; NULL if memory runs out. */
struct field *host_field(struct host *host, const struct store_season *season);

/* Return how many leased games have not begun, and how many are running. */
int host_unbegun_count(const struct host *host);
int host_playing_count(const struct host *host);

/* Drops a group whose games are all done or lost; with `back`, gives its lease back. */
void host_release(struct field *field, struct held *held, bool back);

/*
 * Call after a result of the group was stored or refused: releases the group if nothing is left to
 * do.
 */
void host_settle(struct field *field, struct held *held);

/*
 * Stops a group's games that have not begun; gives the group back if none of its games is running.
 */
void host_drop(struct field *field, struct held *held);

/* Ends those under way too, without a result. */
void host_give_up(struct field *field, struct held *held);

void host_field_destroy(struct field *field);

/* host_bots.c: returns the bot of a lease and starts to prepare it; NULL if memory runs out. */
struct host_bot *host_bot(struct host *host, const struct store_bot *bot);
/* Bots that claims leave out now; written to host->refused. Returns how many. */
size_t host_bots_refused(struct host *host);

/* Removes what was unpacked of bots that no group needed for long. */
void host_bots_forget(struct host *host);
void host_bot_fetched(void *owner, int64_t bot_id, enum lessee_fetch outcome, const char *words);
void host_bot_staged(void *owner, int entry, const char *error);

#endif
