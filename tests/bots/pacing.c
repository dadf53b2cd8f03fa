/* SPDX-License-Identifier: MIT */
/* How long maestro thinks, depending on the clock and on its timings of the machine. */
#include <criterion/criterion.h>

#include "bots/maestro/pacing.h"

Test(pacing, leaves_a_reserve)
{
    static const struct {
        const char *rule;
        struct wire_clock clock;
        int64_t bank_ms;
        struct pacing seen;
        int64_t least_us, most_us;
    } rows[] = {
        {"a second: most of it", {.turn_ms = 1000}, 0, {0}, 700000, 900000},
        {"an hour: most of a quarter of it, and the square fits",
         {.turn_ms = 3600000},
         0,
         {0},
         800000000,
         900000000},
        {"200 ms: half", {.turn_ms = 200}, 0, {0}, 90000, 110000},
        {"200 ms, on a calm machine: more",
         {.turn_ms = 200},
         0,
         {.calm_us = 2000000},
         130000,
         160000},
        {"20 ms: a little", {.turn_ms = 20}, 0, {0}, 200, 1000},
        {"20 ms, on a calm machine: a third", {.turn_ms = 20}, 0, {.calm_us = 100000}, 4000, 9000},
        {"5 ms: a little", {.turn_ms = 5}, 0, {0}, 300, 900},
        {"1 ms: next to nothing", {.turn_ms = 1}, 0, {0}, 0, 100},
        {"a bank is shared out", {.turn_ms = 0}, 10000, {0}, 50000, 200000},
        {"the end of a bank is kept", {.turn_ms = 0}, 15, {0}, 0, 0},
        {"an empty bank", {.turn_ms = 0}, 0, {0}, 0, 0},
        {"the gain may be used, if the bank has it", {.gain_ms = 100}, 500, {0}, 60000, 110000},
        {"a gain is not there before it comes", {.gain_ms = 100}, 0, {0}, 0, 0},
        {"stalls were seen",
         {.turn_ms = 200},
         0,
         {.stall_us = 40000, .calm_us = 2000000},
         50000,
         110000},
        {"half a core",
         {.turn_ms = 200},
         0,
         {.lost_permille = 500, .calm_us = 2000000},
         80000,
         120000},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t think_us = pacing_think_us(&rows[i].seen, &rows[i].clock, rows[i].bank_ms);

        cr_expect(think_us >= rows[i].least_us && think_us <= rows[i].most_us, "%s: %lld us",
                  rows[i].rule, (long long)think_us);
    }
}

Test(pacing, learns_what_it_gets)
{
    struct pacing pacing = {0};

    for (int i = 0; i < 50; i++)
        pacing_learn(&pacing, 100000, 50000, 8000);
    cr_assert(pacing.lost_permille > 400 && pacing.lost_permille <= 500, "%d of 1000 lost",
              pacing.lost_permille);
    cr_assert_eq(pacing.stall_us, 8000);
    for (int i = 0; i < 200; i++)
        pacing_learn(&pacing, 100000, 100000, 30);
    cr_assert(pacing.lost_permille < 50, "%d of 1000 lost", pacing.lost_permille);
    pacing_learn(&pacing, 15000, 500, 14500); /* a plan that waited for the core */
    cr_assert_eq(pacing.stall_us, 14500);
    cr_assert_eq(pacing.calm_us, 0);
    pacing_learn(&pacing, 5000, 5000, 5000); /* a long plan on a calm machine */
    cr_assert_eq(pacing.calm_us, 5000);
    for (int i = 0; i < 200; i++)
        pacing_learn(&pacing, 100000, 100000, 30);
    cr_assert(pacing.stall_us < 200, "stall %lld us", (long long)pacing.stall_us);
}
