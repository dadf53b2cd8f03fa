/* SPDX-License-Identifier: MIT */
/* The commands about stored bots: `arena bots`, `retire` and `ban`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/array.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
#include "arena/base/clock.h"
#include "arena/base/place.h"
#include "arena/report/bot.h"
#include "arena/report/export.h"

/* ---- bots ---- */

static int add_bot(void *context, const struct store_bot *bot)
{
    struct columns_rows *rows = context;

    return array_add(&rows->rows, &rows->count, bot, sizeof *bot);
}

static int list_bots(struct store_call *call)
{
    struct columns_rows rows = {.row_bytes = sizeof(struct store_bot), .context = call->store};
    int result = store_bots_each(call->store, add_bot, &rows)
                     ?: command_print_table("bots", &bot_columns, &rows,
                                            "no bots yet: `arena submit DIR` adds a bot");

    free((void *)rows.rows);
    return result;
}

/* ---- bots fetch ---- */

static const char *fetched_season; /* --season; NULL: the bots that the arguments name */

struct fetching {
    struct store *store;
    const char *folder; /* in which each bot gets a folder of its name */
    int count, status;
};

/* Fetches a bot to a folder of its name, which has no character that could lead elsewhere. */
static int fetch(void *context, const struct store_bot *bot)
{
    struct fetching *fetching = context;
    char path[PATH_MAX], error[EXPORT_ERROR_BYTES];
    int result;

    if (snprintf(path, sizeof path, "%s/%s", fetching->folder, bot->name) >= (int)sizeof path)
        return command_refuse("%s: the path is too long", fetching->folder);
    result = export_bot(fetching->store, bot, path, error);
    fetching->count += result == 0;
    if (result == -ENODATA) /* the others are fetched */
        fetching->status = command_fail("%s@%s is left out: %s", bot->name, bot->version, error);
    else if (result)
        return command_fail("%s", error);
    return 0;
}

static int fetch_season(struct store_call *call)
{
    struct fetching fetching = {.store = call->store, .folder = call->argv[0]};
    int result = store_season_find(call->store, fetched_season, &call->season);

    if (result)
        return result;
    if (mkdir(fetching.folder, 0777) < 0)
        return command_refuse_errno(errno, "%s: %s%s", fetching.folder, strerror(errno),
                                    errno == EEXIST ? ": name a new folder" : place_cure(errno));
    result = export_finals_each(call->store, &call->season, fetch, &fetching);
    if (result)
        return result;
    plain_text_printf(stdout, "%s: %d bot%s of season %s, each as it was submitted\n",
                      fetching.folder, fetching.count, plain_text_s(fetching.count),
                      fetched_season);
    return fetching.status;
}

static int fetch_bots(struct store_call *call)
{
    char name[STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX + 2], error[EXPORT_ERROR_BYTES];
    struct store_bot bot;
    char *version;
    int result;

    if (call->argc != (fetched_season ? 1 : 2))
        return command_refuse("bots fetch: name %s",
                              fetched_season ? "one new folder" : "one bot and a new folder");
    if (fetched_season)
        return fetch_season(call);
    snprintf(name, sizeof name, "%s", call->argv[0]);
    version = strchr(name, '@');
    if (version)
        *version++ = '\0';
    result = store_bot_find(call->store, name, version, &bot);
    if (result)
        return result;
    result = export_bot(call->store, &bot, call->argv[1], error);
    if (result)
        return result == -EEXIST ? command_refuse("%s", error) : command_fail("%s", error);
    plain_text_printf(stdout, "%s: %s %s by %s, as it was submitted\n", call->argv[1], bot.name,
                      bot.version, bot.author);
    return COMMAND_DONE;
}

static const struct option fetch_options[] = {
    {"season", "SEASON",
     "the last version of every bot of SEASON, reference bots aside, each in a folder of DIR with "
     "the bot's name",
     .text = &fetched_season},
    STORE_OPTIONS};

static const struct command_line fetch_line = {
    .name = "bots fetch",
    .is_remote = true,
    .last_path = PATH_MADE,
    .usage = "NAME[@VERSION] DIR\n--season SEASON DIR",
    .about = "Writes a bot's source to the new folder DIR, as the author submitted it, without "
             "what the arena's build made: for marking, and for tools that look for plagiarism.",
    .options = fetch_options,
    .least = 1,
    .most = 2,
    .arguments = "name one bot and a new folder, or with --season only the folder",
    .store_fn = fetch_bots};

