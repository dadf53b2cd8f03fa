/*
 * A season as shown on its pages: ladders, and every game that may be shown. Games of an incomplete
 * group stay secret, and so does the seed of an open opening.
 */
#ifndef ARENA_SITE_SEASON_DATA_H
#define ARENA_SITE_SEASON_DATA_H

#include "arena/season/standings.h"

/* A shown game, in the schedule's order. */
struct data_game {
    int group, rotation;
    int player_count;
    int entries[GAME_PLAYERS_MAX]; /* by seat */
    int scores[GAME_PLAYERS_MAX], ranks[GAME_PLAYERS_MAX];
    enum wire_reason reasons[GAME_PLAYERS_MAX];
    double ratings[GAME_PLAYERS_MAX]; /* live Elo before its group; NAN for a new bot */
    int64_t started_us;               /* since 1970 */
    char *forfeits; /* JSON as in struct store_game, NULL if there were none; owned */
    bool is_pruned; /* its replay was pruned */
    bool is_void;   /* it counts for nobody: a bot in it was banned with its games */
    bool page;      /* has a page of its own */
    uint64_t mark;  /* stands for its result: another one has another */
};

/* A bot's live Elo after a group. */
struct data_point {
    int64_t group;
    int entry;
    double elo;
};

/* For season_index.h. All owned. */
struct season_index {
    size_t *game_starts, *games;
    size_t *point_starts;
    struct data_point *points;
    size_t *first_forfeits;
    uint64_t *pair_keys;
    uint64_t identity, voided; /* change with the season's seeds, with its void games */
};

struct season_data {
    struct store *store; /* borrowed */
    struct standings standings;
    struct data_game *games;
    size_t count, room;
    /* Games by table size, including those not shown. */
    int64_t played_counts[GAME_PLAYERS_MAX + 1];
    struct data_point *points; /* by group */
    size_t point_count, point_room;
    struct season_index index; /* filled in by season_index_make */
    struct store_opening *openings;
    size_t opening_count;
};

/*
 * Loads the data. cache is the folder of game_cache.h, or NULL. Returns 0 or -errno (see
 * store_failure, except for -ENOMEM). Finish it in any case.
 */
int season_data_load(struct season_data *data, struct store *store,
                     const struct store_season *season, const char *cache);

/* Accepts zeroed data. */
void season_data_finish(struct season_data *data);

/* Returns the bot of an entry. */
const struct store_bot *data_bot(const struct season_data *data, int entry);

/* Returns the first entry of the same name, which stands for all versions. */
int data_name(const struct season_data *data, int entry);

/* True if that seat forfeited the game. */
bool data_forfeited(const struct data_game *game, int seat);

#endif
