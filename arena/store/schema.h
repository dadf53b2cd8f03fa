/* SPDX-License-Identifier: MIT */
/*
 * The tables of a store. tables.c lists each column once; from this list come the schema, the
 * statements of `arena store copy`, and the conversion with range checks between rows and the
 * structs of store.h. Only the files of arena/store/ include this header.
 *
 * To add a column of a bot, add a field to struct store_bot and a line to tables.c.
 */
#ifndef ARENA_STORE_SCHEMA_H
#define ARENA_STORE_SCHEMA_H

#include "arena/store/sql.h"

enum schema_limits {
    SCHEMA_KEYS_MAX = 3,
    SCHEMA_NUMBER_MAX = 1000000000, /* largest index of a group, batch or opening in a season */
    SCHEMA_ENTRY_MAX = UINT16_MAX,
};

/* The kind of struct field that holds a column. */
enum schema_field {
    SCHEMA_NO_FIELD = 0,       /* no field; statements of the table name the column */
    SCHEMA_SEASON = 1,         /* no field; the season's id is an argument of table_insert */
    SCHEMA_NUMBER = 2,         /* an integer of 4 or 8 bytes, or an enum */
    SCHEMA_NUMBER_OR_NULL = 3, /* a number whose field is 0 for NULL */
    SCHEMA_NUMBER_OR_NONE = 4, /* a number whose field is -1 for NULL */
    SCHEMA_BOOL = 5,
    SCHEMA_NAME = 6,     /* char[] that passes store_name_is_valid */
    SCHEMA_TEXT = 7,     /* char[] that passes store_text_is_valid, or is empty if minimum is 0 */
    SCHEMA_HASH = 8,     /* char[] with 64 digits in hex, or empty if minimum is 0 */
    SCHEMA_WORDS = 9,    /* char[] with any text */
    SCHEMA_STRING = 10,  /* const char *, borrowed; NULL stands for SQL's NULL if minimum is 0 */
    SCHEMA_BYTES = 11,   /* uint8_t[]; the column has exactly as many bytes */
    SCHEMA_BLOB = 12,    /* const uint8_t * and size_t, borrowed; minimum is 0 */
    SCHEMA_PLAYERS = 13, /* the table sizes of struct store_season, as text such as "2,3" */
    SCHEMA_SEATS = 14,   /* player_count and seats of struct store_game, packed */
};

struct schema_column {
    const char *name;
    enum sql_type type;
    bool is_nullable;
    enum schema_field field;
    size_t offset, size;      /* offset and size of the field in its struct */
    int64_t minimum, maximum; /* range of a number, or of the length of a text in bytes */
    /* What takes the column's place when its author is erased, in SQL; NULL: the column stays. */
    const char *erased;
};

struct schema_table {
    const char *name;
    int key_count;     /* number of columns, from the first, that are the primary key */
    bool is_generated; /* the key is an id that the database server chooses */
    bool has_blobs;    /* rows may be large: SQLite stores them outside the index of the key */
    int page_rows;     /* number of rows that `arena store copy` reads at a time */
    const char *constraints; /* SQL after the columns: ", UNIQUE (name)", or "" */
    const char *indexes;     /* CREATE INDEX statements, or "" */
    const struct schema_column *columns;
    int column_count;
};

/* Numbers of the tables. A table comes after the tables that its foreign keys refer to. */
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
    TABLE_REPLAY = 9,
    TABLE_EVENT = 10,
    TABLE_ROSTER = 11,
    TABLE_BAN = 12,
    TABLE_SUBMISSION = 13,
    TABLE_AUTHOR = 14,
    TABLE_TOKEN = 15,
    TABLE_LEAGUE = 16,
    TABLE_CHALLENGE = 17,
    TABLE_BOUT = 18,
    TABLE_COUNT = 19,
};

extern const struct schema_table schema_tables[TABLE_COUNT];

/* Creates the schema in an empty database, in one transaction. */
int schema_create(struct store *store);

/*
 * Checks that the store has this arena's schema, and upgrades a store of an older one unless it was
 * opened only for reading. Refuses a store of a newer arena, of one before version 1 of the schema,
 * and an unfinished copy.
 */
int schema_check(struct store *store);

/* Refuses a store of an arena before version 1 of the schema. */
int schema_refuse(struct store *store);

/* What leads from a version of the schema to the next: SQL, for the server that the store is on. */
struct schema_upgrade {
    const char *sqlite, *postgres;
};

/*
 * Upgrades the store to a version in one transaction: upgrades[N] leads from version N - 1 to N. On
 * failure, the store stays as it was. -EBUSY: a process plays a season. For schema_check and tests.
 */
int schema_upgrade(struct store *store, const struct schema_upgrade *upgrades, int version);

/* ---- rows ---- */

/*
 * Adds a row to a table from a struct; season_id is for tables with the column season. Returns 0;
 * -EINVAL with a message if a field is out of range; -EEXIST without a message if the store has a
 * row with that key; or another -errno.
 */
int table_insert(struct store *store, enum schema_table_number table, int64_t season_id,
                 const void *record);

/* As table_insert, for `count` structs of `size` bytes, in few statements. */
int table_insert_all(struct store *store, enum schema_table_number table, int64_t season_id,
                     const void *records, size_t size, size_t count);

/* Checks the fields of a struct as table_insert does. Returns 0, or -EINVAL with a message. */
int table_check(struct store *store, enum schema_table_number table, const void *record);

/*
 * Sets the fields of a struct from the current row, whose columns from `first` on are those of the
 * table ("SELECT bot.*, ..."), or the first of them. Records an invalid column in the row. Strings
 * are borrowed from the row.
 */
void table_read(struct sql_rows *rows, int first, enum schema_table_number table, void *record);

/* Computes a SHA-256 over all columns of a struct. table_check must accept the struct. */
void table_digest(enum schema_table_number table, int64_t season_id, const void *record,
                  uint8_t digest[static STORE_DIGEST_BYTES]);

/*
 * Returns a statement that adds row_count rows with all columns: "INSERT INTO seat (...) VALUES
 * ($1, ...), (...) ON CONFLICT DO NOTHING". The text is valid until the process ends.
 */
const char *table_insert_text(enum schema_table_number table, int row_count);

/*
 * Clears the personal columns of the table's rows for which a condition holds, such as "author =
 * $1", with a text as its parameter; NULL: none.
 */
int table_erase(struct store *store, enum schema_table_number table, const char *condition,
                const char *text);

/* ---- shared between the files of the store ---- */

/*
 * Stores a bot's package unless the store has it, and takes the lock that locks_control describes,
 * so that no other process removes the package before the transaction ends. Sends the package
 * before it takes the lock, because sending may take long. Fails with -EINVAL if it is too large.
 */
int store_keep_package(struct store *store, const char *bot, const char *sha256,
                       struct store_package package);

/*
 * Keeps an opening of a season from being closed before the current transaction ends. Returns 0, or
 * -ECANCELED if the opening is already closed.
 */
int store_hold_opening(struct store *store, int64_t season_id, int opening);

enum event_subject {
    EVENT_OF_ALL = 0,      /* about all seasons */
    EVENT_OF_ACCOUNT = -1, /* about an account, its tokens or a submission: no season tells it */
};

/*
 * Adds an event about a season, or about an event_subject in place of its id. Call it in a
 * transaction with locks_control.
 */
int store_add_event(struct store *store, int64_t season_id, const char *what, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

#endif
