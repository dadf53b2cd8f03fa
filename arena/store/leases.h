/*
 * Groups that are played on other machines. A worker registers at its start under a fresh random
 * identity, which nobody else learns, and leases groups: their games are its to play for a while,
 * by the store's clock, and for as long as it renews. Each claim raises the group's token. A
 * result names the token that it was claimed under: once somebody else has claimed the group, it
 * is refused. A lease that has lapsed and was claimed by nobody since still counts.
 *
 * Errors as in store.h, -ENOTSUP from a back end without leases, and -ENOTCONN: the connection is
 * lost, the next call makes a new one.
 */
#ifndef ARENA_STORE_LEASES_H
#define ARENA_STORE_LEASES_H

#include "arena/store/store.h"

enum lease_limits {
    LEASE_IDENTITY_BYTES = 16,
    LEASE_CLAIM_MAX = 64, /* groups at a time */
    LEASE_REFUSED_MAX = 2048,
};

/* One start of a worker, or of a season that is played where its store is. */
struct store_worker {
    int64_t id;                                  /* ascending in order of registering, from 1 */
    uint8_t identity[LEASE_IDENTITY_BYTES];      /* its secret; zero in what is read */
    char name[STORE_TEXT_BYTES_MAX + 1];         /* for people; may be used again */
    char host[STORE_TEXT_BYTES_MAX + 1];         /* the machine's name */
    char processor[STORE_TEXT_BYTES_MAX + 1];    /* its model */
    char architecture[STORE_TEXT_BYTES_MAX + 1]; /* as uname -m */
    uint32_t layers;    /* enum sandbox_layer bits that held in all its games: told as below */
    int tier;           /* enum sandbox_tier that these come to */
    int job_count;      /* games at a time */
    int core_count;     /* that it may use */
    int64_t playouts_s; /* random games a second on one core, measured */
    /* Filled in by the store, by its clock, since 1970. */
    int64_t started_us;
    int64_t seen_us;  /* its last claim or renewal */
    int64_t ended_us; /* 0 unless it said that it ends */
    /* Told by store_workers_each. */
    int lease_count;    /* groups that it holds, not lapsed */
    int64_t game_count; /* stored */
    int64_t delay_us;   /* the arena's own, summed over them */
};

/* What one bot did in one worker's games. */
struct store_worker_seats {
    int64_t worker_id;
    int64_t bot_id;
    int64_t seat_count;
    int64_t forfeit_count;
    int64_t late_count; /* of those, for being late */
};

/* What a worker asks for. */
struct store_claim {
    int group_count;        /* at most: 1..LEASE_CLAIM_MAX */
    int64_t lease_us;       /* how long it may stay away */
    const int64_t *refused; /* ids of bots that do not run there; groups with one are passed over */
    size_t refused_count;
};

/* A group that a worker holds, with what it takes to play it. */
struct store_lease {
    struct store_season season; /* its terms */
    struct store_group group;
    int64_t token;
    int opening;  /* under which its games are played now */
    unsigned due; /* bit r: the game of rotation r is not played yet */
    uint8_t seeds[GAME_PLAYERS_MAX][GAME_SEED_BYTES]; /* by rotation, of those that are due */
    struct store_bot bots[GAME_PLAYERS_MAX];          /* in base order */
};

enum store_channel {
    STORE_CHANNEL_WORK = 0,    /* there are groups to be leased again, after there were none */
    STORE_CHANNEL_RESULTS = 1, /* the last game of a batch was stored */
};
typedef int store_worker_fn(void *context, const struct store_worker *worker);
typedef int store_worker_seats_fn(void *context, const struct store_worker_seats *seats);
typedef int store_lease_fn(void *context, int64_t season_id, int group, int64_t token);

/* Keeps a worker that starts. Sets id and started_us. */
int store_worker_add(struct store *store, struct store_worker *worker);

/* By id. */
int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context);

/* Of one season, or of all (0); in order of worker and bot. */
int store_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                            void *context);

/*
 * Lets workers lease a season's groups; or no longer: then what they bring is refused. For who has
 * claimed the season. Without leases, to workers is -ENOTSUP, and not to them is done.
 */
int store_season_deal(struct store *store, int64_t season_id, bool to_workers);

/*
 * Leases groups whose games this worker can play, oldest first, those of a lapsed lease before
 * all. Returns how many were written to leases, or -errno. -ECANCELED: the worker is not known.
 */
int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases);

/* Renews all leases of a worker, and tells each that it still holds. */
int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context);

/* Gives a group back; NULL: all of a worker, which ends. Fine for what it does not hold. */
int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease);

/*
 * As store_game_add, for a game of a leased group: result and completion are one transaction. Once
 * more with the same bytes is fine. -ESTALE: the group was claimed by another since. -ECANCELED as
 * there, -EEXIST: another result is there.
 */
int store_lease_game_add(struct store *store, const struct store_worker *worker,
                         const struct store_lease *lease, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes);

/* As store_manifest_read and store_package_read, for bots in groups that the worker holds. */
int store_lease_manifest_read(struct store *store, const struct store_worker *worker,
                              int64_t bot_id, char **text);
int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, uint8_t **package, size_t *size);

/*
 * Listens, for as long as the connection lasts. Returns a descriptor that is readable when there
 * may be something to hear, the store's own; or -errno. -ENOTSUP: poll instead. To be called again
 * after -ENOTCONN.
 */
int store_listen(struct store *store, enum store_channel channel);

/* Takes what has come. 1 if there was something on the channel, else 0, or -errno. */
int store_heard(struct store *store);

#endif
