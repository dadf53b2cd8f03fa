/* arena retire: takes a bot out of play; what it played stays. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"

static const char usage[] =
    "usage: arena retire NAME [--home DIR]\n"
    "\n"
    "Takes a bot out of play from the next batch of every season on. Its games, replays and\n"
    "packages stay. A version submitted later plays again.\n"
    "\n";

int command_retire(int argc, char **argv)
{
    enum {
        OPTION_HOME = PLAY_OPTION_END,
        OPTION_HELP,
    };
    static const struct option options[] = {{"home", required_argument, NULL, OPTION_HOME},
                                            {"help", no_argument, NULL, OPTION_HELP},
                                            {NULL, 0, NULL, 0}};
    const char *home = NULL;
    struct store *store;
    int option, status;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case OPTION_HOME:
            home = optarg;
            break;
        case OPTION_HELP:
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        default:
            return play_options_refuse("retire", option, argv);
        }
    }
    if (argc - optind != 1)
        return command_refuse("retire: name one bot: see `arena retire --help`");
    status = store_option_open(home, STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status =
        store_option_status(store, store_bot_retire(store, argv[optind], store_option_now_us()));
    if (status == COMMAND_DONE)
        printf("%s is retired\n", argv[optind]);
    store_close(store);
    return status;
}
