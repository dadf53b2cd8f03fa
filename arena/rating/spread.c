#include "arena/rating/spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/matrix.h"

struct spread {
    const struct games *games;
    size_t n;
    double *expected;  /* p_ij, n x n */
    double *sum;       /* sum of u u^T over groups, lower triangle of n x n */
    double *surplus;   /* u of the current group, by bot; 0 between groups */
    uint16_t *players; /* the bots in that group */
    bool *seated;      /* whether a bot is in that group, by bot */
};

static void spread_finish(struct spread *spread)
{
    free(spread->expected);
    free(spread->sum);
    free(spread->surplus);
    free(spread->players);
    free(spread->seated);
}

static int spread_init(struct spread *spread, const struct games *games)
{
    size_t n = (size_t)games->bot_count;

    *spread = (struct spread){
        .games = games,
        .n = n,
        .expected = calloc(n * n + 1, sizeof *spread->expected),
        .sum = calloc(n * n + 1, sizeof *spread->sum),
        .surplus = calloc(n + 1, sizeof *spread->surplus),
        .players = calloc(n + 1, sizeof *spread->players),
        .seated = calloc(n + 1, sizeof *spread->seated),
    };
    if (spread->expected && spread->sum && spread->surplus && spread->players && spread->seated)
        return 0;
    spread_finish(spread);
    return -ENOMEM;
}

/*
 * Adds to each bot of a table its points above expectation, weighted with kappa. This function and
 * add_table are compiled per number of players, because there is a table for every group.
 */
static inline __attribute__((always_inline)) void
add_surplus(const struct spread *spread, const struct games_table *table, int player_count,
            double surplus[static GAMES_PLAYERS_MAX])
{
    double kappa = games_kappa_twentieths(player_count) / 20.0;
    double game_count = table->game_count;
    const uint32_t *halves =
        player_count == 2 ? &table->halves : spread->games->halves + table->halves_at;
    int pair = 0;

    for (int i = 0; i < player_count; i++) {
        const double *expected = spread->expected + table->bots[i] * spread->n;

        for (int j = i + 1; j < player_count; j++, pair++) {
            double beyond = kappa * (halves[pair] / 2.0 - game_count * expected[table->bots[j]]);
            surplus[i] += beyond;
            surplus[j] -= beyond;
        }
    }
}

/* Adds u u^T of a group with a single table; nearly all groups are such. For repeat_count identical
   groups of two players, adds that many times as much. */
static inline __attribute__((always_inline)) void
add_table(struct spread *spread, const struct games_table *table, int player_count)
{
    double surplus[GAMES_PLAYERS_MAX] = {0};

    add_surplus(spread, table, player_count, surplus);
    for (int i = 0; i < player_count; i++) {
        double *row = spread->sum + table->bots[i] * spread->n;
        double repeated = surplus[i] * (player_count == 2 ? table->repeat_count : 1);

        for (int j = 0; j <= i; j++) /* bots are ascending: the lower triangle */
            row[table->bots[j]] += repeated * surplus[j];
    }
}

/* Adds u u^T of a group with several tables. */
static void add_group(struct spread *spread, const struct games_table *from,
                      const struct games_table *to)
{
    size_t count = 0;

    for (const struct games_table *table = from; table < to; table++) {
        double surplus[GAMES_PLAYERS_MAX] = {0};

        add_surplus(spread, table, table->player_count, surplus);
        for (int i = 0; i < table->player_count; i++) {
            uint16_t bot = table->bots[i];

            if (!spread->seated[bot])
                spread->players[count++] = bot;
            spread->seated[bot] = true;
            spread->surplus[bot] += surplus[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t a = spread->players[i];

        for (size_t j = 0; j < count; j++)
            if (spread->players[j] <= a)
                spread->sum[a * spread->n + spread->players[j]] +=
                    spread->surplus[a] * spread->surplus[spread->players[j]];
    }
    for (size_t i = 0; i < count; i++) {
        spread->surplus[spread->players[i]] = 0;
        spread->seated[spread->players[i]] = false;
    }
}

int spread_covariance(const struct games *games, const double *theta, const double *inverse,
                      double *covariance)
{
    size_t n = (size_t)games->bot_count;
    const struct games_table *end = games->tables + games->table_count;
    double group_count = (double)games->group_count;
    struct spread spread;

    if (spread_init(&spread, games) < 0)
        return -ENOMEM;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            spread.expected[a * n + b] = 1 / (1 + exp(theta[b] - theta[a]));
    for (const struct games_table *from = games->tables, *to; from < end; from = to) {
        for (to = from + 1; to < end && to->group == from->group;)
            to++;
        if (to > from + 1)
            add_group(&spread, from, to);
        else if (from->player_count == 2)
            add_table(&spread, from, 2);
        else if (from->player_count == 3)
            add_table(&spread, from, 3);
        else
            add_table(&spread, from, 4);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++) {
            spread.sum[a * n + b] *= group_count / (group_count - 1);
            spread.sum[b * n + a] = spread.sum[a * n + b];
        }
    matrix_sandwich(n, inverse, spread.sum, spread.expected, covariance);
    spread_finish(&spread);
    return 0;
}
