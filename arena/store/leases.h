/*
 * Groups of games that are played on other machines. When a worker starts, it registers under a
 * fresh random identity, which is secret, and then leases groups: it may play their games until the
 * lease runs out by the store's clock, unless it renews the lease. Each claim of a group raises its
 * token. A result carries the token of its claim; it is refused if the group has been claimed again
 * since. A lease that ran out still counts until the group is claimed again.
 *
 * Errors are those of store.h, -ENOTSUP from a back end without leases, and -ENOTCONN: the
 * connection is lost, and the next call opens a new one.
 */
#ifndef ARENA_STORE_LEASES_H
#define ARENA_STORE_LEASES_H

#include "arena/store/games.h"

enum lease_limits {
    LEASE_IDENTITY_BYTES = 16,
    LEASE_CLAIM_MAX = 64, /* groups per claim */
    LEASE_REFUSED_MAX = 2048,
    LEASE_PART_BYTES = 4 << 20, /* of a package in one answer */
};

/* One run of a worker, or of a season that is played on the store's machine. */
struct store_worker {
    int64_t id;                                  /* ascending in order of registration, from 1 */
    uint8_t identity[LEASE_IDENTITY_BYTES];      /* its secret; zero in rows that are read */
    char name[STORE_TEXT_BYTES_MAX + 1];         /* for people; need not be unique */
    char host[STORE_TEXT_BYTES_MAX + 1];         /* the machine's name */
    char processor[STORE_TEXT_BYTES_MAX + 1];    /* the processor's model */
    char architecture[STORE_TEXT_BYTES_MAX + 1]; /* as uname -m */
    uint32_t layers;    /* enum sandbox_layer bits that held in all its games; read as below */
    int tier;           /* the enum sandbox_tier of these layers */
    int job_count;      /* games at a time */
    int core_count;     /* cores that it may use */
    int64_t playouts_s; /* random games per second on one core, measured */
    /* Filled in by the store, from its clock, since 1970. */
    int64_t started_us;
    int64_t seen_us;  /* its last claim or renewal */
    int64_t ended_us; /* 0 unless it reported its end */
    /* Filled in by store_workers_each. */
    int lease_count;    /* groups with a lease that has not run out */
    int64_t game_count; /* games stored */
    int64_t delay_us;   /* the arena's own delay, total over these games */
};

/* One bot's results in one worker's games. */
struct store_worker_seats {
    int64_t worker_id;
    int64_t bot_id;
    int64_t seat_count;
    int64_t forfeit_count;
    int64_t late_count; /* forfeits for being late */
};

/* A worker's request for groups. */
struct store_claim {
    int group_count;        /* maximum: 1..LEASE_CLAIM_MAX */
    int64_t lease_us;       /* how long the lease lasts */
    const int64_t *refused; /* ids of bots that do not run there; groups with one are skipped */
    size_t refused_count;
};

/* A group that a worker has leased, with everything needed to play it. */
struct store_lease {
    struct store_season season; /* the season's terms */
    struct store_group group;
    int64_t token;
    int opening;  /* the opening under which its games are played now */
    unsigned due; /* bit r: the game of rotation r is still to be played */
    /* By rotation, for games still to be played. */
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES];
    struct store_bot bots[GAME_PLAYERS_MAX]; /* in base order */
};

/* Of a package. */
struct store_part {
    uint8_t *bytes;
    size_t size;
    size_t whole_bytes; /* of the package */
};

enum store_channel {
    STORE_CHANNEL_WORK = 0,    /* there are groups to lease again, after there were none */
    STORE_CHANNEL_RESULTS = 1, /* the last game of a batch was stored */
};
typedef int store_worker_fn(void *context, const struct store_worker *worker);
typedef int store_worker_seats_fn(void *context, const struct store_worker_seats *seats);

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

/* Registers a worker at its start. Sets id and started_us. */
int store_worker_add(struct store *store, struct store_worker *worker);

/* In order of id. */
int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context);

/* For one season, or all (0); in order of worker and bot. */
int store_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                            void *context);

/*
 * Lets workers lease a season's groups, or stops that: results from workers are then refused. The
 * caller must have claimed the season. In a back end without leases, true returns -ENOTSUP and
 * false has no effect.
 */
int store_season_deal(struct store *store, int64_t season_id, bool to_workers);

/*
 * For a season with same_cpu, before it is played on this machine: sets the model of processor if
 * none is set. Fails with -EPERM if it is another one.
 */
int store_season_take_processor(struct store *store, int64_t season_id, const char *processor);

/*
 * Leases groups whose games this worker can play: first those whose lease ran out, then the oldest.
 * Returns how many were written to leases, or -errno. Fails with -ECANCELED if the worker is
 * unknown.
 * A group whose rows are damaged is given back; -EBADMSG names it when no other came.
 */
int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases);

/* Renews all leases of a worker, and calls each_fn for each that it still holds. */
int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context);

/* Groups of a season that workers hold, their leases not lapsed; 0 without leases. Or -errno. */
int store_leases_count(struct store *store, int64_t season_id);

/*
 * Gives a group back; NULL: all groups of a worker that ends. A group that it does not hold is no
 * error.
 */
int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease);

/*
 * Stores a game of a leased group as store_game_add does; result and completion are one
 * transaction. Storing the same bytes again succeeds. Fails with -ESTALE if another worker has
 * claimed the group since, -ECANCELED if its opening is closed, -EEXIST if another result is
 * stored, -EINVAL if the store says that it could not be read: the message has the fault.
 */
int store_lease_game_add(struct store *store, const struct store_worker *worker,
                         const struct store_lease *lease, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes);

/* The same as store_manifest_read, for a bot in a group that the worker holds. */
int store_lease_manifest_read(struct store *store, const struct store_worker *worker,
                              int64_t bot_id, char **text);

/*
 * Part of a package of such a bot, from a byte on: at most LEASE_PART_BYTES, so that leases can be
 * renewed between two parts. The caller frees part->bytes, NULL after an error.
 */
int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part);

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
