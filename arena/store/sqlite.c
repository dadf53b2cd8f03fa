/* SPDX-License-Identifier: MIT */
/*
 * The SQLite driver. A store is one file in WAL mode: arena.db in the folder that the URL names.
 * With sqlite::memory:, for tests, a store is in memory and belongs to its handle alone.
 *
 * Durability: WAL alone keeps the file consistent. But with synchronous = NORMAL, a power failure
 * could undo the last commits, and so games that the ladder has already shown; the arena would play
 * them again, with other results. With FULL, SQLite syncs its log at each commit, so that games
 * that were shown stay. This costs one fsync per game, and a game takes about a second.
 *
 * Every transaction that writes begins with BEGIN IMMEDIATE: it waits for the lock at its start (up
 * to the busy timeout), and cannot fail half way because another process wrote first.
 *
 * The driver creates a database under a temporary name, and links it to its final name when it is
 * complete, so that a file without tables is never taken for a new store.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/place.h"
#include "arena/store/schema.h"
#include "arena/store/sql.h"

enum {
    BUSY_TIMEOUT_MS = 10000,
    LOOK_STEPS =
        10000, /* steps of a statement, about a millisecond, between looks at sql_is_over */
    STATEMENTS_MAX = 120,        /* number of prepared statements that the driver keeps */
    APPLICATION_ID = 0x50415649, /* "PAVI" */
    LOCK_WAIT_MS = 2000,
    LOCK_PAUSE_MS = 20,
    ROOM_BYTES = 512 << 10, /* the disk is full if it has no room for these; as in postgres.c */
};

struct database {
    sqlite3 *connection;
    char path[PATH_MAX]; /* path of the file; "": in memory */
    int claim_fd;        /* descriptor of the claimed season's lock file; -1: none */
    char claim_path[PATH_MAX + STORE_NAME_BYTES_MAX + 16]; /* path of that file */
    sqlite3_stmt *prepared[STATEMENTS_MAX];
    int prepared_count;
    int oldest; /* index in prepared of the statement that was replaced last */
};

static struct database *database_of(const struct store *store)
{
    return store->connection;
}

/* ---- errors ---- */

/* True if the last call failed because the disk is full, also for the log's shared memory. */
static bool disk_is_full(sqlite3 *connection)
{
    const int code = sqlite3_extended_errcode(connection);
    const int error = sqlite3_system_errno(connection);

    return (code & 0xff) == SQLITE_FULL ||
           ((code & 0xff) == SQLITE_IOERR &&
            (error == ENOSPC || error == EDQUOT || code == SQLITE_IOERR_SHMSIZE));
}

/* Writes why a file cannot be made or written. Returns -error. */
static int refuse_file(struct store *store, const char *path, int error)
{
    return store_refuse(store, -error, "%s cannot be written: %s%s", path, strerror(error),
                        place_cure(error));
}

/*
 * True if the disk did not let SQLite read: SQLite tells that like a damaged file. The error is the
 * last one of the file or, by the journal's pointer, of its log.
 */
static bool disk_cannot_be_read(sqlite3 *connection)
{
    sqlite3_file *log = NULL;
    int error = 0, log_error = 0;

    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods)
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &log_error);
    return error == EIO || log_error == EIO;
}

static int refuse_full(struct store *store)
{
    return store_refuse(store, -ENOSPC,
                        "no room left to write %s: make room on its disk and go on; nothing that "
                        "was stored is lost",
                        store->where);
}

