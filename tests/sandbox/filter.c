/* The filters that are computed when the project is built are those that libseccomp makes here. */
#include <criterion/criterion.h>
#include <string.h>

#include "sandbox/filter.h"

Test(filter, each_of_the_table_is_what_would_be_built)
{
    cr_expect_gt(filter_table_count, 0);
    for (size_t i = 0; i < filter_table_count; i++) {
        struct filter taken, built;

        cr_assert_eq(filter_init(&taken, filter_table[i].variant), 0);
        cr_assert_eq(filter_build(&built, filter_table[i].variant), 0);
        cr_assert_eq(taken.length, built.length, "entry %zu", i);
        cr_expect_eq(memcmp(taken.code, built.code, built.length * sizeof *built.code), 0,
                     "entry %zu", i);
        cr_assert_eq(taken.pid_place_count, built.pid_place_count, "entry %zu", i);
        cr_expect_eq(memcmp(taken.pid_places, built.pid_places, sizeof built.pid_places), 0);
        filter_finish(&taken);
        filter_finish(&built);
    }
}
