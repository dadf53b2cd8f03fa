/* Operators' changes: events, bans, rosters. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

/* ---- events ---- */

/* Ids have no gaps and are in order of commits: the counter's row is locked until the commit. */
int postgres_event_add(struct store *store, int64_t season_id, const char *what, const char *format,
                       ...)
{
    char about[sizeof((struct store_event *)NULL)->about];
    struct query query;
    va_list arguments;
    int changed;

    va_start(arguments, format);
    vsnprintf(about, sizeof about, format, arguments);
    va_end(arguments);
    query_init(&query,
               "WITH next AS (UPDATE pavilion SET last_event = last_event + 1 RETURNING last_event)"
               " INSERT INTO event (id, season, what, about)"
               " SELECT last_event, nullif($1, 0), $2, $3 FROM next");
    query_int(&query, season_id);
    query_text(&query, what);
    query_text(&query, about);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

static int take_number(void *context, struct tuple *row)
{
    *(int64_t *)context = tuple_int64(row, 0);
    return 0;
}

int postgres_event_latest(struct store *store, int64_t *event)
{
    struct query query;

    query_init(&query, "SELECT last_event FROM pavilion");
    return server_first(store, &query, "pavilion", take_number, event);
}

static int tell_event(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_event event = {.id = tuple_int64(row, 0),
                                .time_us = tuple_int64(row, 1),
                                .season_id = tuple_int64_or_null(row, 2)};
    int error;

    tuple_text(row, 3, event.what, sizeof event.what);
    tuple_text(row, 4, event.about, sizeof event.about);
    error = tuple_end(telling->store, row);
    if (!error && ((store_event_fn *)telling->each_fn)(telling->context, &event) != 0)
        error = -EINTR;
    return error;
}

int postgres_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                         void *context)
{
    const struct listing listing = {"event",
                                    "SELECT id, time_us, season, what, about FROM event"
                                    " WHERE id > $1 AND (season IS NULL OR season = $3)"
                                    " ORDER BY id LIMIT $2",
                                    season_id};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_event, &telling);
}

/* ---- bans ---- */

/* Ends the current bans. Returns how many there were, or -errno. */
static int lift(struct store *store, const char *name, const char *author, bool voiding,
                int64_t now_us)
{
    struct query query;

    query_init(&query, "UPDATE ban SET lifted_us = $1 WHERE lifted_us IS NULL"
                       " AND (name = $2 OR author = $3) AND void <= $4");
    query_int(&query, now_us);
    query_text(&query, name);
    query_text(&query, author);
    query_bool(&query, voiding);
    return server_change(store, &query);
}

static int insert_ban(struct store *store, const char *name, const char *author, bool void_games,
                      int64_t now_us)
{
    struct query query;
    int changed;

    query_init(&query, "INSERT INTO ban (id, name, author, void, banned_us)"
                       " SELECT (SELECT coalesce(max(id), 0) + 1 FROM ban), $1, $2, $3, $4"
                       " WHERE NOT EXISTS (SELECT 1 FROM ban WHERE lifted_us IS NULL"
                       " AND (name = $1 OR author = $2))");
    query_text(&query, name);
    query_text(&query, author);
    query_bool(&query, void_games);
    query_int(&query, now_us);
    changed = server_change(store, &query);
    return changed < 0 ? changed : changed == 0 ? -EEXIST : 0;
}

static int ban(struct store *store, const char *name, const char *author, bool void_games,
               int64_t now_us)
{
    int error = 0;

    if (void_games) { /* replaces a ban without void_games */
        int lifted = lift(store, name, author, false, now_us);

        error = lifted < 0 ? lifted : 0;
    }
    if (!error)
        error = insert_ban(store, name, author, void_games, now_us);
    if (!error)
        error = postgres_event_add(store, 0, void_games ? "void" : "ban", "%s%s",
                                   name ? "" : "author ", name ? name : author);
    return error;
}

int postgres_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                     int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, ban(store, name, author, void_games, now_us));
    return attempt.error;
}

static int unban(struct store *store, const char *name, const char *author, int64_t now_us)
{
    int lifted = lift(store, name, author, true, now_us);

    if (lifted <= 0)
        return lifted < 0 ? lifted : -EEXIST;
    return postgres_event_add(store, 0, "unban", "%s%s", name ? "" : "author ",
                              name ? name : author);
}

int postgres_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, unban(store, name, author, now_us));
    return attempt.error;
}

/* ---- who may take part ---- */

static int replace_roster(struct store *store, int64_t season_id, const char *const *names,
                          size_t count)
{
    char about[STORE_ABOUT_BYTES];
    struct query query;
    int changed;

    query_init(&query, "DELETE FROM roster WHERE season = $1");
    query_int(&query, season_id);
    changed = server_change(store, &query);
    for (size_t i = 0; i < count && changed >= 0; i++) {
        query_init(&query, "INSERT INTO roster VALUES ($1, $2) ON CONFLICT DO NOTHING");
        query_int(&query, season_id);
        query_text(&query, names[i]);
        changed = server_change(store, &query);
    }
    for (size_t told = 0; changed >= 0 && store_roster_words(names, count, &told, about);)
        changed = postgres_event_add(store, season_id, "roster", "%s", about);
    return changed < 0 ? changed : 0;
}

int postgres_roster_set(struct store *store, int64_t season_id, const char *const *names,
                        size_t count)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, replace_roster(store, season_id, names, count));
    return attempt.error;
}

/* Reads a single page: a roster has few names. */
int postgres_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                         void *context)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, "SELECT name FROM roster WHERE season = $1 ORDER BY name");
    query_int(&query, season_id);
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    for (int i = 0; i < libpq.PQntuples(result) && !error; i++)
        if (each_fn(context, libpq.PQgetvalue(result, i, 0)) != 0)
            error = -EINTR;
    libpq.PQclear(result);
    return error;
}