static int database_error(struct store *store)
{
    int code = sqlite3_extended_errcode(database_of(store)->connection);

    if (disk_is_full(database_of(store)->connection))
        return refuse_full(store);
    switch (code & 0xff) {
    case SQLITE_READONLY:
        return store_refuse(store, -EROFS,
                            "%s cannot be written: make its file and folder writable; nothing that "
                            "was stored is lost",
                            store->where);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return store_refuse(store, -EBUSY, "%s is locked by another process: try again",
                            store->where);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        if (disk_cannot_be_read(database_of(store)->connection))
            return store_refuse(store, -EIO, "%s cannot be read: %s: look at its disk",
                                store->where, strerror(EIO));
        return store_refuse(store, -EBADMSG, "%s is damaged or not a store: %s; restore a backup",
                            store->where, sqlite3_errmsg(database_of(store)->connection));
    case SQLITE_CONSTRAINT:
        if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_UNIQUE ||
            code == SQLITE_CONSTRAINT_ROWID)
            return -EEXIST;
        return store_refuse(store, -EINVAL, "%s: %s", store->where,
                            sqlite3_errmsg(database_of(store)->connection));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return store_refuse(store, -EACCES, "%s cannot be opened: check its permissions",
                            store->where);
    case SQLITE_INTERRUPT:
        return sql_give_up(store);
    case SQLITE_NOMEM:
        return store_refuse(store, -ENOMEM, "out of memory");
    default:
        return store_refuse(store, -EIO, "%s: %s", store->where,
                            sqlite3_errmsg(database_of(store)->connection));
    }
}

/* ---- statements ---- */

/* Rewrites a statement for SQLite, which takes "$1" as a name, without a lock at its end. */
static void translate(char *text)
{
    static const char *const locks[] = {" FOR SHARE", " FOR UPDATE"};

    for (char *at = strchr(text, '$'); at; at = strchr(at, '$'))
        *at = '?';
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        size_t length = strlen(text), lock_length = strlen(locks[i]);

        if (length > lock_length && strcmp(text + length - lock_length, locks[i]) == 0)
            text[length - lock_length] = '\0';
    }
}

/*
 * Finds or prepares a statement for a text. If the statement of the text is running, because a
 * query is nested in another, prepares a second one. A new statement takes a free element of
 * database->prepared, or that of a statement that is not running.
 */
static int find_prepared(struct store *store, const char *text, sqlite3_stmt **statement)
{
    struct database *database = database_of(store);
    char sql[SQL_TEXT_BYTES];

    assert(strlen(text) < sizeof sql);
    strcpy(sql, text);
    translate(sql);
    for (int i = 0; i < database->prepared_count; i++) {
        *statement = database->prepared[i];
        if (strcmp(sqlite3_sql(*statement), sql) == 0 && !sqlite3_stmt_busy(*statement))
            return 0;
    }
    if (sqlite3_prepare_v3(database->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement,
                           NULL) != SQLITE_OK)
        return database_error(store);
    if (database->prepared_count < STATEMENTS_MAX) {
        database->prepared[database->prepared_count++] = *statement;
        return 0;
    }
    do {
        database->oldest = (database->oldest + 1) % STATEMENTS_MAX;
    } while (sqlite3_stmt_busy(database->prepared[database->oldest]));
    sqlite3_finalize(database->prepared[database->oldest]);
    database->prepared[database->oldest] = *statement;
    return 0;
}

static void bind(sqlite3_stmt *statement, const struct sql_query *query)
{
    for (int i = 1; i <= query->count; i++) {
        const struct sql_value *value = &query->values[i];

        switch (value->type) {
        case SQL_NULL:
            sqlite3_bind_null(statement, i);
            break;
        case SQL_INT:
        case SQL_BOOL:
            sqlite3_bind_int64(statement, i, value->number);
            break;
        case SQL_TEXT:
            sqlite3_bind_text64(statement, i, value->bytes, value->size, SQLITE_STATIC,
                                SQLITE_UTF8);
            break;
        case SQL_BYTES:
            sqlite3_bind_blob64(statement, i, value->bytes, value->size, SQLITE_STATIC);
            break;
        }
    }
}

static int start(struct sql_rows *rows, const struct sql_query *query)
{
    sqlite3_stmt *statement;
    int error = find_prepared(rows->store, query->text, &statement);

    if (error)
        return error;
    bind(statement, query);
    rows->source = statement;
    rows->count = sqlite3_column_count(statement);
    assert(rows->count <= SQL_COLUMNS_MAX);
    return 0;
}

