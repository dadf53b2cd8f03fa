/*
 * Who took how much off whom, what the ratings say of it, and where chance does not
 * explain the difference. Source: docs/seasons.md.
 */
#ifndef ARENA_REPORT_CROSS_H
#define ARENA_REPORT_CROSS_H

#include "arena/report/ladder.h"

/* Two tables for people, in blocks of as many columns as fit, and the residuals. 0 or -ENOMEM. */
int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout);

/* docs/seasons.md gives the keys; a new reference, NULL when memory is out. */
json_t *report_cross_json(const struct report_ladder *report);

#endif
