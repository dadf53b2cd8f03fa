/* SPDX-License-Identifier: MIT */
/*
 * The list of all tables and their columns, and the code that follows the list: it creates the
 * schema, makes structs from rows and rows from structs, and checks each field in both directions.
 *
 * A change of the list is a new version of the schema: upgrades.c says what comes with it. Texts
 * compare by bytes, so that lists have the same order on every server.
 *
 * A user may have edited a store, or a disk may have damaged it, so rows are checked like untrusted
 * input: a row that passes the checks cannot crash later code. The range of every number is so
 * small that sums cannot overflow.
 */
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/store/authors.h"
#include "arena/store/challenges.h"
#include "arena/store/leases.h"
#include "arena/store/schema.h"
#include "arena/store/submissions.h"

/* generated from leases.sql and leases_functions.sql */
extern const char leases_sql[], leases_functions_sql[];

/* ---- the list ---- */

#define ID_MAX        ((int64_t)1 << 53) /* the largest integer that is exact in JSON */
#define MOMENT_MAX_US ((int64_t)1 << 53) /* the year 2255 */
#define TIER_MAX      3                  /* the highest enum sandbox_tier */
#define PAGE_ROWS     500
#define SCORE_MAX     10000 /* points, positive or negative */
/* 11 days in microseconds; a sum over all seats cannot overflow */
#define SEAT_US_MAX 1000000000000

#define AT(record, field) offsetof(struct record, field), sizeof((struct record *)0)->field

/* clang-format off */
/* A column that no field of a struct holds: its name and type. */
#define PLAIN(column, type) {column, type, false, SCHEMA_NO_FIELD, 0, 0, 0, 0}
#define PLAIN_OR_NULL(column, type) {column, type, true, SCHEMA_NO_FIELD, 0, 0, 0, 0}
#define SEASON {"season", SQL_INT, false, SCHEMA_SEASON, 0, 0, 1, ID_MAX}

/*
 * A column that a field of a struct holds: its name, the struct, the field, and the range of its
 * values.
 */
#define NUMBER(column, record, field, least, most) \
    {column, SQL_INT, false, SCHEMA_NUMBER, AT(record, field), least, most}
#define NUMBER_OR_NULL(column, record, field, most) \
    {column, SQL_INT, true, SCHEMA_NUMBER_OR_NULL, AT(record, field), 0, most}
#define NUMBER_OR_NONE(column, record, field, most) \
    {column, SQL_INT, true, SCHEMA_NUMBER_OR_NONE, AT(record, field), -1, most}
#define ID(column, record, field) NUMBER(column, record, field, 0, ID_MAX)
#define ID_OR_NULL(column, record, field) NUMBER_OR_NULL(column, record, field, ID_MAX)
#define COUNT(column, record, field) NUMBER(column, record, field, 0, SCHEMA_NUMBER_MAX)
#define MOMENT(column, record, field) NUMBER(column, record, field, 0, MOMENT_MAX_US)
#define MOMENT_OR_NULL(column, record, field) NUMBER_OR_NULL(column, record, field, MOMENT_MAX_US)
#define BOOL(column, record, field) {column, SQL_BOOL, false, SCHEMA_BOOL, AT(record, field), 0, 1}
#define NAME(column, record, field) {column, SQL_TEXT, false, SCHEMA_NAME, AT(record, field), 1, 0}
#define WORDS(column, record, field) {column, SQL_TEXT, false, SCHEMA_WORDS, AT(record, field), 0, 0}
#define BYTES(column, record, field) {column, SQL_BYTES, false, SCHEMA_BYTES, AT(record, field), 0, 0}
/* The field is a pointer, and a size_t follows it in the struct. */
#define BLOB(column, record, field, most) {column, SQL_BYTES, false, SCHEMA_BLOB, AT(record, field), 0, most}
/* For texts, `least` is 0 if the text may be empty or NULL, else 1. */
#define TEXT(column, record, field, least, ...) \
    {column, SQL_TEXT, false, SCHEMA_TEXT, AT(record, field), least, 0, __VA_ARGS__}
#define HASH(column, record, field, least, ...) \
    {column, SQL_TEXT, false, SCHEMA_HASH, AT(record, field), least, 0, __VA_ARGS__}
#define STRING(column, record, field, least, most, ...) \
    {column, SQL_TEXT, least == 0, SCHEMA_STRING, AT(record, field), least, most, __VA_ARGS__}
/* Last argument of a personal column: what takes its place when its author is erased. */
#define PERSONAL(erased) erased

static const struct schema_column package_columns[] = {
    PLAIN("sha256", SQL_TEXT),
    PLAIN("bytes", SQL_BYTES),
};

static const struct schema_column bot_columns[] = {
    ID("id", store_bot, id), /* a new bot gets the id of the last bot plus 1 */
    ID_OR_NULL("previous", store_bot, previous_id),
    NAME("name", store_bot, name),
    TEXT("version", store_bot, version, 1),
    TEXT("author", store_bot, author, 1),
    TEXT("language", store_bot, language, 0, PERSONAL("''")),
    HASH("sha256", store_bot, sha256, 1),
    HASH("built_sha256", store_bot, built_sha256, 1),
    HASH("content_sha256", store_bot, content_sha256, 0),
    MOMENT("submitted_us", store_bot, submitted_us),
    MOMENT_OR_NULL("retired_us", store_bot, retired_us),
    BOOL("taken_over", store_bot, taken_over),
    BOOL("reference", store_bot, reference),
    NUMBER("too_fast_turn_ms", store_bot, too_fast.turn_ms, 0, INT32_MAX),
    NUMBER("too_fast_bank_ms", store_bot, too_fast.bank_ms, 0, INT32_MAX),
    NUMBER("too_fast_gain_ms", store_bot, too_fast.gain_ms, 0, INT32_MAX),
    NUMBER("too_fast_start_ms", store_bot, too_fast.start_ms, 0, INT32_MAX),
    STRING("manifest", store_bot, manifest, 1, STORE_MANIFEST_BYTES_MAX, PERSONAL("'{}'")),
};

