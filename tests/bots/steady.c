/* SPDX-License-Identifier: MIT */
/* What the SDK shows of steady: the policy plays as the bot, and drafts by the values that it
 * tells. */
#include <criterion/criterion.h>
#include <string.h>

#include "sdk/policy.h"
#include "sdk/steady/steady.h"
#include "sdk/steady/tables.h"

static struct sdk_weights weights;
static struct weights_set set;

static int64_t lead(const struct game *game, int seat)
{
    int64_t others = 0;

    for (int i = 0; i < game_player_count(game); i++)
        others += i == seat ? 0 : sdk_value(&weights, game, i);
    return sdk_value(&weights, game, seat) - others / (game_player_count(game) - 1);
}

/* Of a draft that others follow, no other leads to a larger lead; a unit is lost by division. */
static void expect_best_draft(const struct game *game, struct action chosen)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    struct game after = *game;
    int64_t best;

    game_play(&after, chosen);
    if (game_phase(&after) != PHASE_DRAFT)
        return;
    best = lead(&after, game_turn(game));
    for (size_t i = 0; i < count; i++) {
        after = *game;
        game_play(&after, actions[i]);
        cr_assert_leq(lead(&after, game_turn(game)), best + 1);
    }
}

static void play_game(int player_count, enum board_side side, uint8_t number)
{
    uint8_t seed[GAME_SEED_BYTES] = {number};
    struct game game;

    game_init(&game, player_count, side, seed);
    sdk_weights_load(&weights, player_count, side);
    tables_load(player_count, side, &set);
    while (!game_is_over(&game)) {
        int seat = game_turn(&game);
        struct action action = sdk_steady(&weights, &game), own;
        int32_t worth;

        own = steady_choose(&set, &game, &worth);
        cr_assert_eq(memcmp(&action, &own, sizeof own), 0);
        if (game_phase(&game) == PHASE_DRAFT)
            expect_best_draft(&game, action);
        else
            cr_assert_eq(sdk_value(&weights, &game, seat), worth);
        cr_assert(game_apply(&game, action));
    }
    for (int seat = 0; seat < player_count; seat++)
        cr_assert_eq(sdk_value(&weights, &game, seat), SDK_POINT * game_score(&game, seat));
}

Test(steady, policy_of_the_sdk)
{
    for (int player_count = GAME_PLAYERS_MIN; player_count <= GAME_PLAYERS_MAX; player_count++)
        for (uint8_t number = 0; number < 2; number++) {
            play_game(player_count, BOARD_COLORED, number);
            play_game(player_count, BOARD_GRAY, number);
        }
}

/* Round 6, a seat has passed: what it expects is what it gets. */
Test(steady, value_of_a_seat_that_has_passed_in_the_last_round)
{
    uint8_t seed[GAME_SEED_BYTES] = {7};
    int32_t values[GAME_PLAYERS_MAX] = {0};
    struct game game;

    game_init(&game, 2, BOARD_COLORED, seed);
    sdk_weights_load(&weights, 2, BOARD_COLORED);
    while (!game_is_over(&game)) {
        cr_assert(game_apply(&game, sdk_steady(&weights, &game)));
        for (int seat = 0; seat < 2; seat++)
            if (game.round == GAME_ROUNDS && game.passed >> seat & 1)
                values[seat] = sdk_value(&weights, &game, seat);
    }
    cr_assert_eq(values[0], SDK_POINT * game_score(&game, 0));
    cr_assert_eq(values[1], SDK_POINT * game_score(&game, 1));
}
