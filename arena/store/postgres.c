/* SPDX-License-Identifier: MIT */
/*
 * The PostgreSQL driver. A store is one database, which many processes on many machines may share.
 *
 * The driver keeps no state in a session, so that a connection pooler may give each transaction
 * another connection: it uses no prepared statements, advisory locks or temporary tables, and only
 * SET LOCAL. (Notifications are the exception: they need a direct connection.) Every wait has a
 * deadline on the client, because the server may hang, and one on the server, so that the server
 * does not go on with a query whose result nobody waits for.
 *
 * Transactions are READ COMMITTED. A transaction locks the rows that must not change during it. A
 * transaction that adds an event, or during which no event may be added, first locks the row of
 * table pavilion: such transactions run one after another, as in SQLite, and event ids ascend in
 * the order of commits. Games are added concurrently: each transaction locks the game's opening
 * (FOR SHARE), and closing the opening waits for these locks.
 *
 * If the answer to a COMMIT is lost, the driver asks the server whether the transaction was
 * committed; it has read the transaction's id at the begin.
 *
 * A claim of a season is a row with a random identity and an expiry time by the server's clock. A
 * thread renews the claim over its own connection as long as the process lives. If the process is
 * frozen or cut off for longer than CLAIM_MS, another process can take the claim. From then on the
 * first process cannot write with the store that had the claim: that store writes in transactions
 * only, and `begin`, which begins each of them, fails unless the row still has the identity, and
 * locks the row until the transaction ends.
 *
 * The driver loads libpq when it first opens a store: libpq depends on a dozen libraries, and
 * loading them would cost every other command more time than its own work.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/library.h"
#include "arena/base/memory.h"
#include "arena/store/authors.h"
#include "arena/store/schema.h"
#include "arena/store/sql.h"

enum {
    SERVER_VERSION_MIN = 130000, /* the first with pg_current_xact_id */
    CONNECT_WAIT_MS = 10000, /* time limit for connecting, unless the URL has a connect_timeout */
    ANSWER_WAIT_MS = 20000,  /* time limit for an answer; the limits on the server are shorter */
    SLOW_ANSWER_WAIT_MS = 600000,
    SLOW_WAIT_MS = 900000, /* time limit for an answer in a slow transaction */
    /* How long the driver asks for a commit's outcome: a server can restart meanwhile. */
    RESOLVE_MS = 10000,
    RESOLVE_PAUSE_MS = 100,
    LOOK_MS = 100,              /* pause between looks at sql_is_over */
    CHECK_VERSION_MIN = 140000, /* the first with client_connection_check_interval */
    CREATE_ATTEMPTS = 20,       /* attempts to find the schema while another process creates it */
    CREATE_PAUSE_MS = 100,
    CLAIM_MS = 30000,
    RENEW_MS = CLAIM_MS / 3,
    RENEW_AGAIN_MS = 1000, /* pause before a failed renewal of the claim is tried again */
};

/* ---- libpq ---- */

/* clang-format off */
#define LIBPQ_FUNCTIONS(FUNCTION) \
    FUNCTION(PQbackendPID) FUNCTION(PQclear) FUNCTION(PQcmdStatus) FUNCTION(PQcmdTuples) \
    FUNCTION(PQconnectPoll) FUNCTION(PQconnectStartParams) FUNCTION(PQconninfoFree) \
    FUNCTION(PQconninfoParse) FUNCTION(PQconsumeInput) FUNCTION(PQenterPipelineMode) \
    FUNCTION(PQerrorMessage) FUNCTION(PQexitPipelineMode) FUNCTION(PQfinish) \
    FUNCTION(PQflush) FUNCTION(PQfname) FUNCTION(PQfreemem) FUNCTION(PQftype) \
    FUNCTION(PQgetResult) FUNCTION(PQgetisnull) FUNCTION(PQgetlength) FUNCTION(PQgetvalue) \
    FUNCTION(PQisBusy) FUNCTION(PQnfields) FUNCTION(PQnotifies) FUNCTION(PQntuples) \
    FUNCTION(PQparameterStatus) FUNCTION(PQpipelineSync) FUNCTION(PQputCopyData) \
    FUNCTION(PQputCopyEnd) FUNCTION(PQresultErrorField) \
    FUNCTION(PQresultStatus) FUNCTION(PQsendQuery) FUNCTION(PQsendQueryParams) \
    FUNCTION(PQserverVersion) FUNCTION(PQsetNoticeProcessor) FUNCTION(PQsetnonblocking) \
    FUNCTION(PQsocket) FUNCTION(PQsslInUse) FUNCTION(PQstatus)
/* clang-format on */

LIBRARY(libpq, LIBPQ_FUNCTIONS)

static bool libpq_is_whole;

static void load_libpq(void)
{
    libpq_is_whole = LIBRARY_LOAD(libpq, "libpq.so.5");
}

/* ---- the connection ---- */

/* The right of this process alone to play a season; a thread renews it. */
struct claim {
    char season[STORE_NAME_BYTES_MAX + 1]; /* name of the claimed season; "": no claim */
    char identity[STORE_TOKEN_BYTES];      /* a random text, which only this process knows */
    pthread_t renewer;
    /* A pipe, valid only while a season is claimed: closing stop_fds[1] stops the thread that
     * renews the claim. */
    int stop_fds[2];
};

struct server {
    PQconninfoOption *options; /* settings from the URL */
    PGconn *connection;        /* the connection; NULL: lost, and the next call connects again */
    int listening_number;      /* connection_number of the connection that ran LISTEN */
    bool was_late;             /* the last statement got no answer before its deadline */
    bool in_transaction;
    /* Id of the transaction: after a lost answer to COMMIT, `resolve` asks whether it committed. */
    char transaction[24];
    int64_t wait_ms; /* time limit for an answer in the transaction */
    struct claim claim;
};

