/* A match of a person and bots, from the first question to the replay: for `arena play` and for
   `arena replay --play`. */
#ifndef ARENA_COMMANDS_PLAY_RUN_H
#define ARENA_COMMANDS_PLAY_RUN_H

#include "arena/commands/play_options.h"
#include "arena/replay/replay.h"

/* What the command line asks for. Strings are borrowed. */
struct play_run {
    struct play_options play;
    bool clocked;        /* the person has a clock too: play.clock */
    bool plain;          /* one line at a time, no color, no cursor */
    const char *hint;    /* the bot that gives hints; NULL: one of those that come along */
    const char *replays; /* the folder that keeps the game; NULL: games */
    const char *home;    /* of the store, or NULL */
    int seat;            /* the person's */
    bool seeded;
    uint8_t seed[GAME_SEED_BYTES];
    char **paths; /* the bots, in the order of the seats */
    int bot_count;
    const struct replay *replay; /* taken over at turn, or NULL */
    size_t turn;
};

/* Returns a command's status: COMMAND_DONE too when the person leaves. */
int play_run(struct play_run *request);

#endif
