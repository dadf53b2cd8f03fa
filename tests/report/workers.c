/* SPDX-License-Identifier: MIT */
/* The comparison of workers: bots that are late on one machine only. */
#include <criterion/criterion.h>
#include <math.h>

#include "arena/report/workers.h"

enum {
    WORKERS = 3,
    BOTS = 2,
};

struct row {
    const char *rule;
    int seats[WORKERS][BOTS], late[WORKERS][BOTS];
    double low[WORKERS], high[WORKERS]; /* of the residual; NAN: there is none */
};

static const struct row rows[] = {
    {"a machine on which both bots are late stands out",
     {{200, 200}, {200, 200}, {200, 200}},
     {{20, 20}, {1, 1}, {1, 1}},
     {3., -9., -9.},
     {99., 0., 0.}},
    {"a bot that is late everywhere points at no machine",
     {{200, 200}, {200, 200}, {200, 200}},
     {{40, 0}, {40, 0}, {40, 0}},
     {-1., -1., -1.},
     {1., 1., 1.}},
    {"a machine that plays only the slow bot is not blamed for it",
     {{400, 0}, {100, 300}, {100, 300}},
     {{80, 0}, {20, 0}, {20, 0}},
     {-1., -1., -1.},
     {1., 1., 1.}},
    {"without the same bots elsewhere there is nothing to compare",
     {{50, 0}, {0, 50}, {0, 0}},
     {{10, 0}, {0, 0}, {0, 0}},
     {NAN, NAN, NAN},
     {NAN, NAN, NAN}},
    {"few games say little",
     {{4, 4}, {4, 4}, {4, 4}},
     {{1, 0}, {0, 0}, {0, 0}},
     {-2., -2., -2.},
     {2.5, 2., 2.}},
};

static void try_row(const struct row *row)
{
    struct report_worker workers[WORKERS] = {0};
    struct report_workers report = {.workers = workers, .count = WORKERS};
    struct store_worker_seats seats[WORKERS * BOTS];
    size_t count = 0;

    for (int worker = 0; worker < WORKERS; worker++) {
        workers[worker].worker.id = worker + 1;
        for (int bot = 0; bot < BOTS; bot++)
            if (row->seats[worker][bot])
                seats[count++] =
                    (struct store_worker_seats){.worker_id = worker + 1,
                                                .bot_id = bot + 1,
                                                .seat_count = row->seats[worker][bot],
                                                .forfeit_count = row->late[worker][bot],
                                                .late_count = row->late[worker][bot]};
    }
    report_workers_compare(&report, seats, count);
    for (int worker = 0; worker < WORKERS; worker++) {
        double residual = workers[worker].residual;

        if (isnan(row->low[worker]))
            cr_expect(isnan(residual), "%s: worker %d: %f", row->rule, worker, residual);
        else
            cr_expect(residual >= row->low[worker] && residual <= row->high[worker],
                      "%s: worker %d: %f", row->rule, worker, residual);
    }
}

Test(report_workers, residual)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        try_row(&rows[i]);
}
