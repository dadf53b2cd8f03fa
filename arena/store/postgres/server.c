/* The connection: opening it, waiting for it, losing it; and the conversion of its errors. */
#include "arena/store/postgres/server.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CONNECT_WAIT_MS = 10000, /* unless the URL has a connect_timeout */
    ANSWER_WAIT_MS = 20000,  /* outside of transactions */
    SETTINGS_MAX = 64,       /* keywords of a connection */
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the socket is readable or writable. Returns false if the deadline has passed. */
static bool wait_for_socket(PGconn *connection, short events, int64_t deadline_ms)
{
    struct pollfd watched = {.fd = libpq.PQsocket(connection), .events = events};
    int64_t left_ms;
    int ready;

    do {
        left_ms = deadline_ms - now_ms();
        if (left_ms <= 0)
            return false;
        ready = poll(&watched, 1, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    return ready > 0;
}

/* ---- errors ---- */

/* Joins a message of libpq, which has several lines, to one line. */
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
                        "when it does; nothing that was stored is lost",
                        store_where(store));
}

/* SQLSTATE codes, or prefixes of them; the first match applies. */
static const struct {
    const char *state;
    int error;
    const char *words; /* text after the store's name; NULL: the server's message */
} states[] = {
    {"23505", -EEXIST, ""}, /* the caller sets the message */
    {"23", -EINVAL, NULL},
    {"40", -EAGAIN, "another process changed the same rows: try again"},
    {"53100", -ENOSPC,
     "no room left on the server: make room on its disk and go on; nothing that was stored is "
     "lost"},
    {"53300", -ENOTCONN, "the server takes no more connections: try again"},
    {"55P03", -EBUSY, "locked by another process: try again"},
    {"57014", -EBUSY, "the server took too long: try again"},
    {"57", -ENOTCONN, "the server is stopping or starting: try again when it runs"},
    {"08", -ENOTCONN, "the connection was lost: try again"},
    {"25006", -EROFS, "the server is read-only (a standby?): give the URL of the primary"},
    {"25P03", -ENOTCONN,
     "this process was paused during a transaction, and the server rolled it back"},
    {"25P02", -ENOTCONN, "a transaction failed half way: try again"},
    {"42501", -EACCES, NULL},
    {"42P07", -EEXIST, NULL}, /* a table, */
    {"42710", -EEXIST, NULL}, /* or its type, that another process has just made */
    {"42", -EBADMSG, NULL},   /* a table or a function that is not there, or is another */
    {"XX001", -EBADMSG, NULL},
    {"XX002", -EBADMSG, NULL},
    {"53", -EIO, NULL}, /* these three are temporary: out of resources, system, server */
    {"58", -EIO, NULL},
    {"XX", -EIO, NULL},
    {"", -EINVAL, NULL},
};

int server_error(struct store *store, const PGresult *result)
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
                         "%s: %s: use the role that owns the league; a worker's role may do more "
                         "after `arena store role`",
                         store_where(store), line);
        else if (!states[i].words || *states[i].words)
            store_refuse(store, states[i].error, "%s: %s", store_where(store),
                         states[i].words ? states[i].words : line);
        return states[i].error;
    }
    abort(); /* the last of them fits any */
}

/* ---- connecting ---- */

void server_disconnect(struct server *server)
{
    if (server->connection)
        libpq.PQfinish(server->connection);
    server->connection = NULL;
}

/* Defaults for libpq, which the URL may override. */
static const char *const defaults[][2] = {
    {"application_name", "arena"}, {"connect_timeout", "10"}, {"keepalives_idle", "10"},
    {"keepalives_interval", "5"},  {"keepalives_count", "3"}, {"tcp_user_timeout", "20000"},
};

static const char *default_of(const char *keyword)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(defaults[i][0], keyword) == 0)
            return defaults[i][1];
    return NULL;
}

