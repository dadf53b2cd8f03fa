/* arena unretire: makes a retired bot active again. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena unretire NAME [--home DIR]\n"
    "\n"
    "Lets a retired bot play again, from the next batch of every season on: its newest version.\n"
    "\n";

int command_unretire(int argc, char **argv)
{
    struct store *store;
    int status;

    if (!store_option_open_for_one(argc, argv, usage, "bot", STORE_WRITE, &store, &status))
        return status;
    status = store_option_status(store, store_bot_unretire(store, argv[optind]));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s plays again\n", argv[optind]);
    store_close(store);
    return status;
}
