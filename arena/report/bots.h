/*
 * Every version of every bot in a store, in order of submission: rows for commands and pages.
 */
#ifndef ARENA_REPORT_BOTS_H
#define ARENA_REPORT_BOTS_H

#include "arena/report/columns.h"
#include "arena/store/store.h"

struct report_bots {
    struct store_bot *bots;
    int count, room;
};

/*
 * Loads the rows. Returns 0, or -errno with nothing to free (see store_failure, except for
 * -ENOMEM).
 */
int report_bots_load(struct report_bots *report, struct store *store);

/* Frees the rows. Accepts a zeroed report. */
void report_bots_finish(struct report_bots *report);

/* Prints the bots as a table. Returns 0 or -ENOMEM. */
int report_bots_print(FILE *stream, const struct report_bots *report, struct columns_layout layout);

/* Returns {"bots": [...]} as a new reference, or NULL if memory runs out. */
json_t *report_bots_json(const struct report_bots *report);

#endif
