/*
 * A set of games as the ratings need it: who played whom in which group, and who took how many
 * points off whom. Stores only integers, so that a set does not depend on the order in which its
 * games were added. Pure: allocates memory and does nothing else. Bots are numbers here; the caller
 * keeps their names.
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
    GAMES_OUTCOMES = 256,  /* combinations of the ranks of four seats */
    GAMES_BOTS_MAX = 2048, /* limited because the error matrix grows with its square */
};

/* The result of one game, or of several games that ended alike. */
struct games_result {
    int64_t group;    /* number shared by the games of one seed and one set of bots */
    int player_count; /* GAMES_PLAYERS_MIN..GAMES_PLAYERS_MAX */
    uint16_t bots[GAMES_PLAYERS_MAX]; /* by seat; no bot occurs twice */
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* by seat, 1..GAMES_PLAYERS_MAX: smaller is better, equal
                                         ranks are a tie */
};

/*
 * The sum of all games of one group between the same bots; games_table_halves returns the table's
 * points. A set has many tables, so a table is small: touching fresh memory costs more than the
 * computation.
 */
struct games_table {
    int64_t group; /* number of the group; the repetitions have the following numbers */
    union {
        uint16_t bots[GAMES_PLAYERS_MAX]; /* numbers of the bots, in ascending order */
        struct {
            uint16_t two_bots[2];
            uint32_t repeat_count; /* with two players: number of groups identical to this one */
        };
    };
    uint32_t game_count : 29; /* games in one group */
    uint32_t player_count : 3;
    union {
        uint32_t halves; /* with two players: half points that the first bot took from the second */
        uint32_t halves_at; /* with more players: index of the table's first entry in halves of
                               struct games */
    };
};

_Static_assert(sizeof(struct games_table) == 24, "tables are small");

/* The sums over all games between two bots, a and b, where a < b. */
struct games_pair {
    int64_t game_count;
    int64_t halves; /* half points that a took from b */
    int64_t weight; /* sum of kappa over the games, in twentieths */
    int64_t points; /* sum of kappa times a's points over the games, in fortieths */
};

struct games_bot {
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count;         /* number of opponents, summed over all games */
    int64_t halves;             /* half points that the bot took from opponents */
    int64_t information_tenths; /* n_i of the K factor: the sum of 3 (m - 1) / (m + 1) over the
                                   bot's games of m players */
    int64_t place_counts[GAMES_PLAYERS_MAX]; /* games that the bot ended in 1st, 2nd ... place; a
                                                tied place counts as the better one */
    int64_t shared_win_count;
    bool share_varies; /* the bot's share of the points differs between tables */
};

/* The results of one seat in all games with one number of players. */
struct games_seat {
    int64_t game_count;
    int64_t halves;         /* sum of the seat's half points over the games */
    int64_t halves_squared; /* sum of the squared half points, for the variance */
};

/* What a combination of ranks means for each seat, and how many games ended with it. */
struct games_outcome {
    int64_t game_count;
    uint8_t places[GAMES_PLAYERS_MAX]; /* by seat: number of better players */
    uint8_t halves[GAMES_PLAYERS_MAX]; /* by seat: half points that it took */
    /* [a][b]: half points that seat a took from seat b. */
    uint8_t pair_halves[GAMES_PLAYERS_MAX][GAMES_PLAYERS_MAX];
    uint8_t tie_halves; /* half points from tied ranks: two per tied pair */
    bool shared_win;
};

struct games {
    int bot_count;
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count; /* number of pairs of players, summed over all games */
    int64_t tie_halves; /* half points from tied ranks: two per tied pair of players */
    struct games_bot *bots;
    /* Pair a < b is at b (b - 1) / 2 + a; NULL before the set is settled. */
    struct games_pair *pairs;
    struct games_table *tables;
    size_t table_count, table_capacity;
    bool groups_fall; /* some table was added after a table of a higher group */
    uint32_t *halves; /* half points of all tables with more than two players */
    size_t halves_count, halves_capacity;
    /* Indexed by number of players and by seat. */
    struct games_seat seats[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX];
    /* By number of players and ranks: how games_add looks up a game's outcome. */
    struct games_outcome *outcomes;
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

/*
 * Renumbers the bots of a set that is not settled: bot i becomes bot places[i]. places is a
 * permutation of 0..bot_count-1. Afterwards the set has bot_count bots; no bot with a higher number
 * may have played. Returns 0, or -ENOMEM with the set unchanged.
 */
int games_renumber(struct games *games, const uint16_t *places, int bot_count);

/* Adds one game. Returns 0, or -ENOMEM with the set unchanged. */
int games_add(struct games *games, const struct games_result *result);

/*
 * Adds `count` games with the same result between two players, each in a group of its own: the
 * groups are result->group, result->group + 1, and so on. Returns 0, or -ENOMEM with the set
 * unchanged.
 */
int games_add_alike(struct games *games, const struct games_result *result, uint32_t count);

/*
 * Sorts the tables by group and bots, merges tables with the same group and bots, and sums up bots
 * and pairs. Call it after the last game and before rating the set; after adding more games, call
 * it again. Returns 0, or -ENOMEM with the set unchanged.
 */
int games_settle(struct games *games);

/* Returns how many groups this table stands for: 1 unless games_add_alike added it. */
static inline uint32_t games_table_repeats(const struct games_table *table)
{
    return table->player_count == 2 ? table->repeat_count : 1;
}

/*
 * Returns the points of a table by pair of its bots: 01 02 03 12 13 23, without absent bots. Each
 * value is the sum of the half points of the pair's first bot: 2 for a better rank, 1 for a tie.
 */
static inline const uint32_t *games_table_halves(const struct games *games,
                                                 const struct games_table *table)
{
    return table->player_count == 2 ? &table->halves : games->halves + table->halves_at;
}

/* Returns the sums of the pair of bots a < b. The set must be settled. */
static inline const struct games_pair *games_pair_of(const struct games *games, int a, int b)
{
    return &games->pairs[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

/* Returns the half points that a took from b; a and b must differ. */
int64_t games_halves(const struct games *games, int a, int b);

#endif
