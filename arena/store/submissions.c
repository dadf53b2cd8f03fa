/* SPDX-License-Identifier: MIT */
#include "arena/store/submissions.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/names.h"
#include "arena/store/quotas.h"
#include "arena/store/schema.h"
#include "arena/base/clock.h"

const char *const store_submission_states[] = {
    [STORE_RECEIVED] = "received", [STORE_WAITING] = "waiting",
    [STORE_BUILDING] = "building", [STORE_CHECKING] = "checking",
    [STORE_ADMITTED] = "admitted", [STORE_REFUSED] = "refused",
    [STORE_CHECKED] = "checked",   NULL};

int store_submission_state_of(const char *name)
{
    for (int state = 0; name && store_submission_states[state]; state++)
        if (strcmp(store_submission_states[state], name) == 0)
            return state;
    return -1;
}

/* ---- adding ---- */

static int refuse_banned(struct store *store, const struct store_submission *submission)
{
    bool is_author = false;
    int error = SQL_FIND(store,
                         SQL("SELECT author IS NOT NULL FROM ban WHERE lifted_us IS NULL"
                             " AND (name = $1 OR author = $2) ORDER BY id LIMIT 1",
                             sql_text(submission->name), sql_text(submission->author)),
                         is_author = row_bool(&rows, 0));

    if (error)
        return error == -ENOENT ? 0 : error;
    return store_refuse(store, -EPERM, "%s %s is banned: an organizer can lift the ban",
                        is_author ? "the author" : "bot",
                        is_author ? submission->author : submission->name);
}

/*
 * A name that no bot has yet belongs to the first who uploads such a bot, while the upload waits:
 * who is admitted first is a matter of turns.
 */
static int refuse_held(struct store *store, const struct store_submission *submission)
{
    char author[STORE_TEXT_BYTES_MAX + 1];
    int error =
        SQL_FIND(store,
                 SQL("SELECT author FROM submission WHERE name = $1 AND author <> $2"
                     " AND " STORE_SQL_OPEN " AND NOT check_only"
                     " AND NOT EXISTS (SELECT 1 FROM bot WHERE bot.name = $1) ORDER BY id LIMIT 1",
                     sql_text(submission->name), sql_text(submission->author)),
                 row_text(&rows, 0, author, sizeof author));

    if (error)
        return error == -ENOENT ? 0 : error;
    return store_refuse(store, -EPERM,
                        "the name %s is taken: %s was the first to upload such a bot, and it waits "
                        "for its check: choose another name",
                        submission->name, author);
}

static int add_submission(struct store *store, struct store_submission *submission,
                          struct store_package package)
{
    submission->id = submission->bot_id = 0;
    submission->state = STORE_RECEIVED;
    submission->building_us = submission->checking_us = submission->ended_us = 0;
    submission->since_us = submission->retry_us = submission->failure_count = 0;
    submission->is_alone = false;
    submission->report = NULL;
    return table_check(store, TABLE_SUBMISSION, submission)
               ?: store_author_adopt(store, submission->author)
               ?: refuse_banned(store, submission)
               ?: store_keep_package(store, submission->name, submission->sha256, package)
               /* Again: now that the lock is taken, no other process can add an author. */
               ?: store_author_adopt(store, submission->author)
               ?: refuse_held(store, submission)
               ?: sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM submission"),
                             &submission->id)
               ?: table_insert(store, TABLE_SUBMISSION, 0, submission);
}

int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package)
{
    return SQL_TRANSACTION(store, SQL_LONG, add_submission(store, submission, package));
}

/* ---- offering: what an author may add by himself ---- */

/*
 * Reads the author's newest submission of a bot. Returns -ENOENT if the author has none, or if the
 * newest was refused for a cause other than its package.
 */
static int find_newest(struct store *store, const struct store_submission *submission,
                       struct store_submission *newest)
{
    bool may_retry = false;
    int error =
        SQL_FIND(store,
                 SQL("SELECT * FROM submission WHERE author = $1 AND name = $2 AND check_only = $3"
                     " ORDER BY id DESC LIMIT 1",
                     sql_text(submission->author), sql_text(submission->name),
                     sql_bool(submission->is_check)),
                 (table_read(&rows, 0, TABLE_SUBMISSION, newest),
                  may_retry = newest->report && strstr(newest->report, STORE_MAY_RETRY)));

    newest->report = NULL; /* the text was valid only while the row was read */
    return !error && may_retry ? -ENOENT : error;
}

