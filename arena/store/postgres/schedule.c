/* The schedule of a season: batches with their entries and groups. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

/* ---- reading ---- */

static int tell_entry(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_entry entry = {
        .number = tuple_int(row, 0), .bot_id = tuple_int64(row, 1), .batch = tuple_int(row, 2)};
    int error = tuple_end(telling->store, row);

    if (!error && ((store_entry_fn *)telling->each_fn)(telling->context, &entry) != 0)
        error = -EINTR;
    return error;
}

int postgres_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                          void *context)
{
    const struct listing listing = {"entry",
                                    "SELECT number, bot, batch FROM entry WHERE season = $3"
                                    " AND number > $1 ORDER BY number LIMIT $2",
                                    season_id};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_entry, &telling);
}

static int tell_batch(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_batch batch = {.number = tuple_int(row, 0),
                                .opening = tuple_int(row, 1),
                                .event = tuple_int64(row, 2),
                                .seating = (unsigned)tuple_int(row, 3)};
    int error = tuple_end(telling->store, row);

    if (!error && ((store_batch_fn *)telling->each_fn)(telling->context, &batch) != 0)
        error = -EINTR;
    return error;
}

int postgres_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                          void *context)
{
    const struct listing listing = {"batch",
                                    "SELECT number, opening, event, seating FROM batch"
                                    " WHERE season = $3 AND number > $1 ORDER BY number LIMIT $2",
                                    season_id};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_batch, &telling);
}

static int tell_group(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_group group = {.number = tuple_int(row, 0),
                                .batch = tuple_int(row, 1),
                                .opening = tuple_int(row, 2),
                                .board = (enum board_side)tuple_int(row, 3),
                                .player_count = tuple_int(row, 4)};
    int error;

    for (int i = 0; i < group.player_count && i < GAME_PLAYERS_MAX; i++)
        group.base[i] = tuple_int(row, 5 + i);
    error = tuple_end(telling->store, row);
    if (!error && ((store_group_fn *)telling->each_fn)(telling->context, &group) != 0)
        error = -EINTR;
    return error;
}

int postgres_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                         void *context)
{
    const struct listing listing = {"game_group",
                                    "SELECT number, batch, opening, board, players, base0, base1,"
                                    " base2, base3 FROM game_group WHERE season = $3"
                                    " AND number > $1 ORDER BY number LIMIT $2",
                                    season_id};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_group, &telling);
}

/* ---- adding a batch: each table's rows in one INSERT, as arrays ---- */

/* A column of many rows as a PostgreSQL array: {1,2,NULL}. */
struct column {
    char *text; /* NULL if memory ran out */
    size_t length, capacity;
};

static void column_begin(struct column *column, size_t row_count)
{
    column->capacity = row_count * 21 + 3; /* digits of a 64-bit number, and a comma */
    column->text = malloc(column->capacity);
    column->length = 0;
    if (column->text)
        column->text[column->length++] = '{';
}

__attribute__((format(printf, 2, 3))) static void column_add(struct column *column,
                                                             const char *format, ...)
{
    va_list arguments;

    if (!column->text)
        return;
    if (column->length > 1)
        column->text[column->length++] = ',';
    va_start(arguments, format);
    column->length += (size_t)vsnprintf(column->text + column->length,
                                        column->capacity - column->length, format, arguments);
    va_end(arguments);
}

/* Completes the columns and runs an INSERT whose parameters are the season, $1, and the columns. */
static int insert_columns(struct store *store, const char *sql, int64_t season_id,
                          struct column *columns, int count)
{
    struct query query;
    int changed = 0;

    query_init(&query, sql);
    query_int(&query, season_id);
    for (int i = 0; i < count; i++) {
        if (!columns[i].text)
            changed = -ENOMEM;
        else
            memcpy(columns[i].text + columns[i].length, "}", 2);
        query_array(&query, columns[i].text);
    }
    if (!changed)
        changed = server_change(store, &query);
    for (int i = 0; i < count; i++)
        free(columns[i].text);
    return changed < 0 ? changed : 0;
}

static int insert_entries(struct store *store, int64_t season_id, const struct store_entry *entries,
                          size_t count)
{
    struct column columns[3];

    if (!count)
        return 0;
    for (int i = 0; i < 3; i++)
        column_begin(&columns[i], count);
    for (size_t i = 0; i < count; i++) {
        column_add(&columns[0], "%d", entries[i].number);
        column_add(&columns[1], "%lld", (long long)entries[i].bot_id);
        column_add(&columns[2], "%d", entries[i].batch);
    }
    return insert_columns(store,
                          "INSERT INTO entry (season, number, bot, batch)"
                          " SELECT $1, * FROM unnest($2, $3, $4)",
                          season_id, columns, 3);
}

static int insert_groups(struct store *store, int64_t season_id, const struct store_group *groups,
                         size_t count)
{
    struct column columns[5 + GAME_PLAYERS_MAX];

    if (!count)
        return 0;
    for (int i = 0; i < 5 + GAME_PLAYERS_MAX; i++)
        column_begin(&columns[i], count);
    for (size_t i = 0; i < count; i++) {
        column_add(&columns[0], "%d", groups[i].number);
        column_add(&columns[1], "%d", groups[i].batch);
        column_add(&columns[2], "%d", groups[i].opening);
        column_add(&columns[3], "%d", (int)groups[i].board);
        column_add(&columns[4], "%d", groups[i].player_count);
        for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
            if (seat < groups[i].player_count)
                column_add(&columns[5 + seat], "%d", groups[i].base[seat]);
            else
                column_add(&columns[5 + seat], "NULL");
    }
    return insert_columns(store,
                          "INSERT INTO game_group (season, number, batch, opening, board, players,"
                          " base0, base1, base2, base3)"
                          " SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10)",
                          season_id, columns, 5 + GAME_PLAYERS_MAX);
}

static int insert_batch(struct store *store, int64_t season_id, const struct store_batch *batch)
{
    struct query query;
    int changed;

    query_init(&query, "INSERT INTO batch (season, number, opening, event, seating)"
                       " VALUES ($1, $2, $3, $4, $5)");
    query_int(&query, season_id);
    query_int(&query, batch->number);
    query_int(&query, batch->opening);
    query_int(&query, batch->event);
    query_int(&query, batch->seating);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

/*
 * Checks that a batch was chosen from current data. It stays current: new events wait for this
 * transaction.
 */
static int check_batch(struct store *store, int64_t season_id, const struct store_batch *batch)
{
    int64_t latest;
    int error = postgres_claim_hold(store, season_id);

    if (!error)
        error = postgres_opening_hold(store, season_id, batch->opening);
    if (!error)
        error = postgres_event_latest(store, &latest);
    return !error && latest != batch->event ? -ESTALE : error;
}

int postgres_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                       const struct store_entry *entries, size_t entry_count,
                       const struct store_group *groups, size_t group_count)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = check_batch(store, season_id, batch);

        if (!error)
            error = insert_batch(store, season_id, batch);
        if (!error)
            error = insert_entries(store, season_id, entries, entry_count);
        if (!error)
            error = insert_groups(store, season_id, groups, group_count);
        server_end(store, &attempt, error);
    }
    return attempt.error;
}
