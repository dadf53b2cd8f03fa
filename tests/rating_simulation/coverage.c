/* SPDX-License-Identifier: MIT */
/*
 * Simulates whether 95 % errors cover the truth, with few games and many, and with similar and
 * different strengths.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/rating/fit.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    BOTS = 12,
    SEASONS = 500,        /* of a cell of the grid */
    SHARED_SEASONS = 200, /* where groups share luck */
    SHARED_GAMES_A_BOT = 240,
};

static const int games_a_bot[] = {10, 30, 60, 120, 240};
static const double spreads_elo[] = {150, 350}; /* standard deviations of the bots' strength */
static const double shares[] = {0.5, 0.9};      /* of a game's luck that its group shares */

static const double covered_least_few = 0.91; /* at 10 games a bot */
static const double covered_least = 0.925;
static const double covered_most = 0.985;

struct coverage {
    long own_count, own_covered;
    long pair_count, pair_covered;
};

/* Random bots play at random tables, in whole groups. */
static void play_season(struct luck *luck, const double *elo, int player_count, int game_count,
                        struct games *games)
{
    int group_count =
        (game_count * BOTS + player_count * player_count / 2) / (player_count * player_count);

    for (int64_t group = 0; group < group_count; group++) {
        struct games_result results[GAMES_PLAYERS_MAX];
        uint16_t bots[BOTS];

        for (int i = 0; i < BOTS; i++)
            bots[i] = (uint16_t)i;
        for (int i = 0; i < player_count; i++) {
            int from = i + luck_below(luck, BOTS - i);
            uint16_t bot = bots[from];
            bots[from] = bots[i];
            bots[i] = bot;
        }
        luck_play_group(luck, elo, group, player_count, bots, results);
        for (int game = 0; game < player_count; game++)
            if (games_add(games, &results[game]) < 0)
                abort();
    }
    if (games_settle(games) < 0)
        abort();
}

static void count_covered(const struct fit *fit, const double *elo, struct coverage *coverage)
{
    double mean = 0;

    for (int i = 0; i < BOTS; i++)
        mean += elo[i] / BOTS;
    for (int i = 0; i < BOTS; i++) {
        double off = fit->bots[i].elo - (elo[i] - mean);

        coverage->own_count++;
        coverage->own_covered += fabs(off) <= FIT_ERROR95 * fit->bots[i].se_elo;
        for (int j = 0; j < i; j++) {
            double apart = fit->bots[i].elo - fit->bots[j].elo - (elo[i] - elo[j]);

            coverage->pair_count++;
            coverage->pair_covered += fabs(apart) <= FIT_ERROR95 * fit_pair_se(fit, i, j);
        }
    }
}

static void rate_season(struct luck *luck, double spread_elo, int player_count, int game_count,
                        struct coverage *coverage)
{
    double elo[BOTS];
    struct games games;
    struct fit fit;

    for (int i = 0; i < BOTS; i++)
        elo[i] = spread_elo * luck_normal(luck);
    if (games_init(&games, BOTS) < 0)
        abort();
    play_season(luck, elo, player_count, game_count, &games);
    if (fit_init(&fit, &games, FIT_PRIOR_ELO) < 0)
        abort();
    count_covered(&fit, elo, coverage);
    fit_finish(&fit);
    games_finish(&games);
}

/* Prints one cell. Returns 1 if it is outside the limits. */
static int simulate_cell(double share, double spread_elo, int player_count, int game_count,
                         int season_count)
{
    struct luck luck = {.state = (uint64_t)player_count * 1000000 + (uint64_t)game_count * 1000 +
                                 (uint64_t)spread_elo + (uint64_t)(share * 1e9),
                        .share = share};
    double least = game_count <= 10 ? covered_least_few : covered_least;
    struct coverage coverage = {0};

    for (int season = 0; season < season_count; season++)
        rate_season(&luck, spread_elo, player_count, game_count, &coverage);
    double own = (double)coverage.own_covered / (double)coverage.own_count;
    double pair = (double)coverage.pair_covered / (double)coverage.pair_count;
    /* Luck that a group shares makes the model too cautious in some cells, which does no harm. */
    double most = share > 0 ? 1 : covered_most;
    int is_wrong = own < least || own > most || pair < least || pair > most;
    printf("%7d  %6.0f  %8d  %6.1f  %9.1f %%  %9.1f %%%s\n", player_count, spread_elo, game_count,
           share, 100 * own, 100 * pair, is_wrong ? "  WRONG" : "");
    return is_wrong;
}

int simulate_coverage(int factor)
{
    int status = 0;

    printf("95 %% errors cover, %d bots, %d seasons a line (%d with shared luck)\n", BOTS,
           SEASONS * factor, SHARED_SEASONS * factor);
    printf("players  spread  games/bot  shared    own errors  of differences\n");
    for (int players = GAMES_PLAYERS_MIN; players <= GAMES_PLAYERS_MAX; players++)
        for (size_t s = 0; s < sizeof spreads_elo / sizeof *spreads_elo; s++)
            for (size_t g = 0; g < sizeof games_a_bot / sizeof *games_a_bot; g++)
                status |=
                    simulate_cell(0, spreads_elo[s], players, games_a_bot[g], SEASONS * factor);
    for (int players = GAMES_PLAYERS_MIN; players <= GAMES_PLAYERS_MAX; players++)
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
            status |= simulate_cell(shares[i], spreads_elo[0], players, SHARED_GAMES_A_BOT,
                                    SHARED_SEASONS * factor);
    return status;
}
