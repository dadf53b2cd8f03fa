/* Bots and packages: checks limits and rows, and words the messages, for any back end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/core.h"

static int check_package(struct store *store, const struct store_bot *bot,
                         struct store_package package)
{
    if (package.size <= STORE_PACKAGE_BYTES_MAX)
        return 0;
    return store_refuse(store, -EINVAL,
                        "bot %s: its package has %zu MiB, the limit is %d: leave out what the bot "
                        "does not need to run",
                        bot->name, package.size >> 20, STORE_PACKAGE_BYTES_MAX >> 20);
}

/*
 * Checks that a name belongs to its author, unless the operator transfers it. Sets bot->taken_over.
 */
static int check_author(struct store *store, struct store_bot *bot)
{
    struct store_bot before;
    int error = store->backend->bot_find(store, bot->name, NULL, &before);

    if (error == -ENOENT || (!error && strcmp(before.author, bot->author) == 0)) {
        bot->taken_over = false;
        return 0;
    }
    if (error || bot->taken_over)
        return error;
    return store_refuse(
        store, -EPERM,
        "bot %s belongs to %s: choose another name; an operator can give it to %s with --take-over",
        bot->name, before.author, bot->author);
}

int store_bot_check(struct store *store, const struct store_bot *bot)
{
    struct store_bot found = *bot;
    int error;

    core_begin(store);
    error = check_author(store, &found);
    if (!error) {
        error = store->backend->bot_find(store, bot->name, bot->version, &found);
        if (!error)
            error = store_refuse(store, -EEXIST,
                                 "bot %s already has a version %s: change the version in bot.json",
                                 bot->name, bot->version);
        else if (error == -ENOENT)
            error = 0;
    }
    return core_end(store, error);
}

int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    bot->id = bot->previous_id = 0;
    if (!error && !row_bot_is_sound(bot, &fault))
        error = core_refuse_row(store, &fault);
    if (!error)
        error = check_author(store, bot);
    if (!error)
        error = check_package(store, bot, given);
    if (!error)
        error = check_package(store, bot, built);
    if (!error)
        error = store->backend->bot_add(store, bot, given, built);
    if (error == -EEXIST)
        store_refuse(store, error, "bot %s already has a version %s: choose another", bot->name,
                     bot->version);
    return core_end_write(store, error);
}

static int find(struct store *store, const char *name, const char *version, struct store_bot *bot)
{
    int error = store->backend->bot_find(store, name, version, bot);
    struct row_fault fault;

    if (!error && !row_bot_is_sound(bot, &fault))
        error = core_damaged(store, &fault);
    if (error == -ENOENT)
        store_refuse(store, error, "there is no bot %s%s%s: `arena bots` lists them", name,
                     version ? " of version " : "", version ? version : "");
    return error;
}

int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot)
{
    core_begin(store);
    return core_end(store, find(store, name, version, bot));
}

static int pass_bot(void *context, const struct store_bot *bot)
{
    struct passing *passing = context;
    struct row_fault fault;
    int result;

    if (!row_bot_is_sound(bot, &fault))
        passing->error = core_damaged(passing->store, &fault);
    else if (bot->id <= passing->next)
        passing->error = store_damaged(passing->store, "bot", fault.row, "id", "out of order");
    if (passing->error)
        return 1;
    passing->next = bot->id;
    passing->store->each_depth++;
    result = ((store_bot_fn *)passing->each_fn)(passing->context, bot);
    passing->store->each_depth--;
    return result;
}

int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing, store->backend->bots_each(store, pass_bot, &passing));
}

int store_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    struct store_bot bot;
    int error = core_begin_write(store);

    if (!error)
        error = find(store, name, NULL, &bot); /* sets the message if there is no such bot */
    if (!error)
        error = store->backend->bot_retire(store, name, now_us);
    if (error == -EEXIST)
        store_refuse(store, error, "bot %s is already retired", name);
    return core_end_write(store, error);
}

int store_bot_unretire(struct store *store, const char *name)
{
    struct store_bot bot;
    int error = core_begin_write(store);

    if (!error)
        error = find(store, name, NULL, &bot);
    if (!error)
        error = store->backend->bot_unretire(store, name);
    if (error == -EEXIST)
        store_refuse(store, error, "bot %s is not retired", name);
    return core_end_write(store, error);
}

int store_manifest_read(struct store *store, int64_t bot_id, char **text)
{
    char row[32];
    int error;

    *text = NULL;
    core_begin(store);
    error = store->backend->manifest_read(store, bot_id, text);
    if (!error && *text && strlen(*text) > STORE_MANIFEST_BYTES_MAX) {
        free(*text);
        *text = NULL;
        snprintf(row, sizeof row, "id %lld", (long long)bot_id);
        error = store_damaged(store, "bot", row, "manifest", "too long");
    }
    if (error == -ENOENT)
        store_refuse(store, error, "there is no bot with number %lld", (long long)bot_id);
    return core_end(store, error);
}

bool store_package_forget(struct store *store, const char *sha256)
{
    if (!store->backend->package_forget)
        return false;
    store->backend->package_forget(store, sha256);
    return true;
}

int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    int error;

    core_begin(store);
    error = store->backend->package_read(store, sha256, package, size);
    if (!error && *size > STORE_PACKAGE_BYTES_MAX) {
        free(*package);
        error = store_damaged(store, "package", sha256, "bytes", "too long");
    }
    if (error == -ENOENT)
        store_refuse(store, error, "there is no package %s", sha256);
    return core_end(store, error);
}
