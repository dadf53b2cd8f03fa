/*
 * The schema and its upgrades. Step v of the list upgrades a database from version v to v + 1;
 * user_version is a file's version, application_id marks it as the arena's. A released step is
 * never changed: a later one changes what it created.
 */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <stdio.h>

enum {
    APPLICATION_ID = 0x50415649, /* "PAVI" */
};

/* clang-format off */
static const char *const steps[] = {
    /* 0: the store */
    "CREATE TABLE package ("
    "  sha256 TEXT PRIMARY KEY,"
    "  bytes BLOB NOT NULL) STRICT;"
    "CREATE TABLE bot ("
    "  id INTEGER PRIMARY KEY,"
    "  previous INTEGER REFERENCES bot,"
    "  name TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  author TEXT NOT NULL,"
    "  language TEXT NOT NULL,"
    "  sha256 TEXT NOT NULL REFERENCES package,"       /* hash of the package as submitted */
    "  built_sha256 TEXT NOT NULL REFERENCES package," /* hash of the package that is run */
    "  submitted_us INTEGER NOT NULL,"
    "  retired_us INTEGER,"
    "  UNIQUE (name, version)) STRICT;"
    "CREATE INDEX bot_package ON bot (sha256);"
    "CREATE INDEX bot_built ON bot (built_sha256);"
    "CREATE INDEX bot_previous ON bot (previous);"
    "CREATE TABLE season ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE,"
    "  players TEXT NOT NULL,"          /* '2', '2,3', ... */
    "  board INTEGER NOT NULL,"         /* enum store_board */
    "  turn_ms INTEGER NOT NULL,"
    "  bank_ms INTEGER NOT NULL,"
    "  gain_ms INTEGER NOT NULL,"
    "  start_ms INTEGER NOT NULL,"
    "  budget_games INTEGER NOT NULL,"
    "  until_decided INTEGER NOT NULL,"
    "  created_us INTEGER NOT NULL,"
    "  closed_us INTEGER) STRICT;"
    "CREATE TABLE opening ("
    "  season INTEGER NOT NULL REFERENCES season,"
    "  number INTEGER NOT NULL,"
    "  seed BLOB NOT NULL,"             /* secret until the opening is closed */
    "  commitment TEXT NOT NULL,"
    "  by_hand INTEGER NOT NULL,"
    "  opened_us INTEGER NOT NULL,"
    "  closed_us INTEGER,"
    "  PRIMARY KEY (season, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE entry ("
    "  season INTEGER NOT NULL REFERENCES season,"
    "  number INTEGER NOT NULL,"
    "  bot INTEGER NOT NULL REFERENCES bot,"
    "  batch INTEGER NOT NULL,"
    "  PRIMARY KEY (season, number), UNIQUE (season, bot)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX entry_bot ON entry (bot);"
    "CREATE TABLE game_group ("
    "  season INTEGER NOT NULL REFERENCES season,"
    "  number INTEGER NOT NULL,"
    "  batch INTEGER NOT NULL,"
    "  opening INTEGER NOT NULL,"
    "  board INTEGER NOT NULL,"         /* enum board_side */
    "  players INTEGER NOT NULL,"
    "  base0 INTEGER NOT NULL,"         /* entries in base order */
    "  base1 INTEGER NOT NULL,"
    "  base2 INTEGER,"
    "  base3 INTEGER,"
    "  PRIMARY KEY (season, number),"
    "  FOREIGN KEY (season, opening) REFERENCES opening,"
    "  FOREIGN KEY (season, base0) REFERENCES entry,"
    "  FOREIGN KEY (season, base1) REFERENCES entry,"
    "  FOREIGN KEY (season, base2) REFERENCES entry,"
    "  FOREIGN KEY (season, base3) REFERENCES entry) STRICT, WITHOUT ROWID;"
    /* A row here means that the game was played. */
    "CREATE TABLE game ("
    "  season INTEGER NOT NULL,"
    "  game_group INTEGER NOT NULL,"
    "  rotation INTEGER NOT NULL,"
    "  started_us INTEGER NOT NULL,"
    "  wall_us INTEGER NOT NULL,"
    "  layers INTEGER NOT NULL,"        /* enum sandbox_layer bits */
    "  decisions INTEGER NOT NULL,"
    "  forfeits TEXT,"                  /* JSON, an array by seat */
    "  PRIMARY KEY (season, game_group, rotation),"
    "  FOREIGN KEY (season, game_group) REFERENCES game_group) STRICT, WITHOUT ROWID;"
    /* Separate from game and replay, so that ratings read nothing else. */
    "CREATE TABLE seat ("
    "  season INTEGER NOT NULL,"
    "  game_group INTEGER NOT NULL,"
    "  rotation INTEGER NOT NULL,"
    "  seat INTEGER NOT NULL,"
    "  entry INTEGER NOT NULL,"
    "  score INTEGER NOT NULL,"
    "  rank INTEGER NOT NULL,"
    "  reason INTEGER NOT NULL,"        /* enum wire_reason */
    "  decisions INTEGER NOT NULL,"
    "  us INTEGER NOT NULL,"
    "  us_max INTEGER NOT NULL,"
    "  times BLOB NOT NULL,"            /* latency_pack */
    "  PRIMARY KEY (season, game_group, rotation, seat),"
    "  FOREIGN KEY (season, game_group, rotation) REFERENCES game) STRICT, WITHOUT ROWID;"
    "CREATE TABLE replay ("
    "  id INTEGER PRIMARY KEY,"
    "  season INTEGER NOT NULL,"
    "  game_group INTEGER NOT NULL,"
    "  rotation INTEGER NOT NULL,"
    "  bytes BLOB NOT NULL,"
    "  UNIQUE (season, game_group, rotation),"
    "  FOREIGN KEY (season, game_group, rotation) REFERENCES game) STRICT;",
    /*
     * 1: every game has its own seed, derived from the opening in which it was played. Earlier
     * games have the seed of their group, derived from the group's opening.
     */
    "ALTER TABLE game ADD COLUMN opening INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE game ADD COLUMN seed BLOB;"
    "UPDATE game SET opening = (SELECT opening FROM game_group WHERE"
    "  game_group.season = game.season AND game_group.number = game.game_group);",
    /* 2: bots are identified by their contents */
    "ALTER TABLE bot ADD COLUMN manifest TEXT;"       /* bot.json as submitted; NULL in older rows */
    "ALTER TABLE bot ADD COLUMN content_sha256 TEXT;" /* hash of the package without bot.json */
    "ALTER TABLE bot ADD COLUMN taken_over INTEGER NOT NULL DEFAULT 0;",
    /* 3: terms of how bots are run; events; bans; rosters. */
    "ALTER TABLE season ADD COLUMN memory_bytes INTEGER NOT NULL DEFAULT 805306368;"
    "ALTER TABLE season ADD COLUMN tier INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE season ADD COLUMN freeze INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE season ADD COLUMN pin INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE season ADD COLUMN authors_free INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE season ADD COLUMN closing_us INTEGER;"
    "ALTER TABLE game ADD COLUMN memory_bytes INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE game ADD COLUMN tier INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE game ADD COLUMN freeze INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE game ADD COLUMN pin INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE event ("
    "  id INTEGER PRIMARY KEY,"
    "  time_us INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER) * 1000000),"
    "  season INTEGER REFERENCES season,"  /* NULL: all */
    "  what TEXT NOT NULL,"
    "  about TEXT NOT NULL) STRICT;"
    "CREATE INDEX event_season ON event (season);"
    "CREATE TABLE batch ("
    "  season INTEGER NOT NULL REFERENCES season,"
    "  number INTEGER NOT NULL,"
    "  opening INTEGER NOT NULL,"
    "  event INTEGER NOT NULL,"            /* last event known to the choice; 0: none */
    "  seating INTEGER NOT NULL,"          /* table sizes in the opening stage, as bits */
    "  PRIMARY KEY (season, number),"
    "  FOREIGN KEY (season, opening) REFERENCES opening) STRICT, WITHOUT ROWID;"
    "CREATE TABLE roster ("
    "  season INTEGER NOT NULL REFERENCES season,"
    "  name TEXT NOT NULL,"
    "  PRIMARY KEY (season, name)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE ban ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT,"                         /* either name or author is set */
    "  author TEXT,"
    "  void INTEGER NOT NULL,"
    "  banned_us INTEGER NOT NULL,"
    "  lifted_us INTEGER,"
    "  CHECK ((name IS NULL) <> (author IS NULL))) STRICT;",
    /* 4: submissions that wait for a daemon */
    "CREATE TABLE submission ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"            /* ids shown to users are never reused */
    "  name TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  author TEXT NOT NULL,"
    "  sha256 TEXT NOT NULL REFERENCES package,"
    "  state INTEGER NOT NULL,"          /* enum store_submission_state */
    "  takes_over INTEGER NOT NULL,"
    "  received_us INTEGER NOT NULL,"
    "  building_us INTEGER,"
    "  checking_us INTEGER,"
    "  ended_us INTEGER,"
    "  bot INTEGER REFERENCES bot,"
    "  report TEXT) STRICT;"             /* JSON */
    "CREATE INDEX submission_package ON submission (sha256);"
    "CREATE INDEX submission_bot ON submission (bot);",
    /* 5: checksums; NULL in older rows */
    "ALTER TABLE game ADD COLUMN replay_sha256 BLOB;"
    "ALTER TABLE game ADD COLUMN checksum BLOB;"
    "ALTER TABLE seat ADD COLUMN checksum INTEGER;",
    /* 6: the daemon looks for open submissions twice a second */
    "CREATE INDEX submission_open ON submission (state);",
    /* 7: the machine that played each game */
    "CREATE TABLE worker ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  name TEXT NOT NULL,"
    "  host TEXT NOT NULL,"
    "  processor TEXT NOT NULL,"         /* model */
    "  architecture TEXT NOT NULL,"
    "  layers INTEGER NOT NULL,"         /* enum sandbox_layer bits */
    "  tier INTEGER NOT NULL,"
    "  jobs INTEGER NOT NULL,"
    "  cores INTEGER NOT NULL,"
    "  playouts_s INTEGER NOT NULL,"     /* random games per second and core */
    "  started_us INTEGER NOT NULL,"
    "  seen_us INTEGER NOT NULL,"
    "  ended_us INTEGER) STRICT;"
    "ALTER TABLE season ADD COLUMN processor TEXT;"   /* NULL: any; '': the first player's */
    "ALTER TABLE game ADD COLUMN worker INTEGER REFERENCES worker;"
    "ALTER TABLE game ADD COLUMN delay_us INTEGER;"
    "CREATE INDEX game_worker ON game (worker);",
    /* 8: terms of replays, practice and standard error; pruned games */
    "ALTER TABLE season ADD COLUMN keep_games INTEGER;" /* NULL: all */
    "ALTER TABLE season ADD COLUMN is_practice INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE season ADD COLUMN publishes_errors INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE game ADD COLUMN is_pruned INTEGER NOT NULL DEFAULT 0;",
    /* 9 and 10: of PostgreSQL alone, whose versions are the same */
    "",
    "",
};
/* clang-format on */