static const struct schema_column season_columns[] = {
    ID("id", store_season, id), /* a new season gets the id of the last season plus 1 */
    NAME("name", store_season, name),
    {"players", SQL_TEXT, false, SCHEMA_PLAYERS, 0, 0, 0, 0}, /* the table sizes: "2", "2,3", ... */
    NUMBER("board", store_season, board, STORE_BOARD_COLORED, STORE_BOARD_BOTH),
    NUMBER("turn_ms", store_season, clock.turn_ms, 0, INT32_MAX),
    NUMBER("bank_ms", store_season, clock.bank_ms, 0, INT32_MAX),
    NUMBER("gain_ms", store_season, clock.gain_ms, 0, INT32_MAX),
    NUMBER("start_ms", store_season, clock.start_ms, 0, INT32_MAX),
    NUMBER("memory_bytes", store_season, play.memory_bytes, 0, (int64_t)1 << 50),
    NUMBER("tier", store_season, play.tier, 0, TIER_MAX),
    BOOL("freeze", store_season, play.freeze),
    BOOL("pin", store_season, play.pin),
    BOOL("authors_free", store_season, authors_free),
    TEXT("division", store_season, division, 0),
    BOOL("is_practice", store_season, is_practice),
    BOOL("publishes_errors", store_season, publishes_errors),
    BOOL("prunes", store_season, prunes),
    NUMBER("keep_games", store_season, keep_games, 0, STORE_KEEP_MAX),
    NUMBER("budget_games", store_season, budget_games, 0, STORE_BUDGET_GAMES_MAX),
    NUMBER("games_a_day", store_season, games_a_day, 0, STORE_BUDGET_GAMES_MAX),
    BOOL("until_decided", store_season, until_decided),
    MOMENT_OR_NULL("from_us", store_season, from_us),
    MOMENT_OR_NULL("deadline_us", store_season, deadline_us),
    MOMENT_OR_NULL("until_us", store_season, until_us),
    NUMBER("live_delay_s", store_season, live_delay_s, -1, STORE_LIVE_DELAY_S_MAX),
    MOMENT("created_us", store_season, created_us),
    MOMENT_OR_NULL("closing_us", store_season, closing_us),
    MOMENT_OR_NULL("closed_us", store_season, closed_us),
    MOMENT_OR_NULL("decided_us", store_season, decided_us),
    MOMENT_OR_NULL("voided_us", store_season, voided_us),
    WORDS("paused", store_season, paused),
    ID_OR_NULL("league", store_season, league_id),
    COUNT("round", store_season, round),
};

static const struct schema_column league_columns[] = {
    ID("id", store_league, id), /* a new league gets the id of the last league plus 1 */
    NAME("name", store_league, name),
    TEXT("divisions", store_league, divisions, 1),
    NUMBER("places", store_league, place_count, 1, SCHEMA_NUMBER_MAX),
    NUMBER("promoted", store_league, promoted_count, 0, SCHEMA_NUMBER_MAX),
    MOMENT("created_us", store_league, created_us),
};

static const struct schema_column opening_columns[] = {
    SEASON,
    COUNT("number", store_opening, number),
    BYTES("seed", store_opening, seed), /* secret until the season is closed */
    HASH("commitment", store_opening, commitment, 1),
    BOOL("by_hand", store_opening, by_hand),
    BOOL("copied", store_opening, copied),
    MOMENT("opened_us", store_opening, opened_us),
    MOMENT_OR_NULL("closed_us", store_opening, closed_us),
};

static const struct schema_column entry_columns[] = {
    SEASON,
    NUMBER("number", store_entry, number, 0, SCHEMA_ENTRY_MAX),
    NUMBER("bot", store_entry, bot_id, 1, ID_MAX),
    COUNT("batch", store_entry, batch),
};

static const struct schema_column batch_columns[] = {
    SEASON,
    COUNT("number", store_batch, number),
    COUNT("opening", store_batch, opening),
    NUMBER("event", store_batch, event, 0, ID_MAX),
    NUMBER("meeting_sizes", store_batch, meeting_sizes, 0, (1 << (GAME_PLAYERS_MAX + 1)) - 1),
};

static const struct schema_column group_columns[] = {
    SEASON,
    COUNT("number", store_group, number),
    COUNT("batch", store_group, batch),
    COUNT("opening", store_group, opening),
    NUMBER("board", store_group, board, BOARD_COLORED, BOARD_GRAY),
    NUMBER("players", store_group, player_count, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX),
    /* Numbers of the group's bots in the season, in the order of store_group.base. */
    NUMBER("base0", store_group, base[0], 0, SCHEMA_ENTRY_MAX),
    NUMBER("base1", store_group, base[1], 0, SCHEMA_ENTRY_MAX),
    NUMBER_OR_NONE("base2", store_group, base[2], SCHEMA_ENTRY_MAX),
    NUMBER_OR_NONE("base3", store_group, base[3], SCHEMA_ENTRY_MAX),
};

