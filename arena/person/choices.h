/*
 * What a person may choose from: legal actions, which come in ascending order, taken apart step
 * by step (a star, a space, a payment) where there are many, and each in words. Pure; only writes
 * to the stream that it is given.
 */
#ifndef ARENA_PERSON_CHOICES_H
#define ARENA_PERSON_CHOICES_H

#include <stdio.h>

#include "engine/game.h"

enum choices_limits {
    CHOICES_MAX = 16,   /* items at a time, more than any step has */
    CHOICES_DIRECT = 8, /* so many actions are listed one by one, without steps */
};

/* Actions first..first + count - 1 of the list: one item, or what a step has led to. */
struct choices {
    size_t first;
    size_t count;
};

/* What there is to choose from within a part of the list. Returns how many items: one at least. */
size_t choices_split(const struct action *actions, struct choices part,
                     struct choices items[static CHOICES_MAX]);

/*
 * An item in words: "take 2 blue from display 3", or of several actions what they have in common:
 * "place on the green star ...". part is what it was split from, game the position.
 */
void choices_write(FILE *stream, const struct game *game, const struct action *actions,
                   struct choices part, struct choices item);

/* One action in words, as advice: "take 2 blue from display 3". */
void choices_write_action(FILE *stream, const struct game *game, struct action action);

#endif
