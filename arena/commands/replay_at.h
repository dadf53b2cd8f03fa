/* `arena replay --at`: repeats one decision of a replay with a bot. */
#ifndef ARENA_COMMANDS_REPLAY_AT_H
#define ARENA_COMMANDS_REPLAY_AT_H

#include <stdbool.h>

#include "arena/commands/play_options.h"
#include "arena/replay/replay.h"

struct replay_at {
    const char *at;   /* a turn, or "hello"; NULL: not given */
    const char *seat; /* a number, or NULL */
    const char *bot;  /* path, or name in the store */
    const char *home; /* of the store; NULL: the default home */
    bool no_limits;
    bool json;
    struct play_options play; /* how the bot is run */
};

/* path is the replay's, for messages. Returns a command's status. */
int replay_at_run(const struct replay_at *wanted, const struct replay *replay, const char *path);

#endif
