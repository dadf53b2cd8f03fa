/* A ladder as text, JSON and CSV, for commands and pages. */
#ifndef ARENA_REPORT_LADDER_H
#define ARENA_REPORT_LADDER_H

#include "arena/report/ladder_columns.h"

/* One ladder of the standings: for all tables (0), or for tables of player_count. */
struct report_ladder {
    const struct standings *standings;
    int player_count;
};

/*
 * Prints it for people, with the scores by seat and a footer on the method. Returns 0 or -ENOMEM.
 */
int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout);

/* Returns the keys that docs/seasons.md defines, as a new reference; NULL if memory runs out. */
json_t *report_ladder_json(const struct report_ladder *report);

/* Prints a line of names and one line per bot. */
void report_ladder_print_csv(FILE *stream, const struct report_ladder *report);

#endif
