/*
 * The results of every pair of bots, what their ratings predict, and the differences that are
 * statistically significant. Source: docs/seasons.md.
 */
#ifndef ARENA_REPORT_CROSS_H
#define ARENA_REPORT_CROSS_H

#include "arena/report/ladder.h"

/*
 * Prints two tables, in blocks of as many columns as fit, and the residuals. Returns 0 or -ENOMEM.
 */
int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout);

/* Returns the keys that docs/seasons.md defines, as a new reference; NULL if memory runs out. */
json_t *report_cross_json(const struct report_ladder *report);

#endif