static struct server *server_of(const struct store *store)
{
    return store->connection;
}

static int64_t now_ms(void)
{
    return clock_now_us() / 1000;
}

/*
 * Waits until the socket of the store's connection is ready for `events`. Returns false after the
 * deadline, or if nobody waits any more.
 */
static bool wait_for_socket(const struct store *store, short events, int64_t deadline_ms)
{
    struct pollfd watched = {.fd = libpq.PQsocket(server_of(store)->connection), .events = events};
    int64_t left_ms;
    int ready;

    do {
        left_ms = deadline_ms - now_ms();
        if (left_ms <= 0 || sql_is_over(store))
            return false;
        if (store->is_over_fn && left_ms > LOOK_MS)
            left_ms = LOOK_MS;
        ready = poll(&watched, 1, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    return ready > 0;
}

/* ---- errors ---- */

/* Copies a message of libpq, and joins its lines to one line. */
static void copy_line(char *line, size_t size, const char *message)
{
    size_t length = 0;

    for (; *message && length + 3 < size; message++) {
        if (*message != '\n') {
            line[length++] = *message == '\t' ? ' ' : *message;
        } else if (message[1]) {
            line[length++] = ';';
            line[length++] = ' ';
        }
    }
    line[length] = '\0';
}

static int lost_error(struct store *store)
{
    return store_refuse(store, -ENOTCONN,
                        "%s: the connection was lost, or the server does not answer: try again "
                        "when the server runs; nothing that was stored is lost",
                        store->where);
}

/* Errors by SQLSTATE or by a prefix of the SQLSTATE. The first element that matches applies. */
static const struct {
    const char *state;
    int error;
    const char *words; /* message after the store's name; NULL: the server's message */
} states[] = {
    {"23505", -EEXIST, ""}, /* the function that adds the row sets the message */
    {"23", -EINVAL, NULL},
    {"40", -EAGAIN, "another process changed the same rows: try again"},
    {"53100", -ENOSPC,
     "no room left on the server: make room on its disk and go on; nothing that was stored is "
     "lost"},
    {"53300", -ENOTCONN, "the server takes no more connections: try again"},
    {"55P03", -EBUSY, "another process has locked the rows or a table: try again"},
    {"57014", -EBUSY, "the server took too long to answer: try again"},
    {"57", -ENOTCONN, "the server is stopping or starting: try again when the server runs"},
    {"08", -ENOTCONN, "the connection was lost: try again"},
    {"25006", -EROFS, "the server is read-only (a standby?): give the URL of the primary"},
    {"25P03", -ENOTCONN,
     "this process was paused too long during a transaction, so the server rolled the transaction "
     "back: try again"},
    {"25P02", -ENOTCONN, "a transaction failed before its end: try again"},
    {"42501", -EACCES, NULL},
    {"P0002", -ECANCELED, NULL}, /* worker_claim raises this and the next two */
    {"AR001", -EPERM, NULL},
    {"AR002", -ESHUTDOWN, NULL},
    {"42P07", -EEXIST, NULL}, /* another process has just created the table */
    {"42710", -EEXIST, NULL}, /* another process has just created the table's type */
    {"42", -EBADMSG, NULL},   /* a table or function is missing, or has other columns */
    {"XX001", -EBADMSG, NULL},
    {"XX002", -EBADMSG, NULL},
    /*
     * Errors of the classes 53 (out of resources), 58 (system error) and XX (internal error) are
     * temporary.
     */
    {"53", -EIO, NULL},
    {"58", -EIO, NULL},
    {"XX", -EIO, NULL},
    {"", -EINVAL, NULL},
};

static int server_error(struct store *store, const PGresult *result)
{
    struct server *server = server_of(store);
    const char *state = result ? libpq.PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *message = result ? libpq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    char line[400];

    if (!state || !server->connection)
        return lost_error(store);
    copy_line(line, sizeof line, message ? message : "");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (strncmp(state, states[i].state, strlen(states[i].state)) != 0)
            continue;
        if (states[i].error == -EACCES)
            store_refuse(store, -EACCES,
                         "%s: %s: use the role that owns the arena's tables; `arena store role` "
                         "gives a worker's role its rights",
                         store->where, line);
        else if (!states[i].words || *states[i].words)
            store_refuse(store, states[i].error, "%s: %s", store->where,
                         states[i].words ? states[i].words : line);
        return states[i].error;
    }
    abort(); /* cannot happen: the last element of the list matches every state */
}

/* ---- connecting ---- */

static void disconnect(struct server *server)
{
    if (server->connection)
        libpq.PQfinish(server->connection);
    server->connection = NULL;
}

/* Settings for libpq, of which dbname is the URL. The URL overrides the settings before dbname. */
static const char *const keywords[] = {
    "application_name",
    "connect_timeout",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_count",
    "tcp_user_timeout",
    "dbname",
    "client_encoding",
    NULL,
};

static PGconn *begin_connecting(const struct store *store)
{
    const char *const values[] = {"arena", "10", "10", "5", "3", "20000", store->url, "UTF8", NULL};

    return libpq.PQconnectStartParams(keywords, values, true);
}

static const char *option_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val && *options->val ? options->val : NULL;
    return NULL;
}

/* Returns the time limit for connecting: libpq itself does not apply connect_timeout here. */
static int64_t connect_wait_ms(const struct server *server)
{
    const char *timeout = option_of(server->options, "connect_timeout");
    int seconds;

    return timeout && sscanf(timeout, "%d", &seconds) == 1 && seconds > 0 ? 1000 * (int64_t)seconds
                                                                          : CONNECT_WAIT_MS;
}

/* Runs libpq's connection handshake. Returns false after the deadline. */
static bool finish_connecting(const struct store *store, int64_t deadline_ms)
{
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;

    while (wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING) {
        if (!wait_for_socket(store, wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT,
                             deadline_ms))
            return false;
        wanted = libpq.PQconnectPoll(server_of(store)->connection);
    }
    return true;
}

