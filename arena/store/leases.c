/* SPDX-License-Identifier: MIT */
/*
 * Workers, the groups of games that they claim, and the games that they deliver. The functions of
 * the worker's side call functions of leases.sql.
 */
#include "arena/store/leases.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "arena/store/schema.h"

/* Returns 0, or -ENOTSUP with a message if the store is in SQLite, which workers cannot share. */
static int require_leases(struct store *store)
{
    if (store->driver->has_leases)
        return 0;
    return store_refuse(store, -ENOTSUP,
                        "%s: workers need a store that several machines share: "
                        "postgresql://HOST/DATABASE",
                        store->where);
}

/* ---- for the organizer ---- */

static void read_worker(struct sql_rows *rows, struct store_worker *worker)
{
    const int column = schema_tables[TABLE_WORKER].column_count;

    *worker = (struct store_worker){.lease_count = row_int(rows, column),
                                    .game_count = row_int64(rows, column + 1),
                                    .delay_us = row_int64(rows, column + 2),
                                    .refused_count = row_int64(rows, column + 4)};
    table_read(rows, 0, TABLE_WORKER, worker);
    worker->layers = (uint32_t)row_range(rows, column + 3, 0, UINT32_MAX);
    if (!row_is_null(rows, column + 5))
        row_text(rows, column + 5, worker->refusal, sizeof worker->refusal);
    if (!row_is_null(rows, column + 6))
        row_text(rows, column + 6, worker->aside, sizeof worker->aside);
    worker->drains = row_bool(rows, column + 7);
}

int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context)
{
    struct store_worker worker;

    return require_leases(store)
               ?: SQL_LIST(
                      store,
                      SQL_PAGES(
                          "SELECT worker.*,"
                          " (SELECT count(*) FROM offer WHERE offer.worker = worker.id"
                          "  AND held_until > clock_timestamp()), games, delay, held,"
                          " (SELECT count(*) FROM refusal WHERE refusal.worker = worker.id),"
                          " (SELECT left(season.name || ' group ' || game_group || ', rotation '"
                          "   || rotation || ': ' || words, 127) FROM refusal"
                          "  JOIN season ON season.id = refusal.season"
                          "  WHERE refusal.worker = worker.id ORDER BY refusal.id DESC LIMIT 1),"
                          " CASE worker_bar(worker, role) WHEN 'aside' THEN"
                          "  (SELECT left(words, 127) FROM worker_order o"
                          "   WHERE o.role = worker.role AND o.name = worker.name AND NOT drains)"
                          " WHEN 'refused' THEN 'too many games of its role were refused'"
                          " WHEN 'foreign' THEN"
                          "  'its machine has another architecture than the daemon''s' END,"
                          " ended_us IS NULL AND EXISTS (SELECT FROM worker_order o"
                          "  WHERE o.role = worker.role AND o.name = worker.name AND drains"
                          "  AND since_us >= started_us)"
                          " FROM worker CROSS JOIN LATERAL (SELECT count(*) AS games,"
                          "   CAST(least(coalesce(sum(delay_us), 0), 9007199254740992) AS bigint)"
                          "   AS delay, CAST(coalesce(bit_and(layers), 0) AS bigint) AS held"
                          "  FROM game WHERE game.worker = worker.id) AS played"
                          " WHERE id > $1 ORDER BY id LIMIT $2",
                          .is_slow = true), /* slow, because the query adds up all games */
                      read_worker(&rows, &worker), each_fn(context, &worker));
}

int store_workers_count(struct store *store, struct store_worker_counts *counts)
{
    return require_leases(store)
               ?: SQL_FIND(
                      store,
                      SQL("SELECT count(*) FILTER (WHERE seen_us >= now_us() - 60000000),"
                          " count(*) FILTER (WHERE seen_us < now_us() - 60000000),"
                          " (SELECT count(*) FROM offer WHERE worker IS NOT NULL"
                          "  AND held_until > clock_timestamp()),"
                          " (SELECT count(*) FROM inbox), (SELECT count(*) FROM refusal),"
                          " (SELECT CAST(extract(epoch FROM clock_timestamp() -"
                          "   min(received_at)) * 1000000 AS bigint) FROM inbox)"
                          " FROM worker WHERE ended_us IS NULL"),
                      (*counts = (struct store_worker_counts){
                           row_int64(&rows, 0), row_int64(&rows, 1), row_int64(&rows, 2),
                           row_int64(&rows, 3), row_int64(&rows, 4), row_int64_or_null(&rows, 5)}));
}

