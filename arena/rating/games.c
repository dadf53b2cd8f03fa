/* SPDX-License-Identifier: MIT */
#include "arena/rating/games.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"

int games_init(struct games *games, int bot_count)
{
    memset(games, 0, sizeof *games);
    if (bot_count < 0 || bot_count > GAMES_BOTS_MAX)
        return -EINVAL;
    games->bot_count = bot_count;
    /* One element more, because calloc may return NULL for 0 elements. */
    games->bots = calloc((size_t)bot_count + 1, sizeof *games->bots);
    return games->bots ? 0 : -ENOMEM;
}

void games_finish(struct games *games)
{
    free(games->bots);
    free(games->pairs);
    free(games->tables);
    memset(games, 0, sizeof *games);
}

static int compare_tables(const void *a_pointer, const void *b_pointer)
{
    const struct games_table *a = a_pointer;
    const struct games_table *b = b_pointer;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->player_count != b->player_count)
        return a->player_count - b->player_count;
    for (int i = 0; i < a->player_count; i++)
        if (a->bots[i] != b->bots[i])
            return a->bots[i] - b->bots[i];
    return 0;
}

static void sort_seats(const struct games_result *result, int seats[static GAMES_PLAYERS_MAX])
{
    for (int seat = 0; seat < result->player_count; seat++) {
        int at = seat;

        for (; at > 0 && result->bots[seats[at - 1]] > result->bots[seat]; at--)
            seats[at] = seats[at - 1];
        seats[at] = seat;
    }
}

/*
 * Returns the table for a result: the last table if it has the result's group and bots, as usual,
 * else a new table. Returns NULL if memory runs out.
 */
static struct games_table *enter_table(struct games *games, const struct games_result *result,
                                       const int seats[static GAMES_PLAYERS_MAX])
{
    struct games_table *last = games->tables ? &games->tables[games->table_count - 1] : NULL;
    struct games_table table = {.group = result->group,
                                .player_count = (uint8_t)result->player_count};

    for (int i = 0; i < result->player_count; i++)
        table.bots[i] = result->bots[seats[i]];
    if (last && compare_tables(last, &table) == 0)
        return last;
    games->groups_fall |= last && last->group >= table.group;
    if (ARRAY_GROW(games->tables, games->table_count, 1) < 0)
        return NULL;
    games->tables[games->table_count] = table;
    return &games->tables[games->table_count++];
}

int games_add(struct games *games, const struct games_result *result)
{
    int player_count = result->player_count;
    int seats[GAMES_PLAYERS_MAX]; /* seats, ordered by the numbers of their bots */
    struct games_table *table;

    assert(player_count >= GAMES_PLAYERS_MIN && player_count <= GAMES_PLAYERS_MAX);
    sort_seats(result, seats);
    table = enter_table(games, result, seats);
    if (!table)
        return -ENOMEM;
    table->game_count++;
    for (int i = 0, pair = 0; i < player_count; i++) {
        struct games_bot *bot = &games->bots[table->bots[i]];
        struct games_seat *seat = &games->seats[player_count][seats[i]];
        int rank = result->ranks[seats[i]], better_count = 0, tied_count = 0;

        for (int j = 0; j < player_count; j++) {
            int other = result->ranks[seats[j]];

            better_count += other < rank;
            tied_count += j != i && other == rank;
            if (j > i)
                table->halves[pair++] += (uint32_t)(1 + (rank < other) - (rank > other));
        }
        int halves = 2 * (player_count - 1 - better_count) - tied_count;
        bot->place_counts[better_count]++;
        bot->shared_win_count += better_count == 0 && tied_count > 0;
        seat->game_count++;
        seat->halves += halves;
        seat->halves_squared += halves * halves;
        games->tie_halves += tied_count;
    }
    return 0;
}

/* Sorts the tables and merges tables with the same group and bots. */
static void sort_tables(struct games *games)
{
    size_t kept = 0;

    if (!games->groups_fall)
        return;
    qsort(games->tables, games->table_count, sizeof *games->tables, compare_tables);
    for (size_t i = 1; i < games->table_count; i++) {
        const struct games_table *added = &games->tables[i];
        struct games_table *table = &games->tables[kept];

        if (compare_tables(table, added) != 0) {
            games->tables[++kept] = *added;
            continue;
        }
        table->game_count += added->game_count;
        for (int pair = 0; pair < GAMES_PAIRS_MAX; pair++)
            table->halves[pair] += added->halves[pair];
    }
    games->table_count = kept + 1;
}

