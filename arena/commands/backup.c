/* arena backup: copies the whole store, while others may write to it. */
#include <getopt.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena backup FILE [--home DIR]\n"
    "\n"
    "Copies the store to a new file, as it is at one moment, even while seasons are being played.\n"
    "To restore it, replace arena.db in the home folder with it.\n"
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
