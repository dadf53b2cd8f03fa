/*
 * The SQLite back end: one file, HOME/arena.db, in WAL mode.
 *
 * Durability. WAL alone keeps the file consistent; with synchronous = NORMAL a power cut
 * could still take back the last commits, among them games that the ladder has shown and
 * that would then be played again with another result. FULL syncs the log at each commit:
 * what was reported stays. It costs one fsync a game, against games of a second.
 *
 * Every transaction that writes begins IMMEDIATE, so that it waits for its turn at its
 * start (busy timeout) and never fails half way because another process wrote first.
 */
#include "arena/store/sqlite/database.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store/home.h"

enum {
    BUSY_TIMEOUT_MS = 10000,
};

int database_refuse(struct store *store, int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(store->failure, sizeof store->failure, format, arguments);
    va_end(arguments);
    return error;
}

const char *store_failure(const struct store *store)
{
    return store ? store->failure : "out of memory";
}

int store_explain(struct store *store, int error, const char *line)
{
    return database_refuse(store, error, "%s", line);
}

/* A full disk shows as SQLITE_FULL or, from the log's shared memory, as an I/O error. */
static bool disk_is_full(const struct store *store, int code)
{
    return (code & 0xff) == SQLITE_FULL ||
           ((code & 0xff) == SQLITE_IOERR &&
            (sqlite3_system_errno(store->connection) == ENOSPC ||
             sqlite3_system_errno(store->connection) == EDQUOT || code == SQLITE_IOERR_SHMSIZE));
}

