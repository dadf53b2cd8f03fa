/* SPDX-License-Identifier: MIT */
/*
 * Commands as tables. A command is a struct command_line: its options, and the function that it
 * calls. The parser, --help, and the messages about mistyped words read these tables; the values of
 * options are variables of the command's file. For a command that works on a store, command_run
 * first opens the store that --home and --store name. glibc's argp was no alternative: it reports
 * an error in two lines of its own words, suggests no similar name, and knows neither ranges of
 * values nor options that exclude each other.
 */
#ifndef ARENA_COMMANDS_OPTIONS_H
#define ARENA_COMMANDS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/store/store.h"

/* What an argument that is a path means for a command that runs on another machine (remote.h). */
enum option_path {
    PATH_NONE = 0, /* the argument is no path */
    PATH_HERE = 1, /* of the machine on which the command runs: nobody may send the option */
    PATH_READ = 2, /* a file that the command reads: it is sent along */
    PATH_MADE = 3, /* a file or folder that the command makes: it is sent back */
};

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
    /* A web address without the slashes at its end, so that paths are added in one way. */
    const char **url;
    int64_t *number;
    int *count;
    double *real;
    unsigned *word; /* set to the index of the argument in `words`; may point to an enum */
    uint8_t *seed;  /* room for GAME_SEED_BYTES */
    /* Called with the argument; returns a command's status. */
    int (*take_fn)(void *context, const char *argument);
    void *context;

    int64_t minimum, maximum; /* range of number, count and real */
    /* Factor by which the parser multiplies the number, such as 1 << 20 for MiB; 0: 1. */
    int64_t scale;
    const char *unit;         /* unit of number in messages, such as "seconds"; or NULL */
    const char *const *words; /* the allowed arguments for `word`; ends with NULL */

    enum option_path path; /* what the argument means if it is a path */

    const char *needs; /* name of an option that must be given too; or NULL */
    /* Names of options that must not be given too, separated by spaces; or NULL. */
    const char *excludes;
};

/* What a command that works on a store gets. */
struct store_call {
    struct store *store;
    struct store_season season; /* the season that argv[0] names; unset without `names_season` */
    int argc;
    char **argv; /* the arguments, without options */
};

/*
 * A command in the list of all commands, or in the list of a command's subcommands. Without a line
 * it is a heading, for --help.
 */
struct command {
    const char *name;
    const struct command_line *line;
    const char *summary; /* one line for --help; NULL: only the arena itself runs the command */
};

/* A command, or a subcommand such as `arena season new`. */
struct command_line {
    const char *name;  /* name of the command, such as "season new"; "" for `arena` itself */
    const char *usage; /* options and arguments after the name; one line for each form */
    const char *about; /* description of the command; wrapped when printed */
    const struct option *options;
    int least, most;       /* range of the number of arguments; most < least means: exactly least */
    const char *arguments; /* what to do if the number of arguments is wrong: "name one season" */
    bool names_season;     /* the first argument names a season; implies one argument */
    bool is_remote;        /* an organizer may have another machine run the command (remote.h) */
    enum option_path last_path; /* what the last argument means if it is a path */
    void (*help_fn)(void);      /* prints text after the options in --help; or NULL */

    /*
     * What the command does; exactly one of these fields is set, except that a command with a
     * store_fn, which runs if no argument names a subcommand, may have subcommands, too.
     */
    const struct command *subcommands;    /* ends with name NULL */
    int (*run_fn)(int argc, char **argv); /* receives the arguments, without options */
    /*
     * Works on the store, which is opened in `mode`. Returns a command's status, or an error of the
     * store (-errno), whose message command_run prints.
     */
    int (*store_fn)(struct store_call *call);
    enum store_mode mode;
};

