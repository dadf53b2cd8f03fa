/*
 * The PostgreSQL back end: one database with the same tables as SQLite's (schema.c). Many processes
 * on many machines may share it. transaction.c explains transactions; server.h says what a
 * connection may depend on.
 */
#include "arena/store/postgres/postgres.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

static const char *option_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val && *options->val ? options->val : NULL;
    return NULL;
}

/* Sets the name of the store in messages: its URL without secrets. */
static void name_store(struct store *store, const PQconninfoOption *options)
{
    const char *user = option_of(options, "user"), *host = option_of(options, "host");
    const char *port = option_of(options, "port"), *name = option_of(options, "dbname");
    char where[512];

    snprintf(where, sizeof where, "postgresql://%s%s%s%s%s/%s", user ? user : "", user ? "@" : "",
             host ? host : "", port ? ":" : "", port ? port : "", name ? name : "");
    store_set_where(store, where);
}

static int open_store(struct store *store, const char *address, enum store_mode mode)
{
    struct server *server = calloc(1, sizeof *server);
    int error;

    /* libpq's messages about a URL may contain the password. */
    store_set_where(store, "the store postgresql://...");
    if (!server)
        return -ENOMEM;
    server->mode = mode;
    store_set_state(store, server);
    if (!libpq_load())
        return store_refuse(store, -ENOTSUP,
                            "a PostgreSQL store needs libpq: install the Debian package libpq5");
    server->options = libpq.PQconninfoParse(store_url(store), NULL);
    (void)address;
    if (!server->options)
        return store_refuse(store, -EINVAL,
                            "the store's URL cannot be read: write postgresql://USER@HOST:PORT/"
                            "DATABASE, with special characters as %%40");
    name_store(store, server->options);
    error = server_connect(store);
    return error ? error : postgres_migrate(store);
}

static void close_store(struct store *store)
{
    struct server *server = server_of(store);

    if (!server)
        return;
    if (server->options) {
        postgres_season_release(store);
        server_disconnect(server);
        libpq.PQconninfoFree(server->options);
    }
    free(server);
}

static int read_version(const struct store *store)
{
    return server_of(store)->version;
}

static int backup(struct store *store, const char *path)
{
    return store_refuse(store, -ENOTSUP,
                        "%s: PostgreSQL has its own tool: pg_dump -Fc -f %s, and pg_restore",
                        store_where(store), path);
}

const struct store_backend postgres_backend = {
    .scheme = "postgresql",
    .open = open_store,
    .close = close_store,
    .version = read_version,
    .check = postgres_check,
    .backup = backup,
    .diagnose = postgres_diagnose,
    .begin = postgres_begin,
    .commit = postgres_commit,
    .rollback = postgres_rollback,
    .ban_add = postgres_ban_add,
    .ban_lift = postgres_ban_lift,
    .batch_add = postgres_batch_add,
    .batches_each = postgres_batches_each,
    .bot_add = postgres_bot_add,
    .bot_find = postgres_bot_find,
    .bot_retire = postgres_bot_retire,
    .bot_unretire = postgres_bot_unretire,
    .bots_each = postgres_bots_each,
    .entries_each = postgres_entries_each,
    .event_latest = postgres_event_latest,
    .events_each = postgres_events_each,
    .game_add = postgres_game_add,
    .games_each = postgres_games_each,
    .groups_each = postgres_groups_each,
    .heads_each = postgres_heads_each,
    .manifest_read = postgres_manifest_read,
    .openings_each = postgres_openings_each,
    .package_read = postgres_package_read,
    .replay_read = postgres_replay_read,
    .rows_each = postgres_rows_each,
    .row_add = postgres_row_add,
    .rows_end = postgres_rows_end,
    .replays_prunable = postgres_replays_prunable,
    .replays_prune = postgres_replays_prune,
    .results_each = postgres_results_each,
    .roster_each = postgres_roster_each,
    .roster_set = postgres_roster_set,
    .season_add = postgres_season_add,
    .season_begin_close = postgres_season_begin_close,
    .season_claim = postgres_season_claim,
    .season_close = postgres_season_close,
    .season_extend = postgres_season_extend,
    .season_find = postgres_season_find,
    .season_go_on = postgres_season_go_on,
    .season_take_processor = postgres_season_take_processor,
    .season_release = postgres_season_release,
    .season_reopen = postgres_season_reopen,
    .seasons_each = postgres_seasons_each,
    .submission_add = postgres_submission_add,
    .submission_advance = postgres_submission_advance,
    .submission_end = postgres_submission_end,
    .submissions_each = postgres_submissions_each,
    .worker_add = postgres_worker_add,
    .workers_each = postgres_workers_each,
    .worker_seats_each = postgres_worker_seats_each,
    .season_deal = postgres_season_deal,
    .lease_claim = postgres_lease_claim,
    .lease_renew = postgres_lease_renew,
    .leases_count = postgres_leases_count,
    .lease_return = postgres_lease_return,
    .lease_game_add = postgres_lease_game_add,
    .lease_manifest_read = postgres_lease_manifest_read,
    .lease_package_read = postgres_lease_package_read,
    .listen = postgres_listen,
    .heard = postgres_heard,
};
