/*
 * A season whose games are played by workers of other machines: takes in what they stored, and
 * chooses the next batches, on a thread of its own. The schedule is the one that a single machine
 * would have played.
 */
#ifndef ARENA_SEASON_DEALER_H
#define ARENA_SEASON_DEALER_H

#include "arena/season/player.h"

struct dealer_options {
    struct season *season; /* the dealer's, with its store, until ended_fn */
    void *owner;

    /* After each look. Its forfeits and void games are not known here: 0. */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* It is over: as that of struct player_options. The dealer may be destroyed. */
    void (*ended_fn)(void *owner, const struct player_report *report);
};

struct dealer;

/*
 * Deals until all that the budget allows is played, the season is decided or closed, it is
 * interrupted or the arena fails. NULL with errno set. Both functions are called on the loop.
 */
struct dealer *dealer_start(struct ev_loop *loop, const struct dealer_options *options);

/* Ends it soon; what workers hold is theirs to finish. */
void dealer_interrupt(struct dealer *dealer);

/* Takes NULL. */
void dealer_destroy(struct dealer *dealer);

#endif
