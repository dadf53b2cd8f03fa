#include "arena/report/workers.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "sandbox/sandbox.h"

enum {
    GONE_US = 60000000, /* microseconds of silence after which a worker counts as gone */
};

static int add_worker(void *context, const struct store_worker *worker)
{
    struct report_workers *report = context;
    struct report_worker *added;

    if (report->count == report->room) {
        int room = report->room ? 2 * report->room : 16;
        struct report_worker *workers = realloc(report->workers, (size_t)room * sizeof *workers);

        if (!workers)
            return -ENOMEM;
        report->workers = workers;
        report->room = room;
    }
    added = &report->workers[report->count++];
    *added = (struct report_worker){.worker = *worker, .residual = NAN};
    added->is_gone = !worker->ended_us && worker->seen_us < report->now_us - GONE_US;
    return 0;
}

/* ---- comparing machines ---- */

struct all_seats {
    struct store_worker_seats *seats;
    size_t count, room;
};

static int add_seats(void *context, const struct store_worker_seats *seats)
{
    struct all_seats *all = context;

    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        struct store_worker_seats *larger = realloc(all->seats, room * sizeof *larger);

        if (!larger)
            return -ENOMEM;
        all->seats = larger;
        all->room = room;
    }
    all->seats[all->count++] = *seats;
    return 0;
}

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

/*
 * Compares how often each bot was late on this machine with a prediction. The prediction is the
 * bot's rate on other machines, with half a case added to late and to punctual games; the variance
 * includes the error of that rate.
 */
static void compare(struct report_worker *worker, const struct store_worker_seats *seats,
                    size_t count)
{
    double excess = 0., variance = 0.;

    for (size_t i = 0; i < count; i++) {
        struct store_worker_seats others;
        double rate, here;

        if (seats[i].worker_id != worker->worker.id)
            continue;
        worker->seat_count += seats[i].seat_count;
        worker->forfeit_count += seats[i].forfeit_count;
        worker->late_count += seats[i].late_count;
        others = elsewhere(seats, count, &seats[i]);
        if (others.seat_count == 0)
            continue;
        here = (double)seats[i].seat_count;
        rate = ((double)others.late_count + 0.5) / ((double)others.seat_count + 1.);
        excess += (double)seats[i].late_count - here * rate;
        variance += here * rate * (1. - rate) * (1. + here / (double)others.seat_count);
    }
    worker->residual = variance > 0. ? excess / sqrt(variance) : (double)NAN;
}

void report_workers_compare(struct report_workers *report, const struct store_worker_seats *seats,
                            size_t count)
{
    for (int i = 0; i < report->count; i++)
        compare(&report->workers[i], seats, count);
}

int report_workers_load(struct report_workers *report, struct store *store, int64_t now_us)
{
    struct all_seats all = {.count = 0};
    int error;

    *report = (struct report_workers){.now_us = now_us};
    error = store_workers_each(store, add_worker, report);
    if (!error)
        error = store_worker_seats_each(store, 0, add_seats, &all);
    if (!error)
        report_workers_compare(report, all.seats, all.count);
    free(all.seats);
    if (error)
        report_workers_finish(report);
    return error == -EINTR ? -ENOMEM : error;
}

void report_workers_finish(struct report_workers *report)
{
    free(report->workers);
    memset(report, 0, sizeof *report);
}

/* ---- columns ---- */

static void get_state(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct report_worker *worker = row;

    column_set_text(value, "%s",
                    worker->worker.ended_us      ? "ended"
                    : worker->is_gone            ? "silent"
                    : worker->worker.lease_count ? "plays"
                                                 : "waits");
}

