/*
 * An edited store: the input is either a whole database file, or a list of edits to a small store,
 * each of a table, a column, a row and a value. Then everything is read.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/season/season.h"
#include "arena/season/ladder.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    EDITS_MAX = 16,
    GROUPS = 3,
    FILE_BYTES_MAX = 1 << 20,
};

static char home[64], original[80], edited[80];
static uint8_t *base;
static size_t base_bytes;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void remove_home(void)
{
    char command[100];

    snprintf(command, sizeof command, "rm -r %s", home);
    require(system(command) == 0);
}

/* ---- the small store ---- */

static void add_bot(struct store *store, const char *name, const char *author)
{
    const struct store_package package = {(const uint8_t *)"p", 1};
    struct store_bot bot = {.version = "1", .language = "C", .submitted_us = 1, .manifest = "{}"};

    strcpy(bot.name, name);
    strcpy(bot.author, author);
    memset(bot.sha256, 'a', STORE_HASH_DIGITS);
    memset(bot.built_sha256, 'a', STORE_HASH_DIGITS);
    require(store_bot_add(store, &bot, package, package) == 0);
}

static void add_game(struct season *season, const struct season_game *next)
{
    static const uint8_t times[] = {1, 2, 3, 1};
    struct store_game game = {.group = next->group,
                              .rotation = next->rotation,
                              .player_count = next->player_count,
                              .opening = season->opening.number,
                              .started_us = 1,
                              .wall_us = 2,
                              .layers = 3,
                              .decision_count = 60,
                              .forfeits = "[null]"};

    memcpy(game.seed, next->seed, sizeof game.seed);
    for (int seat = 0; seat < next->player_count; seat++)
        game.seats[seat] = (struct store_seat){.entry = next->entries[seat],
                                               .score = 50 - seat,
                                               .rank = seat + 1,
                                               .us = 100,
                                               .us_max = 9,
                                               .times = times,
                                               .times_bytes = sizeof times};
    require(season_record(season, &game, (const uint8_t *)"r", 1) == 0);
}

static void fill(struct store *store)
{
    struct store_season terms = {.name = "cup",
                                 .player_counts = {2, 3},
                                 .player_count_count = 2,
                                 .clock = {100, 1000, 10, 1000},
                                 .budget_games = 8};
    uint8_t seed[GAME_SEED_BYTES] = {1};
    struct season season;
    struct season_game game;

    add_bot(store, "ant", "Ann");
    add_bot(store, "bee", "Ben");
    add_bot(store, "cat", "Cas");
    require(season_create(store, &terms, seed, 1) == 0 && season_load(&season, store, "cup") == 0);
    while (season_next(&season, &game) == SEASON_GAME)
        add_game(&season, &game);
    season_finish(&season);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *connection;

    require(sqlite3_open(path, &connection) == SQLITE_OK);
    sqlite3_exec(connection, sql, NULL, NULL, NULL);
    sqlite3_close(connection);
}

static void make_base(void)
{
    struct store *store;
    FILE *file;

    strcpy(home, "/tmp/fuzz-store-XXXXXX");
    require(mkdtemp(home) != NULL);
    atexit(remove_home);
    snprintf(original, sizeof original, "%s/arena.db", home);
    snprintf(edited, sizeof edited, "%s/edited.db", home);
    require(store_open(&store, home, STORE_CREATE) == 0);
    fill(store);
    store_close(store);
    /* A single small file without constraints that would refuse an edit. */
    run_sql(original, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM;"
                      "PRAGMA writable_schema = ON;"
                      "UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT, ', ''),"
                      " 'STRICT', ''), ' NOT NULL', '') WHERE type = 'table'");
    base = malloc(FILE_BYTES_MAX);
    file = fopen(original, "rb");
    require(base && file);
    base_bytes = fread(base, 1, FILE_BYTES_MAX, file);
    fclose(file);
    require(base_bytes > 512 && base_bytes < FILE_BYTES_MAX);
}

static void write_edited(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(edited, "wb");

    require(file && fwrite(bytes, 1, size, file) == size);
    fclose(file);
    require(chmod(edited, 0600) == 0);
}

/* ---- reading everything ---- */

static int see(void *context, const void *row)
{
    (void)row;
    ++*(int *)context;
    return 0;
}

static int see_bot(void *context, const struct store_bot *bot)
{
    require(strlen(bot->name) <= STORE_NAME_BYTES_MAX);
    return see(context, bot);
}

static int see_season(void *context, const struct store_season *season)
{
    return see(context, season);
}

