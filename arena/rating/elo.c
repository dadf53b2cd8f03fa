/* SPDX-License-Identifier: MIT */
#include "arena/rating/elo.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double micro_per_elo = 1e6;

double elo_expected(double difference_elo)
{
    return 1 / (1 + exp(-difference_elo / ELO_PER_NATURAL));
}

double elo_k(int64_t information_tenths, double k_min)
{
    double k = 695 / ((double)information_tenths / 10 + 17.375);

    return k > k_min ? k : k_min;
}

/* Returns the initial rating of bot i: the rating of its nearest ancestor that has played. */
static int64_t start_micro(const struct elo_bot *bots, const int *predecessors, int i)
{
    int ancestor = predecessors ? predecessors[i] : ELO_NOBODY;

    while (ancestor != ELO_NOBODY && !bots[ancestor].started)
        ancestor = predecessors[ancestor];
    return ancestor == ELO_NOBODY ? ELO_START_MICRO : bots[ancestor].rating_micro;
}

/* Initializes the bots of a table that play their first group. */
static void start_bots(const struct games_table *table, const int *predecessors,
                       struct elo_bot *bots)
{
    for (int i = 0; i < table->player_count; i++) {
        struct elo_bot *bot = &bots[table->bots[i]];

        if (!bot->started)
            bot->rating_micro = start_micro(bots, predecessors, table->bots[i]);
        bot->started = true;
    }
}

/*
 * Adds the rating changes by one table of games to the bots' changes. All games of the table have
 * the same expected scores and K, so the sum over a pair's games is rounded only once: one bot
 * gains exactly what the other loses.
 */
static void gather_changes(const struct games_table *table, double k_min, struct elo_bot *bots)
{
    double kappa = games_kappa_twentieths(table->player_count) / 20.0;
    double games = table->game_count;
    int pair = 0;

    for (int i = 0; i < table->player_count; i++) {
        struct elo_bot *a = &bots[table->bots[i]];

        for (int j = i + 1; j < table->player_count; j++, pair++) {
            struct elo_bot *b = &bots[table->bots[j]];
            double k =
                (elo_k(a->information_tenths, k_min) + elo_k(b->information_tenths, k_min)) / 2;
            double expected =
                elo_expected((double)(a->rating_micro - b->rating_micro) / micro_per_elo);
            double surplus = table->halves[pair] / 2.0 - games * expected;
            int64_t change_micro = llround(kappa * k * surplus * micro_per_elo);

            a->change_micro += change_micro;
            b->change_micro -= change_micro;
        }
        a->change_tenths += (int64_t)table->game_count * (table->player_count - 1) *
                            games_kappa_twentieths(table->player_count) / 2;
    }
}

/*
 * Begins the rating period of a group of games: clears last_change_micro of the group's bots, to
 * which apply_changes adds.
 */
static void forget_last_changes(const struct games_table *table, struct elo_bot *bots)
{
    for (int i = 0; i < table->player_count; i++)
        bots[table->bots[i]].last_change_micro = 0;
}

/*
 * Adds the collected changes to the ratings of a table's bots and clears the changes, so that a bot
 * at two tables of a group changes only once.
 */
static void apply_changes(const struct games_table *table, struct elo_bot *bots)
{
    for (int i = 0; i < table->player_count; i++) {
        struct elo_bot *bot = &bots[table->bots[i]];

        bot->rating_micro += bot->change_micro;
        bot->last_change_micro += bot->change_micro;
        bot->information_tenths += bot->change_tenths;
        bot->change_micro = bot->change_tenths = 0;
    }
}

void elo_rate(const struct games *games, const int *predecessors, double k_min,
              struct elo_bot *bots, elo_group_fn *each_fn, void *context)
{
    const struct games_table *tables = games->tables;

    memset(bots, 0, (size_t)games->bot_count * sizeof *bots);
    for (size_t from = 0, to; from < games->table_count; from = to) {
        for (to = from; to < games->table_count && tables[to].group == tables[from].group; to++)
            start_bots(&tables[to], predecessors, bots);
        for (size_t at = from; at < to; at++)
            forget_last_changes(&tables[at], bots);
        for (size_t at = from; at < to; at++)
            gather_changes(&tables[at], k_min, bots);
        for (size_t at = from; at < to; at++)
            apply_changes(&tables[at], bots);
        if (each_fn)
            each_fn(context, &tables[from], to - from, bots);
    }
    for (int i = 0; i < games->bot_count; i++)
        if (!bots[i].started)
            bots[i].rating_micro = start_micro(bots, predecessors, i);
}

void elo_order(const struct elo_bot *bots, int bot_count, int *order)
{
    /* Insertion sort: lists are short, and ties must keep their order. */
    for (int i = 0; i < bot_count; i++) {
        int at = i;

        for (; at > 0 && bots[order[at - 1]].rating_micro < bots[i].rating_micro; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
