/* SPDX-License-Identifier: MIT */
#include "arena/report/workers.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/plain_text.h"
#include "arena/season/breaker.h"
#include "sandbox/sandbox.h"
#include "arena/base/json.h"

enum {
    GONE_US = 60000000, /* microseconds of silence after which a worker counts as gone */
};

static int add_worker(void *context, const struct store_worker *worker)
{
    struct report_workers *report = context;
    const struct report_worker row = {.worker = *worker,
                                      .is_gone = !worker->ended_us &&
                                                 worker->seen_us < report->now_us - GONE_US,
                                      .residual = NAN};

    return array_add(&report->workers, &report->count, &row, sizeof row);
}

/* ---- comparing machines ---- */

/* Returns a bot's results on all machines other than that of `here`, summed up. */
static struct store_worker_seats elsewhere(const struct store_worker_seats *seats, size_t count,
                                           const struct store_worker_seats *here)
{
    struct store_worker_seats sum = {.bot_id = here->bot_id};

    for (size_t i = 0; i < count; i++) {
        if (seats[i].bot_id != here->bot_id || seats[i].worker_id == here->worker_id)
            continue;
        sum.seat_count += seats[i].seat_count;
        sum.late_count += seats[i].late_count;
    }
    return sum;
}

/* Compares how often each bot was late on this machine with its rate on other machines. */
static void compare(struct report_worker *worker, const struct store_worker_seats *seats,
                    size_t count)
{
    double excess = 0., variance = 0.;

    for (size_t i = 0; i < count; i++) {
        struct store_worker_seats others;
        struct excess late;

        if (seats[i].worker_id != worker->worker.id)
            continue;
        worker->seat_count += seats[i].seat_count;
        worker->forfeit_count += seats[i].forfeit_count;
        worker->late_count += seats[i].late_count;
        others = elsewhere(seats, count, &seats[i]);
        if (others.seat_count == 0)
            continue;
        late = excess_of(seats[i].seat_count, seats[i].late_count, others.seat_count,
                         others.late_count);
        excess += late.sum;
        variance += late.variance;
    }
    worker->residual = variance > 0. ? excess / sqrt(variance) : (double)NAN;
}

void report_workers_compare(struct report_workers *report, const struct store_worker_seats *seats,
                            size_t count)
{
    for (int i = 0; i < report->count; i++)
        compare(&report->workers[i], seats, count);
}

struct all_seats {
    struct store_worker_seats *seats;
    int count;
};

static int order_seats(const void *a, const void *b)
{
    const struct store_worker_seats *x = a, *y = b;

    return x->worker_id != y->worker_id
               ? (x->worker_id > y->worker_id) - (x->worker_id < y->worker_id)
               : (x->bot_id > y->bot_id) - (x->bot_id < y->bot_id);
}

static int add_seats(void *context, const struct store_worker_seats *seats)
{
    struct all_seats *all = context;
    struct store_worker_seats *row;

    if (seats->seat_count)
        return array_add(&all->seats, &all->count, seats, sizeof *seats);
    row = bsearch(seats, all->seats, (size_t)all->count, sizeof *row, order_seats);
    if (row) {
        row->forfeit_count += seats->forfeit_count;
        row->late_count += seats->late_count;
    }
    return 0;
}

int report_workers_load(struct report_workers *report, struct store *store, int64_t now_us)
{
    struct all_seats all = {0};
    int error;

    *report = (struct report_workers){.now_us = now_us};
    error = store_workers_each(store, add_worker, report);
    if (!error)
        error = store_worker_seats_each(store, add_seats, &all);
    if (!error)
        report_workers_compare(report, all.seats, (size_t)all.count);
    free(all.seats);
    return error;
}

/* ---- columns ---- */

enum worker_state {
    PLAYS,
    WAITS,
    DRAINS,
    ASIDE,
    SILENT,
    ENDED
};

static const char *const states[] = {
    [PLAYS] = "plays",   [WAITS] = "waits", [DRAINS] = "drains", [ASIDE] = "set aside",
    [SILENT] = "silent", [ENDED] = "ended", [ENDED + 1] = NULL};

static void get_state(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct report_worker *worker = row;

    column_set_text(value, "%s",
                    states[worker->worker.ended_us      ? ENDED
                           : worker->is_gone            ? SILENT
                           : *worker->worker.aside      ? ASIDE
                           : worker->worker.drains      ? DRAINS
                           : worker->worker.lease_count ? PLAYS
                                                        : WAITS]);
}