/* SQL condition: neither a bot nor an open submission needs the package. */
#define PACKAGE_IS_UNUSED                                                                          \
    " NOT EXISTS (SELECT 1 FROM bot WHERE bot.sha256 = package.sha256"                             \
    " OR bot.built_sha256 = package.sha256) AND NOT EXISTS (SELECT 1 FROM submission AS other"     \
    " WHERE other.sha256 = package.sha256 AND other." STORE_SQL_OPEN ")"

/*
 * SQL condition: it is not the package of an author's three newest submissions either, of which
 * those that were refused can be retried.
 */
#define PACKAGE_IS_OLD                                                                             \
    " NOT EXISTS (SELECT 1 FROM submission AS other WHERE other.sha256 = package.sha256"           \
    " AND (SELECT count(*) FROM submission AS newer WHERE newer.author = other.author"             \
    " AND newer.id > other.id) < 3)"

/*
 * SQL condition: the submission `row` came before the deadline of an open season, and one that
 * arrived at later_us came after that deadline, too late to take the place of `row` there.
 */
#define KEEPS_ITS_PLACE(row, later_us)                                                             \
    " EXISTS (SELECT 1 FROM season WHERE season.closed_us IS NULL AND season.deadline_us >= " row  \
    ".received_us AND season.deadline_us < " later_us ")"

int store_submissions_replace(struct store *store, const char *name, const char *author,
                              enum store_submission_state before_state, int64_t received_us,
                              bool is_check)
{
    return sql_change(
               store,
               SQL("UPDATE submission SET state = " STORE_SQL_REFUSED
                   ", ended_us = $1, retry_us = NULL, report ="
                   " '{\"reason\":\"a newer upload of this bot replaced it\"," STORE_MAY_RETRY
                   "}' WHERE author = $2 AND name = $3 AND state < $4 AND received_us < $5"
                   " AND check_only = $6 AND ($6 OR NOT" KEEPS_ITS_PLACE("submission", "$5") ")",
                   sql_int(clock_time_us()), sql_text(author), sql_text(name),
                   sql_int(before_state), sql_int(received_us), sql_bool(is_check)))
               ?: sql_change(
                      store,
                      SQL("DELETE FROM package WHERE sha256 IN (SELECT sha256 FROM"
                          " submission WHERE author = $1 AND name = $2) AND" PACKAGE_IS_UNUSED,
                          sql_text(author), sql_text(name)));
}

/* The upload took its time: its author may have been renamed or erased meanwhile. */
static int name_author(struct store *store, int64_t author_id,
                       char author[static STORE_TEXT_BYTES_MAX + 1])
{
    int error = SQL_FIND(
        store,
        SQL("SELECT name FROM author WHERE id = $1 AND erased_us IS NULL", sql_int(author_id)),
        row_text(&rows, 0, author, STORE_TEXT_BYTES_MAX + 1));

    return error == -ENOENT ? store_refuse(store, -EKEYREVOKED,
                                           "the account was erased while the upload arrived")
                            : error;
}

static int offer_submission(struct store *store, int64_t author_id,
                            struct store_submission *submission, struct store_package package,
                            int64_t a_day, bool *existed, int64_t *retry_us)
{
    struct store_bot bot = {.taken_over = submission->takes_over};
    struct store_quota quota = {STORE_QUOTA_PACKAGES, a_day};
    struct store_submission newest;
    int error;

    *existed = false;
    error = sql_lock_control(store)
                ?: name_author(store, author_id, submission->author)
                ?: refuse_banned(store, submission)
                ?: find_newest(store, submission, &newest);
    if (!error && strcmp(newest.sha256, submission->sha256) == 0) {
        *submission = newest;
        *existed = true;
        return 0;
    }
    if (error && error != -ENOENT)
        return error;
    snprintf(bot.name, sizeof bot.name, "%s", submission->name);
    snprintf(bot.version, sizeof bot.version, "%s", submission->version);
    snprintf(bot.author, sizeof bot.author, "%s", submission->author);
    error = store_bot_check(store, &bot);
    if (error == -EEXIST && submission->is_check) /* the version may have been admitted */
        error = 0;
    error =
        error ?: store_quota_read(store, submission->author, submission->received_us, 1, &quota);
    *retry_us = quota.more_us;
    if (!error && *retry_us)
        return store_refuse(
            store, -EDQUOT,
            "%s has submitted %lld package%s within a day, which is the limit: wait",
            submission->author, (long long)a_day, a_day == 1 ? "" : "s");
    return error
               ?: store_submissions_replace(store, submission->name, submission->author,
                                            STORE_BUILDING, submission->received_us,
                                            submission->is_check)
               ?: add_submission(store, submission, package);
}

