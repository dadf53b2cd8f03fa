/* SPDX-License-Identifier: MIT */
/*
 * Runs a season whose games are played by workers on other machines. On a thread of its own, the
 * dealer offers the groups of each batch to the workers, reads the games that the workers delivered
 * to the store's inbox, judges each game (judge.h), stores it like a game played on this machine,
 * and chooses the next batches. The schedule is the same as on a single machine.
 *
 * If a delivered game fails the judgment, the dealer refuses it and offers its group again; `arena
 * workers` shows the reason.
 */
#ifndef ARENA_SEASON_DEALER_H
#define ARENA_SEASON_DEALER_H

#include "arena/season/player.h"

struct dealer_options {
    struct season *season; /* the dealer owns the season and its store until it calls ended_fn */
    void *owner;

    /*
     * Called each time the dealer has read the store. The dealer does not count forfeits and void
     * games: both are 0.
     */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* Called for each fault of a worker, with a sentence for the organizer. */
    void (*warn_fn)(void *owner, const char *words);

    /* Called when the run is over, as in struct player_options. May destroy the dealer. */
    void (*ended_fn)(void *owner, const struct player_report *report);
};

struct dealer;

/*
 * Starts the dealer. It ends when the budget is played, the season is decided or closed,
 * dealer_interrupt is called or the arena fails. It calls tick_fn and ended_fn on the loop. Returns
 * NULL with errno set.
 */
struct dealer *dealer_start(struct ev_loop *loop, const struct dealer_options *options);

/* Ends the dealer soon; workers still finish the games that they are playing. */
void dealer_interrupt(struct dealer *dealer);

/* Frees the dealer; blocks until its thread has ended. Accepts NULL. */
void dealer_destroy(struct dealer *dealer);

#endif