static const struct schema_column worker_columns[] = {
    ID("id", store_worker, id),
    PLAIN_OR_NULL("identity", SQL_BYTES),
    TEXT("role", store_worker, role, 1),
    TEXT("version", store_worker, version, 1),
    TEXT("name", store_worker, name, 1),
    TEXT("host", store_worker, host, 1),
    TEXT("processor", store_worker, processor, 1),
    TEXT("architecture", store_worker, architecture, 1),
    NUMBER("layers", store_worker, layers, 0, UINT32_MAX),
    NUMBER("tier", store_worker, tier, 0, TIER_MAX),
    NUMBER("jobs", store_worker, job_count, 1, SCHEMA_NUMBER_MAX),
    NUMBER("cores", store_worker, core_count, 1, SCHEMA_NUMBER_MAX),
    NUMBER("playouts_per_s", store_worker, playouts_per_s, 0, ID_MAX),
    MOMENT("started_us", store_worker, started_us),
    MOMENT("seen_us", store_worker, seen_us),
    MOMENT_OR_NULL("ended_us", store_worker, ended_us),
};

/*
 * Each game that was played has a row in this table. Ratings read the columns up to `seats`, pages
 * those up to `forfeits`.
 */
static const struct schema_column game_columns[] = {
    SEASON,
    COUNT("game_group", store_game, group),
    NUMBER("rotation", store_game, rotation, 0, GAME_PLAYERS_MAX - 1),
    {"seats", SQL_BYTES, false, SCHEMA_SEATS, 0, 0, 0, 0}, /* see pack_seats */
    MOMENT("started_us", store_game, started_us),
    BOOL("is_pruned", store_game, is_pruned),
    BYTES("checksum", store_game, checksum),
    STRING("forfeits", store_game, forfeits, 0, STORE_FORFEITS_BYTES_MAX),
    COUNT("opening", store_game, opening),
    BYTES("seed", store_game, seed),
    MOMENT("wall_us", store_game, wall_us),
    NUMBER("decisions", store_game, decision_count, 0, GAME_DECISIONS_MAX),
    ID_OR_NULL("worker", store_game, worker_id),
    MOMENT("delay_us", store_game, delay_us),
    BYTES("replay_sha256", store_game, replay_sha256),
    NUMBER("layers", store_game, layers, 0, UINT32_MAX),
    NUMBER("memory_bytes", store_game, play.memory_bytes, 0, (int64_t)1 << 50),
    NUMBER("tier", store_game, play.tier, 0, TIER_MAX),
    BOOL("freeze", store_game, play.freeze),
    BOOL("pin", store_game, play.pin),
    STRING("machine", store_game, machine, 0, STORE_MACHINE_BYTES_MAX),
};

static const struct schema_column replay_columns[] = {
    SEASON,
    COUNT("game_group", replay_row, group),
    NUMBER("rotation", replay_row, rotation, 0, GAME_PLAYERS_MAX - 1),
    BLOB("bytes", replay_row, bytes, STORE_REPLAY_BYTES_MAX),
};

static const struct schema_column event_columns[] = {
    ID("id", store_event, id), /* from pavilion.last_event */
    MOMENT("time_us", store_event, time_us),
    ID_OR_NULL("season", store_event, season_id), /* NULL: the event is about all seasons */
    BOOL("of_account", store_event, is_of_account),
    NAME("what", store_event, what),
    WORDS("about", store_event, about),
    WORDS("who", store_event, who),
};

static const struct schema_column roster_columns[] = {
    PLAIN("season", SQL_INT),
    PLAIN("name", SQL_TEXT),
};

static const struct schema_column ban_columns[] = {
    PLAIN("id", SQL_INT),
    PLAIN_OR_NULL("name", SQL_TEXT), /* either name or author is NULL */
    PLAIN_OR_NULL("author", SQL_TEXT),
    PLAIN("void", SQL_BOOL),
    PLAIN("banned_us", SQL_INT),
    PLAIN_OR_NULL("lifted_us", SQL_INT),
};

static const struct schema_column submission_columns[] = {
    ID("id", store_submission, id), /* a new submission gets the id of the last submission plus 1 */
    NAME("name", store_submission, name),
    TEXT("version", store_submission, version, 1),
    TEXT("author", store_submission, author, 1),
    /* The package of a refused submission is removed. */
    HASH("sha256", store_submission, sha256, 1),
    NUMBER("state", store_submission, state, STORE_RECEIVED, STORE_CHECKED),
    BOOL("takes_over", store_submission, takes_over),
    BOOL("reference", store_submission, reference),
    BOOL("check_only", store_submission, is_check),
    MOMENT("received_us", store_submission, received_us),
    MOMENT_OR_NULL("building_us", store_submission, building_us),
    MOMENT_OR_NULL("checking_us", store_submission, checking_us),
    MOMENT_OR_NULL("ended_us", store_submission, ended_us),
    NUMBER("failures", store_submission, failure_count, 0, INT32_MAX),
    MOMENT_OR_NULL("since_us", store_submission, since_us),
    MOMENT_OR_NULL("retry_us", store_submission, retry_us),
    BOOL("alone", store_submission, is_alone),
    ID_OR_NULL("bot", store_submission, bot_id),
    /* a JSON object */
    STRING("report", store_submission, report, 0, STORE_REPORT_BYTES_MAX, PERSONAL("'{}'")),
};

static const struct schema_column author_columns[] = {
    ID("id", store_author, id), /* a new author gets the id of the last author plus 1 */
    TEXT("name", store_author, name, 1),
    HASH("key", store_author, key, 1),
    TEXT("student", store_author, student, 0, PERSONAL("''")),
    MOMENT("created_us", store_author, created_us),
    MOMENT_OR_NULL("erased_us", store_author, erased_us),
    MOMENT("uploads_us", store_author, uploads_us),
    BOOL("is_challenged", store_author, is_challenged),
};

