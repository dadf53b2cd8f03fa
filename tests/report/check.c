/* SPDX-License-Identifier: MIT */
/* The figures below the steps of a check, from known times. */
#include "arena/report/check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static void expect_figures(const struct check *check, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    report_check_figures(stream, check);
    fclose(stream);
    cr_expect_str_eq(text, wanted);
    free(text);
}

Test(check, figures)
{
    static int64_t us[] = {7, 1990, 12345678};
    struct check check = {.clock = CLOCK_DEFAULT,
                          .us = us,
                          .us_count = sizeof us / sizeof *us,
                          .memory_peak_bytes = 3 << 19,
                          .errors_bytes = 1001,
                          .seed = {0x0f, 0xf0}};

    expect_figures(
        &check, "time to answer: median 1.99 ms, p99 12345.67 ms, max 12345.67 ms (3 decisions)\n"
                "memory: at most 1.5 MiB\n"
                "standard error: 1001 bytes\n"
                "to repeat these games: --seed 0ff00000000000000000000000000000\n");
    check.shortened_turn_ms = 250;
    check.thinking_us = 120000000;
    check.thought_us = 119999999;
    check.us_count = 0;
    expect_figures(&check, "clock: shortened by the check, finally to 250 ms a turn: the bot may "
                           "think 120 s in all, and "
                           "thought 119 s\n"
                           "to repeat these games: --seed 0ff00000000000000000000000000000\n");
    check.shortened_turn_ms = 0;
    check.clock.gain_ms = 20;
    expect_figures(&check, "to repeat these games: --seed 0ff00000000000000000000000000000 "
                           "--clock turn=1000,bank=10000,gain=20,start=5000\n");
}

/* Returns the number of steps that were printed, and checks what was. */
static void expect_step(const struct check *check, enum check_step step, int count,
                        const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    cr_expect_eq(report_check_step(stream, check, step, NULL), count, "step %d", step + 1);
    fclose(stream);
    cr_expect_str_eq(text, wanted, "%s", text);
    free(text);
}

Test(check, steps_of_which_the_same_is_said_have_one_line)
{
    static struct forfeit forfeit = {.reason = WIRE_EXIT, .words = "the bot exited"};
    struct check check = {.name = "ant"};

    for (int step = CHECK_SETTINGS; step < CHECK_UNKNOWN_KEYS; step++)
        check.entries[step].forfeit = &forfeit;
    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        struct check_entry *entry = &check.entries[step];

        entry->result = step < CHECK_SETTINGS ? CHECK_PASSED
                        : entry->forfeit      ? CHECK_FAILED
                                              : CHECK_SKIPPED;
        snprintf(entry->words, sizeof entry->words, "%s",
                 entry->forfeit               ? "exit: the bot exited"
                 : step >= CHECK_SELF_PLAY    ? "left out"
                 : step >= CHECK_UNKNOWN_KEYS ? "the bot never ends"
                                              : "");
    }
    expect_step(&check, CHECK_START, 1, "  3  start                  pass\n");
    expect_step(&check, (enum check_step)(CHECK_SETTINGS + 1), 5,
                " 10  to 14: 5 steps         FAIL  as in step 9\n");
    expect_step(&check, CHECK_UNKNOWN_KEYS, 3,
                " 15  to 17: 3 steps         -  the bot never ends\n");
    expect_step(&check, CHECK_SELF_PLAY, 1, " 18  a game against itself  -  left out\n");
}
