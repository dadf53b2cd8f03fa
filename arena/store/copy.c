/* SPDX-License-Identifier: MIT */
#include "arena/store/copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/store/leases.h"
#include "arena/store/schema.h"

enum {
    KEPT_BYTES = 4 << 20,  /* copied rows are written to the target once they exceed this size */
    KEPT_VALUES = 1 << 15, /* or this number of values, where the target takes many at once */
    PAGE_BYTES = 8 << 20,  /* of a server, a page is as many rows as fit into this size, */
    PAGE_ROWS = 2000,      /* at least one and at most this number */
    CLAIMS_MAX = 1024,
};

/* ---- rows ---- */

struct copying {
    struct store *target;
    bool adds; /* add the rows to the target; false: only hash them */
    const struct schema_table *table;
    struct sql_value keys[SCHEMA_KEYS_MAX +
                          1]; /* key of the last row, from keys[1] on, as parameters count from 1 */
    char key_texts[SCHEMA_KEYS_MAX][STORE_HASH_DIGITS + 1];
    /* Rows that are not yet added to the target, from values[1] on. Owns texts and bytes. */
    struct sql_value *values;
    int value_count;
    size_t kept_bytes; /* bytes of the texts and blobs in `values` */
    struct copy_report report;
    struct sha256_ctx hash;
};

static void free_values(struct copying *copy)
{
    for (int i = 1; i <= copy->value_count; i++)
        free((void *)copy->values[i].bytes);
    copy->value_count = 0;
    copy->kept_bytes = 0;
}

static int add_rows(struct copying *copy)
{
    const struct sql_driver *driver = copy->target->driver;
    int row_count = copy->value_count / copy->table->column_count, added = 0;
    struct sql_query query = {.is_slow = true, .count = copy->value_count, .values = copy->values};

    if (row_count > 0 && driver->add_rows) {
        added = driver->add_rows(copy->target, copy->table, copy->values, row_count) ?: row_count;
    } else if (row_count > 0) {
        query.text =
            table_insert_text((enum schema_table_number)(copy->table - schema_tables), row_count);
        added = query.text ? sql_run(copy->target, &query) : -ENOMEM;
    }
    free_values(copy);
    return added < 0 ? added : added == row_count ? 0 : -EEXIST;
}

static int values_max(const struct store *target)
{
    return target->driver->add_rows ? KEPT_VALUES : SQL_PARAMETERS_MAX;
}

