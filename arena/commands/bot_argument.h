/*
 * A bot named on the command line: a folder, an executable, NAME or NAME@VERSION of a stored bot,
 * or the name of a bot that comes with the program.
 */
#ifndef ARENA_COMMANDS_BOT_ARGUMENT_H
#define ARENA_COMMANDS_BOT_ARGUMENT_H

#include <stdio.h>

#include "arena/commands/play_options.h"
#include "arena/play/source.h"

/*
 * Prepares the bot as stage/number. A file or folder of that name takes precedence over the store,
 * the store over bundled bots. home is the value of --home, or NULL. Returns COMMAND_DONE and a
 * source for source_close, or another status after printing why.
 */
int bot_argument_open(struct source *source, const char *argument, const char *home,
                      const char *stage, int number, const struct play_options *play,
                      struct sandbox *sandbox);

/* The same for an argument that cannot name a stored bot. */
int bot_argument_copy(struct source *source, const char *path, const char *stage, int number,
                      const struct play_options *play, struct sandbox *sandbox);

/*
 * Creates the folder for copies of bots (stage_create); free it with stage_destroy.
 * Returns COMMAND_DONE, or another status after printing the folder of $TMPDIR and what is wrong
 * with it; *stage is then NULL.
 */
int bot_argument_stage(struct stage **stage, const struct sandbox *sandbox);

/*
 * Sets how a command takes in bots: builds are kept in the home's cache, and a long build shows its
 * progress on a terminal. printed as in source.h. Finish with bot_argument_options_finish.
 */
void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed);
void bot_argument_options_finish(struct source_options *options);

/* Prints the lines of a failed build's output that say why it failed. Accepts NULL. */
void bot_argument_print_build(FILE *stream, const char *printed);

/*
 * Prints why a bot was not accepted; result is a package_result below 0. Returns COMMAND_USAGE if
 * its author has to fix it, COMMAND_FAILED if the arena failed.
 */
int bot_argument_refuse(int result, const char *error);

#endif
