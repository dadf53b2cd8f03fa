/*
 * Shared by the commands that use the store: the option --home, opening the store, and reporting
 * its failures as a line and an exit status.
 */
#ifndef ARENA_COMMANDS_STORE_OPTION_H
#define ARENA_COMMANDS_STORE_OPTION_H

#include <jansson.h>

#include "arena/store/store.h"

extern const char store_option_help[];

/*
 * Removes --store URL from the arguments, wherever it is; store_option_open then opens that store.
 * argv ends with NULL. Returns COMMAND_DONE, or COMMAND_USAGE after printing what is wrong.
 */
int store_option_take(int *argc, char **argv);

/* Returns the value of --store, NULL if it was not given. */
const char *store_option_given(void);

/*
 * Opens the store of `home` (the value of --home, or NULL). Returns COMMAND_DONE, or another status
 * after printing why; only after COMMAND_DONE must *store be closed.
 */
int store_option_open(const char *home, enum store_mode mode, struct store **store);

/*
 * The same for a command with one argument and only the options --home and --help, such as `arena
 * retire NAME`; noun names the argument in messages. Returns true if the command should continue
 * with argv[optind]; false with its exit status in *status.
 */
bool store_option_open_for_one(int argc, char **argv, const char *usage, const char *noun,
                               enum store_mode mode, struct store **store, int *status);

/* True if the store is on a server, so that the home is not where the store is. */
bool store_option_is_server(const char *home);

/* Opens the store without printing anything. Returns 0 or -errno; close *store in any case. */
int store_option_find(const char *home, enum store_mode mode, struct store **store);

/*
 * Prints the store's message for an error. Returns COMMAND_USAGE if the user named something that
 * does not exist or exists already, or a damaged store; else COMMAND_FAILED. For 0, returns
 * COMMAND_DONE.
 */
int store_option_status(const struct store *store, int error);

/* Opens the store for reading and finds a season. Returns the same as store_option_open. */
int store_option_open_season(const char *home, const char *name, struct store **store,
                             struct store_season *season);

/* Returns the current time in microseconds since 1970. */
int64_t store_option_now_us(void);

/*
 * Prints one JSON value and a newline, and releases its reference. Returns COMMAND_DONE, or
 * COMMAND_FAILED after printing why.
 */
int store_option_print(json_t *value);

/* Returns a time of the store as RFC 3339, or null for 0; a new reference. */
json_t *store_option_time(int64_t us);

#endif
