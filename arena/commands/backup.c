/* arena backup: a copy of the whole store, while others write to it. */
#include <getopt.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena backup FILE [--home DIR]\n"
    "\n"
    "Copies the store, as it is at one moment, to a file that must not exist. Seasons may be\n"
    "played meanwhile. To go back to it, put it in the place of arena.db in the home folder.\n"
    "\n";

int command_backup(int argc, char **argv)
{
    struct store *store;
    int status;

    if (!store_option_open_for_one(argc, argv, usage, "file", STORE_READ, &store, &status))
        return status;
    status = store_option_status(store, store_backup(store, argv[optind]));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s: written; `arena store check --store sqlite:%s` checks it\n",
                          argv[optind], argv[optind]);
    store_close(store);
    return status;
}
