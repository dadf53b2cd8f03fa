/*
 * The driver under the store: statements for SQLite and PostgreSQL, written once. Only for the
 * files of arena/store/.
 *
 * A statement is one text for both servers, with parameters $1, $2, ... in the order of their first
 * mention. Where the servers differ, the driver hides it: how a row is locked, how one waits for
 * others. What both understand: RETURNING, ON CONFLICT ... DO (after an INSERT ... SELECT it needs
 * WHERE TRUE before it), IS NOT DISTINCT FROM, CAST(x AS bigint), nullif, coalesce, CASE, TRUE and
 * FALSE, count(*) FILTER, window functions, LIMIT and OFFSET, row values "(a, b) > ($1, $2)",
 * "freeze" in quotes. A sum of bigints is CAST(... AS bigint), because PostgreSQL makes it numeric.
 * A statement that changes rows stands by itself, not in a WITH.
 *
 * After a statement of a transaction failed, even with -EEXIST, the transaction can only end: say
 * ON CONFLICT DO NOTHING, and look at the count, where a row may be there already.
 *
 * Each call returns 0 or -errno with store_failure's line set; -EEXIST (a key is taken), -ENOENT
 * (of sql_first) and -EINTR come without a line.
 *
 * A call of the store that writes looks like this:
 *
 *     struct sql_transaction transaction = {.locks_control = true};
 *
 *     while (sql_begin(store, &transaction))
 *         sql_end(store, &transaction, add_season(store, season, opening));
 *     if (transaction.error == -EEXIST)
 *         store_refuse(...);
 *     return transaction.error;
 *
 * The body may run again: after a deadlock, and once after a connection was lost when nothing was
 * committed. It must change nothing but the store and what it sets anew each time.
 */
#ifndef ARENA_STORE_SQL_H
#define ARENA_STORE_SQL_H

#include "arena/store/store.h"

enum sql_limits {
    SQL_PARAMETERS_MAX = 320,
    SQL_COLUMNS_MAX = 48,
    SQL_TEXT_BYTES = 4096, /* of a statement */
};

enum sql_type {
    SQL_NULL = 0,
    SQL_INT = 1,
    SQL_BOOL = 2, /* a parameter only; a column of a boolean is read as SQL_INT, 0 or 1 */
    SQL_TEXT = 3,
    SQL_BYTES = 4,
};

/* A parameter, or a column of a row. Bytes are borrowed; a text of a row ends with NUL. */
struct sql_value {
    enum sql_type type;
    int64_t number;
    const void *bytes;
    size_t size;
};

/* ---- the open store ---- */

enum sql_state {
    SQL_IDLE = 0,
    SQL_IN_CALL = 1,        /* in the transaction of one call: see sql_begin */
    SQL_IN_TRANSACTION = 2, /* in the caller's, of store_begin */
    SQL_BROKEN = 3,         /* likewise, but a call in it failed: only rollback is possible */
};

struct store {
    const struct sql_driver *driver;
    void *connection; /* the driver's own */
    enum store_mode mode;
    enum sql_state state;
    int row_depth; /* nested calls of a sql_row_fn: nothing may be written meanwhile */
    int version;   /* of the schema */
    char url[STORE_WHERE_BYTES];
    char where[STORE_WHERE_BYTES];
    char failure[STORE_WHERE_BYTES + 512];
};

/* ---- a statement and its parameters ---- */

/* How a SELECT locks its rows until the end of the transaction; SQLite locks the whole file. */
enum sql_lock {
    SQL_LOCK_NONE = 0,
    SQL_LOCK_SHARE = 1,  /* others may read and share, not change */
    SQL_LOCK_UPDATE = 2, /* others wait */
    SQL_LOCK_SKIP = 3,   /* as SQL_LOCK_UPDATE, but rows that others have locked are left out */
};

struct sql_query {
    const char *text;  /* a literal, or of static storage: its address is the key under which
                          SQLite keeps the prepared statement */
    const char *table; /* for messages about its rows */
    int key_count;     /* the first columns identify a row in messages */
    enum sql_lock lock;
    bool is_slow; /* may take minutes, not seconds */
    int count;
    struct sql_value parameters[SQL_PARAMETERS_MAX];
};

/* The parameters follow in the order of their numbers; texts and bytes are borrowed until the run.
 */
