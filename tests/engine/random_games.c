/* SPDX-License-Identifier: MIT */
/*
 * Random games under the sanitizers, with checks after every action: the position can be set up
 * again (no tile is missing, no score is below 1), and an action that is not in the list is refused
 * and changes nothing. tests/naive compares the rules with another implementation.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "engine/notation.h"

enum {
    GAMES_PER_SETTING = 200
};

struct walk {
    struct game game;
    uint64_t random;
};

static void check_invariants(struct walk *walk)
{
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    struct position seen;
    struct game again;
    const char *refusal;

    game_view(&walk->game, &seen);
    refusal = game_from_position(&again, &seen, seed);
    cr_assert_null(refusal, "%s", refusal);
    cr_assert_eq(game_hash(&again), game_hash(&walk->game));
    cr_assert_eq(game_phase(&walk->game), seen.phase);
    cr_assert_eq(game_is_over(&walk->game), seen.phase == PHASE_OVER);
}

static bool is_listed(const struct action *actions, size_t count, struct action action)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&actions[i], &action, sizeof action) == 0)
            return true;
    return false;
}

/* Returns random bytes, or a listed action with one byte changed. */
static struct action spoil_action(struct walk *walk, const struct action *actions, size_t count)
{
    uint64_t bits = draw_next(&walk->random);
    uint8_t bytes[sizeof(struct action)];
    struct action action;

    if (bits & 1 || count == 0) {
        bits = draw_next(&walk->random);
        memcpy(bytes, &bits, sizeof bytes);
    } else {
        memcpy(bytes, &actions[draw_below(bits, (uint32_t)count)], sizeof bytes);
        bytes[bits >> 1 & 7] = (uint8_t)(bytes[bits >> 1 & 7] + (int)(bits >> 4 & 7) - 3);
    }
    memcpy(&action, bytes, sizeof action);
    return action;
}

static void check_refusal(struct walk *walk, const struct action *actions, size_t count)
{
    struct action action = spoil_action(walk, actions, count);
    struct game before = walk->game;

    if (is_listed(actions, count, action))
        return;
    cr_assert(!game_apply(&walk->game, action));
    cr_assert(memcmp(&before, &walk->game, sizeof before) == 0, "an illegal action changed it");
}

static void check_list(const struct walk *walk, const struct action *actions, size_t count,
                       uint64_t number)
{
    struct action drawn = game_draw_action(&walk->game, number);

    cr_assert(count >= 1 && count <= GAME_ACTIONS_MAX);
    for (size_t i = 1; i < count; i++)
        cr_assert_lt(action_compare(actions[i - 1], actions[i]), 0);
    cr_assert_eq(action_compare(drawn, actions[draw_below(number, (uint32_t)count)]), 0);
}

static void play_decision(struct walk *walk, bool eager)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&walk->game, actions);
    uint64_t number = draw_next(&walk->random);
    struct game again = walk->game;
    struct action action;

    check_list(walk, actions, count, number);
    for (int i = 0; i < 3; i++)
        check_refusal(walk, actions, count);
    if (eager && actions[0].kind == ACTION_PLACE)
        while (actions[count - 1].kind == ACTION_PASS)
            count--;
    action = actions[draw_below(number, (uint32_t)count)];
    cr_assert(game_apply(&walk->game, action));
    game_play(&again, action);
    cr_assert(memcmp(&again, &walk->game, sizeof again) == 0, "a legal action played otherwise");
    check_invariants(walk);
}

static void play_games(int player_count)
{
    for (int i = 0; i < 2 * GAMES_PER_SETTING; i++) {
        const enum board_side side = i < GAMES_PER_SETTING ? BOARD_COLORED : BOARD_GRAY;
        struct walk walk = {.random = (uint64_t)i};
        uint8_t seed[GAME_SEED_BYTES] = {(uint8_t)i, (uint8_t)player_count, (uint8_t)side};
        struct action actions[GAME_ACTIONS_MAX];
        int decisions = 0;

        game_init(&walk.game, player_count, side, seed);
        check_invariants(&walk);
        for (; !game_is_over(&walk.game); decisions++)
            play_decision(&walk, i % 2);
        cr_assert_leq(decisions, GAME_DECISIONS_MAX);
        cr_assert_eq(game_turn(&walk.game), GAME_NOBODY);
        cr_assert_eq(game_legal_actions(&walk.game, actions), 0);
        check_refusal(&walk, actions, 0);
    }
}

