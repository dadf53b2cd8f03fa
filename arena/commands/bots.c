/* The commands about stored bots: `arena bots`, `retire`, `unretire` and `ban`. */
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/report/bots.h"

/* ---- bots ---- */

static int print_bots(const struct report_bots *report, bool wide, bool json)
{
    if (json)
        return command_print_json(report_bots_json(report));
    if (report->count == 0)
        puts("no bots yet: `arena submit DIR` admits one");
    else if (report_bots_print(stdout, report, command_layout(wide)) < 0)
        return command_fail("out of memory");
    return COMMAND_DONE;
}

static int list_bots(struct store *store, bool wide, bool json)
{
    struct report_bots report;
    int status = store_option_status(store, report_bots_load(&report, store));

    if (status != COMMAND_DONE)
        return status;
    status = print_bots(&report, wide, json);
    report_bots_finish(&report);
    return status;
}

int command_bots(int argc, char **argv)
{
    bool json = false, wide = false;
    const struct option options[] = {
        {"wide", NULL, "do not shorten names to fit the terminal", .flag = &wide},
        {"json", NULL, "one JSON object", .flag = &json},
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "bots",
        .usage = "[--wide] [--json]",
        .about = "Lists every version of every bot, in order of submission.",
        .options = options};
    struct store *store;
    int status;

    if (!store_option_read(&line, &argc, argv, STORE_READ, &store, &status))
        return status;
    status = list_bots(store, wide, json);
    store_close(store);
    return status;
}

/* ---- retire and unretire ---- */

int command_retire(int argc, char **argv)
{
    const struct option options[] = {STORE_OPTIONS};
    const struct command_line line = {
        .name = "retire",
        .usage = "NAME",
        .about = "Retires a bot from the next batch of every season on. Its games, replays and "
                 "packages stay. A version that is submitted later plays again.",
        .options = options,
        .least = 1,
        .arguments = "name one bot"};
    struct store *store;
    int status;

    if (!store_option_read(&line, &argc, argv, STORE_WRITE, &store, &status))
        return status;
    status = store_option_status(store, store_bot_retire(store, argv[0], store_option_now_us()));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s is retired\n", argv[0]);
    store_close(store);
    return status;
}

int command_unretire(int argc, char **argv)
{
    const struct option options[] = {STORE_OPTIONS};
    const struct command_line line = {
        .name = "unretire",
        .usage = "NAME",
        .about = "Lets a retired bot play again, from the next batch of every season on: its "
                 "newest version.",
        .options = options,
        .least = 1,
        .arguments = "name one bot"};
    struct store *store;
    int status;

    if (!store_option_read(&line, &argc, argv, STORE_WRITE, &store, &status))
        return status;
    status = store_option_status(store, store_bot_unretire(store, argv[0]));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s plays again\n", argv[0]);
    store_close(store);
    return status;
}

/* ---- ban ---- */

struct ban {
    const char *name, *author; /* the banned name or author; the other is NULL */
    bool voided, lifted;
};

static int change_ban(const struct ban *ban, struct store *store)
{
    const char *whom = ban->name ? ban->name : ban->author;
    int error = ban->lifted ? store_ban_lift(store, ban->name, ban->author, store_option_now_us())
                            : store_ban_add(store, ban->name, ban->author, ban->voided,
                                            store_option_now_us());
    int status = store_option_status(store, error);

    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s%s %s\n", ban->name ? "" : "author ", whom,
                          ban->lifted   ? "is no longer banned"
                          : ban->voided ? "is banned; its games no longer count"
                                        : "is banned; its games still count");
    return status;
}

int command_ban(int argc, char **argv)
{
    struct ban ban = {.name = NULL};
    const struct option options[] = {
        {"author", "AUTHOR", "all bots of that author", .text = &ban.author},
        {"void", NULL, "games in which they played count for nobody, in any season",
         .flag = &ban.voided},
        {"lift", NULL, "ends the ban; voided games count again", .flag = &ban.lifted,
         .excludes = "void"},
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "ban",
        .usage = "NAME [--void | --lift]\n--author AUTHOR [--void | --lift]",
        .about = "Bans a bot, or all bots of an author, from the next batch of every season on, "
                 "with whatever is submitted under that name or by that author later. Nothing is "
                 "deleted.",
        .options = options,
        .most = 1,
        .arguments = "name one bot, or an author with --author"};
    struct store *store;
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (argc != (ban.author ? 0 : 1))
        return command_refuse("ban: %s: see `arena ban --help`", line.arguments);
    ban.name = ban.author ? NULL : argv[0];
    status = store_option_open(STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = change_ban(&ban, store);
    store_close(store);
    return status;
}