/* Counters of count_table for one bot. */
struct company {
    int64_t last_group;
    /* The bot's sums in its first table; pair_count is 0 before that table. */
    int64_t pair_count, halves;
};

/*
 * Counts the games of one table (the bots of a game): adds them to the sums of each pair of its
 * bots, and to those sums of each bot that the pairs do not give, such as its number of games.
 */
static void count_table(struct games *games, const struct games_table *table,
                        struct company *companies)
{
    int64_t game_count = table->game_count;
    int kappa = games_kappa_twentieths(table->player_count);
    int64_t taken[GAMES_PLAYERS_MAX] = {0};

    for (int i = 0, pair = 0; i < table->player_count; i++)
        for (int j = i + 1; j < table->player_count; j++, pair++) {
            size_t a = table->bots[i];
            size_t b = table->bots[j];
            struct games_pair *sum = &games->pairs[b * (b - 1) / 2 + a];
            int64_t halves = table->halves[pair];

            taken[i] += halves;
            taken[j] += 2 * game_count - halves;
            sum->game_count += game_count;
            sum->halves += halves;
            sum->weight += kappa * game_count;
            sum->points += kappa * halves;
        }
    for (int i = 0; i < table->player_count; i++) {
        struct games_bot *bot = &games->bots[table->bots[i]];
        struct company *company = &companies[table->bots[i]];
        int64_t pair_count = (table->player_count - 1) * game_count;

        if (company->pair_count == 0)
            *company = (struct company){table->group - 1, pair_count, taken[i]};
        bot->group_count += company->last_group != table->group;
        company->last_group = table->group;
        bot->share_varies |= taken[i] * company->pair_count != company->halves * pair_count;
    }
}

static void count_pair(struct games_bot *bot, const struct games_pair *pair, int64_t halves)
{
    bot->pair_count += pair->game_count;
    bot->halves += halves;
    bot->information_tenths += pair->weight; /* twice the information; sum_pairs halves the sum */
}

/* Computes the sums over each bot's places and pairs, and over all pairs. */
static void sum_pairs(struct games *games)
{
    for (int b = 0; b < games->bot_count; b++) {
        struct games_bot *bot = &games->bots[b];

        for (int place = 0; place < GAMES_PLAYERS_MAX; place++)
            bot->game_count += bot->place_counts[place];
        for (int a = 0; a < b; a++) {
            const struct games_pair *pair = games_pair_of(games, a, b);

            count_pair(&games->bots[a], pair, pair->halves);
            count_pair(bot, pair, 2 * pair->game_count - pair->halves);
            games->pair_count += pair->game_count;
        }
    }
    for (int i = 0; i < games->bot_count; i++)
        games->bots[i].information_tenths /= 2;
}

/*
 * Allocates the sums of pairs, and clears the sums of an earlier call, except places and shared
 * wins, which games_add counts.
 */
static int clear_sums(struct games *games)
{
    size_t bot_count = (size_t)games->bot_count;
    struct games_pair *pairs = calloc(bot_count * (bot_count + 1) / 2 + 1, sizeof *pairs);

    if (!pairs)
        return -ENOMEM;
    free(games->pairs);
    games->pairs = pairs;
    games->game_count = games->group_count = games->pair_count = 0;
    for (size_t i = 0; i < bot_count; i++) {
        struct games_bot kept = {.shared_win_count = games->bots[i].shared_win_count};

        memcpy(kept.place_counts, games->bots[i].place_counts, sizeof kept.place_counts);
        games->bots[i] = kept;
    }
    return 0;
}

int games_settle(struct games *games)
{
    struct company *companies = calloc((size_t)games->bot_count + 1, sizeof *companies);

    if (!companies || clear_sums(games) < 0) {
        free(companies);
        return -ENOMEM;
    }
    sort_tables(games);
    for (size_t at = 0; at < games->table_count; at++) {
        const struct games_table *table = &games->tables[at];

        games->group_count += at == 0 || table[-1].group != table->group;
        games->game_count += table->game_count;
        count_table(games, table, companies);
    }
    sum_pairs(games);
    free(companies);
    return 0;
}

int64_t games_halves(const struct games *games, int a, int b)
{
    const struct games_pair *pair = a < b ? games_pair_of(games, a, b) : games_pair_of(games, b, a);

    return a < b ? pair->halves : 2 * pair->game_count - pair->halves;
}
