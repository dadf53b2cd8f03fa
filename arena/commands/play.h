/* SPDX-License-Identifier: MIT */
/* A match of a person against bots, for `arena play` and `arena replay --play`. */
#ifndef ARENA_COMMANDS_PLAY_H
#define ARENA_COMMANDS_PLAY_H

#include "arena/commands/bot_argument.h"
#include "arena/replay/replay.h"

/* The values from the command line. Strings are borrowed. */
struct play_run {
    struct play_options play;
    const char *hint;    /* name of the bot that gives hints; NULL: a bundled bot */
    const char *replays; /* folder for the replay; NULL: "games" */
    int seat;            /* seat of the person */
    uint8_t seed[GAME_SEED_BYTES];
    char **paths; /* names of the bots, in order of their seats */
    int bot_count;
    const struct replay *replay; /* replay to be continued at `turn`; NULL: a new match */
    size_t turn;
};

/*
 * Entries of a command's option table. `needed` is the name of an option without which the user may
 * not give these options, or NULL.
 */
/* clang-format off */
#define PLAY_RUN_OPTIONS(run, needed) \
    {"hint", "BOT", "the bot that ? asks (steady)", .text = &(run)->hint, \
     .needs = needed}, \
    {"clock", "PARTS", \
     "clock for bots and you, as in `arena match --help` (bots: the usual clock; you: no limit)", \
     .take_fn = play_options_take_clock, \
     .context = &(run)->play, .needs = needed}, \
    {"replays", "DIR", "folder for the replay of the match (games)", .text = &(run)->replays, \
     .needs = needed}
/* clang-format on */

/*
 * Plays a match from the first question to the replay. Returns a command's status, which is
 * COMMAND_DONE if the person quits.
 */
int play_run(const struct play_run *request);

/*
 * Plays a recorded match from turn `at` on. `seat` is the person's seat; NULL: the seat that has to
 * decide at that turn. path is the name of the replay on the command line. The bots of *request
 * take the other seats; without bots, bots that come with the program. Returns a command's status.
 */
int play_run_replay(struct play_run *request, const struct replay *replay, const char *path,
                    const char *at, const char *seat);

#endif
