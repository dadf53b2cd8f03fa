/* SPDX-License-Identifier: MIT */
/* A policy's step: draws an item of a list by its logit. The package's only floating point. */
#ifndef SDK_PYTHON_CHOOSE_H
#define SDK_PYTHON_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CHOOSE_ITEMS_MAX = 2048
};

typedef float logit; /* also the logarithm of a probability */

/*
 * Draws an item of a list with the probabilities softmax(logits), or takes an item with the highest
 * logit if takes_best is set. The logit of item i is logits[i], or logits[indexes[i]] if `indexes`
 * is not NULL. An item whose logit is minus infinity is never chosen. Writes the natural logarithm
 * of the item's probability to *log_chance. Returns the item, or -1 if a logit is NaN or infinity,
 * or no item can be chosen. `count` is 1 to CHOOSE_ITEMS_MAX.
 */
int choose_item(const logit *logits, const int32_t *indexes, size_t count, bool takes_best,
                uint64_t random, logit *log_chance);

#endif
