/*
 * What the files of the PostgreSQL back end share: the connection and its transactions, queries
 * with their parameters, rows as they come back. For these files only.
 *
 * Nothing depends on the state of a session, so that a pooler may give each transaction another
 * connection: no prepared statements, advisory locks, temporary tables, and no SET but SET LOCAL.
 * Every wait has a deadline on this side, for a server may freeze, and one on the server's, so
 * that it does not go on with what nobody waits for.
 */
#ifndef ARENA_STORE_POSTGRES_SERVER_H
#define ARENA_STORE_POSTGRES_SERVER_H

#include <pthread.h>

#include "arena/store/backend.h"
#include "arena/store/postgres/libpq.h"

enum {
    SERVER_IDENTITY_DIGITS = 32, /* of a claim, in hex */
};

/* A season's claim, and the thread that renews it over a connection of its own. */
struct server_claim {
    char season[STORE_NAME_BYTES_MAX + 1]; /* "" for none */
    int64_t season_id;                     /* 0: there is no such season */
    char identity[SERVER_IDENTITY_DIGITS + 1];
    pthread_t renewer;
    int stop_fd; /* closing it stops the renewer; valid while there is a claim */
};

/* The state of a store that PostgreSQL keeps. */
struct server {
    PQconninfoOption *options; /* of the URL */
    PGconn *connection;        /* NULL: lost, the next call connects anew */
    enum store_mode mode;
    int version;          /* of the schema */
    bool in_transaction;  /* begun, by a call or its caller */
    bool commit_was_lost; /* once, and what came of it could not be found out */
    char transaction[24]; /* its number, as text */
    int64_t wait_ms;      /* how long an answer may take in this transaction */
    struct server_claim claim;
};

static inline struct server *server_of(const struct store *store)
{
    return store_state(store);
}

/* ---- the connection (server.c) ---- */

/* Connects if there is no connection. 0, -ENOTCONN or -EACCES. */
int server_connect(struct store *store);

/* Forgets the connection, and with it the transaction. */
void server_disconnect(struct server *server);

/* Says what the server, or the connection, said went wrong. Returns -errno: see store.h. */
int server_error(struct store *store, const PGresult *result);

/* Runs SQL without parameters, several statements if wanted; the last one's result. */
int server_execute(struct store *store, const char *sql, PGresult **result);

/* ---- queries ---- */

enum {
    QUERY_PARAMETERS_MAX = 64,
};

/* A statement with its parameters $1, $2 ...; what they point to is borrowed until it has run. */
struct query {
    const char *sql;
    int64_t wait_ms; /* for its answer; 0: as ever */
    int count;
    Oid types[QUERY_PARAMETERS_MAX];
    const char *values[QUERY_PARAMETERS_MAX];
    int lengths[QUERY_PARAMETERS_MAX];
    int formats[QUERY_PARAMETERS_MAX];
    uint8_t numbers[QUERY_PARAMETERS_MAX][8];
};

void query_init(struct query *query, const char *sql);
void query_int(struct query *query, int64_t value);      /* a bigint */
void query_bool(struct query *query, bool value);        /* a boolean */
void query_text(struct query *query, const char *text);  /* a text, NULL for NULL */
void query_array(struct query *query, const char *text); /* of bigints, as "{1,2,NULL}" */
void query_bytes(struct query *query, const uint8_t *bytes, size_t size); /* a bytea */

/*
 * Runs it; the caller clears *result, which is set on success only. Where no transaction is under
 * way, a lost connection is made anew once, and the query is run again. 0 or -errno.
 */
int server_run(struct store *store, const struct query *query, PGresult **result);

/* Runs one that returns no rows. Returns how many rows it changed, or -errno. */
int server_change(struct store *store, const struct query *query);

/* ---- transactions (transaction.c) ---- */

/*
 * A transaction of one call, part of the caller's where there is one:
 *
 *     struct attempt attempt = {.lock = ATTEMPT_CONTROL};
 *
 *     while (server_begin(store, &attempt))
 *         server_end(store, &attempt, what_is_to_be_done(store, ...));
 *     return attempt.error;
 *
 * What is to be done is done again after a deadlock, and once after the connection was lost, if it
 * is certain that nothing was kept: a COMMIT whose answer was lost is looked up by its number.
 */
struct attempt {
    enum attempt_lock {
        ATTEMPT_ROWS = 0,    /* only those it touches */
        ATTEMPT_CONTROL = 1, /* the row of table pavilion first: adds events, or counts on none */
    } lock;
    bool is_slow; /* large packages, or a new schema: minutes, not seconds */
    /* Below: its own. */
    bool is_own, is_done;
    int count, lost_count;
    int error; /* what came of it */
};

bool server_begin(struct store *store, struct attempt *attempt);
void server_end(struct store *store, struct attempt *attempt, int error);

/* Waits for the lock that whatever adds events takes, until the transaction's end. */
int server_lock_control(struct store *store);

int postgres_check(struct store *store);
int postgres_diagnose(struct store *store, store_finding_fn *each_fn, void *context);
int postgres_begin(struct store *store);
int postgres_commit(struct store *store);
void postgres_rollback(struct store *store);

/* ---- rows (tuple.c): each column is checked for its type ---- */

/* One row as it is read. The first column that is wrong is kept. */
struct tuple {
    const PGresult *result;
    int number; /* of the row in its result */
    const char *table;
    int key_count;  /* the first columns say which row it is */
    int bad_column; /* valid if fault is */
    const char *fault;
};

bool tuple_is_null(const struct tuple *tuple, int column);