/*
 * Writes the URL's settings and our defaults. Returns the time limit for connecting, in
 * milliseconds.
 */
static int64_t write_settings(const struct server *server, const char *keywords[SETTINGS_MAX],
                              const char *values[SETTINGS_MAX])
{
    int64_t wait_ms = CONNECT_WAIT_MS;
    int count = 0;

    for (const PQconninfoOption *option = server->options; option->keyword; option++) {
        const char *value = option->val ? option->val : default_of(option->keyword);
        int seconds;

        if (!value || count + 2 >= SETTINGS_MAX || strcmp(option->keyword, "client_encoding") == 0)
            continue;
        keywords[count] = option->keyword;
        values[count++] = value;
        if (strcmp(option->keyword, "connect_timeout") == 0 && sscanf(value, "%d", &seconds) == 1 &&
            seconds > 0)
            wait_ms = 1000 * (int64_t)seconds;
    }
    keywords[count] = "client_encoding";
    values[count++] = "UTF8";
    keywords[count] = NULL;
    values[count] = NULL;
    return wait_ms;
}

/* Runs libpq's connection handshake. Returns false if the deadline has passed. */
static bool finish_connecting(PGconn *connection, int64_t deadline_ms)
{
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;

    while (wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING) {
        if (!wait_for_socket(connection, wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT,
                             deadline_ms))
            return false;
        wanted = libpq.PQconnectPoll(connection);
    }
    return true;
}

static void say_nothing(void *context, const char *message)
{
    (void)context;
    (void)message;
}

static int connect_within(struct store *store, int64_t asked_ms)
{
    struct server *server = server_of(store);
    const char *keywords[SETTINGS_MAX], *values[SETTINGS_MAX];
    int64_t wait_ms = write_settings(server, keywords, values);
    int64_t deadline_ms = now_ms() + (asked_ms && asked_ms < wait_ms ? asked_ms : wait_ms);
    bool in_time = true;
    char line[400];

    if (server->connection)
        return 0;
    server->connection = libpq.PQconnectStartParams(keywords, values, 0);
    if (!server->connection)
        return -ENOMEM;
    if (libpq.PQstatus(server->connection) != CONNECTION_BAD)
        in_time = finish_connecting(server->connection, deadline_ms);
    if (in_time && libpq.PQstatus(server->connection) == CONNECTION_OK) {
        libpq.PQsetNoticeProcessor(server->connection, say_nothing, NULL);
        libpq.PQsetnonblocking(server->connection, 1);
        server->connection_number++;
        return 0;
    }
    copy_line(line, sizeof line,
              in_time ? libpq.PQerrorMessage(server->connection) : "the server does not answer");
    server_disconnect(server);
    return store_refuse(store, -ENOTCONN, "%s: cannot connect: %s", store_where(store), line);
}

int server_connect(struct store *store)
{
    return connect_within(store, 0);
}

/* ---- answers ---- */

/*
 * Sends all data that libpq has buffered. Returns false if the connection is lost or the deadline
 * has passed.
 */
static bool flush(PGconn *connection, int64_t deadline_ms)
{
    int left;

    while ((left = libpq.PQflush(connection)) > 0)
        if (!wait_for_socket(connection, POLLIN | POLLOUT, deadline_ms) ||
            !libpq.PQconsumeInput(connection))
            return false;
    return left == 0;
}

