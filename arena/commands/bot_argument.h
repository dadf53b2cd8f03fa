/*
 * A bot named on the command line: a folder, an executable, or NAME or NAME@VERSION of a
 * bot in the store.
 */
#ifndef ARENA_COMMANDS_BOT_ARGUMENT_H
#define ARENA_COMMANDS_BOT_ARGUMENT_H

#include <stdio.h>

#include "arena/commands/play_options.h"
#include "arena/play/source.h"

/*
 * Makes the bot ready as stage/number; a file or folder of that name comes before the
 * store. home is what --home said, or NULL. Returns COMMAND_DONE and a source for
 * source_close, or another status after saying why not.
 */
int bot_argument_open(struct source *source, const char *argument, const char *home,
                      const char *stage, int number, const struct play_options *play,
                      struct sandbox *sandbox);

/* The same for what can only be a folder or an executable. */
int bot_argument_copy(struct source *source, const char *path, const char *stage, int number,
                      const struct play_options *play, struct sandbox *sandbox);

/*
 * Makes the folder for copies of bots (source_stage_create), for source_stage_destroy. Returns
 * COMMAND_DONE, or another status after naming the folder of $TMPDIR and what is wrong with it;
 * *stage is then NULL.
 */
int bot_argument_stage(char **stage, const struct sandbox *sandbox);

/*
 * How a command takes in bots: builds are kept in the home's cache, and one that takes long shows
 * so on a terminal. printed as in source.h. For bot_argument_options_finish.
 */
void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed);
void bot_argument_options_finish(struct source_options *options);

/* Of what a failed build printed, the lines that say why. Takes NULL. */
void bot_argument_print_build(FILE *stream, const char *printed);

/*
 * Says why a bot was not taken in, by the package_result below 0. Returns COMMAND_USAGE where its
 * author is to mend it, COMMAND_FAILED where the arena is at fault.
 */
int bot_argument_refuse(int result, const char *error);

#endif
