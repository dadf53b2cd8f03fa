#include "arena/store/copy.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/leases.h"
#include "arena/store/schema.h"

enum {
    KEPT_BYTES = 1 << 20, /* copied rows are written to the target once they exceed this size */
    COMMIT_ROWS = 5000,
    COMMIT_BYTES = 16 << 20,
    CLAIMS_MAX = 1024,
};

/* ---- rows ---- */

static void hash_number(struct sha256_ctx *hash, int64_t number)
{
    uint8_t bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
    sha256_update(hash, sizeof bytes, bytes);
}

/*
 * Hashes a row: each value after its length (or -1 for NULL), so that different rows hash different
 * bytes. Returns the size of the values.
 */
static size_t hash_row(struct sha256_ctx *hash, const struct sql_rows *row)
{
    size_t size = 0;

    for (int i = 0; i < row->count; i++) {
        const struct sql_value *value = &row->values[i];
        size_t bytes = value->type == SQL_INT ? 8 : value->type == SQL_NULL ? 0 : value->size;

        hash_number(hash, value->type == SQL_NULL ? -1 : (int64_t)bytes);
        if (value->type == SQL_INT)
            hash_number(hash, value->number);
        else
            sha256_update(hash, bytes, value->bytes);
        size += bytes;
    }
    return size;
}

struct copy_context {
    struct store *target; /* store that gets the rows; NULL: the table is only read */
    const struct schema_table *table;
    struct sql_value keys[SCHEMA_KEYS_MAX + 2]; /* key of the last row, from keys[1] on */
    char key_texts[SCHEMA_KEYS_MAX][STORE_HASH_DIGITS + 1];
    /*
     * Values of rows that are not yet added to the target, from values[1] on. Owns their texts and
     * bytes.
     */
    struct sql_value values[SQL_PARAMETERS_MAX + 1];
    int value_count;
    size_t kept_bytes; /* bytes of the texts and blobs in `values` */
    struct copy_report report;
    struct sha256_ctx hash;
    copy_progress_fn *progress_fn;
    void *context;
    const struct store **failed;
    int rows;     /* rows added since the last commit */
    size_t bytes; /* bytes added since the last commit */
};

static int fail(struct copy_context *copy, const struct store *store, int error)
{
    if (error && !*copy->failed)
        *copy->failed = store;
    return error;
}

static void free_values(struct copy_context *copy)
{
    for (int i = 1; i <= copy->value_count; i++)
        free((void *)copy->values[i].bytes);
    copy->value_count = 0;
    copy->kept_bytes = 0;
}

/* Adds the rows of copy->values to the target in one statement, if there are any. */
static int add_rows(struct copy_context *copy)
{
    int row_count = copy->value_count / copy->table->column_count, added = 0;
    struct sql_query query = {.is_slow = true, .count = copy->value_count, .values = copy->values};

    if (row_count > 0) {
        query.text =
            table_insert_text((enum schema_table_number)(copy->table - schema_tables), row_count);
        added = query.text ? sql_run(copy->target, &query) : -ENOMEM;
    }
    free_values(copy);
    return added < 0 ? added : added == row_count ? 0 : -EEXIST;
}

/* Copies a row to copy->values, and adds these rows to the target when there are enough. */
static int add_row(struct copy_context *copy, const struct sql_rows *row)
{
    for (int i = 0; i < row->count; i++) {
        struct sql_value *value = &copy->values[++copy->value_count];

        *value = row->values[i];
        if (value->type == SQL_INT)
            value->type = copy->table->columns[i].type; /* which may be SQL_BOOL */
        if (value->type != SQL_TEXT && value->type != SQL_BYTES) {
            value->bytes = NULL;
            continue;
        }
        value->bytes = malloc(value->size + 1);
        if (!value->bytes)
            return -ENOMEM;
        memcpy((void *)value->bytes, row->values[i].bytes, value->size);
        copy->kept_bytes += value->size;
    }
    return copy->kept_bytes > KEPT_BYTES || copy->value_count + row->count > SQL_PARAMETERS_MAX
               ? add_rows(copy)
               : 0;
}

/* Records a fault if a value is not NULL and does not have the type that the schema says. */
static void check_value(struct sql_rows *row, int column, enum sql_type type)
{
    size_t size;

    if (type == SQL_TEXT)
        row_text_or_null(row, column);
    else if (type == SQL_BYTES)
        row_bytes(row, column, &size);
    else if (!row_is_null(row, column))
        row_range(row, column, type == SQL_BOOL ? 0 : INT64_MIN, type == SQL_BOOL ? 1 : INT64_MAX);
}

