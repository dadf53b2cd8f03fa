/* SPDX-License-Identifier: MIT */
/* Simulates whether the test errs as rarely as promised, and what its groups save. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/rating/elo.h"
#include "arena/rating/sprt.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    TESTS = 2000,
};

static const double elo0 = 0;
static const double elo1 = 20;
static const double error = 0.05;
static const double luck_share = 0.5;
static const double error_least = 0.04;
static const double error_most = 0.06;
static const double saving_least = 1.5;

/* The result of many tests at one true difference. */
struct outcome {
    int accepted_count;
    int early_count; /* verdicts before the least number of groups */
    double game_count;
};

/* Plays the two games of a pair. Returns what bot 0 takes of each. */
static void play_pair(struct luck *luck, double difference_elo, bool won[static 2])
{
    const double elo[2] = {difference_elo, 0};
    const uint16_t base[2] = {0, 1};
    struct games_result results[GAMES_PLAYERS_MAX];

    luck_play_group(luck, elo, 0, 2, base, results);
    won[0] = results[0].ranks[0] == 1;
    won[1] = results[1].ranks[1] == 1;
}

static struct outcome test_pairs(double difference_elo, int test_count)
{
    struct luck luck = {.state = 31 + (uint64_t)difference_elo, .share = luck_share};
    struct outcome outcome = {0};

    for (int test = 0; test < test_count; test++) {
        struct sprt sprt;
        struct sprt_state state = {.verdict = SPRT_OPEN};

        if (sprt_init(&sprt, elo0, elo1, error, error) < 0)
            abort();
        while (state.verdict == SPRT_OPEN) {
            bool won[2];

            play_pair(&luck, difference_elo, won);
            sprt_add(&sprt, 2 * (won[0] + won[1]));
            state = sprt_evaluate(&sprt);
        }
        outcome.accepted_count += state.verdict == SPRT_ACCEPTED;
        outcome.early_count += state.group_count < SPRT_GROUPS_MIN;
        outcome.game_count += 2 * (double)state.group_count;
    }
    return outcome;
}

/*
 * The same test, but with each game counted as if it were independent; share is the part of the
 * luck that the two games of a seed really share.
 */
static struct outcome test_games(double difference_elo, double share, int test_count)
{
    struct luck luck = {.state = 57 + (uint64_t)difference_elo, .share = share};
    double gain = log(elo_expected(elo1) / elo_expected(elo0));
    double loss = log(elo_expected(-elo1) / elo_expected(-elo0));
    double bound = log((1 - error) / error);
    struct outcome outcome = {0};

    for (int test = 0; test < test_count; test++) {
        double llr = 0;
        bool won[2];

        for (int games = 0; fabs(llr) < bound || games < 2 * SPRT_GROUPS_MIN; games++) {
            if (games % 2 == 0)
                play_pair(&luck, difference_elo, won);
            llr += won[games % 2] ? gain : loss;
            outcome.game_count++;
        }
        outcome.accepted_count += llr > 0;
    }
    return outcome;
}

/* Returns the mean number of games of a test, over both hypotheses. */
static double mean_games(double share, int test_count)
{
    return (test_games(elo0, share, test_count).game_count +
            test_games(elo1, share, test_count).game_count) /
           (2.0 * test_count);
}

int simulate_sprt(int factor)
{
    int test_count = TESTS * factor;
    struct outcome same = test_pairs(elo0, test_count);
    struct outcome better = test_pairs(elo1, test_count);
    double alpha = (double)same.accepted_count / test_count;
    double beta = 1 - (double)better.accepted_count / test_count;
    double grouped = (same.game_count + better.game_count) / (2.0 * test_count);
    double ungrouped = mean_games(luck_share, test_count);

    printf("%d tests of %g against %g Elo, luck share %.2f:\n", test_count, elo0, elo1, luck_share);
    printf("  accepted though no better %.2f %%, rejected though better %.2f %%\n", 100 * alpha,
           100 * beta);
    printf("  verdicts before %d groups: %d\n", SPRT_GROUPS_MIN,
           same.early_count + better.early_count);
    printf("  games: %.0f in groups, the same one by one %.0f: %.2f times fewer\n", grouped,
           ungrouped, ungrouped / grouped);
    printf("  games of a seed each, one by one: %.0f\n", mean_games(0, test_count));
    return alpha >= error_least && alpha <= error_most && beta >= error_least &&
                   beta <= error_most && same.early_count + better.early_count == 0 &&
                   ungrouped >= saving_least * grouped
               ? 0
               : 1;
}
