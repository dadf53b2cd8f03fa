/* SPDX-License-Identifier: MIT */
/*
 * The interface between the store and its two drivers, SQLite and PostgreSQL, so that each SQL
 * statement is written once. Only the files of arena/store/ include this header.
 *
 * A statement is one text for both servers, with parameters $1, $2, ... The driver hides how the
 * servers lock rows and wait for other processes. Both servers understand: RETURNING, ON CONFLICT
 * ... DO (an INSERT ... SELECT needs WHERE TRUE before it), IS NOT DISTINCT FROM, CAST(x AS
 * bigint), nullif, coalesce, CASE, TRUE and FALSE, count(*) FILTER, window functions, LIMIT and
 * OFFSET, row values "(a, b) > ($1, $2)", "freeze" in quotes. Write a sum of bigints as CAST(... AS
 * bigint), because PostgreSQL makes the sum numeric. Do not write a statement that changes rows in
 * a WITH. A SELECT may end with " FOR SHARE" or " FOR UPDATE"; the SQLite driver leaves this out,
 * because there a transaction locks the whole file.
 *
 * After a statement of a transaction failed, even with -EEXIST, the transaction can only end. Where
 * a row may already exist, write ON CONFLICT DO NOTHING and look at the number of changed rows.
 *
 * Functions return 0 or -errno and set the line of store_failure, except for -EEXIST (a row with
 * the key exists), -ENOENT (no row) and -EINTR.
 *
 * A function of the store that reads looks like this:
 *
 *     return SQL_EACH(store, SQL("SELECT * FROM token WHERE author = $1", sql_int(author_id)),
 *                     table_read(&rows, 0, TABLE_TOKEN, &token), each_fn(context, &token));
 *
 * A function of the store that writes looks like this:
 *
 *     return SQL_TRANSACTION(store, SQL_CONTROL, add_season(store, season, opening));
 *
 * The body add_season(...) runs again after a deadlock, and once after the connection was lost and
 * nothing was committed. So the body may change only the store, and variables that it sets again
 * each time. A body of several steps is `first(store) ?: second(store)`: a step runs only if all
 * steps before it returned 0.
 */
#ifndef ARENA_STORE_SQL_H
#define ARENA_STORE_SQL_H

#include <nettle/sha2.h>

#include "arena/store/store.h"

enum sql_limits {
    SQL_PARAMETERS_MAX = 320,
    SQL_COLUMNS_MAX = 64,
    SQL_TEXT_BYTES = 4096, /* longest statement */
};

enum sql_type {
    SQL_NULL = 0,
    SQL_INT = 1,
    SQL_BOOL = 2, /* of a parameter; the driver returns a boolean column as SQL_INT 0 or 1 */
    SQL_TEXT = 3,
    SQL_BYTES = 4,
};

/* A parameter, or a column of a row. Bytes are borrowed; a text in a row ends with NUL. */
struct sql_value {
    enum sql_type type;
    int64_t number;
    const void *bytes;
    size_t size;
};

/* ---- the open store ---- */

enum sql_state {
    SQL_IDLE = 0,
    SQL_IN_CALL = 1,        /* in a transaction that one call of the store has begun */
    SQL_IN_TRANSACTION = 2, /* in a transaction that the caller began with store_begin */
    SQL_BROKEN = 3, /* a call in the caller's transaction failed: only rollback is possible */
};

struct store {
    const struct sql_driver *driver;
    void *connection; /* owned by the driver */
    enum store_mode mode;
    enum sql_state state;
    int reading_count;     /* number of open struct sql_rows; nothing may be written meanwhile */
    int connection_number; /* see store_connection */
    int upgraded_from;     /* see store_upgraded_from */
    unsigned hints;        /* channels to notify after the transaction, a bit each: sql_hint */
    bool commit_was_lost;  /* an earlier commit may have added a row that already exists */
    bool (*is_over_fn)(void *owner); /* see store_watch; NULL: calls read to their end */
    void *is_over_owner;
    char url[STORE_WHERE_BYTES];
    char where[STORE_WHERE_BYTES];
    char failure[STORE_WHERE_BYTES + 512];
    char who[STORE_WHO_BYTES]; /* see store_act_as */
};

/*
 * True if nobody waits for what a call reads: the driver then interrupts the statement, and returns
 * sql_give_up. Never true in a transaction.
 */
bool sql_is_over(const struct store *store);
int sql_give_up(struct store *store);

/* ---- statements ---- */

