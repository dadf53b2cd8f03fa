/*
 * Plans phase 2 for one seat: a beam search over its own sequences of placements and bonus tiles,
 * each ending with its best pass. Other seats are ignored, because they cannot take its spaces.
 * Pure.
 */
#ifndef BOTS_SEARCH_PLAN_H
#define BOTS_SEARCH_PLAN_H

#include "bots/value/value.h"

enum {
    PLAN_WIDTH_MAX = 64,
};

struct plan {
    int32_t worth;         /* score plus value at the end of the seat's round */
    struct action first;   /* the plan's first action */
    struct game_seat seat; /* after its pass; the tiles it kept are in its hand */
};

/*
 * Plans for a seat that has not passed, in phase 2 or just before it. bonus is the number of bonus
 * tiles to take first. If is_depleted, bonus tiles are removed from the supply; else the supply
 * stays the same, as if it were refilled with similar tiles. width is at most PLAN_WIDTH_MAX.
 */
struct plan plan_make(const struct weights_set *set, const struct game *game, int seat, int bonus,
                      int width, bool is_depleted);

/*
 * The same for the best plans that end differently, the best first. Returns how many there are: at
 * least 1, at most most.
 */
int plan_list(const struct weights_set *set, const struct game *game, int seat, int bonus,
              int width, bool is_depleted, struct plan *plans, int most);

/*
 * Plays the rest of the last round for one seat alone, by plans, with count fixed sequences of
 * draws. Returns the mean of its final scores. What other seats take from the supply is left out.
 */
int32_t plan_play(const struct weights_set *set, const struct game *game, int seat, int width,
                  int count);

#endif