static const struct schema_column token_columns[] = {
    /* SHA-256 of the token; the store does not have the token itself */
    HASH("sha256", store_token, sha256, 1),
    ID("author", store_token, author_id),
    NUMBER("scope", store_token, scope, STORE_SCOPE_AUTHOR, STORE_SCOPE_ORGANIZER),
    MOMENT("created_us", store_token, created_us),
    MOMENT_OR_NULL("used_us", store_token, used_us),
    MOMENT_OR_NULL("expires_us", store_token, expires_us),
    MOMENT_OR_NULL("revoked_us", store_token, revoked_us),
};

static const struct schema_column challenge_columns[] = {
    ID("id", store_challenge, id), /* a new challenge gets the id of the last challenge plus 1 */
    ID("bot", store_challenge, bot_id),
    ID("opponent", store_challenge, opponent_id),
    NUMBER("wanted", store_challenge, wanted_count, 1, STORE_CHALLENGE_GAMES_MAX),
    NUMBER("attempts", store_challenge, attempt_count, 0, INT32_MAX),
    NUMBER("state", store_challenge, state, STORE_CHALLENGE_WAITING, STORE_CHALLENGE_FAILED),
    BOOL("by_organizer", store_challenge, by_organizer),
    MOMENT("created_us", store_challenge, created_us),
    MOMENT_OR_NULL("ended_us", store_challenge, ended_us),
    WORDS("reason", store_challenge, reason),
};

static const struct schema_column bout_columns[] = {
    ID("challenge", store_bout, challenge_id),
    NUMBER("number", store_bout, number, 0, STORE_CHALLENGE_GAMES_MAX - 1),
    BLOB("bytes", store_bout, bytes, STORE_REPLAY_BYTES_MAX),
};

#define COLUMNS(name) \
    .columns = name##_columns, .column_count = (int)(sizeof name##_columns / sizeof *name##_columns)

const struct schema_table schema_tables[TABLE_COUNT] = {
    [TABLE_PACKAGE] = {"package", 1, .page_rows = 1, /* up to 256 MiB a row */
        .has_blobs = true, .constraints = "", .indexes = "", COLUMNS(package)},
    [TABLE_BOT] = {"bot", 1, .page_rows = PAGE_ROWS,
        .constraints = ", UNIQUE (name, version)"
            ", FOREIGN KEY (previous) REFERENCES bot (id)"
            ", FOREIGN KEY (sha256) REFERENCES package (sha256)"
            ", FOREIGN KEY (built_sha256) REFERENCES package (sha256)",
        .indexes = "CREATE INDEX bot_previous ON bot (previous);"
            "CREATE INDEX bot_package ON bot (sha256);"
            "CREATE INDEX bot_built ON bot (built_sha256);"
            "CREATE INDEX bot_content ON bot (content_sha256);",
        COLUMNS(bot)},
    [TABLE_SEASON] = {"season", 1, .page_rows = PAGE_ROWS,
        .constraints = ", UNIQUE (name)", .indexes = "", COLUMNS(season)},
    [TABLE_OPENING] = {"opening", 2, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (season) REFERENCES season (id)", .indexes = "",
        COLUMNS(opening)},
    [TABLE_ENTRY] = {"entry", 2, .page_rows = PAGE_ROWS,
        .constraints = ", UNIQUE (season, bot)"
            ", FOREIGN KEY (season) REFERENCES season (id)"
            ", FOREIGN KEY (bot) REFERENCES bot (id)",
        .indexes = "CREATE INDEX entry_bot ON entry (bot);", COLUMNS(entry)},
    [TABLE_BATCH] = {"batch", 2, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (season, opening) REFERENCES opening (season, number)",
        .indexes = "", COLUMNS(batch)},
    [TABLE_GROUP] = {"game_group", 2, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (season, opening) REFERENCES opening (season, number)"
            ", FOREIGN KEY (season, base0) REFERENCES entry (season, number)"
            ", FOREIGN KEY (season, base1) REFERENCES entry (season, number)"
            ", FOREIGN KEY (season, base2) REFERENCES entry (season, number)"
            ", FOREIGN KEY (season, base3) REFERENCES entry (season, number)",
        .indexes = "", COLUMNS(group)},
    [TABLE_WORKER] = {"worker", 1, .page_rows = PAGE_ROWS, .is_generated = true,
        .constraints = ", UNIQUE (identity)", .indexes = "", COLUMNS(worker)},
    /* Few rows per page, because the column `forfeits` may have 1 MiB in a row. */
    [TABLE_GAME] = {"game", 3, .page_rows = 64,
        .constraints = ", FOREIGN KEY (season, game_group) REFERENCES game_group (season, number)"
            ", FOREIGN KEY (worker) REFERENCES worker (id)",
        .indexes = "CREATE INDEX game_worker ON game (worker);"
            "CREATE INDEX game_forfeits ON game (started_us, season, game_group, rotation)"
            " WHERE forfeits IS NOT NULL;",
        COLUMNS(game)},
    [TABLE_REPLAY] = {"replay", 3, .page_rows = 16, /* up to 16 MiB a row */
        .has_blobs = true,
        .constraints = ", FOREIGN KEY (season, game_group, rotation)"
            " REFERENCES game (season, game_group, rotation)",
        .indexes = "", COLUMNS(replay)},
    [TABLE_EVENT] = {"event", 1, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (season) REFERENCES season (id)",
        .indexes = "CREATE INDEX event_season ON event (season);", COLUMNS(event)},
    [TABLE_ROSTER] = {"roster", 2, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (season) REFERENCES season (id)", .indexes = "",
        COLUMNS(roster)},
    [TABLE_BAN] = {"ban", 1, .page_rows = PAGE_ROWS,
        .constraints = ", CHECK ((name IS NULL) <> (author IS NULL))", .indexes = "", COLUMNS(ban)},
    /* Few rows per page, because the column `report` may have 1 MiB in a row. */
    [TABLE_SUBMISSION] = {"submission", 1, .page_rows = 64,
        .constraints = ", FOREIGN KEY (bot) REFERENCES bot (id)",
        .indexes = "CREATE INDEX submission_bot ON submission (bot);"
            "CREATE INDEX submission_author ON submission (author);"
            "CREATE INDEX submission_open ON submission (id) WHERE " STORE_SQL_OPEN ";",
        COLUMNS(submission)},
    [TABLE_AUTHOR] = {"author", 1, .page_rows = PAGE_ROWS,
        .constraints = ", UNIQUE (name), UNIQUE (key)",
        .indexes = "", COLUMNS(author)},
    [TABLE_TOKEN] = {"token", 1, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (author) REFERENCES author (id)",
        .indexes = "CREATE INDEX token_author ON token (author);", COLUMNS(token)},
    [TABLE_LEAGUE] = {"league", 1, .page_rows = PAGE_ROWS,
        .constraints = ", UNIQUE (name)", .indexes = "", COLUMNS(league)},
    [TABLE_CHALLENGE] = {"challenge", 1, .page_rows = PAGE_ROWS,
        .constraints = ", FOREIGN KEY (bot) REFERENCES bot (id)"
            ", FOREIGN KEY (opponent) REFERENCES bot (id)",
        .indexes = "CREATE INDEX challenge_bot ON challenge (bot);"
            "CREATE INDEX challenge_opponent ON challenge (opponent);"
            "CREATE INDEX challenge_open ON challenge (id) WHERE " STORE_SQL_WAITS ";",
        COLUMNS(challenge)},
    [TABLE_BOUT] = {"bout", 2, .page_rows = 16, /* up to 16 MiB a row */
        .has_blobs = true,
        .constraints = ", FOREIGN KEY (challenge) REFERENCES challenge (id)", .indexes = "",
        COLUMNS(bout)},
};
/* clang-format on */