/* Copies a row to copy->values, and adds these rows to the target when there are enough. */
static int add_row(struct copying *copy, const struct sql_rows *row)
{
    for (int i = 0; i < row->count; i++) {
        struct sql_value *value = &copy->values[++copy->value_count];
        void *bytes = NULL;

        *value = row->values[i];
        if (value->type == SQL_INT)
            value->type = copy->table->columns[i].type; /* which may be SQL_BOOL */
        if (value->type == SQL_TEXT || value->type == SQL_BYTES) {
            bytes = malloc(value->size + 1);
            if (!bytes) {
                copy->value_count--;
                return -ENOMEM;
            }
            memcpy(bytes, value->bytes, value->size);
            copy->kept_bytes += value->size;
        }
        value->bytes = bytes;
    }
    return copy->kept_bytes > KEPT_BYTES ||
                   copy->value_count + row->count > values_max(copy->target)
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

/* Adds a row to the hash and to the target. Keeps its key, after which the next page begins. */
static int take_row(struct copying *copy, const struct sql_rows *row)
{
    for (int i = 0; i < copy->table->key_count; i++) {
        struct sql_value *key = &copy->keys[i + 1];

        *key = row->values[i];
        if (key->type != SQL_TEXT)
            continue;
        snprintf(copy->key_texts[i], sizeof copy->key_texts[i], "%s", (const char *)key->bytes);
        *key = sql_text(copy->key_texts[i]);
    }
    for (int i = 0; i < row->count; i++)
        sql_hash(&copy->hash, &row->values[i]);
    copy->report.row_count++;
    return copy->adds ? sql_result(copy->target, add_row(copy, row)) : 0;
}

static void put_names(FILE *sql, const struct schema_table *table, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(sql, "%s\"%s\"", i ? ", " : "", table->columns[i].name);
}

/* Rows of a table after the key $1, $2, ..., in the order of keys. */
static void put_rows_after(FILE *sql, const struct schema_table *table, int most)
{
    fprintf(sql, "%s WHERE (", table->name);
    put_names(sql, table, table->key_count);
    fputs(") > (", sql);
    for (int i = 0; i < table->key_count; i++)
        fprintf(sql, "%s$%d", i ? ", " : "", i + 1);
    fputs(") ORDER BY ", sql);
    put_names(sql, table, table->key_count);
    fprintf(sql, " LIMIT %d", most);
}

/* Of such rows those that follow fewer than PAGE_BYTES of values. */
static void put_server_rows(FILE *sql, const struct schema_table *table)
{
    fputs("(SELECT *, sum(0", sql);
    for (int i = 0; i < table->column_count; i++)
        if (table->columns[i].type == SQL_TEXT || table->columns[i].type == SQL_BYTES)
            fprintf(sql, " + coalesce(octet_length(\"%s\"), 0)", table->columns[i].name);
    fputs(") OVER (ORDER BY ", sql);
    put_names(sql, table, table->key_count);
    fputs(" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before FROM (SELECT * FROM ",
          sql);
    put_rows_after(sql, table, PAGE_ROWS);
    fprintf(sql, ") AS page) AS page WHERE coalesce(bytes_before, 0) < %d ORDER BY ", PAGE_BYTES);
    put_names(sql, table, table->key_count);
}

/*
 * Returns a statement, which the caller frees, that selects a page of rows after a key. A page from
 * a server is large, because each costs the way there and back; its size is the server's to count,
 * which reads no large value for that.
 */
static char *write_select(const struct schema_table *table, bool is_server)
{
    char *text = NULL;
    size_t size;
    FILE *sql = memory_stream(&text, &size);

    fputs("SELECT ", sql);
    put_names(sql, table, table->column_count);
    fputs(" FROM ", sql);
    if (is_server)
        put_server_rows(sql, table);
    else
        put_rows_after(sql, table, table->page_rows);
    memory_stream_end(sql);
    return text;
}

/* Reads all rows of a table, page by page. The target gets the message of any error. */
static int read_table(struct copying *copy, struct store *store)
{
    const struct schema_table *table = copy->table;
    const bool is_server = store->driver->has_leases;
    char *text = write_select(table, is_server);
    int error = 0, count;

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
        row_name(&rows, table->name, 0, table->key_count);
        while (!error && sql_next(&rows)) {
            for (int i = 0; i < rows.count; i++)
                check_value(&rows, i, table->columns[i].type);
            count++;
            if (!row_end(&rows))
                error = take_row(copy, &rows);
        }
        if (sql_close(&rows))
            error = store == copy->target
                        ? rows.error
                        : store_explain(copy->target, rows.error, store_failure(store));
    } while (!error && (is_server ? count > 0 : count == table->page_rows));
    free(text);
    if (!error && copy->adds)
        error = sql_result(copy->target, add_rows(copy));
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
struct copy_claims {
    struct store *source;
    struct store *stores[CLAIMS_MAX];
    int count;
    int error;
};

/*
 * Keeps workers out of a season, because workers play without claiming the season. Fails if workers
 * have claimed groups of the season. Otherwise no worker can claim a group until a daemon offers
 * the season's groups again.
 */
static int keep_workers_out(struct store *store, const struct store_season *season)
{
    int count = store_leases_count(store, season->id);

    if (count > 0)
        return store_refuse(
            store, -EBUSY,
            "workers play or delivered %d groups of games of season %s that the "
            "daemon has not stored yet: end the workers, let `arena serve --jobs 0` "
            "store these games",
            count, season->name);
    return count < 0 ? count : store_season_deal(store, season->id, false);
}

static int claim_season(void *context, const struct store_season *season)
{
    struct copy_claims *claims = context;
    struct store **store = &claims->stores[claims->count];

    if (season->closed_us || claims->count == CLAIMS_MAX)
        return 0;
    claims->count++;
    claims->error = store_open(store, store_url(claims->source),
                               claims->source->driver->has_leases ? STORE_WRITE : STORE_READ)
                        ?: store_season_claim(*store, season->name, true)
                        ?: keep_workers_out(*store, season);
    return claims->error;
}

int copy_claim(struct copy_claims **claims, struct store *source)
{
    int64_t open_count = 0;
    int error;

    *claims = calloc(1, sizeof **claims);
    if (!*claims)
        return sql_result(source, -ENOMEM);
    (*claims)->source = source;
    error =
        sql_number(source, SQL("SELECT count(*) FROM season WHERE closed_us IS NULL"), &open_count);
    if (!error && open_count > CLAIMS_MAX)
        return store_refuse(source, -EBUSY,
                            "%s has %lld open seasons, of which a copy claims %d at most: close "
                            "those that are over (`arena season close NAME`), and copy again",
                            source->where, (long long)open_count, CLAIMS_MAX);
    error = error ?: store_seasons_each(source, claim_season, *claims);
    if (!(*claims)->error)
        return error;
    return store_refuse(
        source, (*claims)->error, "%s%s", store_failure((*claims)->stores[(*claims)->count - 1]),
        (*claims)->error == -EBUSY ? ": stop the arena that plays the season, and copy again" : "");
}

void copy_release(struct copy_claims *claims)
{
    if (!claims)
        return;
    for (int i = 0; i < claims->count; i++)
        store_close(claims->stores[i]);
    free(claims);
}

/* ---- copying ---- */

static bool is_same(const struct copy_report *a, const struct copy_report *b)
{
    return a->row_count == b->row_count && memcmp(a->sha256, b->sha256, sizeof a->sha256) == 0;
}

static int copy_table(struct copying *copy, struct store *source)
{
    struct copy_report first;
    int error = store_begin_slow(copy->target);

    if (error)
        return error;
    copy->adds = true;
    error = read_table(copy, source);
    free_values(copy);
    if (!error)
        error = store_commit(copy->target);
    if (error) {
        store_rollback(copy->target);
        return error;
    }
    first = copy->report;
    copy->adds = false;
    error = read_table(copy, copy->target);
    if (!error && !is_same(&first, &copy->report))
        error = store_refuse(
            copy->target, -EBADMSG,
            "%s: table %s differs from the original after the copy: copy again into a new store",
            copy->target->where, copy->table->name);
    return error;
}

/*
 * Marks the target as incomplete, if it is empty. From now on nobody can open it; the copy goes on
 * with the connection that it has.
 */
static int begin_copy(struct store *target)
{
    int marked, error = check_empty(target);

    if (error)
        return error;
    marked = sql_run(target, SQL("UPDATE pavilion SET version = -version WHERE version > 0"));
    return marked ? (marked < 0 ? marked : 0)
                  : store_refuse(target, -EEXIST,
                                 "another process copies into %s: copy into a new store",
                                 target->where);
}

/* Sets the counters of ids, so that new ids follow the copied ones. Removes the mark. */
static int end_copy(struct store *target)
{
    const struct sql_driver *driver = target->driver;

    return driver->execute(target, "UPDATE pavilion SET version = -version, last_event ="
                                   " (SELECT coalesce(max(id), 0) FROM event)")
               ?: driver->execute(target, driver->after_copy);
}

/*
 * Reads the source again, because submissions, challenges and tokens change without an event. No
 * package or replay is added but with a row of another table.
 */
static int check_unchanged(struct copying *copy, struct store *source,
                           const struct copy_report copied[static TABLE_COUNT])
{
    int error = 0;

    copy->adds = false;
    for (int i = 0; i < TABLE_COUNT && !error; i++) {
        copy->table = &schema_tables[i];
        if (i == TABLE_PACKAGE || i == TABLE_REPLAY)
            continue;
        error = read_table(copy, source);
        if (!error && !is_same(&copied[i], &copy->report))
            error = store_refuse(copy->target, -ESTALE,
                                 "%s was changed (table %s) while it was copied: copy again while "
                                 "no process changes the store",
                                 source->where, copy->table->name);
    }
    return error;
}

static int copy_tables(struct store *target, struct store *source, copy_progress_fn *progress_fn,
                       void *context)
{
    struct copy_report copied[TABLE_COUNT];
    struct copying copy = {.target = target,
                           .values = calloc((size_t)values_max(target) + 1, sizeof *copy.values)};
    int error;

    if (!copy.values)
        return sql_result(target, -ENOMEM);
    error = SQL_TRANSACTION(target, SQL_CONTROL, begin_copy(target));
    for (int i = 0; i < TABLE_COUNT && !error; i++) {
        copy.table = &schema_tables[i];
        error = copy_table(&copy, source);
        copied[i] = copy.report;
        if (!error)
            progress_fn(context, &copy.report);
    }
    error = error ?: check_unchanged(&copy, source, copied);
    free(copy.values);
    return error ?: SQL_TRANSACTION(target, SQL_CONTROL, end_copy(target));
}

int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context)
{
    return check_empty(target) ?: copy_tables(target, source, progress_fn, context);
}
