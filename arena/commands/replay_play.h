/* A person takes a match over, for `arena replay GAME --at TURN --play`. */
#ifndef ARENA_COMMANDS_REPLAY_PLAY_H
#define ARENA_COMMANDS_REPLAY_PLAY_H

#include "arena/commands/play_run.h"
#include "arena/replay/replay.h"

/*
 * Plays the match from turn `at` on. seat: who the person is, NULL for the one to decide then. path
 * is what the replay was called. The bots of *request sit at the other seats; none: those that come
 * with the program. Returns a command's status.
 */
int replay_play_run(struct play_run *request, const struct replay *replay, const char *path,
                    const char *at, const char *seat);

#endif
