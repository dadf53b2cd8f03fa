/* SPDX-License-Identifier: MIT */
/* The parts of checks and reruns that need no bot: manifests, quantiles, clocks, keys, memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/play/match.h"
#include "arena/trial/check.h"
#include "arena/trial/rerun.h"

#define TEN   "1234567890"
#define SIXTY TEN TEN TEN TEN TEN TEN

static const struct {
    const char *rule;
    struct manifest manifest;
    const char *wrong; /* the key that is named, or NULL: all is well */
} manifest_rows[] = {
    {"all there", {.name = "a-b_9", .version = "1", .author = "x", .language = "C"}, NULL},
    {"no language", {.name = "a", .version = "1", .author = "x"}, NULL},
    {"the longest", {.name = TEN TEN TEN "12", .version = SIXTY "1234", .author = "x"}, NULL},
    {"a name too long", {.name = TEN TEN TEN "123", .version = "1", .author = "x"}, "name"},
    {"a name with capitals", {.name = "Bot", .version = "1", .author = "x"}, "name"},
    {"no name", {.version = "1", .author = "x"}, "name"},
    {"no version", {.name = "a", .author = "x"}, "version"},
    {"no author", {.name = "a", .version = "1"}, "author"},
    {"an author with a line end", {.name = "a", .version = "1", .author = "x\n"}, "author"},
    {"a language with an escape",
     {.name = "a", .version = "1", .author = "x", .language = "\x1b[2J"},
     "language"},
    {"any script", {.name = "a", .version = "1", .author = "\xe6\x9d\x8e"}, NULL},
};

Test(check, manifests_are_accepted_by_the_rules_of_a_season)
{
    for (size_t i = 0; i < sizeof manifest_rows / sizeof *manifest_rows; i++) {
        char error[MANIFEST_ERROR_BYTES] = "";
        bool taken = check_manifest(&manifest_rows[i].manifest, error);

        cr_expect_eq(taken, !manifest_rows[i].wrong, "%s: %s", manifest_rows[i].rule, error);
        cr_expect(taken || strstr(error, manifest_rows[i].wrong), "%s: %s", manifest_rows[i].rule,
                  error);
    }
}

static const struct {
    const char *rule;
    size_t count; /* of 10, 20, 30 ... us */
    int per_mille;
    int64_t us;
} share_rows[] = {
    {"none", 0, 990, 0},
    {"one is all", 1, 0, 10},
    {"one is every share", 1, 1000, 10},
    {"the median of an odd number is the one in the middle", 5, 500, 30},
    {"of an even number, the lower one", 4, 500, 20},
    {"the 99th of a hundred", 100, 990, 990},
    {"of ninety-nine, the last", 99, 990, 990},
    {"of a hundred and one, the last but one", 101, 990, 1000},
    {"all of them is the longest", 100, 1000, 1000},
};

Test(check, quantiles_of_times_are_by_rank)
{
    static struct check check;
    int64_t us[101];

    for (int i = 0; i < 101; i++)
        us[i] = 10 * (i + 1);
    check.us = us;
    for (size_t i = 0; i < sizeof share_rows / sizeof *share_rows; i++) {
        check.us_count = share_rows[i].count;
        cr_expect_eq(check_share_us(&check, share_rows[i].per_mille), share_rows[i].us, "%s: %d",
                     share_rows[i].rule, (int)check_share_us(&check, share_rows[i].per_mille));
    }
}

static const struct wire_clock asked = {.turn_ms = 1000, .bank_ms = 10000, .start_ms = 5000};

/* 120 s in all, games of 40 decisions, nine of them. */
static const struct {
    const char *rule;
    int64_t thinking_us, thought_us;
    size_t us_count;
    int whole_count;
    bool shortened;
    int64_t turn_ms;
} clock_rows[] = {
    {"nothing known yet", 120000000, 0, 0, 0, false, 1000},
    {"a quick bot", 120000000, 400000, 40, 1, false, 1000},
    {"just what there is time for", 120000000, 13000000, 40, 1, false, 1000},
    {"0.9 s a decision", 120000000, 36000000, 40, 1, true, 261},
    {"later on", 120000000, 110000000, 320, 8, true, 243},
    {"nothing left", 120000000, 130000000, 320, 8, true, CHECK_TURN_MS_MIN},
    {"no bound", 0, 130000000, 320, 8, false, 1000},
};