int database_error(struct store *store)
{
    int code = sqlite3_extended_errcode(store->connection);

    if (disk_is_full(store, code))
        return database_refuse(store, -ENOSPC,
                               "no room left to write %s: make room on its disk and go on; "
                               "nothing that was kept is lost",
                               store->path);
    switch (code & 0xff) {
    case SQLITE_READONLY:
        return database_refuse(store, -EROFS,
                               "%s cannot be written: give its file and folder back their "
                               "permission to be written; nothing that was kept is lost",
                               store->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return database_refuse(store, -EBUSY, "%s is held by another process: try again",
                               store->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return database_refuse(store, -EBADMSG, "%s is damaged or no store (%s)", store->path,
                               sqlite3_errmsg(store->connection));
    case SQLITE_CONSTRAINT:
        return database_refuse(store, -EEXIST, "%s: %s", store->path,
                               sqlite3_errmsg(store->connection));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return database_refuse(store, -EACCES, "%s cannot be opened: check its permissions",
                               store->path);
    case SQLITE_NOMEM:
        return database_refuse(store, -ENOMEM, "out of memory");
    default:
        return database_refuse(store, -EIO, "%s: %s", store->path,
                               sqlite3_errmsg(store->connection));
    }
}

sqlite3_stmt *database_statement(struct store *store, const char *sql)
{
    sqlite3_stmt *prepared;

    for (int i = 0; i < store->statement_count; i++) {
        if (store->statements[i].sql == sql) {
            prepared = store->statements[i].prepared;
            assert(!sqlite3_stmt_busy(prepared)); /* a callback may not repeat its iteration */
            sqlite3_clear_bindings(prepared);
            return prepared;
        }
    }
    assert(store->statement_count < DATABASE_STATEMENTS_MAX);
    if (sqlite3_prepare_v3(store->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared,
                           NULL) != SQLITE_OK)
        return NULL;
    store->statements[store->statement_count].sql = sql;
    store->statements[store->statement_count++].prepared = prepared;
    return prepared;
}

int database_step(struct store *store, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    int error = 0;

    if (result == SQLITE_ROW)
        return 1;
    if (result != SQLITE_DONE)
        error = database_error(store); /* before the reset, which would forget errno */
    sqlite3_reset(statement);
    return error;
}

int database_run(struct store *store, sqlite3_stmt *statement)
{
    int result = database_step(store, statement);

    assert(result <= 0);
    return result;
}

static int run_text(struct store *store, const char *sql)
{
    return sqlite3_exec(store->connection, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : database_error(store);
}

int store_begin(struct store *store)
{
    int error;

    assert(!store->in_transaction);
    error = run_text(store, "BEGIN IMMEDIATE");
    store->in_transaction = error == 0;
    return error;
}

int store_commit(struct store *store)
{
    int error;

    assert(store->in_transaction);
    error = run_text(store, "COMMIT");
    if (!error)
        store->in_transaction = false;
    return error;
}

void store_rollback(struct store *store)
{
    /* After some errors (disk full) SQLite has rolled back by itself. */
    if (!sqlite3_get_autocommit(store->connection))
        sqlite3_exec(store->connection, "ROLLBACK", NULL, NULL, NULL);
    store->in_transaction = false;
}

int database_begin(struct store *store)
{
    return store->in_transaction ? 0 : run_text(store, "BEGIN IMMEDIATE");
}

int database_end(struct store *store, int error)
{
    if (store->in_transaction)
        return error;
    if (!error)
        error = run_text(store, "COMMIT");
    if (error && !sqlite3_get_autocommit(store->connection))
        sqlite3_exec(store->connection, "ROLLBACK", NULL, NULL, NULL);
    return error;
}

/* ---- opening and closing ---- */

/*
 * Where neither log nor folder can be written, SQLite reads a WAL database only when told that
 * nobody else changes it. That is true if no log is left.
 */
static bool is_immutable(const struct store *store)
{
    char path[PATH_MAX + 8];
    struct stat status;
    char *slash;

    snprintf(path, sizeof path, "%s-wal", store->path);
    if (stat(path, &status) == 0 && status.st_size > 0)
        return false;
    snprintf(path, sizeof path, "%s", store->path);
    slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return access(path, W_OK) < 0;
}

/* A path as the URI that immutable=1 needs. */
static void write_uri(const struct store *store, char *uri, size_t size)
{
    size_t length = (size_t)snprintf(uri, size, "file:");

    for (const char *byte = store->path; *byte && length + 4 < size; byte++)
        length += (size_t)(strchr("?#%", *byte)
                               ? snprintf(uri + length, size - length, "%%%02x", (unsigned)*byte)
                               : snprintf(uri + length, size - length, "%c", *byte));
    snprintf(uri + length, size - length, "?immutable=1");
}

static int connect_database(struct store *store)
{
    char uri[3 * PATH_MAX + 32];
    /* One thread at a time is the store's promise: SQLite's own locks would cost a tenth. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

    if (store->mode == STORE_READ && is_immutable(store)) {
        write_uri(store, uri, sizeof uri);
        flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    } else {
        snprintf(uri, sizeof uri, "%s", store->path);
    }
    if (sqlite3_open_v2(uri, &store->connection, flags, NULL) != SQLITE_OK)
        return database_error(store);
    sqlite3_extended_result_codes(store->connection, 1);
    sqlite3_busy_timeout(store->connection, BUSY_TIMEOUT_MS);
    if (store->mode != STORE_READ && sqlite3_db_readonly(store->connection, "main"))
        return database_refuse(store, -EROFS,
                               "%s cannot be written: give its file and folder back their "
                               "permission to be written; nothing that was kept is lost",
                               store->path);
    return run_text(store, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                           "PRAGMA cache_size = -16384");
}

static int create_file(struct store *store, const char *home)
{
    int error = home_create(home);
    int fd;

    if (error)
        return database_refuse(store, error, "cannot make the folder %s: %s", home,
                               strerror(-error));
    /* For its owner only, whatever the folder is: the seeds of games to come lie in it. SQLite
       gives its log the rights of the file. */
    fd = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    error = fd < 0 ? -errno : 0;
    if (error && access(store->path, F_OK) < 0) /* one that cannot be written is told later */
        return database_refuse(store, error, "cannot make %s: %s", store->path, strerror(-error));
    return 0;
}

static int find_file(struct store *store, const char *home)
{
    if (store->mode == STORE_CREATE)
        return create_file(store, home);
    if (access(store->path, F_OK) == 0)
        return 0;
    return database_refuse(store, -ENOENT,
                           "there is no store in %s: `arena submit` or `arena season new` makes "
                           "one (--home or ARENA_HOME names another place)",
                           home);
}

int store_open(struct store **store_out, const char *home, enum store_mode mode)
{
    struct store *store = calloc(1, sizeof *store);
    int error;

    *store_out = store;
    if (!store)
        return -ENOMEM;
    store->mode = mode;
    if (snprintf(store->path, sizeof store->path, "%s/arena.db", home) >= (int)sizeof store->path)
        return database_refuse(store, -ENAMETOOLONG, "the home's path is too long");
    if ((error = find_file(store, home)) < 0 || (error = connect_database(store)) < 0)
        return error;
    return database_migrate(store);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (int i = 0; i < store->statement_count; i++)
        sqlite3_finalize(store->statements[i].prepared);
    sqlite3_close(store->connection);
    free(store);
}

int store_version(const struct store *store)
{
    return store->version;
}

int store_check(struct store *store)
{
    sqlite3_stmt *integrity = database_statement(store, "PRAGMA integrity_check(1)");
    sqlite3_stmt *references = database_statement(store, "PRAGMA foreign_key_check");
    char verdict[256];
    int row;

    if (!integrity || !references)
        return database_error(store);
    row = database_step(store, integrity);
    if (row <= 0)
        return row < 0 ? row : -EBADMSG;
    column_text(integrity, 0, verdict, sizeof verdict);
    sqlite3_reset(integrity);
    if (strcmp(verdict, "ok") != 0)
        return database_refuse(store, -EBADMSG, "%s is damaged: %s", store->path, verdict);
    row = database_step(store, references);
    if (row > 0) {
        column_text(references, 0, verdict, sizeof verdict);
        sqlite3_reset(references);
        return database_refuse(store, -EBADMSG, "%s is damaged: a row of %s refers to nothing",
                               store->path, verdict);
    }
    return row;
}

/* ---- columns ---- */

void column_text(sqlite3_stmt *statement, int column, char *target, size_t size)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    snprintf(target, size, "%s", text ? text : "");
}

int column_blob(sqlite3_stmt *statement, int column, uint8_t **bytes, size_t *size)
{
    const void *blob = sqlite3_column_blob(statement, column);

    *size = (size_t)sqlite3_column_bytes(statement, column);
    *bytes = malloc(*size + 1);
    if (!*bytes)
        return -ENOMEM;
    if (*size)
        memcpy(*bytes, blob, *size);
    return 0;
}
