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
 * them in once they are stored. Table sizes take turns by group, and so do boards; a size that
 * cannot be seated is passed over. *seating is what schedule->seating becomes with the batch.
 *
 * Returns their number; 0, without groups, when the season ends because it is decided;
 * -ENOMEM; or -EDOM when no table can be seated from the active bots.
 */
int plan_batch(struct schedule *schedule, int opening, uint64_t randomness,
               struct store_group **groups, unsigned *seating);

/*
 * How many games the opening stage of all table sizes takes, begun now with the bots of a
 * schedule without groups; 0 if no table can be seated. Returns -ENOMEM too.
 */
int64_t plan_opening_games(const struct schedule *schedule, uint64_t randomness);

#endif
