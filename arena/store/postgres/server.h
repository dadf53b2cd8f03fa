/*
 * Shared by the files of the PostgreSQL back end: the connection and its transactions, queries with
 * their parameters, and result rows. Only for these files.
 *
 * Nothing depends on session state, so that a connection pooler may give each transaction another
 * connection: no prepared statements, advisory locks or temporary tables, and only SET LOCAL. Every
 * wait has a deadline on the client, because a server may hang, and one on the server, so that it
 * does not continue a query whose result nobody waits for.
 */
#ifndef ARENA_STORE_POSTGRES_SERVER_H
#define ARENA_STORE_POSTGRES_SERVER_H

#include <pthread.h>

#include "arena/store/backend.h"
#include "arena/store/postgres/libpq.h"

enum {
    SERVER_IDENTITY_DIGITS = 32, /* length of a claim's identity in hex */
};

/* The claim of a season, and the thread that renews it over its own connection. */
struct server_claim {
    char season[STORE_NAME_BYTES_MAX + 1]; /* "": no claim */
    int64_t season_id;                     /* 0: the season does not exist */
    char identity[SERVER_IDENTITY_DIGITS + 1];
    pthread_t renewer;
    int stop_fd; /* closing it stops the renewer; valid while season is claimed */
};

/* The state of a PostgreSQL store. */
struct server {
    PQconninfoOption *options; /* from the URL */
    PGconn *connection;        /* NULL: lost, and the next call reconnects */
    int connection_number;     /* of those that were made, the present one's */
    int listening_number;      /* of the connection that listens */
    bool was_late;             /* the last statement had no answer by its deadline */
    enum store_mode mode;
    int version;          /* version of its schema */
    bool in_transaction;  /* a transaction was begun, by a call or its caller */
    bool commit_was_lost; /* the answer to a COMMIT was lost, and its outcome could not be found out
                           */
    char transaction[24]; /* its transaction id, as text */
    int64_t wait_ms;      /* time limit for an answer in this transaction */
    struct server_claim claim;
};

static inline struct server *server_of(const struct store *store)
{
    return store_state(store);
}

/* ---- the connection (server.c) ---- */

/* Connects if there is no connection. Returns 0, -ENOTCONN or -EACCES. */
int server_connect(struct store *store);

/* Drops the connection, and with it the transaction. */
void server_disconnect(struct server *server);

/*
 * Sets the message to the error that the server or the connection reported. Returns -errno: see
 * store.h.
 */
int server_error(struct store *store, const PGresult *result);

/* Runs SQL without parameters, one or more statements. *result is that of the last one. */
int server_execute(struct store *store, const char *sql, PGresult **result);

/* ---- queries ---- */

enum {
    QUERY_PARAMETERS_MAX = 64,
};

/* A statement with its parameters $1, $2, ...; what they point to is borrowed until it has run. */
struct query {
    const char *sql;
    int64_t wait_ms; /* time limit for its answer; 0: the transaction's */
    int count;
    Oid types[QUERY_PARAMETERS_MAX];
    const char *values[QUERY_PARAMETERS_MAX];
    int lengths[QUERY_PARAMETERS_MAX];
    int formats[QUERY_PARAMETERS_MAX];
    uint8_t numbers[QUERY_PARAMETERS_MAX][8];
};

void query_init(struct query *query, const char *sql);
void query_int(struct query *query, int64_t value);     /* passes a bigint */
void query_bool(struct query *query, bool value);       /* passes a boolean */
void query_text(struct query *query, const char *text); /* passes a text; a NULL pointer is NULL */
/* Passes an array of bigints, as "{1,2,NULL}" */
void query_array(struct query *query, const char *text);
void query_bytes(struct query *query, const uint8_t *bytes, size_t size); /* passes a bytea */

/*
 * Runs a query. *result is set on success only, and the caller clears it. Outside a transaction, a
 * lost connection is reopened once and the query is run again. Returns 0 or -errno.
 */
int server_run(struct store *store, const struct query *query, PGresult **result);

/* Runs a query that returns no rows. Returns how many rows it changed, or -errno. */
int server_change(struct store *store, const struct query *query);

/* ---- transactions (transaction.c) ---- */

/*
 * The transaction of one call, or part of the caller's if there is one:
 *
 *   struct attempt attempt = {.lock = ATTEMPT_CONTROL};
 *
 *   while (server_begin(store, &attempt))
 *       server_end(store, &attempt, what_is_to_be_done(store, ...));
 *   return attempt.error;
 *
 * The loop body is repeated after a deadlock. It is repeated once after a lost connection if it is
 * certain that nothing was committed: if the answer to a COMMIT was lost, its outcome is looked up
 * by transaction id.
 */
