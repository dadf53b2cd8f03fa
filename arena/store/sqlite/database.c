/* Shared by the files of the SQLite back end: statements, errors, transactions. */
#include "arena/store/sqlite/database.h"

#include <assert.h>
#include <errno.h>

/* True if the disk is full: SQLITE_FULL or, for the log's shared memory, an I/O error. */
static bool disk_is_full(const struct store *store, int code)
{
    return (code & 0xff) == SQLITE_FULL ||
           ((code & 0xff) == SQLITE_IOERR &&
            (sqlite3_system_errno(database_of(store)->connection) == ENOSPC ||
             sqlite3_system_errno(database_of(store)->connection) == EDQUOT ||
             code == SQLITE_IOERR_SHMSIZE));
}

int database_error(struct store *store)
{
    int code = sqlite3_extended_errcode(database_of(store)->connection);

    if (disk_is_full(store, code))
        return store_refuse(store, -ENOSPC,
                            "no room left to write %s: make room on its disk and go on; "
                            "nothing that was stored is lost",
                            database_of(store)->path);
    switch (code & 0xff) {
    case SQLITE_READONLY:
        return store_refuse(store, -EROFS,
                            "%s cannot be written: make its file and folder writable; nothing that "
                            "was stored is lost",
                            database_of(store)->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return store_refuse(store, -EBUSY, "%s is locked by another process: try again",
                            database_of(store)->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return store_refuse(store, -EBADMSG, "%s is damaged or not a store: %s; restore a backup",
                            database_of(store)->path,
                            sqlite3_errmsg(database_of(store)->connection));
    case SQLITE_CONSTRAINT:
        if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_UNIQUE ||
            code == SQLITE_CONSTRAINT_ROWID)
            return -EEXIST;
        return store_refuse(store, -EINVAL, "%s: %s", database_of(store)->path,
                            sqlite3_errmsg(database_of(store)->connection));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return store_refuse(store, -EACCES, "%s cannot be opened: check its permissions",
                            database_of(store)->path);
    case SQLITE_NOMEM:
        return store_refuse(store, -ENOMEM, "out of memory");
    default:
        return store_refuse(store, -EIO, "%s: %s", database_of(store)->path,
                            sqlite3_errmsg(database_of(store)->connection));
    }
}

sqlite3_stmt *database_statement(struct store *store, const char *sql)
{
    struct database *database = database_of(store);
    sqlite3_stmt *prepared;

    for (int i = 0; i < database->statement_count; i++) {
        prepared = database->statements[i].prepared;
        if (database->statements[i].sql == sql && !sqlite3_stmt_busy(prepared)) {
            sqlite3_clear_bindings(prepared);
            return prepared;
        }
    }
    assert(database->statement_count < DATABASE_STATEMENTS_MAX);
    if (sqlite3_prepare_v3(database_of(store)->connection, sql, -1, SQLITE_PREPARE_PERSISTENT,
                           &prepared, NULL) != SQLITE_OK)
        return NULL;
    database->statements[database->statement_count].sql = sql;
    database->statements[database->statement_count++].prepared = prepared;
    return prepared;
}

int database_step(struct store *store, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    int error = 0;

    if (result == SQLITE_ROW)
        return 1;
    if (result != SQLITE_DONE)
        error = database_error(store); /* before the reset, which clears errno */
    sqlite3_reset(statement);
    return error;
}

int database_run(struct store *store, sqlite3_stmt *statement)
{
    int result = database_step(store, statement);

    assert(result <= 0);
    return result;
}

/* ---- transactions of one call ---- */

int database_execute(struct store *store, const char *sql)
{
    return sqlite3_exec(database_of(store)->connection, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : database_error(store);
}

bool database_in_transaction(const struct store *store)
{
    return !sqlite3_get_autocommit(database_of(store)->connection);
}

void database_rollback(struct store *store)
{
    /* After some errors (disk full) SQLite has already rolled back. */
    if (database_in_transaction(store))
        sqlite3_exec(database_of(store)->connection, "ROLLBACK", NULL, NULL, NULL);
}

int database_begin(struct store *store)
{
    struct database *database = database_of(store);

    database->own_transaction = !database_in_transaction(store);
    return database->own_transaction ? database_execute(store, "BEGIN IMMEDIATE") : 0;
}

int database_end(struct store *store, int error)
{
    if (!database_of(store)->own_transaction)
        return error;
    if (!error)
        error = database_execute(store, "COMMIT");
    if (error)
        database_rollback(store);
    return error;
}
