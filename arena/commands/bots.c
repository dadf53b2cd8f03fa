/* The commands about stored bots: `arena bots`, `retire` and `ban`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
#include "arena/base/clock.h"
#include "arena/report/bot.h"

/* ---- bots ---- */

static int add_bot(void *context, const struct store_bot *bot)
{
    struct columns_rows *rows = context;

    return array_add(&rows->rows, &rows->count, bot, sizeof *bot);
}

static int list_bots(struct store_call *call)
{
    struct columns_rows rows = {.row_bytes = sizeof(struct store_bot)};
    int result = store_bots_each(call->store, add_bot, &rows)
                     ?: command_print_table("bots", &bot_columns, &rows,
                                            "no bots yet: `arena submit DIR` adds a bot");

    free((void *)rows.rows);
    return result;
}

static const struct option bots_options[] = {OPTION_WIDE, OPTION_JSON("one JSON object"),
                                             STORE_OPTIONS};

const struct command_line command_bots = {
    .name = "bots",
    .usage = "[--wide] [--json]",
    .about = "Lists every version of every bot, in order of submission.",
    .options = bots_options,
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
    .usage = "NAME [--void | --lift]\n--author AUTHOR [--void | --lift]",
    .about =
        "Bans a bot, or all bots of an author: the arena chooses no more games for these bots, nor "
        "for bots that are submitted later under that name or by that author. Nothing is deleted.",
    .options = ban_options,
    .most = 1,
    .arguments = "name one bot, or an author with --author",
    .store_fn = change_ban,
    .mode = STORE_WRITE};
