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
    struct check check = {.us = us,
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
}
