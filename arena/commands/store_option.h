/*
 * What the commands that work on the store share: the option --home, opening, and how a
 * failure of the store becomes a line and an exit status.
 */
#ifndef ARENA_COMMANDS_STORE_OPTION_H
#define ARENA_COMMANDS_STORE_OPTION_H

#include <jansson.h>

#include "arena/store/store.h"

extern const char store_option_help[];

/*
 * Takes --store URL out of the arguments, wherever it stands; store_option_open then opens that
 * store. argv has room for its NULL. COMMAND_DONE, or COMMAND_USAGE after saying why not.
 */
int store_option_take(int *argc, char **argv);

/* What --store said, NULL if it was not given. */
const char *store_option_given(void);

/*
 * Opens the store of `home` (what --home said, or NULL). Returns COMMAND_DONE, or another
 * status after saying why not; *store is to be closed only after COMMAND_DONE.
 */
int store_option_open(const char *home, enum store_mode mode, struct store **store);

/*
 * The same for a command with one argument and no options but --home and --help, such as
 * `arena retire NAME`; noun is what it takes, for a message. Returns true if the command is to go
 * on with argv[optind]. False: *status is its exit status.
 */
bool store_option_open_for_one(int argc, char **argv, const char *usage, const char *noun,
                               enum store_mode mode, struct store **store, int *status);

/* Opens the store without a word. Returns 0 or -errno; *store is to be closed either way. */
int store_option_find(const char *home, enum store_mode mode, struct store **store);

/*
 * Says what the store said of an error: COMMAND_USAGE where the user asked for something that
 * is not there or is there already, or named a damaged store, else COMMAND_FAILED. 0 is
 * COMMAND_DONE.
 */
int store_option_status(const struct store *store, int error);

/* Opens the store for reading and finds a season. COMMAND_DONE, or as store_option_open. */
int store_option_open_season(const char *home, const char *name, struct store **store,
                             struct store_season *season);

/* Now, in microseconds since 1970. */
int64_t store_option_now_us(void);

/* Prints one JSON value and a line's end; takes its reference over. Returns COMMAND_DONE, or
   COMMAND_FAILED after saying why not. */
int store_option_print(json_t *value);

/* A time of day of the store as RFC 3339, or null for 0; a new reference. */
json_t *store_option_time(int64_t us);

#endif
