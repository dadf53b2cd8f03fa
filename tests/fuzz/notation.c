/* SPDX-License-Identifier: MIT */
/* A line of text parsed as an action and as a position: refused with a reason, or accepted. */
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "engine/notation.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_action(const char *line)
{
    char text[NOTATION_ACTION_BYTES];
    struct action action, again;
    const char *refusal = notation_read_action(&action, line);

    if (refusal) {
        require(*refusal != '\0');
        return;
    }
    require(notation_write_action(action, text) == strlen(text));
    require(notation_read_action(&again, text) == NULL);
    require(memcmp(&again, &action, sizeof action) == 0);
}

/* Whatever position the engine accepts, it can play to the end. */
static void play_on(struct game *game)
{
    static struct action actions[GAME_ACTIONS_MAX];
    uint64_t random = game_hash(game);
    struct action action;
    size_t count = game_legal_actions(game, actions);

    require(count <= GAME_ACTIONS_MAX && (count > 0) == !game_is_over(game));
    if (count > 0) {
        action = game_draw_action(game, random);
        require(action_compare(action, actions[(random >> 32) * count >> 32]) == 0);
    }
    require(game_play_out(game, &random) <= GAME_DECISIONS_MAX);
    require(game_is_over(game));
    for (int seat = 0; seat < game_player_count(game); seat++)
        require(game_score(game, seat) >= GAME_SCORE_MIN);
}

static void read_position(const char *line)
{
    const uint8_t seed[GAME_SEED_BYTES] = {1};
    char text[NOTATION_POSITION_BYTES];
    struct position position, again;
    struct game game;
    const char *refusal = game_from_text(&game, line, seed);

    if (refusal) {
        require(*refusal != '\0');
        return;
    }
    game_view(&game, &position);
    require(notation_write_position(&position, text) == strlen(text));
    require(notation_read_position(&again, text) == NULL);
    require(memcmp(&again, &position, sizeof position) == 0);
    play_on(&game);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *line = malloc(size + 1);

    memcpy(line, bytes, size);
    line[size] = '\0';
    read_action(line);
    read_position(line);
    free(line);
    return 0;
}