int store_workers_measure(struct store *store, struct store_worker_figures *figures, int count_max)
{
    int count = 0;
    int error =
        require_leases(store)
            ?: SQL_EACH(store,
                        SQL("SELECT w.id, w.name, (now_us() - seen_us) / 1000000,"
                            " (SELECT count(*) FROM offer WHERE offer.worker = w.id),"
                            " (SELECT count(*) FROM refusal WHERE refusal.worker = w.id),"
                            " coalesce(games, 0), coalesce(forfeits, 0), EXISTS (SELECT FROM "
                            "worker_order o"
                            "  WHERE o.role = w.role AND o.name = w.name AND NOT drains)"
                            " FROM worker w LEFT JOIN worker_tally ON worker_tally.worker = w.id"
                            " WHERE ended_us IS NULL AND seen_us > now_us() - 3600000000"
                            " ORDER BY seen_us DESC LIMIT $1",
                            sql_int(count_max)),
                        ({
                            struct store_worker_figures *at = &figures[count++];

                            *at = (struct store_worker_figures){row_int64(&rows, 0)};
                            row_text(&rows, 1, at->name, sizeof at->name);
                            at->silent_s = row_int64(&rows, 2);
                            at->lease_count = row_int64(&rows, 3);
                            at->refused_count = row_int64(&rows, 4);
                            at->game_count = row_int64(&rows, 5);
                            at->forfeit_count = row_int64(&rows, 6);
                            at->aside = row_bool(&rows, 7);
                        }),
                        0);

    return error ? error : count;
}

int store_worker_count_games(struct store *store, int64_t worker_id, int game_count,
                             int forfeit_count)
{
    return sql_change(store, SQL("INSERT INTO worker_tally AS t VALUES ($1, $2, $3)"
                                 " ON CONFLICT (worker) DO UPDATE SET games = t.games + $2,"
                                 " forfeits = t.forfeits + $3",
                                 sql_int(worker_id), sql_int(game_count), sql_int(forfeit_count)));
}

int store_season_workers(struct store *store, const struct store_season *season,
                         struct store_season_workers *workers)
{
    *workers = (struct store_season_workers){.is_dealt = false};
    if (!store->driver->has_leases)
        return 0;
    /* The function worker_claim lets a worker play a season by the same conditions. */
    return SQL_FIND(
        store,
        SQL("SELECT EXISTS (SELECT 1 FROM dealt_season WHERE season = $1), count(*),"
            " count(*) FILTER (WHERE bar IS NULL AND tier >= $2),"
            " count(*) FILTER (WHERE bar IS NULL AND tier >= $2 AND (jobs <= cores OR NOT $3)),"
            " count(*) FILTER (WHERE bar IN ('refused', 'aside')),"
            " count(*) FILTER (WHERE bar = 'foreign')"
            " FROM (SELECT *, worker_bar(w, role) AS bar FROM worker w WHERE ended_us IS NULL"
            "  AND seen_us >= now_us() - 60000000) AS alive WHERE bar IS DISTINCT FROM 'drained'",
            sql_int(season->id), sql_int(season->play.tier), sql_bool(season->play.pin)),
        (*workers = (struct store_season_workers){row_bool(&rows, 0), row_int64(&rows, 1),
                                                  row_int64(&rows, 2), row_int64(&rows, 3),
                                                  row_int64(&rows, 4), row_int64(&rows, 5)}));
}

/* SQL: the bots of the groups `g` of table game_group. */
#define ENTRIES                                                                                    \
    " CROSS JOIN LATERAL unnest(ARRAY[g.base0, g.base1, g.base2, g.base3]) AS base"                \
    " JOIN entry ON entry.season = g.season AND entry.number = base"

