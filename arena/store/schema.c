/*
 * The schema, generated for both servers from the list of tables (tables.c), and its version.
 * Before the first release, stores are not upgraded: a store with another version is refused.
 *
 * Texts compare by bytes, so that lists have the same order on every server.
 */
#include "arena/store/schema.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

extern const char leases_sql[]; /* generated from leases.sql */

enum {
    SCHEMA_VERSION = 1,
    SCRIPT_BYTES = 16384,
};

__attribute__((format(printf, 3, 4))) static void add(char *script, size_t *length,
                                                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    *length += (size_t)vsnprintf(script + *length, SCRIPT_BYTES - *length, format, arguments);
    va_end(arguments);
    assert(*length < SCRIPT_BYTES);
}

static void add_table(char *script, size_t *length, const struct sql_driver *driver,
                      const struct schema_table *table)
{
    add(script, length, "CREATE TABLE %s (", table->name);
    for (int i = 0; i < table->column_count; i++) {
        const struct schema_column *column = &table->columns[i];

        if (i == 0 && table->is_generated)
            add(script, length, "%s %s", column->name, driver->generated_key);
        else
            add(script, length, "%s\"%s\" %s%s", i ? ", " : "", column->name,
                driver->type_words[column->type], column->is_nullable ? "" : " NOT NULL");
    }
    if (!table->is_generated) {
        add(script, length, ", PRIMARY KEY (%s", table->columns[0].name);
        for (int i = 1; i < table->key_count; i++)
            add(script, length, ", %s", table->columns[i].name);
        add(script, length, ")");
    }
    add(script, length, "%s)%s; %s", table->constraints,
        table->has_blobs || table->is_generated ? driver->blob_table_words : driver->table_words,
        table->indexes);
}

static int add_tables(struct store *store)
{
    const struct sql_driver *driver = store->driver;
    char script[SCRIPT_BYTES];
    size_t length = 0;

    /* Table pavilion has one row. Transactions that add events lock it. */
    add(script, &length,
        "CREATE TABLE pavilion (version %s NOT NULL, last_event %s NOT NULL);"
        "INSERT INTO pavilion (version, last_event) VALUES (%d, 0);",
        driver->type_words[SQL_INT], driver->type_words[SQL_INT], SCHEMA_VERSION);
    for (int i = 0; i < TABLE_COUNT; i++)
        add_table(script, &length, driver, &schema_tables[i]);
    return driver->execute(store, script);
}

int schema_create(struct store *store)
{
    struct sql_transaction transaction = {.is_slow = true};

    while (sql_begin(store, &transaction)) {
        int error = add_tables(store);

        if (!error && store->driver->schema_script)
            error = store->driver->execute(store, store->driver->schema_script);
        if (!error && store->driver->has_leases)
            error = store->driver->execute(store, leases_sql);
        sql_end(store, &transaction, error);
    }
    store->version = SCHEMA_VERSION;
    return transaction.error;
}

int schema_refuse_older(struct store *store)
{
    return store_refuse(store, -ENOTSUP,
                        "%s was written by an older arena; use that arena, or start anew: give "
                        "another home folder or database",
                        store->where);
}

static int take_version(void *context, struct sql_row *row)
{
    int *version = context;

    *version = row_int(row, 0);
    return row_end(row);
}

int schema_check(struct store *store)
{
    struct sql_query query;
    int error;

    sql_init(&query, "pavilion", 0, "SELECT version FROM pavilion");
    error = sql_first(store, &query, take_version, &store->version);
    if (error == -ENOENT)
        return store_refuse(store, -EBADMSG,
                            "%s is damaged: table pavilion has no row; restore a backup",
                            store->where);
    if (error || store->version == SCHEMA_VERSION)
        return error;
    if (store->version < SCHEMA_VERSION)
        return schema_refuse_older(store);
    return store_refuse(store, -ENOTSUP,
                        "%s was written by a newer arena (schema %d, this one knows %d): use that "
                        "arena",
                        store->where, store->version, SCHEMA_VERSION);
}
