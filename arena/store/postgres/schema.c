/*
 * The schema and its upgrades. Step v of the list upgrades a database from version v to v + 1; the
 * version is in the only row of table pavilion. Versions are those of the SQLite back end: the same
 * number means the same tables. The first version of PostgreSQL is FIRST_VERSION. A released step
 * is never changed: a later one changes what it created.
 *
 * Texts compare by bytes (COLLATE "C"), so that lists have the same order on every server.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/postgres/server.h"

enum {
    FIRST_VERSION = 7,
    LEASES_VERSION = 8,          /* the step that includes leases.sql */
    CHECKS_VERSION = 10,         /* likewise leases_10.sql */
    SUMS_VERSION = 11,           /* likewise leases_11.sql */
    SERVER_VERSION_MIN = 130000, /* pg_current_xact_id */
};

/* clang-format off */
static const char *const steps[] = {
    "CREATE TABLE package ("
    "  sha256 text COLLATE \"C\" PRIMARY KEY,"
    "  bytes bytea NOT NULL);"
    "ALTER TABLE package ALTER COLUMN bytes SET STORAGE EXTERNAL;"
    "CREATE TABLE bot ("
    "  id bigint PRIMARY KEY,"          /* without gaps: the last one plus 1 */
    "  previous bigint REFERENCES bot,"
    "  name text COLLATE \"C\" NOT NULL,"
    "  version text COLLATE \"C\" NOT NULL,"
    "  author text COLLATE \"C\" NOT NULL,"
    "  language text COLLATE \"C\" NOT NULL,"
    "  sha256 text COLLATE \"C\" NOT NULL REFERENCES package,"       /* hash of the package as submitted */
    "  built_sha256 text COLLATE \"C\" NOT NULL REFERENCES package," /* hash of the package that is run */
    "  submitted_us bigint NOT NULL,"
    "  retired_us bigint,"
    "  manifest text COLLATE \"C\","       /* bot.json as submitted; NULL: in the package */
    "  content_sha256 text COLLATE \"C\"," /* hash of the package without bot.json */
    "  taken_over boolean NOT NULL DEFAULT false,"
    "  UNIQUE (name, version));"
    "CREATE TABLE season ("
    "  id bigint PRIMARY KEY,"
    "  name text COLLATE \"C\" NOT NULL UNIQUE,"
    "  players text COLLATE \"C\" NOT NULL,"          /* '2', '2,3', ... */
    "  board smallint NOT NULL,"        /* enum store_board */
    "  turn_ms bigint NOT NULL,"
    "  bank_ms bigint NOT NULL,"
    "  gain_ms bigint NOT NULL,"
    "  start_ms bigint NOT NULL,"
    "  budget_games bigint NOT NULL,"
    "  until_decided boolean NOT NULL,"
    "  created_us bigint NOT NULL,"
    "  closed_us bigint,"
    "  memory_bytes bigint NOT NULL,"
    "  tier smallint NOT NULL,"
    "  \"freeze\" boolean NOT NULL,"
    "  pin boolean NOT NULL,"
    "  authors_free boolean NOT NULL,"
    "  closing_us bigint);"
    "CREATE TABLE opening ("
    "  season bigint NOT NULL REFERENCES season,"
    "  number integer NOT NULL,"
    "  seed bytea NOT NULL,"            /* secret until the opening is closed */
    "  commitment text COLLATE \"C\" NOT NULL,"
    "  by_hand boolean NOT NULL,"
    "  opened_us bigint NOT NULL,"
    "  closed_us bigint,"
    "  PRIMARY KEY (season, number));"
    "CREATE TABLE entry ("
    "  season bigint NOT NULL REFERENCES season,"
    "  number integer NOT NULL,"
    "  bot bigint NOT NULL REFERENCES bot,"
    "  batch integer NOT NULL,"
    "  PRIMARY KEY (season, number),"
    "  UNIQUE (season, bot));"
    "CREATE INDEX entry_bot ON entry (bot);"
    "CREATE TABLE batch ("
    "  season bigint NOT NULL REFERENCES season,"
    "  number integer NOT NULL,"
    "  opening integer NOT NULL,"
    "  event bigint NOT NULL,"          /* last event known to the choice; 0: none */
    "  seating integer NOT NULL,"       /* table sizes in the opening stage, as bits */
    "  PRIMARY KEY (season, number),"
    "  FOREIGN KEY (season, opening) REFERENCES opening);"
    "CREATE TABLE game_group ("
    "  season bigint NOT NULL REFERENCES season,"
    "  number integer NOT NULL,"
    "  batch integer NOT NULL,"
    "  opening integer NOT NULL,"
    "  board smallint NOT NULL,"        /* enum board_side */
    "  players smallint NOT NULL,"
    "  base0 integer NOT NULL,"         /* entries in base order */
    "  base1 integer NOT NULL,"
    "  base2 integer,"
    "  base3 integer,"
    "  PRIMARY KEY (season, number),"
    "  FOREIGN KEY (season, opening) REFERENCES opening,"
    "  FOREIGN KEY (season, base0) REFERENCES entry,"
    "  FOREIGN KEY (season, base1) REFERENCES entry,"
    "  FOREIGN KEY (season, base2) REFERENCES entry,"
    "  FOREIGN KEY (season, base3) REFERENCES entry);"
    /* A row here means that the game was played. */
    "CREATE TABLE game ("
    "  season bigint NOT NULL,"
    "  game_group integer NOT NULL,"
    "  rotation smallint NOT NULL,"
    "  opening integer NOT NULL,"       /* the opening in which the game was played */
    "  seed bytea,"
    "  started_us bigint NOT NULL,"
    "  wall_us bigint NOT NULL,"
    "  layers bigint NOT NULL,"         /* enum sandbox_layer bits */
    "  decisions integer NOT NULL,"
    "  forfeits text COLLATE \"C\","                  /* JSON, an array by seat */
    "  memory_bytes bigint NOT NULL,"
    "  tier smallint NOT NULL,"
    "  \"freeze\" boolean NOT NULL,"
    "  pin boolean NOT NULL,"
    "  replay_sha256 bytea,"
    "  checksum bytea,"
    "  PRIMARY KEY (season, game_group, rotation),"
    "  FOREIGN KEY (season, game_group) REFERENCES game_group);"
    /* Separate from game and replay, so that ratings read nothing else. */
    "CREATE TABLE seat ("
    "  season bigint NOT NULL,"
    "  game_group integer NOT NULL,"
    "  rotation smallint NOT NULL,"
    "  seat smallint NOT NULL,"
    "  entry integer NOT NULL,"
    "  score smallint NOT NULL,"
    "  rank smallint NOT NULL,"
    "  reason smallint NOT NULL,"       /* enum wire_reason */
    "  decisions integer NOT NULL,"
    "  us bigint NOT NULL,"
    "  us_max bigint NOT NULL,"
    "  times bytea NOT NULL,"           /* latency_pack */
    "  checksum bigint,"
    "  PRIMARY KEY (season, game_group, rotation, seat),"
    "  FOREIGN KEY (season, game_group, rotation) REFERENCES game);"
    "CREATE TABLE replay ("
    "  season bigint NOT NULL,"
    "  game_group integer NOT NULL,"
    "  rotation smallint NOT NULL,"
    "  bytes bytea NOT NULL,"
    "  PRIMARY KEY (season, game_group, rotation),"
    "  FOREIGN KEY (season, game_group, rotation) REFERENCES game);"
    "CREATE TABLE event ("
    "  id bigint PRIMARY KEY,"          /* counted by pavilion.last_event */
    "  time_us bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp())) * 1000000,"
    "  season bigint REFERENCES season," /* NULL: all */
    "  what text COLLATE \"C\" NOT NULL,"
    "  about text COLLATE \"C\" NOT NULL);"
    "CREATE INDEX event_season ON event (season);"
    "CREATE TABLE roster ("
    "  season bigint NOT NULL REFERENCES season,"
    "  name text COLLATE \"C\" NOT NULL,"
    "  PRIMARY KEY (season, name));"
    "CREATE TABLE ban ("
    "  id bigint PRIMARY KEY,"
    "  name text COLLATE \"C\","                      /* either name or author is set */
    "  author text COLLATE \"C\","
    "  void boolean NOT NULL,"
    "  banned_us bigint NOT NULL,"
    "  lifted_us bigint,"
    "  CHECK ((name IS NULL) <> (author IS NULL)));"
    "CREATE TABLE submission ("
    "  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
    "  name text COLLATE \"C\" NOT NULL,"
    "  version text COLLATE \"C\" NOT NULL,"
    "  author text COLLATE \"C\" NOT NULL,"
    "  sha256 text COLLATE \"C\" NOT NULL REFERENCES package,"
    "  state smallint NOT NULL,"        /* enum store_submission_state */
    "  takes_over boolean NOT NULL,"
    "  received_us bigint NOT NULL,"
    "  building_us bigint,"
    "  checking_us bigint,"
    "  ended_us bigint,"
    "  bot bigint REFERENCES bot,"
    "  report text COLLATE \"C\");"                   /* JSON */
    "CREATE INDEX submission_open ON submission (id) WHERE state < 3;"
    /* Who plays a season, and until when. SQLite uses a file lock for this. */
    "CREATE TABLE claim ("
    "  season text COLLATE \"C\" PRIMARY KEY,"
    "  owner text COLLATE \"C\" NOT NULL,"            /* machine and process, for people */
    "  identity text COLLATE \"C\" NOT NULL,"         /* random, per run of a process */
    "  expires_at timestamptz NOT NULL)",
    /* 7: the machine that played each game */
    "CREATE TABLE worker ("
    "  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
    "  name text COLLATE \"C\" NOT NULL,"
    "  host text COLLATE \"C\" NOT NULL,"
    "  processor text COLLATE \"C\" NOT NULL,"         /* model of the processor */
    "  architecture text COLLATE \"C\" NOT NULL,"
    "  layers bigint NOT NULL,"         /* enum sandbox_layer bits */
    "  tier smallint NOT NULL,"
    "  jobs integer NOT NULL,"
    "  cores integer NOT NULL,"
    "  playouts_s bigint NOT NULL,"     /* random games per second and core */
    "  started_us bigint NOT NULL,"
    "  seen_us bigint NOT NULL,"
    "  ended_us bigint);"
    "ALTER TABLE season ADD COLUMN processor text COLLATE \"C\";" /* NULL: any; '': the first player's */
    "ALTER TABLE game ADD COLUMN worker bigint REFERENCES worker;"
    "ALTER TABLE game ADD COLUMN delay_us bigint;"
    "CREATE INDEX game_worker ON game (worker)",
    /* 8: terms of replays, practice and standard error; pruned games */
    "ALTER TABLE season ADD COLUMN keep_games bigint,"
    "  ADD COLUMN is_practice boolean NOT NULL DEFAULT false,"
    "  ADD COLUMN publishes_errors boolean NOT NULL DEFAULT false;"
    "ALTER TABLE game ADD COLUMN is_pruned boolean NOT NULL DEFAULT false",
    /* 9: results of workers are checked; they hear of what closes (leases_10.sql) */
    "SELECT 1",
    /* 10: what workers bring is refused if lists could not read it (leases_11.sql) */
    "SELECT 1",
};
/* clang-format on */

