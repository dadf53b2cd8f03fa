/* Bots in memory: versions, bans, packages and manifests. */
#include <errno.h>
#include <string.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_rows.h"

/* Returns the bot of that version, or the newest (NULL); -1 if there is none. */
static int find_bot(const struct store *store, const char *name, const char *version)
{
    for (int i = (int)row_count(store, BOTS) - 1; i >= 0; i--) {
        const struct store_bot *bot = row_at(store, BOTS, (size_t)i);

        if (strcmp(bot->name, name) == 0 && (!version || strcmp(bot->version, version) == 0))
            return i;
    }
    return -1;
}

static void tell_bot(const struct store *store, int number, struct store_bot *bot)
{
    *bot = *(const struct store_bot *)row_at(store, BOTS, (size_t)number);
    bot->manifest = NULL;
    bot->newest = find_bot(store, bot->name, NULL) == number;
    for (size_t i = 0; i < row_count(store, BANS); i++) {
        const struct kept_ban *ban = row_at(store, BANS, i);

        if (ban->lifted ||
            (ban->name ? strcmp(ban->name, bot->name) != 0 : strcmp(ban->author, bot->author) != 0))
            continue;
        bot->banned_us = ban->banned_us;
        bot->voided = bot->voided || ban->void_games;
    }
}

int package_add(struct store *store, const char *sha256, struct store_package package)
{
    struct kept_package row = {.size = package.size};

    for (size_t i = 0; i < row_count(store, PACKAGES); i++)
        if (strcmp(((struct kept_package *)row_at(store, PACKAGES, i))->sha256, sha256) == 0)
            return 0;
    strcpy(row.sha256, sha256);
    row.bytes = keep_bytes(package.bytes, package.size);
    return row.bytes ? row_append(store, PACKAGES, &row) : -ENOMEM;
}

int memory_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built)
{
    struct store_bot row = *bot;
    int previous = find_bot(store, bot->name, NULL);
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (find_bot(store, bot->name, bot->version) >= 0)
        error = -EEXIST;
    if (!error)
        error = package_add(store, bot->sha256, given);
    if (!error)
        error = package_add(store, bot->built_sha256, built);
    row.id = (int64_t)row_count(store, BOTS) + 1;
    row.previous_id = previous + 1;
    row.manifest = keep_text(bot->manifest);
    if (!error)
        error = row_append(store, BOTS, &row);
    if (!error)
        error = event_add(store, 0, "submit", bot->name);
    if (!error)
        tell_bot(store, (int)row.id - 1, bot);
    return write_end(store, own, error);
}

int memory_bot_find(struct store *store, const char *name, const char *version,
                    struct store_bot *bot)
{
    int number = find_bot(store, name, version);

    if (number < 0)
        return -ENOENT;
    tell_bot(store, number, bot);
    return 0;
}

int memory_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    for (size_t i = 0; i < row_count(store, BOTS); i++) {
        struct store_bot bot;

        tell_bot(store, (int)i, &bot);
        if (each_fn(context, &bot) != 0)
            return -EINTR;
    }
    return 0;
}

int memory_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    int newest = find_bot(store, name, NULL);
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (newest < 0)
        error = -ENOENT;
    else if (((struct store_bot *)row_at(store, BOTS, (size_t)newest))->retired_us)
        error = -EEXIST;
    for (size_t i = 0; i < row_count(store, BOTS) && !error; i++) {
        struct store_bot *bot = row_at(store, BOTS, i);

        if (strcmp(bot->name, name) == 0 && !bot->retired_us)
            bot->retired_us = now_us;
    }
    if (!error)
        error = event_add(store, 0, "retire", name);
    return write_end(store, own, error);
}

int memory_bot_unretire(struct store *store, const char *name)
{
    bool own, found = false;
    int error = write_begin(store, &own);

    if (error)
        return error;
    for (size_t i = 0; i < row_count(store, BOTS); i++) {
        struct store_bot *bot = row_at(store, BOTS, i);

        if (strcmp(bot->name, name) != 0 || !bot->retired_us)
            continue;
        bot->retired_us = 0;
        found = true;
    }
    return write_end(store, own, found ? event_add(store, 0, "unretire", name) : -EEXIST);
}

/* Ends the current bans of a name or an author; with voiding, those with void_games too. */
static bool lift(struct store *store, const char *name, const char *author, bool voiding)
{
    bool found = false;

    for (size_t i = 0; i < row_count(store, BANS); i++) {
        struct kept_ban *ban = row_at(store, BANS, i);

        if (ban->lifted || (ban->void_games && !voiding) || !ban->name != !name ||
            strcmp(ban->name ? ban->name : ban->author, name ? name : author) != 0)
            continue;
        ban->lifted = found = true;
    }
    return found;
}

static bool is_banned(struct store *store, const char *name, const char *author)
{
    for (size_t i = 0; i < row_count(store, BANS); i++) {
        const struct kept_ban *ban = row_at(store, BANS, i);

        if (!ban->lifted && !ban->name == !name &&
            strcmp(ban->name ? ban->name : ban->author, name ? name : author) == 0)
            return true;
    }
    return false;
}

int memory_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us)
{
    struct kept_ban row = {keep_text(name), keep_text(author), void_games, false, now_us};
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (void_games)
        lift(store, name, author, false);
    error = is_banned(store, name, author) ? -EEXIST : row_append(store, BANS, &row);
    if (!error)
        error = event_add(store, 0, void_games ? "void" : "ban", name ? name : author);
    return write_end(store, own, error);
}

int memory_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us)
{
    bool own;
    int error = write_begin(store, &own);

    (void)now_us;
    if (error)
        return error;
    error = lift(store, name, author, true) ? event_add(store, 0, "unban", name ? name : author)
                                            : -EEXIST;
    return write_end(store, own, error);
}

int memory_manifest_read(struct store *store, int64_t bot_id, char **text)
{
    const struct store_bot *bot;

    if (bot_id < 1 || bot_id > (int64_t)row_count(store, BOTS))
        return -ENOENT;
    bot = row_at(store, BOTS, (size_t)bot_id - 1);
    if (bot->manifest && !(*text = copy_bytes(bot->manifest, strlen(bot->manifest))))
        return -ENOMEM;
    return 0;
}

int memory_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    for (size_t i = 0; i < row_count(store, PACKAGES); i++) {
        const struct kept_package *row = row_at(store, PACKAGES, i);

        if (strcmp(row->sha256, sha256) != 0)
            continue;
        *size = row->size;
        *package = copy_bytes(row->bytes, row->size);
        return *package ? 0 : -ENOMEM;
    }
    return -ENOENT;
}