static const struct command bots_subcommands[] = {
    {"fetch", &fetch_line, "write the source of a bot, or of a season's bots, to a folder"},
    {NULL},
};

static const struct option bots_options[] = {OPTION_WIDE, OPTION_JSON("one JSON object"),
                                             STORE_OPTIONS};

const struct command_line command_bots = {
    .name = "bots",
    .is_remote = true,
    .usage = "[--wide] [--json]\nfetch NAME[@VERSION] DIR\nfetch --season SEASON DIR",
    .about = "Lists every version of every bot, in order of submission.",
    .options = bots_options,
    .subcommands = bots_subcommands,
    .store_fn = list_bots};

/* ---- retire ---- */

static bool is_undone; /* --undo */

static int retire(struct store_call *call)
{
    const char *name = call->argv[0];
    int error = is_undone ? store_bot_unretire(call->store, name)
                          : store_bot_retire(call->store, name, clock_time_us());

    if (!error)
        plain_text_printf(stdout, "%s %s\n", name, is_undone ? "plays again" : "is retired");
    return error;
}

static const struct option retire_options[] = {
    {"undo", NULL, "let the newest version of a retired bot play again, in every open season",
     .flag = &is_undone},
    STORE_OPTIONS};

const struct command_line command_retire = {
    .name = "retire",
    .is_remote = true,
    .usage = "NAME [--undo]",
    .about = "Retires a bot: the arena chooses no more games for the bot, in any season. Its "
             "games, replays and packages stay. A version that is submitted later plays.",
    .options = retire_options,
    .least = 1,
    .arguments = "name one bot",
    .store_fn = retire,
    .mode = STORE_WRITE};

/* ---- ban ---- */

static const char *banned_author; /* author to ban; NULL: the argument names a bot to ban */
static bool voids, lifts;

static int note_author(void *context, const struct store_bot *bot)
{
    const char **author = context;

    if (*author && strcmp(bot->author, *author) == 0)
        *author = NULL; /* found */
    return 0;
}

/* Prints a line if nobody has the name of a banned author: the name may be misspelled. */
static int tell_unknown(struct store *store, const char *author)
{
    const char *sought = author;
    struct store_author account;
    int error = store_author_find(store, author, &account);

    if (error == -ENOENT)
        error = store_bots_each(store, note_author, &sought);
    else
        sought = NULL;
    if (!error && sought)
        plain_text_printf(stdout,
                          "no author has the name %s yet: the ban also holds for bots that this "
                          "author submits later\n",
                          author);
    return error;
}

static int change_ban(struct store_call *call)
{
    const char *name = banned_author ? NULL : call->argv[0];
    int64_t now_us = clock_time_us();
    int error;

    if (call->argc != (banned_author ? 0 : 1))
        return command_refuse(
            "ban: name one bot, or an author with --author: see `arena ban --help`");
    error = lifts ? store_ban_lift(call->store, name, banned_author, now_us)
                  : store_ban_add(call->store, name, banned_author, voids, now_us);
    if (!error)
        plain_text_printf(stdout, "%s%s %s\n", name ? "" : "author ", name ? name : banned_author,
                          lifts   ? "is no longer banned"
                          : voids ? "is banned; its games no longer count"
                                  : "is banned; its games still count");
    if (!error && banned_author && !lifts)
        error = tell_unknown(call->store, banned_author);
    return error;
}

static const struct option ban_options[] = {
    {"author", "AUTHOR", "ban all bots of AUTHOR", .text = &banned_author},
    {"void", NULL, "the games of the banned bots no longer count, in any season", .flag = &voids},
    {"lift", NULL, "end the ban; voided games count again", .flag = &lifts, .excludes = "void"},
    STORE_OPTIONS};

const struct command_line command_ban = {
    .name = "ban",
    .is_remote = true,
    .usage = "NAME [--void | --lift]\n--author AUTHOR [--void | --lift]",
    .about =
        "Bans a bot, or all bots of an author: the arena chooses no more games for these bots, nor "
        "for bots that are submitted later under that name or by that author. Nothing is deleted.",
    .options = ban_options,
    .most = 1,
    .arguments = "name one bot, or an author with --author",
    .store_fn = change_ban,
    .mode = STORE_WRITE};
