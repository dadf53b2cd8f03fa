/* Submissions that wait for a daemon, and their results. */
#include "arena/store/sqlite/database.h"

#include <errno.h>

int sqlite_submission_add(struct store *store, struct store_submission *submission,
                          struct store_package package)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO submission (name, version, author, sha256, state, takes_over,"
               " received_us) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6)");
    int error = database_begin(store);

    if (error)
        return error;
    error = sqlite_package_add(store, submission->sha256, package);
    if (!error && !add)
        error = database_error(store);
    if (!error) {
        sqlite3_bind_text(add, 1, submission->name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 2, submission->version, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 3, submission->author, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 4, submission->sha256, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int(add, 5, submission->takes_over);
        sqlite3_bind_int64(add, 6, submission->received_us);
        error = database_run(store, add);
    }
    if (!error)
        submission->id = sqlite3_last_insert_rowid(database_of(store)->connection);
    return database_end(store, error);
}

static int read_submission(struct store *store, sqlite3_stmt *statement,
                           struct store_submission *submission)
{
    struct row row = {.statement = statement, .table = "submission", .key_count = 1};

    submission->id = row_int64(&row, 0);
    row_text(&row, 1, submission->name, sizeof submission->name);
    row_text(&row, 2, submission->version, sizeof submission->version);
    row_text(&row, 3, submission->author, sizeof submission->author);
    row_text(&row, 4, submission->sha256, sizeof submission->sha256);
    submission->state = (enum store_submission_state)row_int(&row, 5);
    submission->takes_over = row_bool(&row, 6);
    submission->received_us = row_int64(&row, 7);
    submission->building_us = row_int64_or_null(&row, 8);
    submission->checking_us = row_int64_or_null(&row, 9);
    submission->ended_us = row_int64_or_null(&row, 10);
    submission->bot_id = row_int64_or_null(&row, 11);
    submission->report = row_text_or_null(&row, 12);
    return row_end(store, &row);
}

int sqlite_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT id, name, version, author, sha256, state, takes_over, received_us,"
               " building_us, checking_us, ended_us, bot, report FROM submission"
               " WHERE state < ?1 ORDER BY id");
    struct store_submission submission;
    int row;

    if (!list)
        return database_error(store);
    sqlite3_bind_int(list, 1, only_open ? STORE_ADMITTED : INT32_MAX);
    while ((row = database_step(store, list)) > 0) {
        int error = read_submission(store, list, &submission);

        if (!error && each_fn(context, &submission) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return row;
}

/* After an update of no rows: returns -ENOENT, or -ECANCELED if the submission has ended. */
static int why_unchanged(struct store *store, int64_t id)
{
    sqlite3_stmt *find = database_statement(store, "SELECT 1 FROM submission WHERE id = ?1");
    int row;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, id);
    row = database_step(store, find);
    if (row > 0)
        sqlite3_reset(find);
    return row > 0 ? -ECANCELED : row < 0 ? row : -ENOENT;
}

static int run_update(struct store *store, sqlite3_stmt *update, int64_t id)
{
    int error = database_run(store, update);

    if (!error && sqlite3_changes(database_of(store)->connection) == 0)
        error = why_unchanged(store, id);
    return error;
}

int sqlite_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                              int64_t now_us)
{
    sqlite3_stmt *update = database_statement(
        store, "UPDATE submission SET state = ?2,"
               " building_us = CASE WHEN ?2 = 1 THEN ?3 ELSE building_us END,"
               " checking_us = CASE WHEN ?2 = 2 THEN ?3 END WHERE id = ?1 AND state < 3");
    int error = database_begin(store);

    if (error)
        return error;
    if (!update)
        return database_end(store, database_error(store));
    sqlite3_bind_int64(update, 1, id);
    sqlite3_bind_int(update, 2, (int)state);
    sqlite3_bind_int64(update, 3, now_us);
    return database_end(store, run_update(store, update, id));
}

int sqlite_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                          int64_t now_us)
{
    sqlite3_stmt *update = database_statement(
        store, "UPDATE submission SET state = CASE WHEN ?2 > 0 THEN 3 ELSE 4 END,"
               " bot = nullif(?2, 0), report = ?3, ended_us = ?4 WHERE id = ?1 AND state < 3");
    int error = database_begin(store);

    if (error)
        return error;
    if (!update)
        return database_end(store, database_error(store));
    sqlite3_bind_int64(update, 1, id);
    sqlite3_bind_int64(update, 2, bot_id);
    sqlite3_bind_text(update, 3, report, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(update, 4, now_us);
    return database_end(store, run_update(store, update, id));
}
