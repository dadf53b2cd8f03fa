/* SPDX-License-Identifier: MIT */
/* Buckets: within an eighth, packed and unpacked without loss; damage is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/season/latency.h"

Test(latency, a_share_is_within_an_eighth)
{
    for (int64_t us = 0; us < (int64_t)1 << 38; us = us * 9 / 8 + 1) {
        struct latency latency = {.count = 0};

        latency_add(&latency, us);
        latency_add(&latency, 4 * us); /* so that the maximum does not help */
        cr_assert_geq(latency_share_us(&latency, 0.5), us);
        cr_assert_leq(latency_share_us(&latency, 0.5), us + us / 8);
        cr_assert_eq(latency_share_us(&latency, 1), 4 * us);
    }
}

Test(latency, packs_without_loss)
{
    static struct latency latency, again;
    uint8_t bytes[LATENCY_PACKED_MAX];
    size_t size;

    for (int64_t us = 1; us < (int64_t)1 << 45; us = us * 3 / 2 + 1)
        for (int64_t i = 0; i < us % 300; i++)
            latency_add(&latency, us);
    latency_add(&latency, -5);
    size = latency_pack(&latency, bytes);
    cr_assert_leq(size, sizeof bytes);
    cr_assert(latency_unpack_add(&again, bytes, size, latency.sum_us, latency.max_us));
    cr_expect_eq(memcmp(&latency, &again, sizeof latency), 0);
}

static const struct {
    uint8_t bytes[8];
    size_t size;
} damaged[] = {
    {{1}, 1},                   /* half a pair */
    {{1, 0x80}, 2},             /* a number without its end */
    {{0xff, 0xff, 0x7f, 1}, 4}, /* past the last bucket */
    {{1, 1, 0xff, 0x7f, 1}, 5}, /* the same, after a good pair */
    {{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 8},
};

Test(latency, damage_is_refused)
{
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct latency latency = {.count = 0};

        cr_expect_not(latency_unpack_add(&latency, damaged[i].bytes, damaged[i].size, 1, 1),
                      "row %zu", i);
    }
}
