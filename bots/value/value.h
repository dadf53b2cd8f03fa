/*
 * The worth of positions and actions to a seat, computed from learned weights, in units of 1 /
 * VALUE_POINT points. Pure.
 */
#ifndef BOTS_VALUE_VALUE_H
#define BOTS_VALUE_VALUE_H

#include "bots/value/features.h"
#include "engine/game.h"

/* Returns the points that the seat can expect from now on. */
int32_t value_of(const struct weights_set *set, const struct outlook *outlook);

/*
 * Returns a seat's worth relative to the others after a draft: its score plus value, minus lambda /
 * 256 times the average of the others'.
 */
int32_t value_of_draft(const struct weights_set *set, const struct game *game, int seat,
                       int lambda);

/*
 * The state of a seat after placing, taking bonus tiles or passing, while the supply is not
 * refilled.
 */
struct step {
    struct game_seat seat; /* after the action; after a pass, with its corners */
    uint64_t supply;       /* what is left in the supply */
    enum value_kind kind;  /* VALUE_PLACE or VALUE_END */
    int bonus;             /* tiles to take now */
};

struct step step_of(const struct game *game, struct action action);

/* True for a pass that discards tiles that it could keep: never better than one that keeps them. */
bool value_is_waste(const struct game *game, struct action action);

/*
 * Returns the worth of an action to the seat to act: value_of_draft for a draft, else score plus
 * value after the action.
 */
int32_t value_of_action(const struct weights_set *set, const struct game *game,
                        struct action action, int lambda);

#endif
