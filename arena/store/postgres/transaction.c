/*
 * Transactions, READ COMMITTED. A transaction locks what must not change during it. Everything that
 * adds an event, or needs that none is added, first locks the row of table pavilion, so that such
 * changes are serialized as in SQLite, and event ids ascend in order of commits. Games are added
 * concurrently; each locks its opening (FOR SHARE), and closing the opening waits for these locks.
 *
 * If the answer to a COMMIT is lost: the transaction id is known since its begin, and the server
 * reports whether it was committed.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arena/store/postgres/server.h"

enum {
    ATTEMPTS_MAX = 20, /* attempts after deadlocks */
    LOST_MAX = 1,      /* reconnections per call */
    WAIT_MS = 20000,   /* for an answer; the server's own limit is shorter */
    SLOW_WAIT_MS = 900000,
    RESOLVE_MS = 10000, /* enough for a server to restart */
    RESOLVE_PAUSE_MS = 100,
};

static const char begin_sql[] = "BEGIN; SET LOCAL statement_timeout = 15000;"
                                " SET LOCAL lock_timeout = 10000;"
                                " SET LOCAL idle_in_transaction_session_timeout = 30000;"
                                " SELECT pg_current_xact_id()::text";

static const char begin_slow_sql[] = "BEGIN; SET LOCAL statement_timeout = 840000;"
                                     " SET LOCAL lock_timeout = 10000;"
                                     " SET LOCAL idle_in_transaction_session_timeout = 120000;"
                                     " SELECT pg_current_xact_id()::text";

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

static int begin(struct store *store, bool is_slow)
{
    struct server *server = server_of(store);
    PGresult *result;
    int error = server_connect(store);

    if (error)
        return error;
    server->wait_ms = is_slow ? SLOW_WAIT_MS : WAIT_MS;
    error = server_execute(store, is_slow ? begin_slow_sql : begin_sql, &result);
    if (error) {
        server_disconnect(server); /* BEGIN may have been done, and a later part not */
        return error;
    }
    snprintf(server->transaction, sizeof server->transaction, "%s", libpq.PQgetvalue(result, 0, 0));
    libpq.PQclear(result);
    server->in_transaction = true;
    return 0;
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads a transaction's status from the server: "committed", "aborted", "in progress". */
static int read_fate(struct store *store, int64_t wait_ms, char fate[static 16])
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, "SELECT pg_xact_status($1::xid8)");
    query.wait_ms = wait_ms;
    query_text(&query, server_of(store)->transaction);
    query.types[0] = 0; /* unknown type, converted by the cast */
    query.formats[0] = 0;
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    snprintf(fate, 16, "%s",
             libpq.PQgetisnull(result, 0, 0) ? "aborted" : libpq.PQgetvalue(result, 0, 0));
    libpq.PQclear(result);
    return 0;
}

/*
 * After a COMMIT without an answer: returns 0 if it succeeded, -ECONNABORTED if not, else
 * -ENOTCONN.
 */
static int resolve(struct store *store)
{
    int64_t deadline_ms = now_ms() + RESOLVE_MS;

    for (int64_t left_ms; (left_ms = deadline_ms - now_ms()) > 0;) {
        char fate[16];
        int error = read_fate(store, left_ms, fate);

        if (!error && strcmp(fate, "committed") == 0)
            return 0;
        if (!error && strcmp(fate, "aborted") == 0)
            return -ECONNABORTED;
        pause_ms(RESOLVE_PAUSE_MS);
    }
    server_of(store)->commit_was_lost = true;
    return store_refuse(store, -ENOTCONN,
                        "%s: the connection was lost while a change was committed; whether it was "
                        "kept shows when the server is back",
                        store_where(store));
}

static int commit(struct store *store)
{
    PGresult *result;
    int error = server_execute(store, "COMMIT", &result);

    server_of(store)->in_transaction = false;
    if (error == -ENOTCONN)
        return resolve(store);
    if (error)
        return error;
    /* COMMIT of a failed transaction rolls back, which the server does not report as an error. */
    if (strcmp(libpq.PQcmdStatus(result), "COMMIT") != 0)
        error = store_refuse(store, -EIO, "%s: the server undid the change", store_where(store));
    libpq.PQclear(result);
    return error;
}

void postgres_rollback(struct store *store)
{
    struct server *server = server_of(store);
    PGresult *result = NULL;

    /* A failed rollback must not replace the message of the original error. */
    if (server->in_transaction && server->connection) {
        char said[1024];

        snprintf(said, sizeof said, "%s", store_failure(store));
        if (server_execute(store, "ROLLBACK", &result) == 0)
            libpq.PQclear(result);
        store_explain(store, 0, said);
    }
    server->in_transaction = false;
}

/* ---- transactions of one call ---- */

int server_lock_control(struct store *store)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, "SELECT 1 FROM pavilion FOR UPDATE");
    error = server_run(store, &query, &result);
    if (!error)
        libpq.PQclear(result);
    return error;
}

/* True if another attempt makes sense and it is certain that nothing was committed. */
static bool may_try_again(struct attempt *attempt, int error)
{
    if (error == -EAGAIN)
        return ++attempt->count < ATTEMPTS_MAX;
    if (error == -ENOTCONN || error == -ECONNABORTED)
        return ++attempt->lost_count <= LOST_MAX;
    return false;
}

static void finish(struct attempt *attempt, int error)
{
    attempt->is_done = true;
    attempt->error = error == -EAGAIN ? -EBUSY : error == -ECONNABORTED ? -ENOTCONN : error;
}

bool server_begin(struct store *store, struct attempt *attempt)
{
    int error;

    if (attempt->is_done)
        return false;
    attempt->is_own = !server_of(store)->in_transaction;
    do {
        error = attempt->is_own ? begin(store, attempt->is_slow) : 0;
        if (!error && attempt->lock == ATTEMPT_CONTROL)
            error = server_lock_control(store);
        if (!error)
            return true;
        if (attempt->is_own)
            postgres_rollback(store);
    } while (attempt->is_own && may_try_again(attempt, error));
    finish(attempt, error);
    return false;
}

void server_end(struct store *store, struct attempt *attempt, int error)
{
    bool is_committing = !error;

    if (!attempt->is_own) {
        finish(attempt, error);
        return;
    }
    if (is_committing)
        error = commit(store);
    if (error)
        postgres_rollback(store);
    /* A commit with unknown outcome may have succeeded. */
    if (!error || (is_committing && error == -ENOTCONN) || !may_try_again(attempt, error))
        finish(attempt, error);
    else if (error == -EAGAIN)
        pause_ms(1L << (attempt->count < 6 ? attempt->count : 6));
}

/* ---- the caller's transactions ---- */

int postgres_begin(struct store *store)
{
    int error = begin(store, true);

    return error == -ENOTCONN ? begin(store, true) : error;
}

int postgres_commit(struct store *store)
{
    int error = commit(store);

    return error == -EAGAIN ? -EBUSY : error == -ECONNABORTED ? -ENOTCONN : error;
}
