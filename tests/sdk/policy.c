/* SPDX-License-Identifier: MIT */
/* What the SDK tells of a game is what its position shows, and greedy plays as its header says. */
#include <criterion/criterion.h>
#include <string.h>

#include "sdk/policy.h"

static void expect_seen(const struct game *game)
{
    struct position seen;

    game_view(game, &seen);
    for (int seat = 0; seat < seen.player_count; seat++) {
        const struct position_seat *shown = &seen.seats[seat];
        uint64_t filled = 0;

        for (int star = 0; star < GAME_STARS; star++)
            for (int position = 0; position < GAME_SPACES; position++)
                if (shown->stars[star][position] != GAME_EMPTY)
                    filled |= board_space(star, position);
        cr_assert_eq(sdk_filled(game, seat), filled);
        for (int i = 0; i < BOARD_FEATURES; i++) {
            uint64_t lacks = sdk_feature_lacks(game, seat, i);

            cr_assert_eq(lacks & filled, 0);
            cr_assert_eq(lacks | (filled & board_features[i].spaces), board_features[i].spaces);
        }
        for (int color = 0; color < GAME_COLORS; color++)
            cr_assert_eq(sdk_seat_tiles(game, seat, color),
                         shown->hand[color] + shown->corners[color]);
    }
    for (int color = 0; color < GAME_COLORS; color++) {
        cr_assert_eq(sdk_source_tiles(game, GAME_SOURCE_CENTER, color), seen.center[color]);
        for (int i = 0; i <= 2 * seen.player_count; i++)
            cr_assert_eq(sdk_source_tiles(game, i, color), seen.displays[i][color]);
    }
}

/* Greedy's choice, from the list of all actions and what each changes. */
static struct action most_now(void *self, const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX], best = {0};
    size_t count = game_legal_actions(game, actions);
    int seat = game_turn(game), best_points = -1000, most_tiles = 0;

    (void)self;
    for (size_t i = 0; i < count; i++) {
        struct game after = *game;
        struct sdk_gain gain = sdk_gain(game, actions[i]);
        int points = gain.points + 4 * gain.bonus_tiles, tiles = 0;

        cr_assert(game_apply(&after, actions[i]));
        cr_assert_eq(gain.points, game_score(&after, seat) - game_score(game, seat));
        cr_assert_eq(gain.bonus_tiles, game_phase(&after) == PHASE_BONUS ? after.bonus : 0);
        for (int color = 0; color < GAME_COLORS; color++)
            tiles += sdk_seat_tiles(&after, seat, color);
        cr_assert_eq(gain.tiles, tiles);
        if (points > best_points || (points == best_points && tiles > most_tiles)) {
            best = actions[i];
            best_points = points;
            most_tiles = tiles;
        }
    }
    return best;
}

static struct action compared(void *self, const struct game *game)
{
    struct action greedy = sdk_greedy(NULL, game);

    expect_seen(game);
    cr_assert_eq(action_compare(greedy, most_now(self, game)), 0);
    return greedy;
}

Test(policy, greedy_takes_the_most_now)
{
    for (uint8_t i = 0; i < 12; i++) {
        uint8_t seed[GAME_SEED_BYTES] = {i};
        struct game game, again;
        size_t count;

        game_init(&game, 2 + i % 3, i % 2 ? BOARD_GRAY : BOARD_COLORED, seed);
        again = game;
        count = sdk_play_out(&game, compared, NULL);
        cr_expect(game_is_over(&game));
        cr_expect_eq(sdk_play_out(&again, sdk_greedy, NULL), count);
        cr_expect_eq(game_hash(&game), game_hash(&again));
        cr_expect_eq(sdk_play_out(&game, sdk_greedy, NULL), 0, "it is over");
    }
}

static struct action illegal(void *self, const struct game *game)
{
    return ++*(int *)self > 3 ? (struct action){.kind = ACTION_PLACE} : sdk_greedy(NULL, game);
}

Test(policy, an_illegal_action_ends_a_playout)
{
    uint8_t seed[GAME_SEED_BYTES] = {0};
    struct game game;
    int asked = 0;

    game_init(&game, 2, BOARD_COLORED, seed);
    cr_expect_eq(sdk_play_out(&game, illegal, &asked), 3);
    cr_expect_not(game_is_over(&game));
}
