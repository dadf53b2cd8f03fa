/* SPDX-License-Identifier: MIT */
/*
 * The games of a season: results, replays, and the ids by which users name games. The store adds a
 * game once, together with its replay, and never changes it; only the replay may be removed later
 * (pruned). Functions return the errors that store.h lists.
 */
#ifndef ARENA_STORE_GAMES_H
#define ARENA_STORE_GAMES_H

#include "arena/store/store.h"

struct store_seat {
    int entry;
    int score; /* points */
    int rank;  /* rank in the game; 1: won; several seats may share a rank */
    enum wire_reason reason;
    int64_t us;           /* total time that the bot took to answer */
    int64_t us_max;       /* longest time that the bot took to answer */
    const uint8_t *times; /* decision times, packed by latency_pack; borrowed */
    size_t times_bytes;
};

struct store_game {
    int group;
    int rotation;
    int player_count;
    struct store_seat seats[GAME_PLAYERS_MAX];
    int64_t started_us; /* since 1970 */
    /* store_results_each does not set the fields below. */
    bool is_pruned; /* the replay was removed */
    uint8_t
        checksum[STORE_DIGEST_BYTES]; /* SHA-256 of all fields but is_pruned; set by the store */
    const char *forfeits; /* JSON array with an element per seat; NULL: no forfeits; borrowed */
    /* store_games_each does not set the fields below. */
    int opening; /* in which the game was played */
    uint8_t seed[GAME_SEED_BYTES];
    int64_t wall_us;        /* duration from the start of the first bot to the result */
    int decision_count;     /* decisions of the seats and of the arena */
    int64_t worker_id;      /* id of the worker that played the game (leases.h); 0: unknown */
    int64_t delay_us;       /* the arena's own delay, total over all decisions */
    struct store_play play; /* how the bots were run */
    uint32_t layers;        /* enum sandbox_layer bits that were active for every bot */
    /*
     * What the machine was like: a JSON object (season/result.h); NULL: unknown, as of a game that
     * a worker played; borrowed.
     */
    const char *machine;
    uint8_t replay_sha256[STORE_DIGEST_BYTES]; /* hash of the replay file; set by the store */
    enum board_side board;                     /* of its group; only store_games_verify sets it */
};

enum store_game_limits {
    STORE_ALL_GROUPS = INT32_MAX, /* as end_group */
    STORE_KEEP_MAX = 1000000000,  /* largest keep_games of a season */
};

typedef int store_game_fn(void *context, const struct store_game *game);

/*
 * Stores a played game and its replay file. Fails with -EEXIST if the game is already stored, so
 * that a game counts only once; with -ECANCELED if the season was closed since the game was chosen:
 * the game is then void, because its seed is published.
 */
int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes);

/*
 * Call each_fn for the games of a season by group and rotation, without replays, from first_group
 * on. store_results_each reads only what ratings need; store_games_each reads what pages show;
 * store_games_verify reads all fields, and fails with -EBADMSG if a game does not match its
 * checksum, and reads only groups before end_group, and of these only groups in which a bot of this
 * name plays (NULL: all).
 */
int store_results_each(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context);
int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context);
int store_games_verify(struct store *store, int64_t season_id, int first_group, int end_group,
                       const char *bot, store_game_fn *each_fn, void *context);

/*
 * Read the replay of a game. The caller frees *replay. Fail with -ENOENT if there is no such game,
 * -ENODATA if the replay was pruned.
 */
int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size);
int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size);

/* Counts the games of a season that began at since_us or later, and those with a forfeit. */
int store_forfeits_count(struct store *store, int64_t season_id, int64_t since_us, int64_t *games,
                         int64_t *forfeits);

/* Number and size of replays that were removed (pruned), or could be removed. */
struct store_pruned {
    int64_t count, bytes;
};

/*
 * Measures the replays of a season that calls of store_replays_prune can remove in total: the
 * replays of games without forfeits, except for the newest keep_games of these games by group and
 * rotation. Changes nothing.
 */
int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned);

/*
 * Removes at most count_max of the replays that store_replays_prunable measures, the oldest first,
 * in one transaction. Writes to *pruned what it removed. The results stay.
 */
int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned);

/* Returns true if the bot with this number in the season forfeited; *seat is its seat. */
bool store_game_forfeited(const struct store_game *game, int entry, int *seat);

/* As store_damaged, for the row of a game. */
int store_game_damaged(struct store *store, const struct store_game *game, const char *column,
                       const char *fault);

/* ---- a game's id: SEASON-%06d-%d, group and rotation ---- */

void store_game_id(char id[static STORE_GAME_ID_BYTES], const char *season, int group,
                   int rotation);

/* Parses a game's id. Returns false if the id is not valid. */
bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation);

struct replay_row {
    int group, rotation;
    const uint8_t *bytes; /* borrowed */
    size_t size;
};

#endif
