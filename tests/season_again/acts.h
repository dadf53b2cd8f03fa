/* Repeats in one store what an event of another store describes. */
#ifndef TESTS_SEASON_AGAIN_ACTS_H
#define TESTS_SEASON_AGAIN_ACTS_H

#include "tests/season_again/history.h"

/*
 * Repeats the event at *number and those that belong to it; *number becomes that of the last one.
 * Exits if it is not the store's next event or cannot be repeated.
 */
void act_again(struct store *store, const struct history *history, int *number);

#endif
