/*
 * A ladder as text, JSON and CSV, for commands and pages, and its crosstable. Its columns are one
 * table in ladder.c, from which all forms and their help are made.
 */
#ifndef ARENA_REPORT_LADDER_H
#define ARENA_REPORT_LADDER_H

#include "arena/report/columns.h"
#include "arena/season/ladder.h"

enum ladder_columns_limits {
    LADDER_COLUMNS_MAX = 48,
};

/* One ladder of the standings: for all tables (0), or for tables of player_count. */
struct report_ladder {
    const struct standings *standings;
    int player_count;
};

/*
 * Writes the columns of a list (enum ladder_list bits) to the caller's array. A live list has no
 * errors, and its rating is the first column.
 */
struct columns ladder_columns(unsigned list, struct column array[static LADDER_COLUMNS_MAX]);

/* Returns the rows that these columns read. They borrow report. */
struct columns_rows ladder_rows(const struct report_ladder *report);

/*
 * Prints it for people, with the scores by seat and a footer on the method. Returns 0 or -ENOMEM.
 */
int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout);

/* Returns the keys that docs/seasons.md defines, as a new reference; NULL if memory runs out. */
json_t *report_ladder_json(const struct report_ladder *report);

/* Prints a line of names and one line per bot. */
void report_ladder_print_csv(FILE *stream, const struct report_ladder *report);

/*
 * Prints the results of every pair of bots and what their ratings predict (docs/seasons.md): two
 * tables, in blocks of as many columns as fit, and the pairs whose results chance does not explain.
 * Returns 0 or -ENOMEM.
 */
int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout);
json_t *report_cross_json(const struct report_ladder *report);

#endif
