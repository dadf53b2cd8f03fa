/*
 * Code that both drivers share: parameters, the columns of a row, listings by pages, transactions.
 */
#include "arena/store/sql.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAGE_ROWS = 4000,
    ATTEMPTS_MAX = 20, /* attempts of a transaction that ends in deadlocks */
    LOST_MAX = 1,      /* attempts after a lost connection, per transaction */
};

/* ---- parameters ---- */

void sql_init(struct sql_query *query, const char *table, int key_count, const char *text)
{
    query->text = text;
    query->table = table;
    query->key_count = key_count;
    query->lock = SQL_LOCK_NONE;
    query->is_slow = false;
    query->count = 0;
}

static void add_parameter(struct sql_query *query, struct sql_value value)
{
    assert(query->count < SQL_PARAMETERS_MAX);
    query->parameters[query->count++] = value;
}

void sql_int(struct sql_query *query, int64_t value)
{
    add_parameter(query, (struct sql_value){.type = SQL_INT, .number = value});
}

void sql_int_or_null(struct sql_query *query, int64_t value)
{
    add_parameter(query, (struct sql_value){.type = value ? SQL_INT : SQL_NULL, .number = value});
}

void sql_bool(struct sql_query *query, bool value)
{
    add_parameter(query, (struct sql_value){.type = SQL_BOOL, .number = value});
}

void sql_text(struct sql_query *query, const char *text)
{
    add_parameter(query, (struct sql_value){.type = text ? SQL_TEXT : SQL_NULL,
                                            .bytes = text,
                                            .size = text ? strlen(text) : 0});
}

void sql_text_or_null(struct sql_query *query, const char *text)
{
    sql_text(query, text && *text ? text : NULL);
}

void sql_bytes(struct sql_query *query, const void *bytes, size_t size)
{
    add_parameter(query,
                  (struct sql_value){.type = SQL_BYTES, .bytes = size ? bytes : "", .size = size});
}

