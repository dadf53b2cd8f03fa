/* Quantiles of decision times: by rank, without interpolation. */
#include <criterion/criterion.h>

#include "arena/trial/check.h"

static const struct {
    const char *rule;
    size_t count; /* of 10, 20, 30 ... us */
    int per_mille;
    int64_t us;
} rows[] = {
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

Test(share, every_row)
{
    static struct check check;
    int64_t us[101];

    for (int i = 0; i < 101; i++)
        us[i] = 10 * (i + 1);
    check.us = us;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check.us_count = rows[i].count;
        cr_expect_eq(check_share_us(&check, rows[i].per_mille), rows[i].us, "%s: %d", rows[i].rule,
                     (int)check_share_us(&check, rows[i].per_mille));
    }
}