struct attempt {
    enum attempt_lock {
        ATTEMPT_ROWS = 0, /* locks only the rows that it uses */
        /* Locks the row of table pavilion first: adds events, or needs that none is added. */
        ATTEMPT_CONTROL = 1,
    } lock;
    bool is_slow; /* large packages or a new schema: may take minutes, not seconds */
    /* The fields below are internal. */
    bool is_own, is_done;
    int count, lost_count;
    int error; /* the result */
};

bool server_begin(struct store *store, struct attempt *attempt);
void server_end(struct store *store, struct attempt *attempt, int error);

/* Takes the lock that everything that adds events takes; held until the end of the transaction. */
int server_lock_control(struct store *store);

int postgres_check(struct store *store);
int postgres_diagnose(struct store *store, store_finding_fn *each_fn, void *context);
int postgres_begin(struct store *store);
int postgres_commit(struct store *store);
void postgres_rollback(struct store *store);

/* ---- rows (tuple.c): each column is checked for its type ---- */

/* One row being read. The first invalid column is recorded. */
struct tuple {
    const PGresult *result;
    int number; /* index of the row in its result */
    const char *table;
    int key_count;  /* the first columns identify the row in messages */
    int bad_column; /* valid if fault is set */
    const char *fault;
};

bool tuple_is_null(const struct tuple *tuple, int column);

/* Return an integer. A column of another type, or out of range, is a fault and returns 0. */
int tuple_int(struct tuple *tuple, int column);
uint32_t tuple_uint32(struct tuple *tuple, int column);
int64_t tuple_int64(struct tuple *tuple, int column);
int64_t tuple_int64_or_null(struct tuple *tuple, int column); /* NULL is 0 */
bool tuple_bool(struct tuple *tuple, int column);

/* Copy a text that fits into `size` bytes with its NUL; any other is a fault and gives "". */
void tuple_text(struct tuple *tuple, int column, char *target, size_t size);
void tuple_text_or_empty(struct tuple *tuple, int column, char *target, size_t size);

/* Return the text or bytes within the result, valid until it is cleared; NULL for NULL. */
const char *tuple_text_or_null(struct tuple *tuple, int column);
const uint8_t *tuple_bytes(struct tuple *tuple, int column, size_t *size);

/* Copies exactly `size` bytes; any other size is a fault. */
void tuple_copy_bytes(struct tuple *tuple, int column, uint8_t *target, size_t size);

/* Returns 0, or -EBADMSG after reporting the fault. */
int tuple_end(struct store *store, const struct tuple *tuple);

/*
 * Read and pass how bots are run: memory_bytes, tier, freeze, pin, in four consecutive columns or
 * parameters.
 */
void tuple_play(struct tuple *tuple, int first, struct store_play *play);
void query_play(struct query *query, const struct store_play *play);

/*
 * A listing that is read page by page, so that no transaction is open while each_fn runs.
 * Parameters of its SQL: $1 is the first column, a number, of the last row read (or -1); $2 the
 * rows per page; $3 the season, unless it is 0. each_fn is called for each row and returns 0 to
 * continue, or -errno.
 */
struct listing {
    const char *table;
    const char *sql;
    int64_t season_id;
    int page_rows;   /* 0: 1000 */
    int64_t wait_ms; /* for a page; 0: as for any statement */
};

typedef int server_tuple_fn(void *context, struct tuple *tuple);

int server_each(struct store *store, const struct listing *listing, server_tuple_fn *each_fn,
                void *context);

/* Calls each_fn for the first row of a query. Fails with -ENOENT if there is none. */
int server_first(struct store *store, const struct query *query, const char *table,
                 server_tuple_fn *each_fn, void *context);

/* Calls each_fn for all rows of a query that returns few. */
int server_rows(struct store *store, const struct query *query, const char *table, int key_count,
                server_tuple_fn *each_fn, void *context);

/* ---- the schema (schema.c) ---- */

/*
 * Creates what is missing of the schema; refuses a schema that is not the arena's. Returns 0 or
 * -errno.
 */
int postgres_migrate(struct store *store);

/* ---- shared between the files of the back end ---- */

/* The state of an iteration, between a listing and the store's each_fn. */
struct telling {
    struct store *store;
    void *each_fn; /* store_bot_fn, store_event_fn ... */
    void *context;
};

/* Stores a package, within the caller's transaction (bots.c). */
int postgres_package_add(struct store *store, const char *sha256, struct store_package package);

/* Returns why a game has no replay: -ENODATA if it was pruned, else -ENOENT (prune.c). */
int postgres_replay_missing(struct store *store, int64_t season_id, int group, int rotation);

