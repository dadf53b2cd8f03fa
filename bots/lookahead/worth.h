/*
 * Estimates the worth of a seat's position: its points, plus a guess of those to come. Uses no
 * other seats' data and no random numbers.
 */
#ifndef BOTS_LOOKAHEAD_WORTH_H
#define BOTS_LOOKAHEAD_WORTH_H

#include "engine/game.h"

enum {
    WORTH_POINT = 1000, /* units of worth per point */
};

/* Returns the worth of one seat; more is better. */
int worth_of_seat(const struct position *position, int seat);

#endif