struct sql_query {
    const char *text;
    bool is_slow;                   /* the statement may take minutes, not seconds */
    int count;                      /* number of parameters */
    const struct sql_value *values; /* values[1] is $1 */
};

/* SQL("DELETE FROM ban WHERE id = $1", sql_int(id)): a statement and its parameters. */
#define SQL_VALUES(...)                                                                            \
    (const struct sql_value[])                                                                     \
    {                                                                                              \
        {.type = SQL_NULL}, __VA_ARGS__                                                            \
    }
#define SQL_QUERY(slow, sql, ...)                                                                  \
    (&(struct sql_query){                                                                          \
        .text = (sql),                                                                             \
        .is_slow = (slow),                                                                         \
        .count = (int)(sizeof(SQL_VALUES(__VA_ARGS__)) / sizeof(struct sql_value)) - 1,            \
        .values = SQL_VALUES(__VA_ARGS__)})
#define SQL(...)      SQL_QUERY(false, __VA_ARGS__, )
#define SQL_SLOW(...) SQL_QUERY(true, __VA_ARGS__, )

/* Parameters; texts and bytes are borrowed until the statement has run. */
struct sql_value sql_int(int64_t value);
struct sql_value sql_int_or_null(int64_t value); /* 0 becomes NULL */
struct sql_value sql_bool(bool value);
struct sql_value sql_text(const char *text); /* a NULL pointer becomes SQL's NULL */
struct sql_value sql_bytes(const void *bytes, size_t size);

/* Hashes a value after its length (-1 for NULL), so that no two rows hash the same bytes. */
void sql_hash(struct sha256_ctx *hash, const struct sql_value *value);

/* Runs a statement and ignores its rows. Returns how many rows it changed or read, or -errno. */
int sql_run(struct store *store, const struct sql_query *query);

/* Runs a statement and ignores its rows. Returns 0 or -errno. */
int sql_change(struct store *store, const struct sql_query *query);

/* Reads the first column of the first row, a number or NULL (0). -ENOENT: there is no row. */
int sql_number(struct store *store, const struct sql_query *query, int64_t *number);

/* ---- rows ---- */

/* The rows of a statement, and the values of the current row. */
struct sql_rows {
    struct store *store;
    int error; /* -errno: the reading ends. A reader that has enough rows sets -EINTR */
    int count; /* number of columns */
    struct sql_value values[SQL_COLUMNS_MAX];
    /* How messages name the row: its table, and the columns that identify it. See row_name. */
    const char *table;
    int key_first, key_count;
    const char *fault; /* first fault of the row; NULL: none */
    int bad_column;
    /* Only sql.c and the drivers use the fields below. */
    void *source; /* owned by the driver */
    int row_number, row_count, changed_count;
    struct sql_query query; /* of a listing by pages */
    struct sql_value page_values[6];
    int page_rows, key_column, rows_per_key, page_count;
};

/*
 * Begins to read the rows of a statement. sql_next and sql_close, which must follow, report errors.
 * Meanwhile, the caller may run other statements that only read.
 */
void sql_open(struct store *store, struct sql_rows *rows, const struct sql_query *query);

/* Reads the next row. Returns false after the last row or an error. */
bool sql_next(struct sql_rows *rows);

/* Ends the reading. Returns 0 or -errno. */
int sql_close(struct sql_rows *rows);

/*
 * Reads all rows of a statement (SQL_EACH) or of a listing (SQL_LIST): `read` reads the columns of
 * the row in `rows`; then `pass`, a call of each_fn, ends the reading unless it is 0. The macro's
 * value is 0 or -errno.
 */
#define SQL_READ(open, read, pass)                                                                 \
    ({                                                                                             \
        struct sql_rows rows;                                                                      \
        open;                                                                                      \
        while (sql_next(&rows)) {                                                                  \
            read;                                                                                  \
            if (!row_end(&rows) && (pass))                                                         \
                rows.error = -EINTR;                                                               \
        }                                                                                          \
        sql_close(&rows);                                                                          \
    })
#define SQL_EACH(store, query, read, pass)   SQL_READ(sql_open(store, &rows, query), read, pass)
#define SQL_LIST(store, listing, read, pass) SQL_READ(sql_list(store, &rows, listing), read, pass)

/*
 * Reads the only row of a statement as SQL_EACH does. The value is -ENOENT, without a message, if
 * there is no row.
 */
#define SQL_FIND(store, query, read)                                                               \
    ({                                                                                             \
        bool was_found = false;                                                                    \
        SQL_EACH(store, query, (was_found = true, read), 0) ?: was_found ? 0 : -ENOENT;            \
    })