/* Adds an event of a season (0: of all). Needs ATTEMPT_CONTROL (control.c). */
int postgres_event_add(struct store *store, int64_t season_id, const char *what, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/*
 * For a transaction that writes for an opening: returns 0 and keeps the opening from being closed
 * until the end of the transaction, or returns -ECANCELED if it is closed (seasons.c).
 */
int postgres_opening_hold(struct store *store, int64_t season_id, int opening);

/*
 * For a transaction that writes for a season claimed by this store: returns 0 and keeps the claim
 * from being lost until the end of the transaction, or returns -EOWNERDEAD if it was lost
 * (claim.c).
 */
int postgres_claim_hold(struct store *store, int64_t season_id);

/* The functions of struct store_backend. */
int postgres_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                     struct store_package built);
int postgres_bot_find(struct store *store, const char *name, const char *version,
                      struct store_bot *bot);
int postgres_bots_each(struct store *store, store_bot_fn *each_fn, void *context);
int postgres_bot_retire(struct store *store, const char *name, int64_t now_us);
int postgres_bot_unretire(struct store *store, const char *name);
int postgres_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                     int64_t now_us);
int postgres_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);
int postgres_event_latest(struct store *store, int64_t *event);
int postgres_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                         void *context);
int postgres_roster_set(struct store *store, int64_t season_id, const char *const *names,
                        size_t count);
int postgres_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                         void *context);
int postgres_season_extend(struct store *store, int64_t season_id, int64_t more_games);
int postgres_season_begin_close(struct store *store, int64_t season_id, int64_t now_us);
int postgres_season_go_on(struct store *store, int64_t season_id);
int postgres_season_take_processor(struct store *store, int64_t season_id, const char *processor);
int postgres_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                          void *context);
int postgres_manifest_read(struct store *store, int64_t bot_id, char **manifest);
int postgres_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);
int postgres_submission_add(struct store *store, struct store_submission *submission,
                            struct store_package package);
int postgres_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                              void *context);
int postgres_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                                int64_t now_us);
int postgres_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                            int64_t now_us);
int postgres_season_add(struct store *store, struct store_season *season,
                        const struct store_opening *opening);
int postgres_season_find(struct store *store, const char *name, struct store_season *season);
int postgres_seasons_each(struct store *store, store_season_fn *each_fn, void *context);
int postgres_season_close(struct store *store, int64_t season_id, int64_t now_us);
int postgres_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                           const struct store_opening *opening);
int postgres_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                           void *context);
int postgres_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                          void *context);
int postgres_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                         void *context);
int postgres_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                       const struct store_entry *entries, size_t entry_count,
                       const struct store_group *groups, size_t group_count);
int postgres_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                      const uint8_t *replay, size_t replay_bytes);
int postgres_results_each(struct store *store, int64_t season_id, int first_group,
                          store_game_fn *each_fn, void *context);
int postgres_games_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context);
int postgres_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                        void *context);
int postgres_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                         uint8_t **replay, size_t *size);
int postgres_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                              struct store_pruned *pruned);
int postgres_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                           int64_t count_max, struct store_pruned *pruned);

/* The functions of leases.h (leases.c, workers.c). */
int postgres_worker_add(struct store *store, struct store_worker *worker);
int postgres_workers_each(struct store *store, store_worker_fn *each_fn, void *context);
int postgres_worker_seats_each(struct store *store, int64_t season_id,
                               store_worker_seats_fn *each_fn, void *context);
int postgres_season_deal(struct store *store, int64_t season_id, bool to_workers);
int postgres_lease_claim(struct store *store, const struct store_worker *worker,
                         const struct store_claim *claim, struct store_lease *leases);
int postgres_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                         store_lease_fn *each_fn, void *context);
int postgres_leases_count(struct store *store, int64_t season_id);
int postgres_lease_return(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease);
int postgres_lease_game_add(struct store *store, const struct store_worker *worker,
                            const struct store_lease *lease, const struct store_game *game,
                            const uint8_t *replay, size_t replay_bytes);
int postgres_lease_manifest_read(struct store *store, const struct store_worker *worker,
                                 int64_t bot_id, char **text);
int postgres_lease_package_read(struct store *store, const struct store_worker *worker,
                                const char *sha256, size_t from_byte, struct store_part *part);
int postgres_listen(struct store *store, enum store_channel channel);
int postgres_heard(struct store *store);

int postgres_season_claim(struct store *store, const char *name, bool waits);
void postgres_season_release(struct store *store);
int postgres_rows_each(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                       void *context);
int postgres_row_add(struct store *store, const struct store_table *table,
                     const struct store_value *values);
int postgres_rows_end(struct store *store);

#endif
