/* SPDX-License-Identifier: MIT */
/* A bot's clock: its text form, and how decisions use it. */
#include "arena/play/match.h"

#include <criterion/criterion.h>

static const struct {
    const char *text;
    struct wire_clock clock; /* turn, bank, gain, start */
} right[] = {
    {"turn=50", {50, 10000, 0, 5000}},
    {"bank=0", {1000, 0, 0, 5000}},
    {"gain=20,start=7", {1000, 10000, 20, 7}},
    {"turn=1,bank=2,gain=3,start=4", {1, 2, 3, 4}},
    {"start=4,gain=3,bank=2,turn=1", {1, 2, 3, 4}},
    {"turn=0", {0, 10000, 0, 5000}}, /* the bank alone */
    {"bank=0,turn=1", {1, 0, 0, 5000}},
    {"turn=007", {7, 10000, 0, 5000}},
    {"turn=86400000,bank=86400000", {86400000, 86400000, 0, 5000}},
};

Test(clock, parses)
{
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct wire_clock clock = CLOCK_DEFAULT;
        const char *fault = clock_parse(right[i].text, &clock);

        cr_expect_null(fault, "%s: %s", right[i].text, fault);
        cr_expect_eq(clock.turn_ms, right[i].clock.turn_ms, "%s", right[i].text);
        cr_expect_eq(clock.bank_ms, right[i].clock.bank_ms, "%s", right[i].text);
        cr_expect_eq(clock.gain_ms, right[i].clock.gain_ms, "%s", right[i].text);
        cr_expect_eq(clock.start_ms, right[i].clock.start_ms, "%s", right[i].text);
    }
}

static const char *const wrong[] = {
    "",
    ",",
    "turn",
    "turn=",
    "=5",
    "turn=5,",
    ",turn=5",
    "turn=5,,bank=5",
    "turn=-1",
    "turn=+1",
    "turn= 1",
    "turn=1 ",
    "turn=1.5",
    "turn=0x10",
    "turn=86400001",
    "turn=99999999999999999999999999",
    "Turn=5",
    "turns=5",
    "tur=5",
    "bonk=5",
    "turn=0,bank=0",
    "bank=0,turn=0",
    "start=0",
    "turn=5;bank=5",
};

Test(clock, refuses_and_keeps_what_it_had)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct wire_clock clock = {11, 12, 13, 14};

        cr_expect_not_null(clock_parse(wrong[i], &clock), "'%s' was taken", wrong[i]);
        cr_expect(clock.turn_ms == 11 && clock.bank_ms == 12 && clock.gain_ms == 13 &&
                      clock.start_ms == 14,
                  "'%s' changed the clock", wrong[i]);
    }
}

/* clang-format off */
static const struct {
    const char *rule;
    struct wire_clock clock;
    int64_t bank_us, used_us, left_us;
} answers[] = {
    {"within turn the bank stays", {100, 500, 0, 1}, 500000, 99999, 500000},
    {"exactly turn", {100, 500, 0, 1}, 500000, 100000, 500000},
    {"one microsecond beyond", {100, 500, 0, 1}, 500000, 100001, 499999},
    {"all of it", {100, 500, 0, 1}, 500000, 600000, 0},
    {"never below nothing", {100, 500, 0, 1}, 500000, 700000, 0},
    {"gain comes after", {100, 500, 30, 1}, 500000, 600000, 30000},
    {"gain comes to a full bank too", {100, 500, 30, 1}, 500000, 5, 530000},
    {"bank only", {0, 500, 0, 1}, 500000, 1, 499999},
    {"bank only, with gain", {0, 500, 10, 1}, 400500, 500, 410000},
    {"no bank", {100, 0, 0, 1}, 0, 50000, 0},
};
/* clang-format on */

Test(clock, spends)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        cr_expect_eq(clock_spend(&answers[i].clock, answers[i].bank_us, answers[i].used_us),
                     answers[i].left_us, "%s", answers[i].rule);
}
