/*
 * Adds a game to a set. Inlined into the loop that adds a hundred thousand games; all other code
 * calls games_add. The number of players is a compile-time constant wherever this is used, so no
 * loops over seats remain, and nothing that depends on the winner is a branch.
 */
#ifndef ARENA_RATING_GAMES_ADD_H
#define ARENA_RATING_GAMES_ADD_H

#include <assert.h>
#include <errno.h>

#include "arena/rating/games.h"

/* Makes room for another table and its points. Returns 0 or -ENOMEM. */
int games_grow_tables(struct games *games);

static inline int games_count_pairs(int player_count)
{
    return player_count * (player_count - 1) / 2;
}

/* Returns the index of a pair among those of a table, in either order of a and b. */
static inline int games_pair_number(int player_count, int a, int b)
{
    static const uint8_t pair_numbers[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX][GAMES_PLAYERS_MAX] =
        {
            [3] = {{0, 0, 1}, {0, 0, 2}, {1, 2, 0}},
            [4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}},
        };

    return player_count == 2 ? 0 : pair_numbers[player_count][a][b];
}

/* Returns the points of a table, for modification. */
static inline uint32_t *games_halves_of(const struct games *games, struct games_table *table,
                                        int player_count)
{
    return player_count == 2 ? &table->halves : games->halves + table->halves_at;
}

/*
 * Returns the entry that counts games of these players with the ranks of this game; each rank is
 * 1..GAMES_PLAYERS_MAX.
 */
static inline struct games_outcome *
games_outcome_of(const struct games *games, const struct games_result *result, int player_count)
{
    int number = 0;

    for (int seat = 0; seat < player_count; seat++)
        number |= (result->ranks[seat] - 1) << 2 * seat;
    return &games->outcomes[player_count * GAMES_OUTCOMES + number];
}

/* Sorts the seats by bot: where[seat] is the position of its bot in ascending order. */
static inline void games_sort_seats(const uint16_t *bots, int player_count,
                                    int where[static GAMES_PLAYERS_MAX])
{
    for (int seat = 0; seat < player_count; seat++)
        where[seat] = 0;
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int ascends = bots[a] < bots[b];

            where[b] += ascends;
            where[a] += !ascends;
        }
}

/*
 * Adds the points of a game to those of its table. Each pair of seats is put into the order of
 * their bots' numbers without a branch, because the processor could not predict one.
 */
static inline void games_count_halves(uint32_t *halves, const struct games_outcome *outcome,
                                      int player_count, const int where[static GAMES_PLAYERS_MAX])
{
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int swapped = -(where[a] > where[b]); /* a mask: all bits set, or none */
            int first = a ^ ((a ^ b) & swapped);

            halves[games_pair_number(player_count, where[a], where[b])] +=
                outcome->pair_halves[first][a ^ b ^ first];
        }
}

/* Counts what a table does not store: places and shared wins. */
static inline void games_count_places(struct games *games, const struct games_result *result,
                                      const struct games_outcome *outcome, int player_count,
                                      uint32_t count)
{
    for (int seat = 0; seat < player_count; seat++)
        games->bots[result->bots[seat]].place_counts[outcome->places[seat]] += count;
    if (outcome->shared_win)
        for (int seat = 0; seat < player_count; seat++)
            if (outcome->places[seat] == 0)
                games->bots[result->bots[seat]].shared_win_count += count;
}

/* True if a game has the same group and bots as a table. */
static inline bool games_belongs_to_table(const struct games_table *table,
                                          const struct games_result *result, int player_count,
                                          const int where[static GAMES_PLAYERS_MAX])
{
    bool belongs = table->group == result->group && games_table_repeats(table) == 1 &&
                   table->player_count == player_count;

    for (int seat = 0; seat < player_count && belongs; seat++)
        belongs = table->bots[where[seat]] == result->bots[seat];
    return belongs;
}

/* Adds a table without games. There must be room for it. */
static inline void games_add_table(struct games *games, const struct games_result *result,
                                   uint32_t count, int player_count,
                                   const int where[static GAMES_PLAYERS_MAX])
{
    struct games_table *added = &games->tables[games->table_count++];

    games->groups_fall |= games->table_count > 1 && added[-1].group >= result->group;
    *added = (struct games_table){
        .group = result->group,
        .halves_at = player_count == 2 ? 0 : (uint32_t)games->halves_count,
        .player_count = (unsigned)player_count & 7,
    };
    if (player_count == 2)
        added->repeat_count = count;
    for (int seat = 0; seat < player_count; seat++)
        added->bots[where[seat]] = result->bots[seat];
    for (int pair = 0; pair < games_count_pairs(player_count) && player_count > 2; pair++)
        games->halves[games->halves_count++] = 0;
}

/* The same as games_add_alike, for a constant number of players. */
static inline __attribute__((always_inline)) int games_add_sized(struct games *games,
                                                                 const struct games_result *result,
                                                                 uint32_t count, int player_count)
{
    struct games_outcome *outcome = games_outcome_of(games, result, player_count);
    int where[GAMES_PLAYERS_MAX];

    for (int seat = 0; seat < player_count; seat++)
        assert(result->bots[seat] < games->bot_count);
    games_sort_seats(result->bots, player_count, where);
    /* The games of a group usually follow each other: merge them at once. */
    if (games->table_count == 0 || count > 1 ||
        !games_belongs_to_table(&games->tables[games->table_count - 1], result, player_count,
                                where)) {
        bool is_full =
            games->table_count == games->table_capacity ||
            (player_count > 2 && games->halves_capacity - games->halves_count < GAMES_PAIRS_MAX);

        if (is_full && games_grow_tables(games) < 0)
            return -ENOMEM;
        games_add_table(games, result, count, player_count, where);
    }
    struct games_table *table = &games->tables[games->table_count - 1];
    table->game_count++;
    outcome->game_count += count;
    games_count_halves(games_halves_of(games, table, player_count), outcome, player_count, where);
    games_count_places(games, result, outcome, player_count, count);
    return 0;
}

#endif
