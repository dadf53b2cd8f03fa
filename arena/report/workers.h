/* SPDX-License-Identifier: MIT */
/*
 * The workers of a store: what they played, and whether bots time out more often on one machine
 * than on others.
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
    int count;
    int64_t now_us;
};

/* The columns of a table of struct report_worker. */
extern const struct columns report_workers_columns;

/* Loads the workers. Returns 0 or -errno (see store_failure). The caller frees report->workers. */
int report_workers_load(struct report_workers *report, struct store *store, int64_t now_us);

/*
 * Computes the residual of each worker from the results of all workers. seats is in order of worker
 * and bot. Pure.
 */
void report_workers_compare(struct report_workers *report, const struct store_worker_seats *seats,
                            size_t count);

#endif