static void get_tier(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    const int tier = ((const struct report_worker *)row)->worker.tier;

    column_set_text(value, "%s",
                    sandbox_tiers[tier > SANDBOX_TIER_FULL ? SANDBOX_TIER_FULL : tier]);
}

static void get_delay(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct store_worker *worker = &((const struct report_worker *)row)->worker;

    if (!worker->game_count)
        return;
    value->kind = COLUMN_REAL;
    value->real = (double)worker->delay_us / 1000. / (double)worker->game_count;
}

static json_t *layers_json(const void *context, const void *row)
{
    uint32_t layers = ((const struct report_worker *)row)->worker.layers;
    json_t *names = json_array();

    for (uint32_t layer = 1; layer; layer <<= 1)
        if (layers & layer && sandbox_layer_name(layer))
            json_array_append_new(names, json_string(sandbox_layer_name(layer)));
    return names;
}

enum {
    ALL = COLUMN_EVERYWHERE,
    DATA = COLUMN_IN_DATA,
    JSON = COLUMN_IN_JSON,
};

#define FIELD(of_kind, field)                                                                      \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct report_worker, field),                     \
    .reader = READER_ORGANIZER
#define WORDS(field) FIELD(TEXT, worker.field), .left = true

static const struct column array[] = {
    {"worker", "id", ALL, "number of the worker, a new one at each start",
     FIELD(INTEGER, worker.id)},
    {"name", "worker", ALL, "name of the worker, usually its machine's", WORDS(name)},
    {"state", "state", ALL, "what the worker does", .kind = COLUMN_TEXT, .words = states,
     .get_fn = get_state, .reader = READER_ORGANIZER, .left = true},
    {"version", "version", DATA, "version of the arena", WORDS(version)},
    {"role", "role", DATA, "role of the server by which the worker connects", WORDS(role)},
    {"host", "host", DATA, "address from which the worker connects", WORDS(host)},
    {"processor", "processor", ALL, "model of the machine's processor", WORDS(processor)},
    {"architecture", "machine", DATA, "architecture of the machine", WORDS(architecture)},
    {"tier", "tier", DATA, "tier of the sandbox that confines bots there", .kind = COLUMN_TEXT,
     .words = sandbox_tiers, .get_fn = get_tier, .reader = READER_ORGANIZER, .left = true},
    {"layers", NULL, JSON, "layers of the sandbox that confine bots there", .type = "text[]",
     .json_fn = layers_json, .reader = READER_ORGANIZER},
    {"jobs", "jobs", ALL, "games that are played at a time", FIELD(INT, worker.job_count)},
    {"cores", "cores", DATA, "processor cores that the worker may use",
     FIELD(INT, worker.core_count)},
    {"playouts_per_s", "playouts/s", ALL, "random games a second, which tell the machine's speed",
     FIELD(INTEGER, worker.playouts_per_s)},
    {"groups", "groups", ALL, "groups of games that the worker has claimed",
     FIELD(INT, worker.lease_count)},
    {"games", "games", ALL, "games that the worker played", FIELD(INTEGER, worker.game_count)},
    {"forfeits", "forfeits", ALL, "seats that forfeited on this worker",
     FIELD(INTEGER, forfeit_count)},
    {"late", "late", ALL, "forfeits for lack of time", FIELD(INTEGER, late_count)},
    {"refused", "refused", ALL, "games that the daemon refused",
     FIELD(INTEGER, worker.refused_count)},
    {"refusal", NULL, JSON, "why the daemon refused the last of these games; null: none",
     WORDS(refusal), .type = "text?"},
    {"aside", NULL, JSON, "why the worker gets no games; null: it does", WORDS(aside),
     .type = "text?"},
    {"delay_ms", "delay ms", ALL, "mean time that the answers of a game waited for the worker",
     .kind = COLUMN_REAL, .get_fn = get_delay, .reader = READER_ORGANIZER, .unit = "ms",
     .decimals = 3, .text_decimals = 1},
    {"residual", "residual", ALL,
     "standard errors by which the same bots are late more often here than elsewhere",
     FIELD(REAL, residual), .decimals = 3, .text_decimals = 1, .sign = true},
    {"started", NULL, JSON, "when the worker began", FIELD(MOMENT, worker.started_us)},
    {"seen", NULL, JSON, "when the worker last told that it lives", FIELD(MOMENT, worker.seen_us)},
    {"ended", NULL, JSON, "when the worker ended; null: not ended", FIELD(MOMENT, worker.ended_us)},
};

const struct columns report_workers_columns = {array, sizeof array / sizeof *array};
