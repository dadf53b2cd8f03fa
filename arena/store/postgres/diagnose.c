/* Checks of the server for the operator, each by a query. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/store/postgres/server.h"

enum {
    TEXT_BYTES = 512,
    CLOCK_US_MAX = 1000000,
    IDLE_S_MAX = 60, /* for an idle transaction: a longer one needlessly holds back vacuum */
    DEAD_ROWS_MIN = 10000,
};

struct diagnosis {
    struct store *store;
    store_finding_fn *each_fn;
    void *context;
};

__attribute__((format(printf, 5, 6))) static void tell(const struct diagnosis *diagnosis,
                                                       bool is_well, const char *check,
                                                       const char *cure, const char *format, ...)
{
    char found[TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(found, sizeof found, format, arguments);
    va_end(arguments);
    diagnosis->each_fn(diagnosis->context, &(struct store_finding){.is_well = is_well,
                                                                   .check = check,
                                                                   .found = found,
                                                                   .cure = is_well ? "" : cure});
}

/*
 * Runs a query and copies the columns of its first row as text; "" for NULL and if there is no row.
 */
static int ask(const struct diagnosis *diagnosis, const char *sql, char (*texts)[TEXT_BYTES],
               int count)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, sql);
    if ((error = server_run(diagnosis->store, &query, &result)) < 0)
        return error;
    for (int i = 0; i < count; i++)
        snprintf(texts[i], TEXT_BYTES, "%s",
                 libpq.PQntuples(result) ? libpq.PQgetvalue(result, 0, i) : "");
    libpq.PQclear(result);
    return 0;
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- the server ---- */

static int check_clock(const struct diagnosis *diagnosis)
{
    char text[1][TEXT_BYTES];
    int64_t before_us = now_us(), ahead_us;
    int error =
        ask(diagnosis, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text",
            text, 1);

    if (error)
        return error;
    ahead_us = atoll(text[0]) - (before_us + now_us()) / 2;
    tell(diagnosis, ahead_us < CLOCK_US_MAX && ahead_us > -CLOCK_US_MAX, "clock",
         "synchronize both machines' clocks with NTP (chrony, systemd-timesyncd)",
         "the server's is %.3f s %s this machine's",
         (double)(ahead_us < 0 ? -ahead_us : ahead_us) / 1e6, ahead_us < 0 ? "behind" : "ahead of");
    return 0;
}

/* With a pooler, the session PID that the client sees is made up. */
static int check_connection(const struct diagnosis *diagnosis)
{
    char texts[3][TEXT_BYTES];
    int error = ask(diagnosis,
                    "SELECT pg_backend_pid()::text, coalesce(inet_server_addr()::text, ''),"
                    " (SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid())",
                    texts, 3);
    const char *address = texts[1];
    bool is_direct, is_near;

    if (error)
        return error;
    is_direct = atoi(texts[0]) == libpq.PQbackendPID(server_of(diagnosis->store)->connection);
    is_near = !*address || strncmp(address, "127.", 4) == 0 || strncmp(address, "::1", 3) == 0;
    tell(diagnosis, is_direct, "connection",
         "give `arena worker` and `arena serve` the server's own address, because they use LISTEN; "
         "all other commands may go through a pooler",
         "%s", is_direct ? "direct" : "through a pooler, such as pgbouncer");
    tell(diagnosis, is_near || texts[2][0] == 't', "encryption",
         "add ?sslmode=verify-full to the URL, and certificates to the server", "%s",
         texts[2][0] == 't' ? "TLS"
         : is_near          ? "none, on this machine"
                            : "none, over the network");
    return 0;
}

static int check_settings(const struct diagnosis *diagnosis)
{
    char texts[5][TEXT_BYTES];
    int error = ask(diagnosis,
                    "SELECT current_setting('fsync'), current_setting('full_page_writes'),"
                    " current_setting('synchronous_commit'), current_setting('autovacuum'),"
                    " current_setting('server_version')",
                    texts, 5);
    bool is_durable;

    if (error)
        return error;
    is_durable =
        strcmp(texts[0], "on") == 0 && strcmp(texts[1], "on") == 0 && strcmp(texts[2], "off") != 0;
    tell(diagnosis, true, "server", "", "PostgreSQL %s", texts[4]);
    tell(diagnosis, is_durable, "durability",
         "turn them on in postgresql.conf, or a power failure loses games that were already shown",
         "fsync %s, full_page_writes %s, synchronous_commit %s", texts[0], texts[1], texts[2]);
    tell(diagnosis, strcmp(texts[3], "on") == 0, "autovacuum", "turn it on in postgresql.conf",
         "%s", texts[3]);
    return 0;
}

