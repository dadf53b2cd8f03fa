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
 * Returns a seat's relative worth: its own worth minus lambda / 256 times the average worth of the
 * other seats. worths has the worth of every seat.
 */
int32_t value_relative(const struct game *game, int seat, int lambda,
                       const int32_t worths[static GAME_PLAYERS_MAX]);

/* Returns the relative worth of a seat after a draft, from each seat's score plus value. */
int32_t value_of_draft(const struct weights_set *set, const struct game *game, int seat,
                       int lambda);

/*
 * A seat after it has placed a tile, taken bonus tiles or passed, but before the engine refills the
 * supply.
 */
struct step {
    struct game_seat seat; /* seat after the action; after a pass, with the tiles on its corners */
    uint64_t supply;       /* tiles left in the supply */
    enum value_kind kind;  /* VALUE_PLACE or VALUE_END */
    int bonus;             /* number of bonus tiles that the seat takes next */
};
struct step step_of(const struct game *game, struct action action);

/*
 * True for a pass that discards tiles although a corner is free: keeping these tiles is never
 * worse.
 */
bool value_is_waste(const struct game *game, struct action action);

/*
 * Returns the worth of an action to the seat to act: for a draft, value_of_draft(); for another
 * action, the score plus value_of() of the seat, both after the action.
 */
int32_t value_of_action(const struct weights_set *set, const struct game *game,
                        struct action action, int lambda);

#endif
