/* SPDX-License-Identifier: MIT */
/*
 * The direct draw. games.c tests that it returns the list's action for the same number; this tests
 * that random numbers select all actions equally often. The seed is fixed, so that the result is
 * always the same.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "engine/notation.h"

enum {
    DRAWS_PER_ACTION = 200
};

static size_t find(const struct action *actions, size_t count, struct action action)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (action_compare(actions[middle], action) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    cr_assert(low < count && action_compare(actions[low], action) == 0, "not in the list");
    return low;
}

/*
 * Chi-square over the legal actions. For n actions it is near n - 1, with a variance of 2 (n - 1);
 * a value four standard deviations above has a probability of about 1 in 20,000.
 */
static void expect_alike(const char *text)
{
    static const uint8_t seed[GAME_SEED_BYTES] = {5};
    struct action actions[GAME_ACTIONS_MAX];
    double drawn[GAME_ACTIONS_MAX] = {0}, chi_square = 0, freedom;
    uint64_t random = 20240229;
    struct game game;
    size_t count;

    cr_assert_null(game_from_text(&game, text, seed), "%s", text);
    count = game_legal_actions(&game, actions);
    for (size_t i = 0; i < count * DRAWS_PER_ACTION; i++)
        drawn[find(actions, count, game_draw_action(&game, draw_next(&random)))]++;
    for (size_t i = 0; i < count; i++)
        chi_square +=
            (drawn[i] - DRAWS_PER_ACTION) * (drawn[i] - DRAWS_PER_ACTION) / DRAWS_PER_ACTION;
    freedom = (double)count - 1;
    cr_expect(chi_square - freedom < 4 * __builtin_sqrt(2 * freedom) + 4, "%s: %f of %f", text,
              chi_square, freedom);
    cr_expect(freedom - chi_square < 4 * __builtin_sqrt(2 * freedom) + 4, "%s: %f of %f", text,
              chi_square, freedom);
}

Test(draws, every_legal_action_alike)
{
    static const char *const positions[] = {
        "token:1 displays:pgoy/p4/r2b2/gy3/- center:pg2r3 | |",
        "displays:p4/-/-/-/-/-/-/-/- | | | |",
        "phase:place supply:g2o2y2b2r2 | hand:p2g3o2y2b3r2 stars:oo..../.rr.../....b./yy..../"
        "gg.g../.pp.../p.g... |",
        "board:gray phase:place supply:g2o2y2b2r2 | hand:p2g3o2y2b3r2 stars:oo..../.ry.../....b./"
        "yyyyyy/gg.g../pgoybr/p.g... |",
        "board:gray phase:place | hand:p6g6o6y6b6r6 |",
        "round:3 phase:place | hand:p22 |",
        "phase:place | |",
        "phase:bonus bonus:1 supply:p2g2o2y2b2 | |",
        "phase:bonus bonus:3 supply:p2g2o2y2b2 | |",
        "phase:bonus bonus:2 supply:p2 | |",
    };

    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        expect_alike(positions[i]);
}
