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

/* Reads them. Returns 0 or -errno (store_failure tells, or -ENOMEM), then with nothing to free. */
int report_bots_load(struct report_bots *report, struct store *store);

/* Takes a zeroed one. */
void report_bots_finish(struct report_bots *report);

/* 0 or -ENOMEM. */
int report_bots_print(FILE *stream, const struct report_bots *report, struct columns_layout layout);

/* {"bots": [...]}; a new reference, NULL when memory is out. */
json_t *report_bots_json(const struct report_bots *report);

#endif
