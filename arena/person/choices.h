/*
 * A person's choices: the legal actions, in ascending order. If there are many, they are split into
 * steps (a star, a space, a payment). Describes each choice in words. Pure; writes only to the
 * given stream.
 */
#ifndef ARENA_PERSON_CHOICES_H
#define ARENA_PERSON_CHOICES_H

#include <stdio.h>

#include "engine/game.h"

enum choices_limits {
    CHOICES_MAX = 16,   /* items per step; no step has more */
    CHOICES_DIRECT = 8, /* up to this many actions are listed directly, without steps */
};

/* Actions first..first + count - 1 of the list: one item, or the choices left after a step. */
struct choices {
    size_t first;
    size_t count;
};

/* Splits a part of the list into the items of the next step. Returns how many: at least one. */
size_t choices_split(const struct action *actions, struct choices part,
                     struct choices items[static CHOICES_MAX]);

/*
 * Describes an item: "take 2 blue from display 3", or for several actions what they have in common:
 * "place on the green star ...". part is the part that was split, game the position.
 */
void choices_write(FILE *stream, const struct game *game, const struct action *actions,
                   struct choices part, struct choices item);

/* Describes one action as advice: "take 2 blue from display 3". */
void choices_write_action(FILE *stream, const struct game *game, struct action action);

#endif
