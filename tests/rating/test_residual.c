/* SPDX-License-Identifier: MIT */
/* Residuals: chance explains those of fair games, but not those of an agreement. */
#include <criterion/criterion.h>
#include <stdint.h>

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"

enum {
    BOTS = 8,
    SEASONS = 200,
    GAMES_A_PAIR = 30,
};

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A round robin of bots 60 Elo apart; bot 1 loses thrown_count games to bot 2 on purpose. */
static void play(struct games *games, uint64_t *state, int thrown_count)
{
    int64_t group = 0;

    cr_assert_eq(games_init(games, BOTS), 0);
    for (int game = 0; game < GAMES_A_PAIR; game++)
        for (int a = 0; a < BOTS; a++)
            for (int b = 0; b < a; b++) {
                bool wins = uniform(state) < elo_expected(60.0 * (b - a));
                bool thrown = a == 2 && b == 1 && game < thrown_count;
                struct games_result result = {group++,
                                              2,
                                              {(uint16_t)a, (uint16_t)b},
                                              {wins || thrown ? 1 : 2, wins || thrown ? 2 : 1}};

                cr_assert_eq(games_add(games, &result), 0);
            }
    cr_assert_eq(games_settle(games), 0);
}

static int count_beyond(const struct games *games)
{
    struct fit fit;
    int count = 0;

    cr_assert_eq(fit_init(&fit, games, FIT_PRIOR_ELO), 0);
    for (int a = 0; a < BOTS; a++)
        for (int b = 0; b < a; b++)
            count += residual_of(games, &fit, a, b).evidence > residual_bound(games);
    fit_finish(&fit);
    return count;
}

Test(residual, fair_seasons_seldom_have_one)
{
    uint64_t state = 1;
    int flagged = 0;

    for (int season = 0; season < SEASONS; season++) {
        struct games games;

        play(&games, &state, 0);
        flagged += count_beyond(&games) > 0;
        games_finish(&games);
    }
    cr_expect_leq(flagged, SEASONS / 20, "%d of %d", flagged, SEASONS);
}

Test(residual, thrown_games_are_found)
{
    uint64_t state = 1;

    for (int season = 0; season < SEASONS / 10; season++) {
        struct games games;
        struct residual residual;
        struct fit fit;

        play(&games, &state, GAMES_A_PAIR);
        cr_expect_geq(count_beyond(&games), 1);
        cr_assert_eq(fit_init(&fit, &games, FIT_PRIOR_ELO), 0);
        residual = residual_of(&games, &fit, 2, 1);
        cr_expect_eq(residual.game_count, GAMES_A_PAIR);
        cr_expect_float_eq(residual.score, 1, 1e-12);
        cr_expect_float_eq(residual.expected + residual_of(&games, &fit, 1, 2).expected, 1, 1e-12);
        cr_expect_gt(residual.evidence, residual_bound(&games));
        fit_finish(&fit);
        games_finish(&games);
    }
}

Test(residual, strangers_have_none)
{
    struct games games;
    struct fit fit;

    cr_assert_eq(games_init(&games, 2), 0);
    cr_assert_eq(games_settle(&games), 0);
    cr_assert_eq(fit_init(&fit, &games, FIT_PRIOR_ELO), 0);
    cr_expect_eq(residual_of(&games, &fit, 0, 1).game_count, 0);
    cr_expect_eq(residual_of(&games, &fit, 0, 1).evidence, 0);
    cr_expect_gt(residual_bound(&games), 0, "nobody met, and somebody stands out");
    fit_finish(&fit);
    games_finish(&games);
}
