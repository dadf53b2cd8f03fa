/*
 * Groups of games that are played on other machines. The daemon deals groups. A worker says hello
 * under a fresh random identity, which is secret, and then leases groups: it may play their games
 * until the lease runs out by the store's clock, unless it renews the lease. What it played it
 * delivers into an inbox, with the token of its claim; a delivery is refused if the group has been
 * claimed by another since. A lease that ran out still counts until then. The daemon takes the
 * deliveries, judges them (season/judge.h) and stores them like games of its own.
 *
 * Errors are those of store.h, and -ENOTCONN: the connection is lost, and the next call opens a new
 * one. -ENOTSUP: the server has no leases; store_worker_add and what lists and deals say so.
 */
#ifndef ARENA_STORE_LEASES_H
#define ARENA_STORE_LEASES_H

#include "arena/store/games.h"

enum lease_limits {
    LEASE_IDENTITY_BYTES = 16,
    LEASE_CLAIM_MAX = 64,  /* groups per claim */
    LEASE_HELD_MAX = 1024, /* groups that a worker may hold at a time */
    LEASE_BARRED_MAX = 2048,
    LEASE_PART_BYTES = 4 << 20, /* of a package in one answer */
    LEASE_DELIVERIES_MAX = 256, /* taken at a time */
    LEASE_REFUSAL_BYTES = 512,  /* room for one line */
};

/* One run of a worker. */
struct store_worker {
    int64_t id;                                  /* ascending in order of registration, from 1 */
    uint8_t identity[LEASE_IDENTITY_BYTES];      /* its secret; zero in rows that are read */
    char name[STORE_TEXT_BYTES_MAX + 1];         /* for people; need not be unique */
    char host[STORE_TEXT_BYTES_MAX + 1];         /* the machine's name */
    char processor[STORE_TEXT_BYTES_MAX + 1];    /* the processor's model */
    char architecture[STORE_TEXT_BYTES_MAX + 1]; /* as uname -m */
    uint32_t layers;    /* enum sandbox_layer bits that held in all its games; in rows read */
    int tier;           /* its enum sandbox_tier */
    int job_count;      /* games at a time */
    int core_count;     /* cores that it may use */
    int64_t playouts_s; /* random games per second on one core, measured */
    /* Filled in by the store, from its clock, since 1970. */
    int64_t started_us;
    int64_t seen_us;  /* its last claim or renewal */
    int64_t ended_us; /* 0 unless it reported its end */
    /* Filled in by store_workers_each. */
    int lease_count;                   /* groups with a lease that has not run out */
    int64_t game_count;                /* games stored */
    int64_t delay_us;                  /* the arena's own delay, total over these games */
    int64_t refused_count;             /* deliveries that were refused */
    char refusal[LEASE_REFUSAL_BYTES]; /* the last one, and why; or "" */
};

/* One bot's results in one worker's games. */
struct store_worker_seats {
    int64_t worker_id;
    int64_t bot_id;
    int64_t seat_count;
    int64_t forfeit_count;
    int64_t late_count; /* forfeits for being late */
};

typedef int store_worker_fn(void *context, const struct store_worker *worker);
typedef int store_worker_seats_fn(void *context, const struct store_worker_seats *seats);

/* ---- for the operator ---- */

/* In order of id. */
int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context);

/* For one season, or all (0); in order of worker and bot. */
int store_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                            void *context);

/*
 * Gives back all groups of the workers of a name, and forgets what was refused of them. Returns how
 * many groups there were; -ENOENT if no worker has that name.
 */
int store_workers_release(struct store *store, const char *name);

/*
 * Groups of a season that workers hold, their leases not lapsed, and games of it in the inbox; 0
 * without leases. Or -errno.
 */
int store_leases_count(struct store *store, int64_t season_id);

/* ---- the daemon's side ---- */

/*
 * Lets workers lease a season's groups, or stops that; what they deliver is refused then, and what
 * is in the inbox dropped. The caller must have claimed the season. On a server without leases,
 * true returns -ENOTSUP and false has no effect.
 */
int store_season_deal(struct store *store, int64_t season_id, bool to_workers);

/*
 * For a season with same_cpu, before it is played on this machine: sets the model of processor if
 * none is set. Fails with -EPERM if it is another one.
 */
int store_season_take_processor(struct store *store, int64_t season_id, const char *processor);

/* For a dealt season with same_cpu: sets the model, if none is set, to that of a worker that waits.
 */
int store_season_choose_processor(struct store *store, int64_t season_id);

/* A group to be played by workers. */
struct store_dealt_group {
    int number;
    int opening;  /* under which its games are played */
    unsigned due; /* bit r: the game of rotation r is not stored yet */
    int player_count;
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES]; /* by rotation */
};

/*
 * Deals a group, also again: a lease of it stays, unless the opening is another. Part of the
 * caller's transaction.
 */
