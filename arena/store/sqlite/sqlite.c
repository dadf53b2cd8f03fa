/*
 * The SQLite back end: one file, arena.db in the folder named by its URL, in WAL mode.
 *
 * Durability. WAL alone keeps the file consistent; but with synchronous = NORMAL, a power failure
 * could undo the last commits, among them games that the ladder has already shown and that would
 * then be played again with another result. FULL syncs the log at each commit, so that what was
 * reported stays. It costs one fsync per game; a game takes about a second.
 *
 * Every transaction that writes begins IMMEDIATE, so that it waits for the lock at its start (busy
 * timeout) and never fails half way because another process wrote first.
 *
 * A new database is created under a temporary name and renamed when it is complete, so that a file
 * without its tables is never taken for a new store.
 */
#include "arena/store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store/home.h"
#include "arena/store/sqlite/database.h"

enum {
    BUSY_TIMEOUT_MS = 10000,
};

/* ---- the file ---- */

/* Finds PATH/arena.db, or PATH if that is the file itself. */
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

/* Writes the folder of the file. */
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

/* Checks that no other user can write to a file or its folder, and so falsify the store. */
static int check_owner(struct store *store, const char *path)
{
    struct stat status;
    bool others;

    if (stat(path, &status) < 0)
        return 0; /* opening it reports the error */
    others = status.st_mode & S_IWOTH || (status.st_mode & S_IWGRP && status.st_gid != getegid()) ||
             (status.st_uid != geteuid() && status.st_uid != 0);
    if (!others)
        return 0;
    return store_refuse(store, -EPERM,
                        "%s: others may write to it, so a store there cannot be trusted: let it "
                        "belong to you (chown), and only you write to it (chmod go-w)",
                        path);
}

/*
 * True if the database may be opened as immutable. If neither the log nor the folder is writable,
 * SQLite reads a WAL database only if told that nobody else changes it; that is true if there is no
 * log.
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

/* Writes a path as the URI that immutable=1 requires. */
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
    /*
     * Only one thread at a time uses a store; SQLite's own mutexes would cost a tenth of the time.
     */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

    if (database->mode == STORE_READ && is_immutable(database)) {
        write_uri(database, uri, sizeof uri);
        flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    } else {
        snprintf(uri, sizeof uri, "%s", database->path);
    }
    if (sqlite3_open_v2(uri, &database->connection, flags, NULL) != SQLITE_OK)
        return database_error(store);
    sqlite3_extended_result_codes(database->connection, 1);
    sqlite3_busy_timeout(database->connection, BUSY_TIMEOUT_MS);
    /* The file may be untrusted: its schema must not call functions or change anything. */
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database->connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (database->mode != STORE_READ && sqlite3_db_readonly(database->connection, "main"))
        return store_refuse(store, -EROFS,
                            "%s cannot be written: make its file and folder writable; nothing that "
                            "was stored is lost",
                            database->path);
    return database_execute(store, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                                   "PRAGMA cache_size = -16384; PRAGMA cell_size_check = ON");
}

static void disconnect(struct database *database)
{
    for (int i = 0; i < database->statement_count; i++)
        sqlite3_finalize(database->statements[i].prepared);
    database->statement_count = 0;
    sqlite3_close(database->connection);
    database->connection = NULL;
}

/* ---- a new store ---- */

static int remove_draft(struct database *database, int error)
{
    char path[PATH_MAX + 8];

    disconnect(database);
    unlink(database->path);
    snprintf(path, sizeof path, "%s-wal", database->path);
    unlink(path);
    snprintf(path, sizeof path, "%s-shm", database->path);
    unlink(path);
    return error;
}

