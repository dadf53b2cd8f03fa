/*
 * The games of a season: results, replays, and the ids by which users name them. A game is stored
 * once, with its replay, and never changes; only its replay may be pruned. Errors are those of
 * store.h.
 */
#ifndef ARENA_STORE_GAMES_H
#define ARENA_STORE_GAMES_H

#include "arena/store/store.h"

struct store_seat {
    int entry;
    int score; /* points */
    int rank;  /* 1 = won; may be shared */
    enum wire_reason reason;
    int decision_count;
    int64_t us;           /* total time to answer */
    int64_t us_max;       /* longest time to answer */
    const uint8_t *times; /* its decision times, packed by latency_pack; borrowed */
    size_t times_bytes;
};

struct store_game {
    int group;
    int rotation;
    int player_count;
    struct store_seat seats[GAME_PLAYERS_MAX];
    /* The fields below are not set by store_results_each. */
    int opening;                   /* the opening in which it was played */
    uint8_t seed[GAME_SEED_BYTES]; /* the game's own */
    struct store_play play;        /* how its bots were run */
    int64_t worker_id;             /* the worker that played it (leases.h); 0: unknown */
    int64_t delay_us;              /* the arena's own delay, total over its decisions */
    int64_t started_us;            /* since 1970 */
    int64_t wall_us;               /* from the first spawn to the result */
    uint32_t layers;               /* enum sandbox_layer bits that were active for every bot */
    int decision_count;            /* decisions of all seats and of the arena */
    const char *forfeits;          /* JSON array by seat, NULL if there were none; borrowed */
    bool is_pruned;                /* its replay was removed; not part of the checksum */
    /* Filled in by the store. */
    uint8_t replay_sha256[STORE_DIGEST_BYTES]; /* SHA-256 of its replay file */
    uint8_t checksum[STORE_DIGEST_BYTES];      /* SHA-256 over all these fields and its seats */
};

typedef int store_game_fn(void *context, const struct store_game *game);

/*
 * Stores a played game and its replay file, and so marks the game as played. Fails with -EEXIST if
 * it is already stored, so that a game counts only once; with -ECANCELED if its opening is closed:
 * the game is then void, because its seed is published.
 */
int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes);

/* Every game by group and rotation, with only what ratings need; or from first_group on. */
int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context);
int store_results_from(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context);

/* The same with all fields but without replays. */
int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context);

/* Returns 0 if a whole game is as it was stored, else -EBADMSG: its checksum differs. */
int store_game_verify(struct store *store, int64_t season_id, const struct store_game *game);

/* Reads a replay, for the caller to free. -ENOENT: no such game; -ENODATA: it was pruned. */
int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size);

/* The same, by a game's id, for `arena replay`. */
int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size);

/* A set of pruned replays. */
struct store_pruned {
    int64_t count;
    int64_t bytes; /* size in the store, which can reuse the space */
};

enum store_prune_limits {
    STORE_KEEP_MAX = 1000000000,
};

/*
 * Measures what repeated store_replays_prune would remove from a season in total: the replays of
 * games without forfeits, except those of the newest keep_games by group and rotation. Changes
 * nothing.
 */
int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned);

/*
 * Removes at most count_max of these replays, the oldest first, in one transaction, and writes how
 * many to *pruned. The results stay.
 */
int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned);

/* ---- a game's id: SEASON-%06d-%d, group and rotation ---- */

void store_game_id(char id[static STORE_GAME_ID_BYTES], const char *season, int group,
                   int rotation);

/* Parses an id; returns false if it is not valid. */
bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation);

#endif
