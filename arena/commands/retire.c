/* arena retire: takes a bot out of play; what it played stays. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena retire NAME [--home DIR]\n"
    "\n"
    "Takes a bot out of play from the next batch of every season on. Its games, replays and\n"
    "packages stay. A version submitted later plays again.\n"
    "\n";

int command_retire(int argc, char **argv)
{
    const char *home = NULL;
    const struct plain_option options[] = {{"home", .text = &home}, {.name = NULL}};
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind != 1)
        return command_refuse("retire: name one bot: see `arena retire --help`");
    status = store_option_open(home, STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status =
        store_option_status(store, store_bot_retire(store, argv[optind], store_option_now_us()));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s is retired\n", argv[optind]);
    store_close(store);
    return status;
}
