/*
 * What positions and actions are worth to a seat, by learned weights: in units of
 * 1 / VALUE_POINT points. Pure.
 */
#ifndef BOTS_VALUE_VALUE_H
#define BOTS_VALUE_VALUE_H

#include "bots/value/features.h"
#include "engine/game.h"

/* The points that a seat can expect to get from here on. */
int32_t value_of(const struct weights_set *set, const struct outlook *outlook);

/*
 * How a seat stands after a draft against the others: its score and value less those of the
 * others on average, times lambda / 256.
 */
int32_t value_of_draft(const struct weights_set *set, const struct game *game, int seat,
                       int lambda);

/* What placing, taking bonus tiles or passing makes of a seat, while the supply stays as it is. */
struct step {
    struct game_seat seat; /* afterwards; after a pass its corners */
    uint64_t supply;       /* what it leaves there */
    enum value_kind kind;  /* VALUE_PLACE or VALUE_END */
    int bonus;             /* tiles to be taken now */
};

struct step step_of(const struct game *game, struct action action);

/* True for a pass that throws away what it could keep: never better than one that does not. */
bool value_is_waste(const struct game *game, struct action action);

/* What an action of the seat to act is worth: value_of_draft for a draft, else score and value
 * after it. */
int32_t value_of_action(const struct weights_set *set, const struct game *game,
                        struct action action, int lambda);

#endif
