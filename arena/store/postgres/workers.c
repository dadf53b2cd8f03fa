/* Workers: their runs, and what they played. */
#include <errno.h>

#include "arena/store/postgres/server.h"

enum {
    SUMS_WAIT_MS = 600000, /* sums over all games: minutes, where there are tens of millions */
};

static int tell_id(void *context, struct tuple *row)
{
    struct store_worker *worker = context;

    worker->id = tuple_int64(row, 0);
    worker->started_us = worker->seen_us = tuple_int64(row, 1);
    return 0;
}

int postgres_worker_add(struct store *store, struct store_worker *worker)
{
    struct query query;

    query_init(&query, "SELECT * FROM worker_register($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_text(&query, worker->name);
    query_text(&query, worker->host);
    query_text(&query, worker->processor);
    query_text(&query, worker->architecture);
    query_int(&query, worker->layers);
    query_int(&query, worker->tier);
    query_int(&query, worker->job_count);
    query_int(&query, worker->core_count);
    query_int(&query, worker->playouts_s);
    return server_first(store, &query, "worker", tell_id, worker);
}

static int tell_worker(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_worker worker = {.id = tuple_int64(row, 0)};
    int error;

    tuple_text(row, 1, worker.name, sizeof worker.name);
    tuple_text(row, 2, worker.host, sizeof worker.host);
    tuple_text(row, 3, worker.processor, sizeof worker.processor);
    tuple_text(row, 4, worker.architecture, sizeof worker.architecture);
    worker.layers = tuple_uint32(row, 5);
    worker.tier = tuple_int(row, 6);
    worker.job_count = tuple_int(row, 7);
    worker.core_count = tuple_int(row, 8);
    worker.playouts_s = tuple_int64(row, 9);
    worker.started_us = tuple_int64(row, 10);
    worker.seen_us = tuple_int64(row, 11);
    worker.ended_us = tuple_int64_or_null(row, 12);
    worker.lease_count = tuple_int(row, 13);
    worker.game_count = tuple_int64(row, 14);
    worker.delay_us = tuple_int64(row, 15);
    error = tuple_end(telling->store, row);
    if (!error && ((store_worker_fn *)telling->each_fn)(telling->context, &worker) != 0)
        error = -EINTR;
    return error;
}

int postgres_workers_each(struct store *store, store_worker_fn *each_fn, void *context)
{
    const struct listing listing = {
        "worker",
        "SELECT id, name, host, processor, architecture, layers_held, tier, jobs, cores, "
        "playouts_s,"
        " started_us, seen_us, ended_us, (SELECT count(*) FROM game_group WHERE lease_worker = id"
        "  AND lease_until > clock_timestamp()), games, delay FROM worker CROSS JOIN LATERAL"
        " (SELECT count(*) AS games, least(coalesce(sum(delay_us), 0), 9007199254740992)::bigint "
        "AS delay,"
        "  coalesce(bit_and(layers), 0)::bigint AS layers_held FROM game"
        "  WHERE game.worker = worker.id) AS played WHERE id > $1 AND $3::bigint IS NOT NULL"
        " ORDER BY id LIMIT $2",
        .season_id = 1, .wait_ms = SUMS_WAIT_MS};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_worker, &telling);
}

static int tell_seats(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_worker_seats seats = {.worker_id = tuple_int64(row, 0),
                                       .bot_id = tuple_int64(row, 1),
                                       .seat_count = tuple_int64(row, 2),
                                       .forfeit_count = tuple_int64(row, 3),
                                       .late_count = tuple_int64(row, 4)};
    int error = tuple_end(telling->store, row);

    if (!error && ((store_worker_seats_fn *)telling->each_fn)(telling->context, &seats) != 0)
        error = -EINTR;
    return error;
}

int postgres_worker_seats_each(struct store *store, int64_t season_id,
                               store_worker_seats_fn *each_fn, void *context)
{
    struct telling telling = {store, (void *)each_fn, context};
    struct query query;

    query_init(&query, "SELECT game.worker, entry.bot, count(*),"
                       " count(*) FILTER (WHERE reason <> 0), count(*) FILTER (WHERE reason = $2)"
                       " FROM game JOIN seat USING (season, game_group, rotation) JOIN entry ON"
                       " entry.season = seat.season AND entry.number = seat.entry"
                       " WHERE game.worker IS NOT NULL AND ($1 = 0 OR game.season = $1)"
                       " GROUP BY 1, 2 ORDER BY 1, 2");
    query.wait_ms = SUMS_WAIT_MS;
    query_int(&query, season_id);
    query_int(&query, WIRE_TIMEOUT);
    return server_rows(store, &query, "seat", 2, tell_seats, &telling);
}
