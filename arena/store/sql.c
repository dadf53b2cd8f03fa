/* SPDX-License-Identifier: MIT */
/*
 * Code that both drivers share: parameters, rows and their columns, listings by pages,
 * transactions.
 */
#include "arena/store/sql.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAGE_ROWS = 4000,
    ATTEMPTS_MAX = 20, /* maximum number of attempts of a transaction that ends in deadlocks */
    LOST_MAX = 1,      /* attempts after a lost connection, per transaction */
};

/* ---- parameters ---- */

struct sql_value sql_int(int64_t value)
{
    return (struct sql_value){.type = SQL_INT, .number = value};
}

struct sql_value sql_int_or_null(int64_t value)
{
    return (struct sql_value){.type = value ? SQL_INT : SQL_NULL, .number = value};
}

struct sql_value sql_bool(bool value)
{
    return (struct sql_value){.type = SQL_BOOL, .number = value};
}

struct sql_value sql_text(const char *text)
{
    return (struct sql_value){
        .type = text ? SQL_TEXT : SQL_NULL, .bytes = text, .size = text ? strlen(text) : 0};
}

struct sql_value sql_bytes(const void *bytes, size_t size)
{
    return (struct sql_value){.type = SQL_BYTES, .bytes = size ? bytes : "", .size = size};
}

void sql_hash(struct sha256_ctx *hash, const struct sql_value *value)
{
    bool is_number = value->type == SQL_INT || value->type == SQL_BOOL;
    size_t size = is_number ? 8 : value->type == SQL_NULL ? 0 : value->size;
    uint64_t length = htole64(value->type == SQL_NULL ? UINT64_MAX : size);
    uint64_t number = htole64((uint64_t)value->number);

    sha256_update(hash, sizeof length, (const uint8_t *)&length);
    sha256_update(hash, size, is_number ? (const uint8_t *)&number : value->bytes);
}

/* ---- running a statement ---- */

int sql_result(struct store *store, int error)
{
    if (error >= 0 || *store->failure)
        return error;
    if (error == -ENOMEM)
        return store_explain(store, error, "out of memory");
    return store_refuse(store, error, "%s: %s", store->where, strerror(-error));
}

void store_watch(struct store *store, bool (*is_over_fn)(void *owner), void *owner)
{
    store->is_over_fn = is_over_fn;
    store->is_over_owner = owner;
}

bool sql_is_over(const struct store *store)
{
    return store->is_over_fn && store->state == SQL_IDLE && store->is_over_fn(store->is_over_owner);
}

int sql_give_up(struct store *store)
{
    return store_refuse(store, -ETIMEDOUT,
                        "%s: the reading was given up, because nobody waits for it any more",
                        store->where);
}

/* Runs the statement of rows->query, or the statement of its next page. */
static void start(struct sql_rows *rows, const struct sql_query *query)
{
    struct store *store = rows->store;

    store->failure[0] = '\0';
    rows->source = NULL;
    rows->row_number = rows->page_count = 0;
    rows->error = sql_is_over(store) ? sql_give_up(store) : store->driver->start(rows, query);
    if (rows->error != -EEXIST)
        sql_result(store, rows->error);
}

void sql_open(struct store *store, struct sql_rows *rows, const struct sql_query *query)
{
    rows->store = store;
    row_name(rows, "computed", 0, 0);
    rows->fault = NULL;
    rows->page_rows = 0;
    store->reading_count++;
    start(rows, query);
}

/*
 * Returns true if the row belongs to this page. The rows of the last key may be incomplete: they
 * come again on the next page.
 */
static bool is_on_page(struct sql_rows *rows)
{
    int64_t *last = &rows->page_values[1].number;
    int64_t key = row_int64(rows, rows->key_column);

    row_require(rows, rows->key_column, key >= *last, "out of order");
    if (row_end(rows) || (key != *last && rows->page_count + rows->rows_per_key > rows->page_rows))
        return false;
    *last = key;
    rows->page_count++;
    return true;
}

