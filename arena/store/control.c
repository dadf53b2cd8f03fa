/* SPDX-License-Identifier: MIT */
/* Changes by organizers: events, bans, and the rosters of seasons. */
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/store/names.h"
#include "arena/store/schema.h"
#include "arena/base/clock.h"

/* ---- events ---- */

const char *store_actor;

void store_act_as(struct store *store, const char *who)
{
    snprintf(store->who, sizeof store->who, "%s", who);
}

/* Returns the user who logged in, also after su and sudo; or this process's user. */
static uid_t login_user(void)
{
    FILE *file = fopen("/proc/self/loginuid", "re");
    uid_t user = (uid_t)-1; /* nobody logged in: a service started the process */

    if (file && fscanf(file, "%u", &user) != 1)
        user = (uid_t)-1;
    if (file)
        fclose(file);
    return user == (uid_t)-1 ? getuid() : user;
}

/* Writes who acts: for an author's or organizer's question, for the daemon, or at a terminal. */
static void name_actor(const struct store *store, char who[static STORE_WHO_BYTES])
{
    char host[32] = "", buffer[4096];
    struct passwd entry, *found = NULL;
    const uid_t user = login_user();

    if (*store->who || store_actor) {
        snprintf(who, STORE_WHO_BYTES, "%s", *store->who ? store->who : store_actor);
        return;
    }
    gethostname(host, sizeof host - 1);
    getpwuid_r(user, &entry, buffer, sizeof buffer, &found);
    if (found)
        snprintf(who, STORE_WHO_BYTES, "%.32s@%s", entry.pw_name, host);
    else
        snprintf(who, STORE_WHO_BYTES, "%u@%s", user, host);
}

/*
 * Event ids have no gaps and follow the order of commits, because the UPDATE locks the row with the
 * last id until the transaction ends.
 */
int store_add_event(struct store *store, int64_t season_id, const char *what, const char *format,
                    ...)
{
    struct store_event event = {.season_id = season_id > 0 ? season_id : 0,
                                .is_of_account = season_id == EVENT_OF_ACCOUNT,
                                .time_us = clock_time_us()};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(event.about, sizeof event.about, format, arguments);
    va_end(arguments);
    snprintf(event.what, sizeof event.what, "%s", what);
    name_actor(store, event.who);
    sql_hint(store, STORE_CHANNEL_WORK); /* playing workers learn of bans, and of closings */
    return sql_number(store,
                      SQL("UPDATE pavilion SET last_event = last_event + 1 RETURNING last_event"),
                      &event.id)
               ?: table_insert(store, TABLE_EVENT, 0, &event);
}

int store_event_latest(struct store *store, int64_t *event)
{
    return sql_number(store, SQL("SELECT last_event FROM pavilion"), event);
}

int store_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                      void *context)
{
    struct store_event event;

    return SQL_LIST(
        store,
        SQL_PAGES("SELECT * FROM event WHERE id > $1 AND (season = $3 OR (season IS NULL"
                  " AND of_account = FALSE)) ORDER BY id LIMIT $2",
                  .season_id = season_id),
        table_read(&rows, 0, TABLE_EVENT, &event), each_fn(context, &event));
}

int store_changes_each(struct store *store, int64_t after, store_change_fn *each_fn, void *context)
{
    const int name_column = schema_tables[TABLE_EVENT].column_count;
    char season[STORE_NAME_BYTES_MAX + 1];
    struct store_event event;

    return SQL_EACH(store,
                    SQL("SELECT event.*, coalesce(season.name, '') FROM event"
                        " LEFT JOIN season ON season.id = event.season WHERE event.id > $1"
                        " ORDER BY event.id LIMIT 16",
                        sql_int(after)),
                    (table_read(&rows, 0, TABLE_EVENT, &event),
                     row_text(&rows, name_column, season, sizeof season)),
                    each_fn(context, &event, season));
}

/* ---- bans: of a name or of an author ---- */

/*
 * Lifts the current bans of a name or an author; bans with void_games only if `voiding` is set.
 * Returns the number of lifted bans, or -errno.
 */