enum {
    VERSION = sizeof steps / sizeof *steps,
};

static int read_number(struct store *store, const char *sql, int *number)
{
    sqlite3_stmt *statement = database_statement(store, sql);
    int row = statement ? database_step(store, statement) : -1;

    if (!statement)
        return database_error(store);
    if (row < 0)
        return row;
    *number = row ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_reset(statement);
    return 0;
}

static int run_step(struct store *store, int version)
{
    char mark[128];

    snprintf(mark, sizeof mark, "PRAGMA user_version = %d; PRAGMA application_id = %d", version + 1,
             APPLICATION_ID);
    if (sqlite3_exec(database_of(store)->connection, steps[version], NULL, NULL, NULL) !=
            SQLITE_OK ||
        sqlite3_exec(database_of(store)->connection, mark, NULL, NULL, NULL) != SQLITE_OK)
        return database_error(store);
    return 0;
}

/*
 * Runs all missing steps in one transaction, so that other processes see the old or the new schema.
 */
static int run_steps(struct store *store)
{
    int error = database_execute(store, "BEGIN IMMEDIATE");

    if (error)
        return error;
    error = read_number(store, "PRAGMA user_version",
                        &database_of(store)->version); /* cannot change any more */
    for (; !error && database_of(store)->version < VERSION; database_of(store)->version++)
        error = run_step(store, database_of(store)->version);
    if (!error)
        error = database_execute(store, "COMMIT");
    if (error)
        database_rollback(store);
    return error;
}

int database_create(struct store *store)
{
    /* Outside a transaction: the journal mode belongs to the file, not to a step. */
    int error = database_execute(store, "PRAGMA journal_mode = WAL");

    return error ? error : run_steps(store);
}

int database_migrate(struct store *store)
{
    struct database *database = database_of(store);
    int application = 0, error;

    if ((error = read_number(store, "PRAGMA application_id", &application)) < 0 ||
        (error = read_number(store, "PRAGMA user_version", &database->version)) < 0)
        return error;
    if (application != APPLICATION_ID || database->version < 1)
        return store_refuse(store, -EBADMSG, "%s: not a Pavilion store", store_where(store));
    if (database->version > VERSION)
        return store_refuse(store, -ENOTSUP,
                            "%s was written by a newer arena (schema %d, this one knows %d): "
                            "use that arena",
                            store_where(store), database->version, VERSION);
    if (database->version == VERSION)
        return 0;
    if (database->mode == STORE_READ && sqlite3_db_readonly(database->connection, "main"))
        return store_refuse(store, -EROFS,
                            "%s was written by an older arena (schema %d): make it "
                            "writable and open it once, to bring it up to date",
                            store_where(store), database->version);
    return run_steps(store);
}
