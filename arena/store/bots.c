/* SPDX-License-Identifier: MIT */
/* Bots, their versions, their manifests, their packages, and their retirement. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/names.h"
#include "arena/store/schema.h"
#include "arena/store/submissions.h"

/* ---- clocks ---- */

/* Returns the time that a clock gives a bot for a game of STORE_CLOCK_DECISIONS. */
static int64_t game_ms(const struct wire_clock *clock)
{
    return STORE_CLOCK_DECISIONS * (clock->turn_ms + clock->gain_ms) + clock->bank_ms;
}

bool store_clock_is_tighter(const struct wire_clock *a, const struct wire_clock *b)
{
    if (game_ms(a) != game_ms(b))
        return game_ms(a) < game_ms(b);
    return a->turn_ms != b->turn_ms ? a->turn_ms < b->turn_ms : a->start_ms < b->start_ms;
}

bool store_bot_is_too_slow(const struct store_bot *bot, const struct wire_clock *clock)
{
    return game_ms(&bot->too_fast) > 0 && !store_clock_is_tighter(&bot->too_fast, clock);
}

/* ---- reading ---- */

/*
 * SQL for the columns of a bot: LATER, any further conditions for a later version of the name, and
 * BANS. A ban applies to a bot by the bot's name or author.
 */
#define LATER                                                                                      \
    "NOT EXISTS (SELECT 1 FROM bot AS later WHERE later.name = bot.name AND later.id > bot.id"
#define BAN "lifted_us IS NULL AND (ban.name = bot.name OR ban.author = bot.author)"
#define BANS                                                                                       \
    "), (SELECT min(banned_us) FROM ban WHERE " BAN                                                \
    "), EXISTS (SELECT 1 FROM ban WHERE void AND " BAN ")"

static void read_bot(struct sql_rows *rows, struct store_bot *bot)
{
    /* Number of the first column after those of bot.* */
    const int next = schema_tables[TABLE_BOT].column_count;

    table_read(rows, 0, TABLE_BOT, bot);
    row_require(rows, 1, bot->previous_id < bot->id, "out of range");
    bot->newest = row_bool(rows, next);
    bot->banned_us = row_int64_or_null(rows, next + 1);
    bot->voided = row_bool(rows, next + 2);
    bot->manifest = NULL;
}

/*
 * Finds a version of a name; the newest version if version is NULL. Fails with -ENOENT, without a
 * message, if the store has none.
 */
static int find_bot(struct store *store, const char *name, const char *version,
                    struct store_bot *bot)
{
    return SQL_FIND(store,
                    SQL("SELECT bot.*, " LATER BANS " FROM bot WHERE name = $1"
                        " AND version = coalesce($2, version) ORDER BY id DESC LIMIT 1",
                        sql_text(name), sql_text(version)),
                    read_bot(&rows, bot));
}

int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot)
{
    int error = find_bot(store, name, version, bot);

    if (error == -ENOENT)
        store_refuse(store, error, "there is no bot %s%s%s: `arena bots` lists the bots", name,
                     version ? " of version " : "", version ? version : "");
    return error;
}

int store_references_each(struct store *store, store_name_fn *each_fn, void *context)
{
    char name[STORE_NAME_BYTES_MAX + 1];

    return SQL_EACH(store,
                    SQL("SELECT name FROM bot WHERE reference AND retired_us IS NULL AND " LATER
                        ") AND NOT EXISTS (SELECT 1 FROM ban WHERE " BAN ") ORDER BY name"),
                    row_text(&rows, 0, name, sizeof name), each_fn(context, name));
}

int store_bot_find_same(struct store *store, const struct store_bot *bot, struct store_bot *first)
{
    return SQL_FIND(store,
                    SQL("SELECT bot.*, " LATER BANS " FROM bot WHERE content_sha256 = $1"
                        " AND content_sha256 <> '' AND id < $2 AND (name <> $3 OR author <> $4)"
                        " ORDER BY id LIMIT 1",
                        sql_text(bot->content_sha256), sql_int(bot->id), sql_text(bot->name),
                        sql_text(bot->author)),
                    read_bot(&rows, first));
}

