/*
 * Workers, leases and the inbox. The functions of the worker's side call functions of leases.sql.
 */
#include "arena/store/leases.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/schema.h"

/* Returns 0, or -ENOTSUP with a message if the server has no leases. */
static int require_leases(struct store *store)
{
    if (store->driver->has_leases)
        return 0;
    return store_refuse(store, -ENOTSUP,
                        "%s: workers need a store that several machines share: "
                        "postgresql://HOST/DATABASE",
                        store->where);
}

/* ---- for the operator ---- */

struct workers_context {
    store_worker_fn *each_fn;
    void *context;
};

static int pass_worker(void *context, struct sql_row *row)
{
    const struct workers_context *passing = context;
    struct store_worker worker = {.id = 0};
    int column = schema_tables[TABLE_WORKER].column_count, error;

    table_read(row, TABLE_WORKER, &worker);
    worker.lease_count = row_int(row, column);
    worker.game_count = row_int64(row, column + 1);
    worker.delay_us = row_int64(row, column + 2);
    worker.layers = row_uint32(row, column + 3);
    worker.refused_count = row_int64(row, column + 4);
    row_text_or_empty(row, column + 5, worker.refusal, sizeof worker.refusal);
    error = row_end(row);
    if (!error && passing->each_fn(passing->context, &worker) != 0)
        error = -EINTR;
    return error;
}

int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context)
{
    struct workers_context passing = {each_fn, context};
    struct sql_listing listing;
    int error = require_leases(store);

    if (error)
        return error;
    sql_listing_init(
        &listing, "worker", 1, 0,
        "SELECT worker.*,"
        " (SELECT count(*) FROM dealt_group d WHERE d.worker = worker.id"
        "  AND held_until > clock_timestamp()),"
        " games, delay, held, (SELECT count(*) FROM refusal WHERE refusal.worker = worker.id),"
        " (SELECT left(season.name || ' group ' || game_group || ', rotation ' || rotation || ': '"
        "   || words, 127) FROM refusal JOIN season ON season.id = refusal.season"
        "  WHERE refusal.worker = worker.id ORDER BY refusal.id DESC LIMIT 1)"
        " FROM worker CROSS JOIN LATERAL (SELECT count(*) AS games,"
        "   CAST(least(coalesce(sum(delay_us), 0), 9007199254740992) AS bigint) AS delay,"
        "   CAST(coalesce(bit_and(layers), 0) AS bigint) AS held"
        "  FROM game WHERE game.worker = worker.id) AS played"
        " WHERE id > $1 ORDER BY id LIMIT $2");
    listing.query.is_slow = true; /* the query sums over all games */
    return sql_result(store, sql_list(store, &listing, pass_worker, &passing));
}

struct seats_context {
    store_worker_seats_fn *each_fn;
    void *context;
};

static int pass_seats(void *context, struct sql_row *row)
{
    const struct seats_context *passing = context;
    struct store_worker_seats seats = {.worker_id = row_int64(row, 0),
                                       .bot_id = row_int64(row, 1),
                                       .seat_count = row_int64(row, 2),
                                       .forfeit_count = row_int64(row, 3),
                                       .late_count = row_int64(row, 4)};
    int error = row_end(row);

    if (!error && passing->each_fn(passing->context, &seats) != 0)
        error = -EINTR;
    return error;
}

int store_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                            void *context)
{
    struct seats_context passing = {each_fn, context};
    struct sql_query query;
    int error = require_leases(store);

    if (error)
        return error;
    sql_init(&query, "seat", 2,
             "SELECT game.worker, entry.bot, count(*), count(*) FILTER (WHERE reason <> 0),"
             " count(*) FILTER (WHERE reason = $2) FROM game"
             " JOIN seat USING (season, game_group, rotation)"
             " JOIN entry ON entry.season = seat.season AND entry.number = seat.entry"
             " WHERE game.worker IS NOT NULL AND ($1 = 0 OR game.season = $1)"
             " GROUP BY 1, 2 ORDER BY 1, 2");
    query.is_slow = true;
    sql_int(&query, season_id);
    sql_int(&query, WIRE_TIMEOUT);
    return sql_result(store, sql_rows(store, &query, pass_seats, &passing));
}

