/* SPDX-License-Identifier: MIT */
/*
 * Groups of games that workers play on other machines. The daemon offers groups to workers. A
 * worker registers under a random identity, which it keeps secret, and claims groups: each claim is
 * a lease. The worker may play the games of a group until the lease runs out by the store's clock,
 * or longer if it renews the lease. It delivers each game to a table of the store, the inbox, with
 * the token of its lease. The store refuses a delivery if another worker has claimed the group
 * since; before that, it takes deliveries under a lease that ran out. The daemon reads the
 * deliveries, judges them (season/judge.h) and stores them like games of its own.
 *
 * Functions return the errors that store.h lists. After -ENOTCONN (the connection was lost), the
 * next call connects again. -ENOTSUP: workers cannot share a store in SQLite; store_worker_add and
 * the functions that list workers or offer groups return it.
 */
#ifndef ARENA_STORE_LEASES_H
#define ARENA_STORE_LEASES_H

#include "arena/store/games.h"

enum lease_limits {
    LEASE_IDENTITY_BYTES = 16,
    LEASE_CLAIM_MAX = 64,  /* most groups per claim */
    LEASE_HELD_MAX = 1024, /* maximum number of groups that one worker holds */
    LEASE_BARRED_MAX = 2048,
    LEASE_PART_BYTES = 4 << 20, /* size of the parts in which workers read packages */
    LEASE_DELIVERIES_MAX = 256, /* maximum number of deliveries that the daemon reads at a time */
    LEASE_REFUSAL_BYTES = 512,  /* room for one line about a refused delivery */
};

/* One run of a worker. */
struct store_worker {
    int64_t id;                             /* from 1, ascending in order of registration */
    uint8_t identity[LEASE_IDENTITY_BYTES]; /* a secret; zero in rows that the store returns */
    char role[STORE_TEXT_BYTES_MAX + 1];    /* the server's role that registered the worker */
    char version[STORE_TEXT_BYTES_MAX + 1]; /* version of the worker's program */
    char name[STORE_TEXT_BYTES_MAX + 1];    /* name for people; several workers may share a name */
    char host[STORE_TEXT_BYTES_MAX + 1];    /* name of the machine */
    char processor[STORE_TEXT_BYTES_MAX + 1];    /* model of the processor */
    char architecture[STORE_TEXT_BYTES_MAX + 1]; /* output of uname -m */
    uint32_t layers; /* enum sandbox_layer bits active in all games; set by store_workers_each */
    int tier;        /* enum sandbox_tier of the worker's sandbox */
    int job_count;   /* games that the worker plays at a time */
    int core_count;  /* cores that the worker may use */
    int64_t playouts_per_s; /* measured speed of one core: random games per second */
    /* The store sets the times below, in microseconds since 1970, by its own clock. */
    int64_t started_us;
    int64_t seen_us;  /* time of the last claim or renewal */
    int64_t ended_us; /* time when the worker reported its end; 0: not reported */
    /* Only store_workers_each sets the fields below. */
    int lease_count;       /* groups of games that the worker has claimed and may still deliver */
    int64_t game_count;    /* games of the worker in the store */
    int64_t delay_us;      /* the arena's own delay, total over these games */
    int64_t refused_count; /* deliveries that the daemon refused */
    char refusal[LEASE_REFUSAL_BYTES]; /* last refused delivery, and why; "": none */
    char aside[LEASE_REFUSAL_BYTES];   /* why the worker gets no groups; "": it does */
    bool drains;                       /* the worker was told to finish its groups and end */
};

/* How often a bot played, and forfeited, in the games of a worker. */
struct store_worker_seats {
    int64_t worker_id;
    int64_t bot_id;
    int64_t seat_count;
    int64_t forfeit_count;
    int64_t late_count; /* forfeits because the bot was late */
};

typedef int store_worker_fn(void *context, const struct store_worker *worker);
typedef int store_worker_seats_fn(void *context, const struct store_worker_seats *seats);

/* ---- for the organizer ---- */

int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context);

/* Figures about all workers that have not reported their end, for metrics. */
struct store_worker_counts {
    int64_t alive_count, silent_count; /* workers seen and not seen within the last minute */
    int64_t lease_count;               /* groups that workers have claimed and may still deliver */
    int64_t inbox_count;               /* delivered games that the daemon has not judged */
    int64_t refused_count;             /* refused deliveries that no organizer has cleared */
    int64_t oldest_us;                 /* for how long the oldest of them has waited; 0: none */
};

int store_workers_count(struct store *store, struct store_worker_counts *counts);

