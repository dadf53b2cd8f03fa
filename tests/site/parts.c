/* File names: each pair of bots has a different one, whatever dashes their names contain. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/parts.h"

static const char *const names[] = {"a", "a-b", "b", "b-c", "c", "a-b-c", "-", "a-"};

enum {
    NAMES = sizeof names / sizeof *names,
};

Test(parts, pairs)
{
    static struct roster_member members[NAMES];
    struct season_data data = {.standings.roster = {.members = members, .count = NAMES}};
    char paths[NAMES * NAMES][PARTS_PATH_BYTES], reversed[PARTS_PATH_BYTES];
    int count = 0;

    for (int i = 0; i < NAMES; i++)
        snprintf(members[i].bot.name, sizeof members[i].bot.name, "%s", names[i]);
    parts_pair_path(&data, 0, 2, reversed);
    cr_expect_str_eq(reversed, "pair/a-b.html");
    for (int a = 0; a < NAMES; a++)
        for (int b = a + 1; b < NAMES; b++) {
            parts_pair_path(&data, a, b, paths[count]);
            parts_pair_path(&data, b, a, reversed);
            cr_expect_str_eq(paths[count], reversed, "%s and %s", names[a], names[b]);
            for (int other = 0; other < count; other++)
                cr_expect_str_neq(paths[count], paths[other], "%s and %s", names[a], names[b]);
            count++;
        }
    cr_expect_eq(count, NAMES * (NAMES - 1) / 2);
}