/* Notifies all workers that listen: there may be groups to lease. */
static int notify_workers(struct store *store)
{
    struct sql_query query;
    int count;

    sql_init(&query, "worker", 0, "SELECT pg_notify('pavilion_work', '')");
    count = sql_run(store, &query);
    return count < 0 ? count : 0;
}

static int release(struct store *store, const char *name, int *count)
{
    struct sql_query query;
    int changed;

    sql_init(&query, "worker", 1, "SELECT id FROM worker WHERE name = $1");
    sql_text(&query, name);
    changed = sql_run(store, &query);
    if (changed == 0)
        return store_refuse(store, -ENOENT, "no worker has the name %s: see `arena workers`", name);
    if (changed < 0)
        return changed;
    sql_init(&query, "dealt_group", 2,
             "UPDATE dealt_group SET worker = NULL"
             " WHERE worker IN (SELECT id FROM worker WHERE name = $1)");
    sql_text(&query, name);
    *count = sql_run(store, &query);
    if (*count < 0)
        return *count;
    sql_init(&query, "refusal", 1,
             "DELETE FROM refusal WHERE worker IN (SELECT id FROM worker WHERE name = $1)");
    sql_text(&query, name);
    changed = sql_run(store, &query);
    return changed < 0 ? changed : notify_workers(store);
}

int store_workers_release(struct store *store, const char *name)
{
    struct sql_transaction transaction = {.is_slow = false};
    int count = 0, error = require_leases(store);

    if (error)
        return error;
    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, release(store, name, &count));
    return transaction.error ? transaction.error : count;
}

int store_leases_count(struct store *store, int64_t season_id)
{
    struct sql_query query;
    int64_t count;
    int error;

    if (!store->driver->has_leases)
        return 0;
    sql_init(&query, "dealt_group", 1,
             "SELECT (SELECT count(*) FROM dealt_group WHERE season = $1 AND worker IS NOT NULL"
             "  AND held_until > clock_timestamp())"
             " + (SELECT count(*) FROM inbox WHERE season = $1)");
    sql_int(&query, season_id);
    error = sql_result(store, sql_first(store, &query, sql_take_number, &count));
    return error ? error : (int)count;
}

/* ---- the daemon's side ---- */

static int run_for_season(struct store *store, int64_t season_id, const char *table,
                          const char *text)
{
    struct sql_query query;
    int changed;

    sql_init(&query, table, 1, text);
    sql_int(&query, season_id);
    changed = sql_run(store, &query);
    return changed < 0 ? changed : 0;
}

static int deal(struct store *store, int64_t season_id, bool to_workers)
{
    int error = sql_hold_claim(store, season_id);

    if (error)
        return error;
    if (!to_workers) {
        error = run_for_season(store, season_id, "dealt_season",
                               "DELETE FROM dealt_season WHERE season = $1");
        return error ? error
                     : run_for_season(store, season_id, "inbox",
                                      "DELETE FROM inbox WHERE season = $1");
    }
    error = run_for_season(store, season_id, "dealt_season",
                           "INSERT INTO dealt_season VALUES ($1) ON CONFLICT DO NOTHING");
    if (!error)
        error = run_for_season(store, season_id, "inbox",
                               "DELETE FROM inbox WHERE season = $1 AND opening <>"
                               " (SELECT max(number) FROM opening WHERE season = $1)");
    return error ? error : notify_workers(store);
}

int store_season_deal(struct store *store, int64_t season_id, bool to_workers)
{
    struct sql_transaction transaction = {.is_slow = false};

    if (!store->driver->has_leases)
        return to_workers ? require_leases(store) : 0;
    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, deal(store, season_id, to_workers));
    return transaction.error;
}

/* The columns of a season that say on which processor models the season may be played. */
struct model {
    bool same_cpu;
    char processor[STORE_TEXT_BYTES_MAX + 1];
};

static int read_model(void *context, struct sql_row *row)
{
    struct model *model = context;

    model->same_cpu = row_bool(row, 0);
    row_text(row, 1, model->processor, sizeof model->processor);
    return row_end(row);
}

