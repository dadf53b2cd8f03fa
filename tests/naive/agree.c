/* SPDX-License-Identifier: MIT */
/*
 * The engine and the naive rules play the same random games side by side: at each
 * decision the same legal actions in the same order, the same verdict on an action of
 * random bytes, the same state; at the end the same scores and ranks. Half of the games
 * draw from all actions alike, which mostly passes early; the other half places while it
 * can, which fills the boards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "tests/naive/naive.h"

struct pair {
    struct game game;
    struct naive_game naive;
    uint64_t random;
    bool eager; /* places while it can */
};

static bool same_state(const struct pair *pair)
{
    struct position seen;

    game_view(&pair->game, &seen);
    return memcmp(&seen, &pair->naive.table, sizeof seen) == 0;
}

static struct action choose(struct pair *pair, const struct action *actions, size_t count)
{
    if (pair->eager && actions[0].kind == ACTION_PLACE)
        while (actions[count - 1].kind == ACTION_PASS)
            count--;
    return actions[draw_below(draw_next(&pair->random), (uint32_t)count)];
}

/* Returns an action of random bytes, sometimes a legal one. */
static struct action invent(struct pair *pair)
{
    uint64_t bits = draw_next(&pair->random);
    struct action action = {0};

    action.kind = bits & 3;
    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        action.number[i] = (int8_t)((int)(bits >> (8 + 4 * i) & 0xf) % (i < 4 ? 8 : 2) - 1);
    if (bits >> 60 == 0)
        action.number[bits >> 56 & 3] = (int8_t)(bits >> 40);
    return action;
}

static bool is_listed(struct action action, const struct action *actions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&actions[i], &action, sizeof action) == 0)
            return true;
    return false;
}

/* Returns what differs, or NULL. */
static const char *play_decision(struct pair *pair)
{
    struct action actions[GAME_ACTIONS_MAX], naive_actions[GAME_ACTIONS_MAX];
    struct action action = invent(pair);
    size_t count = game_legal_actions(&pair->game, actions);

    if (naive_legal_actions(&pair->naive, naive_actions) != count)
        return "the number of legal actions";
    if (memcmp(actions, naive_actions, count * sizeof *actions) != 0)
        return "the legal actions";
    if (!is_listed(action, actions, count)) {
        if (game_apply(&pair->game, action))
            return "whether an invented action is legal";
        if (!same_state(pair))
            return "the state after an invented action";
        action = choose(pair, actions, count);
    }
    if (!game_apply(&pair->game, action))
        return "whether a listed action is legal";
    naive_play(&pair->naive, action);
    return same_state(pair) ? NULL : "the state after an action";
}

static const char *play_game(struct pair *pair, int player_count, enum board_side side)
{
    uint64_t words[2] = {draw_next(&pair->random), draw_next(&pair->random)};
    uint8_t seed[GAME_SEED_BYTES];
    const char *difference = NULL;

    memcpy(seed, words, sizeof seed);
    game_init(&pair->game, player_count, side, seed);
    naive_init(&pair->naive, player_count, side, seed);
    if (!same_state(pair))
        return "the first state";
    while (!difference && !game_is_over(&pair->game))
        difference = play_decision(pair);
    if (difference)
        return difference;
    if (pair->naive.table.phase != PHASE_OVER)
        return "when the game is over";
    for (int seat = 0; seat < player_count; seat++)
        if (game_rank(&pair->game, seat) != naive_rank(&pair->naive, seat) ||
            game_score(&pair->game, seat) != pair->naive.table.seats[seat].score)
            return "the result";
    return NULL;
}

int main(int argc, char **argv)
{
    long games = argc > 1 ? atol(argv[1]) : 10000;
    int played = 0;

    for (int setting = 0; setting < 6; setting++)
        for (long i = 0; i < games; i++) {
            struct pair pair = {.random = (uint64_t)(setting * games + i), .eager = i % 2};
            const char *difference =
                play_game(&pair, 2 + setting / 2, setting % 2 ? BOARD_GRAY : BOARD_COLORED);

            if (difference) {
                fprintf(stderr, "setting %d, game %ld: %s differs\n", setting, i, difference);
                return 1;
            }
            played++;
        }
    printf("%d games agree\n", played);
    return played > 0 ? 0 : 1;
}
