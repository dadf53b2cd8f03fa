/* SPDX-License-Identifier: MIT */
/*
 * Makes the networks of bots/search/net.h: two players, colored side. Plays games, keeps two ends
 * of each round's draft phase, and plays on from both to the end of the next draft phase. Then fits
 * one network per round, the last round first: in round 6 to the final lead, in another round to
 * the lead that the next round's network sees. The same options give the same bytes on every
 * machine.
 */
#ifndef BOTS_TRAINING_FIT_H
#define BOTS_TRAINING_FIT_H

#include "bots/search/mind.h"

struct fit {
    const struct weights_set *set;
    uint32_t game_count; /* at least 2 */
    int epoch_count;     /* how often each example is learned from */
    uint64_t seed;
    /* Called after each game (round 0), and after each round is fitted, with the mean squared
     * errors, before and after, of the leads in the games that were not learned from. */
    void (*report_fn)(uint32_t played, int round, double before, double after);
};

/* Writes the networks of rounds 1 to GAME_ROUNDS. Returns false without enough memory. */
bool fit_make(const struct fit *fit, struct net nets[static GAME_ROUNDS]);

#endif