int store_group_deal(struct store *store, int64_t season_id, const struct store_dealt_group *group);

/* A game in the inbox. */
struct store_delivery {
    int64_t id;
    int group, rotation;
    int opening;
    int64_t worker_id;
    int64_t wall_us;
    uint8_t *replay; /* owned */
    size_t replay_bytes;
};

/* Frees the replays. */
void store_deliveries_finish(struct store_delivery *deliveries, int count);

/*
 * Reads the oldest deliveries of a season whose id is greater than after_id, at most count_max.
 * Returns how many, to be freed with store_deliveries_finish; or -errno.
 */
int store_deliveries_read(struct store *store, int64_t season_id, int64_t after_id,
                          struct store_delivery *deliveries, int count_max);

/* Removes a delivery that is stored, or void; part of the caller's transaction. */
int store_delivery_remove(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery);

/*
 * Removes a delivery that is not believed: its group is dealt again, and the worker's row tells
 * why. Returns 0; 1 if the worker keeps the group locked, so that the delivery has to stay; or
 * -errno.
 */
int store_delivery_refuse(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery, const char *words);

/* Forgets dealt groups all of whose games are stored; part of the caller's transaction. */
int store_groups_clear(struct store *store, int64_t season_id);

/* ---- the worker's side ---- */

/* A worker's request for groups. */
struct store_claim {
    int group_count;       /* maximum: 1..LEASE_CLAIM_MAX */
    int64_t lease_us;      /* how long the lease lasts */
    const int64_t *barred; /* ids of bots that do not run there; groups with one are skipped */
    size_t barred_count;
};

/* A group that a worker has leased, with everything needed to play it. */
struct store_lease {
    struct store_season season; /* the season's terms */
    int group;
    int player_count;
    enum board_side board;
    int64_t token;
    int opening;  /* the opening under which its games are played */
    unsigned due; /* bit r: the game of rotation r is still to be played */
    /* By rotation, for games still to be played. */
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES];
    struct store_bot bots[GAME_PLAYERS_MAX]; /* in base order; their manifests are owned */
};

/* What a worker has to do for a group that it holds. */
enum store_lease_state {
    STORE_LEASE_PLAYED = 0,  /* play its games */
    STORE_LEASE_CLOSING = 1, /* begin no further game: its season closes */
    STORE_LEASE_VOID = 2,    /* no result will count: the time to close has passed, or one of its
                                bots is banned with its games */
};

/* A lease as a renewal finds it. */
struct store_renewal {
    int64_t season_id;
    int group;
    int64_t token;
    enum store_lease_state state;
};
typedef int store_lease_fn(void *context, const struct store_renewal *renewal);

/* Part of a package. */
struct store_part {
    uint8_t *bytes;
    size_t size;
    size_t whole_bytes; /* of the package */
};

/* Registers a worker at its start. Sets id and started_us. */
int store_worker_add(struct store *store, struct store_worker *worker);

/*
 * Leases groups whose games this worker can play: first those whose lease ran out, then the oldest.
 * Returns how many were written to leases, to be freed with store_leases_finish; or -errno. Fails
 * with -ECANCELED if the worker is unknown, -EACCES if too many of its deliveries were refused.
 */
int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases);

/* Frees the manifests. */
void store_leases_finish(struct store_lease *leases, int count);

/* Renews all leases of a worker, and calls each_fn for each that it still holds. */
int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context);

/*
 * Gives a group back; NULL: all groups of a worker that ends. A group that it does not hold is no
 * error.
 */
int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease);

/*
 * Delivers a game of a leased group; the same delivery again succeeds. Fails with -ESTALE if
 * another worker has claimed the group since, -ECANCELED if its opening is closed, -ENOSPC if the
 * inbox is full, -EINVAL if the replay is too long.
 */
int store_deliver(struct store *store, const struct store_worker *worker,
                  const struct store_lease *lease, int rotation, int64_t wall_us,
                  const uint8_t *replay, size_t replay_bytes);

/*
 * Part of the built package of a bot in a group that the worker holds, from a byte on: at most
 * LEASE_PART_BYTES, so that leases can be renewed between two parts. The caller frees part->bytes,
 * NULL after an error.
 */
int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part);

/* ---- notifications (store.c) ---- */

/*
 * Starts to listen to a channel for as long as the connection lasts. Returns a descriptor, owned by
 * the store, that is readable when there may be a notification; or -errno. -ENOTSUP: poll the store
 * instead. Call again after -ENOTCONN.
 */
int store_listen(struct store *store, enum store_channel channel);

/*
 * Reads pending notifications. Returns 1 if there was one, else 0, or -errno: -ENOTCONN if the
 * connection that listened is gone. Call it before each wait on the descriptor too: a notification
 * that arrived during another call does not make the descriptor readable.
 */
int store_heard(struct store *store);

#endif
