/*
 * Reads columns. A file may have been edited or damaged, and SQLite would silently convert any type
 * to any other, so each column is checked for its type.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/sqlite/database.h"

static void set_fault(struct row *row, int column, const char *fault)
{
    if (row->fault)
        return;
    row->bad_column = column;
    row->fault = fault;
}

/*
 * Looks at the value in place, which takes half the time of sqlite3_column_type and
 * sqlite3_column_int64. That is sound for a connection without a mutex, used by one thread.
 */
static int64_t integer(struct row *row, int column, int64_t minimum, int64_t maximum)
{
    sqlite3_value *stored = sqlite3_column_value(row->statement, column);
    int64_t value;

    if (sqlite3_value_type(stored) != SQLITE_INTEGER) {
        set_fault(row, column, "not an integer");
        return 0;
    }
    value = sqlite3_value_int64(stored);
    if (value >= minimum && value <= maximum)
        return value;
    set_fault(row, column, "out of range");
    return 0;
}

int row_int(struct row *row, int column)
{
    return (int)integer(row, column, INT32_MIN, INT32_MAX);
}

int64_t row_int64(struct row *row, int column)
{
    return integer(row, column, INT64_MIN, INT64_MAX);
}

int64_t row_int64_or_null(struct row *row, int column)
{
    return sqlite3_column_type(row->statement, column) == SQLITE_NULL ? 0 : row_int64(row, column);
}

uint32_t row_uint32(struct row *row, int column)
{
    return (uint32_t)integer(row, column, 0, UINT32_MAX);
}

bool row_bool(struct row *row, int column)
{
    return integer(row, column, 0, 1) != 0;
}

const char *row_text_or_null(struct row *row, int column)
{
    const char *text;

    if (sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return NULL;
    if (sqlite3_column_type(row->statement, column) != SQLITE_TEXT) {
        set_fault(row, column, "not a text");
        return NULL;
    }
    text = (const char *)sqlite3_column_text(row->statement, column);
    if (text && strlen(text) == (size_t)sqlite3_column_bytes(row->statement, column))
        return text;
    set_fault(row, column, "a text with a NUL in it");
    return NULL;
}

void row_text(struct row *row, int column, char *target, size_t size)
{
    const char *text = row_text_or_null(row, column);

    *target = '\0';
    if (!text)
        set_fault(row, column, "not a text");
    else if (strlen(text) >= size)
        set_fault(row, column, "too long");
    else
        strcpy(target, text);
}

const uint8_t *row_blob(struct row *row, int column, size_t *size)
{
    *size = 0;
    if (sqlite3_column_type(row->statement, column) != SQLITE_BLOB) {
        set_fault(row, column, "not a blob");
        return NULL;
    }
    *size = (size_t)sqlite3_column_bytes(row->statement, column);
    return sqlite3_column_blob(row->statement, column);
}

void row_text_or_empty(struct row *row, int column, char *target, size_t size)
{
    *target = '\0';
    if (sqlite3_column_type(row->statement, column) != SQLITE_NULL)
        row_text(row, column, target, size);
}

void row_bytes(struct row *row, int column, uint8_t *target, size_t size)
{
    size_t stored;
    const uint8_t *bytes = row_blob(row, column, &stored);

    memset(target, 0, size);
    if (stored != size)
        set_fault(row, column, "of the wrong length");
    else
        memcpy(target, bytes, size);
}

/* Writes "id 3": the key columns, as far as they are numbers or short texts. */
static void name_row(const struct row *row, char *name, size_t size)
{
    size_t length = 0;

    name[0] = '\0';
    for (int column = 0; column < row->key_count && length < size; column++) {
        const char *text = (const char *)sqlite3_column_text(row->statement, column);

        length +=
            (size_t)snprintf(name + length, size - length, "%s%s %.40s", column ? ", " : "",
                             sqlite3_column_name(row->statement, column), text ? text : "NULL");
    }
}

int row_end(struct store *store, const struct row *row)
{
    char name[200];

    if (!row->fault)
        return 0;
    name_row(row, name, sizeof name);
    store_damaged(store, row->table, name, sqlite3_column_name(row->statement, row->bad_column),
                  row->fault);
    sqlite3_reset(row->statement);
    return -EBADMSG;
}

int row_copy_blob(struct store *store, struct row *row, int column, uint8_t **bytes, size_t *size)
{
    const uint8_t *blob = row_blob(row, column, size);
    int error = row_end(store, row);

    *bytes = NULL;
    if (error)
        return error;
    *bytes = malloc(*size + 1);
    if (!*bytes)
        return -ENOMEM;
    if (*size)
        memcpy(*bytes, blob, *size);
    return 0;
}

void row_play(struct row *row, int first, struct store_play *play)
{
    play->memory_bytes = row_int64(row, first);
    play->tier = row_int(row, first + 1);
    play->freeze = row_bool(row, first + 2);
    play->pin = row_bool(row, first + 3);
}

void database_bind_play(sqlite3_stmt *statement, int first, const struct store_play *play)
{
    sqlite3_bind_int64(statement, first, play->memory_bytes);
    sqlite3_bind_int(statement, first + 1, play->tier);
    sqlite3_bind_int(statement, first + 2, play->freeze);
    sqlite3_bind_int(statement, first + 3, play->pin);
}
