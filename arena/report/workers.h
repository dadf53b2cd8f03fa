/*
 * The workers of a store: what they played, and whether bots time out more often on one machine
 * than on others. Makes the rows that a command prints.
 */
#ifndef ARENA_REPORT_WORKERS_H
#define ARENA_REPORT_WORKERS_H

#include "arena/report/columns.h"
#include "arena/store/leases.h"

struct report_worker {
    struct store_worker worker;
    bool is_gone; /* the worker was silent for more than a minute and did not report its end */
    int64_t seat_count, forfeit_count, late_count;
    /*
     * How much more often bots were late on this machine than the same bots on other machines, in
     * standard errors; NAN if no bot played on both. Above 3 the machine is suspicious.
     */
    double residual;
};

struct report_workers {
    struct report_worker *workers;
    int count, room;
    int64_t now_us;
};

/*
 * Loads the rows. Returns 0, or -errno with nothing to free (see store_failure, except for
 * -ENOMEM).
 */
int report_workers_load(struct report_workers *report, struct store *store, int64_t now_us);

/* Frees the rows. Accepts a zeroed report. */
void report_workers_finish(struct report_workers *report);

/*
 * Computes the residual of each worker from the results of all workers. seats is in order of worker
 * and bot. Pure.
 */
void report_workers_compare(struct report_workers *report, const struct store_worker_seats *seats,
                            size_t count);

/* Prints the workers as a table. Returns 0 or -ENOMEM. */
int report_workers_print(FILE *stream, const struct report_workers *report,
                         struct columns_layout layout);

/* Returns {"workers": [...]} as a new reference, or NULL if memory runs out. */
json_t *report_workers_json(const struct report_workers *report);

/* Prints the table's columns for --help, one line per column. */
void report_workers_help(FILE *stream);

#endif