static void say_nothing(void *context, const char *message)
{
}

static int connect_within(struct store *store, int64_t asked_ms)
{
    struct server *server = server_of(store);
    int64_t wait_ms = connect_wait_ms(server);
    int64_t deadline_ms = now_ms() + (asked_ms && asked_ms < wait_ms ? asked_ms : wait_ms);
    bool in_time = true;
    char line[400];

    if (server->connection)
        return 0;
    server->connection = begin_connecting(store);
    if (!server->connection)
        return -ENOMEM;
    if (libpq.PQstatus(server->connection) != CONNECTION_BAD)
        in_time = finish_connecting(store, deadline_ms);
    if (in_time && libpq.PQstatus(server->connection) == CONNECTION_OK) {
        libpq.PQsetNoticeProcessor(server->connection, say_nothing, NULL);
        libpq.PQsetnonblocking(server->connection, 1);
        store->connection_number++;
        return 0;
    }
    copy_line(line, sizeof line,
              in_time ? libpq.PQerrorMessage(server->connection) : "the server does not answer");
    disconnect(server);
    return store_refuse(store, -ENOTCONN, "%s: cannot connect: %s", store->where, line);
}

/* ---- receiving results ---- */

/* Sends what libpq has buffered. Returns false if the connection is lost or late. */
static bool flush(const struct store *store, int64_t deadline_ms)
{
    PGconn *connection = server_of(store)->connection;
    int left;

    while ((left = libpq.PQflush(connection)) > 0)
        if (!wait_for_socket(store, POLLIN | POLLOUT, deadline_ms) ||
            !libpq.PQconsumeInput(connection))
            return false;
    return left == 0;
}

/*
 * Returns the last result of a query, or the first that failed, or PGRES_COPY_IN once the server
 * waits for rows; NULL if lost or late.
 */
static PGresult *receive(const struct store *store, int64_t deadline_ms)
{
    PGconn *connection = server_of(store)->connection;
    PGresult *kept = NULL;
    bool failed = false;

    for (;;) {
        PGresult *result;

        while (libpq.PQisBusy(connection))
            if (!wait_for_socket(store, POLLIN, deadline_ms) || !libpq.PQconsumeInput(connection))
                goto lost;
        result = libpq.PQgetResult(connection);
        if (!result)
            break;
        if (libpq.PQresultStatus(result) == PGRES_COPY_IN)
            return result;
        if (failed) {
            libpq.PQclear(result);
            continue;
        }
        libpq.PQclear(kept);
        kept = result;
        failed = libpq.PQresultStatus(result) == PGRES_FATAL_ERROR;
    }
    if (libpq.PQstatus(connection) == CONNECTION_OK)
        return kept;
lost:
    libpq.PQclear(kept);
    return NULL;
}

/* As receive, for statements that were sent together. */
static PGresult *receive_pipeline(const struct store *store, int64_t deadline_ms)
{
    PGresult *kept = NULL;

    for (bool ends = false; !ends;) {
        PGresult *result = receive(store, deadline_ms);
        ExecStatusType status = result ? libpq.PQresultStatus(result) : PGRES_FATAL_ERROR;

        if (!result) {
            libpq.PQclear(kept);
            return NULL;
        }
        ends = status == PGRES_PIPELINE_SYNC;
        if (ends || (kept && libpq.PQresultStatus(kept) == PGRES_FATAL_ERROR)) {
            libpq.PQclear(result);
        } else {
            libpq.PQclear(kept);
            kept = result;
        }
    }
    libpq.PQexitPipelineMode(server_of(store)->connection);
    return kept;
}

static int64_t wait_of(const struct server *server, bool is_slow)
{
    if (is_slow)
        return SLOW_ANSWER_WAIT_MS;
    return server->in_transaction ? server->wait_ms : (int64_t)ANSWER_WAIT_MS;
}

/*
 * Receives the result of a query; is_sent says whether the query could be sent. Closes a connection
 * that is lost or late. Returns 0 with *result, or -errno.
 */
static int take_result(struct store *store, bool is_sent, bool is_pipeline, int64_t wait_ms,
                       PGresult **result)
{
    struct server *server = server_of(store);
    int64_t deadline_ms = now_ms() + wait_ms;
    ExecStatusType status;
    int error;

    *result = NULL;
    server->was_late = false;
    if (is_sent && flush(store, deadline_ms))
        *result = is_pipeline ? receive_pipeline(store, deadline_ms) : receive(store, deadline_ms);
    if (!*result) {
        server->was_late = is_sent && now_ms() >= deadline_ms;
        disconnect(server);
        return sql_is_over(store) ? sql_give_up(store) : lost_error(store);
    }
    status = libpq.PQresultStatus(*result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_COPY_IN)
        return 0;
    error = server_error(store, *result);
    libpq.PQclear(*result);
    *result = NULL;
    if (error == -ENOTCONN)
        disconnect(server);
    return error;
}

/* Runs one or more statements without parameters. *result is the last statement's result. */
static int execute_for(struct store *store, const char *sql, PGresult **result)
{
    struct server *server = server_of(store);

    if (!server->connection)
        return lost_error(store);
    return take_result(store, libpq.PQsendQuery(server->connection, sql), false,
                       wait_of(server, false), result);
}

static int execute(struct store *store, const char *script)
{
    PGresult *result;
    int error = execute_for(store, script, &result);

    if (!error)
        libpq.PQclear(result);
    return error;
}

/* ---- statements ---- */

