/* SPDX-License-Identifier: MIT */
/*
 * Man pages and completions, made from the tables of commands (options.h), so that they name each
 * option of each command. The build calls it and installs what it writes.
 */
#ifndef ARENA_COMMANDS_MANUAL_H
#define ARENA_COMMANDS_MANUAL_H

#include "arena/commands/options.h"

/*
 * Writes arena.1, a page arena-COMMAND.1 for each command, and arena.bash, arena.zsh and arena.fish
 * into a folder. Returns a command's status.
 */
int manual_write(const struct command_line *root, const char *version, const char *folder);

#endif