int store_bots_of_season(struct store *store, int64_t season_id, store_bot_fn *each_fn,
                         void *context)
{
#define DEADLINE "coalesce((SELECT deadline_us FROM season WHERE season.id = $3), 9007199254740992)"
/* A version that has entered stays in the season's list when the deadline is moved to before it. */
#define ENTERED "EXISTS (SELECT 1 FROM entry WHERE entry.bot = bot.id AND entry.season = $3)"
    struct store_bot bot;

    /* Few rows a page, because a manifest may have 64 KiB. */
    return SQL_LIST(store,
                    SQL_PAGES("SELECT bot.*, submitted_us <= " DEADLINE " AND " LATER
                              " AND later.submitted_us <= " DEADLINE BANS
                              " FROM bot WHERE id > $1 AND (submitted_us <= " DEADLINE
                              " OR " ENTERED ") ORDER BY id LIMIT $2",
                              .page_rows = 500, .season_id = season_id),
                    read_bot(&rows, &bot), each_fn(context, &bot));
#undef DEADLINE
#undef ENTERED
}

int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    return store_bots_of_season(store, -1, each_fn, context); /* no season has this id */
}

/* ---- packages ---- */

/*
 * Adds a package unless the store has it. Packages are named by their hash, so a package that the
 * store has is not sent again.
 */
static int add_package(struct store *store, const char *sha256, struct store_package package)
{
    int found = sql_run(store, SQL("SELECT 1 FROM package WHERE sha256 = $1", sql_text(sha256)));

    if (found)
        return found < 0 ? found : 0;
    return sql_change(store, SQL_SLOW(table_insert_text(TABLE_PACKAGE, 1), sql_text(sha256),
                                      sql_bytes(package.bytes, package.size)));
}

int store_keep_package(struct store *store, const char *bot, const char *sha256,
                       struct store_package package)
{
    if (package.size > STORE_PACKAGE_BYTES_MAX)
        return store_refuse(
            store, -EINVAL,
            "the package of bot %s has %zu MiB, but the limit is %d MiB: leave out what the bot "
            "does not need to run",
            bot, package.size >> 20, STORE_PACKAGE_BYTES_MAX >> 20);
    /*
     * Until the lock is taken, another process may remove the package, so the package is added once
     * more under the lock.
     */
    return add_package(store, sha256, package)
               ?: sql_lock_control(store) ?: add_package(store, sha256, package);
}

int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    int error;

    *package = NULL;
    error = SQL_FIND(
        store, SQL_SLOW("SELECT sha256, bytes FROM package WHERE sha256 = $1", sql_text(sha256)),
        (row_name(&rows, "package", 0, 1),
         row_take_bytes(&rows, 1, STORE_PACKAGE_BYTES_MAX, package, size)));
    if (error == -ENOENT)
        store_refuse(store, error, "the store has no package %s: restore a backup", sha256);
    if (error || *size > 0)
        return error;
    free(*package);
    *package = NULL;
    return store_refuse(store, -ENODATA,
                        "package %.12s was removed: the bot's author was erased, or `arena serve "
                        "--versions` keeps newer versions only",
                        sha256);
}

int store_manifest_read(struct store *store, int64_t bot_id, char **text)
{
    int error;

    *text = NULL;
    error = SQL_FIND(store, SQL("SELECT id, manifest FROM bot WHERE id = $1", sql_int(bot_id)),
                     (row_name(&rows, "bot", 0, 1), row_text_or_null(&rows, 1), /* no NUL */
                      row_take_bytes(&rows, 1, STORE_MANIFEST_BYTES_MAX, (uint8_t **)text, NULL)));
    if (error == -ENOENT)
        store_refuse(store, error, "there is no bot with the id %lld: `arena bots` lists the bots",
                     (long long)bot_id);
    return error;
}

