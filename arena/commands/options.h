/*
 * The options of a command, declared once: a table from which come the parser, --help, and the
 * lines about what was mistyped. glibc's argp was looked at first: it reports a fault in two lines
 * of its own words, suggests nothing, and knows neither ranges nor which options exclude each
 * other.
 */
#ifndef ARENA_COMMANDS_OPTIONS_H
#define ARENA_COMMANDS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One option. Without a name: a heading of --help; without name and help: the end of the table. */
struct option {
    const char *name;     /* without dashes */
    const char *argument; /* its name in --help; NULL: a flag */
    const char *help;     /* what it does, the default in parentheses; wrapped when printed */

    /* Where its value goes; exactly one is set. */
    bool *flag;
    const char **text; /* borrowed from argv */
    int64_t *number;
    int *count;
    double *real;
    unsigned *word; /* set to the argument's index in words; may point to an enum */
    uint8_t *seed;  /* GAME_SEED_BYTES */
    int (*take_fn)(void *context, const char *argument); /* returns a command's status */
    void *context;

    int64_t minimum, maximum; /* of number, count and real */
    int64_t scale;            /* number is multiplied by this; 0: 1 */
    const char *unit;         /* what number counts, for messages: "seconds"; or NULL */
    const char *const *words; /* ends with NULL */

    const char *needs;    /* another option that must be given too, or NULL */
    const char *excludes; /* options, with spaces between, that must not be given; or NULL */
};

/* A command, or a subcommand such as `arena season new`. */
struct command_line {
    const char *name;  /* "season new" */
    const char *usage; /* what may follow the name; a line for each form */
    const char *about; /* wrapped when printed */
    const struct option *options;
    int least, most;       /* number of arguments; most below least: as many as least */
    const char *arguments; /* what to do if there are others: "name one season" */
    void (*help_fn)(void); /* prints what follows the options in --help; or NULL */
};

/*
 * Reads the options of argv, whose first element is the command's name, and leaves the arguments in
 * argv[0], argv[1], ..., *argc of them. Returns true if the command should go on; false, with its
 * exit status in *status, after --help or a line about what is wrong.
 */
bool options_read(const struct command_line *line, int *argc, char **argv, int *status);

/* True if that option was given to the command that runs. */
bool options_given(const char *name);

/* Parses a whole number from minimum to maximum. Returns false for anything else. */
bool options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

struct command {
    const char *name;
    int (*run_fn)(int argc, char **argv); /* argv[0] is the name */
    const char *summary;                  /* NULL: for the arena's own use */
};

/*
 * Runs the command or subcommand that argv[1] names. of is what it belongs to, "arena season"; the
 * table ends with name NULL. Returns its status, after --help or a line about a name that is not in
 * the table.
 */
int command_choose(const char *of, const char *about, const struct command *table, int argc,
                   char **argv);

#endif