int store_submission_offer(struct store *store, int64_t author_id,
                           struct store_submission *submission, struct store_package package,
                           int64_t a_day, bool *existed, int64_t *retry_us)
{
    const struct store_submission offered = *submission;

    return SQL_TRANSACTION(
        store, SQL_LONG,
        (*submission = offered,
         offer_submission(store, author_id, submission, package, a_day, existed, retry_us)));
}

/* ---- reading ---- */

/* Submissions, and whether a ban holds each back. */
#define SELECT_SUBMISSIONS                                                                         \
    "SELECT submission.*, " STORE_SQL_UNBUILT                                                      \
    " AND EXISTS (SELECT 1 FROM ban WHERE lifted_us IS NULL"                                       \
    " AND (ban.name = submission.name OR ban.author = submission.author)) FROM submission"

static void read_submission(struct sql_rows *rows, struct store_submission *submission)
{
    table_read(rows, 0, TABLE_SUBMISSION, submission);
    if (row_bool(rows, schema_tables[TABLE_SUBMISSION].column_count)) {
        submission->state = STORE_WAITING;
        submission->retry_us = 0;
        submission->report = "{\"reason\":\"the bot or its author is banned: the submission waits"
                             " until an organizer lifts the ban\"}";
    }
    row_require(rows, 5,
                (submission->bot_id > 0) == (submission->state == STORE_ADMITTED) &&
                    (submission->is_check || submission->state != STORE_CHECKED) &&
                    (submission->report || !store_submission_has_ended((int)submission->state)),
                "the submission's state contradicts its bot or its report");
}

static int refuse_missing(struct store *store, int64_t id)
{
    int found = sql_run(store, SQL("SELECT 1 FROM submission WHERE id = $1", sql_int(id)));

    if (found == 0)
        return store_refuse(
            store, -ENOENT,
            "there is no submission %lld: `arena submissions` lists the submissions",
            (long long)id);
    return found < 0 ? found : 0;
}

static int pass_submissions(struct store *store, const struct sql_query *query,
                            store_submission_fn *each_fn, void *context)
{
    struct store_submission submission;

    return SQL_EACH(store, query, read_submission(&rows, &submission),
                    each_fn(context, &submission));
}

int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    struct store_submission submission;

    /* Few rows a page, because a report may have 1 MiB. */
    return SQL_LIST(
        store, SQL_PAGES(SELECT_SUBMISSIONS " WHERE id > $1 ORDER BY id LIMIT $2", .page_rows = 64),
        read_submission(&rows, &submission), each_fn(context, &submission));
}

int store_submission_find(struct store *store, int64_t id, store_submission_fn *each_fn,
                          void *context)
{
    struct store_submission submission;
    int error = SQL_FIND(store, SQL(SELECT_SUBMISSIONS " WHERE id = $1", sql_int(id)), ({
                             read_submission(&rows, &submission);
                             if (!row_end(&rows) && each_fn(context, &submission))
                                 rows.error = -EINTR;
                         }));

    return error == -ENOENT ? refuse_missing(store, id) : error;
}

int store_submissions_of(struct store *store, const char *author, int count,
                         store_submission_fn *each_fn, void *context)
{
    return pass_submissions(store,
                            SQL(SELECT_SUBMISSIONS " WHERE author = $1 ORDER BY id DESC LIMIT $2",
                                sql_text(author), sql_int(count)),
                            each_fn, context);
}

int store_submissions_ended(struct store *store, int64_t after_us, store_submission_fn *each_fn,
                            void *context)
{
    return pass_submissions(store,
                            SQL(SELECT_SUBMISSIONS
                                " WHERE ended_us > $1 ORDER BY ended_us LIMIT 16",
                                sql_int(after_us)),
                            each_fn, context);
}

int store_submissions_count(struct store *store, const struct store_submission *submission,
                            int64_t since_us, int64_t *count)
{
    return sql_number(store,
                      SQL("SELECT count(*) FROM submission WHERE author = $1 AND id < $2 AND"
                          " received_us > $3",
                          sql_text(submission->author), sql_int(submission->id), sql_int(since_us)),
                      count);
}

