/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/authors.h"
#include "arena/store/schema.h"
#include "arena/base/clock.h"

const char *const store_boards[] = {"colored", "gray", "both", NULL};

/* ---- reading ---- */

static int find_season(struct store *store, const struct sql_query *query,
                       struct store_season *season)
{
    return SQL_FIND(
        store, query,
        (*season = (struct store_season){0}, table_read(&rows, 0, TABLE_SEASON, season)));
}

int store_season_find(struct store *store, const char *name, struct store_season *season)
{
    int error =
        find_season(store, SQL("SELECT * FROM season WHERE name = $1", sql_text(name)), season);

    if (error == -ENOENT)
        store_refuse(store, error, "there is no season %s: `arena season list` lists the seasons",
                     name);
    return error;
}

int store_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    struct store_season season = {0};

    return SQL_LIST(store, SQL_PAGES("SELECT * FROM season WHERE id > $1 ORDER BY id LIMIT $2"),
                    table_read(&rows, 0, TABLE_SEASON, &season), each_fn(context, &season));
}

/*
 * A listing of the rows of one season in a table whose key is (season, number). Each row must have
 * the number after that of the row before.
 */
#define SEASON_PAGES(table)                                                                        \
    SQL_PAGES("SELECT * FROM " table                                                               \
              " WHERE number > $1 AND season = $3 ORDER BY number LIMIT $2",                       \
              .after = -1, .season_id = season_id, .key_column = 1)

/* Reads a row whose number must be `number`. */
static void read_numbered(struct sql_rows *rows, enum schema_table_number table, void *record,
                          int64_t number)
{
    table_read(rows, 0, table, record);
    row_require(rows, 1, row_int64(rows, 1) == number,
                "the row with the preceding number is missing");
}

int store_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                        void *context)
{
    struct store_opening opening;
    int64_t count = 0;

    return SQL_LIST(store, SEASON_PAGES("opening"),
                    read_numbered(&rows, TABLE_OPENING, &opening, count++),
                    each_fn(context, &opening));
}

int store_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                       void *context)
{
    struct store_entry entry;
    int64_t count = 0;

    return SQL_LIST(store, SEASON_PAGES("entry"),
                    read_numbered(&rows, TABLE_ENTRY, &entry, count++), each_fn(context, &entry));
}

int store_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                       void *context)
{
    struct store_batch batch;
    int64_t count = 0;

    return SQL_LIST(store, SEASON_PAGES("batch"),
                    read_numbered(&rows, TABLE_BATCH, &batch, count++), each_fn(context, &batch));
}

static bool base_is_sound(const struct store_group *group)
{
    for (int i = 0; i < group->player_count; i++)
        for (int j = 0; j < i; j++)
            if (group->base[i] < 0 || group->base[i] == group->base[j])
                return false;
    return true;
}

static void read_group(struct sql_rows *rows, struct store_group *group, int64_t number)
{
    read_numbered(rows, TABLE_GROUP, group, number);
    row_require(rows, 2, group->batch <= group->number, "out of range");
    row_require(rows, 6, base_is_sound(group), "two seats of the group's games have the same bot");
}

int store_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                      void *context)
{
    struct store_group group;
    int64_t count = 0;

    return SQL_LIST(store, SEASON_PAGES("game_group"), read_group(&rows, &group, count++),
                    each_fn(context, &group));
}

/* ---- a new season ---- */

/* Adds an opening (a period in which a season is open) as open; ignores opening->closed_us. */
static int insert_opening(struct store *store, int64_t season_id,
                          const struct store_opening *opening)
{
    struct store_opening row = *opening;

    row.closed_us = 0;
    return table_insert(store, TABLE_OPENING, season_id, &row);
}

static int add_season(struct store *store, struct store_season *season,
                      const struct store_opening *opening)
{
    int error = sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM season"), &season->id);
    const int64_t games = season->games_a_day ? season->games_a_day : season->budget_games;

    season->closing_us = season->closed_us = 0;
    if (!error)
        error = table_insert(store, TABLE_SEASON, 0, season);
    if (error == -EEXIST)
        store_refuse(store, error, "season %s already exists: choose another name", season->name);
    return error
               ?: insert_opening(store, season->id, opening)
               ?: store_add_event(store, season->id, "new",
                                  season->games_a_day ? "%lld game%s a day for each bot" : "budget %lld game%s",
                                  (long long)games, games == 1 ? "" : "s");
}

