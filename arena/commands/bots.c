/* arena bots: lists the bots that were admitted. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] = "usage: arena bots [--json] [--home DIR]\n"
                            "\n"
                            "Lists every version of every bot, in order of submission.\n"
                            "\n"
                            "  --json      one JSON object\n";

static int add_json(void *context, const struct store_bot *bot)
{
    return json_array_append_new(
        context,
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:b}", "name", bot->name,
                  "version", bot->version, "author", bot->author, "language", bot->language,
                  "sha256", bot->sha256, "submitted", store_option_time(bot->submitted_us),
                  "retired", store_option_time(bot->retired_us), "banned",
                  store_option_time(bot->banned_us), "voided", bot->voided, "newest", bot->newest));
}

static int print_bot(void *context, const struct store_bot *bot)
{
    int *count = context;

    if (++*count == 1)
        plain_text_printf(stdout, "%-24s %-12s %-20s %-10s %-12s %s\n", "bot", "version", "author",
                          "language", "package", "state");
    plain_text_printf(stdout, "%-24s %-12s %-20s %-10s %.12s %s\n", bot->name, bot->version,
                      bot->author, bot->language, bot->sha256,
                      bot->voided       ? "banned, games void"
                      : bot->banned_us  ? "banned"
                      : bot->retired_us ? "retired"
                      : bot->newest     ? "plays"
                                        : "replaced");
    return 0;
}

static int list_bots(struct store *store, bool json)
{
    json_t *bots = json ? json_array() : NULL;
    int count = 0;
    int error = store_bots_each(store, json ? add_json : print_bot, json ? (void *)bots : &count);

    if (error) {
        json_decref(bots);
        return store_option_status(store, error);
    }
    if (json)
        return store_option_print(json_pack("{s:o}", "bots", bots));
    if (count == 0)
        puts("no bots yet: `arena submit DIR` admits one");
    return COMMAND_DONE;
}

int command_bots(int argc, char **argv)
{
    const char *home = NULL;
    bool json = false;
    const struct plain_option options[] = {
        {"json", .flag = &json}, {"home", .text = &home}, {.name = NULL}};
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (optind < argc)
        return command_refuse("bots: %s: takes no arguments", argv[optind]);
    status = store_option_open(home, STORE_READ, &store);
    if (status != COMMAND_DONE)
        return status;
    status = list_bots(store, json);
    store_close(store);
    return status;
}
