/*
 * Which replays a season keeps, as text: "all", or "forfeits+N" for those of every game with a
 * forfeit and of the newest N other games.
 */
#ifndef ARENA_COMMANDS_KEEP_OPTION_H
#define ARENA_COMMANDS_KEEP_OPTION_H

#include "arena/store/store.h"

enum keep_option_limits {
    KEEP_OPTION_BYTES = 32, /* room for the text and its NUL */
};

/*
 * Sets prunes and keep_games. Returns COMMAND_DONE, or COMMAND_USAGE after printing what is wrong.
 */
int keep_option_take(struct store_season *terms, const char *text);

void keep_option_write(const struct store_season *terms, char text[static KEEP_OPTION_BYTES]);

#endif
