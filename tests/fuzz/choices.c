/* SPDX-License-Identifier: MIT */
/*
 * Interprets bytes as a setting, a seed and choices: each group of eight is used as an action,
 * which the engine must refuse without any change, or play; then its first two bytes select an
 * action from the list, so that the game continues.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static int compare(const void *a, const void *b)
{
    return action_compare(*(const struct action *)a, *(const struct action *)b);
}

static void check_game(const struct game *game)
{
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    struct position position;
    struct game again;

    game_view(game, &position);
    require(game_from_position(&again, &position, seed) == NULL);
    require(game_hash(&again) == game_hash(game));
}

/* What is legal now. */
static struct action actions[GAME_ACTIONS_MAX];
static size_t count;

static void decide(struct game *game, const uint8_t bytes[static 8])
{
    const struct game before = *game;
    struct action action;
    bool is_listed;

    memcpy(&action, bytes, sizeof action);
    is_listed = bsearch(&action, actions, count, sizeof action, compare);
    require(game_apply(game, action) == is_listed);
    if (is_listed)
        count = game_legal_actions(game, actions);
    else
        require(memcmp(&before, game, sizeof before) == 0);
    if (count > 0)
        require(game_apply(game, actions[(size_t)(bytes[0] | bytes[1] << 8) % count]));
    check_game(game);
    count = game_legal_actions(game, actions);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t seed[GAME_SEED_BYTES] = {0};
    struct game game;

    if (size < 2)
        return 0;
    seed[0] = bytes[1];
    game_init(&game, GAME_PLAYERS_MIN + bytes[0] % 3, (enum board_side)(bytes[0] >> 2 & 1), seed);
    count = game_legal_actions(&game, actions);
    for (size_t i = 2; i + 8 <= size; i += 8) {
        const bool was_over = game_is_over(&game);

        decide(&game, bytes + i);
        if (was_over) /* it refuses every action alike */
            break;
    }
    return 0;
}