/* ---- the schema ---- */

/*
 * SQL: the server refuses what store_text_is_valid does, because statements of workers write texts,
 * too, and whoever reads such a text calls the store damaged.
 */
#define CHECK_TEXT                                                                                 \
    " CHECK (octet_length(\"%s\") <= %d AND \"%s\" !~ '[\\u0001-\\u001f\\u007f-\\u009f"            \
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]')"

static void write_table(FILE *script, const struct sql_driver *driver,
                        const struct schema_table *table)
{
    fprintf(script, "CREATE TABLE %s (", table->name);
    for (int i = 0; i < table->column_count; i++) {
        const struct schema_column *column = &table->columns[i];

        if (i == 0 && table->is_generated)
            fprintf(script, "%s %s", column->name, driver->generated_key);
        else
            fprintf(script, "%s\"%s\" %s%s", i ? ", " : "", column->name,
                    driver->type_words[column->type], column->is_nullable ? "" : " NOT NULL");
        if (driver->has_leases && column->field == SCHEMA_TEXT)
            fprintf(script, CHECK_TEXT, column->name, STORE_TEXT_BYTES_MAX, column->name);
    }
    for (int i = 0; i < table->key_count && !table->is_generated; i++)
        fprintf(script, "%s%s", i ? ", " : ", PRIMARY KEY (", table->columns[i].name);
    fprintf(script, "%s%s)%s; %s", table->is_generated ? "" : ")", table->constraints,
            table->has_blobs || table->is_generated ? driver->blob_table_words
                                                    : driver->table_words,
            table->indexes);
}

/* Returns the script that creates the schema, which the caller frees; NULL if memory runs out. */
static char *write_script(const struct sql_driver *driver)
{
    char *text = NULL;
    size_t size;
    FILE *script = memory_stream(&text, &size);

    /*
     * Table pavilion has one row. Transactions that add events lock this row. While the store is an
     * unfinished copy (copy.c), the version is negative, so that nobody opens the store.
     */
    fprintf(script, "CREATE TABLE pavilion (version %s NOT NULL, last_event %s NOT NULL);",
            driver->type_words[SQL_INT], driver->type_words[SQL_INT]);
    for (int i = 0; i < TABLE_COUNT; i++)
        write_table(script, driver, &schema_tables[i]);
    fputs(driver->schema_script, script);
    if (driver->has_leases)
        fprintf(script, "%s%s", leases_sql, leases_functions_sql);
    memory_stream_end(script);
    return text;
}

int schema_create(struct store *store)
{
    char *script = write_script(store->driver);
    int error = -ENOMEM;

    if (script)
        error = SQL_TRANSACTION(
            store, SQL_LONG,
            store->driver->execute(store, script)
                ?: sql_change(store,
                              SQL("INSERT INTO pavilion (version, last_event) VALUES ($1, 0)",
                                  sql_int(STORE_SCHEMA_VERSION))));
    free(script);
    return error;
}

/* ---- fields ---- */

static int64_t number_of(const struct schema_column *column, const void *record)
{
    const uint8_t *field = (const uint8_t *)record + column->offset;
    int64_t wide;
    int32_t narrow;

    if (column->size == sizeof wide) {
        memcpy(&wide, field, sizeof wide);
        return wide;
    }
    memcpy(&narrow, field, sizeof narrow);
    return column->maximum > INT32_MAX ? (int64_t)(uint32_t)narrow : narrow;
}