int store_season_add(struct store *store, struct store_season *season,
                     const struct store_opening *opening)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, add_season(store, season, opening));
}

/* ---- changes: a season is read, changed and written in one transaction ---- */

/*
 * Reads a season. Fails with -EEXIST unless the season is open (is_open) or closed (!is_open):
 * the message is the season's name and `refusal`.
 */
static int read_season(struct store *store, int64_t season_id, bool is_open, const char *refusal,
                       struct store_season *season)
{
    int error =
        find_season(store, SQL("SELECT * FROM season WHERE id = $1", sql_int(season_id)), season);

    return !error && is_open != !season->closed_us
               ? store_refuse(store, -EEXIST, "season %s is %s", season->name, refusal)
               : error;
}

static int check_budget(struct store *store, int64_t games)
{
    return games >= 0 && games <= STORE_BUDGET_GAMES_MAX
               ? 0
               : store_refuse(store, -ERANGE,
                              "a season's budget is at most %d games: add fewer games",
                              (int)STORE_BUDGET_GAMES_MAX);
}

/* Writes the columns of a season that may change, and adds an event about the change. */
static int write_season(struct store *store, const struct store_season *season, const char *what,
                        const char *about)
{
    return sql_change(store,
                      SQL("UPDATE season SET budget_games = $2, closing_us = $3, closed_us = $4,"
                          " from_us = $5, deadline_us = $6, until_us = $7, voided_us = $8,"
                          " paused = $9 WHERE id = $1",
                          sql_int(season->id), sql_int(season->budget_games),
                          sql_int_or_null(season->closing_us), sql_int_or_null(season->closed_us),
                          sql_int_or_null(season->from_us), sql_int_or_null(season->deadline_us),
                          sql_int_or_null(season->until_us), sql_int_or_null(season->voided_us),
                          sql_text(season->paused)))
               ?: store_add_event(store, season->id, what, "%s", about);
}

static int read_open(struct store *store, int64_t season_id, struct store_season *season)
{
    return read_season(store, season_id, true,
                       "closed: `arena season reopen NAME --budget GAMES` opens a closed season "
                       "again",
                       season);
}

static int extend(struct store *store, int64_t season_id, int64_t more_games)
{
    struct store_season season;
    char about[STORE_ABOUT_BYTES];

    snprintf(about, sizeof about, "%lld game%s", (long long)more_games, more_games == 1 ? "" : "s");
    return read_open(store, season_id, &season)
               ?: check_budget(store, more_games)
               ?: check_budget(store, season.budget_games += more_games)
               ?: write_season(store, &season, "extend", about);
}

int store_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, extend(store, season_id, more_games));
}

/* Appends " WHAT TIME" to the text of an event, in UTC, if the time changes. */
static void add_date(char about[static STORE_ABOUT_BYTES], const char *what, int64_t old_us,
                     int64_t new_us)
{
    size_t length = strlen(about);
    char text[CLOCK_TIME_BYTES] = "none";

    if (new_us)
        clock_write_time(new_us, text);
    if (new_us != old_us)
        snprintf(about + length, STORE_ABOUT_BYTES - length, "%s%s %s", length ? ", " : "", what,
                 text);
}

static int set_dates(struct store *store, const struct store_season *dates)
{
    struct store_season season;
    struct store_season_counts counts;
    char about[STORE_ABOUT_BYTES] = "";
    int error =
        read_open(store, dates->id, &season) ?: store_season_count(store, dates->id, &counts);

    if (error)
        return error;
    if (dates->from_us != season.from_us && counts.batches)
        return store_refuse(store, -EEXIST,
                            "season %s has begun: its first time to play (--from) cannot be moved",
                            season.name);
    add_date(about, "from", season.from_us, dates->from_us);
    add_date(about, "deadline", season.deadline_us, dates->deadline_us);
    add_date(about, "until", season.until_us, dates->until_us);
    season.from_us = dates->from_us;
    season.deadline_us = dates->deadline_us;
    season.until_us = dates->until_us;
    return write_season(store, &season, "dates", about);
}