static int take_processor(struct store *store, int64_t season_id, const char *processor)
{
    struct sql_query query;
    struct model model;
    int changed, error;

    sql_init(&query, "season", 1,
             "UPDATE season SET processor = $2 WHERE id = $1 AND same_cpu AND processor = ''");
    sql_int(&query, season_id);
    sql_text(&query, processor);
    changed = sql_run(store, &query);
    if (changed < 0)
        return changed;
    sql_init(&query, "season", 0, "SELECT same_cpu, processor FROM season WHERE id = $1");
    sql_int(&query, season_id);
    error = sql_first(store, &query, read_model, &model);
    if (!error && model.same_cpu && strcmp(model.processor, processor) != 0)
        error = store_refuse(store, -EPERM,
                             "it is played on processors of one model only (--same-cpu), '%s', "
                             "and this machine's is '%s'",
                             model.processor, processor);
    return error;
}

int store_season_take_processor(struct store *store, int64_t season_id, const char *processor)
{
    struct sql_transaction transaction = {.is_slow = false};

    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, take_processor(store, season_id, processor));
    return transaction.error;
}

int store_season_choose_processor(struct store *store, int64_t season_id)
{
    struct sql_transaction transaction = {.is_slow = false};

    while (sql_begin(store, &transaction))
        sql_end(store, &transaction,
                run_for_season(store, season_id, "season",
                               "UPDATE season SET processor = w.processor FROM"
                               " (SELECT processor, tier, jobs, cores FROM worker"
                               "  WHERE ended_us IS NULL AND seen_us > now_us() - 5000000"
                               "  ORDER BY id) AS w"
                               " WHERE season.id = $1 AND same_cpu AND season.processor = ''"
                               " AND season.tier <= w.tier AND (NOT pin OR w.jobs <= w.cores)"));
    return transaction.error;
}

int store_group_deal(struct store *store, int64_t season_id, const struct store_dealt_group *group)
{
    /* SQL: bits of the games that are neither stored nor in the inbox. */
#define LEFT                                                                                       \
    "($4 & ~coalesce((SELECT bit_or(CAST(1 AS bigint) << CAST(rotation AS integer)) FROM inbox"    \
    " WHERE inbox.season = $1 AND inbox.game_group = $2), 0))"
    static const char *const texts[] = {
        "INSERT INTO dealt_group (season, number, opening, due, seeds)"
        " VALUES ($1, $2, $3, " LEFT ", $5) ON CONFLICT DO NOTHING",
        "UPDATE dealt_group SET opening = $3, due = " LEFT ", seeds = $5, worker = NULL"
        " WHERE season = $1 AND number = $2 AND (opening <> $3 OR due <> " LEFT ")",
    };
#undef LEFT
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sql_query query;
        int changed;

        sql_init(&query, "dealt_group", 2, texts[i]);
        sql_int(&query, season_id);
        sql_int(&query, group->number);
        sql_int(&query, group->opening);
        sql_int(&query, group->due);
        sql_bytes(&query, group->seeds, (size_t)group->player_count * sizeof *group->seeds);
        changed = sql_run(store, &query);
        if (changed < 0)
            return changed;
    }
    return 0;
}

void store_deliveries_finish(struct store_delivery *deliveries, int count)
{
    for (int i = 0; i < count; i++)
        free(deliveries[i].replay);
}

struct taking {
    struct store_delivery *deliveries;
    int count;
};

static int take_delivery(void *context, struct sql_row *row)
{
    struct taking *taking = context;
    struct store_delivery *delivery = &taking->deliveries[taking->count];
    int error;

    *delivery = (struct store_delivery){.id = row_int64(row, 0),
                                        .group = row_int(row, 1),
                                        .rotation = row_int(row, 2),
                                        .opening = row_int(row, 3),
                                        .worker_id = row_int64(row, 4),
                                        .wall_us = row_int64(row, 5)};
    error = row_take_bytes(row, 6, &delivery->replay, &delivery->replay_bytes);
    taking->count += !error;
    return error ? error : row_end(row);
}

int store_deliveries_read(struct store *store, int64_t season_id, int64_t after_id,
                          struct store_delivery *deliveries, int count_max)
{
    struct taking taking = {.deliveries = deliveries};
    struct sql_query query;
    int error;

    sql_init(&query, "inbox", 1,
             "SELECT id, game_group, rotation, opening, worker, wall_us, replay FROM inbox"
             " WHERE season = $1 AND id > $2 ORDER BY id LIMIT $3");
    sql_int(&query, season_id);
    sql_int(&query, after_id);
    sql_int(&query, count_max);
    error = sql_result(store, sql_rows(store, &query, take_delivery, &taking));
    if (!error)
        return taking.count;
    store_deliveries_finish(deliveries, taking.count);
    return error;
}