Test(check, a_clock_is_shortened_only_if_time_would_run_out)
{
    for (size_t i = 0; i < sizeof clock_rows / sizeof *clock_rows; i++) {
        const struct check check = {.clock = asked,
                                    .thinking_us = clock_rows[i].thinking_us,
                                    .thought_us = clock_rows[i].thought_us,
                                    .us_count = clock_rows[i].us_count,
                                    .whole_count = clock_rows[i].whole_count};
        bool shortened;
        struct wire_clock clock = check_next_clock(&check, &shortened);

        cr_expect_eq(shortened, clock_rows[i].shortened, "%s", clock_rows[i].rule);
        cr_expect_eq(clock.turn_ms, clock_rows[i].turn_ms, "%s: %lld", clock_rows[i].rule,
                     (long long)clock.turn_ms);
        cr_expect_eq(clock.bank_ms, shortened ? 0 : asked.bank_ms, "%s", clock_rows[i].rule);
        cr_expect_eq(clock.start_ms, asked.start_ms, "%s", clock_rows[i].rule);
    }
}

/* Games that ended by a missed deadline, and the bank that each took. */
static const struct {
    const char *rule;
    int late_count, gone_count;
    int64_t bank_ms;
    bool hangs;
} hung_rows[] = {
    {"answers all", 0, 0, 10000, false},
    {"late once", 1, 0, 60000, false},
    {"late twice", 2, 0, 10000, true},
    {"late in each game of a short clock", 9, 0, 0, false},
    {"exits in each game", 1, 8, 10000, false},
};

Test(check, two_long_waits_tell_a_bot_that_hangs)
{
    static struct forfeit late = {.reason = WIRE_TIMEOUT}, gone = {.reason = WIRE_EXIT};

    for (size_t i = 0; i < sizeof hung_rows / sizeof *hung_rows; i++) {
        struct check check = {.clock = asked};

        check.clock.bank_ms = hung_rows[i].bank_ms;
        for (int step = 0; step < hung_rows[i].late_count + hung_rows[i].gone_count; step++)
            check.entries[CHECK_PLACE + step].forfeit =
                step < hung_rows[i].late_count ? &late : &gone;
        cr_expect_eq(check_hangs(&check), hung_rows[i].hangs, "%s", hung_rows[i].rule);
    }
}

/* ---- unknown keys, which change nothing for a reader that ignores them ---- */

static size_t scanned(const uint8_t *bytes, size_t size)
{
    struct wire_scan scan = {0};

    cr_assert_eq(wire_scan(&scan, bytes, size), WIRE_SCAN_COMPLETE, "%s", scan.fault);
    return scan.offset;
}

Test(check, a_message_with_unknown_keys_says_the_same)
{
    const struct match_terms terms = {.id = "season-000123-1",
                                      .player_count = 4,
                                      .board = BOARD_GRAY,
                                      .clock = {1000, 10000, 0, 5000}};
    static uint8_t plain[WIRE_MESSAGE_BYTES_MAX], more[WIRE_MESSAGE_BYTES_MAX];
    static struct wire_hello hello, same_hello;
    static struct wire_turn turn, same_turn;
    static struct action actions[2][GAME_ACTIONS_MAX];
    static struct wire_event events[2][WIRE_EVENTS_MAX];
    static struct match match;
    size_t size, grown;

    match_init(&match, &terms);
    size = match_pack_hello(&match, 2, plain);
    memcpy(more, plain, size);
    grown = check_add_keys(more, size, sizeof more);
    cr_expect_gt(grown, size);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_hello(plain, size, &hello));
    cr_expect_null(wire_unpack_hello(more, grown, &same_hello));
    cr_expect_eq(memcmp(&hello, &same_hello, sizeof hello), 0);
    for (int seat = 0; seat < 4; seat++)
        match_ready(&match, seat, true);
    match_begin(&match);
    size = match_pack_request(&match, 0, NULL, plain);
    memcpy(more, plain, size);
    grown = check_add_keys(more, size, sizeof more);
    cr_expect_eq(scanned(more, grown), grown);
    cr_expect_null(wire_unpack_turn(plain, size, &turn, actions[0], events[0]));
    cr_expect_null(wire_unpack_turn(more, grown, &same_turn, actions[1], events[1]));
    cr_expect_eq(memcmp(&turn.state, &same_turn.state, sizeof turn.state), 0);
    cr_expect_eq(turn.action_count, same_turn.action_count);
    match_finish(&match);
}

Test(check, without_room_for_keys_the_message_stays)
{
    uint8_t bytes[3] = {0x81, 0xa0, 0xc0};

    cr_expect_eq(check_add_keys(bytes, 3, sizeof bytes), 3);
    cr_expect_eq(bytes[0], 0x81);
}

/* ---- the memory of a rerun ---- */

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