int store_season_date(struct store *store, const struct store_season *dates, int64_t more_games)
{
    return SQL_TRANSACTION(store, SQL_CONTROL,
                           set_dates(store, dates)
                               ?: (more_games ? extend(store, dates->id, more_games) : 0));
}

static int set_paused(struct store *store, int64_t season_id, const char *words)
{
    struct store_season season;
    int error = read_open(store, season_id, &season);

    if (!error && !*words && !*season.paused)
        return store_refuse(store, -EEXIST, "season %s is not paused", season.name);
    snprintf(season.paused, sizeof season.paused, "%s", words);
    return error ?: write_season(store, &season, *words ? "pause" : "resume", season.paused);
}

int store_season_pause(struct store *store, int64_t season_id, const char *words)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_paused(store, season_id, words));
}

static int set_void(struct store *store, int64_t season_id, bool is_void)
{
    struct store_season season;
    int error = read_season(store, season_id, false, "open: close the season first", &season);

    if (!error && is_void == (season.voided_us != 0))
        return store_refuse(store, -EEXIST, "season %s is %s", season.name,
                            is_void ? "void already" : "not void");
    season.voided_us = is_void ? clock_time_us() : 0;
    return error ?: write_season(store, &season, is_void ? "void" : "unvoid", "");
}

int store_season_void(struct store *store, int64_t season_id, bool is_void)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_void(store, season_id, is_void));
}

/* Sets the time of closing; 0: the season goes on. */
static int set_closing(struct store *store, int64_t season_id, int64_t until_us)
{
    struct store_season season;
    int error =
        read_season(store, season_id, true, until_us ? "already closed" : "closed", &season);

    if (!error && !until_us && !season.closing_us)
        error = store_refuse(store, -EEXIST, "season %s is open", season.name);
    season.closing_us = until_us;
    return error ? error : write_season(store, &season, until_us ? "closing" : "reopen", "");
}

int store_season_begin_close(struct store *store, int64_t season_id, int64_t until_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_closing(store, season_id, until_us));
}

int store_season_go_on(struct store *store, int64_t season_id)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, set_closing(store, season_id, 0));
}

/* Closes a season and its current opening. Waits for other processes that are just adding games. */
static int close_season(struct store *store, int64_t season_id, int64_t now_us)
{
    struct store_season season;
    int error = read_season(store, season_id, true, "already closed", &season);

    season.closed_us = now_us;
    return error
               ?: sql_change(
                      store,
                      SQL("UPDATE opening SET closed_us = $2 WHERE season = $1 AND closed_us IS NULL",
                          sql_int(season_id), sql_int(now_us)))
               ?: write_season(
                      store, &season, "close",
                      season.until_us && season.until_us <= now_us ? "its --until is past" : "")
               ?: store_packages_drop(store, 0);
}

int store_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, close_season(store, season_id, now_us));
}

static int end_season(struct store *store, int64_t season_id, int64_t now_us, int64_t wait_us)
{
    struct store_season season;
    int error =
        find_season(store, SQL("SELECT * FROM season WHERE id = $1", sql_int(season_id)), &season);

    if (error || season.closed_us || !season.until_us || season.until_us > now_us)
        return error == -ENOENT ? 0 : error;
    if (!season.closing_us)
        return set_closing(store, season_id, now_us + wait_us);
    return season.closing_us <= now_us ? close_season(store, season_id, now_us) : 0;
}

int store_season_end(struct store *store, int64_t season_id, int64_t now_us, int64_t wait_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, end_season(store, season_id, now_us, wait_us));
}

static int reopen(struct store *store, int64_t season_id, int64_t budget_games,
                  const struct store_opening *opening)
{
    struct store_season season;
    char about[STORE_ABOUT_BYTES];
    int error = read_season(store, season_id, false, "open", &season)
                    ?: check_budget(store, budget_games)
                    ?: insert_opening(store, season_id, opening);

    season.budget_games = budget_games;
    season.closing_us = season.closed_us = 0;
    snprintf(about, sizeof about, "budget %lld game%s", (long long)budget_games,
             budget_games == 1 ? "" : "s");
    if (!error && season.until_us && season.until_us <= opening->opened_us) {
        add_date(about, "until", season.until_us,
                 0); /* remove the past date, at which a daemon would close the season at once */
        season.until_us = 0;
    }
    return error ?: write_season(store, &season, "reopen", about);
}