enum {
    VERSION = FIRST_VERSION + sizeof steps / sizeof *steps - 1,
};

static int execute(struct store *store, const char *sql)
{
    PGresult *result;
    int error = server_execute(store, sql, &result);

    if (!error)
        libpq.PQclear(result);
    return error;
}

/* Returns 0 if table pavilion exists, or -ENOENT. */
static int find_table(struct store *store)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, "SELECT 1 WHERE to_regclass('pavilion') IS NOT NULL");
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    error = libpq.PQntuples(result) ? 0 : -ENOENT;
    libpq.PQclear(result);
    return error;
}

/*
 * Reads the version of the schema, 0 for a row that was just created; locks the row if
 * `for_update`.
 */
static int read_version(struct store *store, bool for_update)
{
    struct tuple tuple = {.table = "pavilion"};
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, for_update ? "SELECT version FROM pavilion FOR UPDATE"
                                  : "SELECT version FROM pavilion");
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    tuple.result = result;
    if (libpq.PQntuples(result) == 1)
        server_of(store)->version = tuple_int(&tuple, 0);
    else
        error = store_refuse(store, -EBADMSG,
                             "%s is damaged: table pavilion has no row; restore a "
                             "backup",
                             store_where(store));
    if (!error)
        error = tuple_end(store, &tuple);
    libpq.PQclear(result);
    return error;
}