bool sql_next(struct sql_rows *rows)
{
    const struct sql_driver *driver = rows->store->driver;
    int result = 0;

    while (!rows->error && (result = driver->next(rows)) >= 0) {
        if (result == 1 && (!rows->page_rows || is_on_page(rows)))
            return true;
        /* The last page has fewer rows than a page may have. */
        if (rows->error || !rows->page_rows || (result == 0 && rows->page_count < rows->page_rows))
            return false;
        driver->end(rows);
        start(rows, &rows->query);
    }
    if (result < 0 && (rows->error = result) != -EEXIST)
        sql_result(rows->store, result);
    return false;
}

int sql_close(struct sql_rows *rows)
{
    rows->store->driver->end(rows);
    rows->store->reading_count--;
    return rows->error;
}

int sql_run(struct store *store, const struct sql_query *query)
{
    struct sql_rows rows;

    sql_open(store, &rows, query);
    while (sql_next(&rows))
        ;
    return sql_close(&rows) ? rows.error : rows.changed_count;
}

int sql_change(struct store *store, const struct sql_query *query)
{
    int changed = sql_run(store, query);

    return changed < 0 ? changed : 0;
}

int sql_number(struct store *store, const struct sql_query *query, int64_t *number)
{
    return SQL_FIND(store, query, *number = row_int64_or_null(&rows, 0));
}

void sql_list(struct store *store, struct sql_rows *rows, const struct sql_listing *listing)
{
    rows->query = (struct sql_query){.text = listing->text,
                                     .is_slow = listing->is_slow,
                                     .count = 2 + (listing->season_id != 0) + (listing->end != 0) +
                                              (listing->name != NULL),
                                     .values = rows->page_values};
    rows->page_values[1] = sql_int(listing->after);
    rows->page_values[2] = sql_int(listing->page_rows ? listing->page_rows : PAGE_ROWS);
    rows->page_values[3] = sql_int(listing->season_id);
    rows->page_values[4] = sql_int(listing->end);
    rows->page_values[5] = sql_text(listing->name);
    sql_open(store, rows, &rows->query);
    rows->page_rows = (int)rows->page_values[2].number;
    rows->key_column = listing->key_column;
    rows->rows_per_key = listing->rows_per_key ? listing->rows_per_key : 1;
}

/* ---- columns ---- */

void row_name(struct sql_rows *rows, const char *table, int key_first, int key_count)
{
    rows->table = table;
    rows->key_first = key_first;
    rows->key_count = key_count;
}

void row_require(struct sql_rows *rows, int column, bool holds, const char *fault)
{
    if (holds || rows->fault)
        return;
    rows->bad_column = column;
    rows->fault = fault;
}

bool row_is_null(const struct sql_rows *rows, int column)
{
    return rows->values[column].type == SQL_NULL;
}

int64_t row_out_of_range(struct sql_rows *rows, int column, int64_t minimum)
{
    row_require(rows, column, false,
                rows->values[column].type == SQL_INT ? "out of range" : "not an integer");
    return minimum > 0 ? minimum : 0;
}

int64_t row_int64_or_null(struct sql_rows *rows, int column)
{
    return row_is_null(rows, column) ? 0 : row_int64(rows, column);
}

bool row_bool(struct sql_rows *rows, int column)
{
    return row_range(rows, column, 0, 1) != 0;
}

const char *row_text_or_null(struct sql_rows *rows, int column)
{
    const struct sql_value *value = &rows->values[column];

    if (value->type == SQL_NULL)
        return NULL;
    row_require(rows, column, value->type == SQL_TEXT, "not a text");
    if (value->type != SQL_TEXT)
        return NULL;
    row_require(rows, column, strlen(value->bytes) == value->size, "a text with a NUL in it");
    return value->bytes;
}

void row_text(struct sql_rows *rows, int column, char *target, size_t size)
{
    const char *text = row_text_or_null(rows, column);

    *target = '\0';
    row_require(rows, column, text, "not a text");
    row_require(rows, column, !text || strlen(text) < size, "too long");
    if (text && strlen(text) < size)
        strcpy(target, text);
}

