/*
 * The interface between the store and its two drivers, SQLite and PostgreSQL, so that each SQL
 * statement is written once. Only the files of arena/store/ include this header.
 *
 * A statement is one text for both servers. Its parameters $1, $2, ... are numbered in the order of
 * their first mention. The driver hides how the servers lock rows and wait for other processes.
 * Both servers understand: RETURNING, ON CONFLICT ... DO (an INSERT ... SELECT needs WHERE TRUE
 * before it), IS NOT DISTINCT FROM, CAST(x AS bigint), nullif, coalesce, CASE, TRUE and FALSE,
 * count(*) FILTER, window functions, LIMIT and OFFSET, row values "(a, b) > ($1, $2)", "freeze" in
 * quotes. Write a sum of bigints as CAST(... AS bigint), because PostgreSQL makes the sum numeric.
 * Do not write a statement that changes rows in a WITH.
 *
 * After a statement of a transaction failed, even with -EEXIST, the transaction can only end. Where
 * a row may already exist, write ON CONFLICT DO NOTHING and look at the number of changed rows.
 *
 * Functions return 0 or -errno and set the line of store_failure, except for -EEXIST (a row with
 * the key exists), -ENOENT (from sql_first) and -EINTR.
 *
 * A function of the store that writes looks like this:
 *
 *     struct sql_transaction transaction = {.locks_control = true};
 *
 *     while (sql_begin(store, &transaction))
 *         sql_end(store, &transaction, add_season(store, season, opening));
 *     if (transaction.error == -EEXIST)
 *         store_refuse(...);
 *     return transaction.error;
 *
 * The body of the loop runs again after a deadlock, and once after the connection was lost and
 * nothing was committed. So the body may change only the store, and variables that it sets again
 * each time.
 */
#ifndef ARENA_STORE_SQL_H
#define ARENA_STORE_SQL_H

#include "arena/store/store.h"

enum sql_limits {
    SQL_PARAMETERS_MAX = 320,
    SQL_COLUMNS_MAX = 48,
    SQL_TEXT_BYTES = 4096, /* longest statement */
};

enum sql_type {
    SQL_NULL = 0,
    SQL_INT = 1,
    SQL_BOOL = 2, /* only as a parameter; the driver returns a boolean column as SQL_INT 0 or 1 */
    SQL_TEXT = 3,
    SQL_BYTES = 4,
};

/*
 * A parameter of a statement, or a column of a row. Bytes are borrowed; a text in a row ends with
 * NUL.
 */
struct sql_value {
    enum sql_type type;
    int64_t number;
    const void *bytes;
    size_t size;
};

/* ---- the open store ---- */

enum sql_state {
    SQL_IDLE = 0,
    SQL_IN_CALL = 1,        /* in the transaction of one call of the store: see sql_begin */
    SQL_IN_TRANSACTION = 2, /* in a transaction that the caller began with store_begin */
    SQL_BROKEN = 3, /* as SQL_IN_TRANSACTION, but a call failed: only rollback is possible */
};

struct store {
    const struct sql_driver *driver;
    void *connection; /* owned by the driver */
    enum store_mode mode;
    enum sql_state state;
    int row_depth; /* number of nested calls of a sql_row_fn; nothing may be written inside one */
    int version;   /* version of the schema */
    char url[STORE_WHERE_BYTES];
    char where[STORE_WHERE_BYTES];
    char failure[STORE_WHERE_BYTES + 512];
};

/* ---- a statement and its parameters ---- */

/*
 * How a SELECT locks its rows until the end of the transaction. SQLite ignores this, because a
 * transaction locks the whole file.
 */
enum sql_lock {
    SQL_LOCK_NONE = 0,
    SQL_LOCK_SHARE = 1,  /* other transactions may read and share the rows, but not change them */
    SQL_LOCK_UPDATE = 2, /* other transactions wait for the rows */
    SQL_LOCK_SKIP = 3,   /* like SQL_LOCK_UPDATE, but leaves out rows that others have locked */
};

struct sql_query {
    /*
     * The text of the statement, in static storage: the SQLite driver finds a prepared statement by
     * the address of its text.
     */
    const char *text;
    const char *table; /* the table that messages about a row name */
    int key_count;     /* number of columns, from the first, that identify a row in messages */
    enum sql_lock lock;
    bool is_slow; /* the statement may take minutes, not seconds */
    int count;
    struct sql_value parameters[SQL_PARAMETERS_MAX];
};

/*
 * Begin a query and add its parameters, in the order of their numbers. Texts and bytes are borrowed
 * until the query has run.
 */
void sql_init(struct sql_query *query, const char *table, int key_count, const char *text);
void sql_int(struct sql_query *query, int64_t value);
void sql_int_or_null(struct sql_query *query, int64_t value); /* 0 becomes NULL */
void sql_bool(struct sql_query *query, bool value);
void sql_text(struct sql_query *query, const char *text); /* a NULL pointer becomes NULL */
/* "" and a NULL pointer become NULL */
void sql_text_or_null(struct sql_query *query, const char *text);
void sql_bytes(struct sql_query *query, const void *bytes, size_t size);
void sql_bytes_or_null(struct sql_query *query, const void *bytes, size_t size); /* size 0: NULL */

