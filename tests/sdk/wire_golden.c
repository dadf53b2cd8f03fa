/* SPDX-License-Identifier: MIT */
/*
 * The bytes of one message of each type, unchanged since version 1 of the wire:
 * tests/golden/wire.hex has a name and the bytes per line. They were checked once with another
 * implementation of MessagePack, and are the examples of docs/protocol.md.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/game.h"
#include "sdk/wire.h"

static const uint8_t seed[GAME_SEED_BYTES] = {0x05, 0x24, 0x43, 0x62, 0x81, 0xa0, 0xbf, 0xde,
                                              0xfd, 0x1c, 0x3b, 0x5a, 0x79, 0x98, 0xb7, 0xd6};

static const struct action first_draft = {ACTION_DRAFT, {4, 1}};

static uint8_t buffer[WIRE_MESSAGE_BYTES_MAX];

/* Sets up the game after its first draft. */
static void set_up_game(struct game *game)
{
    game_init(game, 2, BOARD_COLORED, seed);
    cr_assert(game_apply(game, first_draft));
}

static size_t pack_hello(void)
{
    static const struct wire_hello hello = {
        .match = "000000-0",
        .seat = 1,
        .player_count = 2,
        .board = BOARD_COLORED,
        .names = {"random", "greedy"},
        .clock = {.turn_ms = 1000, .bank_ms = 10000, .gain_ms = 0, .start_ms = 5000},
        .seed = UINT64_C(6755399441055744),
    };

    return wire_pack_hello(buffer, sizeof buffer, &hello);
}

static size_t pack_ready(void)
{
    static const struct wire_ready ready = {.name = "greedy", .version = "1", .actions = false};

    return wire_pack_ready(buffer, sizeof buffer, &ready);
}

static size_t pack_turn(void)
{
    static struct action actions[GAME_ACTIONS_MAX];
    const struct wire_event event = {.seat = 0, .action = first_draft};
    struct wire_turn turn = {
        .turn = 1,
        .actions = actions,
        .bank_ms = 10000,
        .events = &event,
        .event_count = 1,
    };
    struct game game;

    set_up_game(&game);
    game_view(&game, &turn.state);
    turn.action_count = game_legal_actions(&game, actions);
    return wire_pack_turn(buffer, sizeof buffer, &turn);
}

static size_t pack_act_index(void)
{
    static const struct wire_act act = {
        .turn = 1,
        .kind = WIRE_ACT_INDEX,
        .index = 2,
        .note = "the last red one",
        .note_bytes = 16,
        .has_note = true,
    };

    return wire_pack_act(buffer, sizeof buffer, &act);
}

static size_t pack_act_action(void)
{
    static const struct wire_act act = {
        .turn = 1,
        .kind = WIRE_ACT_ACTION,
        .action = {ACTION_DRAFT, {-1, 2}},
    };

    return wire_pack_act(buffer, sizeof buffer, &act);
}

static size_t pack_end(void)
{
    struct wire_end end = {
        .player_count = 2,
        .scores = {5, 5},
        .ranks = {1, 2},
        .reasons = {WIRE_PLAYED, WIRE_TIMEOUT},
    };
    struct game game;

    set_up_game(&game);
    game_view(&game, &end.state);
    return wire_pack_end(buffer, sizeof buffer, &end);
}

static const struct {
    const char *name;
    size_t (*pack_fn)(void);
} messages[] = {
    {"hello", pack_hello},         {"ready", pack_ready},           {"turn", pack_turn},
    {"act-index", pack_act_index}, {"act-action", pack_act_action}, {"end", pack_end},
};

static void write_line(char *line, const char *name, size_t size)
{
    line += sprintf(line, "%s ", name);
    for (size_t i = 0; i < size; i++)
        line += sprintf(line, "%02x", buffer[i]);
    strcpy(line, "\n");
}

Test(wire_golden, each_message_is_the_same_bytes_as_ever)
{
    static char line[4096], golden[4096];
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/golden/wire.hex", "r");

    cr_assert_not_null(file);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        write_line(line, messages[i].name, messages[i].pack_fn());
        cr_assert_not_null(fgets(golden, sizeof golden, file));
        cr_expect_str_eq(line, golden);
    }
    cr_expect_null(fgets(golden, sizeof golden, file));
    fclose(file);
}
