/*
 * A match of a person against bots, from the first question to the replay: for `arena play` and
 * `arena replay --play`.
 */
#ifndef ARENA_COMMANDS_PLAY_RUN_H
#define ARENA_COMMANDS_PLAY_RUN_H

#include "arena/commands/play_options.h"
#include "arena/replay/replay.h"

/* The values of the command line. Strings are borrowed. */
struct play_run {
    struct play_options play;
    bool clocked;        /* the person has a clock too, play.clock */
    bool plain;          /* one line at a time, no color, no cursor */
    const char *hint;    /* the bot that gives hints; NULL: one of the program's own */
    const char *replays; /* the folder that keeps the game; NULL: "games" */
    const char *home;    /* home folder of the store, or NULL */
    int seat;            /* the person's seat */
    bool seeded;
    uint8_t seed[GAME_SEED_BYTES];
    char **paths; /* the bots, in order of seats */
    int bot_count;
    const struct replay *replay; /* continue this match at turn; or NULL */
    size_t turn;
};

/* Returns a command's status; COMMAND_DONE also if the person quits. */
int play_run(struct play_run *request);

#endif