int store_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                        const struct store_opening *opening)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, reopen(store, season_id, budget_games, opening));
}

/* Removes the rows of a closed season in the order that their references ask for. */
static int remove_season(struct store *store, int64_t season_id)
{
    static const char *const tables[] = {"dealt_season", "dealt_group", "inbox",
                                         "game_group",   "batch",       "entry",
                                         "roster",       "event",       "opening"};
    enum {
        LEASE_TABLES = 3
    }; /* the first tables, which workers use, exist only in PostgreSQL */
    struct store_season season;
    struct store_season_counts counts;
    char text[64];
    int error =
        find_season(store, SQL("SELECT * FROM season WHERE id = $1", sql_int(season_id)), &season)
            ?: store_season_count(store, season_id, &counts);

    if (!error && counts.played)
        return store_refuse(store, -EEXIST,
                            "season %s has %lld game%s: only a season without games can be removed",
                            season.name, (long long)counts.played, counts.played == 1 ? "" : "s");
    if (!error && !season.closed_us)
        return store_refuse(store, -EEXIST,
                            "season %s is open: `arena season close %s` closes the season first",
                            season.name, season.name);
    for (size_t i = store->driver->has_leases ? 0 : LEASE_TABLES;
         i < sizeof tables / sizeof *tables && !error; i++) {
        snprintf(text, sizeof text, "DELETE FROM %s WHERE season = $1", tables[i]);
        error = sql_change(store, SQL(text, sql_int(season_id)));
    }
    return error
               ?: sql_change(store, SQL("DELETE FROM season WHERE id = $1", sql_int(season_id)))
               ?: store_add_event(store, EVENT_OF_ALL, "remove", "season %s", season.name);
}

int store_season_remove(struct store *store, int64_t season_id)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, remove_season(store, season_id));
}

/* ---- a batch of the schedule ---- */

int store_hold_opening(struct store *store, int64_t season_id, int opening)
{
    int found = sql_run(store, SQL("SELECT 1 FROM opening WHERE season = $1 AND number = $2"
                                   " AND closed_us IS NULL FOR SHARE",
                                   sql_int(season_id), sql_int(opening)));

    return found < 0 ? found : found == 0 ? -ECANCELED : 0;
}

static int add_groups(struct store *store, int64_t season_id, const struct store_group *groups,
                      size_t count)
{
    struct store_group some[32];
    size_t some_count = 0;
    int error = 0;

    for (size_t i = 0; i < count && !error; i++) {
        struct store_group *group = &some[some_count++];

        *group = groups[i];
        if (!base_is_sound(group))
            return store_explain(
                store, -EINVAL,
                "game_group: base0: two seats of the group's games have the same bot");
        for (int seat = group->player_count; seat < GAME_PLAYERS_MAX; seat++)
            group->base[seat] = -1;
        if (some_count < sizeof some / sizeof *some && i + 1 < count)
            continue;
        error = table_insert_all(store, TABLE_GROUP, season_id, some, sizeof *some, some_count);
        some_count = 0;
    }
    return error;
}

/*
 * Fails if an event was added after the batch was chosen. The lock keeps other processes from
 * adding events until the transaction ends.
 */
static int add_batch(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count)
{
    int64_t latest;
    int error = store_hold_opening(store, season_id, batch->opening);

    if (error == -ECANCELED)
        store_explain(store, error,
                      "the season was closed while the next batch of games was chosen");
    if (!error)
        error = store_event_latest(store, &latest);
    if (!error && (latest != batch->event || store->connection_number != batch->connection))
        error = store_explain(store, -ESTALE,
                              "the store was changed while the next batch of games was chosen");
    return error
               ?: sql_change(store, SQL("UPDATE season SET decided_us = NULL WHERE id = $1"
                                        " AND decided_us IS NOT NULL",
                                        sql_int(season_id)))
               ?: table_insert(store, TABLE_BATCH, season_id, batch)
               ?: table_insert_all(store, TABLE_ENTRY, season_id, entries, sizeof *entries,
                                   entry_count)
               ?: add_groups(store, season_id, groups, group_count);
}

