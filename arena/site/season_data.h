/*
 * A season as shown on its pages: ladders, and every game that may be shown. Games of an incomplete
 * group stay secret, and so does the seed of an open opening.
 */
#ifndef ARENA_SITE_SEASON_DATA_H
#define ARENA_SITE_SEASON_DATA_H

#include "arena/season/ladder.h"

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
    uint64_t mark;  /* differs if its result does */
};

/* A bot's live Elo after a group. */
struct data_point {
    int64_t group;
    int entry;
    double elo;
};

/* Made by season_index_make; all owned. */
struct season_index {
    size_t *game_starts, *games;
    size_t *point_starts;
    struct data_point *points;
    size_t *first_forfeits;
    uint64_t *pair_keys;
    uint64_t identity; /* differs for another season of the same name */
    uint64_t voided;   /* differs if other games are void */
};

struct season_data {
    struct store *store; /* borrowed */
    struct standings standings;
    struct data_game *games;
    size_t count, room;
    int64_t newest_us; /* when the newest of them was started, 0: none */
    /* Games by table size, including those not shown. */
    int64_t played_counts[GAME_PLAYERS_MAX + 1];
    struct data_point *points; /* by group */
    size_t point_count, point_room;
    struct season_index index; /* filled in by season_index_make */
    struct store_opening *openings;
    size_t opening_count;
};

/*
 * Loads the data. Returns 0 or -errno (see
 * store_failure, except for -ENOMEM). Finish it in any case.
 */
int season_data_load(struct season_data *data, struct store *store,
                     const struct store_season *season);

/* Accepts zeroed data. */
void season_data_finish(struct season_data *data);

/* Returns the bot of an entry. */
const struct store_bot *data_bot(const struct season_data *data, int entry);

/* Returns the first entry of the same name, which stands for all versions. */
int data_name(const struct season_data *data, int entry);

/* True if that seat forfeited the game. */
bool data_forfeited(const struct data_game *game, int seat);

/*
 * ---- the index: games, ratings and forfeits by bot and by pair, so that each page reads only its
 * own; and keys that tell whether a page must be written again ----
 */

enum season_index_limits {
    INDEX_EXACT_NAMES = 20, /* with at most this many bots, every page is as new as the ladder */
    INDEX_GROWTH = 10, /* with more, a bot's page is renewed once the season has grown by 1/10 */
};

/* Fills data->index. The page flags of the games must be set before. Returns 0 or -ENOMEM. */
int season_index_make(struct season_data *data);

/*
 * Returns the games of a name (given by its first entry) as indexes into data->games, oldest first.
 */
const size_t *season_index_games(const struct season_data *data, int name, size_t *count);

/* Returns its live ratings in order of groups. */
const struct data_point *season_index_points(const struct season_data *data, int name,
                                             size_t *count);

/* Returns the first forfeit of an entry as an index into data->games, or SIZE_MAX. */
size_t season_index_first_forfeit(const struct season_data *data, int entry);

/* True if two names played in the same game. */
bool season_index_met(const struct season_data *data, int name, int other);

/*
 * Return a key of a page's contents. While the key is unchanged, the written page is still right,
 * except for small changes of ratings by games of others.
 */
uint64_t season_index_bot_key(const struct season_data *data, int name);
uint64_t season_index_pair_key(const struct season_data *data, int name, int other);

/* The key of a game's page; never 0. */
uint64_t season_index_game_key(const struct season_data *data, const struct data_game *game);

#endif
