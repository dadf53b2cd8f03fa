/*
 * Does to a store what an event of another says was done to that one.
 */
#ifndef TESTS_SEASON_AGAIN_ACTS_H
#define TESTS_SEASON_AGAIN_ACTS_H

#include "tests/season_again/history.h"

/*
 * Repeats the event at *number, and those that belong to it: *number becomes that of the last.
 * Exits when it is not the next one of the store, or cannot be repeated.
 */
void act_again(struct store *store, const struct history *history, int *number);

#endif