/* Type OIDs, which are the same on every server. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_NAME = 19,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
};

static bool send_query(PGconn *connection, const struct sql_query *query)
{
    static const Oid oids[] = {[SQL_NULL] = 0,
                               [SQL_INT] = TYPE_INT8,
                               [SQL_BOOL] = TYPE_BOOL,
                               [SQL_TEXT] = TYPE_TEXT,
                               [SQL_BYTES] = TYPE_BYTEA};
    Oid types[SQL_PARAMETERS_MAX];
    const char *values[SQL_PARAMETERS_MAX];
    int lengths[SQL_PARAMETERS_MAX], formats[SQL_PARAMETERS_MAX];
    uint8_t numbers[SQL_PARAMETERS_MAX][8];

    assert(query->count <= SQL_PARAMETERS_MAX);
    for (int i = 0; i < query->count; i++) {
        const struct sql_value *value = &query->values[i + 1];
        bool is_number = value->type == SQL_INT || value->type == SQL_BOOL;

        lengths[i] = value->type == SQL_INT ? 8 : is_number ? 1 : (int)value->size;
        for (int j = 0; is_number && j < lengths[i]; j++)
            numbers[i][j] = (uint8_t)((uint64_t)value->number >> (8 * (lengths[i] - 1 - j)));
        assert(is_number || value->type == SQL_NULL || value->size <= INT32_MAX);
        types[i] = oids[value->type];
        values[i] = is_number                 ? (const char *)numbers[i]
                    : value->type == SQL_NULL ? NULL
                                              : value->bytes;
        formats[i] = 1;
    }
    return libpq.PQsendQueryParams(connection, query->text, query->count, types, values, lengths,
                                   formats, 1);
}

/*
 * Sends a statement outside a transaction, and before it, in the same round trip, a time limit for
 * the server that is shorter than the client's. The server also ends a statement within a second
 * after its client has left: so a statement that nobody waits for ends without PQcancel, which
 * waits for the server without a deadline.
 */
static bool send_with_deadline(const struct server *server, const struct sql_query *query)
{
    PGconn *connection = server->connection;
    char sql[200];

    snprintf(sql, sizeof sql, "SELECT set_config('statement_timeout', '%lld', true)%s",
             (long long)(wait_of(server, query->is_slow) * 3 / 4) + 1,
             libpq.PQserverVersion(connection) >= CHECK_VERSION_MIN
                 ? ", set_config('client_connection_check_interval', '1000', true)"
                 : "");
    return libpq.PQenterPipelineMode(connection) &&
           libpq.PQsendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1) &&
           send_query(connection, query) && libpq.PQpipelineSync(connection);
}

static int run_once(struct store *store, const struct sql_query *query, PGresult **result)
{
    struct server *server = server_of(store);

    if (!server->connection)
        return lost_error(store);
    return take_result(store,
                       server->in_transaction ? send_query(server->connection, query)
                                              : send_with_deadline(server, query),
                       !server->in_transaction, wait_of(server, query->is_slow), result);
}

/*
 * Runs a statement, for at most wait_ms if that is not 0. If the connection is lost outside a
 * transaction, connects again and runs the statement once more.
 */
static int run_for(struct store *store, const struct sql_query *query, int64_t wait_ms,
                   PGresult **result)
{
    struct server *server = server_of(store);
    int error;

    *result = NULL;
    if (server->in_transaction)
        return run_once(store, query, result);
    if ((error = connect_within(store, wait_ms)) < 0)
        return error;
    error = run_once(store, query, result);
    /* It may have died while it was not in use. A slow server must not get the statement twice. */
    if (error == -ENOTCONN && !server->was_late && (error = connect_within(store, wait_ms)) == 0)
        error = run_once(store, query, result);
    return error;
}

static void read_value(const PGresult *result, int number, int column, struct sql_value *value)
{
    const uint8_t *bytes = (const uint8_t *)libpq.PQgetvalue(result, number, column);
    uint64_t bits;

    *value = (struct sql_value){.type = SQL_NULL};
    if (libpq.PQgetisnull(result, number, column))
        return;
    value->bytes = bytes;
    value->size = (size_t)libpq.PQgetlength(result, number, column);
    switch (libpq.PQftype(result, column)) {
    case TYPE_BOOL:
        value->type = SQL_INT;
        value->number = *bytes != 0;
        break;
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
        bits = bytes[0] & 0x80 ? UINT64_MAX : 0;
        for (size_t i = 0; i < value->size; i++)
            bits = bits << 8 | bytes[i];
        value->type = SQL_INT;
        value->number = (int64_t)bits;
        break;
    case TYPE_TEXT:
    case TYPE_NAME:
        /* libpq adds a NUL after the text; the text itself cannot contain one. */
        value->type = SQL_TEXT;
        break;
    default:
        value->type = SQL_BYTES;
    }
}

/* True of a statement that changes nothing, or is one of the functions that workers call. */
static bool is_reading(const struct sql_query *query)
{
    const char *text = query->text;

    if (strncmp(text, "WITH ", 5) == 0)
        return !strstr(text, "INSERT ") && !strstr(text, "UPDATE ") && !strstr(text, "DELETE ");
    return strncmp(text, "SELECT ", 7) == 0 || strncmp(text, "LISTEN ", 7) == 0;
}

static int start(struct sql_rows *rows, const struct sql_query *query)
{
    const struct server *server = server_of(rows->store);
    PGresult *result;
    int error;

    assert(server->in_transaction || !*server->claim.season || is_reading(query));
    error = run_for(rows->store, query, 0, &result);
    if (error)
        return error;
    rows->source = result;
    rows->row_count = libpq.PQntuples(result);
    rows->count = rows->row_count ? libpq.PQnfields(result) : 0;
    assert(rows->count <= SQL_COLUMNS_MAX);
    if (sscanf(libpq.PQcmdTuples(result), "%d", &rows->changed_count) != 1)
        rows->changed_count = 0;
    return 0;
}

static int next(struct sql_rows *rows)
{
    if (rows->row_number == rows->row_count)
        return 0;
    for (int column = 0; column < rows->count; column++)
        read_value(rows->source, rows->row_number, column, &rows->values[column]);
    rows->row_number++;
    return 1;
}

