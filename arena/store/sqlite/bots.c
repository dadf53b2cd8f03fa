/* Bots, their versions and their packages. */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <string.h>

/* Condition: a ban that applies to a row of table bot. */
#define BAN_OF_BOT "lifted_us IS NULL AND (ban.name = bot.name OR ban.author = bot.author)"

#define BOT_COLUMNS                                                                                \
    "id, previous, name, version, author, language, sha256, built_sha256, submitted_us, "          \
    "retired_us, content_sha256, taken_over, NOT EXISTS (SELECT 1 FROM bot AS "                    \
    "later WHERE later.name = bot.name AND later.id > bot.id), (SELECT min(banned_us) FROM ban "   \
    "WHERE " BAN_OF_BOT "), EXISTS (SELECT 1 FROM ban WHERE void AND " BAN_OF_BOT ")"

static int read_bot(struct store *store, sqlite3_stmt *statement, struct store_bot *bot)
{
    struct row row = {.statement = statement, .table = "bot", .key_count = 1};

    bot->id = row_int64(&row, 0);
    bot->previous_id = row_int64_or_null(&row, 1);
    row_text(&row, 2, bot->name, sizeof bot->name);
    row_text(&row, 3, bot->version, sizeof bot->version);
    row_text(&row, 4, bot->author, sizeof bot->author);
    row_text(&row, 5, bot->language, sizeof bot->language);
    row_text(&row, 6, bot->sha256, sizeof bot->sha256);
    row_text(&row, 7, bot->built_sha256, sizeof bot->built_sha256);
    bot->submitted_us = row_int64(&row, 8);
    bot->retired_us = row_int64_or_null(&row, 9);
    row_text_or_empty(&row, 10, bot->content_sha256, sizeof bot->content_sha256);
    bot->taken_over = row_bool(&row, 11);
    bot->newest = row_bool(&row, 12);
    bot->banned_us = row_int64_or_null(&row, 13);
    bot->voided = row_bool(&row, 14);
    bot->manifest = NULL;
    return row_end(store, &row);
}

int sqlite_package_add(struct store *store, const char *sha256, struct store_package package)
{
    /* Packages are content-addressed: one with this hash is the same. */
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
    return database_run(store, add);
}

int sqlite_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built)
{
    int error = database_begin(store);

    if (!error)
        error = sqlite_package_add(store, bot->sha256, given);
    if (!error)
        error = sqlite_package_add(store, bot->built_sha256, built);
    if (!error)
        error = add_version(store, bot);
    if (!error)
        error = database_add_event(store, 0, "submit", "%s@%s", bot->name, bot->version);
    if (!error)
        error = sqlite_bot_find(store, bot->name, bot->version, bot);
    return database_end(store, error);
}

int sqlite_bot_find(struct store *store, const char *name, const char *version,
                    struct store_bot *bot)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT " BOT_COLUMNS " FROM bot WHERE name = ?1 AND version = coalesce(?2, version)"
               " ORDER BY id DESC LIMIT 1");
    int row, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(find, 2, version, -1, SQLITE_TRANSIENT);
    row = database_step(store, find);
    if (row <= 0)
        return row < 0 ? row : -ENOENT;
    error = read_bot(store, find, bot);
    sqlite3_reset(find);
    return error;
}

int sqlite_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    sqlite3_stmt *list = database_statement(store, "SELECT " BOT_COLUMNS " FROM bot ORDER BY id");
    struct store_bot bot;
    int row;

    if (!list)
        return database_error(store);
    while ((row = database_step(store, list)) > 0) {
        int error = read_bot(store, list, &bot);

        if (!error && each_fn(context, &bot) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return row;
}

int sqlite_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    sqlite3_stmt *retire = database_statement(
        store, "UPDATE bot SET retired_us = ?2 WHERE name = ?1 AND retired_us IS NULL");
    struct store_bot bot;
    int error = database_begin(store);

    if (error)
        return error;
    error = sqlite_bot_find(store, name, NULL, &bot);
    if (!error && bot.retired_us)
        error = -EEXIST;
    if (!error && !retire)
        error = database_error(store);
    if (!error) {
        sqlite3_bind_text(retire, 1, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(retire, 2, now_us);
        error = database_run(store, retire);
    }
    if (!error)
        error = database_add_event(store, 0, "retire", "%s", name);
    return database_end(store, error);
}

int sqlite_manifest_read(struct store *store, int64_t bot_id, char **manifest)
{
    sqlite3_stmt *find = database_statement(store, "SELECT id, manifest FROM bot WHERE id = ?");
    struct row row = {.statement = find, .table = "bot", .key_count = 1};
    const char *text;
    int found, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, bot_id);
    found = database_step(store, find);
    if (found <= 0)
        return found < 0 ? found : -ENOENT;
    text = row_text_or_null(&row, 1);
    error = row_end(store, &row);
    if (!error && text && !(*manifest = strdup(text)))
        error = -ENOMEM;
    sqlite3_reset(find);
    return error;
}

int sqlite_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    sqlite3_stmt *find =
        database_statement(store, "SELECT sha256, bytes FROM package WHERE sha256 = ?");
    struct row row = {.table = "package", .key_count = 1};
    int found, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_text(find, 1, sha256, -1, SQLITE_TRANSIENT);
    row.statement = find;
    found = database_step(store, find);
    if (found <= 0)
        return found < 0 ? found : -ENOENT;
    error = row_copy_blob(store, &row, 1, package, size);
    sqlite3_reset(find);
    return error;
}
