/*
 * A ladder as text, JSON and CSV, for commands and pages alike.
 */
#ifndef ARENA_REPORT_LADDER_H
#define ARENA_REPORT_LADDER_H

#include "arena/report/ladder_columns.h"

/* One ladder of the standings: over all tables (0), or those of so many players. */
struct report_ladder {
    const struct standings *standings;
    int player_count;
};

/* For people, with score by seat and a footer on its method. 0 or -ENOMEM. */
int report_ladder_print(FILE *stream, const struct report_ladder *report,
                        struct columns_layout layout);

/* docs/seasons.md gives the keys; a new reference, NULL when memory is out. */
json_t *report_ladder_json(const struct report_ladder *report);

/* A line of names and a line a bot. */
void report_ladder_print_csv(FILE *stream, const struct report_ladder *report);

#endif