/*
 * Reads the values by sqlite3_column_value, which takes half the time of sqlite3_column_type and
 * sqlite3_column_int64. This is safe because only one thread uses the connection.
 */
static void read_row(struct sql_rows *rows)
{
    for (int i = 0; i < rows->count; i++) {
        sqlite3_value *stored = sqlite3_column_value(rows->source, i);
        struct sql_value *value = &rows->values[i];

        switch (sqlite3_value_type(stored)) {
        case SQLITE_INTEGER:
            value->type = SQL_INT;
            value->number = sqlite3_value_int64(stored);
            break;
        case SQLITE_TEXT:
            value->type = SQL_TEXT;
            value->bytes = sqlite3_value_text(stored);
            value->size = (size_t)sqlite3_value_bytes(stored);
            break;
        case SQLITE_NULL:
            value->type = SQL_NULL;
            break;
        default: /* a blob, or a floating-point number, which no column may have */
            value->type = SQL_BYTES;
            value->bytes = sqlite3_value_blob(stored);
            value->size = (size_t)sqlite3_value_bytes(stored);
            if (!value->bytes)
                value->bytes = "";
        }
    }
}

static int next(struct sql_rows *rows)
{
    int result = sqlite3_step(rows->source);

    if (result == SQLITE_ROW) {
        rows->row_number++;
        read_row(rows);
        return 1;
    }
    if (result != SQLITE_DONE)
        return database_error(rows->store);
    rows->changed_count =
        rows->count ? rows->row_number : sqlite3_changes(database_of(rows->store)->connection);
    return 0;
}

static void end(struct sql_rows *rows)
{
    if (rows->source)
        sqlite3_reset(rows->source);
    rows->source = NULL;
}

static const char *column_name(const struct sql_rows *rows, int column)
{
    return sqlite3_column_name(rows->source, column);
}