/* SQL condition: an older submission of the same name and author must be admitted first. */
#define IS_HELD_BACK                                                                               \
    " EXISTS (SELECT 1 FROM submission AS older WHERE older.author = submission.author"            \
    " AND older.name = submission.name AND older.id < submission.id AND older." STORE_SQL_OPEN     \
    " AND NOT older.check_only AND NOT submission.check_only"                                      \
    " AND" KEEPS_ITS_PLACE("older", "submission.received_us") ")"

int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    /* A ban may concern a name or an author that has no bot yet. */
    return pass_submissions(store,
                            SQL(SELECT_SUBMISSIONS
                                " WHERE " STORE_SQL_OPEN " AND NOT EXISTS (SELECT 1 FROM ban"
                                " WHERE lifted_us IS NULL AND (ban.name = submission.name"
                                " OR ban.author = submission.author)) AND NOT" IS_HELD_BACK
                                " ORDER BY row_number() OVER (PARTITION BY author ORDER BY id),"
                                " coalesce((SELECT max(other.building_us) FROM submission AS other"
                                " WHERE other.author = submission.author AND other." STORE_SQL_ENDED
                                "), 0), id"),
                            each_fn, context);
}

int store_submissions_pace(struct store *store, int64_t now_us, int64_t *mean_us)
{
    int64_t begun_us;
    int error = sql_number(store,
                           SQL("SELECT CAST(avg(ended_us - building_us) AS bigint) FROM (SELECT"
                               " ended_us, building_us FROM submission WHERE " STORE_SQL_ENDED
                               " AND building_us IS NOT NULL ORDER BY id DESC LIMIT 20) AS newest"),
                           mean_us);

    if (!error)
        error =
            sql_number(store,
                       SQL("SELECT CAST(coalesce(avg(building_us), $1) AS bigint)"
                           " FROM submission WHERE " STORE_SQL_OPEN " AND NOT " STORE_SQL_UNBUILT,
                           sql_int(now_us)),
                       &begun_us);
    if (!error && *mean_us && now_us - begun_us > *mean_us)
        *mean_us = now_us - begun_us;
    return error;
}

/* ---- changes ---- */

/*
 * Runs `change`, an UPDATE of a submission. If it changed no row, fails because the submission has
 * ended or does not exist.
 */
static int update(struct store *store, const struct sql_query *change, int64_t id)
{
    int changed = sql_run(store, change);

    if (changed != 0)
        return changed < 0 ? changed : 0;
    return refuse_missing(store, id)
               ?: store_refuse(
                      store, -ECANCELED,
                      "submission %lld has already ended: `arena submissions` shows its report",
                      (long long)id);
}

int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us)
{
    assert(state == STORE_BUILDING || state == STORE_CHECKING);
    return SQL_TRANSACTION(
        store, SQL_PLAIN,
        update(store,
               SQL(state == STORE_BUILDING ? "UPDATE submission SET state = $3, building_us = $2,"
                                             " checking_us = NULL, retry_us = NULL"
                                             " WHERE id = $1 AND " STORE_SQL_OPEN
                                           : "UPDATE submission SET state = $3, checking_us = $2"
                                             " WHERE id = $1 AND " STORE_SQL_OPEN,
                   sql_int(id), sql_int(now_us), sql_int(state)),
               id));
}

static int add_event(struct store *store, const char *what, int64_t id)
{
    return store_add_event(store, EVENT_OF_ACCOUNT, what, "submission %lld", (long long)id);
}

int store_submission_cancel(struct store *store, int64_t id, bool by_author, int64_t now_us)
{
    const char *report = by_author
                             ? "{\"reason\":\"cancelled by its author\"," STORE_MAY_RETRY "}"
                             : "{\"reason\":\"cancelled by the organizer: ask why, and submit a "
                               "changed bot\"}";

    return SQL_TRANSACTION(store, SQL_CONTROL,
                           update(store,
                                  SQL("UPDATE submission SET state = " STORE_SQL_REFUSED
                                      ", ended_us = $2, retry_us = NULL, report = $3"
                                      " WHERE id = $1 AND " STORE_SQL_OPEN,
                                      sql_int(id), sql_int(now_us), sql_text(report)),
                                  id)
                               ?: add_event(store, "cancel", id));
}