/* Has another machine run a command, or checks what another machine sent: remote.c. */
struct options_detour {
    /* Returns false, after a message, if the command may not be sent, or may not run here. */
    bool (*may_run_fn)(const struct command_line *line, int *status);
    /* Check an option, and the arguments, and note them for send_fn. */
    int (*take_option_fn)(const struct option *option, const char *value);
    int (*take_arguments_fn)(const struct command_line *line, int argc, char **argv);
    /* Has the command run on the other machine, and sets its status; false: it runs here. */
    bool (*send_fn)(const struct command_line *line, int *status);
};

extern const struct options_detour *options_detour; /* NULL: commands run here */

/* Set by the options --json and --wide. */
extern bool options_json, options_wide;

/* Entries of a command's option table; `about` says what the JSON consists of. */
/* clang-format off */
#define OPTION_JSON(about) {"json", NULL, about, .flag = &options_json}
#define OPTION_WIDE \
    {"wide", NULL, "do not shorten names to fit the terminal", .flag = &options_wide}
/* clang-format on */

/* Returns true if the user gave the option with that name. */
bool options_given(const char *name);

/* Has options_given return true for an option that was given elsewhere. The name is borrowed. */
void options_give(const char *name);

/* Parses a whole number from minimum to maximum. Returns false if the text is not such a number. */
bool options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/*
 * Returns true if `typed` may be a misspelled `name` and differs from `name` in fewer than *least
 * characters; then sets *least to the number of different characters. Callers begin with SIZE_MAX.
 */
bool options_is_nearer(const char *typed, const char *name, size_t *least);

/*
 * Reads the options in argv, whose first element is the command's name, and runs the command or the
 * subcommand that argv[1] names. Returns the command's status; or a status after --help, or after a
 * message about a wrong option, argument or name.
 */
int command_run(const struct command_line *line, int argc, char **argv);

/* ---- the store ---- */

/* The values of --home and --store; NULL if not given. */
extern const char *store_option_home, *store_option_url;

/* The option --home alone; and --home and --store, which end a command's option table. */
#define STORE_OPTION_HOME                                                                          \
    {                                                                                              \
        "home", "DIR",                                                                             \
            "the home folder ($ARENA_HOME, else $XDG_DATA_HOME/pavilion, "                         \
            "~/.local/share/pavilion)",                                                            \
            .text = &store_option_home, .path = PATH_HERE                                          \
    }
#define STORE_OPTIONS                                                                              \
    {.help = "the store"}, STORE_OPTION_HOME,                                                      \
        {"store", "URL",                                                                           \
         "store instead of the home's: sqlite:PATH or postgresql://USER@HOST/DATABASE "            \
         "($ARENA_STORE)",                                                                         \
         .text = &store_option_url, .path = PATH_HERE},                                            \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Option tables: only the store's options; the store's options and --json. */
extern const struct option store_options[], store_json_options[];

/*
 * Opens the store. Returns COMMAND_DONE, or another status after printing why. The caller closes
 * *store, but only after COMMAND_DONE.
 */
int store_option_open(enum store_mode mode, struct store **store);

/*
 * Runs a command that works on a store and has read its options: opens the store, finds the season
 * that argv[0] names if the command line says so (names_season), calls store_fn and closes the
 * store. Returns a command's status.
 */
int store_command(const struct command_line *line, enum store_mode mode,
                  int (*store_fn)(struct store_call *call), int argc, char **argv);

/* Folder in the home for the analyses of stored games; the site shows these analyses. */
#define ANALYSES "analyses"

/* Returns true if the store is on a server, and so not in the home. */
bool store_option_is_server(void);

/*
 * Opens the store without printing anything. Returns 0 or -errno. The caller closes *store in any
 * case.
 */
int store_option_find(enum store_mode mode, struct store **store);

/*
 * Prints the store's message for an error. Returns COMMAND_DONE for 0; COMMAND_USAGE if the user
 * named something that does not exist or already exists, or a damaged store; else COMMAND_FAILED.
 */
int store_option_status(const struct store *store, int error);

#endif
