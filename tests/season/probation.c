/* Probation: games in, "x" for a forfeit and "." for a game to the end. */
#include <criterion/criterion.h>

#include "arena/season/schedule.h"

static const struct {
    const char *rule;
    const char *games;
    bool holds;
    int row, count, games_left;
} cases[] = {
    {"nothing played", "", false, 0, 0, 0},
    {"two in a row are no probation", "xx", false, 2, 2, 0},
    {"exactly three in a row are", "xxx", true, 3, 3, 1},
    {"one game to the end lifts a row", "xxx.", false, 0, 3, 0},
    {"four of the last ten are too few", "x.x.x.x...", false, 0, 4, 0},
    {"five of the last ten are half", ".x.x.x.x.x", true, 1, 5, 2},
    {"five of the first five, too", "x.x.x.xx", true, 2, 5, 3},
    {"a forfeit of eleven games ago is forgotten", "x.x.x.x.x..", false, 0, 4, 0},
    {"ten forfeits take six games to the end", "xxxxxxxxxx", true, 10, 10, 6},
    {"twenty take no more", "xxxxxxxxxxxxxxxxxxxx", true, 10, 10, 6},
};

Test(probation, is_three_in_a_row_or_half_of_the_last_ten)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probation probation = {0};

        for (const char *game = cases[i].games; *game; game++)
            probation_add(&probation, *game == 'x');
        cr_expect_eq(probation_holds(&probation), cases[i].holds, "%s", cases[i].rule);
        cr_expect_eq(probation_row(&probation), cases[i].row, "%s", cases[i].rule);
        cr_expect_eq(probation_count(&probation), cases[i].count, "%s", cases[i].rule);
        cr_expect_eq(probation_games_left(&probation), cases[i].games_left, "%s: %d", cases[i].rule,
                     probation_games_left(&probation));
    }
}