static void get_tier(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    int tier = ((const struct report_worker *)row)->worker.tier;

    column_set_text(value, "%s",
                    tier >= SANDBOX_TIER_FULL   ? "full"
                    : tier == SANDBOX_TIER_LITE ? "lite"
                                                : "none");
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

/* Returns the names of the layers of the worker's sandbox. */
static json_t *layers_json(const void *context, const void *row)
{
    uint32_t layers = ((const struct report_worker *)row)->worker.layers;
    json_t *names = json_array();

    for (uint32_t layer = 1; layer; layer <<= 1)
        if (layers & layer && sandbox_layer_name(layer))
            json_array_append_new(names, json_string(sandbox_layer_name(layer)));
    return names;
}

static json_t *refusal_json(const void *context, const void *row)
{
    const struct report_worker *worker = row;
    const char *words = worker->worker.refusal;

    return *words ? replay_json_text(words, strlen(words)) : json_null();
}

enum {
    ALL = COLUMN_EVERYWHERE,
    DATA = COLUMN_IN_DATA,
    JSON = COLUMN_IN_JSON,
};

#define FIELD(of_kind, field)                                                                      \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct report_worker, field)
#define WORDS(field) FIELD(TEXT, worker.field), .left = true

static const struct column array[] = {
    {"id", "id", ALL, "number of this start of the worker", FIELD(INTEGER, worker.id)},
    {"name", "worker", ALL, "its --name", WORDS(name)},
    {"state", "state", ALL, "playing, waiting for games, silent for a minute, or ended",
     .get_fn = get_state, .left = true},
    {"host", "host", DATA, "the machine's name", WORDS(host)},
    {"processor", "processor", ALL, "its model", WORDS(processor)},
    {"architecture", "machine", DATA, "as uname -m", WORDS(architecture)},
    {"tier", "tier", DATA, "of its sandbox", .get_fn = get_tier, .left = true},
    {"layers", NULL, JSON,
     "of its sandbox, in force in all its games; each game is stored with its own",
     .json_fn = layers_json},
    {"jobs", "jobs", ALL, "games at a time", FIELD(INT, worker.job_count)},
    {"cores", "cores", DATA, "that it may use", FIELD(INT, worker.core_count)},
    {"playouts_s", "playouts/s", ALL, "random games a second on one core, measured at its start",
     FIELD(INTEGER, worker.playouts_s)},
    {"groups", "groups", ALL, "groups that it holds now", FIELD(INT, worker.lease_count)},
    {"games", "games", ALL, "that it stored", FIELD(INTEGER, worker.game_count)},
    {"forfeits", "forfeits", ALL, "seats in them", FIELD(INTEGER, forfeit_count)},
    {"late", "late", ALL, "of those, for lack of time", FIELD(INTEGER, late_count)},
    {"refused", "refused", ALL, "games that it delivered and the daemon did not believe",
     FIELD(INTEGER, worker.refused_count)},
    {"refusal", NULL, JSON, "the last of these, and why", .json_fn = refusal_json},
    {"delay_ms", "delay", ALL, "the arena's own delay per game, which no bot is charged for",
     .get_fn = get_delay, .unit = "ms", .decimals = 3, .text_decimals = 1},
    {"residual", "residual", ALL,
     "how much more often bots were late there than the same bots elsewhere, in standard errors; "
     "above 3, look at the machine",
     FIELD(REAL, residual), .decimals = 3, .text_decimals = 1, .sign = true},
    {"started", NULL, JSON, NULL, FIELD(MOMENT, worker.started_us)},
    {"seen", NULL, JSON, NULL, FIELD(MOMENT, worker.seen_us)},
    {"ended", NULL, JSON, NULL, FIELD(MOMENT, worker.ended_us)},
};

static const struct columns columns = {array, sizeof array / sizeof *array};

int report_workers_print(FILE *stream, const struct report_workers *report,
                         struct columns_layout layout)
{
    const struct columns_rows rows = {report->workers, sizeof *report->workers, report->count};
    int error = columns_print_text(stream, &columns, &rows, layout);

    for (int i = 0; i < report->count && !error; i++)
        if (*report->workers[i].worker.refusal)
            plain_text_printf(stream, "worker %lld, refused last: %s\n",
                              (long long)report->workers[i].worker.id,
                              report->workers[i].worker.refusal);
    return error;
}

json_t *report_workers_json(const struct report_workers *report)
{
    const struct columns_rows rows = {report->workers, sizeof *report->workers, report->count};

    return json_pack("{s:o}", "workers", columns_json(&columns, &rows));
}

void report_workers_help(FILE *stream)
{
    columns_print_help(stream, &columns);
}