static int pass_forfeits(struct store *store, store_worker_seats_fn *each_fn, void *context)
{
    struct store_worker_seats seats;
    struct store_game game;
    int seat;

    return SQL_EACH(
        store,
        SQL_SLOW("SELECT entry.number, entry.bot, game.worker, game.season,"
                 " game.game_group, game.rotation, game.seats FROM game"
                 " JOIN game_group AS g ON g.season = game.season"
                 " AND g.number = game.game_group" ENTRIES
                 " WHERE game.worker IS NOT NULL AND game.forfeits IS NOT NULL"),
        ({
            seats = (struct store_worker_seats){.worker_id = row_int64(&rows, 2),
                                                .bot_id = row_int64(&rows, 1),
                                                .forfeit_count = 1};
            table_read(&rows, 3, TABLE_GAME, &game);
        }),
        store_game_forfeited(&game, row_int(&rows, 0), &seat) &&
            (seats.late_count = game.seats[seat].reason == WIRE_TIMEOUT, each_fn(context, &seats)));
}

int store_worker_seats_each(struct store *store, store_worker_seats_fn *each_fn, void *context)
{
    struct store_worker_seats seats;

    return require_leases(store)
               ?: SQL_EACH(
                      store,
                      SQL_SLOW("SELECT worker, bot, CAST(sum(games) AS bigint) FROM"
                               " (SELECT worker, season, game_group, count(*) AS games FROM game"
                               "  WHERE worker IS NOT NULL GROUP BY 1, 2, 3) AS played"
                               " JOIN game_group AS g ON g.season = played.season"
                               " AND g.number = played.game_group" ENTRIES
                               " GROUP BY 1, 2 ORDER BY 1, 2"),
                      (seats = (struct store_worker_seats){.worker_id = row_int64(&rows, 0),
                                                           .bot_id = row_int64(&rows, 1),
                                                           .seat_count = row_int64(&rows, 2)}),
                      each_fn(context, &seats))
               ?: pass_forfeits(store, each_fn, context);
}

/* SQL: the workers of a role that have a name. */
#define WORKERS_NAMED "(SELECT id FROM worker WHERE role = $1 AND name = $2)"

/*
 * Finds the role whose workers have a name, which an organizer has given. `role` narrows the search
 * down; NULL: any role. Refuses a name that workers of several roles have: each chooses its own.
 */
static int find_role(struct store *store, const char *name, const char *role,
                     char found[static STORE_TEXT_BYTES_MAX + 1])
{
    int64_t count = 0;
    int error = SQL_FIND(store,
                         SQL("SELECT count(DISTINCT role), min(role) FROM worker"
                             " WHERE name = $1 AND role = coalesce($2, role)",
                             sql_text(name), sql_text(role)),
                         (count = row_int64(&rows, 0),
                          count ? row_text(&rows, 1, found, STORE_TEXT_BYTES_MAX + 1) : (void)0));

    if (!error && count == 0)
        return store_refuse(store, -ENOENT,
                            "no worker has the name %s: `arena workers` lists the workers", name);
    if (!error && count > 1)
        return store_refuse(store, -EINVAL,
                            "workers of %lld roles have the name %s: write the role after the "
                            "name (`arena workers --wide` lists the roles)",
                            (long long)count, name);
    return error;
}

/* Deals the groups again that workers hold. Returns their number. */
static int take_back(struct store *store, const char *role, const char *name)
{
    int count = sql_run(store, SQL("INSERT INTO dealt_group (season, number, opening, due, seeds)"
                                   " SELECT season, number, opening, due, seeds FROM offer"
                                   " WHERE due <> 0 AND worker IN " WORKERS_NAMED,
                                   sql_text(role), sql_text(name)));

    sql_hint(store, STORE_CHANNEL_WORK);
    return count < 0 ? count
                     : sql_change(store, SQL("DELETE FROM dealt_group WHERE id IN"
                                             " (SELECT id FROM dealt_group d"
                                             "  WHERE worker IN " WORKERS_NAMED " AND NOT EXISTS"
                                             "  (SELECT FROM offer WHERE offer.id = d.id)"
                                             "  FOR UPDATE SKIP LOCKED)",
                                             sql_text(role), sql_text(name)))
                           ?: count;
}

