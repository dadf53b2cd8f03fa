/* Bots, their versions and their packages. */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <string.h>

#define BOT_COLUMNS                                                                                \
    "id, previous, name, version, author, language, sha256, built_sha256, submitted_us, "          \
    "retired_us, coalesce(content_sha256, ''), taken_over, NOT EXISTS (SELECT 1 FROM bot AS "      \
    "later WHERE later.name = bot.name AND later.id "                                              \
    "> bot.id)"

static void read_bot(sqlite3_stmt *row, struct store_bot *bot)
{
    bot->id = sqlite3_column_int64(row, 0);
    bot->previous_id = sqlite3_column_int64(row, 1);
    column_text(row, 2, bot->name, sizeof bot->name);
    column_text(row, 3, bot->version, sizeof bot->version);
    column_text(row, 4, bot->author, sizeof bot->author);
    column_text(row, 5, bot->language, sizeof bot->language);
    column_text(row, 6, bot->sha256, sizeof bot->sha256);
    column_text(row, 7, bot->built_sha256, sizeof bot->built_sha256);
    bot->submitted_us = sqlite3_column_int64(row, 8);
    bot->retired_us = sqlite3_column_int64(row, 9);
    column_text(row, 10, bot->content_sha256, sizeof bot->content_sha256);
    bot->taken_over = sqlite3_column_int(row, 11);
    bot->newest = sqlite3_column_int(row, 12);
    bot->manifest = NULL;
}

static int add_package(struct store *store, const char *sha256, struct store_package package)
{
    /* The address is the content: what is there under it is the same. */
    sqlite3_stmt *add = database_statement(store, "INSERT OR IGNORE INTO package VALUES (?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_text(add, 1, sha256, -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob64(add, 2, package.bytes, package.size, SQLITE_STATIC);
    return database_run(store, add);
}

static int add_version(struct store *store, struct store_bot *bot)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO bot (previous, name, version, author, language, sha256, built_sha256,"
               " submitted_us, content_sha256, taken_over, manifest)"
               " VALUES ((SELECT max(id) FROM bot WHERE name = ?1), ?1, ?2, ?3, ?4, ?5, ?6, ?7,"
               " nullif(?8, ''), ?9, ?10)");
    int error;

    if (!add)
        return database_error(store);
    sqlite3_bind_text(add, 1, bot->name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 2, bot->version, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 3, bot->author, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 4, bot->language, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 5, bot->sha256, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 6, bot->built_sha256, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(add, 7, bot->submitted_us);
    sqlite3_bind_text(add, 8, bot->content_sha256, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(add, 9, bot->taken_over);
    sqlite3_bind_text(add, 10, bot->manifest, -1, SQLITE_TRANSIENT);
    error = database_run(store, add);
    if (error == -EEXIST)
        return database_refuse(store, error, "bot %s has a version %s already: give it another",
                               bot->name, bot->version);
    return error;
}

int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built)
{
    int error = database_begin(store);

    if (!error)
        error = add_package(store, bot->sha256, given);
    if (!error)
        error = add_package(store, bot->built_sha256, built);
    if (!error)
        error = add_version(store, bot);
    if (!error)
        error = store_bot_find(store, bot->name, bot->version, bot);
    return database_end(store, error);
}

int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT " BOT_COLUMNS " FROM bot WHERE name = ?1 AND version = coalesce(?2, version)"
               " ORDER BY id DESC LIMIT 1");
    int row;

    if (!find)
        return database_error(store);
    sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(find, 2, version, -1, SQLITE_TRANSIENT);
    row = database_step(store, find);
    if (row < 0)
        return row;
    if (row == 0)
        return database_refuse(store, -ENOENT, "there is no bot %s%s%s: `arena bots` lists them",
                               name, version ? " of version " : "", version ? version : "");
    read_bot(find, bot);
    sqlite3_reset(find);
    return 0;
}

int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    sqlite3_stmt *list = database_statement(store, "SELECT " BOT_COLUMNS " FROM bot ORDER BY id");
    struct store_bot bot;
    int row;

    if (!list)
        return database_error(store);
    while ((row = database_step(store, list)) > 0) {
        read_bot(list, &bot);
        if (each_fn(context, &bot) != 0) {
            sqlite3_reset(list);
            return -EINTR;
        }
    }
    return row;
}

int store_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    sqlite3_stmt *retire = database_statement(
        store, "UPDATE bot SET retired_us = ?2 WHERE name = ?1 AND retired_us IS NULL");
    struct store_bot bot;
    int error = database_begin(store);

    if (error)
        return error;
    error = store_bot_find(store, name, NULL, &bot);
    if (!error && bot.retired_us)
        error = database_refuse(store, -EEXIST, "bot %s is retired already", name);
    if (!error && !retire)
        error = database_error(store);
    if (!error) {
        sqlite3_bind_text(retire, 1, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(retire, 2, now_us);
        error = database_run(store, retire);
    }
    return database_end(store, error);
}

int store_manifest_read(struct store *store, int64_t bot_id, char **text)
{
    sqlite3_stmt *find = database_statement(store, "SELECT manifest FROM bot WHERE id = ?");
    const char *manifest;
    int row, error = 0;

    *text = NULL;
    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, bot_id);
    row = database_step(store, find);
    if (row < 0)
        return row;
    if (row == 0)
        return database_refuse(store, -ENOENT, "there is no bot of number %lld", (long long)bot_id);
    manifest = (const char *)sqlite3_column_text(find, 0);
    if (manifest && !(*text = strdup(manifest)))
        error = database_refuse(store, -ENOMEM, "out of memory");
    sqlite3_reset(find);
    return error;
}

int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    sqlite3_stmt *find = database_statement(store, "SELECT bytes FROM package WHERE sha256 = ?");
    int row, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_text(find, 1, sha256, -1, SQLITE_TRANSIENT);
    row = database_step(store, find);
    if (row <= 0)
        return row < 0 ? row : database_refuse(store, -ENOENT, "there is no package %s", sha256);
    error = column_blob(find, 0, package, size);
    sqlite3_reset(find);
    return error ? database_refuse(store, error, "out of memory") : 0;
}
