/*
 * The tables of a store, each of their columns written once (tables.c). From this list come the
 * schema, the rows that `arena store copy` passes on, and how a row becomes a struct of store.h and
 * back, with its range checks. Only for the files of arena/store/.
 *
 * A new column of a bot is a field of struct store_bot and a line of tables.c.
 */
#ifndef ARENA_STORE_SCHEMA_H
#define ARENA_STORE_SCHEMA_H

#include "arena/store/sql.h"

enum schema_limits {
    SCHEMA_COLUMNS_MAX = 32,
    SCHEMA_KEYS_MAX = 4,
    SCHEMA_NUMBER_MAX = 1000000000, /* of groups, batches and openings of a season */
    SCHEMA_ENTRY_MAX = UINT16_MAX,
};

/* How a struct holds a column. */
enum schema_field {
    SCHEMA_NO_FIELD = 0,       /* not at all: its statements name the column */
    SCHEMA_SEASON = 1,         /* not at all: the season is an argument */
    SCHEMA_NUMBER = 2,         /* as an integer of 4 or 8 bytes, or an enum */
    SCHEMA_NUMBER_OR_NULL = 3, /* likewise; 0 is NULL */
    SCHEMA_NUMBER_OR_NONE = 4, /* likewise; -1 is NULL */
    SCHEMA_BOOL = 5,
    SCHEMA_NAME = 6,     /* as char[]; store_name_is_valid */
    SCHEMA_TEXT = 7,     /* as char[]; store_text_is_valid, or empty if minimum is 0 */
    SCHEMA_HASH = 8,     /* as char[]; 64 digits in hex, or empty if minimum is 0 */
    SCHEMA_WORDS = 9,    /* as char[]; any text */
    SCHEMA_STRING = 10,  /* as const char *, borrowed; NULL is NULL, unless minimum is 1 */
    SCHEMA_BYTES = 11,   /* as uint8_t[] of exactly this size */
    SCHEMA_PLAYERS = 12, /* as the table sizes of struct store_season; the column has "2,3" */
};

struct schema_column {
    const char *name;
    enum sql_type type;
    bool is_nullable;
    enum schema_field field;
    size_t offset, size;      /* of the field in its struct */
    int64_t minimum, maximum; /* of a number; of a text's bytes */
};

struct schema_table {
    const char *name;
    int key_count;           /* the first columns are the primary key */
    bool is_generated;       /* the key is an id that the server chooses */
    bool has_blobs;          /* SQLite keeps the rows beside the index of the key */
    int page_rows;           /* rows of a copy that fit into memory */
    const char *constraints; /* after the columns: ", UNIQUE (name)"; or "" */
    const char *indexes;     /* statements, or "" */
    const struct schema_column *columns;
    int column_count;
};

/* Each table comes after the tables that its rows refer to. */
enum schema_table_number {
    TABLE_PACKAGE = 0,
    TABLE_BOT = 1,
    TABLE_SEASON = 2,
    TABLE_OPENING = 3,
    TABLE_ENTRY = 4,
    TABLE_BATCH = 5,
    TABLE_GROUP = 6,
    TABLE_WORKER = 7,
    TABLE_GAME = 8,
    TABLE_SEAT = 9,
    TABLE_REPLAY = 10,
    TABLE_EVENT = 11,
    TABLE_ROSTER = 12,
    TABLE_BAN = 13,
    TABLE_SUBMISSION = 14,
    TABLE_COUNT = 15,
};

extern const struct schema_table schema_tables[TABLE_COUNT];

/* ---- rows ---- */

/*
 * Adds a row from a struct: season_id and its fields. Returns 0; -EINVAL with a line if a field is
 * out of range; -EEXIST without a line if the key is taken; or -errno.
 */
int table_insert(struct store *store, enum schema_table_number table, int64_t season_id,
                 const void *record);

/* The same for many structs of `size` bytes each, in few statements. */
int table_insert_all(struct store *store, enum schema_table_number table, int64_t season_id,
                     const void *records, size_t size, size_t count);

/* What table_insert checks: 0, or -EINVAL with a line. */
int table_check(struct store *store, enum schema_table_number table, const void *record);

/*
 * Begins a query that reads rows of a table for table_read. The columns are all of the table, in
 * the order of the list: its text says "SELECT * FROM" or "SELECT bot.*, ... FROM".
 */
void table_query(struct sql_query *query, enum schema_table_number table, const char *text);

/*
 * Sets the fields of a struct from the first columns of a row; a fault is recorded in the row.
 * Strings are borrowed from the row.
 */
void table_read(struct sql_row *row, enum schema_table_number table, void *record);

/*
 * Returns the statement that adds rows of all columns: "INSERT INTO seat (...) VALUES ($1, ...),
 * (...) ON CONFLICT DO NOTHING". The text lives as long as the process.
 */
const char *table_insert_text(enum schema_table_number table, int row_count);

/* ---- shared between the files of the store ---- */

/* What a row goes to, if the caller passed a function such as store_bot_fn. */
struct each_context {
    void *each_fn;
    void *context;
    int next; /* the number that the next row must have, where numbers have no gaps */
};

/*
 * Stores a package and takes the lock of locks_control, so that the package stays until the end of
 * the transaction. Before that it is sent without the lock, because this may take long.
 */
int store_keep_package(struct store *store, const char *sha256, struct store_package package);

/*
 * For a transaction that writes for an opening: returns 0 and keeps the opening from being closed
 * until the end of the transaction, or returns -ECANCELED if it is closed.
 */
int store_hold_opening(struct store *store, int64_t season_id, int opening);

/* Adds an event of a season (0: of all) in a transaction with locks_control. */
int store_add_event(struct store *store, int64_t season_id, const char *what, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

#endif
