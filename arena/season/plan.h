/*
 * Chooses a season's next batch: gives the pairing the results that the schedule may use (of all
 * batches except the last) and makes groups of what it chooses. Pure.
 */
#ifndef ARENA_SEASON_PLAN_H
#define ARENA_SEASON_PLAN_H

#include "arena/season/schedule.h"

/*
 * Chooses the next batch of an opening. randomness is the same for all batches of the opening.
 * Writes the groups to *groups, which the caller frees; call schedule_add once they are stored.
 * Table sizes and boards alternate by group; a table size that cannot be filled is skipped.
 * *seating is the value for schedule->seating once the batch is added.
 *
 * Returns the number of groups; 0, without groups, if the season is decided and so ends; -ENOMEM;
 * or -EDOM if the active bots cannot fill a table.
 */
int plan_batch(struct schedule *schedule, int opening, uint64_t randomness,
               struct store_group **groups, unsigned *seating);

/*
 * Returns how many games the opening stage would have, over all table sizes, if it began now with
 * the bots of schedule, which has no groups yet; 0 if no table can be filled; or -ENOMEM.
 */
int64_t plan_opening_games(const struct schedule *schedule, uint64_t randomness);

#endif
