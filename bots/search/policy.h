/* SPDX-License-Identifier: MIT */
/*
 * The choices of the bots greedy and steady as functions of a game, for the bots' programs and for
 * programs that call them directly, such as sdk/python. Pure.
 */
#ifndef BOTS_SEARCH_POLICY_H
#define BOTS_SEARCH_POLICY_H

#include "bots/value/value.h"

/*
 * Returns the action with the most immediate points, counting a bonus tile as 4 points. The game
 * must not be over.
 */
struct action policy_greedy(const struct game *game);

/*
 * Returns the draft after which the seat to act has the highest value, without the other seats'
 * replies; or the first action of a plan for the place phase. *set must be the weights for the
 * game's number of players and board side. Sets *worth to the worth of the action. The game must
 * not be over.
 */
struct action policy_steady(const struct weights_set *set, const struct game *game, int32_t *worth);

#endif