/*
 * A long listing that is read page by page, so that no transaction stays open for long. Parameter
 * $1 of the text is the last key of the page before (a number), $2 the number of rows per page, $3,
 * if the text has it, `season_id`, and $4 `end`:
 *
 *     SELECT id, ... FROM bot WHERE id > $1 ORDER BY id LIMIT $2
 *
 * If a key has several rows, rows_per_key says how many at most: a page then ends after the last
 * key whose rows are surely complete, and the reader sees each row once.
 */
struct sql_listing {
    const char *text;
    int64_t after;     /* the first page begins with the smallest key above this one */
    int64_t season_id; /* 0: the text has no $3 */
    int64_t end;       /* 0: the text has no $4 */
    const char *name;  /* NULL: the text has no $5 */
    int key_column;    /* number of the column with the key */
    int page_rows;     /* rows per page; 0: 4000; use fewer where rows may be large */
    int rows_per_key;  /* maximum number of rows with one key; 0 means one row */
    bool is_slow;
};
#define SQL_PAGES(...) (&(const struct sql_listing){__VA_ARGS__})
void sql_list(struct store *store, struct sql_rows *rows, const struct sql_listing *listing);

/* ---- columns; each function checks type and range and records the first fault of a row ---- */

/* Makes messages name a row by its table and the key_count columns from key_first on. */
void row_name(struct sql_rows *rows, const char *table, int key_first, int key_count);

/*
 * Returns a number in minimum..maximum; for any other number, records a fault, and returns minimum
 * if that is positive, else 0. Inline, because a ladder reads millions of numbers.
 */
int64_t row_out_of_range(struct sql_rows *rows, int column, int64_t minimum);
static inline int64_t row_range(struct sql_rows *rows, int column, int64_t minimum, int64_t maximum)
{
    const struct sql_value *value = &rows->values[column];

    return value->type == SQL_INT && value->number >= minimum && value->number <= maximum
               ? value->number
               : row_out_of_range(rows, column, minimum);
}

static inline int row_int(struct sql_rows *rows, int column)
{
    return (int)row_range(rows, column, INT32_MIN, INT32_MAX);
}

static inline int64_t row_int64(struct sql_rows *rows, int column)
{
    return row_range(rows, column, INT64_MIN, INT64_MAX);
}

bool row_is_null(const struct sql_rows *rows, int column);
int64_t row_int64_or_null(struct sql_rows *rows, int column); /* returns 0 for NULL */
bool row_bool(struct sql_rows *rows, int column);

/* Copies a text with its NUL into `size` bytes. A text that does not fit is a fault, and "". */
void row_text(struct sql_rows *rows, int column, char *target, size_t size);

/* Return a column's text or bytes, valid until the next row; NULL for NULL. */
const char *row_text_or_null(struct sql_rows *rows, int column);
const uint8_t *row_bytes(struct sql_rows *rows, int column, size_t *size);

/* Copies `size` bytes. A column with more or fewer bytes is a fault. */
void row_copy_bytes(struct sql_rows *rows, int column, uint8_t *target, size_t size);

/*
 * Copies at most size_max bytes or characters of a column into memory that the caller frees. Sets
 * *bytes to NULL after an error. size may be NULL.
 */
void row_take_bytes(struct sql_rows *rows, int column, size_t size_max, uint8_t **bytes,
                    size_t *size);

/* Records a fault of a column unless `holds` is set. */
void row_require(struct sql_rows *rows, int column, bool holds, const char *fault);

/*
 * Ends the reading of a row. Returns rows->error, which becomes -EBADMSG with a message if a fault
 * of the row was recorded.
 */
int row_end(struct sql_rows *rows);

/* ---- transactions ---- */

/* How long a transaction may take, and waits for other processes. */
enum sql_wait {
    SQL_WAITS = 0,      /* seconds */
    SQL_WAITS_LONG = 1, /* minutes: large packages or a new schema */
    SQL_WAITS_NOT = 2,  /* not at all, where another process holds the whole store */
};

/* The transaction of one call of the store; or, after store_begin, a part of the caller's. */
struct sql_transaction {
    bool locks_control; /* begins with sql_lock_control */
    enum sql_wait wait;
    int error; /* the result of the transaction */
    /* Only sql.c uses the fields below. */
    bool is_own, is_done;
    int count, lost_count;
};

/* Begins an attempt. Returns false if the transaction is over: see transaction->error. */
bool sql_begin(struct store *store, struct sql_transaction *transaction);