static void end(struct sql_rows *rows)
{
    libpq.PQclear(rows->source);
    rows->source = NULL;
}

static const char *column_name(const struct sql_rows *rows, int column)
{
    return libpq.PQfname(rows->source, column);
}

/* ---- many rows: COPY, in the server's binary format ---- */

static uint8_t *put_number(uint8_t *target, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        *target++ = (uint8_t)(number >> (8 * (size - 1 - i)));
    return target;
}

/* Sends a value after its length, which is -1 for NULL. */
static bool put_value(PGconn *connection, const struct sql_value *value)
{
    bool is_number = value->type == SQL_INT || value->type == SQL_BOOL;
    int size = value->type == SQL_INT    ? 8
               : value->type == SQL_BOOL ? 1
               : value->type == SQL_NULL ? 0
                                         : (int)value->size;
    uint8_t start[12];
    uint8_t *end = put_number(start, value->type == SQL_NULL ? UINT32_MAX : (uint32_t)size, 4);

    if (is_number)
        end = put_number(end, (uint64_t)value->number, size);
    return libpq.PQputCopyData(connection, (const char *)start, (int)(end - start)) == 1 &&
           (is_number || size == 0 || libpq.PQputCopyData(connection, value->bytes, size) == 1);
}

static bool put_rows(PGconn *connection, int column_count, const struct sql_value *values,
                     int row_count)
{
    static const char head[19] = "PGCOPY\n\377\r\n"; /* and no flags, no extension */
    uint8_t number[2];

    if (libpq.PQputCopyData(connection, head, sizeof head) != 1)
        return false;
    for (int row = 0; row < row_count; row++) {
        put_number(number, (uint64_t)column_count, sizeof number);
        if (libpq.PQputCopyData(connection, (const char *)number, sizeof number) != 1)
            return false;
        for (int i = 0; i < column_count; i++)
            if (!put_value(connection, ++values))
                return false;
    }
    put_number(number, UINT16_MAX, sizeof number); /* the end */
    return libpq.PQputCopyData(connection, (const char *)number, sizeof number) == 1 &&
           libpq.PQputCopyEnd(connection, NULL) == 1;
}

static int add_rows(struct store *store, const struct schema_table *table,
                    const struct sql_value *values, int row_count)
{
    struct server *server = server_of(store);
    PGresult *result;
    char *text = NULL;
    size_t size;
    FILE *sql = memory_stream(&text, &size);
    int error;

    assert(server->in_transaction);
    fprintf(sql, "COPY %s (", table->name);
    for (int i = 0; i < table->column_count; i++)
        fprintf(sql, "%s\"%s\"", i ? ", " : "", table->columns[i].name);
    fputs(") FROM STDIN (FORMAT binary)", sql);
    memory_stream_end(sql);
    error = execute_for(store, text, &result);
    free(text);
    if (error)
        return error;
    libpq.PQclear(result);
    error = take_result(store, put_rows(server->connection, table->column_count, values, row_count),
                        false, wait_of(server, true), &result);
    if (!error)
        libpq.PQclear(result);
    return error;
}

/* ---- transactions ---- */

/*
 * The server ends the transaction of a frozen process (8 s) before other processes stop waiting for
 * its locks (10 s). While the server waits for the rest of a message, none of these limits applies:
 * only probes tell it that the client is gone, which it would otherwise send after two hours.
 */
#define BEGIN_LIMITS                                                                               \
    " SET LOCAL lock_timeout = 10000; SET LOCAL tcp_keepalives_idle = 4;"                          \
    " SET LOCAL tcp_keepalives_interval = 2; SET LOCAL tcp_keepalives_count = 2;"                  \
    " SELECT pg_current_xact_id()::text"

static const char begin_sql[] =
    "BEGIN; SET LOCAL statement_timeout = 15000;"
    " SET LOCAL idle_in_transaction_session_timeout = 8000;" BEGIN_LIMITS;

static const char begin_slow_sql[] =
    "BEGIN; SET LOCAL statement_timeout = 840000;"
    " SET LOCAL idle_in_transaction_session_timeout = 120000;" BEGIN_LIMITS;

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

/*
 * Fails with -EOWNERDEAD if the store has claimed a season and another process has taken the claim.
 * In a transaction, nobody can take the claim until the transaction ends.
 */
static int check_claim(struct store *store)
{
    static const char *const texts[] = {
        "SELECT 1 FROM claim WHERE season = $1 AND identity = $2",
        "SELECT 1 FROM claim WHERE season = $1 AND identity = $2 FOR SHARE"};
    const struct claim *claim = &server_of(store)->claim;
    int found;

    if (!*claim->season)
        return 0;
    found = sql_run(store, SQL(texts[server_of(store)->in_transaction], sql_text(claim->season),
                               sql_text(claim->identity)));
    if (found)
        return found < 0 ? found : 0;
    return store_refuse(store, -EOWNERDEAD,
                        "this process lost its claim on season %s, because the process was paused "
                        "or could not reach the server: games that it has not stored are void",
                        claim->season);
}

static void rollback(struct store *store)
{
    struct server *server = server_of(store);

    if (server->in_transaction && server->connection)
        execute(store, "ROLLBACK");
    server->in_transaction = false;
}

static int begin(struct store *store, enum sql_wait wait)
{
    struct server *server = server_of(store);
    PGresult *result;
    int error = connect_within(store, 0);

    if (error)
        return error;
    server->wait_ms = wait == SQL_WAITS_LONG ? SLOW_WAIT_MS : ANSWER_WAIT_MS;
    error = execute_for(store, wait == SQL_WAITS_LONG ? begin_slow_sql : begin_sql, &result);
    if (error) {
        disconnect(server); /* the server may have run BEGIN, but not the statements after it */
        return error;
    }
    snprintf(server->transaction, sizeof server->transaction, "%s", libpq.PQgetvalue(result, 0, 0));
    libpq.PQclear(result);
    server->in_transaction = true;
    error = check_claim(store);
    if (error)
        rollback(store);
    return error;
}

