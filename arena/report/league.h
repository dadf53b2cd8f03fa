/* SPDX-License-Identifier: MIT */
/*
 * What is told of a league: the bots of its divisions in a round, and who goes up and down.
 */
#ifndef ARENA_REPORT_LEAGUE_H
#define ARENA_REPORT_LEAGUE_H

#include "arena/report/columns.h"
#include "arena/season/league.h"

/* A bot in a round of a league: a row of place_columns. */
struct report_place {
    const struct league_division *division;
    const struct league_place *place;
};

extern const struct columns place_columns;    /* rows: struct report_place */
extern const struct columns division_columns; /* rows: struct league_division */
extern const struct columns league_columns;   /* rows: struct league_round */

/* Returns the rows of all divisions of a round, best first; owned by the caller. NULL: no memory.
 */
struct report_place *report_places(const struct league_round *round, int *count);

#endif