static void set_number(const struct schema_column *column, void *record, int64_t number)
{
    uint8_t *field = (uint8_t *)record + column->offset;
    uint32_t narrow = (uint32_t)number;

    if (column->size == sizeof number)
        memcpy(field, &number, sizeof number);
    else
        memcpy(field, &narrow, sizeof narrow);
}

static const char *string_of(const struct schema_column *column, const void *record)
{
    const char *string;

    memcpy(&string, (const uint8_t *)record + column->offset, sizeof string);
    return string;
}

static size_t blob_size(const struct schema_column *column, const void *record)
{
    size_t size;

    memcpy(&size, (const uint8_t *)record + column->offset + column->size, sizeof size);
    return size;
}

enum {
    PLAYERS_TEXT_BYTES = 8, /* room for "2,3,4" and its NUL */
};

static void write_players(const struct store_season *season, char text[static PLAYERS_TEXT_BYTES])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < season->player_count_count; i++)
        length += (size_t)snprintf(text + length, PLAYERS_TEXT_BYTES - length, i ? ",%d" : "%d",
                                   season->player_counts[i]);
}

/* Reads "2,3". For an invalid text, writes a table size that players_are_sound refuses. */
static void read_players(const char *text, struct store_season *season)
{
    const int room = (int)(sizeof season->player_counts / sizeof *season->player_counts);

    season->player_count_count = 0;
    for (; *text && season->player_count_count < room; text += text[1] == ',' ? 2 : 1)
        season->player_counts[season->player_count_count++] = *text - '0';
    if (*text)
        season->player_counts[0] = -1;
}

static bool players_are_sound(const struct store_season *season)
{
    const int *counts = season->player_counts;

    if (season->player_count_count < 1 ||
        season->player_count_count > (int)(sizeof season->player_counts / sizeof *counts))
        return false;
    for (int i = 0; i < season->player_count_count; i++)
        if (counts[i] < GAME_PLAYERS_MIN || counts[i] > GAME_PLAYERS_MAX ||
            (i > 0 && counts[i] <= counts[i - 1]))
            return false;
    return true;
}

enum {
    SEAT_BYTES = 24, /* size of a packed seat without its decision times */
    SEATS_BYTES_MAX = GAME_PLAYERS_MAX * (SEAT_BYTES + STORE_TIMES_BYTES_MAX),
};

/* Writes the last `size` bytes of a number, least significant first. Returns the next address. */
static uint8_t *put(uint8_t *at, int64_t number, size_t size)
{
    uint64_t bytes = htole64((uint64_t)number);

    memcpy(at, &bytes, size);
    return at + size;
}

static uint64_t get(const uint8_t *at, size_t size)
{
    uint64_t bytes = 0;

    memcpy(&bytes, at, size);
    return le64toh(bytes);
}

/*
 * The seats of a game are one column, because ratings read millions of them: for each seat, in
 * order, 24 bytes of numbers and then its decision times (packed by latency_pack).
 */
static size_t pack_seats(const struct store_game *game, uint8_t bytes[static SEATS_BYTES_MAX])
{
    uint8_t *at = bytes;

    for (const struct store_seat *seat = game->seats; seat < game->seats + game->player_count;
         seat++) {
        at = put(at, seat->entry, 2);
        at = put(at, seat->score, 2);
        at = put(at, seat->rank, 1);
        at = put(at, seat->reason, 1);
        at = put(at, seat->us, 8);
        at = put(at, seat->us_max, 8);
        at = put(at, (int64_t)seat->times_bytes, 2);
        if (seat->times_bytes > 0)
            memcpy(at, seat->times, seat->times_bytes);
        at += seat->times_bytes;
    }
    return (size_t)(at - bytes);
}

/* Borrows the bytes. Sets the number of players to 0 if the bytes are not whole seats. */
static void unpack_seats(const uint8_t *at, size_t size, struct store_game *game)
{
    game->player_count = 0;
    while (size >= SEAT_BYTES && game->player_count < GAME_PLAYERS_MAX &&
           size - SEAT_BYTES >= get(at + 22, 2)) {
        struct store_seat *seat = &game->seats[game->player_count++];

        *seat = (struct store_seat){.entry = (int)get(at, 2),
                                    .score = (int16_t)get(at + 2, 2),
                                    .rank = at[4],
                                    .reason = (enum wire_reason)at[5],
                                    .us = (int64_t)get(at + 6, 8),
                                    .us_max = (int64_t)get(at + 14, 8),
                                    .times = at + SEAT_BYTES,
                                    .times_bytes = get(at + 22, 2)};
        at = seat->times + seat->times_bytes;
        size -= SEAT_BYTES + seat->times_bytes;
    }
    if (size > 0)
        game->player_count = 0;
}

static const char *seats_fault(const struct store_game *game)
{
    if (game->player_count < GAME_PLAYERS_MIN || game->player_count > GAME_PLAYERS_MAX)
        return "the bytes are not the seats of 2 to 4 players";
    if (game->rotation >= game->player_count)
        return "the game's number in its group is too large for its number of seats";
    for (const struct store_seat *seat = game->seats; seat < game->seats + game->player_count;
         seat++) {
        if (seat->entry < 0 || seat->entry > SCHEMA_ENTRY_MAX)
            return "a seat's entry is out of range";
        if (seat->score < -SCORE_MAX || seat->score > SCORE_MAX)
            return "a score is out of range";
        if (seat->rank < 1 || seat->rank > game->player_count)
            return "a rank is out of range";
        if ((int)seat->reason < 0 || seat->reason >= WIRE_REASON_COUNT)
            return "a reason of a forfeit is out of range";
        if (seat->us < 0 || seat->us > SEAT_US_MAX || seat->us_max < 0 ||
            seat->us_max > SEAT_US_MAX || seat->times_bytes > STORE_TIMES_BYTES_MAX)
            return "the decision times of a seat are out of range";
    }
    return NULL;
}

