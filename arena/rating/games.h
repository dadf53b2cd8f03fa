/*
 * A set of games as the ratings see it: who played whom in which group, and who
 * took how many points off whom. Only whole numbers are kept, so a set is the same
 * in whatever order its games came. Pure: allocates memory and does nothing else;
 * bots are numbers here, their names are the caller's.
 */
#ifndef ARENA_RATING_GAMES_H
#define ARENA_RATING_GAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum games_limits {
    GAMES_PLAYERS_MIN = 2,
    GAMES_PLAYERS_MAX = 4,
    GAMES_PAIRS_MAX = 6,   /* of seats in one game */
    GAMES_HALVES_MAX = 6,  /* half points one seat can take in a game */
    GAMES_OUTCOMES = 256,  /* ways to give four seats four ranks */
    GAMES_BOTS_MAX = 2048, /* the error matrix grows with the square of it */
};

/* One game, or count games alike. */
struct games_result {
    int64_t group;                    /* games of one seed and one set of bots share it */
    int player_count;                 /* GAMES_PLAYERS_MIN..GAMES_PLAYERS_MAX */
    uint16_t bots[GAMES_PLAYERS_MAX]; /* by seat, no bot twice */
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* by seat, 1..GAMES_PLAYERS_MAX: smaller is better, equal is
                                         shared */
};

/*
 * What the games of one group between the same bots come to; see games_table_halves
 * for their points. They are many, so they are small: memory fresh from the kernel
 * costs more than what is done with it.
 */
struct games_table {
    int64_t group; /* of the first repetition; the others follow it */
    union {
        uint16_t bots[GAMES_PLAYERS_MAX]; /* ascending */
        struct {
            uint16_t two_bots[2];
            uint32_t repeat_count; /* of two players: groups exactly like this one */
        };
    };
    uint32_t game_count : 29; /* in one group */
    uint32_t player_count : 3;
    union {
        uint32_t halves;    /* of two players: what the first took off the second */
        uint32_t halves_at; /* of more: where they begin among those of the set */
    };
};

_Static_assert(sizeof(struct games_table) == 24, "tables are small");

/* All games of a pair of bots, a before b. */
struct games_pair {
    int64_t game_count;
    int64_t halves; /* points a took off b, in halves */
    int64_t weight; /* sum of kappa over the games, in twentieths */
    int64_t points; /* sum of kappa times a's points, in fortieths */
};

struct games_bot {
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count;                      /* opponents met, over all games */
    int64_t halves;                          /* points taken off them, in halves */
    int64_t information_tenths;              /* n_i of the K factor: 3 (m - 1) / (m + 1) a game */
    int64_t place_counts[GAMES_PLAYERS_MAX]; /* shared places count as the better one */
    int64_t shared_win_count;
    bool share_varies; /* the part of the points it took was not the same in every table */
};

/* How one seat fared in the games of one number of players. */
struct games_seat {
    int64_t game_count;
    int64_t halves;                              /* sum over games of the points taken */
    int64_t halves_squared;                      /* sum of their squares: the variance follows */
    int64_t halves_counts[GAMES_HALVES_MAX + 1]; /* games, by the points taken in halves */
};

/* What the ranks of a game come to, by seat, and how many games came to that. */
struct games_outcome {
    int64_t game_count;
    uint8_t places[GAMES_PLAYERS_MAX];                         /* how many were better */
    uint8_t halves[GAMES_PLAYERS_MAX];                         /* points taken */
    uint8_t pair_halves[GAMES_PLAYERS_MAX][GAMES_PLAYERS_MAX]; /* of the first off the second */
    uint8_t tie_halves;                                        /* as in struct games */
    bool shared_win;
    bool is_ranking; /* rank 1 is there, and none beyond the number of players */
};

struct games {
    int bot_count;
    int64_t game_count;
    int64_t group_count;
    int64_t pair_count; /* compared, over all games */
    int64_t tie_halves; /* points from shared ranks, in halves: two a pair that tied */
    struct games_bot *bots;
    struct games_pair *pairs; /* a < b at b (b - 1) / 2 + a; NULL before the set is settled */
    struct games_table *tables;
    size_t table_count, table_capacity;
    bool groups_fall; /* a table was added whose group does not come after that before it */
    uint32_t *halves; /* of all tables of more than two players */
    size_t halves_count, halves_capacity;
    struct games_seat seats[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX]; /* [players][seat] */
    struct games_outcome *outcomes; /* by number of players and ranks: a table to add games by */
};

/* kappa of a game of so many players, in twentieths. */
static inline int games_kappa_twentieths(int player_count)
{
    return player_count == 2 ? 20 : player_count == 3 ? 15 : 12;
}

/*
 * An empty set over bot_count bots, at most GAMES_BOTS_MAX. Returns 0, or -ENOMEM
 * or -EINVAL with nothing to free. Free with games_finish.
 */
int games_init(struct games *games, int bot_count);

/* Frees what the set holds. A zeroed set is fine. */
void games_finish(struct games *games);

/*
 * Numbers the bots of a set anew that was not settled yet: i becomes places[i]. These are
 * all of 0..bot_count-1, and the set is one over bot_count bots from then on; no other
 * bot may have played. Returns 0 or -ENOMEM, the set then as it was.
 */
int games_renumber(struct games *games, const uint16_t *places, int bot_count);

/* Adds one game. Returns 0 or -ENOMEM, the set then as it was. */
int games_add(struct games *games, const struct games_result *result);

/*
 * Adds count games of two players with the same outcome, each a group of its own,
 * numbered from result->group on. Returns 0 or -ENOMEM, the set then as it was.
 */
int games_add_alike(struct games *games, const struct games_result *result, uint32_t count);

/*
 * Puts the tables in order, ascending group and then bots, joins those of one group
 * and the same bots, and sums up bots and pairs. To be called once after the last
 * game and before the set is rated; more games and another call may follow. Returns
 * 0 or -ENOMEM, the set then as it was.
 */
int games_settle(struct games *games);

/* How many groups are exactly like this table's: 1 unless they were added as such. */
static inline uint32_t games_table_repeats(const struct games_table *table)
{
    return table->player_count == 2 ? table->repeat_count : 1;
}

/*
 * The points of a table by pair of its bots: 01 02 03 12 13 23, absent bots left out.
 * They are counted in halves: 2 for a better rank, 1 for a shared one, taken by the first.
 */
static inline const uint32_t *games_table_halves(const struct games *games,
                                                 const struct games_table *table)
{
    return table->player_count == 2 ? &table->halves : games->halves + table->halves_at;
}

/* The pair of bots a < b, once the set is settled. */
static inline const struct games_pair *games_pair_of(const struct games *games, int a, int b)
{
    return &games->pairs[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

/* Points a took off b, in halves, whichever comes first. */
int64_t games_halves(const struct games *games, int a, int b);

#endif
