/* The parameters of a statement, and listings read page by page. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "arena/store/postgres/server.h"

/* Type OIDs of the server's catalog, which never change. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_TEXT = 25,
    TYPE_INT8_ARRAY = 1016,
};

enum {
    PAGE_ROWS = 1000,
};

void query_init(struct query *query, const char *sql)
{
    query->sql = sql;
    query->wait_ms = 0;
    query->count = 0;
}

/* Adds the next parameter, in binary format. */
static void add(struct query *query, Oid type, const void *value, size_t size)
{
    assert(query->count < QUERY_PARAMETERS_MAX && size <= INT32_MAX);
    query->types[query->count] = type;
    query->values[query->count] = value;
    query->lengths[query->count] = (int)size;
    query->formats[query->count++] = 1;
}

void query_int(struct query *query, int64_t value)
{
    uint8_t *bytes = query->numbers[query->count];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> (56 - 8 * i));
    add(query, TYPE_INT8, bytes, 8);
}

void query_bool(struct query *query, bool value)
{
    uint8_t *byte = query->numbers[query->count];

    *byte = value;
    add(query, TYPE_BOOL, byte, 1);
}

void query_text(struct query *query, const char *text)
{
    add(query, TYPE_TEXT, text, text ? strlen(text) : 0);
}

void query_bytes(struct query *query, const uint8_t *bytes, size_t size)
{
    add(query, TYPE_BYTEA, bytes ? bytes : (const uint8_t *)"", size);
}

void query_array(struct query *query, const char *text)
{
    add(query, TYPE_INT8_ARRAY, text, 0);
    query->formats[query->count - 1] = 0;
}

void query_play(struct query *query, const struct store_play *play)
{
    query_int(query, play->memory_bytes);
    query_int(query, play->tier);
    query_bool(query, play->freeze);
    query_bool(query, play->pin);
}

/* ---- listings ---- */

/* Calls each_fn for the rows of one page. */
static int tell_rows(struct store *store, const PGresult *result, const char *table,
                     server_tuple_fn *each_fn, void *context, int64_t *last)
{
    for (int i = 0; i < libpq.PQntuples(result); i++) {
        struct tuple tuple = {.result = result, .number = i, .table = table, .key_count = 1};
        int error;

        *last = tuple_int64(&tuple, 0);
        error = tuple_end(store, &tuple);
        if (!error)
            error = each_fn(context, &tuple);
        if (error)
            return error;
    }
    return 0;
}

int server_each(struct store *store, const struct listing *listing, server_tuple_fn *each_fn,
                void *context)
{
    int page_rows = listing->page_rows ? listing->page_rows : PAGE_ROWS;
    int64_t last = -1;
    int count, error;

    do {
        struct query query;
        PGresult *result;

        query_init(&query, listing->sql);
        query.wait_ms = listing->wait_ms;
        query_int(&query, last);
        query_int(&query, page_rows);
        if (listing->season_id)
            query_int(&query, listing->season_id);
        if ((error = server_run(store, &query, &result)) < 0)
            return error;
        count = libpq.PQntuples(result);
        error = tell_rows(store, result, listing->table, each_fn, context, &last);
        libpq.PQclear(result);
    } while (!error && count == page_rows);
    return error;
}

int server_first(struct store *store, const struct query *query, const char *table,
                 server_tuple_fn *each_fn, void *context)
{
    struct tuple tuple = {.table = table, .key_count = 1};
    PGresult *result;
    int error = server_run(store, query, &result);

    if (error)
        return error;
    tuple.result = result;
    error = libpq.PQntuples(result) ? each_fn(context, &tuple) : -ENOENT;
    libpq.PQclear(result);
    return error;
}