void sql_init(struct sql_query *query, const char *table, int key_count, const char *text);
void sql_int(struct sql_query *query, int64_t value);
void sql_int_or_null(struct sql_query *query, int64_t value); /* 0 is NULL */
void sql_bool(struct sql_query *query, bool value);
void sql_text(struct sql_query *query, const char *text);         /* a NULL pointer is NULL */
void sql_text_or_null(struct sql_query *query, const char *text); /* "" is NULL, too */
void sql_bytes(struct sql_query *query, const void *bytes, size_t size);
void sql_bytes_or_null(struct sql_query *query, const void *bytes,
                       size_t size); /* no bytes: NULL */

/* ---- running it ---- */

/* One row being read; valid during the call that passes it. The first invalid column is recorded.
 */
struct sql_row {
    struct store *store;
    const struct sql_query *query;
    const void *source; /* the driver's */
    int count;
    int bad_column; /* valid if fault is set */
    const char *fault;
    struct sql_value values[SQL_COLUMNS_MAX];
};

/* Returns 0 to continue, or -errno, which ends the iteration and is its result. */
typedef int sql_row_fn(void *context, struct sql_row *row);

/* Runs a statement without rows. Returns how many rows it changed, or -errno. */
int sql_run(struct store *store, const struct sql_query *query);

/* The same where the number does not matter. Returns 0 or -errno. */
int sql_change(struct store *store, const struct sql_query *query);

/*
 * Calls row_fn for each row. row_fn may run other statements that read. From PostgreSQL the whole
 * answer is read first, so a long one is for sql_list.
 */
int sql_rows(struct store *store, const struct sql_query *query, sql_row_fn *row_fn, void *context);

/* The same for the first row only. Fails with -ENOENT, without a message, if there is none. */
int sql_first(struct store *store, const struct sql_query *query, sql_row_fn *row_fn,
              void *context);

/* For sql_first: writes the first column, a number that may be NULL (0), to an int64_t. */
int sql_take_number(void *number, struct sql_row *row);

/*
 * A long listing, read page by page, so that no transaction is open while row_fn runs for long. Its
 * text has two parameters of the driver's, before the caller's: $1 is the last key seen (the first
 * column, a number; at first `after`), $2 the rows of a page:
 *     SELECT id, ... FROM bot WHERE id > $1 ORDER BY id LIMIT $2
 * Where one key has several rows, rows_per_key (its most) keeps keys whole: a page ends with the
 * last key that is surely complete, and row_fn sees each row once.
 */
struct sql_listing {
    struct sql_query query; /* with the caller's parameters from $3 on added by sql_int() ... */
    int64_t after;
    int key_column;   /* of the key, if it is not the first: after "season" */
    int page_rows;    /* 0: as usual, 4000; fewer where rows may be large */
    int rows_per_key; /* 0: one */
};

/* Sets $1 and $2; the caller adds its own parameters to listing->query. */
void sql_listing_init(struct sql_listing *listing, const char *table, int key_count, int64_t after,
                      const char *text);
int sql_list(struct store *store, struct sql_listing *listing, sql_row_fn *row_fn, void *context);

/* ---- columns; each is checked for its type and range ---- */

/*
 * The range check of a number: returns it if it is minimum..maximum, else minimum or 0, with a
 * fault. It stands here because a ladder reads millions of numbers.
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
int64_t row_int64_or_null(struct sql_row *row, int column); /* NULL is 0 */
bool row_bool(struct sql_row *row, int column);

/* Copy a text that fits into `size` bytes with its NUL; any other is a fault and gives "". */
void row_text(struct sql_row *row, int column, char *target, size_t size);
void row_text_or_empty(struct sql_row *row, int column, char *target, size_t size);

/* Borrowed, valid during the call that passes the row; NULL for NULL. */
const char *row_text_or_null(struct sql_row *row, int column);
const uint8_t *row_bytes(struct sql_row *row, int column, size_t *size);

/* Copies exactly `size` bytes; any other size is a fault. */
void row_copy_bytes(struct sql_row *row, int column, uint8_t *target, size_t size);

/* Copies any bytes, or a text, into memory that the caller frees; *size may be NULL. 0 or -errno.
 */
int row_take_bytes(struct sql_row *row, int column, uint8_t **bytes, size_t *size);

