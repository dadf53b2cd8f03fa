/* What the files of a host share. For these files only. */
#ifndef ARENA_WORKER_HOST_STATE_H
#define ARENA_WORKER_HOST_STATE_H

#include "arena/play/foreground.h"
#include "arena/season/staging.h"
#include "arena/worker/host.h"
#include "arena/worker/lessee.h"

enum {
    HOST_FETCHES_MAX = 3, /* of one bot, when this machine could not unpack it */
};

enum host_state {
    HOST_RUNNING = 0,
    HOST_DRAINING = 1, /* begun groups are finished */
    HOST_ENDING = 2,   /* games under way are given up */
};

enum host_bot_state {
    HOST_BOT_FETCHING = 0,
    HOST_BOT_STAGING = 1,
    HOST_BOT_READY = 2,
    HOST_BOT_REFUSED = 3, /* does not run here: its groups are others' */
    HOST_BOT_GONE = 4,    /* could not be fetched: again with the next group */
};

struct host_bot {
    struct host_bot *next;
    struct store_bot bot;
    enum host_bot_state state;
    int entry; /* of the staging */
    int fetch_count;
};

/* A group that is held. Rotations as bits. */
struct held {
    struct held *next;
    struct store_lease lease;
    struct host_bot *bots[GAME_PLAYERS_MAX]; /* in base order */
    unsigned unbegun, playing, unstored;
    bool is_begun; /* a game of it was begun here */
    bool is_lost;  /* what is left of it is somebody else's to play */
};

/* What a slot of a runner plays. */
struct host_game {
    struct held *held;
    struct season_game game;
};

/* A season whose groups are held, with a runner of its terms. */
struct field {
    struct field *next;
    struct host *host;
    struct store_season season;
    struct held *held; /* oldest first */
    struct runner *runner;
    struct host_game games[RUNNER_JOBS_MAX]; /* by slot */
    bool is_over;                            /* the runner has ended: not to be called any more */
    ev_timer over;                           /* frees it, from a stack of its own */
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
    int staged_count; /* entries of the staging */
    int64_t refused[LEASE_REFUSED_MAX];
    size_t refused_count;
    bool is_down; /* the store does not answer */
    bool asking;  /* for groups */
    bool rests;   /* there were none: until the timer, or a notice */
    bool has_ended;
    int64_t game_us; /* how long the last game took */
    ev_timer again, drain;
};

/* host.c */
void host_fail(struct host *host, const char *what);
void host_go_on(struct host *host);

/* host_field.c: the season of a lease, found or made; NULL when memory is out. */
struct field *host_field(struct host *host, const struct store_season *season);

/* Games that are held and not begun, and that are under way. */
int host_unbegun_count(const struct host *host);
int host_playing_count(const struct host *host);

/* Forgets a group that nothing is left to do for; `back` gives it to others. */
void host_release(struct field *field, struct held *held, bool back);

/* A result of it is stored, or refused: is anything left to do for it? */
void host_settle(struct field *field, struct held *held);

/* Takes a group's games out of play; gives it back where none of its games is under way. */
void host_drop(struct field *field, struct held *held);

void host_field_destroy(struct field *field);

/* host_bots.c: the bot of a lease, on its way to be ready; NULL when memory is out. */
struct host_bot *host_bot(struct host *host, const struct store_bot *bot);
void host_bot_fetched(void *owner, int64_t bot_id, enum lessee_fetch outcome, const char *words);
void host_bot_staged(void *owner, int entry, const char *error);

#endif
