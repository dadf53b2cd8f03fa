/*
 * Chooses a season's next batch: brings what the schedule may know (the results of all
 * batches but the last) before the pairing, and turns its answer into groups. Pure.
 */
#ifndef ARENA_SEASON_PLAN_H
#define ARENA_SEASON_PLAN_H

#include "arena/season/schedule.h"

/*
 * Chooses the next batch, of an opening and with its randomness (the same for all its
 * batches), and writes its groups to *groups, which the caller frees; schedule_add takes
 * them in once they are stored. A season of several table sizes takes them in turns, a
 * batch each; a size that cannot be seated is passed over.
 *
 * Returns their number; 0, without groups, when the season ends because it is decided;
 * -ENOMEM; or -EDOM when no table can be seated from the active bots.
 */
int plan_batch(struct schedule *schedule, int opening, uint64_t randomness,
               struct store_group **groups);

#endif