/* Returns the last result of a query, or the first that failed; NULL if the connection is lost. */
static PGresult *receive(PGconn *connection, int64_t deadline_ms)
{
    PGresult *kept = NULL;
    bool failed = false;

    for (;;) {
        PGresult *result;

        while (libpq.PQisBusy(connection))
            if (!wait_for_socket(connection, POLLIN, deadline_ms) ||
                !libpq.PQconsumeInput(connection))
                goto lost;
        result = libpq.PQgetResult(connection);
        if (!result)
            break;
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

/*
 * Of statements that went together: the last one's result, or the first that failed; NULL when the
 * connection is lost.
 */
static PGresult *receive_pipeline(PGconn *connection, int64_t deadline_ms)
{
    PGresult *kept = NULL;

    for (bool ends = false; !ends;) {
        PGresult *result = receive(connection, deadline_ms);
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
    libpq.PQexitPipelineMode(connection);
    return kept;
}

/* Returns the time limit for an answer. */
static int64_t wait_of(const struct server *server, int64_t asked_ms)
{
    if (asked_ms)
        return asked_ms;
    return server->in_transaction ? server->wait_ms : (int64_t)ANSWER_WAIT_MS;
}

/* Receives the result of a query, if `is_sent`. Drops a lost connection. */
static int take_result(struct store *store, bool is_sent, bool is_pipeline, int64_t wait_ms,
                       PGresult **result)
{
    struct server *server = server_of(store);
    int64_t deadline_ms = now_ms() + wait_of(server, wait_ms);
    ExecStatusType status;
    int error;

    *result = NULL;
    server->was_late = false;
    if (is_sent && flush(server->connection, deadline_ms))
        *result = is_pipeline ? receive_pipeline(server->connection, deadline_ms)
                              : receive(server->connection, deadline_ms);
    if (!*result) {
        server->was_late = is_sent && now_ms() >= deadline_ms;
        server_disconnect(server);
        return lost_error(store);
    }
    status = libpq.PQresultStatus(*result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return 0;
    error = server_error(store, *result);
    libpq.PQclear(*result);
    *result = NULL;
    if (error == -ENOTCONN)
        server_disconnect(server);
    return error;
}

int server_execute(struct store *store, const char *sql, PGresult **result)
{
    struct server *server = server_of(store);

    if (!server->connection)
        return lost_error(store);
    return take_result(store, libpq.PQsendQuery(server->connection, sql), false, 0, result);
}

static bool send(PGconn *connection, const struct query *query)
{
    return libpq.PQsendQueryParams(connection, query->sql, query->count, query->types,
                                   query->values, query->lengths, query->formats, 1);
}

/*
 * A statement by itself, and before it, in the same round trip and transaction, how long the
 * server may work on it: less than is waited for it here.
 */
static bool send_with_deadline(const struct server *server, const struct query *query)
{
    PGconn *connection = server->connection;
    char sql[100];

    snprintf(sql, sizeof sql, "SELECT set_config('statement_timeout', '%lld', true)",
             (long long)(wait_of(server, query->wait_ms) * 3 / 4) + 1);
    return libpq.PQenterPipelineMode(connection) &&
           libpq.PQsendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1) &&
           send(connection, query) && libpq.PQpipelineSync(connection);
}

static int run_once(struct store *store, const struct query *query, PGresult **result)
{
    struct server *server = server_of(store);

    if (!server->connection)
        return lost_error(store);
    if (server->in_transaction)
        return take_result(store, send(server->connection, query), false, query->wait_ms, result);
    return take_result(store, send_with_deadline(server, query), true, query->wait_ms, result);
}

int server_run(struct store *store, const struct query *query, PGresult **result)
{
    struct server *server = server_of(store);
    int error;

    *result = NULL;
    if (server->in_transaction)
        return run_once(store, query, result);
    if ((error = connect_within(store, query->wait_ms)) < 0)
        return error;
    error = run_once(store, query, result);
    /* A connection that was found dead is made anew; a server that is slow is not asked twice. */
    if (error == -ENOTCONN && !server->was_late &&
        (error = connect_within(store, query->wait_ms)) == 0)
        error = run_once(store, query, result);
    return error;
}

int server_change(struct store *store, const struct query *query)
{
    PGresult *result;
    int count, error = server_run(store, query, &result);

    if (error)
        return error;
    if (sscanf(libpq.PQcmdTuples(result), "%d", &count) != 1)
        count = 0;
    libpq.PQclear(result);
    return count;
}
