/* Bots, their versions and their packages. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

enum {
    PACKAGE_WAIT_MS = 600000, /* for 256 MiB to be transferred */
};

/* Condition: a ban that applies to a row of table bot. */
#define BAN_OF_BOT "lifted_us IS NULL AND (ban.name = bot.name OR ban.author = bot.author)"

#define BOT_COLUMNS                                                                                \
    "id, previous, name, version, author, language, sha256, built_sha256, submitted_us,"           \
    " retired_us, content_sha256, taken_over, NOT EXISTS (SELECT 1 FROM bot AS later"              \
    " WHERE later.name = bot.name AND later.id > bot.id), (SELECT min(banned_us) FROM ban"         \
    " WHERE " BAN_OF_BOT "), EXISTS (SELECT 1 FROM ban WHERE void AND " BAN_OF_BOT ")"

static int read_bot(struct store *store, struct tuple *row, struct store_bot *bot)
{
    bot->id = tuple_int64(row, 0);
    bot->previous_id = tuple_int64_or_null(row, 1);
    tuple_text(row, 2, bot->name, sizeof bot->name);
    tuple_text(row, 3, bot->version, sizeof bot->version);
    tuple_text(row, 4, bot->author, sizeof bot->author);
    tuple_text(row, 5, bot->language, sizeof bot->language);
    tuple_text(row, 6, bot->sha256, sizeof bot->sha256);
    tuple_text(row, 7, bot->built_sha256, sizeof bot->built_sha256);
    bot->submitted_us = tuple_int64(row, 8);
    bot->retired_us = tuple_int64_or_null(row, 9);
    tuple_text_or_empty(row, 10, bot->content_sha256, sizeof bot->content_sha256);
    bot->taken_over = tuple_bool(row, 11);
    bot->newest = tuple_bool(row, 12);
    bot->banned_us = tuple_int64_or_null(row, 13);
    bot->voided = tuple_bool(row, 14);
    bot->manifest = NULL;
    return tuple_end(store, row);
}

/* ---- adding ---- */

int postgres_package_add(struct store *store, const char *sha256, struct store_package package)
{
    struct query query;
    int changed;

    /* Packages are content-addressed: one with this hash is the same, and is not sent again. */
    query_init(&query, "SELECT 1 FROM package WHERE sha256 = $1");
    query_text(&query, sha256);
    changed = server_change(store, &query); /* number of rows found */
    if (changed)
        return changed < 0 ? changed : 0;
    query_init(&query, "INSERT INTO package VALUES ($1, $2) ON CONFLICT DO NOTHING");
    query_text(&query, sha256);
    query_bytes(&query, package.bytes, package.size);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

/*
 * The caller has checked who owns the name, but another author may have taken it since. Check again
 * under the lock that every insertion takes.
 */
static int check_author(struct store *store, const struct store_bot *bot)
{
    struct store_bot before;
    int error = postgres_bot_find(store, bot->name, NULL, &before);

    if (error == -ENOENT)
        return 0;
    if (error || bot->taken_over || strcmp(before.author, bot->author) == 0)
        return error;
    return store_refuse(
        store, -EPERM,
        "bot %s belongs to %s: choose another name; an operator can give it to %s with --take-over",
        bot->name, before.author, bot->author);
}

static int insert_version(struct store *store, const struct store_bot *bot)
{
    struct query query;
    int changed;

    query_init(&query, "INSERT INTO bot (id, previous, name, version, author, language, sha256,"
                       " built_sha256, submitted_us, content_sha256, taken_over, manifest)"
                       " VALUES ((SELECT coalesce(max(id), 0) + 1 FROM bot),"
                       " (SELECT max(id) FROM bot WHERE name = $1),"
                       " $1, $2, $3, $4, $5, $6, $7, nullif($8, ''), $9, $10)"
                       " ON CONFLICT DO NOTHING");
    query_text(&query, bot->name);
    query_text(&query, bot->version);
    query_text(&query, bot->author);
    query_text(&query, bot->language);
    query_text(&query, bot->sha256);
    query_text(&query, bot->built_sha256);
    query_int(&query, bot->submitted_us);
    query_text(&query, bot->content_sha256);
    query_bool(&query, bot->taken_over);
    query_text(&query, bot->manifest);
    changed = server_change(store, &query);
    return changed < 0 ? changed : changed == 0 ? -EEXIST : 0;
}

/*
 * Adds packages before taking the lock, because they take long and others need not wait for them.
 */
static int add_bot(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built)
{
    int error = postgres_package_add(store, bot->sha256, given);

    if (!error)
        error = postgres_package_add(store, bot->built_sha256, built);
    if (!error)
        error = server_lock_control(store);
    if (!error)
        error = check_author(store, bot);
    if (!error)
        error = insert_version(store, bot);
    if (!error)
        error = postgres_event_add(store, 0, "submit", "%s@%s", bot->name, bot->version);
    if (!error)
        error = postgres_bot_find(store, bot->name, bot->version, bot);
    return error;
}

int postgres_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                     struct store_package built)
{
    struct attempt attempt = {.is_slow = true};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, add_bot(store, bot, given, built));
    return attempt.error;
}

