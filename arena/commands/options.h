/*
 * The options of a command: a table from which come the parser, --help, and the messages about
 * mistyped words. glibc's argp was no alternative: it reports an error in two lines of its own
 * words, suggests no similar name, and knows neither ranges of values nor options that exclude each
 * other.
 */
#ifndef ARENA_COMMANDS_OPTIONS_H
#define ARENA_COMMANDS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An option. An element with help but without a name is a heading of --help; an element without
 * both ends the table.
 */
struct option {
    const char *name;     /* name of the option, without dashes */
    const char *argument; /* name of the option's argument in --help; NULL: the option is a flag */
    const char *help;     /* help text, with the default in parentheses; wrapped when printed */

    /* Where the parser stores the value; exactly one of these fields is set. */
    bool *flag;
    const char **text; /* the argument, borrowed from argv */
    int64_t *number;
    int *count;
    double *real;
    unsigned *word; /* set to the index of the argument in `words`; may point to an enum */
    uint8_t *seed;  /* room for GAME_SEED_BYTES */
    /* Called with the argument; returns a command's status. */
    int (*take_fn)(void *context, const char *argument);
    void *context;

    int64_t minimum, maximum; /* range of number, count and real */
    int64_t scale;            /* the parser multiplies number by this factor; 0: by 1 */
    const char *unit;         /* unit of number in messages, such as "seconds"; or NULL */
    const char *const *words; /* the allowed arguments for `word`; ends with NULL */

    const char *needs; /* name of an option that must be given too; or NULL */
    /* Names of options that must not be given too, separated by spaces; or NULL. */
    const char *excludes;
};

/* A command, or a subcommand such as `arena season new`. */
struct command_line {
    const char *name;  /* name of the command, such as "season new" */
    const char *usage; /* options and arguments after the name; one line for each form */
    const char *about; /* description of the command; wrapped when printed */
    const struct option *options;
    int least, most;       /* range of the number of arguments; most < least means: exactly least */
    const char *arguments; /* what to do if the number of arguments is wrong: "name one season" */
    /* The first argument names a season: see store_command. Implies one argument. */
    bool names_season;
    void (*help_fn)(void); /* prints text after the options in --help; or NULL */
};

/*
 * Reads the options in argv, whose first element is the command's name. Leaves the arguments in
 * argv[0], argv[1], ..., and their number in *argc. Returns true if the command should go on; false
 * after --help or after a message about an error, with the exit status in *status.
 */
bool options_read(const struct command_line *line, int *argc, char **argv, int *status);

/* Returns true if the user gave the option with that name. */
bool options_given(const char *name);

/* Parses a whole number from minimum to maximum. Returns false if the text is not such a number. */
bool options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/*
 * Returns true if a user who typed `typed` may have meant `name`, and `name` is nearer to it than
 * *least differences; sets *least. *least starts as SIZE_MAX.
 */
bool options_is_nearer(const char *typed, const char *name, size_t *least);

struct command {
    const char *name;
    int (*run_fn)(int argc, char **argv); /* argv[0] is the command's name */
    const char *summary; /* one line for --help; NULL: only the arena itself runs the command */
};

/*
 * Runs the command or subcommand that argv[1] names. `of` is the command that the table belongs to,
 * such as "arena season"; an element with name NULL ends the table. Returns the command's status;
 * or a status after --help, or after a message about an unknown name.
 */
int command_choose(const char *of, const char *about, const struct command *table, int argc,
                   char **argv);

#endif
