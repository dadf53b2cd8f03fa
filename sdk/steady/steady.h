/* SPDX-License-Identifier: MIT */
/*
 * The choice of the bot steady as a function of a game, for the bot's program and for programs that
 * call it directly, such as sdk/python. (That of greedy is sdk_greedy.) Pure.
 */
#ifndef SDK_STEADY_STEADY_H
#define SDK_STEADY_STEADY_H

#include "sdk/steady/value.h"

/*
 * Returns the draft after which the seat to act has the highest value, without the other seats'
 * replies; or the first action of a plan for the place phase. *set must be the weights for the
 * game's number of players and board side. Sets *worth to the worth of the action. The game must
 * not be over.
 */
struct action steady_choose(const struct weights_set *set, const struct game *game, int32_t *worth);

#endif
