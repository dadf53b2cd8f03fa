/*
 * Shared by the files of the SQLite back end: the open database, its prepared statements and the
 * conversion of its errors to -errno. Only for these files.
 */
#ifndef ARENA_STORE_SQLITE_DATABASE_H
#define ARENA_STORE_SQLITE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>

#include "arena/store/backend.h"

enum {
    DATABASE_STATEMENTS_MAX = 80, /* different SQL texts in the whole back end */
};

/* The state of a SQLite store. */
struct database {
    sqlite3 *connection;
    char path[PATH_MAX]; /* path of the file */
    enum store_mode mode;
    int version;
    bool own_transaction; /* begun by a call, not by its caller: see database_begin */
    int claim_fd;         /* the season's lock file, or -1 */
    struct {
        const char *sql; /* a literal: its address is the key */
        sqlite3_stmt *prepared;
    } statements[DATABASE_STATEMENTS_MAX];
    int statement_count;
};

static inline struct database *database_of(const struct store *store)
{
    return store_state(store);
}

/* Sets the message to the error that SQLite reported. Returns -errno. */
int database_error(struct store *store);

/*
 * Returns the prepared statement of a literal SQL text, reset and without bound values; owned by
 * the store. An iteration within an iteration of the same text gets another statement. Returns NULL
 * if it cannot be prepared: database_error then says why.
 */
sqlite3_stmt *database_statement(struct store *store, const char *sql);

/* Runs a statement that returns no rows, and resets it. Returns 0 or -errno. */
int database_run(struct store *store, sqlite3_stmt *statement);

/*
 * Steps to the next row. Returns 1 for a row; 0 after the last row or -errno, and then resets the
 * statement.
 */
int database_step(struct store *store, sqlite3_stmt *statement);

/* The functions of struct store_backend, by file. */
int sqlite_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built);
int sqlite_bot_find(struct store *store, const char *name, const char *version,
                    struct store_bot *bot);
int sqlite_bots_each(struct store *store, store_bot_fn *each_fn, void *context);
int sqlite_bot_retire(struct store *store, const char *name, int64_t now_us);
int sqlite_bot_unretire(struct store *store, const char *name);
int sqlite_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us);
int sqlite_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);
int sqlite_event_latest(struct store *store, int64_t *event);
int sqlite_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                       void *context);
int sqlite_roster_set(struct store *store, int64_t season_id, const char *const *names,
                      size_t count);
int sqlite_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context);
int sqlite_season_extend(struct store *store, int64_t season_id, int64_t more_games);
int sqlite_season_begin_close(struct store *store, int64_t season_id, int64_t until_us);
int sqlite_season_go_on(struct store *store, int64_t season_id);
int sqlite_season_take_processor(struct store *store, int64_t season_id, const char *processor);
int sqlite_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                        void *context);
int sqlite_manifest_read(struct store *store, int64_t bot_id, char **manifest);
int sqlite_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);
int sqlite_submission_add(struct store *store, struct store_submission *submission,
                          struct store_package package);
int sqlite_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context);
int sqlite_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                              int64_t now_us);
int sqlite_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                          int64_t now_us);
int sqlite_season_add(struct store *store, struct store_season *season,
                      const struct store_opening *opening);
int sqlite_season_find(struct store *store, const char *name, struct store_season *season);
int sqlite_seasons_each(struct store *store, store_season_fn *each_fn, void *context);
int sqlite_season_close(struct store *store, int64_t season_id, int64_t now_us);
int sqlite_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                         const struct store_opening *opening);
int sqlite_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                         void *context);
int sqlite_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                        void *context);
int sqlite_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                       void *context);
int sqlite_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count);
int sqlite_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes);
int sqlite_results_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context);
int sqlite_games_each(struct store *store, int64_t season_id, int first_group,
                      store_game_fn *each_fn, void *context);
int sqlite_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                      void *context);
int sqlite_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size);
int sqlite_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned);
int sqlite_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned);
int sqlite_season_claim(struct store *store, const char *name, bool waits);
void sqlite_season_release(struct store *store);
int sqlite_rows_each(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                     void *context);
int sqlite_row_add(struct store *store, const struct store_table *table,
                   const struct store_value *values);
int sqlite_rows_end(struct store *store);

/* Stores a package, within the caller's transaction. */
int sqlite_package_add(struct store *store, const char *sha256, struct store_package package);

/*
 * The transaction of one call, or part of the caller's if there is one. database_end commits if
 * `error` is 0, else rolls back.
 */
int database_begin(struct store *store);
int database_end(struct store *store, int error);

void database_rollback(struct store *store);

/* True inside any transaction. */
bool database_in_transaction(const struct store *store);

/* Runs SQL that returns no rows. Returns 0 or -errno. */
int database_execute(struct store *store, const char *sql);

/*
 * For a transaction that writes for an opening: returns 0, or -ECANCELED if the opening is closed
 * (control.c).
 */
int database_check_opening(struct store *store, int64_t season_id, int opening);

/*
 * Adds an event of a season (0: of all), in the transaction of the change that it describes
 * (control.c).
 */
int database_add_event(struct store *store, int64_t season_id, const char *what, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/* Creates all tables in an empty file (schema.c). Returns 0 or -errno. */
int database_create(struct store *store);

/* Upgrades the schema of a store. Returns 0 or -errno. */
int database_migrate(struct store *store);

/* ---- rows: each column is checked for its type ---- */

/* One row being read. The first invalid column is recorded. */
struct row {
    sqlite3_stmt *statement;
    const char *table;
    int key_count;  /* the first columns identify the row in messages */
    int bad_column; /* valid if fault is set */
    const char *fault;
};

/*
 * Return an integer; NULL, where allowed, is 0. A column of another type, or out of range, is a
 * fault and returns 0.
 */
int row_int(struct row *row, int column);
uint32_t row_uint32(struct row *row, int column);
int64_t row_int64(struct row *row, int column);
int64_t row_int64_or_null(struct row *row, int column);
bool row_bool(struct row *row, int column);

/*
 * Copies a text without NUL that fits into `size` bytes with its own NUL; any other is a fault and
 * gives "".
 */
void row_text(struct row *row, int column, char *target, size_t size);

/* The same; NULL is "". */
void row_text_or_empty(struct row *row, int column, char *target, size_t size);

/* Returns the text within the row, valid until the next step; NULL for NULL and for a fault. */
const char *row_text_or_null(struct row *row, int column);

/* Returns the blob within the row, valid until the next step; NULL and 0 for a fault. */
const uint8_t *row_blob(struct row *row, int column, size_t *size);

/* Copies a blob of exactly `size` bytes; any other size is a fault. */
void row_bytes(struct row *row, int column, uint8_t *target, size_t size);

/* Returns 0, or -EBADMSG after reporting the fault; the statement is then reset. */
int row_end(struct store *store, const struct row *row);

/*
 * Copies a blob of the row. The caller frees *bytes (never NULL on success). Returns 0 or -errno.
 */
int row_copy_blob(struct store *store, struct row *row, int column, uint8_t **bytes, size_t *size);

/*
 * Read and bind how bots are run: memory_bytes, tier, freeze, pin, in four consecutive columns or
 * parameters.
 */
void row_play(struct row *row, int first, struct store_play *play);
void database_bind_play(sqlite3_stmt *statement, int first, const struct store_play *play);

#endif
