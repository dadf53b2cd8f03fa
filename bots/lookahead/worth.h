/*
 * What a seat's position is worth: its points, and a guess at those to come. Knows
 * nothing of the other seats and draws nothing.
 */
#ifndef BOTS_LOOKAHEAD_WORTH_H
#define BOTS_LOOKAHEAD_WORTH_H

#include "engine/game.h"

enum {
    WORTH_POINT = 1000, /* of worth, for one point */
};

/* The worth of one seat; more is better. */
int worth_of_seat(const struct position *position, int seat);

#endif
