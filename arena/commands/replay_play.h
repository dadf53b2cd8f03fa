/* A person continues a recorded match, for `arena replay GAME --at TURN --play`. */
#ifndef ARENA_COMMANDS_REPLAY_PLAY_H
#define ARENA_COMMANDS_REPLAY_PLAY_H

#include "arena/commands/play_run.h"
#include "arena/replay/replay.h"

/*
 * Plays the match from turn `at` on. seat is the person's, NULL: the seat to decide then. path is
 * the replay's name on the command line. The bots of *request have the other seats; without bots,
 * those that come with the program. Returns a command's status.
 */
int replay_play_run(struct play_run *request, const struct replay *replay, const char *path,
                    const char *at, const char *seat);

#endif
