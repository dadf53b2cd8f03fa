/*
 * The options of a command that has a few plain ones: a flag, or a text that the command
 * itself makes something of. Each has --help beside.
 */
#ifndef ARENA_COMMANDS_PLAIN_OPTIONS_H
#define ARENA_COMMANDS_PLAIN_OPTIONS_H

#include <stdbool.h>

enum {
    PLAIN_OPTIONS_MAX = 15,
};

/* One option: either flag or text is set. */
struct plain_option {
    const char *name;  /* without its dashes; NULL ends a list */
    bool *flag;        /* becomes true when it is given */
    const char **text; /* becomes its argument; borrowed from argv */
};

/*
 * Reads the options of command argv[0]; its arguments then begin at argv[optind]. Returns true
 * if it is to go on. False: *status is its exit status, after --help was answered with usage
 * and more_usage (or NULL), or a line said what is wrong.
 */
bool plain_options_read(int argc, char **argv, const struct plain_option *options,
                        const char *usage, const char *more_usage, int *status);

#endif