static int execute(struct store *store, const char *script)
{
    return sqlite3_exec(database_of(store)->connection, script, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : database_error(store);
}

static int begin(struct store *store, enum sql_wait wait)
{
    sqlite3 *connection = database_of(store)->connection;
    int error;

    sqlite3_busy_timeout(connection, wait == SQL_WAITS_NOT ? 0 : BUSY_TIMEOUT_MS);
    error = execute(store, "BEGIN IMMEDIATE");
    sqlite3_busy_timeout(connection, BUSY_TIMEOUT_MS);
    return error;
}

static int commit(struct store *store)
{
    return execute(store, "COMMIT");
}

static void rollback(struct store *store)
{
    /* After some errors, for example a full disk, SQLite has already rolled back. */
    if (!sqlite3_get_autocommit(database_of(store)->connection))
        execute(store, "ROLLBACK");
}

/* ---- the file ---- */

/* Writes the path of the database: PATH/arena.db if the address PATH is a folder, else PATH. */
static int find_path(struct database *database, const char *address)
{
    struct stat status;
    size_t length = strlen(address);
    bool is_file = stat(address, &status) == 0
                       ? !S_ISDIR(status.st_mode)
                       : length > 3 && strcmp(address + length - 3, ".db") == 0;
    int written =
        snprintf(database->path, sizeof database->path, is_file ? "%s" : "%s/arena.db", address);

    return written < (int)sizeof database->path ? 0 : -ENAMETOOLONG;
}

static void find_folder(const struct database *database, char folder[static PATH_MAX])
{
    char *slash;

    strcpy(folder, database->path);
    slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';
}

/* Refuses a file or folder to which other users can write: they could falsify the store. */
static int check_owner(struct store *store, const char *path)
{
    struct stat status;
    bool others;

    if (stat(path, &status) < 0)
        return 0; /* the next call that opens the file reports the error */
    others = status.st_mode & S_IWOTH || (status.st_mode & S_IWGRP && status.st_gid != getegid()) ||
             (status.st_uid != geteuid() && status.st_uid != 0);
    if (!others)
        return 0;
    return store_refuse(
        store, -EPERM,
        "%s: other users may write to this path, so the arena does not trust a store in it: "
        "make yourself the owner (chown) and the only writer (chmod go-w)",
        path);
}

/*
 * Returns true if the database may be opened with immutable=1. If neither the log nor the folder is
 * writable, SQLite reads a WAL database only with immutable=1, which promises that nobody changes
 * the file. If there is no log, nobody is changing it.
 */
static bool is_immutable(const struct database *database)
{
    char path[PATH_MAX + 8], folder[PATH_MAX];
    struct stat status;

    snprintf(path, sizeof path, "%s-wal", database->path);
    if (stat(path, &status) == 0 && status.st_size > 0)
        return false;
    find_folder(database, folder);
    return access(folder, W_OK) < 0;
}

/* SQLite calls this while a statement runs; a value other than 0 interrupts the statement. */
static int look(void *store)
{
    return sql_is_over(store);
}

/* Writes the path as a URI, because SQLite takes immutable=1 only in a URI. */
static void write_uri(const struct database *database, char *uri, size_t size)
{
    size_t length = (size_t)snprintf(uri, size, "file:");

    for (const char *byte = database->path; *byte && length + 4 < size; byte++)
        length += (size_t)(strchr("?#%", *byte)
                               ? snprintf(uri + length, size - length, "%%%02x", (unsigned)*byte)
                               : snprintf(uri + length, size - length, "%c", *byte));
    snprintf(uri + length, size - length, "?immutable=1");
}

static int connect_database(struct store *store)
{
    struct database *database = database_of(store);
    char uri[3 * PATH_MAX + 32];
    /* No mutexes: only one thread uses a store, and mutexes would take a tenth of the time. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

    if (store->mode == STORE_READ && *database->path && is_immutable(database)) {
        write_uri(database, uri, sizeof uri);
        flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    } else {
        snprintf(uri, sizeof uri, "%s", *database->path ? database->path : ":memory:");
    }
    if (sqlite3_open_v2(uri, &database->connection, flags, NULL) != SQLITE_OK)
        return database_error(store);
    sqlite3_extended_result_codes(database->connection, 1);
    sqlite3_busy_timeout(database->connection, BUSY_TIMEOUT_MS);
    sqlite3_progress_handler(database->connection, LOOK_STEPS, look, store);
    /* The file may come from a stranger: its schema must not call functions or change anything. */
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* A misspelt column in double quotes is an error: by default SQLite takes it as a text. */
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (store->mode != STORE_READ && sqlite3_db_readonly(database->connection, "main"))
        return store_refuse(store, -EROFS,
                            "%s cannot be written: make its file and folder writable; nothing that "
                            "was stored is lost",
                            database->path);
    return execute(store, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                          "PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON");
}

static void disconnect(struct database *database)
{
    for (int i = 0; i < database->prepared_count; i++)
        sqlite3_finalize(database->prepared[i]);
    database->prepared_count = 0;
    sqlite3_close(database->connection);
    database->connection = NULL;
}

/* ---- a new store ---- */

/* Removes an unfinished database file, and SQLite's files beside it. */
static void remove_draft(const char *draft)
{
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    char path[PATH_MAX + 16];

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(path, sizeof path, "%s%s", draft, suffixes[i]);
        unlink(path);
    }
}

/* The journal mode belongs to the file, and cannot be set in a transaction. */
static int create_tables(struct store *store)
{
    return execute(store, "PRAGMA journal_mode = WAL; PRAGMA application_id = 1346459209")
               ?: schema_create(store);
}

/* Creates an empty store in database->path, which is a temporary name now. */
static int fill_draft(struct store *store)
{
    struct database *database = database_of(store);
    /*
     * Only the owner may open the file, whatever the folder's mode is, because the store has seeds
     * of future games. SQLite gives its log the same mode.
     */
    int fd = open(database->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0)
        return refuse_file(store, database->path, errno);
    close(fd);
    /* The checkpoint leaves no log file under the temporary name. */
    return connect_database(store)
               ?: create_tables(store) ?: execute(store, "PRAGMA wal_checkpoint(TRUNCATE)");
}