static int release(struct store *store, const char *name, const char *of_role, int *count)
{
    char role[STORE_TEXT_BYTES_MAX + 1];
    int error = find_role(store, name, of_role, role);

    if (error < 0 || (*count = take_back(store, role, name)) < 0)
        return error < 0 ? error : *count;
    return sql_change(store, SQL("DELETE FROM refusal WHERE role = $1", sql_text(role)))
               ?: sql_change(store, SQL("DELETE FROM worker_order WHERE role = $1 AND name = $2",
                                        sql_text(role), sql_text(name)));
}

int store_workers_release(struct store *store, const char *name, const char *role)
{
    int count = 0, error = require_leases(store);

    if (!error)
        error = SQL_TRANSACTION(store, SQL_PLAIN, release(store, name, role, &count));
    return error ? error : count;
}

/* Adds an order, or replaces the one before. */
static int add_order(struct store *store, const char *role, const char *name, bool drains,
                     const char *words)
{
    return sql_change(store,
                      SQL("INSERT INTO worker_order VALUES ($1, $2, $3, now_us(), $4)"
                          " ON CONFLICT (role, name, drains) DO UPDATE"
                          " SET since_us = excluded.since_us, words = excluded.words",
                          sql_text(role), sql_text(name), sql_bool(drains), sql_text(words)));
}

static int drain(struct store *store, const char *name, const char *of_role)
{
    char role[STORE_TEXT_BYTES_MAX + 1];
    int error = find_role(store, name, of_role, role);

    sql_hint(store, STORE_CHANNEL_WORK);
    return error ? error : add_order(store, role, name, true, "");
}

int store_workers_drain(struct store *store, const char *name, const char *role)
{
    return require_leases(store) ?: SQL_TRANSACTION(store, SQL_PLAIN, drain(store, name, role));
}

int store_leases_count(struct store *store, int64_t season_id)
{
    int64_t count;
    int error;

    if (!store->driver->has_leases)
        return 0;
    error =
        sql_number(store,
                   SQL("SELECT (SELECT count(*) FROM offer WHERE season = $1 AND worker IS NOT NULL"
                       "  AND held_until > clock_timestamp())"
                       " + (SELECT count(*) FROM inbox WHERE season = $1)",
                       sql_int(season_id)),
                   &count);
    return error ? error : (int)count;
}

/* ---- the daemon's side ---- */

static int deal(struct store *store, int64_t season_id, bool to_workers)
{
    const struct sql_value season = sql_int(season_id);
    struct utsname system;

    if (!to_workers)
        return sql_change(store, SQL("DELETE FROM dealt_season WHERE season = $1", season))
                   ?: sql_change(store, SQL("DELETE FROM inbox WHERE season = $1", season));
    if (uname(&system) < 0)
        return sql_result(store, -errno);
    sql_hint(store, STORE_CHANNEL_WORK);
    return sql_change(store, SQL("INSERT INTO dealt_season (season, architecture) VALUES ($1, $2)"
                                 " ON CONFLICT (season) DO UPDATE SET architecture = $2",
                                 season, sql_text(system.machine)))
               /* offers from before a `season run`, whose games it has played */
               ?: sql_change(store, SQL("DELETE FROM dealt_group WHERE id IN (SELECT id FROM"
                                        " dealt_group d WHERE season = $1 AND due <> 0"
                                        " AND (SELECT count(*) FROM game WHERE season = $1"
                                        "  AND game_group = d.number) >= (SELECT players"
                                        "  FROM game_group g WHERE g.season = $1"
                                        "  AND g.number = d.number) FOR UPDATE SKIP LOCKED)",
                                        season))
                      ?: sql_change(store,
                                    SQL("DELETE FROM inbox WHERE season = $1 AND opening <>"
                                        " (SELECT max(number) FROM opening WHERE season = $1)",
                                        season));
}

