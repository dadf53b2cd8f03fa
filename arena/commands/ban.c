/* arena ban: bans a name or an author permanently, or lifts the ban. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena ban NAME|--author AUTHOR [--void | --lift] [--home DIR]\n"
    "\n"
    "Bans a bot, or all bots of an author, from the next batch of every season on, with whatever "
    "is\n"
    "submitted under that name or by that author later. Nothing is deleted.\n"
    "\n"
    "  --author AUTHOR  all bots of that author\n"
    "  --void           games in which they played count for nobody, in any season\n"
    "  --lift           ends the ban; voided games count again\n";

struct request {
    const char *home;
    const char *name, *author; /* one of the two is NULL */
    bool voided, lifted;
};

static int change(const struct request *request, struct store *store)
{
    const char *whom = request->name ? request->name : request->author;
    int error = request->lifted
                    ? store_ban_lift(store, request->name, request->author, store_option_now_us())
                    : store_ban_add(store, request->name, request->author, request->voided,
                                    store_option_now_us());
    int status = store_option_status(store, error);

    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s%s %s\n", request->name ? "" : "author ", whom,
                          request->lifted   ? "is no longer banned"
                          : request->voided ? "is banned; its games no longer count"
                                            : "is banned; its games still count");
    return status;
}

int command_ban(int argc, char **argv)
{
    struct request request = {.home = NULL};
    const struct plain_option options[] = {{"author", .text = &request.author},
                                           {"void", .flag = &request.voided},
                                           {"lift", .flag = &request.lifted},
                                           {"home", .text = &request.home},
                                           {.name = NULL}};
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind != (request.author ? 0 : 1))
        return command_refuse("ban: name one bot, or an author with --author: see `arena ban "
                              "--help`");
    if (request.voided && request.lifted)
        return command_refuse("ban: --void excludes --lift");
    request.name = request.author ? NULL : argv[optind];
    status = store_option_open(request.home, STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = change(&request, store);
    store_close(store);
    return status;
}