static int create_file(struct store *store)
{
    struct database *database = database_of(store);
    char final[PATH_MAX], log[PATH_MAX + 8];
    int error;

    strcpy(final, database->path);
    snprintf(log, sizeof log, "%s-wal", final);
    if (access(log, F_OK) == 0)
        return store_refuse(store, -EBADMSG,
                            "%s is missing, but its log %s exists: restore the file or a backup, "
                            "or remove the log for a new store",
                            final, log);
    if (snprintf(database->path, sizeof database->path, "%s.new-%d", final, (int)getpid()) >=
        (int)sizeof database->path)
        return -ENAMETOOLONG;
    error = fill_draft(store);
    disconnect(database);
    /*
     * link, not rename: if another process has just created the store, that store is kept and used.
     */
    if (!error && link(database->path, final) < 0 && errno != EEXIST)
        error = refuse_file(store, final, errno);
    remove_draft(database->path);
    strcpy(database->path, final);
    snprintf(store->where, sizeof store->where, "%s", final);
    return error;
}

static int find_file(struct store *store)
{
    struct database *database = database_of(store);
    char folder[PATH_MAX];
    struct stat status;
    int error;

    find_folder(database, folder);
    if (store->mode == STORE_CREATE && (error = home_create(folder)) < 0)
        return store_refuse(store, error, "cannot make the folder %s: %s%s", folder,
                            strerror(-error), place_cure(error));
    if ((error = check_owner(store, folder)) < 0 ||
        (error = check_owner(store, database->path)) < 0)
        return error;
    if (stat(database->path, &status) < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return store_refuse(store, -errno, "%s: %s", database->path, strerror(errno));
        return store->mode == STORE_CREATE
                   ? create_file(store)
                   : store_refuse(store, -ENOENT, "there is no store in %s", folder);
    }
    if (status.st_size == 0)
        return store_refuse(store, -EBADMSG,
                            "%s is empty, but a store never is: restore a backup, or remove the "
                            "file to begin a new store",
                            database->path);
    return 0;
}

/* Refuses a file that is not a store, or whose tables are not those of this arena. */
static int check_file(struct store *store)
{
    int64_t application, version;
    int error = sql_number(store, SQL("PRAGMA application_id"), &application)
                    ?: sql_number(store, SQL("PRAGMA user_version"), &version);

    if (!error && application != APPLICATION_ID)
        return store_refuse(
            store, -EBADMSG,
            "%s is not a Pavilion store: give the path of the arena's home or of its arena.db",
            store->where);
    return error ?: version ? schema_refuse(store) : schema_check(store);
}

static int open_database(struct store *store, const char *address)
{
    struct database *database = calloc(1, sizeof *database);
    int error;

    if (!database)
        return -ENOMEM;
    database->claim_fd = -1;
    store->connection = database;
    if (!*address)
        return store_refuse(store, -EINVAL, "the store's path is empty: use sqlite:PATH");
    if (strcmp(address, ":memory:") == 0) {
        error = connect_database(store);
        return error ? error : create_tables(store);
    }
    if (find_path(database, address) < 0)
        return store_refuse(store, -ENAMETOOLONG, "the store's path is too long");
    snprintf(store->where, sizeof store->where, "%s", database->path);
    if ((error = find_file(store)) < 0 || (error = connect_database(store)) < 0)
        return error;
    return check_file(store);
}

/* ---- claims: locks of files beside the database ---- */

/*
 * Takes the lock; if `waits` is set, tries for LOCK_WAIT_MS. The lock may still be held by a dying
 * process: if the arena is killed while it starts a bot, the child shares the arena's descriptors
 * until the child dies, too.
 */