int store_season_deal(struct store *store, int64_t season_id, bool to_workers)
{
    if (!store->driver->has_leases)
        return to_workers ? require_leases(store) : 0;
    return SQL_TRANSACTION(store, SQL_PLAIN, deal(store, season_id, to_workers));
}

/* SQL: removes rows of dealt_group that a newer row replaced. Skips those that a worker locked. */
#define REMOVE_REPLACED                                                                            \
    "DELETE FROM dealt_group WHERE id IN (SELECT id FROM dealt_group d"                            \
    " WHERE season = $1 AND number = $2 AND NOT EXISTS (SELECT FROM offer WHERE offer.id = d.id)"  \
    " FOR UPDATE SKIP LOCKED)"

int store_group_deal(struct store *store, int64_t season_id, const struct store_dealt_group *group)
{
    /* SQL: the group's games that are neither stored nor delivered, a bit each. */
#define LEFT                                                                                       \
    "($4 & ~coalesce((SELECT bit_or(CAST(1 AS bigint) << CAST(rotation AS integer)) FROM inbox"    \
    " WHERE inbox.season = $1 AND inbox.game_group = $2), 0))"
    static const char text[] =
        "INSERT INTO dealt_group (season, number, opening, due, seeds)"
        " SELECT $1, $2, $3, " LEFT ", $5 WHERE NOT EXISTS (SELECT FROM offer"
        " WHERE season = $1 AND number = $2 AND opening = $3 AND due = " LEFT ")";
#undef LEFT
    const struct sql_value season = sql_int(season_id), number = sql_int(group->number);
    int dealt = sql_run(
        store, SQL(text, season, number, sql_int(group->opening), sql_int(group->due),
                   sql_bytes(group->seeds, (size_t)group->player_count * sizeof *group->seeds)));

    if (dealt <= 0)
        return dealt;
    sql_hint(store, STORE_CHANNEL_WORK);
    return sql_change(store, SQL(REMOVE_REPLACED, season, number));
}

static int deal_locked(struct store *store, int64_t season_id, struct store_locked_groups *groups)
{
    int error = SQL_FIND(store, SQL("SELECT * FROM deal_locked_again($1)", sql_int(season_id)),
                         (groups->count = row_int(&rows, 0),
                          row_text(&rows, 1, groups->suspect, sizeof groups->suspect)));

    if (!error && groups->count)
        sql_hint(store, STORE_CHANNEL_WORK);
    return error;
}

int store_groups_deal_locked(struct store *store, int64_t season_id,
                             struct store_locked_groups *groups)
{
    return SQL_TRANSACTION(store, SQL_PLAIN, deal_locked(store, season_id, groups));
}

void store_deliveries_finish(struct store_delivery *deliveries, int count)
{
    for (int i = 0; i < count; i++)
        free(deliveries[i].replay);
}

int store_deliveries_read(struct store *store, int64_t season_id, struct store_delivery *deliveries,
                          int count_max)
{
    struct sql_rows rows;
    int count = 0;

    sql_open(store, &rows,
             SQL("SELECT inbox.id, game_group, rotation, opening, worker, wall_us, held_us, cores,"
                 " replay FROM inbox JOIN worker ON worker.id = worker WHERE season = $1"
                 " ORDER BY inbox.id LIMIT $2",
                 sql_int(season_id), sql_int(count_max)));
    while (sql_next(&rows)) {
        struct store_delivery *delivery = &deliveries[count++];

        *delivery = (struct store_delivery){.id = row_int64(&rows, 0),
                                            .group = row_int(&rows, 1),
                                            .rotation = row_int(&rows, 2),
                                            .opening = row_int(&rows, 3),
                                            .worker_id = row_int64(&rows, 4),
                                            .wall_us = row_int64(&rows, 5),
                                            .held_us = row_int64(&rows, 6),
                                            .core_count = row_int(&rows, 7)};
        row_take_bytes(&rows, 8, STORE_REPLAY_BYTES_MAX, &delivery->replay,
                       &delivery->replay_bytes);
    }
    if (!sql_close(&rows))
        return count;
    store_deliveries_finish(deliveries, count);
    return rows.error;
}

