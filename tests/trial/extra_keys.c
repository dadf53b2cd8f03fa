/* Unknown keys: a reader that ignores them reads the same message. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/trial/extra_keys.h"
#include "arena/play/match.h"

static const struct match_terms terms = {.id = "season-000123-1",
                                         .player_count = 4,
                                         .board = BOARD_GRAY,
                                         .clock = {1000, 10000, 0, 5000}};

static size_t scanned(const uint8_t *bytes, size_t size)
{
    struct wire_scan scan = {0};

    cr_assert_eq(wire_scan(&scan, bytes, size), WIRE_SCAN_COMPLETE, "%s", scan.fault);
    return scan.offset;
}

Test(extra_keys, a_hello_says_the_same)
{
    static uint8_t plain[WIRE_MESSAGE_BYTES_MAX], more[WIRE_MESSAGE_BYTES_MAX];
    static struct match match;
    static struct wire_hello before, after;
    size_t size, grown;

    match_init(&match, &terms);
    size = match_pack_hello(&match, 2, plain);
    memcpy(more, plain, size);
    grown = extra_keys_add(more, size, sizeof more);
    cr_expect_gt(grown, size);
    cr_expect_leq(grown, size + EXTRA_KEYS_BYTES_MAX);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_hello(plain, size, &before));
    cr_expect_null(wire_unpack_hello(more, grown, &after));
    cr_expect_eq(memcmp(&before, &after, sizeof before), 0);
    match_finish(&match);
}

Test(extra_keys, a_turn_says_the_same)
{
    static uint8_t plain[WIRE_MESSAGE_BYTES_MAX], more[WIRE_MESSAGE_BYTES_MAX];
    static struct match match;
    static struct wire_turn before, after;
    static struct action actions[2][GAME_ACTIONS_MAX];
    static struct wire_event events[2][WIRE_EVENTS_MAX];
    size_t size, grown;

    match_init(&match, &terms);
    for (int seat = 0; seat < 4; seat++)
        match_ready(&match, seat, true);
    match_begin(&match);
    size = match_pack_request(&match, 0, plain);
    memcpy(more, plain, size);
    grown = extra_keys_add(more, size, sizeof more);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_turn(plain, size, &before, actions[0], events[0]));
    cr_expect_null(wire_unpack_turn(more, grown, &after, actions[1], events[1]));
    cr_expect_eq(memcmp(&before.state, &after.state, sizeof before.state), 0);
    cr_expect_eq(before.action_count, after.action_count);
    cr_expect_eq(before.bank_ms, after.bank_ms);
    match_finish(&match);
}

Test(extra_keys, without_room_the_message_stays)
{
    uint8_t bytes[3] = {0x81, 0xa0, 0xc0};

    cr_expect_eq(extra_keys_add(bytes, 3, sizeof bytes), 3);
    cr_expect_eq(bytes[0], 0x81);
}
