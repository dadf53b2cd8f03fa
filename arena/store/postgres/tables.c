/* Rows of whole tables, for copies. */
#include "arena/store/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

static void read_value(struct tuple *row, int column, enum store_column_type type,
                       struct store_value *value)
{
    *value = (struct store_value){.is_null = tuple_is_null(row, column)};
    if (value->is_null)
        return;
    switch (type) {
    case STORE_COLUMN_INT:
        value->integer = tuple_int64(row, column);
        break;
    case STORE_COLUMN_BOOL:
        value->integer = tuple_bool(row, column);
        break;
    case STORE_COLUMN_TEXT:
        value->bytes = (const uint8_t *)tuple_text_or_null(row, column);
        value->size = value->bytes ? strlen((const char *)value->bytes) : 0;
        break;
    case STORE_COLUMN_BYTES:
        value->bytes = tuple_bytes(row, column, &value->size);
        break;
    }
}

enum {
    PAGE_WAIT_MS = 600000, /* packages may have 256 MiB */
};

/*
 * Reads the page after the last row of `last`, which must stay valid until the next page was
 * requested.
 */
static int read_page(struct store *store, const struct store_table *table, const char *sql,
                     const PGresult *last, PGresult **result)
{
    struct tuple row = {.result = last};
    struct query query;

    if (last)
        row.number = libpq.PQntuples(last) - 1;
    query_init(&query, sql);
    query.wait_ms = PAGE_WAIT_MS;
    for (int key = 0; key < table->key_count; key++)
        if (table->columns[key].type == STORE_COLUMN_TEXT)
            query_text(&query, last ? tuple_text_or_null(&row, key) : "");
        else
            query_int(&query, last ? tuple_int64(&row, key) : INT64_MIN);
    query_int(&query, table->page_rows);
    return server_run(store, &query, result);
}

static int tell_page(struct store *store, const struct store_table *table, const PGresult *result,
                     store_row_fn *each_fn, void *context)
{
    struct store_value values[TABLES_COLUMNS_MAX];
    int error = 0;

    for (int i = 0; i < libpq.PQntuples(result) && !error; i++) {
        struct tuple row = {
            .result = result, .number = i, .table = table->name, .key_count = table->key_count};

        for (int column = 0; column < table->column_count; column++)
            read_value(&row, column, table->columns[column].type, &values[column]);
        error = tuple_end(store, &row);
        if (!error)
            error = each_fn(context, values);
    }
    return error;
}

int postgres_rows_each(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                       void *context)
{
    char sql[TABLES_SQL_BYTES];
    PGresult *last = NULL, *result;
    int error, count;

    tables_select_sql(table, sql);
    do {
        error = read_page(store, table, sql, last, &result);
        libpq.PQclear(last);
        last = error ? NULL : result;
        count = error ? 0 : libpq.PQntuples(result);
        if (!error)
            error = tell_page(store, table, result, each_fn, context);
    } while (!error && count == table->page_rows);
    libpq.PQclear(last);
    return error;
}

int postgres_row_add(struct store *store, const struct store_table *table,
                     const struct store_value *values)
{
    char sql[TABLES_SQL_BYTES];
    char *texts[TABLES_COLUMNS_MAX] = {NULL};
    struct query query;
    int changed = 0;

    tables_insert_sql(table, sql);
    query_init(&query, sql);
    for (int i = 0; i < table->column_count && changed == 0; i++) {
        const struct store_value *value = &values[i];

        switch (table->columns[i].type) {
        case STORE_COLUMN_INT:
            query_int(&query, value->integer);
            break;
        case STORE_COLUMN_BOOL:
            query_bool(&query, value->integer != 0);
            break;
        case STORE_COLUMN_TEXT:
            texts[i] = strndup(value->is_null ? "" : (const char *)value->bytes, value->size);
            changed = texts[i] ? 0 : -ENOMEM;
            query_text(&query, texts[i]);
            break;
        case STORE_COLUMN_BYTES:
            query_bytes(&query, value->bytes, value->size);
            break;
        }
        if (value->is_null)
            query.values[i] = NULL;
    }
    if (changed == 0)
        changed = server_change(store, &query);
    for (int i = 0; i < table->column_count; i++)
        free(texts[i]);
    return changed < 0 ? changed : 0;
}

static int run(struct store *store, const char *sql)
{
    struct query query;
    int changed;

    query_init(&query, sql);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

int postgres_rows_end(struct store *store)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = run(store, "UPDATE pavilion SET last_event ="
                               " (SELECT coalesce(max(id), 0) FROM event)");

        if (!error)
            error = run(store, "SELECT setval(pg_get_serial_sequence('submission', 'id'),"
                               " (SELECT max(id) FROM submission))");
        if (!error)
            error = run(store, "SELECT setval(pg_get_serial_sequence('worker', 'id'),"
                               " (SELECT max(id) FROM worker))");
        server_end(store, &attempt, error);
    }
    return attempt.error;
}