/* Keeps the key of a row, because the next page begins after it. */
static void keep_key(struct copy_context *copy, const struct sql_rows *row)
{
    for (int i = 0; i < copy->table->key_count; i++) {
        struct sql_value *key = &copy->keys[i + 1];

        *key = row->values[i];
        if (key->type != SQL_TEXT)
            continue;
        snprintf(copy->key_texts[i], sizeof copy->key_texts[i], "%s", (const char *)key->bytes);
        *key = sql_text(copy->key_texts[i]);
    }
}

/* Hashes a valid row, and adds the row to the target if there is a target. */
static int take_row(struct copy_context *copy, const struct sql_rows *row)
{
    int error = 0;

    keep_key(copy, row);
    copy->bytes += hash_row(&copy->hash, row);
    copy->rows++;
    copy->report.row_count++;
    if (copy->progress_fn && copy->report.row_count % 500 == 0)
        copy->progress_fn(copy->context, &copy->report, false);
    if (!copy->target)
        return 0;
    error = add_row(copy, row);
    if (!error && (copy->rows >= COMMIT_ROWS || copy->bytes >= COMMIT_BYTES)) {
        copy->rows = 0;
        copy->bytes = 0;
        error = add_rows(copy);
        if (!error)
            error = store_commit(copy->target);
        if (!error)
            error = store_begin(copy->target);
    }
    return fail(copy, copy->target, sql_result(copy->target, error));
}

/* Writes a statement that selects a page of rows after a key. The key is $1, $2, ... */
static void write_select(const struct schema_table *table, char text[static SQL_TEXT_BYTES])
{
    char names[200] = "", numbers[40] = "";

    for (int i = 0; i < table->key_count; i++) {
        size_t length = strlen(names), number_length = strlen(numbers);

        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 table->columns[i].name);
        snprintf(numbers + number_length, sizeof numbers - number_length, "%s$%d", i ? ", " : "",
                 i + 1);
    }
    snprintf(text, SQL_TEXT_BYTES, "SELECT * FROM %s WHERE (%s) > (%s) ORDER BY %s LIMIT %d",
             table->name, names, numbers, names, table->page_rows);
}

/*
 * Reads all rows of a table, page by page: hashes them, and adds them to the target if there is
 * one.
 */
static int read_table(struct store *store, struct copy_context *copy)
{
    const struct schema_table *table = copy->table;
    char text[SQL_TEXT_BYTES];
    int error, count;

    write_select(table, text);
    copy->report = (struct copy_report){.table = table->name};
    sha256_init(&copy->hash);
    for (int i = 0; i < table->key_count; i++)
        copy->keys[i + 1] = (struct sql_value){
            .type = table->columns[i].type, .number = INT64_MIN, .bytes = "", .size = 0};
    do {
        struct sql_query query = {
            .text = text, .is_slow = true, .count = table->key_count, .values = copy->keys};
        struct sql_rows rows;

        count = 0;
        sql_open(store, &rows, &query);
        row_name(&rows, table->name, table->key_count);
        while (sql_next(&rows)) {
            for (int i = 0; i < rows.count; i++)
                check_value(&rows, i, table->columns[i].type);
            count++;
            if (!row_end(&rows))
                rows.error = take_row(copy, &rows);
        }
        error = fail(copy, store, sql_close(&rows));
    } while (!error && count == table->page_rows);
    sha256_digest(&copy->hash, sizeof copy->report.sha256, copy->report.sha256);
    return error;
}

/* ---- preconditions ---- */

static int check_empty(struct store *store)
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        char text[SQL_TEXT_BYTES];
        int found;

        snprintf(text, sizeof text, "SELECT 1 FROM %s LIMIT 1", schema_tables[i].name);
        found = sql_run(store, SQL(text));
        if (found)
            return found < 0 ? found
                             : store_refuse(store, -EEXIST,
                                            "%s is not empty (table %s): copy into a new store",
                                            store->where, schema_tables[i].name);
    }
    return 0;
}

/* Claims of all open seasons, each through a store handle of its own. */
struct claims {
    struct store *source;
    struct store *stores[CLAIMS_MAX];
    int count;
    int error;
};

/*
 * Keeps workers out of a season, because workers play without claiming the season. Fails if workers
 * hold groups of the season. Otherwise ends its dealing: no worker can lease a group until the
 * season is dealt again.
 */
static int keep_workers_out(struct store *store, const struct store_season *season)
{
    int count = store_leases_count(store, season->id);

    if (count > 0)
        return store_refuse(store, -EBUSY, "workers still hold %d groups of games of season %s",
                            count, season->name);
    return count < 0 ? count : store_season_deal(store, season->id, false);
}

