/* SPDX-License-Identifier: MIT */
/* Which columns of a table are shown in which width. One row per case. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "arena/report/columns.h"

Test(grid, shows_columns_that_fit)
{
    static const char *const cells[] = {"bot", "first", "2nd", "3rd", "time",
                                        "ant", "100.0", "0.0", "0.0", "12"};
    static const int levels[] = {0, 1, 1, 1, 2};
    static const struct {
        const char *rule;
        int width;
        const char *headings;
    } rows[] = {
        {"all of them", 22, "bot first 2nd 3rd time"},
        {"the lower levels first", 21, "bot first 2nd 3rd"},
        {"the earlier ones of a level first", 15, "bot first 2nd"},
        {"none of a level behind one that does not fit, but a higher level", 8, "bot time"},
        {"level 0 in any width", 4, "bot"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256] = "";
        FILE *stream = fmemopen(text, sizeof text, "w");
        struct grid grid;

        grid_init(&grid, 5);
        for (int column = 0; column < 5; column++)
            grid.columns[column].level = levels[column];
        for (size_t cell = 0; cell < sizeof cells / sizeof *cells; cell++)
            cr_assert_eq(grid_add(&grid, cells[cell]), 0);
        grid_print(&grid, stream, (struct columns_layout){.width = rows[i].width}, 0, NULL);
        fclose(stream);
        text[strcspn(text, "\n")] = '\0';
        cr_expect_str_eq(text, rows[i].headings, "%s: %s", rows[i].rule, text);
        grid_finish(&grid);
    }
}