/* An integer that fits. A column of another type is a fault: 0. */
int tuple_int(struct tuple *tuple, int column);
uint32_t tuple_uint32(struct tuple *tuple, int column);
int64_t tuple_int64(struct tuple *tuple, int column);
int64_t tuple_int64_or_null(struct tuple *tuple, int column); /* NULL is 0 */
bool tuple_bool(struct tuple *tuple, int column);

/* Copies a text that fits into `size` bytes with its NUL; else "" and a fault. */
void tuple_text(struct tuple *tuple, int column, char *target, size_t size);
void tuple_text_or_empty(struct tuple *tuple, int column, char *target, size_t size);

/* A text or bytes as they lie in the result, good until that is cleared; NULL for NULL. */
const char *tuple_text_or_null(struct tuple *tuple, int column);
const uint8_t *tuple_bytes(struct tuple *tuple, int column, size_t *size);

/* Copies exactly `size` bytes; another number is a fault. */
void tuple_copy_bytes(struct tuple *tuple, int column, uint8_t *target, size_t size);

/* 0, or -EBADMSG after saying what is damaged. */
int tuple_end(struct store *store, const struct tuple *tuple);

/* How bots are run: memory_bytes, tier, freeze, pin, in four columns or parameters in a row. */
void tuple_play(struct tuple *tuple, int first, struct store_play *play);
void query_play(struct query *query, const struct store_play *play);

/*
 * A listing, page by page, so that no transaction lasts while rows are told. Its SQL takes $1, the
 * first column, a number, of the last row that was told (or -1); $2, the rows of a page; and $3,
 * the season, unless that is 0. each_fn is told each row and returns 0 to go on, or -errno.
 */
struct listing {
    const char *table;
    const char *sql;
    int64_t season_id;
    int page_rows; /* 0: 1000 */
};

typedef int server_tuple_fn(void *context, struct tuple *tuple);

int server_each(struct store *store, const struct listing *listing, server_tuple_fn *each_fn,
                void *context);

/* The first row of a query, told to each_fn: -ENOENT if there is none. */
int server_first(struct store *store, const struct query *query, const char *table,
                 server_tuple_fn *each_fn, void *context);

/* All rows of a query, which are few, told to each_fn. */
int server_rows(struct store *store, const struct query *query, const char *table, int key_count,
                server_tuple_fn *each_fn, void *context);

/* ---- the schema (schema.c) ---- */

/* Makes what is missing of it, or refuses what is not ours. 0 or -errno. */
int postgres_migrate(struct store *store);

/* ---- shared between the files of the back end ---- */

/* What stands between a listing and an each_fn of the store's. */
struct telling {
    struct store *store;
    void *each_fn; /* store_bot_fn, store_event_fn ... */
    void *context;
};

/* Keeps a package, within the caller's transaction (bots.c). */
int postgres_package_add(struct store *store, const char *sha256, struct store_package package);

/* Why a game has no replay: -ENODATA if it was pruned, else -ENOENT (prune.c). */
int postgres_replay_missing(struct store *store, int64_t season_id, int group, int rotation);

/* Adds an event of a season (0: of all), under ATTEMPT_CONTROL (control.c). */
int postgres_event_add(struct store *store, int64_t season_id, const char *what, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/*
 * Adds a game with its seats and its replay, within a transaction (games.c). 0, -EEXIST if it is
 * there, -ECANCELED if its opening is closed, else -errno.
 */
int postgres_game_insert(struct store *store, int64_t season_id, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes);

/*
 * In a transaction that writes for an opening: 0, or -ECANCELED if it is closed; it stays as it is
 * until the transaction's end (seasons.c).
 */
int postgres_opening_hold(struct store *store, int64_t season_id, int opening);

/* In a transaction that writes for a season that is claimed here: 0, or -EBUSY if the claim was
   lost; it stays until the transaction's end (claim.c). */
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
int postgres_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                        void *context);
int postgres_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                         uint8_t **replay, size_t *size);
int postgres_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                              struct store_pruned *pruned);
int postgres_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                           int64_t count_max, struct store_pruned *pruned);

/* Of leases.h (leases.c, workers.c). */
int postgres_worker_add(struct store *store, struct store_worker *worker);
int postgres_workers_each(struct store *store, store_worker_fn *each_fn, void *context);
int postgres_worker_seats_each(struct store *store, int64_t season_id,
                               store_worker_seats_fn *each_fn, void *context);
int postgres_season_deal(struct store *store, int64_t season_id, bool to_workers);
int postgres_lease_claim(struct store *store, const struct store_worker *worker,
                         const struct store_claim *claim, struct store_lease *leases);
int postgres_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                         store_lease_fn *each_fn, void *context);
int postgres_lease_return(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease);
int postgres_lease_game_add(struct store *store, const struct store_worker *worker,
                            const struct store_lease *lease, const struct store_game *game,
                            const uint8_t *replay, size_t replay_bytes);
int postgres_lease_manifest_read(struct store *store, const struct store_worker *worker,
                                 int64_t bot_id, char **text);
int postgres_lease_package_read(struct store *store, const struct store_worker *worker,
                                const char *sha256, uint8_t **package, size_t *size);
int postgres_listen(struct store *store, enum store_channel channel);
int postgres_heard(struct store *store);

int postgres_season_claim(struct store *store, const char *name);
void postgres_season_release(struct store *store);
int postgres_rows_each(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                       void *context);
int postgres_row_add(struct store *store, const struct store_table *table,
                     const struct store_value *values);
int postgres_rows_end(struct store *store);

#endif