int store_delivery_remove(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery)
{
    return sql_run(store, SQL("DELETE FROM inbox WHERE season = $1 AND id = $2", sql_int(season_id),
                              sql_int(delivery->id)));
}

static int remove_delivery(struct store *store, int64_t season_id,
                           const struct store_delivery *delivery)
{
    int count = store_delivery_remove(store, season_id, delivery);

    return count < 0 ? count : 0;
}

static int refuse_delivery(struct store *store, int64_t season_id,
                           const struct store_delivery *delivery, const char *words)
{
    const struct sql_value season = sql_int(season_id), number = sql_int(delivery->group);

    sql_hint(store, STORE_CHANNEL_WORK);
    return sql_change(store, SQL("INSERT INTO dealt_group (season, number, opening, due, seeds)"
                                 " SELECT season, number, opening, due | $3, seeds FROM offer"
                                 " WHERE season = $1 AND number = $2",
                                 season, number, sql_int(INT64_C(1) << delivery->rotation)))
               ?: sql_change(store, SQL(REMOVE_REPLACED, season, number))
               ?: sql_change(store, SQL("INSERT INTO refusal (role, worker, season, game_group,"
                                        " rotation, words) SELECT role, id, $2, $3, $4, $5"
                                        " FROM worker WHERE id = $1",
                                        sql_int(delivery->worker_id), season, number,
                                        sql_int(delivery->rotation), sql_text(words)))
               ?: remove_delivery(store, season_id, delivery);
}

int store_delivery_refuse(struct store *store, int64_t season_id,
                          const struct store_delivery *delivery, const char *words)
{
    return SQL_TRANSACTION(store, SQL_PLAIN, refuse_delivery(store, season_id, delivery, words));
}

static int set_aside(struct store *store, int64_t season_id, int64_t worker_id, const char *words,
                     char name[static STORE_TEXT_BYTES_MAX + 1])
{
    const struct sql_value season = sql_int(season_id);
    char role[STORE_TEXT_BYTES_MAX + 1];
    int error =
        SQL_FIND(store, SQL("SELECT role, name FROM worker WHERE id = $1", sql_int(worker_id)),
                 (row_text(&rows, 0, role, sizeof role),
                  row_text(&rows, 1, name, STORE_TEXT_BYTES_MAX + 1)))
            ?: add_order(store, role, name, false, words);

    if (!error && (error = take_back(store, role, name)) >= 0)
        error = sql_change(
            store, SQL("INSERT INTO dealt_group (season, number, opening, due, seeds)"
                       " SELECT season, number, opening, due | delivered, seeds FROM offer"
                       " JOIN (SELECT game_group, bit_or(CAST(1 AS bigint) <<"
                       "   CAST(rotation AS integer)) AS delivered FROM inbox WHERE season = $3"
                       "   AND worker IN " WORKERS_NAMED " GROUP BY 1) AS i ON game_group = number"
                       " WHERE season = $3",
                       sql_text(role), sql_text(name), season));
    return error
               ?: sql_change(store,
                             SQL("DELETE FROM inbox WHERE season = $3 AND worker IN " WORKERS_NAMED,
                                 sql_text(role), sql_text(name), season));
}

int store_worker_set_aside(struct store *store, int64_t season_id, int64_t worker_id,
                           const char *words, char name[static STORE_TEXT_BYTES_MAX + 1])
{
    return SQL_TRANSACTION(store, SQL_PLAIN, set_aside(store, season_id, worker_id, words, name));
}

