/*
 * The workers of a store: what they played, and whether bots time out more on one machine than on
 * others; rows for a command.
 */
#ifndef ARENA_REPORT_WORKERS_H
#define ARENA_REPORT_WORKERS_H

#include "arena/report/columns.h"
#include "arena/store/leases.h"

struct report_worker {
    struct store_worker worker;
    bool is_gone; /* it was silent for longer than a minute and did not say that it ends */
    int64_t seat_count, forfeit_count, late_count;
    /*
     * How much oftener bots were late there than the same bots elsewhere, in standard errors;
     * NAN where nothing can be compared. Beyond 3 it deserves a look.
     */
    double residual;
};

struct report_workers {
    struct report_worker *workers;
    int count, room;
    int64_t now_us;
};

/* Reads them. Returns 0 or -errno (store_failure tells, or -ENOMEM), then with nothing to free. */
int report_workers_load(struct report_workers *report, struct store *store, int64_t now_us);

/* Takes a zeroed one. */
void report_workers_finish(struct report_workers *report);

/*
 * The residual of each worker from its seats and those of all; pure. seats are in order of worker
 * and bot.
 */
void report_workers_compare(struct report_workers *report, const struct store_worker_seats *seats,
                            size_t count);

/* 0 or -ENOMEM. */
int report_workers_print(FILE *stream, const struct report_workers *report,
                         struct columns_layout layout);

/* {"workers": [...]}; a new reference, NULL when memory is out. */
json_t *report_workers_json(const struct report_workers *report);

/* A line a column, for --help. */
void report_workers_help(FILE *stream);

#endif
