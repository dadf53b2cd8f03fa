/* Unknown keys, which change nothing for a reader that ignores them; the memory of a rerun. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/play/match.h"
#include "arena/trial/rerun.h"
#include "arena/trial/solo.h"

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

Test(solo, a_hello_with_unknown_keys_says_the_same)
{
    static uint8_t plain[WIRE_MESSAGE_BYTES_MAX], more[WIRE_MESSAGE_BYTES_MAX];
    static struct match match;
    static struct wire_hello before, after;
    size_t size, grown;

    match_init(&match, &terms);
    size = match_pack_hello(&match, 2, plain);
    memcpy(more, plain, size);
    grown = solo_add_keys(more, size, sizeof more);
    cr_expect_gt(grown, size);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_hello(plain, size, &before));
    cr_expect_null(wire_unpack_hello(more, grown, &after));
    cr_expect_eq(memcmp(&before, &after, sizeof before), 0);
    match_finish(&match);
}

Test(solo, a_turn_with_unknown_keys_says_the_same)
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
    grown = solo_add_keys(more, size, sizeof more);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_turn(plain, size, &before, actions[0], events[0]));
    cr_expect_null(wire_unpack_turn(more, grown, &after, actions[1], events[1]));
    cr_expect_eq(memcmp(&before.state, &after.state, sizeof before.state), 0);
    cr_expect_eq(before.action_count, after.action_count);
    cr_expect_eq(before.bank_ms, after.bank_ms);
    match_finish(&match);
}

Test(solo, without_room_for_keys_the_message_stays)
{
    uint8_t bytes[3] = {0x81, 0xa0, 0xc0};

    cr_expect_eq(solo_add_keys(bytes, 3, sizeof bytes), 3);
    cr_expect_eq(bytes[0], 0x81);
}

/* Replays are untrusted: they do not decide how much memory a bot gets here. */
static const struct {
    const char *rule;
    int64_t recorded, most, given;
} rows[] = {
    {"as then", 100, 768, 100},
    {"never more than the command allows", (int64_t)1 << 40, 768, 768},
    {"all that it allows where the record says nothing", 0, 768, 768},
    {"more where it is asked for", 4096, 8192, 4096},
};

Test(rerun, memory_is_bounded_by_the_command)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct replay replay = {.memory_bytes = rows[i].recorded};
        const struct rerun rerun = {.replay = &replay, .memory_bytes_max = rows[i].most};

        cr_expect_eq(rerun_memory_bytes(&rerun), rows[i].given, "%s", rows[i].rule);
    }
}
