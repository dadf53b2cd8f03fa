/*
 * The parts of `arena season`, a file each: season.c has the terms and the lists,
 * season_run.c plays.
 */
#ifndef ARENA_COMMANDS_SEASON_H
#define ARENA_COMMANDS_SEASON_H

#include "arena/commands/commands.h"

/* arena season run NAME: argv[0] is "run". */
command_fn season_command_run;

#endif
