/*
 * The opening stage of a season: which bots meet for the first time. Internal to pairing: for
 * pairing.c only.
 */
#ifndef ARENA_SEASON_MEETINGS_H
#define ARENA_SEASON_MEETINGS_H

#include "arena/season/draft.h"

/*
 * Adds the groups of an opening batch to a draft, as pairing_choose describes. Returns 0 or
 * -ENOMEM.
 */
int meetings_choose(struct draft *draft);

#endif
