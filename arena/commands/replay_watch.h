/*
 * `arena replay GAME --watch`: draws a match in the terminal, to be stepped through with the same
 * keys as the page.
 */
#ifndef ARENA_COMMANDS_REPLAY_WATCH_H
#define ARENA_COMMANDS_REPLAY_WATCH_H

#include "arena/replay/replay.h"

/* Runs until the user quits. Returns a command's status; fails if there is no terminal. */
int replay_watch_run(const struct replay *replay, const char *path);

#endif
