/* arena unretire: lets a retired bot play again. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena unretire NAME [--home DIR]\n"
    "\n"
    "Lets a retired bot play again, from the next batch of every season on: its newest version.\n"
    "\n";

int command_unretire(int argc, char **argv)
{
    const char *home = NULL;
    const struct plain_option options[] = {{"home", .text = &home}, {.name = NULL}};
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind != 1)
        return command_refuse("unretire: name one bot: see `arena unretire --help`");
    status = store_option_open(home, STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, store_bot_unretire(store, argv[optind]));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s plays again\n", argv[optind]);
    store_close(store);
    return status;
}
