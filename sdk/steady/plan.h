/* SPDX-License-Identifier: MIT */
/*
 * Plans the place phase for one seat: a beam search over the seat's sequences of placements and
 * bonus tiles, each ended by the best pass. Ignores the other seats, because they cannot take this
 * seat's spaces. Pure.
 */
#ifndef SDK_STEADY_PLAN_H
#define SDK_STEADY_PLAN_H

#include "sdk/steady/value.h"

enum {
    PLAN_WIDTH_MAX = 64,
};

struct plan {
    int32_t worth;         /* the seat's score plus value after its pass */
    struct action first;   /* the plan's first action */
    struct game_seat seat; /* the seat after its pass; `tiles` are the tiles that the seat kept */
};

/*
 * Returns the best plan of a seat that has not passed, in the place phase or just before it. The
 * seat first takes `bonus` bonus tiles. With is_depleted, the plan removes bonus tiles from the
 * supply; else the supply stays as it is, as if refilled with similar tiles. width is the number of
 * sequences that the beam search keeps after each action, at most PLAN_WIDTH_MAX.
 */
struct plan plan_make(const struct weights_set *set, const struct game *game, int seat, int bonus,
                      int width, bool is_depleted);

/*
 * Writes the best plans with different final positions, the best first. The first arguments are
 * those of plan_make. Returns the number of plans: 1 to `most`.
 */
int plan_list(const struct weights_set *set, const struct game *game, int seat, int bonus,
              int width, bool is_depleted, struct plan *plans, int most);

/*
 * Plays the rest of the last round `count` times for one seat, which follows its best plans while
 * the other seats do nothing. Each repetition has its own fixed sequence of draws for the supply.
 * Returns the mean of the seat's final scores.
 */
int32_t plan_play(const struct weights_set *set, const struct game *game, int seat, int width,
                  int count);

#endif