int store_groups_clear(struct store *store, int64_t season_id)
{
    /* While an older row is locked, the newest stays: the older one would be an offer again. */
    return sql_change(store, SQL("DELETE FROM dealt_group WHERE id IN"
                                 " (SELECT id FROM dealt_group d WHERE season = $1 AND due = 0"
                                 "  AND NOT EXISTS (SELECT FROM inbox WHERE season = $1"
                                 "   AND game_group = d.number)"
                                 "  AND NOT EXISTS (SELECT FROM dealt_group o WHERE o.season = $1"
                                 "   AND o.number = d.number AND o.id < d.id)"
                                 "  FOR UPDATE SKIP LOCKED)",
                                 sql_int(season_id)));
}

/* ---- the worker's side ---- */

int store_worker_add(struct store *store, struct store_worker *worker)
{
    return require_leases(store)
               ?: SQL_FIND(
                      store,
                      SQL("SELECT * FROM worker_hello($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                          sql_bytes(worker->identity, sizeof worker->identity),
                          sql_text(worker->version), sql_text(worker->name), sql_text(worker->host),
                          sql_text(worker->processor), sql_text(worker->architecture),
                          sql_int(worker->tier), sql_int(worker->job_count),
                          sql_int(worker->core_count), sql_int(worker->playouts_per_s)),
                      (worker->id = row_int64(&rows, 0),
                       worker->started_us = worker->seen_us = row_int64(&rows, 1)));
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

enum {
    CLAIM_COLUMNS = 8, /* worker_claim returns 8 columns before those of the bot */
};

/*
 * Reads a row of worker_claim: one bot of a claimed group. The row of a group's first bot begins
 * the next element of `leases`.
 */
static void read_place(struct sql_rows *rows, struct store_lease *leases, int room, int *count)
{
    const int place = (int)row_range(rows, 0, 1, GAME_PLAYERS_MAX) - 1;
    struct store_lease *lease;
    struct store_bot *bot;

    if (place == 0 && *count < room)
        leases[(*count)++] = (struct store_lease){.group = 0};
    lease = &leases[*count > 0 ? *count - 1 : 0];
    bot = &lease->bots[place];
    row_require(rows, 0, *count > 0 && !bot->manifest, "out of order");
    if (row_end(rows))
        return;
    lease->group = row_int(rows, 1);
    lease->player_count = (int)row_range(rows, 2, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);
    lease->board = (enum board_side)row_range(rows, 3, BOARD_COLORED, BOARD_GRAY);
    lease->token = row_int64(rows, 4);
    lease->opening = row_int(rows, 5);
    lease->due = (unsigned)row_range(rows, 6, 1, (1 << lease->player_count) - 1);
    row_copy_bytes(rows, 7, lease->seeds[0], (size_t)lease->player_count * sizeof *lease->seeds);
    row_require(rows, 0, place < lease->player_count, "out of range");
    table_read(rows, CLAIM_COLUMNS + schema_tables[TABLE_BOT].column_count, TABLE_SEASON,
               &lease->season);
    table_read(rows, CLAIM_COLUMNS, TABLE_BOT, bot);
    bot->manifest = strdup(bot->manifest ? bot->manifest : "");
    if (!row_end(rows) && !bot->manifest)
        rows->error = sql_result(rows->store, -ENOMEM);
}

int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases)
{
    char *barred = write_array(claim->barred, claim->barred_count);
    int count = 0, error;

    if (!barred)
        return store_explain(store, -ENOMEM, "out of memory");
    error = SQL_EACH(store,
                     SQL("SELECT c.place, c.number, c.players, c.board, c.token, c.opening, c.due,"
                         " c.seeds, (c.bot).*, (c.terms).*"
                         " FROM worker_claim($1, $2, $3, CAST($4 AS bigint[])) AS c",
                         sql_bytes(worker->identity, sizeof worker->identity),
                         sql_int(claim->group_count), sql_int(claim->lease_us), sql_text(barred)),
                     read_place(&rows, leases, claim->group_count, &count), 0);
    free(barred);
    if (error)
        store_leases_finish(leases, count);
    return error ? error : count;
}

void store_leases_finish(struct store_lease *leases, int count)
{
    for (int i = 0; i < count; i++)
        for (int place = 0; place < leases[i].player_count; place++)
            free((char *)leases[i].bots[place].manifest);
}