/* ---- what holds back vacuum, and how many transaction ids are left ---- */

static int check_prepared(const struct diagnosis *diagnosis)
{
    char texts[3][TEXT_BYTES], cure[TEXT_BYTES];
    int error = ask(diagnosis,
                    "SELECT age(transaction)::text,"
                    " ceil(extract(epoch FROM clock_timestamp() - prepared))::bigint::text, gid"
                    " FROM pg_prepared_xacts WHERE database = current_database()"
                    " ORDER BY age(transaction) DESC LIMIT 1",
                    texts, 3);

    if (error || !*texts[2])
        return error;
    snprintf(cure, sizeof cure, "its program, or you: ROLLBACK PREPARED '%.60s'", texts[2]);
    tell(diagnosis, atoll(texts[1]) <= IDLE_S_MAX, "prepared transaction", cure,
         "%s transactions old, prepared %s s ago under the name %.60s", texts[0], texts[1],
         texts[2]);
    return 0;
}

static int check_xmin(const struct diagnosis *diagnosis)
{
    char texts[4][TEXT_BYTES];
    int error = ask(diagnosis,
                    "SELECT greatest(age(backend_xmin), age(backend_xid))::text,"
                    " ceil(extract(epoch FROM clock_timestamp() - xact_start))::bigint::text,"
                    " pid::text, current_user::text FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                    " AND coalesce(backend_xmin, backend_xid) IS NOT NULL"
                    " ORDER BY greatest(age(backend_xmin), age(backend_xid)) DESC LIMIT 1",
                    texts, 4);
    char cure[TEXT_BYTES];

    if (error)
        return error;
    if (*texts[2] && !*texts[1]) {
        snprintf(cure, sizeof cure, "GRANT pg_read_all_stats TO \"%.60s\"", texts[3]);
        tell(diagnosis, false, "oldest xmin", cure,
             "%s transactions old, held by session %s of another role, for how long this role may "
             "not see",
             texts[0], texts[2]);
    } else if (!*texts[2]) {
        tell(diagnosis, true, "oldest xmin", "",
             "no transaction keeps VACUUM from removing dead rows");
    } else {
        snprintf(cure, sizeof cure, "end it: SELECT pg_terminate_backend(%.20s)", texts[2]);
        tell(diagnosis, atoll(texts[1]) <= IDLE_S_MAX, "oldest xmin", cure,
             "%s transactions old, held for %s s by session %s", texts[0], texts[1], texts[2]);
    }
    error = ask(diagnosis,
                "SELECT greatest(age(xmin), age(catalog_xmin))::text, slot_name::text"
                " FROM pg_replication_slots WHERE xmin IS NOT NULL OR catalog_xmin IS NOT NULL"
                " ORDER BY 1 DESC LIMIT 1",
                texts, 2);
    if (!error && *texts[1]) {
        snprintf(cure, sizeof cure, "start its reader, or SELECT pg_drop_replication_slot('%.60s')",
                 texts[1]);
        tell(diagnosis, atoll(texts[0]) < 1000000, "replication slot", cure,
             "%s keeps VACUUM from removing dead rows of the last %s transactions", texts[1],
             texts[0]);
    }
    return error;
}

/* Finds the table with the largest share of dead rows. */
static int check_bloat(const struct diagnosis *diagnosis)
{
    char texts[4][TEXT_BYTES], cure[TEXT_BYTES];
    int error = ask(diagnosis,
                    "SELECT relname::text, n_dead_tup::text, n_live_tup::text,"
                    " pg_size_pretty(pg_database_size(current_database()))"
                    " FROM pg_stat_user_tables ORDER BY n_dead_tup - n_live_tup / 5 DESC LIMIT 1",
                    texts, 4);

    if (error)
        return error;
    snprintf(cure, sizeof cure, "VACUUM \"%.60s\", and see why autovacuum does not", texts[0]);
    tell(diagnosis, atoll(texts[1]) < DEAD_ROWS_MIN || atoll(texts[1]) < atoll(texts[2]) / 5,
         "dead rows", cure, "%s in table %s, beside %s live rows; the database has %s", texts[1],
         texts[0], texts[2], texts[3]);
    return 0;
}