/* The workers seen within the last minute and not drained, compared with a season's terms. */
struct store_season_workers {
    bool is_dealt; /* workers play the season; else the counts are 0 */
    int64_t alive_count;
    int64_t tier_count;    /* those whose sandbox is strong enough, without the two kinds below */
    int64_t fit_count;     /* those that may play the season */
    int64_t barred_count;  /* those that get no groups until the organizer releases them */
    int64_t foreign_count; /* those of another architecture than the daemon's machine */
};

/* On a server without workers, sets all to 0. */
int store_season_workers(struct store *store, const struct store_season *season,
                         struct store_season_workers *workers);

/* Figures about a worker that was seen within the last hour and has not reported its end. */
struct store_worker_figures {
    int64_t id;
    char name[STORE_TEXT_BYTES_MAX + 1];
    int64_t silent_s; /* time since the worker was last seen */
    int64_t lease_count, refused_count;
    int64_t game_count, forfeit_count; /* of the games that were stored */
    int64_t aside;                     /* 1 if the daemon set the worker aside, else 0 */
};

/* Reads the figures of the workers that were seen last, at most count_max. Returns their number. */
int store_workers_measure(struct store *store, struct store_worker_figures *figures, int count_max);

/*
 * Calls each_fn for each worker and each bot in the worker's games, ordered by worker and bot, with
 * the number of seats; then for each forfeit, with the forfeit alone.
 */
int store_worker_seats_each(struct store *store, store_worker_seats_fn *each_fn, void *context);

/*
 * Takes all claimed groups back from the workers of a role with this name, deletes the records of
 * the role's refused games, and ends that they are set aside. role may be NULL if the workers of
 * that name have one role. Returns the number of groups. Fails with -ENOENT if no worker has that
 * name, and with -EINVAL if workers of several roles have it.
 */
int store_workers_release(struct store *store, const char *name, const char *role);

/*
 * Has the workers of a role with this name that have started finish their groups and end. role and
 * failures are as for store_workers_release.
 */
int store_workers_drain(struct store *store, const char *name, const char *role);

/*
 * Returns how many groups of a season workers have claimed and may still deliver, plus the number
 * of delivered games that the daemon has not judged; 0 on a server without workers; or -errno.
 */
int store_leases_count(struct store *store, int64_t season_id);

/* ---- the daemon's side ---- */

/*
 * Lets workers claim groups of a season (to_workers), or ends that: the store then deletes the
 * season's delivered games and refuses further deliveries. The caller must have claimed the season.
 * Workers whose machine has another architecture than this one get no groups, since bots are built
 * here.
 * On a server without workers, fails with -ENOTSUP if to_workers is set, else does nothing.
 */
int store_season_deal(struct store *store, int64_t season_id, bool to_workers);

struct store_dealt_group {
    int number;
    int opening;  /* from whose secret the seeds below are derived */
    unsigned due; /* bit r: the store does not have game r of the group yet */
    int player_count;
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES]; /* by rotation */
};

/*
 * Offers a group to workers, in the caller's transaction. If the group was offered before, a
 * worker's claim to it stays valid unless its seeds or the games to be played have changed.
 */
int store_group_deal(struct store *store, int64_t season_id, const struct store_dealt_group *group);

/* Groups that were dealt again, because a transaction that does not end kept them locked. */
struct store_locked_groups {
    int count;
    char suspect[STORE_TEXT_BYTES_MAX + 1]; /* a role whose transaction it may be; "": unknown */
};

/*
 * Deals the groups of a season again that nobody holds, but that a worker's open transaction has
 * kept locked for a minute. Call it once a minute.
 */
int store_groups_deal_locked(struct store *store, int64_t season_id,
                             struct store_locked_groups *groups);

/* A game that a worker has delivered and the daemon has not judged. */
struct store_delivery {
    int64_t id, worker_id;
    int group, rotation, opening;
    int64_t wall_us;
    int64_t held_us; /* time from the claim of the group to the delivery, by the store's clock */
    int core_count;  /* cores of the worker's machine */
    uint8_t *replay; /* the packed replay; owned */
    size_t replay_bytes;
};

void store_deliveries_finish(struct store_delivery *deliveries, int count);

/*
 * Reads the oldest deliveries of a season, at most count_max. Returns their number, or -errno. The
 * caller frees them with store_deliveries_finish.
 */
int store_deliveries_read(struct store *store, int64_t season_id, struct store_delivery *deliveries,
                          int count_max);

/*
 * Removes a delivery whose game is stored or is void, in the caller's transaction. Returns 1, 0 if
 * the delivery is gone (store_games_void removed it: its game must not be stored), or -errno.
 */
int store_delivery_remove(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery);