/* ---- running a statement ---- */

/*
 * A row that is being read; valid only during the call of a sql_row_fn. The row_ functions below
 * record the first invalid column.
 */
struct sql_row {
    struct store *store;
    const struct sql_query *query;
    const void *source; /* owned by the driver */
    int count;
    int bad_column; /* number of the first invalid column, if fault is set */
    const char *fault;
    struct sql_value values[SQL_COLUMNS_MAX];
};

/*
 * Called for a row. Returns 0 to continue, or -errno, which ends the iteration and becomes its
 * result.
 */
typedef int sql_row_fn(void *context, struct sql_row *row);

/* Runs a statement and ignores its rows. Returns how many rows it changed or read, or -errno. */
int sql_run(struct store *store, const struct sql_query *query);

/* Runs a statement and ignores its rows. Returns 0 or -errno. */
int sql_change(struct store *store, const struct sql_query *query);

/*
 * Runs a statement and calls row_fn for each row. row_fn may run other statements that only read.
 * The PostgreSQL driver keeps the whole result in memory, so use sql_list for long ones.
 */
int sql_rows(struct store *store, const struct sql_query *query, sql_row_fn *row_fn, void *context);

/*
 * Runs a statement and calls row_fn for the first row only. Fails with -ENOENT, without a message,
 * if there is no row.
 */
int sql_first(struct store *store, const struct sql_query *query, sql_row_fn *row_fn,
              void *context);

/* A row_fn for sql_first: writes the first column, a number or NULL (0), to an int64_t. */
int sql_take_number(void *number, struct sql_row *row);

/*
 * A long listing that is read page by page, so that no transaction stays open while row_fn runs.
 * sql_list sets the first two parameters of its statement: $1 is the last key of the page before (a
 * number; for the first page `after`), and $2 is the number of rows per page:
 *
 *     SELECT id, ... FROM bot WHERE id > $1 ORDER BY id LIMIT $2
 *
 * If a key has several rows, rows_per_key says how many at most: a page then ends after the last
 * key whose rows are surely complete, and row_fn sees each row once.
 */
struct sql_listing {
    struct sql_query query; /* the caller adds its parameters, from $3 on, with sql_int() etc. */
    int64_t after;
    int key_column;   /* number of the column with the key; 1 if the season comes first */
    int page_rows;    /* rows per page; 0: 4000; use fewer where rows may be large */
    int rows_per_key; /* most rows of a key; 0: one */
};

/*
 * Begins the statement of a listing and sets $1 and $2. The caller then adds its own parameters to
 * listing->query.
 */
void sql_listing_init(struct sql_listing *listing, const char *table, int key_count, int64_t after,
                      const char *text);
int sql_list(struct store *store, struct sql_listing *listing, sql_row_fn *row_fn, void *context);

/* ---- columns; each function checks type and range ---- */

/*
 * Returns a number if it is in minimum..maximum. If not, records a fault, and returns minimum if
 * that is positive, else 0. The function is inline because a ladder reads millions of numbers.
 */
int64_t row_out_of_range(struct sql_row *row, int column, int64_t minimum);
static inline int64_t row_range(struct sql_row *row, int column, int64_t minimum, int64_t maximum)
{
    const struct sql_value *value = &row->values[column];

    return value->type == SQL_INT && value->number >= minimum && value->number <= maximum
               ? value->number
               : row_out_of_range(row, column, minimum);
}

static inline int row_int(struct sql_row *row, int column)
{
    return (int)row_range(row, column, INT32_MIN, INT32_MAX);
}

static inline int64_t row_int64(struct sql_row *row, int column)
{
    return row_range(row, column, INT64_MIN, INT64_MAX);
}

bool row_is_null(const struct sql_row *row, int column);
uint32_t row_uint32(struct sql_row *row, int column);
int64_t row_int64_or_null(struct sql_row *row, int column); /* returns 0 for NULL */
bool row_bool(struct sql_row *row, int column);

/*
 * Copy a text and its NUL to `target`, which has `size` bytes. A text that does not fit is a fault,
 * and `target` becomes "".
 */
void row_text(struct sql_row *row, int column, char *target, size_t size);
void row_text_or_empty(struct sql_row *row, int column, char *target, size_t size);

/* Return a column's text or bytes, valid during the call of the sql_row_fn; NULL for NULL. */
const char *row_text_or_null(struct sql_row *row, int column);
const uint8_t *row_bytes(struct sql_row *row, int column, size_t *size);

/* Copies `size` bytes. A column with more or fewer bytes is a fault. */
void row_copy_bytes(struct sql_row *row, int column, uint8_t *target, size_t size);

/*
 * Copies the bytes or the text of a column into memory that the caller frees. size may be NULL.
 * Returns 0 or -errno.
 */
int row_take_bytes(struct sql_row *row, int column, uint8_t **bytes, size_t *size);

/* Records a fault of a column unless `holds` is set; for conditions other than type and range. */
void row_require(struct sql_row *row, int column, bool holds, const char *fault);