/* Records a fault that is not one of range or type, unless `holds`. */
void row_require(struct sql_row *row, int column, bool holds, const char *fault);

/* To be called at the end of each reader of a row. Returns 0, or -EBADMSG and says what is damaged.
 */
int row_end(struct sql_row *row);

/* ---- transactions ---- */

/* The transaction of one call, or part of the caller's (store_begin) if there is one. */
struct sql_transaction {
    bool locks_control; /* takes the row of table pavilion first: adds events, or needs that none is
                           added; such transactions follow one another */
    bool is_slow;       /* large packages or a new schema: may take minutes, not seconds */
    int error;          /* the result */
    /* The driver's. */
    bool is_own, is_done;
    int count, lost_count;
};

/* Refuses, with -EDEADLK, within a row_fn and in a transaction that failed. */
bool sql_begin(struct store *store, struct sql_transaction *transaction);

/* Within a transaction: does what locks_control does at its begin. */
int sql_lock_control(struct store *store);

/* Every error has its line afterwards; a general one, unless the body or a statement set it. */
void sql_end(struct store *store, struct sql_transaction *transaction, int error);

/*
 * For a transaction that writes for a season claimed by this store: 0, and the claim cannot be lost
 * until its end; or -EOWNERDEAD: it was lost. 0 if this store claims no season, or another.
 */
int sql_hold_claim(struct store *store, int64_t season_id);

/* True if the outcome of an earlier commit is unknown: a key that is taken may be of that. */
bool sql_commit_was_lost(const struct store *store);

/* For a public call that only reads: sets a general line if error has none. Returns error. */
int sql_result(struct store *store, int error);

/* ---- the two drivers: what cannot be said in a statement ---- */

struct schema_table; /* schema.h */

struct sql_driver {
    const char *scheme;           /* of its URLs */
    bool has_leases;              /* workers on other machines can reach it: leases.sql */
    const char *type_words[5];    /* in the schema, by enum sql_type */
    const char *generated_key;    /* type of a key that the server chooses */
    const char *table_words;      /* after a table's columns */
    const char *blob_table_words; /* the same where rows may be large */
    const char *schema_script;    /* what only this server's schema has; may be NULL */

    /* Opens store->url; address is the URL without its scheme. Creates or checks the schema. */
    int (*open)(struct store *store, const char *address);
    void (*close)(struct store *store); /* accepts a store whose open failed */

    /* The rows changed or read, or -errno; row_fn is NULL for a statement without rows. */
    int (*run)(struct store *store, const struct sql_query *query, sql_row_fn *row_fn,
               void *context);
    const char *(*column_name)(const struct sql_row *row, int column);
    int (*execute)(struct store *store, const char *script); /* several statements, no parameters */

    int (*begin)(struct store *store, bool is_slow);
    int (*commit)(struct store *store); /* -ECONNABORTED: nothing was committed; may be repeated */
    void (*rollback)(struct store *store);
    bool (*commit_was_lost)(const struct store *store); /* may be NULL */

    int (*claim)(struct store *store, const char *season, bool waits);
    int (*hold_claim)(struct store *store, int64_t season_id); /* may be NULL */
    void (*release)(struct store *store);

    /* For copies, in a transaction; add_end after the last row of a table. NULL: by statements. */
    int (*add_row)(struct store *store, const struct schema_table *table,
                   const struct sql_value *values);
    int (*add_end)(struct store *store);
    const char *after_copy; /* a script, after all tables; may be NULL */

    int (*check)(struct store *store);
    int (*backup)(struct store *store, const char *path); /* may be NULL, as those below */
    int (*listen)(struct store *store, enum store_channel channel);
    int (*heard)(struct store *store);
    int (*diagnose)(struct store *store, store_finding_fn *each_fn, void *context);
};

extern const struct sql_driver sqlite_driver, postgres_driver;

/*
 * The schema (schema.c). Creates it in an empty database, in one transaction; reads its version and
 * refuses any other than this arena's; refuses a league of before version 1 was written.
 */
int schema_create(struct store *store);
int schema_check(struct store *store);
int schema_refuse_older(struct store *store);

/* The same as store_open, with a given driver and address (store.c). For tests, too. */
int store_open_driver(struct store **store, const struct sql_driver *driver, const char *address,
                      enum store_mode mode);

#endif
