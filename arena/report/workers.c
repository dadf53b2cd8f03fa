#include "arena/report/workers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/json.h"
#include "sandbox/sandbox.h"

enum {
    GONE_US = 60000000, /* silence after which a worker counts as gone */
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

/* Sums up a bot's results on all other machines. */
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
 * Predicts how often a bot should be late on this machine from its rate on others, with half a case
 * added to both outcomes; includes that rate's own error.
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

enum detail {
    NAME,
    HOST,
    PROCESSOR,
    ARCHITECTURE,
    TIER,
    STATE,
    ID,
    JOBS,
    CORES,
    PLAYOUTS,
    GROUPS,
    GAMES,
    FORFEITS,
    LATE,
    DELAY,
    RESIDUAL,
};

static const struct report_worker *worker_of(const void *rows, int row)
{
    return &((const struct report_workers *)rows)->workers[row];
}

static const char *state_of(const struct report_worker *worker)
{
    return worker->worker.ended_us      ? "ended"
           : worker->is_gone            ? "silent"
           : worker->worker.lease_count ? "plays"
                                        : "waits";
}

static const char *tier_of(const struct report_worker *worker)
{
    return worker->worker.tier >= SANDBOX_TIER_FULL   ? "full"
           : worker->worker.tier == SANDBOX_TIER_LITE ? "lite"
                                                      : "none";
}

static void get_text(const void *rows, int row, const struct column *column,
                     struct column_value *value)
{
    const struct report_worker *worker = worker_of(rows, row);
    const char *const texts[] = {[NAME] = worker->worker.name,
                                 [HOST] = worker->worker.host,
                                 [PROCESSOR] = worker->worker.processor,
                                 [ARCHITECTURE] = worker->worker.architecture,
                                 [TIER] = tier_of(worker),
                                 [STATE] = state_of(worker)};

    column_set_text(value, "%s", texts[column->detail]);
}

static void get_integer(const void *rows, int row, const struct column *column,
                        struct column_value *value)
{
    const struct report_worker *worker = worker_of(rows, row);
    const int64_t integers[] = {[ID] = worker->worker.id,
                                [JOBS] = worker->worker.job_count,
                                [CORES] = worker->worker.core_count,
                                [PLAYOUTS] = worker->worker.playouts_s,
                                [GROUPS] = worker->worker.lease_count,
                                [GAMES] = worker->worker.game_count,
                                [FORFEITS] = worker->forfeit_count,
                                [LATE] = worker->late_count};

    column_set_integer(value, integers[column->detail]);
}

static void get_real(const void *rows, int row, const struct column *column,
                     struct column_value *value)
{
    const struct report_worker *worker = worker_of(rows, row);