void sql_bytes_or_null(struct sql_query *query, const void *bytes, size_t size)
{
    if (size)
        sql_bytes(query, bytes, size);
    else
        sql_text(query, NULL);
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

static int run(struct store *store, const struct sql_query *query, sql_row_fn *row_fn,
               void *context)
{
    int result;

    store->failure[0] = '\0';
    if (row_fn)
        store->row_depth++;
    result = store->driver->run(store, query, row_fn, context);
    if (row_fn)
        store->row_depth--;
    if (result == -EEXIST || result == -ENOENT || result == -EINTR)
        return result;
    return sql_result(store, result);
}

int sql_run(struct store *store, const struct sql_query *query)
{
    return run(store, query, NULL, NULL);
}

int sql_change(struct store *store, const struct sql_query *query)
{
    int changed = sql_run(store, query);

    return changed < 0 ? changed : 0;
}

int sql_rows(struct store *store, const struct sql_query *query, sql_row_fn *row_fn, void *context)
{
    int count = run(store, query, row_fn, context);

    return count < 0 ? count : 0;
}

struct first_context {
    sql_row_fn *row_fn;
    void *context;
    bool is_found;
};

/*
 * Ignores all rows after the first, but reads them: a statement that changes rows has to run to its
 * end.
 */
static int take_first(void *context, struct sql_row *row)
{
    struct first_context *first = context;

    if (first->is_found)
        return 0;
    first->is_found = true;
    return first->row_fn(first->context, row);
}

int sql_first(struct store *store, const struct sql_query *query, sql_row_fn *row_fn, void *context)
{
    struct first_context first = {row_fn, context, false};
    int error = sql_rows(store, query, take_first, &first);

    return error || first.is_found ? error : -ENOENT;
}

int sql_take_number(void *number, struct sql_row *row)
{
    *(int64_t *)number = row_int64_or_null(row, 0);
    return row_end(row);
}

/* ---- listings ---- */

void sql_listing_init(struct sql_listing *listing, const char *table, int key_count, int64_t after,
                      const char *text)
{
    sql_init(&listing->query, table, key_count, text);
    sql_int(&listing->query, after);
    sql_int(&listing->query, 0);
    listing->after = after;
    listing->key_column = 0;
    listing->page_rows = 0;
    listing->rows_per_key = 0;
}

struct page_context {
    sql_row_fn *row_fn;
    void *context;
    int row_count, row_count_max;
    int key_column, rows_per_key;
    int64_t last; /* key of the previous row */
    bool is_full; /* the page may have no room for all rows of the next key */
};

static int take_page_row(void *context, struct sql_row *row)
{
    struct page_context *page = context;
    int64_t key = row_int64(row, page->key_column);

    row_require(row, page->key_column, key >= page->last, "out of order");
    if (row->fault)
        return row_end(row);
    if (key != page->last && page->row_count + page->rows_per_key > page->row_count_max) {
        page->is_full = true;
        return -EINTR;
    }
    page->last = key;
    page->row_count++;
    return page->row_fn(page->context, row);
}

int sql_list(struct store *store, struct sql_listing *listing, sql_row_fn *row_fn, void *context)
{
    struct page_context page = {.row_fn = row_fn,
                                .context = context,
                                .row_count_max =
                                    listing->page_rows ? listing->page_rows : PAGE_ROWS,
                                .key_column = listing->key_column,
                                .rows_per_key = listing->rows_per_key ? listing->rows_per_key : 1,
                                .last = listing->after};
    int error;

    listing->query.parameters[1].number = page.row_count_max;
    do {
        listing->query.parameters[0].number = page.last;
        page.row_count = 0;
        page.is_full = false;
        error = sql_rows(store, &listing->query, take_page_row, &page);
        if (page.is_full)
            error = 0;
    } while (!error && (page.is_full || page.row_count == page.row_count_max));
    return error;
}

/* ---- columns ---- */

static const char out_of_range[] = "out of range";

void row_require(struct sql_row *row, int column, bool holds, const char *fault)
{
    if (holds || row->fault)
        return;
    row->bad_column = column;
    row->fault = fault;
}

bool row_is_null(const struct sql_row *row, int column)
{
    return row->values[column].type == SQL_NULL;
}

int64_t row_out_of_range(struct sql_row *row, int column, int64_t minimum)
{
    row_require(row, column, false,
                row->values[column].type == SQL_INT ? out_of_range : "not an integer");
    return minimum > 0 ? minimum : 0;
}

uint32_t row_uint32(struct sql_row *row, int column)
{
    return (uint32_t)row_range(row, column, 0, UINT32_MAX);
}

int64_t row_int64_or_null(struct sql_row *row, int column)
{
    return row_is_null(row, column) ? 0 : row_int64(row, column);
}

bool row_bool(struct sql_row *row, int column)
{
    return row_range(row, column, 0, 1) != 0;
}

const char *row_text_or_null(struct sql_row *row, int column)
{
    const struct sql_value *value = &row->values[column];

    if (value->type == SQL_NULL)
        return NULL;
    row_require(row, column, value->type == SQL_TEXT, "not a text");
    if (value->type != SQL_TEXT)
        return NULL;
    row_require(row, column, strlen(value->bytes) == value->size, "a text with a NUL in it");
    return value->bytes;
}

void row_text(struct sql_row *row, int column, char *target, size_t size)
{
    const char *text = row_text_or_null(row, column);

    *target = '\0';
    row_require(row, column, text, "not a text");
    row_require(row, column, !text || strlen(text) < size, "too long");
    if (text && strlen(text) < size)
        strcpy(target, text);
}

void row_text_or_empty(struct sql_row *row, int column, char *target, size_t size)
{
    *target = '\0';
    if (!row_is_null(row, column))
        row_text(row, column, target, size);
}

const uint8_t *row_bytes(struct sql_row *row, int column, size_t *size)
{
    const struct sql_value *value = &row->values[column];

    *size = value->type == SQL_BYTES ? value->size : 0;
    row_require(row, column, value->type == SQL_BYTES || value->type == SQL_NULL, "not bytes");
    return value->type == SQL_BYTES ? value->bytes : NULL;
}

void row_copy_bytes(struct sql_row *row, int column, uint8_t *target, size_t size)
{
    size_t stored;
    const uint8_t *bytes = row_bytes(row, column, &stored);

    memset(target, 0, size);
    row_require(row, column, bytes && stored == size, "of the wrong length");
    if (bytes && stored == size)
        memcpy(target, bytes, size);
}

int row_take_bytes(struct sql_row *row, int column, uint8_t **bytes, size_t *size)
{
    const struct sql_value *value = &row->values[column];
    int error;

    *bytes = NULL;
    row_require(row, column, value->type == SQL_TEXT || value->type == SQL_BYTES, "not bytes");
    error = row_end(row);
    if (error)
        return error;
    *bytes = malloc(value->size + 1);
    if (!*bytes)
        return -ENOMEM;
    memcpy(*bytes, value->bytes, value->size);
    (*bytes)[value->size] = '\0';
    if (size)
        *size = value->size;
    return 0;
}

/*
 * Writes the key columns of a row, for example "id 3". Leaves out values that are neither numbers
 * nor texts.
 */
static void name_row(const struct sql_row *row, char *name, size_t size)
{
    size_t length = 0;

    name[0] = '\0';
    for (int column = 0; column < row->query->key_count && length < size; column++) {
        const struct sql_value *value = &row->values[column];

        length += (size_t)snprintf(name + length, size - length, "%s%s ", column ? ", " : "",
                                   row->store->driver->column_name(row, column));
        if (length >= size)
            break;
        if (value->type == SQL_INT)
            length +=
                (size_t)snprintf(name + length, size - length, "%lld", (long long)value->number);
        else if (value->type == SQL_TEXT)
            length +=
                (size_t)snprintf(name + length, size - length, "%.40s", (const char *)value->bytes);
    }
}

int row_end(struct sql_row *row)
{
    char name[200];

    if (!row->fault)
        return 0;
    name_row(row, name, sizeof name);
    return store_damaged(row->store, row->query->table, name,
                         row->store->driver->column_name(row, row->bad_column), row->fault);
}

/* ---- transactions ---- */

/* Rolls back, and keeps the message of the error that made this necessary. */
static void roll_back(struct store *store)
{
    char failure[sizeof store->failure];

    strcpy(failure, store->failure);
    store->driver->rollback(store);
    strcpy(store->failure, failure);
    store->state = SQL_IDLE;
}

/*
 * Locks the row of table pavilion, so that other transactions wait. In SQLite the transaction has
 * already locked the whole file.
 */
int sql_lock_control(struct store *store)
{
    struct sql_query query;
    int64_t version;

    sql_init(&query, "pavilion", 0, "SELECT version FROM pavilion");
    query.lock = SQL_LOCK_UPDATE;
    return sql_first(store, &query, sql_take_number, &version);
}

/* Returns true if another attempt may succeed and it is certain that this one committed nothing. */
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

static int refuse_to_write(struct store *store)
{
    if (store->row_depth > 0)
        return store_explain(store, -EDEADLK, "the store cannot be written while it is listed");
    if (store->state == SQL_BROKEN)
        return store_explain(store, -EDEADLK, "the transaction failed before: roll it back");
    return 0;
}

bool sql_begin(struct store *store, struct sql_transaction *transaction)
{
    int error;

    if (transaction->is_done)
        return false;
    store->failure[0] = '\0';
    if ((error = refuse_to_write(store)) < 0) {
        finish(store, transaction, error);
        return false;
    }
    transaction->is_own = store->state == SQL_IDLE;
    do {
        error = transaction->is_own ? store->driver->begin(store, transaction->is_slow) : 0;
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
    /*
     * After -ENOTCONN from a commit, the commit may have succeeded, so the body must not run again.
     */
    if (!error || (is_committing && error == -ENOTCONN) || !may_try_again(transaction, error))
        finish(store, transaction, error);
    else if (error == -EAGAIN)
        pause_after(transaction->count);
}

int sql_hold_claim(struct store *store, int64_t season_id)
{
    return store->driver->hold_claim ? store->driver->hold_claim(store, season_id) : 0;
}

bool sql_commit_was_lost(const struct store *store)
{
    return store->driver->commit_was_lost && store->driver->commit_was_lost(store);
}

int store_connection(const struct store *store)
{
    return store->driver->connection ? store->driver->connection(store) : 0;
}

/* ---- transactions of the caller ---- */

int store_begin(struct store *store)
{
    int error;

    assert(store->state == SQL_IDLE);
    store->failure[0] = '\0';
    if ((error = refuse_to_write(store)) < 0)
        return error;
    error = store->driver->begin(store, true);
    if (error == -ENOTCONN) /* the connection was lost while it was not in use */
        error = store->driver->begin(store, true);
    if (!error)
        store->state = SQL_IN_TRANSACTION;
    return sql_result(store, final_error(error));
}

int store_commit(struct store *store)
{
    int error;

    assert(store->state == SQL_IN_TRANSACTION || store->state == SQL_BROKEN);
    store->failure[0] = '\0';
    if ((error = refuse_to_write(store)) < 0)
        return error;
    error = store->driver->commit(store);
    store->state = error ? SQL_BROKEN : SQL_IDLE;
    return sql_result(store, final_error(error));
}

void store_rollback(struct store *store)
{
    roll_back(store);
}