/*
 * Every sql_row_fn calls this after it has read a row. Returns 0; or -EBADMSG if a fault was
 * recorded, with a message that names it.
 */
int row_end(struct sql_row *row);

/* ---- transactions ---- */

/*
 * The transaction of one call of the store; or, after store_begin, a part of the caller's
 * transaction.
 */
struct sql_transaction {
    /*
     * First locks the row of table pavilion: for transactions that add events, or during which no
     * event may be added. Transactions with this lock run one after another.
     */
    bool locks_control;
    bool is_slow; /* large packages or a new schema: may take minutes, not seconds */
    int error;    /* the result of the transaction */
    /* The fields below are for sql.c. */
    bool is_own, is_done;
    int count, lost_count;
};

/*
 * Begins an attempt. Returns false if the transaction is over: see transaction->error, which is
 * -EDEADLK within a sql_row_fn and after a failure in the caller's transaction.
 */
bool sql_begin(struct store *store, struct sql_transaction *transaction);

/* Within a transaction: takes the lock that locks_control describes. */
int sql_lock_control(struct store *store);

/*
 * Ends an attempt: commits if error is 0, else rolls back. Every error then has a message: the one
 * that the body or a statement set, or a general one.
 */
void sql_end(struct store *store, struct sql_transaction *transaction, int error);

/*
 * For a transaction that writes for a season: if this store has claimed the season, keeps the claim
 * from being lost before the transaction ends. Returns 0, also if this store has not claimed the
 * season; or -EOWNERDEAD if the claim was already lost.
 */
int sql_hold_claim(struct store *store, int64_t season_id);

/*
 * Returns true if the outcome of an earlier commit is unknown: that commit may have added a row
 * that already exists.
 */
bool sql_commit_was_lost(const struct store *store);

/* Sets a general message if error has none. Returns error. For public functions that only read. */
int sql_result(struct store *store, int error);

/* ---- the drivers: everything that a statement cannot do ---- */

struct schema_table; /* in schema.h */

struct sql_driver {
    const char *scheme;           /* scheme of the driver's URLs */
    bool has_leases;              /* workers on other machines can use the server (leases.sql) */
    const char *type_words[5];    /* SQL types of columns, by enum sql_type */
    const char *generated_key;    /* SQL type of a key that the server chooses */
    const char *table_words;      /* SQL after the columns of CREATE TABLE */
    const char *blob_table_words; /* SQL after the columns of a table with large rows */
    /* SQL that creates what only this server's schema has; may be NULL. */
    const char *schema_script;

    /*
     * Connects to store->url, and checks the schema or creates it. address is the URL without its
     * scheme.
     */
    int (*open)(struct store *store, const char *address);
    void (*close)(struct store *store); /* also accepts a store whose open failed */

    /* Runs a statement. Returns how many rows it changed or read, or -errno. row_fn may be NULL. */
    int (*run)(struct store *store, const struct sql_query *query, sql_row_fn *row_fn,
               void *context);
    const char *(*column_name)(const struct sql_row *row, int column);
    /* Runs several statements without parameters. */
    int (*execute)(struct store *store, const char *script);

    int (*begin)(struct store *store, bool is_slow);
    /* -ECONNABORTED: nothing was committed, and the transaction may be repeated */
    int (*commit)(struct store *store);
    void (*rollback)(struct store *store);
    bool (*commit_was_lost)(const struct store *store); /* may be NULL */
    int (*connection)(const struct store *store);       /* see store_connection; may be NULL */

    int (*claim)(struct store *store, const char *season, bool waits);
    int (*hold_claim)(struct store *store, int64_t season_id); /* may be NULL */
    void (*release)(struct store *store);

    /*
     * Add rows within a transaction, faster than by INSERT statements; add_end follows the last row
     * of a table. Both may be NULL: copy.c then uses statements.
     */
    int (*add_row)(struct store *store, const struct schema_table *table,
                   const struct sql_value *values);
    int (*add_end)(struct store *store);
    const char *after_copy; /* SQL that copy.c runs after it has copied all tables; may be NULL */

    int (*check)(struct store *store);
    /* This and all functions below may be NULL. */
    int (*backup)(struct store *store, const char *path);
    int (*listen)(struct store *store, enum store_channel channel);
    int (*heard)(struct store *store);
    int (*diagnose)(struct store *store, store_finding_fn *each_fn, void *context);
};

extern const struct sql_driver sqlite_driver, postgres_driver;

/*
 * The schema (schema.c). schema_create creates it in an empty database, in one transaction.
 * schema_check reads its version and refuses any version other than this arena's.
 * schema_refuse_older sets the message for a store that an older arena wrote, and returns its
 * error.
 */
int schema_create(struct store *store);
int schema_check(struct store *store);
int schema_refuse_older(struct store *store);

/*
 * Opens a store with a given driver; address is the URL without its scheme. store_open and tests
 * call it.
 */
int store_open_driver(struct store **store, const struct sql_driver *driver, const char *address,
                      enum store_mode mode);

#endif