/* ---- adding a version ---- */

/*
 * Checks that a name is new or belongs to the bot's author (unless the organizer set taken_over),
 * and that the version is new. Clears taken_over if the name is new or already belongs to the bot's
 * author.
 */
static int check_bot(struct store *store, struct store_bot *bot)
{
    struct store_bot before;
    int error = store_author_adopt(store, bot->author) ?: find_bot(store, bot->name, NULL, &before);

    if (error == -ENOENT) {
        bot->taken_over = false;
        return 0;
    }
    if (error)
        return error;
    if (strcmp(before.author, bot->author) == 0)
        bot->taken_over = false;
    else if (!bot->taken_over)
        return store_refuse(
            store, -EPERM,
            "bot %s belongs to %s: choose another name; an organizer can give it to %s with "
            "--take-over",
            bot->name, before.author, bot->author);
    error = find_bot(store, bot->name, bot->version, &before);
    if (!error)
        error = store_refuse(store, -EEXIST,
                             "bot %s already has a version %s: change the version in bot.json",
                             bot->name, bot->version);
    return error == -ENOENT ? 0 : error;
}

int store_bot_check(struct store *store, const struct store_bot *bot)
{
    struct store_bot checked = *bot;

    return check_bot(store, &checked);
}

static int add_bot(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built)
{
    struct store_bot row;

    bot->id = bot->previous_id = 0;
    row = *bot;
    row.retired_us = 0;
    return table_check(store, TABLE_BOT, bot)
               ?: check_bot(store, &row) ?: store_keep_package(store, bot->name, bot->sha256, given)
               ?: store_keep_package(store, bot->name, bot->built_sha256, built)
               /* Check again: now that the lock is taken, no other process can add a bot. */
               ?: check_bot(store, &row)
               ?: sql_number(store, SQL("SELECT coalesce(max(id), 0) + 1 FROM bot"), &row.id)
               ?: sql_number(store,
                             SQL("SELECT max(id) FROM bot WHERE name = $1", sql_text(bot->name)),
                             &row.previous_id)
               ?: table_insert(store, TABLE_BOT, 0, &row)
               /* An older upload that waits must not be admitted later, and replace this one. */
               ?: store_submissions_replace(store, bot->name, bot->author, STORE_ADMITTED,
                                            bot->submitted_us, false)
               ?: store_add_event(store, EVENT_OF_ALL, "submit", "%s@%s", bot->name, bot->version)
               ?: find_bot(store, bot->name, bot->version, bot);
}

int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built)
{
    return SQL_TRANSACTION(store, SQL_LONG, add_bot(store, bot, given, built));
}

/* ---- retirement ---- */

/* Retires all versions of a name at now_us; with now_us 0, makes them active again. */
static int change_retirement(struct store *store, const char *name, int64_t now_us)
{
    struct store_bot bot;
    int changed = store_bot_find(store, name, NULL, &bot);

    if (changed < 0)
        return changed;
    changed = sql_run(store, SQL("UPDATE bot SET retired_us = $2 WHERE name = $1"
                                 " AND (retired_us IS NULL) = (CAST($2 AS bigint) IS NOT NULL)",
                                 sql_text(name), sql_int_or_null(now_us)));
    if (changed == 0)
        return store_refuse(store, -EEXIST, "bot %s is %s retired", name,
                            now_us ? "already" : "not");
    return changed < 0
               ? changed
               : store_add_event(store, EVENT_OF_ALL, now_us ? "retire" : "unretire", "%s", name);
}

int store_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    return SQL_TRANSACTION(store, SQL_CONTROL, change_retirement(store, name, now_us));
}

int store_bot_unretire(struct store *store, const char *name)
{
    return store_bot_retire(store, name, 0);
}