int store_delivery_remove(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery)
{
    struct sql_query query;
    int changed;

    sql_init(&query, "inbox", 1, "DELETE FROM inbox WHERE season = $1 AND id = $2");
    sql_int(&query, season_id);
    sql_int(&query, delivery->id);
    changed = sql_run(store, &query);
    return changed < 0 ? changed : 0;
}

static int refuse_delivery(struct store *store, int64_t season_id,
                           const struct store_delivery *delivery, const char *words,
                           bool *is_locked)
{
    struct sql_query query;
    int changed;

    /* The statement skips a row that a worker has locked: leases.sql explains why. */
    sql_init(&query, "dealt_group", 2,
             "UPDATE dealt_group SET due = due | $3, worker = NULL WHERE season = $1 AND number ="
             " (SELECT number FROM dealt_group WHERE season = $1 AND number = $2"
             "  FOR NO KEY UPDATE SKIP LOCKED)");
    sql_int(&query, season_id);
    sql_int(&query, delivery->group);
    sql_int(&query, INT64_C(1) << delivery->rotation);
    changed = sql_run(store, &query);
    *is_locked = changed == 0;
    if (changed <= 0)
        return changed;
    sql_init(&query, "refusal", 1,
             "INSERT INTO refusal (worker, season, game_group, rotation, words)"
             " VALUES ($1, $2, $3, $4, $5)");
    sql_int(&query, delivery->worker_id);
    sql_int(&query, season_id);
    sql_int(&query, delivery->group);
    sql_int(&query, delivery->rotation);
    sql_text(&query, words);
    changed = sql_run(store, &query);
    if (changed >= 0)
        changed = store_delivery_remove(store, season_id, delivery);
    return changed < 0 ? changed : notify_workers(store);
}

int store_delivery_refuse(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery, const char *words)
{
    struct sql_transaction transaction = {.is_slow = false};
    bool is_locked = false;

    while (sql_begin(store, &transaction))
        sql_end(store, &transaction,
                refuse_delivery(store, season_id, delivery, words, &is_locked));
    return transaction.error ? transaction.error : is_locked;
}

int store_groups_clear(struct store *store, int64_t season_id)
{
    return run_for_season(store, season_id, "dealt_group",
                          "DELETE FROM dealt_group WHERE season = $1 AND number IN"
                          " (SELECT number FROM dealt_group d WHERE season = $1 AND due = 0"
                          "  AND NOT EXISTS (SELECT FROM inbox WHERE season = $1"
                          "   AND game_group = d.number) FOR UPDATE SKIP LOCKED)");
}

/* ---- the worker's side ---- */

static int take_id(void *context, struct sql_row *row)
{
    struct store_worker *worker = context;

    worker->id = row_int64(row, 0);
    worker->started_us = worker->seen_us = row_int64(row, 1);
    return row_end(row);
}

