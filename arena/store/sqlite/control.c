/* Operators' changes: events, bans, rosters. */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int database_check_opening(struct store *store, int64_t season_id, int opening)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT 1 FROM opening WHERE season = ? AND number = ? AND closed_us IS NULL");
    int row;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int(find, 2, opening);
    row = database_step(store, find);
    if (row < 0)
        return row;
    sqlite3_reset(find);
    return row ? 0 : -ECANCELED;
}

/* ---- events ---- */

int database_add_event(struct store *store, int64_t season_id, const char *what, const char *format,
                       ...)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO event (season, what, about) VALUES (nullif(?, 0), ?, ?)");
    char about[sizeof((struct store_event *)NULL)->about];
    va_list arguments;

    if (!add)
        return database_error(store);
    va_start(arguments, format);
    vsnprintf(about, sizeof about, format, arguments);
    va_end(arguments);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_text(add, 2, what, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 3, about, -1, SQLITE_TRANSIENT);
    return database_run(store, add);
}

int sqlite_event_latest(struct store *store, int64_t *event)
{
    sqlite3_stmt *find = database_statement(store, "SELECT max(id) FROM event");
    int row;

    if (!find)
        return database_error(store);
    row = database_step(store, find);
    if (row < 0)
        return row;
    *event = sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
    return 0;
}

int sqlite_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                       void *context)
{
    sqlite3_stmt *list =
        database_statement(store, "SELECT id, time_us, season, what, about FROM event"
                                  " WHERE season IS NULL OR season = ? ORDER BY id");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "event", .key_count = 1};
        struct store_event event = {.id = row_int64(&row, 0),
                                    .time_us = row_int64(&row, 1),
                                    .season_id = row_int64_or_null(&row, 2)};
        int error;

        row_text(&row, 3, event.what, sizeof event.what);
        row_text(&row, 4, event.about, sizeof event.about);
        error = row_end(store, &row);
        if (!error && each_fn(context, &event) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

/* ---- bans ---- */

/* Ends the current bans. Returns how many there were, or -errno. */
static int lift(struct store *store, const char *name, const char *author, bool voiding,
                int64_t now_us)
{
    sqlite3_stmt *update =
        database_statement(store, "UPDATE ban SET lifted_us = ?1 WHERE lifted_us IS NULL AND"
                                  " (name = ?2 OR author = ?3) AND void <= ?4");
    int error;

    if (!update)
        return database_error(store);
    sqlite3_bind_int64(update, 1, now_us);
    sqlite3_bind_text(update, 2, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(update, 3, author, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(update, 4, voiding);
    error = database_run(store, update);
    return error ? error : sqlite3_changes(database_of(store)->connection);
}

static int insert_ban(struct store *store, const char *name, const char *author, bool void_games,
                      int64_t now_us)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO ban (name, author, void, banned_us) SELECT ?1, ?2, ?3, ?4"
               " WHERE NOT EXISTS (SELECT 1 FROM ban WHERE lifted_us IS NULL AND"
               " (name = ?1 OR author = ?2))");
    int error;

    if (!add)
        return database_error(store);
    sqlite3_bind_text(add, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 2, author, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(add, 3, void_games);
    sqlite3_bind_int64(add, 4, now_us);
    error = database_run(store, add);
    return !error && sqlite3_changes(database_of(store)->connection) == 0 ? -EEXIST : error;
}

int sqlite_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us)
{
    int error = database_begin(store);

    if (error)
        return error;
    if (void_games) { /* replaces a ban without void_games */
        int lifted = lift(store, name, author, false, now_us);

        error = lifted < 0 ? lifted : 0;
    }
    if (!error)
        error = insert_ban(store, name, author, void_games, now_us);
    if (!error)
        error = database_add_event(store, 0, void_games ? "void" : "ban", "%s%s",
                                   name ? "" : "author ", name ? name : author);
    return database_end(store, error);
}

int sqlite_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us)
{
    int lifted, error = database_begin(store);

    if (error)
        return error;
    lifted = lift(store, name, author, true, now_us);
    error = lifted < 0 ? lifted : lifted == 0 ? -EEXIST : 0;
    if (!error)
        error = database_add_event(store, 0, "unban", "%s%s", name ? "" : "author ",
                                   name ? name : author);
    return database_end(store, error);
}

int sqlite_bot_unretire(struct store *store, const char *name)
{
    sqlite3_stmt *unretire = database_statement(
        store, "UPDATE bot SET retired_us = NULL WHERE name = ?1 AND retired_us IS NOT NULL");
    int error;

    if (!unretire)
        return database_error(store);
    sqlite3_bind_text(unretire, 1, name, -1, SQLITE_TRANSIENT);
    if ((error = database_begin(store)) < 0)
        return error;
    error = database_run(store, unretire);
    if (!error && sqlite3_changes(database_of(store)->connection) == 0)
        error = -EEXIST;
    if (!error)
        error = database_add_event(store, 0, "unretire", "%s", name);
    return database_end(store, error);
}

/* ---- who may take part ---- */

static int roster_clear(struct store *store, int64_t season_id)
{
    sqlite3_stmt *clear = database_statement(store, "DELETE FROM roster WHERE season = ?");

    if (!clear)
        return database_error(store);
    sqlite3_bind_int64(clear, 1, season_id);
    return database_run(store, clear);
}

static int roster_add(struct store *store, int64_t season_id, const char *name)
{
    sqlite3_stmt *add =
        database_statement(store, "INSERT OR IGNORE INTO roster (season, name) VALUES (?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_text(add, 2, name, -1, SQLITE_TRANSIENT);
    return database_run(store, add);
}

int sqlite_roster_set(struct store *store, int64_t season_id, const char *const *names,
                      size_t count)
{
    char about[STORE_ABOUT_BYTES];
    int error = database_begin(store);

    if (error)
        return error;
    error = roster_clear(store, season_id);
    for (size_t i = 0; i < count && !error; i++)
        error = roster_add(store, season_id, names[i]);
    for (size_t told = 0; !error && store_roster_words(names, count, &told, about);)
        error = database_add_event(store, season_id, "roster", "%s", about);
    return database_end(store, error);
}

int sqlite_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context)
{
    sqlite3_stmt *list =
        database_statement(store, "SELECT name FROM roster WHERE season = ? ORDER BY name");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        if (each_fn(context, (const char *)sqlite3_column_text(list, 0)) != 0) {
            sqlite3_reset(list);
            return -EINTR;
        }
    }
    return found;
}