/*
 * Runs an expression, which is 0 or -errno, as the body of a transaction. The macro's value is
 * transaction.error.
 */
#define SQL_TRANSACTION(store, options, body)                                                      \
    ({                                                                                             \
        struct sql_transaction transaction = {options};                                            \
        while (sql_begin(store, &transaction))                                                     \
            sql_end(store, &transaction, body);                                                    \
        transaction.error;                                                                         \
    })
#define SQL_PLAIN   .wait = SQL_WAITS
#define SQL_LONG    .wait = SQL_WAITS_LONG
#define SQL_HASTY   .wait = SQL_WAITS_NOT
#define SQL_CONTROL .locks_control = true

/*
 * Locks the row of table pavilion until the transaction ends, so that nobody else adds an event:
 * transactions with this lock run one after another.
 */
int sql_lock_control(struct store *store);

/* Ends an attempt: commits if error is 0, else rolls back. */
void sql_end(struct store *store, struct sql_transaction *transaction, int error);

/*
 * Notifies a channel, in a transaction after its commit. A notification is a hint: if the server
 * cannot send it, for example because its queue is full, nobody is told, and whoever waits finds
 * the change the next time that they look.
 */
void sql_hint(struct store *store, enum store_channel channel);

/* Sets a general message if error has none. Returns error. For public functions that only read. */
int sql_result(struct store *store, int error);

/* ---- the drivers: everything that a statement cannot do ---- */

struct schema_table;

struct sql_driver {
    const char *scheme;           /* scheme of the driver's URLs */
    bool has_leases;              /* workers on other machines can use the server (leases.sql) */
    const char *type_words[5];    /* SQL types of columns, by enum sql_type */
    const char *generated_key;    /* SQL type of a key whose values the server makes */
    const char *table_words;      /* SQL after the columns of CREATE TABLE */
    const char *blob_table_words; /* SQL after the columns of a table with large rows */
    const char *schema_script;    /* SQL that creates what only this server's schema has, or "" */
    const char *after_copy;       /* SQL that copy.c runs after it has copied all tables, or "" */

    /*
     * Connects to store->url, and checks the schema or creates it. address is the URL without its
     * scheme.
     */
    int (*open)(struct store *store, const char *address);
    void (*close)(struct store *store); /* Closes the store; accepts a store whose open failed. */

    /*
     * Runs a statement, of which `next` reads the rows, and `end` ends the reading. `next` returns
     * 1 and sets the values; or 0 after the last row, when it sets changed_count; or -errno.
     */
    int (*start)(struct sql_rows *rows, const struct sql_query *query);
    int (*next)(struct sql_rows *rows);
    void (*end)(struct sql_rows *rows);
    const char *(*column_name)(const struct sql_rows *rows, int column);
    /* Runs several statements without parameters. */
    int (*execute)(struct store *store, const char *script);

    /*
     * Begins a transaction that holds the claim of a store that has claimed a season. -EOWNERDEAD:
     * another process has taken the claim.
     */
    int (*begin)(struct store *store, enum sql_wait wait);
    /* -ECONNABORTED: nothing was committed, and the transaction may be repeated */
    int (*commit)(struct store *store);
    void (*rollback)(struct store *store);

    int (*claim)(struct store *store, const char *season, bool waits);
    int (*read_claim)(struct store *store, const char *season,
                      char owner[static STORE_OWNER_BYTES]);
    int (*backup)(struct store *store, const char *path);

    /* The following functions may be NULL. */
    /*
     * Adds many rows in few round trips: values[1] is the first column of the first row. -EEXIST: a
     * row with such a key exists. NULL: the statement of table_insert_text does as well.
     */
    int (*add_rows)(struct store *store, const struct schema_table *table,
                    const struct sql_value *values, int row_count);
    int (*check)(struct store *store);
    int (*check_claim)(struct store *store); /* NULL: a claim cannot be lost */
    int (*release_claim)(struct store *store, const char *season);
    int (*listen)(struct store *store, enum store_channel channel);
    int (*heard)(struct store *store);
    int (*diagnose)(struct store *store, store_finding_fn *each_fn, void *context);
    int (*try_room)(struct store *store);
};

extern const struct sql_driver sqlite_driver, postgres_driver;

/* Opens a store with a given driver; address is the URL without its scheme. For tests. */
int store_open_driver(struct store **store, const struct sql_driver *driver, const char *address,
                      enum store_mode mode);

#endif