int store_worker_add(struct store *store, struct store_worker *worker)
{
    struct sql_query query;
    int error = require_leases(store);

    if (error)
        return error;
    sql_init(&query, "worker", 1, "SELECT * FROM worker_hello($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    sql_text(&query, worker->name);
    sql_text(&query, worker->host);
    sql_text(&query, worker->processor);
    sql_text(&query, worker->architecture);
    sql_int(&query, worker->tier);
    sql_int(&query, worker->job_count);
    sql_int(&query, worker->core_count);
    sql_int(&query, worker->playouts_s);
    return sql_result(store, sql_first(store, &query, take_id, worker));
}

/*
 * Writes numbers as an array in SQL, "{1,2}". The caller frees the text; NULL if memory runs out.
 */
static char *write_array(const int64_t *numbers, size_t count)
{
    char *text = malloc(21 * count + 3);
    size_t length = 0;

    if (!text)
        return NULL;
    text[length++] = '{';
    for (size_t i = 0; i < count; i++)
        length += (size_t)sprintf(text + length, i ? ",%lld" : "%lld", (long long)numbers[i]);
    strcpy(text + length, "}");
    return text;
}

struct claiming {
    struct store_lease *leases;
    int count, room;
};

/*
 * Reads a row of worker_claim: one player of a leased group. The first player's row begins the next
 * lease. The columns of the bot come first.
 */
static int take_place(void *context, struct sql_row *row)
{
    struct claiming *claiming = context;
    int column = schema_tables[TABLE_BOT].column_count, place;
    struct store_lease *lease;
    struct store_bot *bot;

    if (row_is_null(row, column))
        return -ECANCELED;
    place = (int)row_range(row, column + 8, 1, GAME_PLAYERS_MAX) - 1;
    if (place == 0 && claiming->count < claiming->room)
        claiming->leases[claiming->count++] = (struct store_lease){.group = 0};
    lease = &claiming->leases[claiming->count > 0 ? claiming->count - 1 : 0];
    bot = &lease->bots[place];
    if (claiming->count == 0 || bot->manifest)
        return store_refuse(row->store, -EBADMSG, "the store listed the places of a group wrongly");
    lease->season.id = row_int64(row, column);
    lease->group = row_int(row, column + 1);
    lease->player_count = (int)row_range(row, column + 2, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);
    lease->board = (enum board_side)row_range(row, column + 3, BOARD_COLORED, BOARD_GRAY);
    lease->token = row_int64(row, column + 4);
    lease->opening = row_int(row, column + 5);
    lease->due = (unsigned)row_range(row, column + 6, 1, (1 << lease->player_count) - 1);
    row_copy_bytes(row, column + 7, lease->seeds[0],
                   (size_t)lease->player_count * sizeof *lease->seeds);
    row_require(row, column + 8, place < lease->player_count, "out of range");
    table_read(row, TABLE_BOT, bot);
    bot->manifest = strdup(bot->manifest ? bot->manifest : "");
    return bot->manifest ? row_end(row) : -ENOMEM;
}

static int read_season(void *context, struct sql_row *row)
{
    table_read(row, TABLE_SEASON, context);
    return row_end(row);
}

/* Reads the seasons of the leases, which are grouped by season. */
static int read_terms(struct store *store, const struct store_worker *worker,
                      struct store_lease *leases, int count)
{
    for (int i = 0; i < count; i++) {
        struct sql_query query;
        int error;

        if (i > 0 && leases[i].season.id == leases[i - 1].season.id) {
            leases[i].season = leases[i - 1].season;
            continue;
        }
        table_query(&query, TABLE_SEASON, "SELECT * FROM worker_season($1, $2)");
        sql_bytes(&query, worker->identity, sizeof worker->identity);
        sql_int(&query, leases[i].season.id);
        error = sql_first(store, &query, read_season, &leases[i].season);
        if (error)
            return error;
    }
    return 0;
}

int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases)
{
    struct claiming claiming = {.leases = leases, .room = claim->group_count};
    struct sql_query query;
    char *barred;
    int error;

    barred = write_array(claim->barred, claim->barred_count);
    if (!barred)
        return -ENOMEM;
    sql_init(&query, "dealt_group", 1,
             "SELECT (c.bot).*, c.season, c.number, c.players, c.board, c.token, c.opening, c.due,"
             " c.seeds, c.place FROM worker_claim($1, $2, $3,"
             " CAST($4 AS bigint[])) AS c");
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    sql_int(&query, claim->group_count);
    sql_int(&query, claim->lease_us);
    sql_text(&query, barred);
    error = sql_rows(store, &query, take_place, &claiming);
    free(barred);
    if (!error)
        error = read_terms(store, worker, leases, claiming.count);
    if (!error)
        return claiming.count;
    store_leases_finish(leases, claiming.count);
    return error == -ECANCELED
               ? store_refuse(store, error, "the store does not know this worker: start it again")
               : sql_result(store, error);
}

void store_leases_finish(struct store_lease *leases, int count)
{
    for (int i = 0; i < count; i++)
        for (int place = 0; place < leases[i].player_count; place++)
            free((char *)leases[i].bots[place].manifest);
}

struct renewing {
    store_lease_fn *each_fn;
    void *context;
};

static int pass_renewal(void *context, struct sql_row *row)
{
    const struct renewing *renewing = context;
    const struct store_renewal renewal = {
        .season_id = row_int64(row, 0),
        .group = row_int(row, 1),
        .token = row_int64(row, 2),
        .state = (enum store_lease_state)row_range(row, 3, STORE_LEASE_PLAYED, STORE_LEASE_VOID)};
    int error = row_end(row);

    if (!error && renewing->each_fn(renewing->context, &renewal) != 0)
        error = -EINTR;
    return error;
}