int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context)
{
    struct store_renewal renewal;

    return SQL_EACH(
        store,
        SQL("SELECT * FROM worker_renew($1, $2)",
            sql_bytes(worker->identity, sizeof worker->identity), sql_int(lease_us)),
        (renewal =
             (struct store_renewal){row_int64(&rows, 0), row_int(&rows, 1), row_int64(&rows, 2),
                                    (enum store_lease_state)row_range(&rows, 3, STORE_LEASE_PLAYED,
                                                                      STORE_LEASE_VOID)}),
        each_fn(context, &renewal));
}

int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease)
{
    const struct sql_value identity = sql_bytes(worker->identity, sizeof worker->identity);

    int error = sql_change(
        store, lease ? SQL("SELECT worker_give_back($1, $2, $3, $4)", identity,
                           sql_int(lease->season.id), sql_int(lease->group), sql_int(lease->token))
                     : SQL("SELECT worker_give_back($1, NULL, NULL, NULL)", identity));

    if (!error)
        sql_hint(store, STORE_CHANNEL_WORK);
    return error;
}

int store_deliver(struct store *store, const struct store_worker *worker,
                  const struct store_lease *lease, int rotation, int64_t wall_us,
                  const uint8_t *replay, size_t replay_bytes)
{
    char word[16];
    int error =
        SQL_FIND(store,
                 SQL("SELECT worker_deliver($1, $2, $3, $4, $5, $6, $7)",
                     sql_bytes(worker->identity, sizeof worker->identity),
                     sql_int(lease->season.id), sql_int(lease->group), sql_int(lease->token),
                     sql_int(rotation), sql_int(wall_us), sql_bytes(replay, replay_bytes)),
                 row_text(&rows, 0, word, sizeof word));

    if (!error && strcmp(word, "first") == 0)
        sql_hint(store, STORE_CHANNEL_RESULTS);
    if (error || strcmp(word, "kept") == 0 || strcmp(word, "first") == 0)
        return error;
    if (strcmp(word, "stale") == 0)
        return store_refuse(store, -ESTALE,
                            "game %d of group %d came too late and is discarded: this worker took "
                            "too long, and another worker plays the group now",
                            rotation, lease->group);
    if (strcmp(word, "closed") == 0)
        return store_refuse(store, -ECANCELED,
                            "game %d of group %d does not count: the season was closed before the "
                            "game was delivered",
                            rotation, lease->group);
    if (strcmp(word, "full") == 0)
        return store_refuse(store, -ENOSPC,
                            "%s: too many delivered games wait for the daemon: check that `arena "
                            "serve --jobs 0` is running",
                            store->where);
    return store_refuse(store, -EINVAL, "game %d of group %d: the replay is longer than 16 MiB",
                        rotation, lease->group);
}

int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part)
{
    int error;

    *part = (struct store_part){0};
    error =
        SQL_FIND(store,
                 SQL_SLOW("SELECT * FROM worker_package($1, $2, $3, $4)",
                          sql_bytes(worker->identity, sizeof worker->identity), sql_text(sha256),
                          sql_int((int64_t)from_byte), sql_int(LEASE_PART_BYTES)),
                 (part->whole_bytes = (size_t)row_range(&rows, 0, 0, STORE_PACKAGE_BYTES_MAX),
                  row_take_bytes(&rows, 1, LEASE_PART_BYTES, &part->bytes, &part->size)));
    if (error == -ENOENT)
        store_refuse(store, error,
                     "package %s belongs to no bot in the games that this worker has claimed",
                     sha256);
    return error;
}

int store_listen(struct store *store, enum store_channel channel)
{
    store->failure[0] = '\0';
    return store->driver->listen
               ? sql_result(store, store->driver->listen(store, channel))
               : store_refuse(store, -ENOTSUP,
                              "%s: this store sends no notifications: poll the store instead",
                              store->where);
}

int store_heard(struct store *store)
{
    store->failure[0] = '\0';
    return store->driver->heard ? sql_result(store, store->driver->heard(store)) : 0;
}
