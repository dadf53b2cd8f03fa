/* SPDX-License-Identifier: MIT */
/* The built bundled bots play whole matches against a scripted arena. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/game.h"
#include "tests/sdk/piped_bot.h"
#include "tests/sdk/sample.h"

static const char *const bot_names[] = {"random",        "greedy",     "lookahead",
                                        "greedy-python", "random-lua", "greedy-perl"};

enum {
    BOT_COUNT = sizeof bot_names / sizeof *bot_names,
};

/* One table: the arena's side of a match, without time limits. */
struct table {
    struct piped_bot *bots; /* by seat */
    struct game game;
    struct wire_hello hello;
    bool wants_actions[GAME_PLAYERS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX]; /* the whole match */
    size_t event_count;
    size_t told[GAME_PLAYERS_MAX]; /* of them, to each seat */
    size_t piece_bytes;            /* messages go out in pieces of this size */
    uint8_t message[2 * WIRE_MESSAGE_BYTES_MAX];
};

/* Adds a key that no protocol version has to the packed message. Returns its new size. */
static size_t add_unknown_key(uint8_t *message, size_t size)
{
    static const uint8_t pair[] = "\xa7unknown\x93\x81\xa1k\x91\x01\xc0\xcb\x40\x09\x21\xfb\x54";

    cr_assert_eq(message[0] & 0xf0, 0x80);
    message[0]++;
    memcpy(message + size, pair, sizeof pair - 1);
    memset(message + size + sizeof pair - 1, 0, 3); /* the float's last bytes */
    return size + sizeof pair - 1 + 3;
}

static void say_hello(struct table *table, int seat)
{
    struct wire_ready ready;
    const char *fault;
    size_t size;

    table->hello.seat = seat;
    size = wire_pack_hello(table->message, WIRE_MESSAGE_BYTES_MAX, &table->hello);
    size = add_unknown_key(table->message, size);
    piped_bot_write(&table->bots[seat], table->message, size, table->piece_bytes);
    size = piped_bot_read(&table->bots[seat], table->message);
    fault = wire_unpack_ready(table->message, size, &ready);
    cr_assert_null(fault, "%s: %s", table->bots[seat].name, fault);
    cr_assert_str_eq(ready.name, table->bots[seat].name);
    cr_assert_str_eq(ready.version, "1");
    table->wants_actions[seat] = ready.actions;
}

static struct action ask(struct table *table, int seat, int64_t turn_number)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t action_count = game_legal_actions(&table->game, actions);
    struct wire_turn turn = {
        .turn = turn_number,
        .actions = table->wants_actions[seat] ? actions : NULL,
        .action_count = action_count,
        .bank_ms = 10000,
        .events = table->events + table->told[seat],
        .event_count = table->event_count - table->told[seat],
    };
    struct wire_act act;
    const char *fault;
    size_t size;

    game_view(&table->game, &turn.state);
    size = wire_pack_turn(table->message, WIRE_MESSAGE_BYTES_MAX, &turn);
    cr_assert_gt(size, 0);
    size = add_unknown_key(table->message, size);
    table->told[seat] = table->event_count;
    piped_bot_write(&table->bots[seat], table->message, size, table->piece_bytes);
    size = piped_bot_read(&table->bots[seat], table->message);
    fault = wire_unpack_act(table->message, size, &act);
    cr_assert_null(fault, "%s: %s", table->bots[seat].name, fault);
    cr_assert_eq(act.turn, turn_number);
    if (act.kind == WIRE_ACT_INDEX) {
        cr_assert(act.index >= 0 && (size_t)act.index < action_count);
        act.action = actions[act.index];
    } else {
        cr_assert_eq(act.kind, WIRE_ACT_ACTION);
    }
    return act.action;
}

static void say_end(struct table *table, int seat)
{
    struct wire_end end = {.player_count = table->hello.player_count};
    size_t size;

    for (int other = 0; other < end.player_count; other++) {
        end.scores[other] = game_score(&table->game, other);
        end.ranks[other] = game_rank(&table->game, other);
        end.reasons[other] = WIRE_PLAYED;
    }
    game_view(&table->game, &end.state);
    size = wire_pack_end(table->message, WIRE_MESSAGE_BYTES_MAX, &end);
    size = add_unknown_key(table->message, size);
    piped_bot_write(&table->bots[seat], table->message, size, table->piece_bytes);
}

static void play_match(struct table *table, int player_count, enum board_side board, uint8_t number)
{
    uint8_t seed[GAME_SEED_BYTES] = {number};

    table->hello = (struct wire_hello){
        .match = "000000-0",
        .player_count = player_count,
        .board = board,
        .clock = {.turn_ms = 1000, .bank_ms = 10000, .start_ms = 5000},
        .seed = (UINT64_C(1) << 53) - number,
    };
    table->event_count = 0;
    memset(table->told, 0, sizeof table->told);
    game_init(&table->game, player_count, board, seed);
    for (int seat = 0; seat < player_count; seat++)
        say_hello(table, seat);
    for (int64_t turn = 0; !game_is_over(&table->game); turn++) {
        int seat = game_turn(&table->game);
        struct action action = ask(table, seat, turn);

        cr_assert(game_apply(&table->game, action), "%s answered what is not legal",
                  table->bots[seat].name);
        table->events[table->event_count++] = (struct wire_event){seat, action};
    }
    for (int seat = 0; seat < player_count; seat++)
        say_end(table, seat);
}

/* Plays one match of consecutive bots from first_bot on, wrapping around the list. */
static void play_bots(size_t first_bot, int player_count, enum board_side board, size_t piece_bytes)
{
    static struct table table;
    struct piped_bot bots[GAME_PLAYERS_MAX];

    table.bots = bots;
    table.piece_bytes = piece_bytes;
    for (int seat = 0; seat < player_count; seat++)
        piped_bot_start(&bots[seat], bot_names[(first_bot + (size_t)seat) % BOT_COUNT]);
    play_match(&table, player_count, board, (uint8_t)(first_bot + 1));
    for (int seat = 0; seat < player_count; seat++)
        piped_bot_stop(&bots[seat]);
}

Test(bots, play_all_six_settings)
{
    for (int player_count = GAME_PLAYERS_MIN; player_count <= GAME_PLAYERS_MAX; player_count++)
        for (size_t first_bot = 0; first_bot < BOT_COUNT; first_bot += 2) {
            play_bots(first_bot, player_count, BOARD_COLORED, WIRE_MESSAGE_BYTES_MAX);
            play_bots(first_bot, player_count, BOARD_GRAY, WIRE_MESSAGE_BYTES_MAX);
        }
}

Test(bots, read_messages_that_come_in_pieces)
{
    play_bots(0, 4, BOARD_GRAY, 601);
    play_bots(4, 2, BOARD_COLORED, 97);
    play_bots(3, 2, BOARD_COLORED, 97);
}

Test(bots, leave_when_their_input_ends_at_once)
{
    for (size_t i = 0; i < BOT_COUNT; i++) {
        struct piped_bot bot;

        piped_bot_start(&bot, bot_names[i]);
        piped_bot_stop(&bot);
    }
}