static int see_game(void *context, const struct store_game *game)
{
    require(game->player_count >= GAME_PLAYERS_MIN && game->player_count <= GAME_PLAYERS_MAX);
    return see(context, game);
}

/* Every failure has a message, which names a damaged row. */
static void expect(struct store *store, int error)
{
    require(error == 0 || *store_failure(store) || error == -EDOM);
}

static void read_season(struct store *store, const struct store_season *terms)
{
    struct standings standings;
    struct season season;
    uint8_t *replay;
    size_t size;
    int count = 0, error;

    expect(store, store_games_each(store, terms->id, see_game, &count));
    error = store_replay_read(store, terms->id, 0, 0, &replay, &size);
    if (!error)
        free(replay);
    error = season_load(&season, store, "cup");
    expect(store, error);
    if (!error)
        season_finish(&season);
    error = standings_load(&standings, store, terms, LADDER_FINAL);
    expect(store, error);
    if (!error)
        standings_finish(&standings);
}

static void read_store(void)
{
    struct store_season season;
    struct store *store;
    char url[100];
    int count = 0;

    snprintf(url, sizeof url, "sqlite:%s", edited);
    if (store_open(&store, url, STORE_READ) == 0) {
        expect(store, store_bots_each(store, see_bot, &count));
        expect(store, store_seasons_each(store, see_season, &count));
        if (store_season_find(store, "cup", &season) == 0)
            read_season(store, &season);
    } else {
        require(*store_failure(store));
    }
    store_close(store);
}

/* ---- edits ---- */

struct input {
    const uint8_t *at, *end;
};

static unsigned take(struct input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

static void bind_value(sqlite3_stmt *update, struct input *input)
{
    static const int64_t numbers[] = {-1,        0,         1,          255,       65535,
                                      INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN};
    unsigned kind = take(input);
    size_t size = take(input);

    if (size > (size_t)(input->end - input->at))
        size = (size_t)(input->end - input->at);
    switch (kind % 5) {
    case 0:
        sqlite3_bind_int64(update, 1, numbers[size % (sizeof numbers / sizeof *numbers)]);
        return;
    case 1:
        sqlite3_bind_text(update, 1, (const char *)input->at, (int)size, SQLITE_TRANSIENT);
        break;
    case 2:
        sqlite3_bind_blob(update, 1, input->at, (int)size, SQLITE_TRANSIENT);
        break;
    case 3:
        sqlite3_bind_double(update, 1, 0.5 + (double)size);
        return;
    default:
        return; /* NULL */
    }
    input->at += size;
}

/* The table and the column of that number among all. */
static bool find_column(sqlite3 *connection, unsigned number, char *sql, size_t size)
{
    sqlite3_stmt *find;
    bool found;

    require(sqlite3_prepare_v2(connection,
                               "SELECT t.name, c.name FROM sqlite_schema AS t,"
                               " pragma_table_info(t.name) AS c WHERE t.type = 'table'"
                               " ORDER BY t.name, c.cid LIMIT 1 OFFSET ?",
                               -1, &find, NULL) == SQLITE_OK);
    sqlite3_bind_int(find, 1, (int)number);
    found = sqlite3_step(find) == SQLITE_ROW;
    if (found)
        snprintf(sql, size, "UPDATE %s SET %s = ?1", sqlite3_column_text(find, 0),
                 sqlite3_column_text(find, 1));
    sqlite3_finalize(find);
    return found;
}

static void make_edits(struct input *input)
{
    sqlite3 *connection;
    char sql[200];

    require(sqlite3_open(edited, &connection) == SQLITE_OK);
    sqlite3_exec(connection, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN", NULL,
                 NULL, NULL);
    for (int i = 0; i < EDITS_MAX && input->at < input->end; i++) {
        unsigned column = take(input), rows = take(input);
        sqlite3_stmt *update;

        if (!find_column(connection, column, sql, sizeof sql))
            continue;
        if (rows % 2) /* one row only, as far as the table has one */
            snprintf(sql + strlen(sql), sizeof sql - strlen(sql), " LIMIT 1 OFFSET %u", rows / 2);
        if (sqlite3_prepare_v2(connection, sql, -1, &update, NULL) != SQLITE_OK)
            continue;
        bind_value(update, input);
        sqlite3_step(update);
        sqlite3_finalize(update);
    }
    sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(connection);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, bytes + size};

    if (!base)
        make_base();
    if (size > 15 && memcmp(bytes, "SQLite format 3", 15) == 0) {
        write_edited(bytes, size);
    } else {
        write_edited(base, base_bytes);
        make_edits(&input);
    }
    read_store();
    return 0;
}
