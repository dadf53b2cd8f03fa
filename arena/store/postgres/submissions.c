/* Submissions that wait for a daemon, and their results. */
#include <errno.h>

#include "arena/store/postgres/server.h"

enum {
    SUBMISSION_PAGE_ROWS = 64,
};

static int take_id(void *context, struct tuple *row)
{
    *(int64_t *)context = tuple_int64(row, 0);
    return 0;
}

static int add_submission(struct store *store, struct store_submission *submission,
                          struct store_package package)
{
    struct query query;
    int error = postgres_package_add(store, submission->sha256, package);

    if (error)
        return error;
    query_init(&query, "INSERT INTO submission (name, version, author, sha256, state, takes_over,"
                       " received_us) VALUES ($1, $2, $3, $4, 0, $5, $6) RETURNING id");
    query_text(&query, submission->name);
    query_text(&query, submission->version);
    query_text(&query, submission->author);
    query_text(&query, submission->sha256);
    query_bool(&query, submission->takes_over);
    query_int(&query, submission->received_us);
    return server_first(store, &query, "submission", take_id, &submission->id);
}

int postgres_submission_add(struct store *store, struct store_submission *submission,
                            struct store_package package)
{
    struct attempt attempt = {.is_slow = true};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, add_submission(store, submission, package));
    return attempt.error;
}

static int tell_submission(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_submission submission = {.id = tuple_int64(row, 0)};
    int error;

    tuple_text(row, 1, submission.name, sizeof submission.name);
    tuple_text(row, 2, submission.version, sizeof submission.version);
    tuple_text(row, 3, submission.author, sizeof submission.author);
    tuple_text(row, 4, submission.sha256, sizeof submission.sha256);
    submission.state = (enum store_submission_state)tuple_int(row, 5);
    submission.takes_over = tuple_bool(row, 6);
    submission.received_us = tuple_int64(row, 7);
    submission.building_us = tuple_int64_or_null(row, 8);
    submission.checking_us = tuple_int64_or_null(row, 9);
    submission.ended_us = tuple_int64_or_null(row, 10);
    submission.bot_id = tuple_int64_or_null(row, 11);
    submission.report = tuple_text_or_null(row, 12);
    error = tuple_end(telling->store, row);
    if (!error && ((store_submission_fn *)telling->each_fn)(telling->context, &submission) != 0)
        error = -EINTR;
    return error;
}

#define SUBMISSION_COLUMNS                                                                         \
    "id, name, version, author, sha256, state, takes_over, received_us, building_us,"              \
    " checking_us, ended_us, bot, report"

/* Pages are small, because reports may be 1 MiB each. Open submissions have their own index. */
int postgres_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                              void *context)
{
    static const struct listing all = {"submission",
                                       "SELECT " SUBMISSION_COLUMNS " FROM submission"
                                       " WHERE id > $1 ORDER BY id LIMIT $2",
                                       .page_rows = SUBMISSION_PAGE_ROWS};
    static const struct listing open = {"submission",
                                        "SELECT " SUBMISSION_COLUMNS " FROM submission"
                                        " WHERE id > $1 AND state < 3 ORDER BY id LIMIT $2",
                                        .page_rows = SUBMISSION_PAGE_ROWS};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, only_open ? &open : &all, tell_submission, &telling);
}

/* After an update of no rows: returns -ENOENT, or -ECANCELED if the submission has ended. */
static int why_unchanged(struct store *store, int64_t id)
{
    struct query query;
    int64_t found;
    int error;

    query_init(&query, "SELECT id FROM submission WHERE id = $1");
    query_int(&query, id);
    error = server_first(store, &query, "submission", take_id, &found);
    return error ? error : -ECANCELED;
}

static int update(struct store *store, const struct query *query, int64_t id)
{
    int changed = server_change(store, query);

    return changed < 0 ? changed : changed == 0 ? why_unchanged(store, id) : 0;
}

int postgres_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                                int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_ROWS};
    struct query query;

    query_init(&query, "UPDATE submission SET state = $2,"
                       " building_us = CASE WHEN $2 = 1 THEN $3 ELSE building_us END,"
                       " checking_us = CASE WHEN $2 = 2 THEN $3 END WHERE id = $1 AND state < 3");
    query_int(&query, id);
    query_int(&query, (int)state);
    query_int(&query, now_us);
    while (server_begin(store, &attempt))
        server_end(store, &attempt, update(store, &query, id));
    return attempt.error;
}

int postgres_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                            int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_ROWS};
    struct query query;

    query_init(&query, "UPDATE submission SET state = CASE WHEN $2 > 0 THEN 3 ELSE 4 END,"
                       " bot = nullif($2, 0), report = $3, ended_us = $4"
                       " WHERE id = $1 AND state < 3");
    query_int(&query, id);
    query_int(&query, bot_id);
    query_text(&query, report);
    query_int(&query, now_us);
    while (server_begin(store, &attempt))
        server_end(store, &attempt, update(store, &query, id));
    return attempt.error;
}
