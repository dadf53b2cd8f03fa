/*
 * Functions of the commands that use the store: the options --home and --store, opening the store,
 * and reporting its failures as a line and an exit status.
 */
#ifndef ARENA_COMMANDS_STORE_OPTION_H
#define ARENA_COMMANDS_STORE_OPTION_H

#include "arena/commands/options.h"
#include "arena/store/store.h"

/* The values of --home and --store; NULL if not given. */
extern const char *store_option_home, *store_option_url;

/* The last entries of a command's option table. */
#define STORE_OPTIONS                                                                              \
    {.help = "the store"},                                                                         \
        {"home", "DIR",                                                                            \
         "the arena's folder ($ARENA_HOME, else pavilion in the XDG data folder, ~/.local/share)", \
         .text = &store_option_home},                                                              \
        {"store", "URL",                                                                           \
         "the store, if outside that folder: sqlite:PATH or postgresql://USER@HOST/DATABASE "      \
         "($ARENA_STORE, else that of the home)",                                                  \
         .text = &store_option_url},                                                               \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* The options of a command that has only the store's options. */
extern const struct option store_options[];

/*
 * Opens the store. Returns COMMAND_DONE, or another status after printing why. The caller closes
 * *store, but only after COMMAND_DONE.
 */
int store_option_open(enum store_mode mode, struct store **store);

/* A call of a command that works on a store. */
struct store_call {
    struct store *store;
    struct store_season season; /* the season that argv[0] names; unset without `names_season` */
    int argc;
    char **argv; /* the arguments, without options */
    void *context;
};

/*
 * Runs a command that works on a store: reads the options, opens the store, finds the season that
 * argv[0] names if the command line says so (names_season), calls run_fn and closes the store.
 * Returns a command's status.
 */
int store_command(const struct command_line *line, int argc, char **argv, enum store_mode mode,
                  int (*run_fn)(struct store_call *call), void *context);

/*
 * Like store_command, for a command that has already read its options. The caller sets argc, argv
 * and context of the call.
 */
int store_command_run(const struct command_line *line, enum store_mode mode,
                      int (*run_fn)(struct store_call *call), struct store_call *call);

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

/* Returns the current time in microseconds since 1970. */
int64_t store_option_now_us(void);

#endif