/*
 * Refuses a delivery that the daemon does not believe: removes it, offers its game to workers
 * again, and records the reason `words` for the organizer.
 */
int store_delivery_refuse(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery, const char *words);

/*
 * Gives no more groups to the workers that have the role and name of this one: `words` says why.
 * Deals their groups of all seasons again, and what they delivered of this season. Sets *name.
 */
int store_worker_set_aside(struct store *store, int64_t season_id, int64_t worker_id,
                           const char *words, char name[static STORE_TEXT_BYTES_MAX + 1]);

/* Counts games of a worker that were stored, in the caller's transaction. */
int store_worker_count_games(struct store *store, int64_t worker_id, int game_count,
                             int forfeit_count);

/* Deletes the offers of groups whose games are all stored, in the caller's transaction. */
int store_groups_clear(struct store *store, int64_t season_id);

/* ---- the worker's side ---- */

struct store_claim {
    int group_count;       /* maximum number of groups to claim: 1..LEASE_CLAIM_MAX */
    int64_t lease_us;      /* duration of the leases */
    const int64_t *barred; /* ids of bots that cannot run on the worker */
    size_t barred_count;
};

/* A group that a worker has claimed, with all that it takes to play its games. */
struct store_lease {
    struct store_season season; /* the season's terms */
    int group;
    int player_count;
    enum board_side board;
    int64_t token;
    int opening;  /* from whose secret the seeds below are derived */
    unsigned due; /* bit r: the worker is to play game r of the group */
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES]; /* by rotation */
    struct store_bot bots[GAME_PLAYERS_MAX]; /* as in store_group.base; owns their manifests */
};

/* What a worker has to do for a group that it has claimed. */
enum store_lease_state {
    STORE_LEASE_PLAYED = 0,  /* play the games */
    STORE_LEASE_CLOSING = 1, /* begin no further game: the season closes */
    /* Stop the group's games: the season is over, or a bot was banned with its games. */
    STORE_LEASE_VOID = 2,
};

struct store_renewal {
    int64_t season_id;
    int group;
    int64_t token;
    enum store_lease_state state;
};
typedef int store_lease_fn(void *context, const struct store_renewal *renewal);

struct store_part {
    uint8_t *bytes;
    size_t size;
    size_t whole_bytes; /* size of the whole package */
};

/* Registers a worker. Sets its id and started_us. */
int store_worker_add(struct store *store, struct store_worker *worker);

/*
 * Claims groups whose games this worker can play: first groups whose last worker was silent too
 * long, then the oldest groups. Returns the number of leases, or -errno. The caller frees them with
 * store_leases_finish. Fails with -ECANCELED if the store does not know the worker, -EPERM if too
 * many deliveries of the worker's role were refused, the worker is set aside or cannot run the
 * bots, -ESHUTDOWN if it shall end.
 */
int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases);

void store_leases_finish(struct store_lease *leases, int count);

/*
 * Renews all claims of a worker to groups, so that they do not run out, and calls each_fn for each
 * group that the worker still holds.
 */
int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context);

/*
 * Gives one group back to the store. With lease NULL, gives all groups of the worker back and
 * records the worker's end. Ignores a group that the worker does not hold.
 */
int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease);

/*
 * Delivers a game of a claimed group. Delivering the same game again succeeds, too. Fails with
 * -ESTALE if another worker has claimed the group since, -ECANCELED if the season was closed since,
 * -ENOSPC if too many delivered games wait for the daemon, -EINVAL if the replay is too long.
 */
int store_deliver(struct store *store, const struct store_worker *worker,
                  const struct store_lease *lease, int rotation, int64_t wall_us,
                  const uint8_t *replay, size_t replay_bytes);

/*
 * Reads a part of a bot's built package, at most LEASE_PART_BYTES from from_byte on, so that the
 * worker can renew its claims between two parts. The worker must have claimed a group with the bot.
 * The caller frees part->bytes, which is NULL after an error.
 */
int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part);

/* ---- notifications ---- */

/*
 * Listens to a channel until the connection is lost; call it again after -ENOTCONN. Returns a
 * descriptor, owned by the store, that becomes readable when a notification may have arrived; or
 * -errno. -ENOTSUP: this store has no notifications; read it from time to time instead.
 */
int store_listen(struct store *store, enum store_channel channel);

/*
 * Reads all notifications that have arrived. Returns 1 if there were any, else 0, or -errno:
 * -ENOTCONN if the connection that listens was lost. Also call it before each wait on the
 * descriptor that store_listen returned, because a notification that arrived during another call
 * does not make the descriptor readable.
 */
int store_heard(struct store *store);

#endif