    if (column->detail == RESIDUAL)
        column_set_real(value, worker->residual);
    else if (worker->worker.game_count)
        column_set_real(value, (double)worker->worker.delay_us / 1000. /
                                   (double)worker->worker.game_count);
}

static json_t *time_json(int64_t us)
{
    return us ? replay_json_time(us / 1000000) : json_null();
}

static json_t *started_json(const void *rows, int row)
{
    return time_json(worker_of(rows, row)->worker.started_us);
}

static json_t *seen_json(const void *rows, int row)
{
    return time_json(worker_of(rows, row)->worker.seen_us);
}

static json_t *ended_json(const void *rows, int row)
{
    return time_json(worker_of(rows, row)->worker.ended_us);
}

/* Returns the names of its sandbox layers. */
static json_t *layers_json(const void *rows, int row)
{
    uint32_t layers = worker_of(rows, row)->worker.layers;
    json_t *names = json_array();

    for (uint32_t layer = 1; layer; layer <<= 1)
        if (layers & layer && sandbox_layer_name(layer))
            json_array_append_new(names, json_string(sandbox_layer_name(layer)));
    return names;
}

#define TEXT_COLUMN(key, heading, which, where, said)                                              \
    {                                                                                              \
        .name = key, .title = heading, .unit = "", .get_fn = get_text, .detail = which,            \
        .forms = where, .left = true, .explanation = said                                          \
    }
#define INTEGER_COLUMN(key, heading, which, where, said)                                           \
    {                                                                                              \
        .name = key, .title = heading, .unit = "", .get_fn = get_integer, .detail = which,         \
        .forms = where, .explanation = said                                                        \
    }

static const struct column array[] = {
    INTEGER_COLUMN("id", "id", ID, COLUMN_EVERYWHERE, "a number for each start of a worker"),
    TEXT_COLUMN("name", "worker", NAME, COLUMN_EVERYWHERE, "its --name"),
    TEXT_COLUMN("state", "state", STATE, COLUMN_EVERYWHERE,
                "playing, waiting for games, silent for a minute, or ended"),
    TEXT_COLUMN("host", "host", HOST, COLUMN_IN_JSON | COLUMN_IN_CSV, "the machine's name"),
    TEXT_COLUMN("processor", "processor", PROCESSOR, COLUMN_EVERYWHERE, "its model"),
    TEXT_COLUMN("architecture", "machine", ARCHITECTURE, COLUMN_IN_JSON | COLUMN_IN_CSV,
                "as uname -m"),
    TEXT_COLUMN("tier", "tier", TIER, COLUMN_IN_JSON | COLUMN_IN_CSV, "of its sandbox"),
    {.name = "layers",
     .unit = "",
     .json_fn = layers_json,
     .forms = COLUMN_IN_JSON,
     .explanation = "of its sandbox, in force in all its games; each game is stored with its own"},
    INTEGER_COLUMN("jobs", "jobs", JOBS, COLUMN_EVERYWHERE, "games at a time"),
    INTEGER_COLUMN("cores", "cores", CORES, COLUMN_IN_JSON | COLUMN_IN_CSV, "that it may use"),
    INTEGER_COLUMN("playouts_s", "playouts/s", PLAYOUTS, COLUMN_EVERYWHERE,
                   "random games a second on one core, measured at its start"),
    INTEGER_COLUMN("groups", "groups", GROUPS, COLUMN_EVERYWHERE, "groups that it holds now"),
    INTEGER_COLUMN("games", "games", GAMES, COLUMN_EVERYWHERE, "that it stored"),
    INTEGER_COLUMN("forfeits", "forfeits", FORFEITS, COLUMN_EVERYWHERE, "seats in them"),
    INTEGER_COLUMN("late", "late", LATE, COLUMN_EVERYWHERE, "of those, for lack of time"),
    {.name = "delay_ms",
     .title = "delay",
     .unit = "ms",
     .get_fn = get_real,
     .detail = DELAY,
     .forms = COLUMN_EVERYWHERE,
     .decimals = 3,
     .text_decimals = 1,
     .explanation = "the arena's own delay per game, which no bot is charged for"},
    {.name = "residual",
     .title = "residual",
     .unit = "",
     .get_fn = get_real,
     .detail = RESIDUAL,
     .forms = COLUMN_EVERYWHERE,
     .decimals = 3,
     .text_decimals = 1,
     .sign = true,
     .explanation = "how much more often bots were late there than the same bots elsewhere, in "
                    "standard errors; above 3, look at the machine"},
    {.name = "started", .unit = "", .json_fn = started_json, .forms = COLUMN_IN_JSON},
    {.name = "seen", .unit = "", .json_fn = seen_json, .forms = COLUMN_IN_JSON},
    {.name = "ended", .unit = "", .json_fn = ended_json, .forms = COLUMN_IN_JSON},
};

static const struct columns columns = {array, sizeof array / sizeof *array};

int report_workers_print(FILE *stream, const struct report_workers *report,
                         struct columns_layout layout)
{
    struct columns_rows rows = {report, report->count, -1, NULL};

    return columns_print_text(stream, &columns, &rows, layout);
}

json_t *report_workers_json(const struct report_workers *report)
{
    json_t *workers = json_array();

    for (int i = 0; i < report->count; i++)
        json_array_append_new(workers, columns_json(&columns, report, i));
    return json_pack("{s:o}", "workers", workers);
}

void report_workers_help(FILE *stream)
{
    columns_print_help(stream, &columns);
}