/* Asks the server for a transaction's status: "committed", "aborted" or "in progress". */
static int read_fate(struct store *store, int64_t wait_ms, char fate[static 16])
{
    PGresult *result;
    int error = run_for(
        store,
        SQL("SELECT pg_xact_status(CAST($1 AS xid8))", sql_text(server_of(store)->transaction)),
        wait_ms, &result);

    if (error)
        return error;
    snprintf(fate, 16, "%s",
             libpq.PQgetisnull(result, 0, 0) ? "aborted" : libpq.PQgetvalue(result, 0, 0));
    libpq.PQclear(result);
    return 0;
}

/* After a COMMIT without an answer: returns 0, -ECONNABORTED (nothing was committed) or -ENOTCONN
 * (unknown). */
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
    store->commit_was_lost = true;
    return store_refuse(store, -ENOTCONN,
                        "%s: the connection was lost while a change was committed; check when the "
                        "server runs again whether the change was kept",
                        store->where);
}

static int commit(struct store *store)
{
    PGresult *result;
    int error = execute_for(store, "COMMIT", &result);

    server_of(store)->in_transaction = false;
    if (error == -ENOTCONN)
        return resolve(store);
    if (error)
        return error;
    /* For COMMIT of a failed transaction, the server rolls back and reports no error. */
    if (strcmp(libpq.PQcmdStatus(result), "COMMIT") != 0)
        error = store_refuse(store, -EIO, "%s: the server rolled the change back: try again",
                             store->where);
    libpq.PQclear(result);
    return error;
}

/* ---- claims of seasons ---- */

/* Renews the claim. Returns 0, 1 if another process has taken the claim, or -errno. */
static int renew_once(struct store *store, const struct claim *claim)
{
    int changed =
        sql_run(store, SQL("UPDATE claim SET expires_at = clock_timestamp() + $3 * interval '1 ms'"
                           " WHERE season = $1 AND identity = $2",
                           sql_text(claim->season), sql_text(claim->identity), sql_int(CLAIM_MS)));

    return changed < 0 ? changed : changed == 0;
}

/* The renewing thread. Only reads the claim, which release() changes after the thread has ended. */
static void *renew(void *context)
{
    const struct store *claiming = context;
    const struct claim *claim = &server_of(claiming)->claim;
    struct pollfd released = {.fd = claim->stop_fds[0], .events = POLLIN};
    struct store *store = NULL;
    int wait_ms = RENEW_MS, result = 0;

    while (result != 1 && poll(&released, 1, wait_ms) == 0) {
        result = store ? 0 : store_open(&store, claiming->url, STORE_READ);
        if (!result)
            result = renew_once(store, claim);
        wait_ms = result < 0 ? RENEW_AGAIN_MS : RENEW_MS;
        if (result < 0) {
            store_close(store);
            store = NULL;
        }
    }
    store_close(store);
    return NULL;
}

/* Starts the renewing thread, with all signals blocked. Returns 0 or -errno. */
static int start_renewing(struct store *store)
{
    struct claim *claim = &server_of(store)->claim;
    sigset_t all, before;
    int error;

    if (pipe2(claim->stop_fds, O_CLOEXEC) < 0)
        return -errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&claim->renewer, NULL, renew, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        close(claim->stop_fds[0]);
        close(claim->stop_fds[1]);
    }
    return -error;
}

/*
 * Takes the claim if nobody has it, or it has expired. Returns 1, 0 (another has it) or -errno.
 * First shortens a claim that ends later than any renewal could say, because the server's clock
 * went back: a live owner renews the claim in time, a dead owner's claim ends after CLAIM_MS.
 */
static int take(struct store *store, const char *name, const char *identity)
{
    char owner[STORE_OWNER_BYTES], host[65] = "?";
    int error =
        sql_change(store, SQL("UPDATE claim SET expires_at = clock_timestamp() + $2 * interval"
                              " '1 ms' WHERE season = $1"
                              " AND expires_at > clock_timestamp() + $2 * interval '1 ms'",
                              sql_text(name), sql_int(CLAIM_MS)));

    if (error)
        return error;
    gethostname(host, sizeof host - 1);
    snprintf(owner, sizeof owner, "process %d of %s", (int)getpid(), host);
    return sql_run(store,
                   SQL("INSERT INTO claim AS held (season, owner, identity, expires_at)"
                       " VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')"
                       " ON CONFLICT (season) DO UPDATE SET owner = excluded.owner,"
                       " identity = excluded.identity, expires_at = excluded.expires_at"
                       " WHERE held.expires_at < clock_timestamp() OR held.identity = $3",
                       sql_text(name), sql_text(owner), sql_text(identity), sql_int(CLAIM_MS)));
}

/* Returns -EBUSY with a message that names the owner of a claim. */
static int refuse(struct store *store, const char *name)
{
    char owner[STORE_OWNER_BYTES];
    long long left_s;
    int error = SQL_FIND(store,
                         SQL("SELECT owner, CAST(greatest(0, ceil(extract(epoch FROM expires_at -"
                             " clock_timestamp()))) AS bigint) FROM claim WHERE season = $1",
                             sql_text(name)),
                         (row_text(&rows, 0, owner, sizeof owner), left_s = row_int64(&rows, 1)));

    if (error == -ENOENT)
        return store_refuse(store, -EBUSY,
                            "another process has just released its claim on season %s: try again",
                            name);
    return error
               ?: store_refuse(store, -EBUSY,
                               "season %s is being played by %s; if that process has died, its "
                               "claim on the season ends in %lld s",
                               name, owner, left_s);
}

