/*
 * The tables of a store, column by column, as its back ends hold them, for `arena store copy`. Rows
 * are copied unchanged, so that ids, times and checksums stay; store.h says what they mean.
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
    int key_count; /* the first columns are the primary key; rows are in its order */
    int page_rows; /* rows to read at a time, depending on their size */
    const struct store_column *columns;
    int column_count;
};

/* One column of one row. Bytes are borrowed. */
struct store_value {
    bool is_null;
    int64_t integer;      /* for INT and BOOL */
    const uint8_t *bytes; /* for BYTES, and for TEXT, which has no NUL at its end */
    size_t size;
};

/* Called for each row of a table. Returns 0 to continue, else -errno. */
typedef int store_row_fn(void *context, const struct store_value *values);

/* All tables; each comes after the tables that its rows refer to. */
extern const struct store_table store_tables[];
extern const int store_table_count;

/*
 * Sets sql to a statement that selects the rows after a given one, by key; any SQL back end accepts
 * it. Parameters: the keys of the row before the first ($1, $2, ...), then how many rows at most.
 */
void tables_select_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES]);

/* Likewise, a statement that inserts one row. Parameters: its columns in the order of the table. */
void tables_insert_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES]);

#endif
