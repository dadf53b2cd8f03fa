/* SPDX-License-Identifier: MIT */
/* What a bot with the SDK can read from a turn, and the note it can leave. One row per case. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sdk/sdk.h"

static struct sdk_turn turn_of(const struct wire_hello *hello, int64_t bank_ms, int64_t passed_ms)
{
    return (struct sdk_turn){
        .hello = hello, .bank_ms = bank_ms, .received_us = sdk_now_us() - passed_ms * 1000};
}

Test(sdk_turn, time_left)
{
    static const struct {
        const char *rule;
        int64_t turn_ms, bank_ms, passed_ms;
        int64_t left_ms; /* at most, and no more than a minute less */
    } rows[] = {
        {"the turn and the bank", 100000, 200000, 0, 300000},
        {"less what has passed", 100000, 200000, 50000, 250000},
        {"the bank alone", 0, 200000, 50000, 150000},
        {"nothing once it has passed", 1000, 2000, 10000, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wire_hello hello = {.clock.turn_ms = rows[i].turn_ms};
        struct sdk_turn turn = turn_of(&hello, rows[i].bank_ms, rows[i].passed_ms);
        int64_t left_us = sdk_time_left_us(&turn);

        cr_expect(left_us <= rows[i].left_ms * 1000, "%s: %lld us", rows[i].rule,
                  (long long)left_us);
        cr_expect(left_us >= (rows[i].left_ms - 60000) * 1000 && left_us >= 0, "%s: %lld us",
                  rows[i].rule, (long long)left_us);
    }
}

Test(sdk_turn, stops_in_time)
{
    static const struct {
        const char *rule;
        int64_t turn_ms, bank_ms;
        int64_t least_us, most_us; /* to search */
    } rows[] = {
        {"a short clock leaves half", 4, 0, 1500, 2000},
        {"a long one nearly all", 1000, 0, 800000, 900000},
        {"the bank lasts for the match", 100, 5000, 150000, 180000},
        {"the bank alone", 0, 10000, 150000, 170000},
        {"no time at all", 0, 0, 0, 0},
        {"a clock of years", INT64_C(1) << 50, INT64_C(1) << 50, 1000000, 1000000000},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wire_hello hello = {.clock.turn_ms = rows[i].turn_ms};
        struct sdk_turn turn = turn_of(&hello, rows[i].bank_ms, 0);
        int64_t think_us = sdk_stop_us(&turn) - turn.received_us;

        cr_expect(rows[i].least_us <= think_us && think_us <= rows[i].most_us, "%s: %lld us",
                  rows[i].rule, (long long)think_us);
    }
}

Test(sdk_turn, notes)
{
    char note[WIRE_TEXT_BYTES_MAX] = "before";
    struct sdk_turn turn = {.note = note};
    char long_text[300];

    sdk_note(&turn, "depth %d", 7);
    cr_expect_str_eq(note, "depth 7");
    sdk_note(&turn, "again");
    cr_expect_str_eq(note, "again", "a second note replaces the first");
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    memcpy(long_text + WIRE_NOTE_BYTES_MAX - 1, "\xc3\xa9", 2);
    sdk_note(&turn, "%s", long_text);
    cr_expect_eq(strlen(note), WIRE_NOTE_BYTES_MAX - 1, "a long one is cut at a character");
}

Test(sdk_turn, version_is_the_projects)
{
    int major, minor, patch;

    cr_expect_eq(sscanf(sdk_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}