/* Starts to renew the claim, and to check it in every transaction of the store. */
static int begin_claim(struct store *store, const char *name, const char *identity)
{
    struct claim *claim = &server_of(store)->claim;
    int error;

    snprintf(claim->season, sizeof claim->season, "%s", name);
    snprintf(claim->identity, sizeof claim->identity, "%s", identity);
    error = start_renewing(store);
    if (error)
        claim->season[0] = '\0';
    return error;
}

static void release(struct store *store)
{
    struct claim *claim = &server_of(store)->claim;
    char season[sizeof claim->season];

    if (!*claim->season)
        return;
    close(claim->stop_fds[1]);
    pthread_join(claim->renewer, NULL);
    close(claim->stop_fds[0]);
    memcpy(season, claim->season, sizeof season);
    claim->season[0] = '\0';
    /* If the DELETE fails, the claim expires within CLAIM_MS. */
    sql_run(store, SQL("DELETE FROM claim WHERE season = $1 AND identity = $2", sql_text(season),
                       sql_text(claim->identity)));
}

static int claim(struct store *store, const char *name, bool waits)
{
    char identity[STORE_TOKEN_BYTES];
    int taken;

    release(store);
    taken = store_token_draw(identity);
    if (!taken)
        taken = take(store, name, identity);
    if (taken <= 0)
        return taken < 0 ? taken : refuse(store, name);
    return begin_claim(store, name, identity);
}

static int read_claim(struct store *store, const char *name, char owner[static STORE_OWNER_BYTES])
{
    int error =
        SQL_FIND(store,
                 SQL("SELECT owner FROM claim WHERE season = $1 AND expires_at > clock_timestamp()",
                     sql_text(name)),
                 row_text(&rows, 0, owner, STORE_OWNER_BYTES));

    return error == -ENOENT ? 0 : error;
}

static int release_claim(struct store *store, const char *name)
{
    return sql_change(store, SQL("DELETE FROM claim WHERE season = $1", sql_text(name)));
}

/* ---- notifications ---- */

static int listen_to(struct store *store, enum store_channel channel)
{
    struct server *server = server_of(store);
    int result = sql_run(store, channel == STORE_CHANNEL_WORK ? SQL("LISTEN pavilion_work")
                                                              : SQL("LISTEN pavilion_results"));

    if (result < 0)
        return result;
    server->listening_number = store->connection_number;
    return libpq.PQsocket(server->connection);
}

static int heard(struct store *store)
{
    struct server *server = server_of(store);
    PGnotify *notice;
    int heard_count = 0;

    /* LISTEN ends with its connection. */
    if (!server->connection || server->listening_number != store->connection_number)
        return -ENOTCONN;
    if (!libpq.PQconsumeInput(server->connection)) {
        disconnect(server);
        return store_refuse(store, -ENOTCONN, "%s: the connection was lost", store->where);
    }
    while ((notice = libpq.PQnotifies(server->connection))) {
        heard_count++;
        libpq.PQfreemem(notice);
    }
    return heard_count > 0;
}

/* ---- diagnosis ---- */

/*
 * The checks of the server: a row each, with the name of the check, whether all is well, the
 * finding and the cure. Parameter $1 is this machine's clock in microseconds, $2 the PID that the
 * server gave at the connection (it differs from the PID of the session if a pooler is between), $3
 * whether the connection is encrypted (as far as a pooler).
 */
static const char checks[] =
    "SELECT 'connection', is_direct, CASE WHEN is_direct THEN 'direct'"
    " ELSE 'through a pooler, such as pgbouncer' END, 'give `arena worker` and `arena serve` the"
    " server''s own address, because they use LISTEN; all other commands may go through a pooler'"
    " FROM (SELECT pg_backend_pid() = $2) AS session (is_direct)"
    " UNION ALL SELECT 'encryption', $3 OR is_here, CASE WHEN $3 THEN 'TLS' WHEN is_here THEN"
    " 'none, on this machine' ELSE 'none, over the network' END, 'add ?sslmode=verify-full to the"
    " URL, and certificates to the server' FROM (SELECT coalesce(inet_server_addr() <<="
    " '127.0.0.0/8' OR inet_server_addr() = '::1', TRUE)) AS peer (is_here)"
    " UNION ALL SELECT 'server', TRUE, 'PostgreSQL ' || current_setting('server_version'), ''"
    " UNION ALL SELECT 'durability', fsync = 'on' AND pages = 'on' AND commits <> 'off',"
    " format('fsync %s, full_page_writes %s, synchronous_commit %s', fsync, pages, commits),"
    " 'turn them on in postgresql.conf, or a power failure loses games that were already shown'"
    " FROM (SELECT current_setting('fsync'), current_setting('full_page_writes'),"
    " current_setting('synchronous_commit')) AS setting (fsync, pages, commits)"
    " UNION ALL SELECT 'clock', abs(ahead_us) < 1000000,"
    " format('the server''s is %s s %s this machine''s', round(abs(ahead_us) / 1e6, 3),"
    " CASE WHEN ahead_us < 0 THEN 'behind' ELSE 'ahead of' END),"
    " 'synchronize both machines'' clocks with NTP (chrony, systemd-timesyncd)'"
    " FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000000 - $1) AS difference (ahead_us)"
    /* The longest transaction, which keeps VACUUM from removing dead rows. */
    " UNION ALL SELECT 'oldest xmin', held_s <= 60,"
    " format('held for %s s by session %s', held_s, pid),"
    " format('end it: SELECT pg_terminate_backend(%s)', pid) FROM (SELECT pid,"
    " ceil(extract(epoch FROM clock_timestamp() - xact_start)) AS held_s FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
    " AND coalesce(backend_xmin, backend_xid) IS NOT NULL ORDER BY xact_start LIMIT 1) AS oldest";