static bool take_lock(int fd, struct flock *lock, bool waits)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};

    for (int waited_ms = 0; fcntl(fd, F_OFD_SETLK, lock) < 0; waited_ms += LOCK_PAUSE_MS) {
        if (!waits || waited_ms >= LOCK_WAIT_MS)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Removes the lock file before releasing its lock, so that backups and homes keep no such files. */
static void release(struct store *store)
{
    struct database *database = database_of(store);

    if (database->claim_fd < 0)
        return;
    unlink(database->claim_path);
    close(database->claim_fd);
    database->claim_fd = -1;
}

/* Writes the path of a season's lock file. */
static void write_claim_path(const struct database *database, const char *name,
                             char path[static sizeof database->claim_path])
{
    const char *slash = strrchr(database->path, '/');

    snprintf(path, sizeof database->claim_path, "%.*sseason-%s.lock",
             slash ? (int)(slash - database->path + 1) : 0, database->path, name);
}

/*
 * Returns the process that holds a lock: the file's text says so. (The kernel tells it only of
 * locks that belong to a process.)
 */
static int read_owner(int fd, const struct flock *lock)
{
    char text[16] = "";

    return lock->l_pid > 0                           ? (int)lock->l_pid
           : pread(fd, text, sizeof text - 1, 0) > 0 ? atoi(text)
                                                     : 0;
}

/*
 * Locks the open file, and not for the process: a process that opens and closes the file to look at
 * the lock (read_claim) would release its own. The kernel releases the lock when the process ends
 * in any way.
 */
static int claim(struct store *store, const char *name, bool waits)
{
    struct database *database = database_of(store);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *path = database->claim_path;
    struct stat status;
    bool is_locked;
    int fd, owner = 0;

    if (!*database->path)
        return 0;
    release(store);
    write_claim_path(database, name, path);
    do {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return refuse_file(store, path, errno);
        is_locked = take_lock(fd, &lock, waits);
        /* The process that held the lock until now has removed the file: lock a new file. */
    } while (is_locked && fstat(fd, &status) == 0 && status.st_nlink == 0 && close(fd) == 0);
    if (is_locked) {
        database->claim_fd = fd;
        if (ftruncate(fd, 0) == 0)
            dprintf(fd, "%d\n", (int)getpid());
        return 0;
    }
    if (fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        owner = read_owner(fd, &lock); /* else the owner has just released the lock */
    close(fd);
    return store_refuse(store, -EBUSY, "season %s is being played by process %d", name, owner);
}

static int read_claim(struct store *store, const char *name, char owner[static STORE_OWNER_BYTES])
{
    struct database *database = database_of(store);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[sizeof database->claim_path];
    int fd;

    if (!*database->path)
        return 0;
    write_claim_path(database, name, path);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return 0; /* nobody plays the season, or this user may not know */
    if (fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        snprintf(owner, STORE_OWNER_BYTES, "process %d", read_owner(fd, &lock));
    close(fd);
    return 0;
}

static void close_database(struct store *store)
{
    struct database *database = database_of(store);

    if (!database)
        return;
    release(store);
    disconnect(database);
    free(database);
}

/* ---- check and backup ---- */

static int check_database(struct store *store)
{
    struct sql_rows rows;
    const char *verdict = NULL;

    sql_open(store, &rows, SQL("PRAGMA integrity_check(1)"));
    if (sql_next(&rows) && (!(verdict = row_text_or_null(&rows, 0)) || strcmp(verdict, "ok") != 0))
        /* SQLite tells a page that it could not get, for lack of memory (SQLITE_NOMEM) or since the
         * disk did not answer, like one that is damaged. */
        rows.error =
            disk_cannot_be_read(database_of(store)->connection)
                ? store_refuse(store, -EIO, "%s cannot be read: %s: look at its disk", store->where,
                               strerror(EIO))
            : !verdict || strstr(verdict, "error code=7") || strstr(verdict, "failed to get page")
                ? store_explain(store, -ENOMEM, "out of memory")
                : store_refuse(store, -EBADMSG, "%s is damaged: %s; restore a backup", store->where,
                               verdict);
    if (sql_close(&rows))
        return rows.error;
    sql_open(store, &rows, SQL("PRAGMA foreign_key_check"));
    if (sql_next(&rows))
        rows.error = store_refuse(
            store, -EBADMSG,
            "%s is damaged: a row of table %s refers to a missing row; restore a backup",
            store->where, row_text_or_null(&rows, 0));
    return sql_close(&rows);
}

/*
 * Copies all pages of the database to the file `draft`, in one step, because a write by another
 * process between two steps would restart the copy. Messages name `path`, the name that the caller
 * gives the file afterwards.
 */
static int copy_pages(struct store *store, const char *draft, const char *path)
{
    sqlite3 *target = NULL;
    sqlite3_backup *backup = NULL;
    int result = sqlite3_open_v2(draft, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    int error = 0;

    if (result == SQLITE_OK)
        backup = sqlite3_backup_init(target, "main", database_of(store)->connection, "main");
    if (backup) {
        sqlite3_backup_step(backup, -1);
        result = sqlite3_backup_finish(backup);
    }
    /*
     * The original store will publish the seeds of its open seasons, so nobody may play games with
     * these seeds from the backup: copied = 1 forbids it.
     */
    if (!backup || result != SQLITE_OK ||
        sqlite3_exec(target, "UPDATE opening SET copied = 1 WHERE closed_us IS NULL", NULL, NULL,
                     NULL) != SQLITE_OK)
        error = disk_is_full(target) ? refuse_file(store, path, ENOSPC)
                                     : store_refuse(store, -EIO, "%s cannot be written: %s", path,
                                                    sqlite3_errmsg(target));
    sqlite3_close(target);
    return error;
}

/*
 * Writes the backup to a private folder beside its place, and links the file to its final name when
 * it is complete. SQLite opens the files of unfinished changes by names that others can guess: in a
 * folder that others may write, somebody's file of such a name would receive the seeds.
 */
static int backup_database(struct store *store, const char *path)
{
    char folder[PATH_MAX], draft[PATH_MAX + 16];
    int error, fd;

    if (access(path, F_OK) == 0)
        return -EEXIST;
    if (snprintf(folder, sizeof folder, "%s.new-XXXXXX", path) >= (int)sizeof folder)
        return -ENAMETOOLONG;
    if (!mkdtemp(folder))
        return refuse_file(store, path, errno);
    snprintf(draft, sizeof draft, "%s/arena.db", folder);
    fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    error = fd < 0 ? refuse_file(store, path, errno) : copy_pages(store, draft, path);
    if (!error && fsync(fd) < 0)
        error = refuse_file(store, path, errno);
    if (fd >= 0)
        close(fd);
    if (!error && link(draft, path) < 0)
        error = errno == EEXIST ? -EEXIST : refuse_file(store, path, errno);
    remove_draft(draft);
    rmdir(folder);
    return error;
}

/*
 * Reserves ROOM_BYTES on the store's disk, and gives them back. A file system that cannot reserve,
 * or has no files without names, says nothing: then the next write shows whether there is room.
 */
static int try_room(struct store *store)
{
    char folder[PATH_MAX];
    int fd, error;

    if (!*database_of(store)->path)
        return 0;
    snprintf(folder, sizeof folder, "%s", database_of(store)->path);
    fd = open(dirname(folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    error = fd < 0 ? errno : posix_fallocate(fd, 0, ROOM_BYTES);
    if (fd >= 0)
        close(fd);
    return error == ENOSPC || error == EDQUOT ? refuse_full(store) : 0;
}

const struct sql_driver sqlite_driver = {
    .scheme = "sqlite",
    .type_words =
        {[SQL_INT] = "INTEGER", [SQL_BOOL] = "INTEGER", [SQL_TEXT] = "TEXT", [SQL_BYTES] = "BLOB"},
    .generated_key = "INTEGER PRIMARY KEY AUTOINCREMENT",
    .table_words = " STRICT, WITHOUT ROWID",
    .blob_table_words = " STRICT",
    .schema_script = "",
    .after_copy = "",
    .open = open_database,
    .close = close_database,
    .start = start,
    .next = next,
    .end = end,
    .column_name = column_name,
    .execute = execute,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .claim = claim,
    .read_claim = read_claim,
    .check = check_database,
    .backup = backup_database,
    .try_room = try_room,
};
