/* SPDX-License-Identifier: MIT */
/* Memory for jansson's values: the block released last is the next one, and no value notices. */
#include "arena/base/blocks.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

Test(blocks, hand_out_first_what_was_released_last)
{
    json_t *kept = json_string("made before"), *first, *second;
    uintptr_t last;

    blocks_begin();
    first = json_real(1);
    second = json_real(2);
    last = (uintptr_t)second;
    json_decref(first);
    json_decref(second);
    second = json_real(3);
    cr_expect_eq((uintptr_t)second, last);
    json_decref(kept);
    blocks_end();
    cr_expect_eq(json_real_value(second), 3, "a block in use outlives blocks_end");
    json_decref(second);
}

Test(blocks, have_room_for_what_was_asked)
{
    char text[300] = "";

    blocks_begin();
    for (int round = 0; round < 3; round++)
        for (size_t size = 0; size < sizeof text - 1; size++) {
            json_t *value;

            memset(text, 'a' + round, size);
            text[size] = '\0';
            value = json_string(text);
            cr_expect_str_eq(json_string_value(value), text);
            json_decref(value);
        }
    blocks_end();
}