const uint8_t *row_bytes(struct sql_rows *rows, int column, size_t *size)
{
    const struct sql_value *value = &rows->values[column];

    *size = value->type == SQL_BYTES ? value->size : 0;
    row_require(rows, column, value->type == SQL_BYTES || value->type == SQL_NULL, "not bytes");
    return value->type == SQL_BYTES ? value->bytes : NULL;
}

void row_copy_bytes(struct sql_rows *rows, int column, uint8_t *target, size_t size)
{
    size_t stored;
    const uint8_t *bytes = row_bytes(rows, column, &stored);

    memset(target, 0, size);
    row_require(rows, column, bytes && stored == size, "of the wrong length");
    if (bytes && stored == size)
        memcpy(target, bytes, size);
}

void row_take_bytes(struct sql_rows *rows, int column, size_t size_max, uint8_t **bytes,
                    size_t *size)
{
    const struct sql_value *value = &rows->values[column];

    *bytes = NULL;
    row_require(rows, column, value->type == SQL_TEXT || value->type == SQL_BYTES, "not bytes");
    row_require(rows, column, value->size <= size_max, "too long");
    if (row_end(rows))
        return;
    *bytes = malloc(value->size + 1);
    if (!*bytes) {
        rows->error = sql_result(rows->store, -ENOMEM);
        return;
    }
    memcpy(*bytes, value->bytes, value->size);
    (*bytes)[value->size] = '\0';
    if (size)
        *size = value->size;
}

/* Writes the key columns of a row, for example "id 3". */
static void write_key(const struct sql_rows *rows, char *key, size_t size)
{
    size_t length = 0;

    key[0] = '\0';
    for (int i = 0; i < rows->key_count && length < size; i++) {
        const struct sql_value *value = &rows->values[rows->key_first + i];

        length += (size_t)snprintf(key + length, size - length, "%s%s ", i ? ", " : "",
                                   rows->store->driver->column_name(rows, rows->key_first + i));
        if (value->type == SQL_INT && length < size)
            length +=
                (size_t)snprintf(key + length, size - length, "%lld", (long long)value->number);
        else if (value->type == SQL_TEXT && length < size)
            length +=
                (size_t)snprintf(key + length, size - length, "%.40s", (const char *)value->bytes);
    }
}

int row_end(struct sql_rows *rows)
{
    char key[200];

    if (!rows->fault || rows->error)
        return rows->error;
    write_key(rows, key, sizeof key);
    return rows->error =
               store_damaged(rows->store, rows->table, key,
                             rows->store->driver->column_name(rows, rows->bad_column), rows->fault);
}

/* ---- transactions ---- */

/* Sends the notifications that wait, and ignores errors. */
static void send_hints(struct store *store)
{
    static const char *const texts[] = {
        [STORE_CHANNEL_WORK] = "SELECT pg_notify('pavilion_work', '')",
        [STORE_CHANNEL_RESULTS] = "SELECT pg_notify('pavilion_results', '')"};
    unsigned hints = store->hints;

    store->hints = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && store->driver->listen; i++)
        if (hints & 1u << i)
            sql_change(store, SQL(texts[i]));
    store->failure[0] = '\0';
}

void sql_hint(struct store *store, enum store_channel channel)
{
    store->hints |= 1u << channel;
    if (store->state == SQL_IDLE)
        send_hints(store);
}

/* Rolls back, and keeps the message of the error before. */
static void roll_back(struct store *store)
{
    char failure[sizeof store->failure];

    store->hints = 0;
    strcpy(failure, store->failure);
    store->driver->rollback(store);
    strcpy(store->failure, failure);
    store->state = SQL_IDLE;
}

int sql_lock_control(struct store *store)
{
    int64_t version;
    int error = sql_number(store, SQL("SELECT version FROM pavilion FOR UPDATE"), &version);

    if (error || version == STORE_SCHEMA_VERSION || version == -STORE_SCHEMA_VERSION)
        return error;
    return store_refuse(store, -ENOTSUP,
                        "%s was upgraded by another arena while this one had it open: end this one "
                        "and start that one",
                        store->where);
}

