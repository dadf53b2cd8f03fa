/*
 * What the files of the SQLite back end share: the open database, its prepared
 * statements and how its errors become ours. For these files only.
 */
#ifndef ARENA_STORE_SQLITE_DATABASE_H
#define ARENA_STORE_SQLITE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>

#include "arena/store/store.h"

enum {
    DATABASE_STATEMENTS_MAX = 48, /* different SQL texts of the whole back end */
};

struct store {
    sqlite3 *connection;
    char path[PATH_MAX];
    char failure[PATH_MAX + 256];
    enum store_mode mode;
    int version;
    bool in_transaction; /* between store_begin and its end */
    struct {
        const char *sql; /* a literal: its address is the key */
        sqlite3_stmt *prepared;
    } statements[DATABASE_STATEMENTS_MAX];
    int statement_count;
};

/* Writes the line that store_failure tells. Returns error. */
int database_refuse(struct store *store, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same from what SQLite says went wrong. */
int database_error(struct store *store);

/*
 * The prepared form of a literal SQL text, reset and with nothing bound; the store's own.
 * NULL when it cannot be prepared: then database_error tells why.
 */
sqlite3_stmt *database_statement(struct store *store, const char *sql);

/* Runs a statement that returns no rows, and resets it. 0 or -errno. */
int database_run(struct store *store, sqlite3_stmt *statement);

/*
 * Steps to the next row: 1 for a row, 0 after the last, else -errno; the statement is
 * reset unless there was a row.
 */
int database_step(struct store *store, sqlite3_stmt *statement);

/* A transaction of one call: part of the caller's where there is one. Ends by `error`. */
int database_begin(struct store *store);
int database_end(struct store *store, int error);

/* Brings the schema up to date (schema.c). 0 or -errno. */
int database_migrate(struct store *store);

/* ---- columns ---- */

/* Copies a text column into room for `size` bytes, cut to fit. */
void column_text(sqlite3_stmt *statement, int column, char *target, size_t size);

/* A blob column, copied; the caller frees *bytes (never NULL on success). 0 or -ENOMEM. */
int column_blob(sqlite3_stmt *statement, int column, uint8_t **bytes, size_t *size);

#endif