static int lift(struct store *store, const char *name, const char *author, bool voiding,
                int64_t now_us)
{
    return sql_run(store,
                   SQL("UPDATE ban SET lifted_us = $1 WHERE lifted_us IS NULL"
                       " AND (name = $2 OR author = $3) AND (void = FALSE OR $4)",
                       sql_int(now_us), sql_text(name), sql_text(author), sql_bool(voiding)));
}

/*
 * Adds a ban unless the name or author is already banned. Returns the number of added bans (0 or
 * 1), or -errno.
 */
static int insert_ban(struct store *store, const char *name, const char *author, bool void_games,
                      int64_t now_us)
{
    return sql_run(store,
                   SQL("INSERT INTO ban (id, name, author, void, banned_us)"
                       " SELECT (SELECT coalesce(max(id), 0) + 1 FROM ban), $1, $2, $3, $4"
                       " WHERE NOT EXISTS (SELECT 1 FROM ban WHERE lifted_us IS NULL"
                       " AND (name = $1 OR author = $2))",
                       sql_text(name), sql_text(author), sql_bool(void_games), sql_int(now_us)));
}

static int add_ban(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us)
{
    struct store_bot bot;
    int count = name ? store_bot_find(store, name, NULL, &bot) : 0;

    if (count == 0 && !name && !store_text_is_valid(author))
        count =
            store_explain(store, -EINVAL,
                          "an author's name has 1 to 64 bytes of text without control characters");
    if (count == 0 && void_games) /* the new ban replaces a ban without void_games */
        count = lift(store, name, author, false, now_us);
    if (count >= 0)
        count = insert_ban(store, name, author, void_games, now_us);
    if (count == 0)
        return store_refuse(store, -EEXIST, "%s is already banned", name ? name : author);
    return count < 0 ? count
                     : store_add_event(store, EVENT_OF_ALL, void_games ? "void" : "ban", "%s%s",
                                       name ? "" : "author ", name ? name : author);
}

/* Returns an author as the store spells it (store_author_adopt), or NULL. */
static const char *spell(struct store *store, const char *author,
                         char own[static STORE_TEXT_BYTES_MAX + 1])
{
    if (!author || strlen(author) > STORE_TEXT_BYTES_MAX)
        return author;
    strcpy(own, author);
    store_author_adopt(store, own);
    return own;
}

int store_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                  int64_t now_us)
{
    char own[STORE_TEXT_BYTES_MAX + 1];

    return SQL_TRANSACTION(store, SQL_CONTROL,
                           add_ban(store, name, spell(store, author, own), void_games, now_us));
}

static int end_ban(struct store *store, const char *name, const char *author, int64_t now_us)
{
    int count = lift(store, name, author, true, now_us);

    if (count == 0)
        return store_refuse(store, -EEXIST, "%s is not banned", name ? name : author);
    return count < 0 ? count
                     : store_add_event(store, EVENT_OF_ALL, "unban", "%s%s", name ? "" : "author ",
                                       name ? name : author);
}

int store_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us)
{
    char own[STORE_TEXT_BYTES_MAX + 1];

    return SQL_TRANSACTION(store, SQL_CONTROL,
                           end_ban(store, name, spell(store, author, own), now_us));
}

/* ---- games of a worker ---- */

/* SQL: the games of a season that a worker began at a time or later. */
#define GAMES_OF_WORKER "season = $1 AND worker = $2 AND started_us >= $3"

