/*
 * A bot named on the command line: a folder, an executable, NAME or NAME@VERSION of a stored bot,
 * or the name of a bot that comes with the program.
 */
#ifndef ARENA_COMMANDS_BOT_ARGUMENT_H
#define ARENA_COMMANDS_BOT_ARGUMENT_H

#include <stdio.h>

#include "arena/commands/play_options.h"
#include "arena/play/source.h"

/* The resources that a command needs to run bots: the sandbox, and a folder for copies of bots. */
struct bot_room {
    struct sandbox *sandbox;
    struct stage *stage;
};

/*
 * Opens a zeroed room. Returns COMMAND_DONE, or another status after printing what is wrong with
 * the sandbox or the temporary folder. The caller closes the room in any case.
 */
int bot_room_open(struct bot_room *room, const struct play_options *play);
void bot_room_close(struct bot_room *room);

/*
 * Prepares the bot that the argument names, in folder `number` of the room. A file or folder of
 * that name takes precedence over a stored bot, and a stored bot over a bundled one. Returns
 * COMMAND_DONE and a source that the caller closes with source_close, or another status after
 * printing why.
 */
int bot_argument_open(struct source *source, const char *argument, const struct bot_room *room,
                      int number, const struct play_options *play);

/* Prepares a bot like bot_argument_open, but from a path: does not look for a stored bot. */
int bot_argument_copy(struct source *source, const char *path, const struct bot_room *room,
                      int number, const struct play_options *play);

/*
 * Returns the path of the bot's folder or executable, which the caller frees: the argument itself
 * if that path exists or no bundled bot has that name, else the path of the bundled bot. NULL: out
 * of memory.
 */
char *bot_argument_path(const char *argument);

/*
 * Returns the path of a bundled bot to play against, which the caller frees; NULL: no bundled bot
 * is installed.
 */
char *bot_argument_opponent(void);

/*
 * Sets how a command prepares bots: it keeps builds in the home's cache, and shows the progress of
 * a long build on a terminal. For `printed`, see source.h. The caller frees the options with
 * bot_argument_options_finish.
 */
void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed);
void bot_argument_options_finish(struct source_options *options);

/* Prints the lines of a failed build's output that say why it failed. Accepts NULL. */
void bot_argument_print_build(FILE *stream, const char *printed);

/*
 * Prints why a bot was not accepted; result is a package_result below 0. Returns COMMAND_USAGE if
 * the bot's author has to fix it, COMMAND_FAILED if the arena failed.
 */
int bot_argument_refuse(int result, const char *error);

#endif
