/* SPDX-License-Identifier: MIT */
/* Arrays that grow: nothing written is lost, however an array's count goes up and down. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "arena/base/array.h"

static void expect_numbers(const int *numbers, int count)
{
    for (int i = 0; i < count; i++)
        cr_assert_eq(numbers[i], i, "number %d of %d is %d", i, count, numbers[i]);
}

Test(array, keeps_what_was_added)
{
    int *numbers = NULL, count = 0;

    for (int i = 0; i < 1000; i++)
        cr_assert_eq(array_add(&numbers, &count, &i, sizeof i), 0);
    cr_expect_eq(count, 1000);
    expect_numbers(numbers, count);
    free(numbers);
}

/* Under the address sanitizer, a room that is too small ends the test. */
Test(array, has_the_room_that_was_asked_for)
{
    static const size_t steps[] = {0, 1, 6, 1, 1, 0, 7, 100, 1, 11, 129, 1};
    char *bytes = NULL;
    size_t count = 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cr_assert_eq(ARRAY_GROW(bytes, count, steps[i]), 0);
        for (size_t end = count + steps[i]; count < end; count++)
            bytes[count] = 'x';
    }
    count = 9; /* the caller forgot the last elements */
    cr_assert_eq(ARRAY_GROW(bytes, count, 8), 0);
    bytes[16] = 'x';
    free(bytes);
}
