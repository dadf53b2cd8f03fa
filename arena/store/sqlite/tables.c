/* Rows of whole tables, for copies. */
#include "arena/store/tables.h"

#include <errno.h>

#include "arena/store/sqlite/database.h"

/* Reads a column if it has the given type. */
static void read_value(struct row *row, int column, enum store_column_type type,
                       struct store_value *value)
{
    *value =
        (struct store_value){.is_null = sqlite3_column_type(row->statement, column) == SQLITE_NULL};
    if (value->is_null)
        return;
    switch (type) {
    case STORE_COLUMN_INT:
        value->integer = row_int64(row, column);
        break;
    case STORE_COLUMN_BOOL:
        value->integer = row_bool(row, column);
        break;
    case STORE_COLUMN_TEXT:
        value->bytes = (const uint8_t *)row_text_or_null(row, column);
        value->size = (size_t)sqlite3_column_bytes(row->statement, column);
        break;
    case STORE_COLUMN_BYTES:
        value->bytes = row_blob(row, column, &value->size);
        break;
    }
}

/* Reads all rows with one statement, which sees a consistent table. */
int sqlite_rows_each(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                     void *context)
{
    struct store_value values[TABLES_COLUMNS_MAX];
    char sql[TABLES_SQL_BYTES];
    sqlite3_stmt *list;
    int found, error = 0;

    tables_select_sql(table, sql);
    if (sqlite3_prepare_v2(database_of(store)->connection, sql, -1, &list, NULL) != SQLITE_OK)
        return database_error(store);
    for (int key = 0; key < table->key_count; key++)
        if (table->columns[key].type == STORE_COLUMN_TEXT)
            sqlite3_bind_text(list, key + 1, "", 0, SQLITE_STATIC);
        else
            sqlite3_bind_int64(list, key + 1, INT64_MIN);
    sqlite3_bind_int64(list, table->key_count + 1, -1); /* LIMIT -1: no limit */
    while (!error && (found = database_step(store, list)) != 0) {
        struct row row = {.statement = list, .table = table->name, .key_count = table->key_count};

        error = found < 0 ? found : 0;
        for (int i = 0; i < table->column_count && !error; i++)
            read_value(&row, i, table->columns[i].type, &values[i]);
        if (!error)
            error = row_end(store, &row);
        if (!error)
            error = each_fn(context, values);
    }
    sqlite3_finalize(list);
    return error;
}

int sqlite_row_add(struct store *store, const struct store_table *table,
                   const struct store_value *values)
{
    char sql[TABLES_SQL_BYTES];
    sqlite3_stmt *add;
    int error;

    tables_insert_sql(table, sql);
    if (sqlite3_prepare_v2(database_of(store)->connection, sql, -1, &add, NULL) != SQLITE_OK)
        return database_error(store);
    for (int i = 0; i < table->column_count; i++) {
        const struct store_value *value = &values[i];

        if (value->is_null)
            sqlite3_bind_null(add, i + 1);
        else if (table->columns[i].type <= STORE_COLUMN_BOOL)
            sqlite3_bind_int64(add, i + 1, value->integer);
        else if (table->columns[i].type == STORE_COLUMN_TEXT)
            sqlite3_bind_text64(add, i + 1, (const char *)value->bytes, value->size, SQLITE_STATIC,
                                SQLITE_UTF8);
        else
            sqlite3_bind_blob64(add, i + 1, value->size ? value->bytes : (const uint8_t *)"",
                                value->size, SQLITE_STATIC);
    }
    error = database_step(store, add);
    sqlite3_finalize(add);
    return error;
}

/* Nothing to do: ids come from the rows themselves, and AUTOINCREMENT has seen them. */
int sqlite_rows_end(struct store *store)
{
    (void)store;
    return 0;
}