static bool hash_is_sound(const char *hash)
{
    return strspn(hash, "0123456789abcdef") == STORE_HASH_DIGITS && !hash[STORE_HASH_DIGITS];
}

/* Returns the fault of a field, as words for a message; NULL if the field is valid. */
static const char *fault_of(const struct schema_column *column, const void *record)
{
    const char *text = (const char *)record + column->offset;
    bool may_be_empty = column->minimum == 0 && column->field != SCHEMA_NAME;
    int64_t number;

    switch (column->field) {
    case SCHEMA_NUMBER:
    case SCHEMA_NUMBER_OR_NULL:
    case SCHEMA_NUMBER_OR_NONE:
        number = number_of(column, record);
        return number < column->minimum || number > column->maximum ? "out of range" : NULL;
    case SCHEMA_NAME:
        return store_name_is_valid(text) ? NULL : "the name is not " STORE_NAME_RULE;
    case SCHEMA_TEXT:
        return (may_be_empty && !*text) || store_text_is_valid(text)
                   ? NULL
                   : "the text does not have 1 to 64 bytes, or has control characters";
    case SCHEMA_HASH:
        return (may_be_empty && !*text) || hash_is_sound(text) ? NULL
                                                               : "the hash is not a SHA-256 in hex";
    case SCHEMA_STRING:
        text = string_of(column, record);
        if (!text)
            return may_be_empty ? NULL : "missing";
        return strnlen(text, (size_t)column->maximum + 1) > (size_t)column->maximum ? "too long"
                                                                                    : NULL;
    case SCHEMA_BLOB:
        return blob_size(column, record) > (size_t)column->maximum ? "too long" : NULL;
    case SCHEMA_PLAYERS:
        return players_are_sound(record)
                   ? NULL
                   : "the table sizes are not an ascending list of numbers from 2 to 4";
    case SCHEMA_SEATS:
        return seats_fault(record);
    case SCHEMA_NO_FIELD:
    case SCHEMA_SEASON:
    case SCHEMA_BOOL:
    case SCHEMA_WORDS:
    case SCHEMA_BYTES:
        return NULL;
    }
    return NULL;
}

int table_check(struct store *store, enum schema_table_number number, const void *record)
{
    const struct schema_table *table = &schema_tables[number];

    for (int i = 0; i < table->column_count; i++) {
        const char *fault = fault_of(&table->columns[i], record);

        if (fault)
            return store_refuse(store, -EINVAL, "%s: %s: %s", table->name, table->columns[i].name,
                                fault);
    }
    return 0;
}

/* ---- adding rows ---- */

/*
 * Returns the value of a column. If the field must be packed, `packed` gets the packed bytes, which
 * the value borrows. (At most one column of a table is packed.)
 */
static struct sql_value value_of(const struct schema_column *column, int64_t season_id,
                                 const void *record, uint8_t packed[static SEATS_BYTES_MAX])
{
    const uint8_t *field = (const uint8_t *)record + column->offset;

    switch (column->field) {
    case SCHEMA_NO_FIELD:
        break;
    case SCHEMA_SEASON:
        return sql_int(season_id);
    case SCHEMA_NUMBER:
        return sql_int(number_of(column, record));
    case SCHEMA_NUMBER_OR_NULL:
        return sql_int_or_null(number_of(column, record));
    case SCHEMA_NUMBER_OR_NONE:
        return number_of(column, record) < 0 ? sql_text(NULL) : sql_int(number_of(column, record));
    case SCHEMA_BOOL:
        return sql_bool(*(const bool *)field);
    case SCHEMA_NAME:
    case SCHEMA_TEXT:
    case SCHEMA_HASH:
    case SCHEMA_WORDS:
        return sql_text((const char *)field);
    case SCHEMA_STRING:
        return sql_text(string_of(column, record));
    case SCHEMA_BYTES:
        return sql_bytes(field, column->size);
    case SCHEMA_BLOB:
        return sql_bytes(string_of(column, record), blob_size(column, record));
    case SCHEMA_PLAYERS:
        write_players(record, (char *)packed);
        return sql_text((const char *)packed);
    case SCHEMA_SEATS:
        return sql_bytes(packed, pack_seats(record, packed));
    }
    return sql_text(NULL);
}

void table_digest(enum schema_table_number number, int64_t season_id, const void *record,
                  uint8_t digest[static STORE_DIGEST_BYTES])
{
    const struct schema_table *table = &schema_tables[number];
    uint8_t packed[SEATS_BYTES_MAX];
    struct sha256_ctx hash;

    sha256_init(&hash);
    for (int i = 0; i < table->column_count; i++) {
        const struct sql_value value = value_of(&table->columns[i], season_id, record, packed);

        sql_hash(&hash, &value);
    }
    sha256_digest(&hash, STORE_DIGEST_BYTES, digest);
}

static char *write_insert_text(const struct schema_table *table, int row_count)
{
    char *text = NULL;
    size_t size;
    FILE *sql = memory_stream(&text, &size);

    fprintf(sql, "INSERT INTO %s (", table->name);
    for (int i = 0; i < table->column_count; i++)
        fprintf(sql, "%s\"%s\"", i ? ", " : "", table->columns[i].name);
    for (int i = 0; i < row_count * table->column_count; i++)
        fprintf(sql, "%s$%d",
                i == 0                         ? ") VALUES ("
                : i % table->column_count == 0 ? "), ("
                                               : ", ",
                i + 1);
    fputs(") ON CONFLICT DO NOTHING", sql);
    memory_stream_end(sql);
    return text;
}

