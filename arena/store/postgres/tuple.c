/*
 * Reads columns in binary format. A database may have been edited, so each column is checked for
 * its type.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/postgres/server.h"

/* Type OIDs of the server's catalog, which never change. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
};

static void set_fault(struct tuple *tuple, int column, const char *fault)
{
    if (tuple->fault)
        return;
    tuple->bad_column = column;
    tuple->fault = fault;
}

bool tuple_is_null(const struct tuple *tuple, int column)
{
    return libpq.PQgetisnull(tuple->result, tuple->number, column);
}

static const uint8_t *value_of(const struct tuple *tuple, int column, size_t *size)
{
    *size = (size_t)libpq.PQgetlength(tuple->result, tuple->number, column);
    return (const uint8_t *)libpq.PQgetvalue(tuple->result, tuple->number, column);
}

/* Reads a big-endian integer of 2, 4 or 8 bytes. */
static bool read_integer(const struct tuple *tuple, int column, int64_t *value)
{
    Oid type = libpq.PQftype(tuple->result, column);
    size_t size;
    const uint8_t *bytes = value_of(tuple, column, &size);
    uint64_t bits;

    if (tuple_is_null(tuple, column) ||
        (type != TYPE_INT2 && type != TYPE_INT4 && type != TYPE_INT8))
        return false;
    bits = bytes[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | bytes[i];
    *value = (int64_t)bits;
    return true;
}

static int64_t integer(struct tuple *tuple, int column, int64_t minimum, int64_t maximum)
{
    int64_t value;

    if (!read_integer(tuple, column, &value))
        set_fault(tuple, column, "not an integer");
    else if (value < minimum || value > maximum)
        set_fault(tuple, column, "out of range");
    else
        return value;
    return 0;
}

int tuple_int(struct tuple *tuple, int column)
{
    return (int)integer(tuple, column, INT32_MIN, INT32_MAX);
}

uint32_t tuple_uint32(struct tuple *tuple, int column)
{
    return (uint32_t)integer(tuple, column, 0, UINT32_MAX);
}

int64_t tuple_int64(struct tuple *tuple, int column)
{
    return integer(tuple, column, INT64_MIN, INT64_MAX);
}

int64_t tuple_int64_or_null(struct tuple *tuple, int column)
{
    return tuple_is_null(tuple, column) ? 0 : tuple_int64(tuple, column);
}

bool tuple_bool(struct tuple *tuple, int column)
{
    size_t size;
    const uint8_t *byte = value_of(tuple, column, &size);

    if (!tuple_is_null(tuple, column) && libpq.PQftype(tuple->result, column) == TYPE_BOOL)
        return *byte != 0;
    set_fault(tuple, column, "not a boolean");
    return false;
}

const char *tuple_text_or_null(struct tuple *tuple, int column)
{
    size_t size;
    const uint8_t *text = value_of(tuple, column, &size);

    if (tuple_is_null(tuple, column))
        return NULL;
    if (libpq.PQftype(tuple->result, column) == TYPE_TEXT)
        return (const char *)text; /* libpq adds a NUL; the text cannot contain one */
    set_fault(tuple, column, "not a text");
    return NULL;
}

void tuple_text(struct tuple *tuple, int column, char *target, size_t size)
{
    const char *text = tuple_text_or_null(tuple, column);

    *target = '\0';
    if (!text)
        set_fault(tuple, column, "not a text");
    else if (strlen(text) >= size)
        set_fault(tuple, column, "too long");
    else
        strcpy(target, text);
}

void tuple_text_or_empty(struct tuple *tuple, int column, char *target, size_t size)
{
    *target = '\0';
    if (!tuple_is_null(tuple, column))
        tuple_text(tuple, column, target, size);
}

const uint8_t *tuple_bytes(struct tuple *tuple, int column, size_t *size)
{
    const uint8_t *bytes = value_of(tuple, column, size);

    if (!tuple_is_null(tuple, column) && libpq.PQftype(tuple->result, column) == TYPE_BYTEA)
        return bytes;
    *size = 0;
    if (!tuple_is_null(tuple, column))
        set_fault(tuple, column, "not bytes");
    return NULL;
}

void tuple_copy_bytes(struct tuple *tuple, int column, uint8_t *target, size_t size)
{
    size_t stored;
    const uint8_t *bytes = tuple_bytes(tuple, column, &stored);

    memset(target, 0, size);
    if (stored != size || !bytes)
        set_fault(tuple, column, "of the wrong length");
    else
        memcpy(target, bytes, size);
}

/* Writes "id 3": the key columns, as far as they are numbers or short texts. */
static void name_row(const struct tuple *tuple, char *name, size_t size)
{
    size_t length = 0;

    name[0] = '\0';
    for (int column = 0; column < tuple->key_count && length < size; column++) {
        const char *label = libpq.PQfname(tuple->result, column);
        int64_t number;

        length +=
            (size_t)snprintf(name + length, size - length, "%s%s ", column ? ", " : "", label);
        if (length >= size)
            break;
        if (read_integer(tuple, column, &number))
            length += (size_t)snprintf(name + length, size - length, "%lld", (long long)number);
        else if (!tuple_is_null(tuple, column) && libpq.PQftype(tuple->result, column) == TYPE_TEXT)
            length += (size_t)snprintf(name + length, size - length, "%.40s",
                                       libpq.PQgetvalue(tuple->result, tuple->number, column));
    }
}

int tuple_end(struct store *store, const struct tuple *tuple)
{
    char name[200];

    if (!tuple->fault)
        return 0;
    name_row(tuple, name, sizeof name);
    return store_damaged(store, tuple->table, name, libpq.PQfname(tuple->result, tuple->bad_column),
                         tuple->fault);
}

void tuple_play(struct tuple *tuple, int first, struct store_play *play)
{
    play->memory_bytes = tuple_int64(tuple, first);
    play->tier = tuple_int(tuple, first + 1);
    play->freeze = tuple_bool(tuple, first + 2);
    play->pin = tuple_bool(tuple, first + 3);
}

int server_rows(struct store *store, const struct query *query, const char *table, int key_count,
                server_tuple_fn *each_fn, void *context)
{
    PGresult *result;
    int error = server_run(store, query, &result);

    if (error)
        return error;
    for (int i = 0; i < libpq.PQntuples(result) && !error; i++) {
        struct tuple row = {.result = result, .number = i, .table = table, .key_count = key_count};

        error = each_fn(context, &row);
    }
    libpq.PQclear(result);
    return error;
}
