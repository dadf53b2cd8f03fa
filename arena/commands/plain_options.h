/*
 * Option parsing for commands with few simple options: flags, and texts that the command itself
 * interprets. --help is added to all.
 */
#ifndef ARENA_COMMANDS_PLAIN_OPTIONS_H
#define ARENA_COMMANDS_PLAIN_OPTIONS_H

#include <stdbool.h>

enum {
    PLAIN_OPTIONS_MAX = 15,
};

/* One option: either flag or text is set. */
struct plain_option {
    const char *name;  /* without dashes; NULL ends a list */
    bool *flag;        /* set to true if the option is given */
    const char **text; /* set to its argument, borrowed from argv */
};

/*
 * Reads the options of command argv[0]; its arguments then begin at argv[optind]. Returns true if
 * the command should continue. Returns false, with the exit status in *status, after printing usage
 * and more_usage (may be NULL) for --help, or a line about an error.
 */
bool plain_options_read(int argc, char **argv, const struct plain_option *options,
                        const char *usage, const char *more_usage, int *status);

#endif