/* ---- reading ---- */

struct finding {
    struct store *store;
    struct store_bot *bot;
};

static int take_bot(void *context, struct tuple *row)
{
    struct finding *finding = context;

    return read_bot(finding->store, row, finding->bot);
}

int postgres_bot_find(struct store *store, const char *name, const char *version,
                      struct store_bot *bot)
{
    struct finding finding = {store, bot};
    struct query query;

    query_init(&query, "SELECT " BOT_COLUMNS " FROM bot WHERE name = $1"
                       " AND version = coalesce($2, version) ORDER BY id DESC LIMIT 1");
    query_text(&query, name);
    query_text(&query, version);
    return server_first(store, &query, "bot", take_bot, &finding);
}

static int tell_bot(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_bot bot;
    int error = read_bot(telling->store, row, &bot);

    if (!error && ((store_bot_fn *)telling->each_fn)(telling->context, &bot) != 0)
        error = -EINTR;
    return error;
}

int postgres_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    static const struct listing listing = {"bot", "SELECT " BOT_COLUMNS
                                                  " FROM bot WHERE id > $1 ORDER BY id LIMIT $2"};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_bot, &telling);
}

/* ---- retirement ---- */

static int retire(struct store *store, const char *name, int64_t now_us)
{
    struct store_bot bot;
    struct query query;
    int error = postgres_bot_find(store, name, NULL, &bot), changed;

    if (!error && bot.retired_us)
        error = -EEXIST;
    if (error)
        return error;
    query_init(&query, "UPDATE bot SET retired_us = $2 WHERE name = $1 AND retired_us IS NULL");
    query_text(&query, name);
    query_int(&query, now_us);
    changed = server_change(store, &query);
    return changed < 0 ? changed : postgres_event_add(store, 0, "retire", "%s", name);
}

int postgres_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, retire(store, name, now_us));
    return attempt.error;
}

static int unretire(struct store *store, const char *name)
{
    struct query query;
    int changed;

    query_init(&query,
               "UPDATE bot SET retired_us = NULL WHERE name = $1 AND retired_us IS NOT NULL");
    query_text(&query, name);
    changed = server_change(store, &query);
    if (changed <= 0)
        return changed < 0 ? changed : -EEXIST;
    return postgres_event_add(store, 0, "unretire", "%s", name);
}

int postgres_bot_unretire(struct store *store, const char *name)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, unretire(store, name));
    return attempt.error;
}

/* ---- manifests and packages ---- */

struct reading {
    struct store *store;
    char *text;
    uint8_t *bytes;
    size_t size;
};

static int take_manifest(void *context, struct tuple *row)
{
    struct reading *reading = context;
    const char *text = tuple_text_or_null(row, 1);
    int error = tuple_end(reading->store, row);

    if (!error && text && !(reading->text = strdup(text)))
        error = -ENOMEM;
    return error;
}

int postgres_manifest_read(struct store *store, int64_t bot_id, char **manifest)
{
    struct reading reading = {.store = store};
    struct query query;
    int error;

    query_init(&query, "SELECT id, manifest FROM bot WHERE id = $1");
    query_int(&query, bot_id);
    error = server_first(store, &query, "bot", take_manifest, &reading);
    *manifest = reading.text;
    return error;
}

static int take_bytes(void *context, struct tuple *row)
{
    struct reading *reading = context;
    const uint8_t *bytes = tuple_bytes(row, 1, &reading->size);
    int error = tuple_end(reading->store, row);

    if (error)
        return error;
    reading->bytes = malloc(reading->size + 1);
    if (!reading->bytes)
        return -ENOMEM;
    if (reading->size)
        memcpy(reading->bytes, bytes, reading->size);
    return 0;
}

int postgres_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    struct reading reading = {.store = store};
    struct query query;
    int error;

    query_init(&query, "SELECT sha256, bytes FROM package WHERE sha256 = $1");
    query.wait_ms = PACKAGE_WAIT_MS;
    query_text(&query, sha256);
    error = server_first(store, &query, "package", take_bytes, &reading);
    *package = reading.bytes;
    *size = reading.size;
    return error;
}

int postgres_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                         uint8_t **replay, size_t *size)
{
    struct reading reading = {.store = store};
    struct query query;
    int error;

    query_init(&query, "SELECT game_group, bytes FROM replay"
                       " WHERE season = $1 AND game_group = $2 AND rotation = $3");
    query_int(&query, season_id);
    query_int(&query, group);
    query_int(&query, rotation);
    error = server_first(store, &query, "replay", take_bytes, &reading);
    if (error == -ENOENT)
        error = postgres_replay_missing(store, season_id, group, rotation);
    *replay = reading.bytes;
    *size = reading.size;
    return error;
}
