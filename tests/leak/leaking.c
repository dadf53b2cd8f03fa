/* SPDX-License-Identifier: MIT */
/* Leaks memory on purpose, and passes: only the exit status of the whole run can reveal it. */
#include <criterion/criterion.h>
#include <stdlib.h>

Test(leaking, passes)
{
    char *volatile lost = malloc(16);

    cr_assert_not_null(lost);
    lost = NULL;
}