int store_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                    const struct store_entry *entries, size_t entry_count,
                    const struct store_group *groups, size_t group_count)
{
    return SQL_TRANSACTION(
        store, SQL_CONTROL,
        add_batch(store, season_id, batch, entries, entry_count, groups, group_count));
}

int store_season_decide(struct store *store, int64_t season_id, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_PLAIN,
                           sql_change(store, SQL("UPDATE season SET decided_us = $2 WHERE id = $1"
                                                 " AND decided_us IS NULL",
                                                 sql_int(season_id), sql_int(now_us))));
}

/* ---- how far a season is ---- */

/* SQL: the entries of a season whose bots are banned together with their games. */
#define VOID_ENTRIES                                                                               \
    "SELECT number FROM entry JOIN bot ON bot.id = entry.bot WHERE season = $1 AND EXISTS"         \
    " (SELECT 1 FROM ban WHERE void AND lifted_us IS NULL"                                         \
    " AND (ban.name = bot.name OR ban.author = bot.author))"

static int count_void(struct store *store, int64_t season_id, struct store_season_counts *counts)
{
    return SQL_FIND(
        store,
        SQL_SLOW("WITH void AS (" VOID_ENTRIES ") SELECT"
                 " CAST(coalesce(sum(players), 0) AS bigint), CAST(coalesce(sum((SELECT count(*)"
                 " FROM game WHERE season = $1 AND game_group = game_group.number)), 0) AS bigint)"
                 " FROM game_group WHERE season = $1 AND players <= 4 AND"
                 " (base0 IN (SELECT number FROM void) OR base1 IN (SELECT number FROM void)"
                 " OR base2 IN (SELECT number FROM void) OR base3 IN (SELECT number FROM void))",
                 sql_int(season_id)),
        (counts->void_scheduled = row_int64(&rows, 0), counts->void_played = row_int64(&rows, 1)));
}

int store_season_count(struct store *store, int64_t season_id, struct store_season_counts *counts)
{
    int64_t void_count = 0;
    /* CASE keeps a damaged number of players from making the sum overflow. */
    int error = SQL_FIND(
        store,
        SQL_SLOW("SELECT (SELECT count(*) FROM entry WHERE season = $1),"
                 " (SELECT count(*) FROM batch WHERE season = $1), count(*),"
                 " CAST(coalesce(sum(CASE WHEN players <= 4 THEN players END), 0) AS bigint),"
                 " (SELECT count(*) FROM game WHERE season = $1),"
                 " (SELECT count(*) FROM (" VOID_ENTRIES ") AS void)"
                 " FROM game_group WHERE season = $1",
                 sql_int(season_id)),
        (*counts = (struct store_season_counts){.entries = row_int64(&rows, 0),
                                                .batches = row_int64(&rows, 1),
                                                .groups = row_int64(&rows, 2),
                                                .scheduled = row_int64(&rows, 3),
                                                .played = row_int64(&rows, 4)},
         void_count = row_int64(&rows, 5)));

    return !error && void_count ? count_void(store, season_id, counts) : error;
}

int store_season_pace(struct store *store, int64_t season_id, struct store_pace *pace)
{
/* The newest games are among those of the newest groups. */
#define NEWEST                                                                                     \
    " FROM game WHERE season = $1 AND game_group >"                                                \
    " (SELECT max(game_group) FROM game WHERE season = $1) - 1024"

    return SQL_FIND(
        store,
        SQL("SELECT count(*), coalesce(min(started_us), 0),"
            " coalesce(max(CASE WHEN started_us < 4611686018427387904" /* undamaged */
            " AND wall_us < 4611686018427387904 THEN started_us + wall_us END), 0)" NEWEST
            " AND started_us > (SELECT max(started_us)" NEWEST ") - 3600000000",
            sql_int(season_id)),
        (*pace =
             (struct store_pace){row_int64(&rows, 0), row_int64(&rows, 1), row_int64(&rows, 2)}));
#undef NEWEST
}
