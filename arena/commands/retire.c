/* arena retire: retires a bot; its games still count. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena retire NAME [--home DIR]\n"
    "\n"
    "Retires a bot from the next batch of every season on. Its games, replays and packages stay.\n"
    "A version that is submitted later plays again.\n"
    "\n";

int command_retire(int argc, char **argv)
{
    struct store *store;
    int status;

    if (!store_option_open_for_one(argc, argv, usage, "bot", STORE_WRITE, &store, &status))
        return status;
    status =
        store_option_status(store, store_bot_retire(store, argv[optind], store_option_now_us()));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s is retired\n", argv[optind]);
    store_close(store);
    return status;
}