static int void_games(struct store *store, const struct store_season *season, int64_t worker_id,
                      int64_t from_us, int *count)
{
    const struct sql_value id = sql_int(season->id), worker = sql_int(worker_id),
                           from = sql_int(from_us);
    int64_t ends_us;
    int delivered = 0, error = sql_number(store,
                                          SQL("SELECT coalesce(closed_us, closing_us) FROM season"
                                              " WHERE id = $1",
                                              id),
                                          &ends_us);

    if (!error && ends_us)
        return store_refuse(store, -EINVAL,
                            "season %s is closed or being closed, so that its games cannot be "
                            "played again: `arena season reopen %s` opens it",
                            season->name, season->name);
    /*
     * First of what the daemon has not judged yet, of which only the time of the delivery is known:
     * a daemon that stores such a game removes its delivery, too, so that one waits for the other.
     */
    if (!error && store->driver->has_leases)
        error = delivered = sql_run(store, SQL("DELETE FROM inbox WHERE season = $1 AND worker = $2"
                                               " AND received_at >= to_timestamp($3 / 1000000.0)",
                                               id, worker, from));
    if (error >= 0)
        error = sql_change(store, SQL("DELETE FROM replay WHERE season = $1 AND"
                                      " (game_group, rotation) IN (SELECT game_group, rotation"
                                      "  FROM game WHERE " GAMES_OF_WORKER ")",
                                      id, worker, from));
    if (error)
        return error;
    *count = sql_run(store, SQL("DELETE FROM game WHERE " GAMES_OF_WORKER, id, worker, from));
    *count = *count < 0 ? *count : *count + delivered;
    if (*count == 0)
        return store_refuse(store, -ENOENT,
                            "season %s has no such game of worker %lld: `arena workers` lists the "
                            "workers",
                            season->name, (long long)worker_id);
    return *count < 0 ? *count
                      : store_add_event(store, season->id, "void-games", "%d game%s of worker %lld",
                                        *count, *count == 1 ? "" : "s", (long long)worker_id);
}

int store_games_void(struct store *store, const struct store_season *season, int64_t worker_id,
                     int64_t from_us)
{
    int count = 0, error = SQL_TRANSACTION(store, SQL_CONTROL,
                                           void_games(store, season, worker_id, from_us, &count));

    return error ? error : count;
}

/* ---- rosters: who may take part in a season ---- */

/*
 * Writes the text of the next event about a roster. The first text is "all", or "only a,b"; each
 * further text is "and c,d", with the names that did not fit into the texts before. *from is the
 * index of the first name to write: the caller sets it to 0, and each call advances it. Returns
 * false if no names are left.
 */
static bool write_roster_words(const char *const *names, size_t count, size_t *from,
                               char about[static STORE_ABOUT_BYTES])
{
    size_t first = *from, size;

    if (first > 0 && first >= count)
        return false;
    strcpy(about, count == 0 ? "all" : first == 0 ? "only " : "and ");
    if (count == 0)
        *from = 1;
    for (size = strlen(about); *from < count && size + strlen(names[*from]) + 1 < STORE_ABOUT_BYTES;
         size = strlen(about)) {
        if (*from > first)
            about[size++] = ',';
        strcpy(about + size, names[(*from)++]);
    }
    return true;
}

static int set_roster(struct store *store, int64_t season_id, const char *const *names,
                      size_t count)
{
    char about[STORE_ABOUT_BYTES];
    struct store_bot bot;
    int error = sql_change(store, SQL("DELETE FROM roster WHERE season = $1", sql_int(season_id)));

    for (size_t i = 0; i < count && !error; i++)
        error = store_bot_find(store, names[i], NULL, &bot)
                    ?: sql_change(store, SQL(table_insert_text(TABLE_ROSTER, 1), sql_int(season_id),
                                             sql_text(names[i])));
    for (size_t from = 0; !error && write_roster_words(names, count, &from, about);)
        error = store_add_event(store, season_id, "roster", "%s", about);
    return error;
}

int store_roster_set(struct store *store, int64_t season_id, const char *const *names, size_t count)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_roster(store, season_id, names, count));
}

int store_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn, void *context)
{
    char name[STORE_NAME_BYTES_MAX + 1];

    return SQL_EACH(
        store,
        SQL("SELECT season, name FROM roster WHERE season = $1 ORDER BY name", sql_int(season_id)),
        (row_name(&rows, "roster", 0, 2), row_text(&rows, 1, name, sizeof name),
         row_require(&rows, 1, store_name_is_valid(name), "the name is not " STORE_NAME_RULE)),
        each_fn(context, name));
}
