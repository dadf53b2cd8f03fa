/*
 * The opening stage of a season: who is to meet whom for the first time. What pairing.c
 * chooses its groups with; nothing else includes it.
 */
#ifndef ARENA_SEASON_MEETINGS_H
#define ARENA_SEASON_MEETINGS_H

#include "arena/season/draft.h"

/* Adds the groups of an opening batch to a draft: see pairing_choose. 0 or -ENOMEM. */
int meetings_choose(struct draft *draft);

#endif
