/* SPDX-License-Identifier: MIT */
#include "sdk/python/choose.h"

#include <assert.h>
#include <math.h>

int choose_item(const logit *logits, const int32_t *indexes, size_t count, bool takes_best,
                uint64_t random, logit *log_chance)
{
    float gathered[CHOOSE_ITEMS_MAX], weights[CHOOSE_ITEMS_MAX], sum = 0, left;
    size_t chosen = 0;

    assert(count >= 1 && count <= CHOOSE_ITEMS_MAX);
    for (size_t i = 0; i < count; i++) {
        gathered[i] = logits[indexes ? (size_t)indexes[i] : i];
        if (!(gathered[i] < INFINITY))
            return -1;
        if (gathered[i] > gathered[chosen])
            chosen = i;
    }
    if (gathered[chosen] == -INFINITY)
        return -1;
    for (size_t i = 0; i < count; i++)
        sum += weights[i] = expf(gathered[i] - gathered[chosen]);
    left = (float)(random >> 40) * 0x1p-24F * sum;
    *log_chance = -logf(sum);
    if (takes_best)
        return (int)chosen;
    /* `chosen`, whose weight is 1, stays chosen if rounding lets the sum of the weights miss. */
    for (size_t i = 0; i < count; i++) {
        if (left < weights[i]) {
            *log_chance += gathered[i] - gathered[chosen];
            return (int)i;
        }
        left -= weights[i];
    }
    return (int)chosen;
}