/*
 * Creates table pavilion. If another process does so at the same time, one of the two fails because
 * the table exists.
 */
static int create_table(struct store *store)
{
    return execute(store, "CREATE TABLE IF NOT EXISTS pavilion ("
                          "  one boolean PRIMARY KEY DEFAULT true CHECK (one),"
                          "  version integer NOT NULL,"
                          "  last_event bigint NOT NULL);"
                          "INSERT INTO pavilion (version, last_event) VALUES (0, 0)"
                          "  ON CONFLICT DO NOTHING");
}

extern const char postgres_leases_sql[];    /* leases.sql */
extern const char postgres_leases_10_sql[]; /* leases_10.sql */
extern const char postgres_leases_11_sql[]; /* leases_11.sql */

/*
 * Creates the functions of leases.sql. They run with their owner's rights and use only this schema.
 */
static int add_functions(struct store *store, const char *sql)
{
    int error = execute(store, "SELECT set_config('search_path', quote_ident(current_schema()) ||"
                               " ', pg_temp', true)");

    return error ? error : execute(store, sql);
}

static int run_step(struct store *store, int version)
{
    struct server *server = server_of(store);
    char mark[80];
    int error = execute(store, steps[version ? version - FIRST_VERSION + 1 : 0]);

    if (!error && version == LEASES_VERSION - 1)
        error = add_functions(store, postgres_leases_sql);
    if (!error && version == CHECKS_VERSION - 1)
        error = add_functions(store, postgres_leases_10_sql);
    if (!error && version == SUMS_VERSION - 1)
        error = add_functions(store, postgres_leases_11_sql);
    if (error)
        return error;
    server->version = version ? version + 1 : FIRST_VERSION;
    snprintf(mark, sizeof mark, "UPDATE pavilion SET version = %d", server->version);
    return execute(store, mark);
}