Test(games, of_two_players)
{
    play_games(2);
}

Test(games, of_three_players)
{
    play_games(3);
}

Test(games, of_four_players)
{
    play_games(4);
}

Test(games, a_reseeded_game_is_one_set_up_from_what_is_seen)
{
    uint8_t seed[GAME_SEED_BYTES] = {1}, other_seed[GAME_SEED_BYTES] = {2};
    struct game game, again;
    struct position seen, seen_again;
    uint64_t random = 1, random_again;

    game_init(&game, 3, BOARD_COLORED, seed);
    for (int i = 0; i < 40; i++)
        game_apply(&game, game_draw_action(&game, draw_next(&random)));
    game_view(&game, &seen);
    game_reseed(&game, other_seed);
    cr_assert_null(game_from_position(&again, &seen, other_seed));
    random_again = random;
    cr_assert_eq(game_play_out(&game, &random), game_play_out(&again, &random_again));
    game_view(&game, &seen);
    game_view(&again, &seen_again);
    cr_assert(memcmp(&seen, &seen_again, sizeof seen) == 0);
}

static int count_kept(struct action pass)
{
    int tiles = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        tiles += pass.number[color];
    return tiles;
}

/*
 * Plays as game_play_out promises, slowly: among all actions except passes, and among passes only
 * if there is nothing else, those that keep the most tiles.
 */
static size_t play_out_slowly(struct game *game, uint64_t *random)
{
    struct action actions[GAME_ACTIONS_MAX], chosen[GAME_ACTIONS_MAX];
    size_t decisions = 0, count;

    for (; (count = game_legal_actions(game, actions)) > 0; decisions++) {
        bool may_pass = actions[0].kind == ACTION_PASS;
        size_t chosen_count = 0;
        int most = 0;

        for (size_t i = 0; may_pass && i < count; i++)
            most = count_kept(actions[i]) > most ? count_kept(actions[i]) : most;
        for (size_t i = 0; i < count; i++)
            if (actions[i].kind != ACTION_PASS || (may_pass && count_kept(actions[i]) == most))
                chosen[chosen_count++] = actions[i];
        cr_assert(game_apply(game, chosen[draw_below(draw_next(random), (uint32_t)chosen_count)]));
    }
    return decisions;
}

Test(games, a_playout_passes_only_when_nothing_can_be_placed_and_keeps_the_most_tiles)
{
    for (int i = 0; i < 6 * GAMES_PER_SETTING; i++) {
        uint8_t seed[GAME_SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8)};
        uint64_t random = (uint64_t)i, random_again = random;
        struct game game, again;

        game_init(&game, 2 + i % 3, i % 2 ? BOARD_GRAY : BOARD_COLORED, seed);
        again = game;
        cr_assert_eq(game_play_out(&game, &random), play_out_slowly(&again, &random_again));
        cr_assert(memcmp(&game, &again, sizeof game) == 0);
        cr_assert_eq(random, random_again);
    }
}

Test(games, another_seed_draws_other_tiles_and_hides_in_no_hash)
{
    uint8_t seed[GAME_SEED_BYTES] = {1}, other_seed[GAME_SEED_BYTES] = {2};
    struct game game, other;
    uint64_t random = 1, other_random = 1;

    game_init(&game, 2, BOARD_COLORED, seed);
    other = game;
    game_reseed(&other, other_seed);
    cr_assert_eq(game_hash(&game), game_hash(&other));
    game_play_out(&game, &random);
    game_play_out(&other, &other_random);
    cr_assert_neq(game_hash(&game), game_hash(&other));
}

/* The maximum in state.h is reached. */
Test(games, the_longest_list_there_is)
{
    uint8_t seed[GAME_SEED_BYTES] = {0};
    struct action actions[GAME_ACTIONS_MAX];
    struct game game;

    cr_assert_null(game_from_text(&game, "board:gray phase:place | hand:p6g6o6y6b6r6 |", seed));
    cr_assert_eq(game_legal_actions(&game, actions), 972);
}
