/* SPDX-License-Identifier: MIT */
/*
 * A set of games as the ratings need it: who played whom in which group, and who took how many
 * points off whom. Stores only integers, so that the order in which games were added does not
 * matter. Pure, except that it allocates memory. Bots are numbers; the caller keeps their names.
 */
#ifndef ARENA_RATING_GAMES_H
#define ARENA_RATING_GAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum games_limits {
    GAMES_PLAYERS_MIN = 2,
    GAMES_PLAYERS_MAX = 4,
    GAMES_PAIRS_MAX = 6,   /* largest number of pairs of seats in one game */
    GAMES_BOTS_MAX = 2048, /* maximum of bots; the matrix of errors grows with its square */
};

/* The result of one game. */
struct games_result {
    int64_t group;    /* number shared by the games of one seed and one set of bots */
    int player_count; /* GAMES_PLAYERS_MIN..GAMES_PLAYERS_MAX */
    uint16_t bots[GAMES_PLAYERS_MAX]; /* bot in each seat; no bot occurs twice */
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* rank of each seat, 1..GAMES_PLAYERS_MAX: smaller is better,
                                         equal ranks are a tie */
};

/* A table: bots that play together in a group, and the sum of the results of these games. */
struct games_table {
    int64_t group;
    uint32_t game_count;
    /*
     * Half points that the first bot of each pair took from the second: 2 for a better rank, 1 for
     * a tie. The order of pairs is 01 02 03 12 13 23, without absent bots.
     */
    uint32_t halves[GAMES_PAIRS_MAX];
    uint16_t bots[GAMES_PLAYERS_MAX]; /* numbers of the bots, in ascending order */
    uint8_t player_count;
};

/* The sums over all games between two bots, a and b, where a < b. */
struct games_pair {
    int64_t game_count;
    int64_t halves; /* half points that a took from b */
    int64_t weight; /* sum of the games' weights kappa (docs/ratings.md), in twentieths */
    int64_t points; /* sum of kappa times the points of bot a, over the games, in fortieths */
};

struct games_bot {
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count;         /* number of opponents, summed over all games */
    int64_t halves;             /* half points that the bot took from opponents */
    int64_t information_tenths; /* information n_i for the K factor: the sum of 3 (m - 1) / (m + 1)
                                   over the bot's games with m players */
    int64_t place_counts[GAMES_PLAYERS_MAX]; /* games that the bot ended in place 1, 2, ...; a
                                                shared place counts as the better one */
    int64_t shared_win_count;
    bool share_varies; /* the bot's share of the points differs between tables */
};

/* The results of one seat in all games with a given number of players. */
struct games_seat {
    int64_t game_count;
    int64_t halves;         /* sum of the seat's half points over the games */
    int64_t halves_squared; /* sum of the squared half points, for the variance */
};

struct games {
    int bot_count;
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count; /* number of pairs of players, summed over all games */
    int64_t tie_halves; /* half points of ties: two for each tied pair of players */
    struct games_bot *bots;
    /* The pair of bots a < b is at index b (b - 1) / 2 + a; NULL before games_settle. */
    struct games_pair *pairs;
    struct games_table *tables;
    size_t table_count;
    bool groups_fall; /* the tables were not added in ascending order of groups */
    /* Indexed by number of players and by seat. */
    struct games_seat seats[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX];
};

/* Returns kappa, the weight of a game with player_count players, in twentieths. */
static inline int games_kappa_twentieths(int player_count)
{
    return player_count == 2 ? 20 : player_count == 3 ? 15 : 12;
}

/*
 * Creates an empty set for bot_count bots, at most GAMES_BOTS_MAX. Returns 0, or -ENOMEM or -EINVAL
 * with nothing to free. The caller frees the set with games_finish.
 */
int games_init(struct games *games, int bot_count);

/* Frees all memory of the set. Accepts a zeroed set. */
void games_finish(struct games *games);

/* Adds one game. Returns 0, or -ENOMEM with the set unchanged. */
int games_add(struct games *games, const struct games_result *result);

/*
 * Sorts the tables by group and bots, merges tables with the same group and bots, and computes the
 * sums of each bot and each pair of bots. Call it after the last game and before rating the set;
 * after adding more games, call it again. Returns 0, or -ENOMEM with the set unchanged.
 */
int games_settle(struct games *games);

/* Returns the sums of the pair of bots a < b. The set must be settled. */
static inline const struct games_pair *games_pair_of(const struct games *games, int a, int b)
{
    return &games->pairs[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

/* Returns the half points that a took from b; a and b must differ. */
int64_t games_halves(const struct games *games, int a, int b);

#endif