/* Runs all missing steps in one transaction; only one process at a time does so. */
static int run_steps(struct store *store)
{
    struct attempt attempt = {.is_slow = true};

    while (server_begin(store, &attempt)) {
        int error = read_version(store, true);

        while (!error && server_of(store)->version < VERSION)
            error = run_step(store, server_of(store)->version);
        server_end(store, &attempt, error);
    }
    return attempt.error;
}

static int create(struct store *store)
{
    struct attempt attempt = {.is_slow = true};

    while (server_begin(store, &attempt)) {
        int error = create_table(store);

        server_end(store, &attempt, error == -EEXIST ? -EAGAIN : error);
    }
    return attempt.error;
}

static int check_server(struct store *store)
{
    PGconn *connection = server_of(store)->connection;
    const char *encoding = libpq.PQparameterStatus(connection, "server_encoding");
    int version = libpq.PQserverVersion(connection);

    if (version < SERVER_VERSION_MIN)
        return store_refuse(store, -ENOTSUP, "%s: the server is PostgreSQL %d; use 13 or newer",
                            store_where(store), version / 10000);
    if (encoding && strcmp(encoding, "UTF8") != 0)
        return store_refuse(store, -ENOTSUP,
                            "%s: the database is encoded in %s: make one with ENCODING 'UTF8'",
                            store_where(store), encoding);
    return 0;
}

/* Only the tables' owner may change them; a worker is told whom it waits for. */
static int upgrade(struct store *store)
{
    int version = server_of(store)->version, error = run_steps(store);

    if (error == -EACCES)
        store_refuse(store, error,
                     "%s was written by an older arena (schema %d, this one knows %d): the role "
                     "that owns the league brings it up to date: `arena store check`",
                     store_where(store), version, VERSION);
    return error;
}

int postgres_migrate(struct store *store)
{
    struct server *server = server_of(store);
    int error = check_server(store);

    if (error)
        return error;
    error = find_table(store);
    if (error == -ENOENT) {
        if (server->mode != STORE_CREATE)
            return store_refuse(store, -ENOENT, "there is no store in %s", store_where(store));
        error = create(store);
    }
    if (!error)
        error = read_version(store, false);
    if (error)
        return error;
    if (server->version > VERSION)
        return store_refuse(store, -ENOTSUP,
                            "%s was written by a newer arena (schema %d, this one knows %d): "
                            "use that arena",
                            store_where(store), server->version, VERSION);
    return server->version < VERSION ? upgrade(store) : 0;
}
