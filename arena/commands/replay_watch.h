/*
 * `arena replay GAME --watch`: a match drawn in the terminal, stepped and played with the keys of
 * the page.
 */
#ifndef ARENA_COMMANDS_REPLAY_WATCH_H
#define ARENA_COMMANDS_REPLAY_WATCH_H

#include "arena/replay/replay.h"

/* Runs until its reader leaves. Returns a command's status; refuses where there is no terminal. */
int replay_watch_run(const struct replay *replay, const char *path);

#endif