/* Returns true if the attempt certainly committed nothing, and another attempt may succeed. */
static bool may_try_again(struct sql_transaction *transaction, int error)
{
    if (error == -EAGAIN)
        return ++transaction->count < ATTEMPTS_MAX;
    if (error == -ENOTCONN || error == -ECONNABORTED)
        return ++transaction->lost_count <= LOST_MAX;
    return false;
}

static int final_error(int error)
{
    return error == -EAGAIN ? -EBUSY : error == -ECONNABORTED ? -ENOTCONN : error;
}

static void finish(struct store *store, struct sql_transaction *transaction, int error)
{
    transaction->is_done = true;
    transaction->error = sql_result(store, final_error(error));
    if (error && store->state == SQL_IN_TRANSACTION)
        store->state = SQL_BROKEN;
}

static int begin_attempt(struct store *store, enum sql_wait wait)
{
    return sql_is_over(store) ? sql_give_up(store) : store->driver->begin(store, wait);
}

bool sql_begin(struct store *store, struct sql_transaction *transaction)
{
    int error;

    if (transaction->is_done)
        return false;
    assert(store->reading_count == 0 && store->state != SQL_BROKEN);
    store->failure[0] = '\0';
    transaction->is_own = store->state == SQL_IDLE;
    do {
        error = transaction->is_own ? begin_attempt(store, transaction->wait) : 0;
        if (!error && transaction->is_own)
            store->state = SQL_IN_CALL;
        if (!error && transaction->locks_control)
            error = sql_lock_control(store);
        if (!error)
            return true;
        if (transaction->is_own)
            roll_back(store);
    } while (transaction->is_own && may_try_again(transaction, error));
    finish(store, transaction, error);
    return false;
}

/* After a deadlock, gives the other process time to finish. */
static void pause_after(int attempt_count)
{
    const struct timespec pause = {.tv_nsec = 1000000L << (attempt_count < 6 ? attempt_count : 6)};

    nanosleep(&pause, NULL);
}

void sql_end(struct store *store, struct sql_transaction *transaction, int error)
{
    bool is_committing = !error;

    if (!transaction->is_own) {
        finish(store, transaction, error);
        return;
    }
    if (is_committing)
        error = store->driver->commit(store);
    if (error)
        roll_back(store);
    store->state = SQL_IDLE;
    if (!error)
        send_hints(store);
    /*
     * After -ENOTCONN from a commit, the commit may have succeeded, so the body must not run again.
     */
    if (!error || (is_committing && error == -ENOTCONN) || !may_try_again(transaction, error))
        finish(store, transaction, error);
    else if (error == -EAGAIN)
        pause_after(transaction->count);
}

int store_connection(const struct store *store)
{
    return store->connection_number;
}

/* ---- transactions of the caller ---- */

static int begin(struct store *store, enum sql_wait wait)
{
    int error;

    assert(store->reading_count == 0 && store->state == SQL_IDLE);
    store->failure[0] = '\0';
    error = begin_attempt(store, wait);
    if (error == -ENOTCONN) /* the connection died while it was idle */
        error = begin_attempt(store, wait);
    if (!error)
        store->state = SQL_IN_TRANSACTION;
    return sql_result(store, final_error(error));
}

int store_begin(struct store *store)
{
    return begin(store, SQL_WAITS);
}

int store_begin_slow(struct store *store)
{
    return begin(store, SQL_WAITS_LONG);
}

int store_commit(struct store *store)
{
    int error;

    assert(store->reading_count == 0 && store->state == SQL_IN_TRANSACTION);
    store->failure[0] = '\0';
    error = store->driver->commit(store);
    store->state = error ? SQL_BROKEN : SQL_IDLE;
    if (!error)
        send_hints(store);
    return sql_result(store, final_error(error));
}

void store_rollback(struct store *store)
{
    roll_back(store);
}

int store_end(struct store *store, int error)
{
    error = error ?: store_commit(store);
    if (error)
        store_rollback(store);
    return error;
}