int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context)
{
    struct renewing renewing = {each_fn, context};
    struct sql_query query;

    sql_init(&query, "dealt_group", 2, "SELECT * FROM worker_renew($1, $2)");
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    sql_int(&query, lease_us);
    return sql_result(store, sql_rows(store, &query, pass_renewal, &renewing));
}

int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease)
{
    struct sql_query query;
    int changed;

    sql_init(&query, "dealt_group", 1,
             lease ? "SELECT worker_give_back($1, $2, $3, $4)"
                   : "SELECT worker_give_back($1, NULL, NULL, NULL)");
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    if (lease) {
        sql_int(&query, lease->season.id);
        sql_int(&query, lease->group);
        sql_int(&query, lease->token);
    }
    changed = sql_run(store, &query);
    return sql_result(store, changed < 0 ? changed : 0);
}

struct delivering {
    const struct store_lease *lease;
    int rotation;
};

static int take_answer(void *context, struct sql_row *row)
{
    const struct delivering *delivering = context;
    const char *word = row_text_or_null(row, 0);

    if (!word)
        return -EIO;
    if (strcmp(word, "kept") == 0)
        return 0;
    if (strcmp(word, "stale") == 0)
        return store_refuse(row->store, -ESTALE,
                            "game %d of group %d came after its lease had lapsed and another "
                            "worker had claimed the group: it is not kept",
                            delivering->rotation, delivering->lease->group);
    if (strcmp(word, "closed") == 0)
        return store_refuse(row->store, -ECANCELED,
                            "game %d of group %d is void: its season was closed meanwhile",
                            delivering->rotation, delivering->lease->group);
    if (strcmp(word, "full") == 0)
        return store_refuse(row->store, -ENOSPC,
                            "%s: the inbox is full: is `arena serve --jobs 0` running?",
                            row->store->where);
    return store_refuse(row->store, -EINVAL, "game %d of group %d: its replay is too long",
                        delivering->rotation, delivering->lease->group);
}

int store_deliver(struct store *store, const struct store_worker *worker,
                  const struct store_lease *lease, int rotation, int64_t wall_us,
                  const uint8_t *replay, size_t replay_bytes)
{
    struct delivering delivering = {lease, rotation};
    struct sql_query query;

    sql_init(&query, "inbox", 1, "SELECT worker_deliver($1, $2, $3, $4, $5, $6, $7)");
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    sql_int(&query, lease->season.id);
    sql_int(&query, lease->group);
    sql_int(&query, lease->token);
    sql_int(&query, rotation);
    sql_int(&query, wall_us);
    sql_bytes(&query, replay, replay_bytes);
    return sql_result(store, sql_first(store, &query, take_answer, &delivering));
}

static int take_part(void *context, struct sql_row *row)
{
    struct store_part *part = context;
    int error;

    part->whole_bytes = (size_t)row_range(row, 0, 0, STORE_PACKAGE_BYTES_MAX);
    error = row_take_bytes(row, 1, &part->bytes, &part->size);
    return error ? error : row_end(row);
}

int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part)
{
    struct sql_query query;
    int error;

    *part = (struct store_part){0};
    sql_init(&query, "package", 0, "SELECT * FROM worker_package($1, $2, $3, $4)");
    query.is_slow = true;
    sql_bytes(&query, worker->identity, sizeof worker->identity);
    sql_text(&query, sha256);
    sql_int(&query, (int64_t)from_byte);
    sql_int(&query, LEASE_PART_BYTES);
    error = sql_first(store, &query, take_part, part);
    if (error == -ENOENT)
        store_refuse(store, error, "package %s is not of a bot in a group of this worker", sha256);
    if (error) {
        free(part->bytes);
        part->bytes = NULL;
    }
    return sql_result(store, error);
}

int store_listen(struct store *store, enum store_channel channel)
{
    store->failure[0] = '\0';
    return store->driver->listen ? sql_result(store, store->driver->listen(store, channel))
                                 : store_refuse(store, -ENOTSUP, "%s: poll it", store->where);
}

int store_heard(struct store *store)
{
    store->failure[0] = '\0';
    return store->driver->heard ? sql_result(store, store->driver->heard(store)) : 0;
}
