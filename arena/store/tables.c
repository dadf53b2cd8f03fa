#include "arena/store/tables.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    PAGE_ROWS = 500,
};

#define INT(name)                                                                                  \
    {                                                                                              \
        name, STORE_COLUMN_INT                                                                     \
    }
#define BOOL(name)                                                                                 \
    {                                                                                              \
        name, STORE_COLUMN_BOOL                                                                    \
    }
#define TEXT(name)                                                                                 \
    {                                                                                              \
        name, STORE_COLUMN_TEXT                                                                    \
    }
#define BYTES(name)                                                                                \
    {                                                                                              \
        name, STORE_COLUMN_BYTES                                                                   \
    }

static const struct store_column package[] = {TEXT("sha256"), BYTES("bytes")};

static const struct store_column bot[] = {
    INT("id"),           INT("previous"),   TEXT("name"),     TEXT("version"),
    TEXT("author"),      TEXT("language"),  TEXT("sha256"),   TEXT("built_sha256"),
    INT("submitted_us"), INT("retired_us"), TEXT("manifest"), TEXT("content_sha256"),
    BOOL("taken_over"),
};

static const struct store_column season[] = {
    INT("id"),
    TEXT("name"),
    TEXT("players"),
    INT("board"),
    INT("turn_ms"),
    INT("bank_ms"),
    INT("gain_ms"),
    INT("start_ms"),
    INT("budget_games"),
    BOOL("until_decided"),
    INT("created_us"),
    INT("closed_us"),
    INT("memory_bytes"),
    INT("tier"),
    BOOL("freeze"),
    BOOL("pin"),
    BOOL("authors_free"),
    INT("closing_us"),
    TEXT("processor"),
    INT("keep_games"),
    BOOL("is_practice"),
    BOOL("publishes_errors"),
};

static const struct store_column opening[] = {
    INT("season"),   INT("number"),    BYTES("seed"),    TEXT("commitment"),
    BOOL("by_hand"), INT("opened_us"), INT("closed_us"),
};

static const struct store_column entry[] = {INT("season"), INT("number"), INT("bot"), INT("batch")};

static const struct store_column batch[] = {INT("season"), INT("number"), INT("opening"),
                                            INT("event"), INT("seating")};

static const struct store_column game_group[] = {
    INT("season"),  INT("number"), INT("batch"), INT("opening"), INT("board"),
    INT("players"), INT("base0"),  INT("base1"), INT("base2"),   INT("base3"),
};

static const struct store_column worker[] = {
    INT("id"),         TEXT("name"),   TEXT("host"),    TEXT("processor"), TEXT("architecture"),
    INT("layers"),     INT("tier"),    INT("jobs"),     INT("cores"),      INT("playouts_s"),
    INT("started_us"), INT("seen_us"), INT("ended_us"),
};

static const struct store_column game[] = {
    INT("season"),    INT("game_group"), INT("rotation"),        INT("opening"),
    BYTES("seed"),    INT("started_us"), INT("wall_us"),         INT("layers"),
    INT("decisions"), TEXT("forfeits"),  INT("memory_bytes"),    INT("tier"),
    BOOL("freeze"),   BOOL("pin"),       BYTES("replay_sha256"), BYTES("checksum"),
    INT("worker"),    INT("delay_us"),   BOOL("is_pruned"),
};

static const struct store_column seat[] = {
    INT("season"), INT("game_group"), INT("rotation"), INT("seat"),      INT("entry"),
    INT("score"),  INT("rank"),       INT("reason"),   INT("decisions"), INT("us"),
    INT("us_max"), BYTES("times"),    INT("checksum"),
};

static const struct store_column replay[] = {INT("season"), INT("game_group"), INT("rotation"),
                                             BYTES("bytes")};

static const struct store_column event[] = {INT("id"), INT("time_us"), INT("season"), TEXT("what"),
                                            TEXT("about")};

static const struct store_column roster[] = {INT("season"), TEXT("name")};

static const struct store_column ban[] = {INT("id"),    TEXT("name"),     TEXT("author"),
                                          BOOL("void"), INT("banned_us"), INT("lifted_us")};

static const struct store_column submission[] = {
    INT("id"),       TEXT("name"),       TEXT("version"),    TEXT("author"),     TEXT("sha256"),
    INT("state"),    BOOL("takes_over"), INT("received_us"), INT("building_us"), INT("checking_us"),
    INT("ended_us"), INT("bot"),         TEXT("report"),
};

#define TABLE(columns, keys, rows)                                                                 \
    {                                                                                              \
#columns, keys, rows, columns, (int)(sizeof columns / sizeof *columns)                     \
    }

const struct store_table store_tables[] = {
    TABLE(package, 1, 1), /* up to 256 MiB each */
    TABLE(bot, 1, PAGE_ROWS),    TABLE(season, 1, PAGE_ROWS), TABLE(opening, 2, PAGE_ROWS),
    TABLE(entry, 2, PAGE_ROWS),  TABLE(batch, 2, PAGE_ROWS),  TABLE(game_group, 2, PAGE_ROWS),
    TABLE(worker, 1, PAGE_ROWS), TABLE(game, 3, 64),   /* forfeits: up to 1 MiB each */
    TABLE(seat, 4, PAGE_ROWS),   TABLE(replay, 3, 16), /* up to 16 MiB each */
    TABLE(event, 1, PAGE_ROWS),  TABLE(roster, 2, PAGE_ROWS), TABLE(ban, 1, PAGE_ROWS),
    TABLE(submission, 1, 64), /* reports: up to 1 MiB each */
};

const int store_table_count = sizeof store_tables / sizeof *store_tables;

/* Appends to a text; the room must suffice. */
__attribute__((format(printf, 3, 4))) static void add(char *sql, size_t *length, const char *format,
                                                      ...)
{
    va_list arguments;

    va_start(arguments, format);
    *length += (size_t)vsnprintf(sql + *length, TABLES_SQL_BYTES - *length, format, arguments);
    va_end(arguments);
    assert(*length < TABLES_SQL_BYTES);
}

/* Writes "a", "b", "c". */
static void add_names(char *sql, size_t *length, const struct store_table *table, int count)
{
    for (int i = 0; i < count; i++)
        add(sql, length, "%s\"%s\"", i ? ", " : "", table->columns[i].name);
}

static void add_parameters(char *sql, size_t *length, int count)
{
    for (int i = 0; i < count; i++)
        add(sql, length, "%s$%d", i ? ", " : "", i + 1);
}

void tables_select_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES])
{
    size_t length = 0;

    add(sql, &length, "SELECT ");
    add_names(sql, &length, table, table->column_count);
    add(sql, &length, " FROM \"%s\" WHERE (", table->name);
    add_names(sql, &length, table, table->key_count);
    add(sql, &length, ") > (");
    add_parameters(sql, &length, table->key_count);
    add(sql, &length, ") ORDER BY ");
    add_names(sql, &length, table, table->key_count);
    add(sql, &length, " LIMIT $%d", table->key_count + 1);
}

void tables_insert_sql(const struct store_table *table, char sql[static TABLES_SQL_BYTES])
{
    size_t length = 0;

    add(sql, &length, "INSERT INTO \"%s\" (", table->name);
    add_names(sql, &length, table, table->column_count);
    add(sql, &length, ") VALUES (");
    add_parameters(sql, &length, table->column_count);
    add(sql, &length, ")");
}
