/*
 * A season whose games are played by workers on other machines. On a thread of its own, the dealer
 * deals the groups of each batch, takes what workers delivered into the inbox, judges it (judge.h),
 * stores it like games that are played here, and chooses the next batches. The schedule is the same
 * as on a single machine.
 *
 * A delivery that is not believed is refused: its group is dealt again, and `arena workers` tells
 * why.
 */
#ifndef ARENA_SEASON_DEALER_H
#define ARENA_SEASON_DEALER_H

#include "arena/season/player.h"

struct dealer_options {
    struct season *season; /* owned by the dealer, with its store, until ended_fn */
    void *owner;

    /* Called after each look at the store. The forfeit and void counts are not known here: 0. */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* The season is over: the same as in struct player_options. May destroy the dealer. */
    void (*ended_fn)(void *owner, const struct player_report *report);
};

struct dealer;

/*
 * Deals until the budget is played, the season is decided or closed, dealer_interrupt is called or
 * the arena fails. Calls both functions on the loop. Returns NULL with errno set.
 */
struct dealer *dealer_start(struct ev_loop *loop, const struct dealer_options *options);

/* Ends the dealer soon; workers finish the games that they hold. */
void dealer_interrupt(struct dealer *dealer);

/* Accepts NULL. */
void dealer_destroy(struct dealer *dealer);

#endif