const char *table_insert_text(enum schema_table_number table, int row_count)
{
    static char *texts[TABLE_COUNT][SQL_PARAMETERS_MAX / 2 + 1];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char **text = &texts[table][row_count];

    pthread_mutex_lock(&lock);
    if (!*text)
        *text = write_insert_text(&schema_tables[table], row_count);
    pthread_mutex_unlock(&lock);
    return *text;
}

int table_erase(struct store *store, enum schema_table_number number, const char *condition,
                const char *value)
{
    const struct schema_table *table = &schema_tables[number];
    const char *separator = " SET";
    char *text = NULL;
    size_t size;
    FILE *sql = memory_stream(&text, &size);
    int error;

    fprintf(sql, "UPDATE %s", table->name);
    for (int i = 0; i < table->column_count; i++)
        if (table->columns[i].erased) {
            fprintf(sql, "%s \"%s\" = %s", separator, table->columns[i].name,
                    table->columns[i].erased);
            separator = ",";
        }
    fprintf(sql, " WHERE %s", condition);
    memory_stream_end(sql);
    error = value ? sql_change(store, SQL(text, sql_text(value))) : sql_change(store, SQL(text));
    free(text);
    return error;
}

/* Adds rows in one statement; with a packed column, only one. */
static int insert_rows(struct store *store, enum schema_table_number number, int64_t season_id,
                       const uint8_t *records, size_t size, int row_count)
{
    const struct schema_table *table = &schema_tables[number];
    struct sql_value values[SQL_PARAMETERS_MAX + 1];
    struct sql_query query = {.text = table_insert_text(number, row_count), .values = values};
    uint8_t packed[SEATS_BYTES_MAX];
    int changed;

    if (!query.text)
        return store_explain(store, -ENOMEM, "out of memory");
    for (int row = 0; row < row_count; row++, records += size) {
        int error = table_check(store, number, records);

        if (error)
            return error;
        for (int i = 0; i < table->column_count; i++)
            values[++query.count] = value_of(&table->columns[i], season_id, records, packed);
    }
    changed = sql_run(store, &query);
    return changed < 0 ? changed : changed < row_count ? -EEXIST : 0;
}

int table_insert_all(struct store *store, enum schema_table_number table, int64_t season_id,
                     const void *records, size_t size, size_t count)
{
    /* Few different numbers of rows: the driver keeps a prepared statement for each. */
    const size_t most = SQL_PARAMETERS_MAX / (size_t)schema_tables[table].column_count;
    int error = 0;

    for (size_t done = 0, rows; done < count && !error; done += rows) {
        size_t left = count - done;

        rows = left >= most ? most : left >= 4 ? 4 : 1;
        error = insert_rows(store, table, season_id, (const uint8_t *)records + done * size, size,
                            (int)rows);
    }
    return error;
}

int table_insert(struct store *store, enum schema_table_number table, int64_t season_id,
                 const void *record)
{
    return insert_rows(store, table, season_id, record, 0, 1);
}

/* ---- reading rows ---- */

static void read_field(struct sql_rows *rows, int i, const struct schema_column *column,
                       void *record)
{
    uint8_t *field = (uint8_t *)record + column->offset;
    char players[PLAYERS_TEXT_BYTES];
    const char *string;
    size_t size;

    switch (column->field) {
    case SCHEMA_NO_FIELD:
        break;
    case SCHEMA_SEASON:
        row_range(rows, i, column->minimum, column->maximum);
        break;
    case SCHEMA_NUMBER:
        set_number(column, record, row_range(rows, i, column->minimum, column->maximum));
        break;
    case SCHEMA_NUMBER_OR_NULL:
    case SCHEMA_NUMBER_OR_NONE:
        set_number(column, record,
                   !row_is_null(rows, i) ? row_range(rows, i, column->minimum, column->maximum)
                   : column->field == SCHEMA_NUMBER_OR_NONE ? -1
                                                            : 0);
        break;
    case SCHEMA_BOOL:
        *(bool *)field = row_bool(rows, i);
        break;
    case SCHEMA_NAME:
    case SCHEMA_TEXT:
    case SCHEMA_HASH:
    case SCHEMA_WORDS:
        row_text(rows, i, (char *)field, column->size);
        break;
    case SCHEMA_STRING:
        string = row_text_or_null(rows, i);
        memcpy(field, &string, sizeof string);
        break;
    case SCHEMA_BYTES:
        row_copy_bytes(rows, i, field, column->size);
        break;
    case SCHEMA_BLOB:
        string = (const char *)row_bytes(rows, i, &size);
        memcpy(field, &string, sizeof string);
        memcpy(field + sizeof string, &size, sizeof size);
        row_require(rows, i, !row_is_null(rows, i), "missing");
        break;
    case SCHEMA_PLAYERS:
        row_text(rows, i, players, sizeof players);
        read_players(players, record);
        break;
    case SCHEMA_SEATS:
        string = (const char *)row_bytes(rows, i, &size);
        unpack_seats((const uint8_t *)string, string ? size : 0, record);
        break;
    }
}

void table_read(struct sql_rows *rows, int first, enum schema_table_number number, void *record)
{
    const struct schema_table *table = &schema_tables[number];
    const struct schema_column *column = table->columns, *end = column + table->column_count;

    row_name(rows, table->name, first, table->key_count);
    for (int i = first; column < end && i < rows->count; column++, i++) {
        const char *fault;

        read_field(rows, i, column, record);
        if (column->field >= SCHEMA_NAME && (fault = fault_of(column, record)))
            row_require(rows, i, false, fault);
    }
}
