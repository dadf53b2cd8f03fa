/* SPDX-License-Identifier: MIT */
/* Self-play from nothing: a short run plays better than none, a longer one better still. */
#include <criterion/criterion.h>
#include <string.h>

#include "bots/training/training.h"
#include "tests/bots/play.h"

static struct learner learner;
static struct search search;

static void train(struct setting setting, uint8_t seed, uint32_t games, struct weights_set *set)
{
    struct training training = {.player_count = setting.player_count,
                                .side = setting.side,
                                .seed = {seed},
                                .one_ply_percent = 55,
                                .depth = POLICY_DEPTH,
                                .game_count = games,
                                .learner = &learner,
                                .search = &search};

    memset(&learner, 0, sizeof learner);
    memset(&search, 0, sizeof search);
    while (training.played < games)
        training_play(&training);
    *set = learner.set;
}

/* Returns the mean points of one seat in self-play without look-ahead. */
static double mean_points(struct setting setting, const struct weights_set *set)
{
    enum {
        GAMES = 20
    };
    const struct policy policy = {.lambda = POLICY_LAMBDA, .value_percent = 100};
    uint64_t random = 1;
    double points = 0;

    search.set = set;
    for (uint64_t number = 0; number < GAMES; number++) {
        struct game game = deal(setting, 1000 + number);

        while (!game_is_over(&game))
            game_play(&game, policy_choose(&policy, &search, &game, &random));
        for (int seat = 0; seat < game.player_count; seat++)
            points += game_score(&game, seat);
    }
    return points / (GAMES * setting.player_count);
}

/* Nothing learned is to take the points that lie there; that is beaten soon. */
Test(training, a_short_run_improves)
{
    static const struct {
        struct setting setting;
        uint32_t games;
        double points; /* more than without, at least */
    } rows[] = {
        {{2, BOARD_COLORED}, 1200, 6},
        {{2, BOARD_GRAY}, 600, 6},
        {{4, BOARD_COLORED}, 300, 3},
    };
    static struct weights_set nothing, learned;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double before = mean_points(rows[i].setting, &nothing), after;

        train(rows[i].setting, 1, rows[i].games, &learned);
        after = mean_points(rows[i].setting, &learned);
        cr_expect_gt(after, before + rows[i].points, "row %zu: from %.1f to %.1f", i, before,
                     after);
    }
}

Test(training, the_seed_and_the_games_say_all)
{
    static struct weights_set first, second, other;

    train(settings[0], 1, 40, &first);
    train(settings[0], 1, 40, &second);
    train(settings[0], 2, 40, &other);
    cr_assert_eq(memcmp(&first, &second, sizeof first), 0);
    cr_assert_neq(memcmp(&first, &other, sizeof first), 0);
}