/* Creates a complete, empty store in the file that database->path names at this point. */
static int fill_draft(struct store *store)
{
    struct database *database = database_of(store);
    /*
     * Accessible by its owner only, whatever the folder's mode is: it contains seeds of future
     * games. SQLite gives its log the same mode.
     */
    int fd = open(database->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int error;

    if (fd < 0)
        return store_refuse(store, -errno, "cannot make %s: %s", database->path, strerror(errno));
    close(fd);
    error = connect_database(store);
    if (!error)
        error = database_create(store);
    if (!error) /* no log with the draft's name may be left */
        error = database_execute(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    return error;
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
                            "%s is missing, but its log %s is there: restore the file or a backup, "
                            "or remove the log for a new store",
                            final, log);
    if (snprintf(database->path, sizeof database->path, "%s.new-%d", final, (int)getpid()) >=
        (int)sizeof database->path)
        return -ENAMETOOLONG;
    error = fill_draft(store);
    disconnect(database);
    /* link, not rename: if another process has created the store meanwhile, that one is used. */
    if (!error && link(database->path, final) < 0 && errno != EEXIST)
        error = store_refuse(store, -errno, "cannot make %s: %s", final, strerror(errno));
    error = remove_draft(database, error);
    strcpy(database->path, final);
    store_set_where(store, final);
    return error;
}

static int find_file(struct store *store)
{
    struct database *database = database_of(store);
    char folder[PATH_MAX];
    struct stat status;
    int error;

    find_folder(database, folder);
    if (database->mode == STORE_CREATE && (error = home_create(folder)) < 0)
        return store_refuse(store, error, "cannot make the folder %s: %s", folder,
                            strerror(-error));
    if ((error = check_owner(store, folder)) < 0 ||
        (error = check_owner(store, database->path)) < 0)
        return error;
    if (stat(database->path, &status) < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return store_refuse(store, -errno, "%s: %s", database->path, strerror(errno));
        return database->mode == STORE_CREATE
                   ? create_file(store)
                   : store_refuse(store, -ENOENT, "there is no store in %s", folder);
    }
    if (status.st_size == 0)
        return store_refuse(store, -EBADMSG,
                            "%s is empty, which no store ever is: restore a backup, or remove it "
                            "for a new store",
                            database->path);
    return 0;
}

static int open_database(struct store *store, const char *address, enum store_mode mode)
{
    struct database *database = calloc(1, sizeof *database);
    int error;

    if (!database)
        return -ENOMEM;
    database->mode = mode;
    database->claim_fd = -1;
    store_set_state(store, database);
    if (!*address)
        return store_refuse(store, -EINVAL, "the store's path is empty: use sqlite:PATH");
    if (find_path(database, address) < 0)
        return store_refuse(store, -ENAMETOOLONG, "the store's path is too long");
    store_set_where(store, database->path);
    if ((error = find_file(store)) < 0 || (error = connect_database(store)) < 0)
        return error;
    return database_migrate(store);
}

static void close_database(struct store *store)
{
    struct database *database = database_of(store);

    if (!database)
        return;
    sqlite_season_release(store);
    disconnect(database);
    free(database);
}

static int read_version(const struct store *store)
{
    return database_of(store)->version;
}

/* ---- checks and transactions ---- */

static int check_database(struct store *store)
{
    sqlite3_stmt *integrity = database_statement(store, "PRAGMA integrity_check(1)");
    sqlite3_stmt *references = database_statement(store, "PRAGMA foreign_key_check");
    const char *verdict;
    int found;

    if (!integrity || !references)
        return database_error(store);
    found = database_step(store, integrity);
    if (found <= 0)
        return found < 0 ? found : -EBADMSG;
    verdict = (const char *)sqlite3_column_text(integrity, 0);
    if (!verdict || strcmp(verdict, "ok") != 0)
        found = store_refuse(store, -EBADMSG, "%s is damaged: %s; restore a backup",
                             store_where(store), verdict ? verdict : "out of memory");
    sqlite3_reset(integrity);
    if (found < 0)
        return found;
    found = database_step(store, references);
    if (found > 0) {
        found = store_refuse(store, -EBADMSG,
                             "%s is damaged: a row of %s refers to nothing; restore a backup",
                             store_where(store), sqlite3_column_text(references, 0));
        sqlite3_reset(references);
    }
    return found;
}

/* ---- backup ---- */

/* Copies all pages to the database draft; messages name path, which it becomes. */
static int copy_pages(struct store *store, const char *draft, const char *path)
{
    sqlite3 *target = NULL;
    sqlite3_backup *backup;
    int error = 0, result;

    if (sqlite3_open_v2(draft, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        error = store_refuse(store, -EIO, "%s: %s", path, sqlite3_errmsg(target));
    backup =
        error ? NULL : sqlite3_backup_init(target, "main", database_of(store)->connection, "main");
    if (!error && !backup)
        error = store_refuse(store, -EIO, "%s: %s", path, sqlite3_errmsg(target));
    if (backup) {
        /*
         * All pages in one step: with several steps, a write by another process restarts the copy.
         */
        result = sqlite3_backup_step(backup, -1);
        sqlite3_backup_finish(backup);
        if (result != SQLITE_DONE)
            error = store_refuse(store, result == SQLITE_FULL ? -ENOSPC : -EIO,
                                 "%s cannot be written: %s", path, sqlite3_errstr(result));
    }
    sqlite3_close(target);
    return error;
}

/* Writes the backup under a temporary name until it is complete. */
static int backup_database(struct store *store, const char *path)
{
    char draft[PATH_MAX];
    int error, fd;

    if (access(path, F_OK) == 0)
        return -EEXIST;
    if (snprintf(draft, sizeof draft, "%s.new-%d", path, (int)getpid()) >= (int)sizeof draft)
        return -ENAMETOOLONG;
    unlink(draft); /* of a backup that was cut short, by a process of the same number */
    fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return store_refuse(store, -errno, "%s: cannot be made: %s%s", path, strerror(errno),
                            errno == ENOENT ? ": make its folder first" : "");
    error = copy_pages(store, draft, path);
    if (!error && fsync(fd) < 0)
        error = store_refuse(store, -errno, "%s: %s", path, strerror(errno));
    close(fd);
    if (!error && link(draft, path) < 0)
        error = errno == EEXIST ? -EEXIST
                                : store_refuse(store, -errno, "%s: %s", path, strerror(errno));
    unlink(draft);
    return error;
}

static int begin(struct store *store)
{
    return database_execute(store, "BEGIN IMMEDIATE");
}

static int commit(struct store *store)
{
    return database_execute(store, "COMMIT");
}

const struct store_backend sqlite_backend = {
    .scheme = "sqlite",
    .open = open_database,
    .close = close_database,
    .version = read_version,
    .check = check_database,
    .backup = backup_database,
    .begin = begin,
    .commit = commit,
    .rollback = database_rollback,
    .season_claim = sqlite_season_claim,
    .season_release = sqlite_season_release,
    .bot_add = sqlite_bot_add,
    .bot_find = sqlite_bot_find,
    .bots_each = sqlite_bots_each,
    .bot_retire = sqlite_bot_retire,
    .bot_unretire = sqlite_bot_unretire,
    .ban_add = sqlite_ban_add,
    .ban_lift = sqlite_ban_lift,
    .event_latest = sqlite_event_latest,
    .events_each = sqlite_events_each,
    .roster_set = sqlite_roster_set,
    .roster_each = sqlite_roster_each,
    .season_extend = sqlite_season_extend,
    .season_begin_close = sqlite_season_begin_close,
    .season_go_on = sqlite_season_go_on,
    .season_take_processor = sqlite_season_take_processor,
    .batches_each = sqlite_batches_each,
    .manifest_read = sqlite_manifest_read,
    .package_read = sqlite_package_read,
    .submission_add = sqlite_submission_add,
    .submissions_each = sqlite_submissions_each,
    .submission_advance = sqlite_submission_advance,
    .submission_end = sqlite_submission_end,
    .season_add = sqlite_season_add,
    .season_find = sqlite_season_find,
    .seasons_each = sqlite_seasons_each,
    .season_close = sqlite_season_close,
    .season_reopen = sqlite_season_reopen,
    .openings_each = sqlite_openings_each,
    .entries_each = sqlite_entries_each,
    .groups_each = sqlite_groups_each,
    .batch_add = sqlite_batch_add,
    .game_add = sqlite_game_add,
    .results_each = sqlite_results_each,
    .games_each = sqlite_games_each,
    .heads_each = sqlite_heads_each,
    .replay_read = sqlite_replay_read,
    .rows_each = sqlite_rows_each,
    .row_add = sqlite_row_add,
    .rows_end = sqlite_rows_end,
    .replays_prunable = sqlite_replays_prunable,
    .replays_prune = sqlite_replays_prune,
};
