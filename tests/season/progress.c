/* SPDX-License-Identifier: MIT */
/* The progress line, as a table. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/season/player.h"

static const struct {
    struct progress progress;
    size_t columns;
    const char *line;
} lines[] = {
    {{.budget_games = 100}, 200, "0/100 games, 0 forfeits"},
    {{.done_count = 60, .budget_games = 100, .run_count = 20, .run_us = 10000000},
     200,
     "60/100 games, 2.0 a second, 20 s left, 0 forfeits"},
    {{.done_count = 10,
      .budget_games = 10010,
      .run_count = 10,
      .run_us = 5000000,
      .forfeit_count = 1},
     200,
     "10/10010 games, 2.0 a second, 83 min left, 1 forfeit"},
    {{.done_count = 10,
      .budget_games = 100010,
      .run_count = 10,
      .run_us = 5000000,
      .leaders = {2, {"ant", "bee"}, {1700.4, 1650}}},
     200,
     "10/100010 games, 2.0 a second, 13.9 h left, 0 forfeits; ant 1700, bee 1650"},
    {{.done_count = 10,
      .budget_games = 100010,
      .run_count = 10,
      .run_us = 5000000,
      .until_s = 1200},
     200,
     "10/100010 games, 2.0 a second, 20 min left, 0 forfeits"},
    {{.done_count = 60, .budget_games = 100, .run_count = 20, .run_us = 10000000, .ending = true},
     200,
     "60/100 games, ending (press Ctrl-C again to stop at once), 0 forfeits"},
    {{.done_count = 60,
      .budget_games = 100,
      .run_count = 20,
      .run_us = 10000000,
      .is_paused = true},
     200,
     "60/100 games, paused, 0 forfeits"},
    {{.budget_games = 100}, 11, "0/100 games"},
};

Test(progress, lines)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[PROGRESS_LINE_BYTES];

        progress_write(&lines[i].progress, lines[i].columns, line);
        cr_expect_str_eq(line, lines[i].line, "row %zu: %s", i, line);
    }
}

Test(progress, long_names_are_cut)
{
    struct progress progress = {.budget_games = 1, .leaders.count = PROGRESS_LEADERS};
    char line[PROGRESS_LINE_BYTES];

    for (int i = 0; i < PROGRESS_LEADERS; i++)
        memset(progress.leaders.names[i], 'x', STORE_NAME_BYTES_MAX);
    progress_write(&progress, 79, line);
    cr_expect_eq(strlen(line), 79);
    progress_write(&progress, 10000, line);
    cr_expect_gt(strlen(line), 3 * STORE_NAME_BYTES_MAX);
}
