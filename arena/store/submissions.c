/* Submissions that wait for a daemon, and their results. */
#include "arena/store/submissions.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "arena/store/schema.h"

/* ---- adding ---- */

/* A ban may apply to a submission whose name and author have no bot yet. */
#define SUBMISSION_BAN                                                                             \
    "SELECT 1 FROM ban WHERE lifted_us IS NULL"                                                    \
    " AND (ban.name = submission.name OR ban.author = submission.author)"

static int refuse_banned(struct store *store, const struct store_submission *submission)
{
    struct sql_query query;
    int found;

    table_query(&query, TABLE_BAN,
                "SELECT 1 FROM ban WHERE lifted_us IS NULL AND (name = $1 OR author = $2)");
    sql_text(&query, submission->name);
    sql_text(&query, submission->author);
    found = sql_run(store, &query);
    return found <= 0 ? found
                      : store_refuse(store, -EPERM, "%s of %s is banned: an operator can lift this",
                                     submission->name, submission->author);
}

static int add_submission(struct store *store, struct store_submission *submission,
                          struct store_package package)
{
    struct sql_query query;
    int error = table_check(store, TABLE_SUBMISSION, submission);

    if (!error && package.size > STORE_PACKAGE_BYTES_MAX)
        error = store_refuse(store, -EINVAL,
                             "submission of %s: its package has %zu MiB, the limit is %d: leave "
                             "out what the bot does not need to run",
                             submission->name, package.size >> 20, STORE_PACKAGE_BYTES_MAX >> 20);
    if (!error)
        error = refuse_banned(store, submission);
    if (!error)
        error = store_keep_package(store, submission->sha256, package);
    if (error)
        return error;
    table_query(&query, TABLE_SUBMISSION, "SELECT coalesce(max(id), 0) + 1 FROM submission");
    error = sql_first(store, &query, sql_take_number, &submission->id);
    return error ? error : table_insert(store, TABLE_SUBMISSION, 0, submission);
}

int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package)
{
    struct sql_transaction transaction = {.is_slow = true};

    submission->id = submission->bot_id = 0;
    submission->state = STORE_RECEIVED;
    submission->building_us = submission->checking_us = submission->ended_us = 0;
    submission->report = NULL;
    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, add_submission(store, submission, package));
    return transaction.error;
}

/* ---- reading ---- */

static int pass_submission(void *context, struct sql_row *row)
{
    const struct each_context *each = context;
    struct store_submission submission;
    bool has_ended;
    int error;

    table_read(row, TABLE_SUBMISSION, &submission);
    has_ended = submission.state >= STORE_ADMITTED;
    row_require(row, 5,
                (submission.bot_id > 0) == (submission.state == STORE_ADMITTED) &&
                    (submission.report != NULL) == has_ended,
                "does not fit its bot and report");
    error = row_end(row);
    return error                                                                ? error
           : ((store_submission_fn *)each->each_fn)(each->context, &submission) ? -EINTR
                                                                                : 0;
}

int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    struct each_context each = {(void *)each_fn, context};
    struct sql_listing listing;

    sql_listing_init(&listing, "submission", 1, 0,
                     "SELECT * FROM submission WHERE id > $1 ORDER BY id LIMIT $2");
    listing.page_rows = 64; /* small pages, because a report may have 1 MiB */
    return sql_list(store, &listing, pass_submission, &each);
}

int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    struct each_context each = {(void *)each_fn, context};
    struct sql_query query;

    table_query(&query, TABLE_SUBMISSION,
                "SELECT * FROM submission WHERE state < 3 AND NOT EXISTS (" SUBMISSION_BAN ")"
                " ORDER BY id");
    return sql_rows(store, &query, pass_submission, &each);
}

/* ---- changes ---- */

/*
 * Runs `change`, an UPDATE of a submission. If it changed no row, fails because the submission has
 * ended or does not exist.
 */
static int update(struct store *store, const struct sql_query *change, int64_t id)
{
    struct sql_query query;
    int changed = sql_run(store, change);

    if (changed != 0)
        return changed < 0 ? changed : 0;
    table_query(&query, TABLE_SUBMISSION, "SELECT 1 FROM submission WHERE id = $1");
    sql_int(&query, id);
    changed = sql_run(store, &query);
    if (changed < 0)
        return changed;
    return changed
               ? store_refuse(store, -ECANCELED, "submission %lld has already ended", (long long)id)
               : store_refuse(store, -ENOENT,
                              "there is no submission %lld: `arena submissions` lists them",
                              (long long)id);
}

int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us)
{
    struct sql_transaction transaction = {.locks_control = false};
    struct sql_query query;

    assert(state == STORE_BUILDING || state == STORE_CHECKING);
    table_query(&query, TABLE_SUBMISSION,
                state == STORE_BUILDING ? "UPDATE submission SET state = 1, building_us = $2,"
                                          " checking_us = NULL WHERE id = $1 AND state < 3"
                                        : "UPDATE submission SET state = 2, checking_us = $2"
                                          " WHERE id = $1 AND state < 3");
    sql_int(&query, id);
    sql_int(&query, now_us);
    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, update(store, &query, id));
    return transaction.error;
}

/* Removes the package of a submission, unless a bot or an open submission needs the package. */
static int drop_package(struct store *store, int64_t id)
{
    struct sql_query query;

    table_query(&query, TABLE_PACKAGE,
                "DELETE FROM package WHERE sha256 = (SELECT sha256 FROM submission WHERE id = $1)"
                " AND NOT EXISTS (SELECT 1 FROM bot WHERE bot.sha256 = package.sha256"
                " OR bot.built_sha256 = package.sha256)"
                " AND NOT EXISTS (SELECT 1 FROM submission AS other"
                " WHERE other.sha256 = package.sha256 AND other.state < 3)");
    sql_int(&query, id);
    return sql_change(store, &query);
}

int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us)
{
    struct sql_transaction transaction = {.locks_control = true};
    struct sql_query query;

    if (strlen(report) > STORE_REPORT_BYTES_MAX)
        return store_refuse(store, -EINVAL, "submission %lld: its report is longer than %d bytes",
                            (long long)id, STORE_REPORT_BYTES_MAX);
    table_query(&query, TABLE_SUBMISSION,
                "UPDATE submission SET state = CASE WHEN $2 > 0 THEN 3 ELSE 4 END,"
                " bot = nullif($2, 0), report = $3, ended_us = $4 WHERE id = $1 AND state < 3");
    sql_int(&query, id);
    sql_int(&query, bot_id);
    sql_text(&query, report);
    sql_int(&query, now_us);
    while (sql_begin(store, &transaction)) {
        int error = update(store, &query, id);

        sql_end(store, &transaction, error ? error : drop_package(store, id));
    }
    return transaction.error;
}