static int claim_season(void *context, const struct store_season *season)
{
    struct claims *claims = context;
    struct store **store = &claims->stores[claims->count];

    if (season->closed_us || claims->count == CLAIMS_MAX)
        return 0;
    claims->error = store_open(store, store_url(claims->source),
                               claims->source->driver->has_leases ? STORE_WRITE : STORE_READ);
    if (*store)
        claims->count++;
    if (!claims->error)
        claims->error = store_season_claim(*store, season->name);
    if (!claims->error)
        claims->error = keep_workers_out(*store, season);
    if (claims->error && *store)
        store_explain(claims->source, claims->error, store_failure(*store));
    return claims->error;
}

static int claim_seasons(struct claims *claims)
{
    int error = store_seasons_each(claims->source, claim_season, claims);

    if (claims->error == -EBUSY) {
        char line[STORE_WHERE_BYTES];

        snprintf(line, sizeof line, "%.*s", (int)sizeof line - 1,
                 store_failure(claims->stores[claims->count - 1]));
        return store_refuse(claims->source, -EBUSY,
                            "%.500s: stop the arena that plays the season, and copy again", line);
    }
    return claims->error ? claims->error : error;
}

static void release_seasons(struct claims *claims)
{
    for (int i = 0; i < claims->count; i++)
        store_close(claims->stores[i]);
}

/* ---- copying ---- */

static int copy_rows(struct copy_context *copy, struct store *target, struct store *source)
{
    int error = fail(copy, target, store_begin(target));

    if (error)
        return error;
    copy->target = target;
    error = read_table(source, copy);
    if (!error)
        error = fail(copy, target, sql_result(target, add_rows(copy)));
    free_values(copy);
    if (!error)
        error = fail(copy, target, store_commit(target));
    if (error)
        store_rollback(target);
    copy->target = NULL;
    return error;
}

static int copy_table(struct copy_context *copy, struct store *target, struct store *source)
{
    struct copy_report first;
    int error = copy_rows(copy, target, source);

    first = copy->report;
    if (!error)
        error = read_table(target, copy);
    if (!error && (first.row_count != copy->report.row_count ||
                   memcmp(first.sha256, copy->report.sha256, sizeof first.sha256) != 0))
        error = fail(copy, target,
                     store_refuse(target, -EBADMSG,
                                  "%s: table %s differs from the original after the copy: copy "
                                  "again into a new store",
                                  target->where, copy->table->name));
    if (!error && copy->progress_fn)
        copy->progress_fn(copy->context, &first, true);
    return error;
}

/* Sets the counters of ids, so that new ids in the target follow the copied ones. */
static int set_counters(struct store *target)
{
    struct sql_transaction transaction = {.locks_control = true};

    while (sql_begin(target, &transaction)) {
        int error = target->driver->execute(
            target, "UPDATE pavilion SET last_event = (SELECT coalesce(max(id), 0) FROM event)");

        if (!error && target->driver->after_copy)
            error = target->driver->execute(target, target->driver->after_copy);
        sql_end(target, &transaction, error);
    }
    return transaction.error;
}

static int copy_tables(struct store *target, struct store *source, copy_progress_fn *progress_fn,
                       void *context, const struct store **failed)
{
    int64_t before, after;
    int error = store_event_latest(source, &before);

    if (error)
        *failed = source;
    for (int i = 0; i < TABLE_COUNT && !error; i++) {
        struct copy_context copy = {.table = &schema_tables[i],
                                    .progress_fn = progress_fn,
                                    .context = context,
                                    .failed = failed};

        error = copy_table(&copy, target, source);
    }
    if (!error) {
        error = set_counters(target);
        *failed = error ? target : NULL;
    }
    if (!error) {
        *failed = source;
        error = store_event_latest(source, &after);
        if (!error && before != after)
            error = store_refuse(
                source, -ESTALE,
                "%s was changed while it was copied: copy again while no process changes the store",
                source->where);
    }
    return error;
}

int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context, const struct store **failed)
{
    struct claims *claims;
    int error;

    *failed = target;
    if ((error = check_empty(target)) < 0)
        return error;
    claims = calloc(1, sizeof *claims);
    if (!claims)
        return store_explain(target, -ENOMEM, "out of memory");
    claims->source = source;
    *failed = source;
    error = claim_seasons(claims);
    if (!error) {
        *failed = NULL;
        error = copy_tables(target, source, progress_fn, context, failed);
    }
    release_seasons(claims);
    free(claims);
    return error;
}