static int diagnose(struct store *store, store_finding_fn *each_fn, void *context)
{
    PGconn *connection = server_of(store)->connection;
    struct store_finding finding;

    return SQL_EACH(
        store,
        SQL(checks, sql_int(clock_time_us()),
            sql_int(connection ? libpq.PQbackendPID(connection) : 0),
            sql_bool(connection && libpq.PQsslInUse(connection))),
        (finding = (struct store_finding){row_bool(&rows, 1), row_text_or_null(&rows, 0),
                                          row_text_or_null(&rows, 2),
                                          row_bool(&rows, 1) ? "" : row_text_or_null(&rows, 3)}),
        (each_fn(context, &finding), 0));
}

/* These rows do not fit into work_mem, so the server writes them to a temporary file. */
static int try_room(struct store *store)
{
    return execute(store,
                   "SET LOCAL work_mem = '64kB'; SELECT count(*) FROM generate_series(1, 40000)");
}

/* ---- opening ---- */

/* Sets the store's name in messages: the URL without the password. */
static void name_store(struct store *store, const PQconninfoOption *options)
{
    const char *user = option_of(options, "user"), *host = option_of(options, "host");
    const char *port = option_of(options, "port"), *name = option_of(options, "dbname");

    snprintf(store->where, sizeof store->where, "postgresql://%s%s%s%s%s/%s", user ? user : "",
             user ? "@" : "", host ? host : "", port ? ":" : "", port ? port : "",
             name ? name : "");
}

static int check_server(struct store *store)
{
    PGconn *connection = server_of(store)->connection;
    const char *encoding = libpq.PQparameterStatus(connection, "server_encoding");
    int version = libpq.PQserverVersion(connection);

    if (version < SERVER_VERSION_MIN)
        return store_refuse(store, -ENOTSUP, "%s: the server is PostgreSQL %d; use 13 or newer",
                            store->where, version / 10000);
    if (encoding && strcmp(encoding, "UTF8") != 0)
        return store_refuse(
            store, -ENOTSUP,
            "%s: the database is encoded in %s: make a database with ENCODING 'UTF8'", store->where,
            encoding);
    return 0;
}

/* Finds the schema, or creates it in mode STORE_CREATE; waits while another process creates it. */
static int find_schema(struct store *store)
{
    int error = -EEXIST;

    for (int attempt = 0; error == -EEXIST && attempt < CREATE_ATTEMPTS; attempt++) {
        int found;

        if (attempt > 0)
            pause_ms(CREATE_PAUSE_MS);
        found = sql_run(store, SQL("SELECT 1 WHERE to_regclass('pavilion') IS NOT NULL"));
        if (found)
            return found < 0 ? found : schema_check(store);
        if (store->mode != STORE_CREATE)
            return store_refuse(store, -ENOENT, "there is no store in %s", store->where);
        error = schema_create(store);
    }
    return error;
}

static int open_server(struct store *store, const char *address)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct server *server = calloc(1, sizeof *server);
    int error;

    /* Do not show libpq's messages about a URL, which may contain the password. */
    snprintf(store->where, sizeof store->where, "the store postgresql://...");
    if (!server)
        return -ENOMEM;
    store->connection = server;
    pthread_once(&once, load_libpq);
    if (!libpq_is_whole)
        return store_refuse(store, -ENOTSUP,
                            "a PostgreSQL store needs libpq: install the Debian package libpq5");
    server->options = libpq.PQconninfoParse(store->url, NULL);
    if (!server->options)
        return store_refuse(
            store, -EINVAL,
            "the store's URL cannot be read: write postgresql://USER@HOST:PORT/DATABASE, with "
            "special characters percent-encoded, as %%40 for @");
    name_store(store, server->options);
    if ((error = connect_within(store, 0)) < 0 || (error = check_server(store)) < 0)
        return error;
    return find_schema(store);
}

static void close_server(struct store *store)
{
    struct server *server = server_of(store);

    if (!server)
        return;
    if (server->options) {
        release(store);
        disconnect(server);
        libpq.PQconninfoFree(server->options);
    }
    free(server);
}

static int backup(struct store *store, const char *path)
{
    return store_refuse(store, -ENOTSUP,
                        "%s: the arena backs up only SQLite stores: use pg_dump -Fc -f %s, and "
                        "pg_restore to restore",
                        store->where, path);
}

/*
 * Packages are compressed already and are read in parts, so the server stores them uncompressed.
 */
static const char schema_script[] =
    "ALTER TABLE package ALTER COLUMN bytes SET STORAGE EXTERNAL;"
    "CREATE TABLE claim ("
    "  season text COLLATE \"C\" PRIMARY KEY,"
    "  owner text COLLATE \"C\" NOT NULL,"    /* machine and process of the owner, for messages */
    "  identity text COLLATE \"C\" NOT NULL," /* random text that only the owner knows */
    "  expires_at timestamptz NOT NULL);";

const struct sql_driver postgres_driver = {
    .scheme = "postgresql",
    .has_leases = true,
    .type_words = {[SQL_INT] = "bigint",
                   [SQL_BOOL] = "boolean",
                   [SQL_TEXT] = "text COLLATE \"C\"",
                   [SQL_BYTES] = "bytea"},
    .generated_key = "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    .table_words = "",
    .blob_table_words = "",
    .schema_script = schema_script,
    .open = open_server,
    .close = close_server,
    .start = start,
    .next = next,
    .end = end,
    .column_name = column_name,
    .add_rows = add_rows,
    .execute = execute,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .claim = claim,
    .check_claim = check_claim,
    .read_claim = read_claim,
    .release_claim = release_claim,
    .after_copy = "SELECT setval(pg_get_serial_sequence('worker', 'id'), max(id)) FROM worker",
    .backup = backup,
    .listen = listen_to,
    .heard = heard,
    .diagnose = diagnose,
    .try_room = try_room,
};
