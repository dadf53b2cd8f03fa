/*
 * The tables of a store as its back ends hold them, column by column: what `arena store copy`
 * moves from one to another, whatever they are. Rows are moved as they lie, so that ids, times and
 * checksums stay; what they mean is store.h's.
 */
#ifndef ARENA_STORE_TABLES_H
#define ARENA_STORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/store/store.h"

enum tables_limits {
    TABLES_COLUMNS_MAX = 32,
    TABLES_KEYS_MAX = 4,
    TABLES_SQL_BYTES = 2048,
};

enum store_column_type {
    STORE_COLUMN_INT = 0,
    STORE_COLUMN_BOOL = 1, /* 0 or 1 */
    STORE_COLUMN_TEXT = 2,
    STORE_COLUMN_BYTES = 3,
};

struct store_column {
    const char *name;
    enum store_column_type type;
};

struct store_table {
    const char *name;
    int key_count; /* the first columns: they say which row it is, and give the order */
    int page_rows; /* that are read at a time, by how large they are */
    const struct store_column *columns;
    int column_count;
};

/* One column of one row. Bytes are borrowed. */
struct store_value {
    bool is_null;
    int64_t integer;      /* of INT and BOOL */
    const uint8_t *bytes; /* of TEXT, without a NUL behind it, and BYTES */
    size_t size;
};

/* Told of each row of a table; 0 to go on, else -errno. */
typedef int store_row_fn(void *context, const struct store_value *values);

/* All of them; each comes after those that its rows refer to. */
extern const struct store_table store_tables[];
extern const int store_table_count;

/*
 * SQL that every back end of SQL takes: parameters are $1, $2 ... in the order in which they
 * stand. A page after a row, by its keys, and the number of rows; a row to be added.
 */
void tables_select_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES]);
void tables_insert_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES]);

#endif
