/* SPDX-License-Identifier: MIT */
/*
 * A ladder as text, JSON and CSV, for commands and pages, and its crosstable. One table in ladder.c
 * describes the columns of all these forms and of the help.
 */
#ifndef ARENA_REPORT_LADDER_H
#define ARENA_REPORT_LADDER_H

#include "arena/report/columns.h"
#include "arena/season/ladder.h"

enum ladder_columns_limits {
    LADDER_COLUMNS_MAX = 64, /* a final list has 46 */
};

/* One ladder of the standings: of games with player_count players, or of all games (0). */
struct report_ladder {
    const struct standings *standings;
    int player_count;
};

/*
 * Writes the columns of a list (enum ladder_list bits) to the caller's array. A live list has no
 * column of errors, and its first rating is the live Elo.
 */
struct columns ladder_columns(unsigned list, struct column array[static LADDER_COLUMNS_MAX]);

/* Returns the rows that the columns of ladder_columns read. The rows borrow report. */
struct columns_rows ladder_rows(const struct report_ladder *report);

/*
 * Prints a ladder for people, with the scores by seat and a footer on the method. Returns 0 or
 * -ENOMEM.
 */
int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout);

/* Returns a ladder as JSON (docs/keys.md): a new reference. */
json_t *report_ladder_json(const struct report_ladder *report);

/* Prints a ladder as CSV: a line of names, then one line per bot. */
void report_ladder_print_csv(FILE *stream, const struct report_ladder *report);

/*
 * Prints the crosstable (docs/seasons.md): the result of every pair of bots, and the pairs whose
 * results chance does not explain. Returns 0 or -ENOMEM. The JSON also has, for each pair, how far
 * the result is from what the ratings predict.
 */
int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout);
json_t *report_cross_json(const struct report_ladder *report);

#endif