int store_submission_wait(struct store *store, int64_t id, const char *report, int64_t retry_us,
                          bool is_alone, int64_t now_us)
{
    return SQL_TRANSACTION(
        store, SQL_PLAIN,
        update(store,
               SQL("UPDATE submission SET state = $7, report = $2, retry_us = $3, alone = $4,"
                   " failures = failures + $6,"
                   " since_us = CASE WHEN since_us <= $5 THEN since_us ELSE $5 END"
                   " WHERE id = $1 AND " STORE_SQL_OPEN,
                   sql_int(id), sql_text(report), sql_int(retry_us), sql_bool(is_alone),
                   sql_int(now_us), sql_int(!is_alone), sql_int(STORE_WAITING)),
               id));
}

static int retry(struct store *store, int64_t id, bool *needs_upload)
{
    struct store_submission submission;
    int error = SQL_FIND(store, SQL("SELECT * FROM submission WHERE id = $1", sql_int(id)),
                         table_read(&rows, 0, TABLE_SUBMISSION, &submission));
    int found;

    submission.report = NULL; /* the text was valid only while the row was read */
    if (error)
        return error == -ENOENT ? refuse_missing(store, id) : error;
    if (submission.state != STORE_WAITING && submission.state != STORE_REFUSED)
        return store_refuse(store, -EEXIST,
                            "submission %lld is not refused, and does not wait: it is %s",
                            (long long)id, store_submission_states[submission.state]);
    found =
        sql_run(store, SQL("SELECT 1 FROM submission WHERE author = $1 AND name = $2"
                           " AND id > $3 AND state <> " STORE_SQL_REFUSED " AND check_only = $4",
                           sql_text(submission.author), sql_text(submission.name), sql_int(id),
                           sql_bool(submission.is_check)));
    if (found != 0)
        return found < 0 ? found
                         : store_refuse(store, -EEXIST,
                                        "a newer submission of bot %s has taken the place of "
                                        "submission %lld: ask its author to submit it again",
                                        submission.name, (long long)id);
    found = sql_run(store, SQL("SELECT 1 FROM package WHERE sha256 = $1 AND length(bytes) > 0",
                               sql_text(submission.sha256)));
    *needs_upload = found == 0;
    if (found < 0)
        return found;
    if (*needs_upload)
        return sql_change(store, SQL("UPDATE submission SET report ="
                                     " '{\"reason\":\"the organizer lets its author submit the same"
                                     " package again\"," STORE_MAY_RETRY "}' WHERE id = $1",
                                     sql_int(id)));
    return sql_change(store, SQL("UPDATE submission SET state = $2, failures = 0, alone = false,"
                                 " building_us = NULL, checking_us = NULL, ended_us = NULL,"
                                 " since_us = NULL, retry_us = NULL, report = NULL WHERE id = $1",
                                 sql_int(id), sql_int(STORE_RECEIVED)));
}

int store_submission_retry(struct store *store, int64_t id, bool *needs_upload)
{
    return SQL_TRANSACTION(store, SQL_CONTROL,
                           retry(store, id, needs_upload) ?: add_event(store, "retry", id));
}

static int end_submission(struct store *store, int64_t id, enum store_submission_state state,
                          int64_t bot_id, const char *report, int64_t now_us)
{
    if (strlen(report) > STORE_REPORT_BYTES_MAX)
        return store_refuse(store, -EINVAL, "submission %lld: its report is longer than %d bytes",
                            (long long)id, STORE_REPORT_BYTES_MAX);
    return update(store,
                  SQL("UPDATE submission SET state = $5,"
                      " bot = nullif($2, 0), report = $3, ended_us = $4, retry_us = NULL"
                      " WHERE id = $1 AND " STORE_SQL_OPEN
                      " AND ($2 = 0 OR author = (SELECT author FROM bot WHERE id = $2))",
                      sql_int(id), sql_int(bot_id), sql_text(report), sql_int(now_us),
                      sql_int(state)),
                  id)
               ?: sql_change(store, SQL("DELETE FROM package WHERE sha256 IN (SELECT sha256 FROM"
                                        " submission WHERE author = (SELECT author FROM"
                                        " submission WHERE id = $1)) AND" PACKAGE_IS_UNUSED
                                        " AND" PACKAGE_IS_OLD,
                                        sql_int(id)));
}

int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us)
{
    return SQL_TRANSACTION(
        store, SQL_CONTROL,
        end_submission(store, id, bot_id ? STORE_ADMITTED : STORE_REFUSED, bot_id, report, now_us));
}

int store_submission_pass(struct store *store, int64_t id, const char *report, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL,
                           end_submission(store, id, STORE_CHECKED, 0, report, now_us));
}