/* ---- indexes ---- */

static const struct {
    const char *name;
    const char *cure;
} indexes[] = {
    {"entry_bot", "CREATE INDEX entry_bot ON entry (bot)"},
    {"event_season", "CREATE INDEX event_season ON event (season)"},
    {"game_worker", "CREATE INDEX game_worker ON game (worker)"},
    {"submission_open", "CREATE INDEX submission_open ON submission (id) WHERE state < 3"},
    {"bot_name_version_key", "ALTER TABLE bot ADD UNIQUE (name, version)"},
    {"season_name_key", "ALTER TABLE season ADD UNIQUE (name)"},
    {"entry_season_bot_key", "ALTER TABLE entry ADD UNIQUE (season, bot)"},
    {"package_pkey", "ALTER TABLE package ADD PRIMARY KEY (sha256)"},
    {"bot_pkey", "ALTER TABLE bot ADD PRIMARY KEY (id)"},
    {"season_pkey", "ALTER TABLE season ADD PRIMARY KEY (id)"},
    {"opening_pkey", "ALTER TABLE opening ADD PRIMARY KEY (season, number)"},
    {"entry_pkey", "ALTER TABLE entry ADD PRIMARY KEY (season, number)"},
    {"batch_pkey", "ALTER TABLE batch ADD PRIMARY KEY (season, number)"},
    {"game_group_pkey", "ALTER TABLE game_group ADD PRIMARY KEY (season, number)"},
    {"game_pkey", "ALTER TABLE game ADD PRIMARY KEY (season, game_group, rotation)"},
    {"seat_pkey", "ALTER TABLE seat ADD PRIMARY KEY (season, game_group, rotation, seat)"},
    {"replay_pkey", "ALTER TABLE replay ADD PRIMARY KEY (season, game_group, rotation)"},
    {"event_pkey", "ALTER TABLE event ADD PRIMARY KEY (id)"},
    {"roster_pkey", "ALTER TABLE roster ADD PRIMARY KEY (season, name)"},
    {"submission_pkey", "ALTER TABLE submission ADD PRIMARY KEY (id)"},
    {"claim_pkey", "ALTER TABLE claim ADD PRIMARY KEY (season)"},
    {"ban_pkey", "ALTER TABLE ban ADD PRIMARY KEY (id)"},
    {"worker_pkey", "ALTER TABLE worker ADD PRIMARY KEY (id)"},
    {"worker_identity_key", "ALTER TABLE worker ADD UNIQUE (identity)"},
    {"game_group_free", "CREATE INDEX game_group_free ON game_group (season, number)"
                        " WHERE is_open AND lease_until IS NULL"},
    {"game_group_leased", "CREATE INDEX game_group_leased ON game_group (lease_until)"
                          " WHERE lease_until IS NOT NULL"},
    {"game_group_holder", "CREATE INDEX game_group_holder ON game_group (lease_worker)"
                          " WHERE lease_worker IS NOT NULL"},
    {"game_group_open", "CREATE INDEX game_group_open ON game_group (season, batch) WHERE is_open"},
};

static int check_indexes(const struct diagnosis *diagnosis)
{
    int missing_count = 0;

    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        struct query query;
        int found;

        query_init(&query, "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND"
                           " indisvalid");
        query_text(&query, indexes[i].name);
        found = server_change(diagnosis->store, &query);
        if (found < 0)
            return found;
        if (found == 0) {
            missing_count++;
            tell(diagnosis, false, "index", indexes[i].cure, "%s is missing, or not valid",
                 indexes[i].name);
        }
    }
    if (missing_count == 0)
        tell(diagnosis, true, "indexes", "", "all %zu are there", sizeof indexes / sizeof *indexes);
    return 0;
}

int postgres_diagnose(struct store *store, store_finding_fn *each_fn, void *context)
{
    const struct diagnosis diagnosis = {store, each_fn, context};
    int error = check_settings(&diagnosis);

    if (!error)
        error = check_connection(&diagnosis);
    if (!error)
        error = check_clock(&diagnosis);
    if (!error)
        error = check_xmin(&diagnosis);
    if (!error)
        error = check_prepared(&diagnosis);
    if (!error)
        error = check_bloat(&diagnosis);
    return error ? error : check_indexes(&diagnosis);
}
