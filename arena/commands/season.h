/* Functions that `arena season`, `arena season run` and `arena prune` share. */
#ifndef ARENA_COMMANDS_SEASON_H
#define ARENA_COMMANDS_SEASON_H

#include "arena/store/store.h"

enum season_limits {
    SEASON_KEEP_BYTES = 32, /* room for the text of --keep and its NUL */
};

/*
 * Parses which replays a season keeps: "all"; or "forfeits+N", which keeps the replays of all games
 * with a forfeit and of the newest N other games. Sets prunes and keep_games of a struct
 * store_season. Returns COMMAND_DONE, or COMMAND_USAGE after printing what is wrong.
 */
int season_take_keep(void *terms, const char *text);

void season_write_keep(const struct store_season *terms, char text[static SEASON_KEEP_BYTES]);

#endif
