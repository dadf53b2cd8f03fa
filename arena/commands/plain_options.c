#include "arena/commands/plain_options.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"

enum {
    OPTION_HELP = PLAY_OPTION_END, /* the options of the table follow it */
    OPTION_FIRST,
};

static void fill(struct option table[static PLAIN_OPTIONS_MAX + 2],
                 const struct plain_option *options)
{
    int count = 0;

    for (; options[count].name; count++) {
        assert(count < PLAIN_OPTIONS_MAX);
        table[count] = (struct option){options[count].name,
                                       options[count].text ? required_argument : no_argument, NULL,
                                       OPTION_FIRST + count};
    }
    table[count] = (struct option){"help", no_argument, NULL, OPTION_HELP};
    table[count + 1] = (struct option){0};
}

bool plain_options_read(int argc, char **argv, const struct plain_option *options,
                        const char *usage, const char *more_usage, int *status)
{
    struct option table[PLAIN_OPTIONS_MAX + 2];
    int option;

    fill(table, options);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", table, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s", usage, more_usage ? more_usage : "");
            *status = COMMAND_DONE;
            return false;
        }
        if (option < OPTION_FIRST) {
            *status = play_options_refuse(argv[0], option, argv);
            return false;
        }
        if (options[option - OPTION_FIRST].text)
            *options[option - OPTION_FIRST].text = optarg;
        else
            *options[option - OPTION_FIRST].flag = true;
    }
    return true;
}
