/*
 * The options of all commands that play games: the board, the clock, how many games at a time, and
 * how bots are confined.
 */
#ifndef ARENA_COMMANDS_PLAY_OPTIONS_H
#define ARENA_COMMANDS_PLAY_OPTIONS_H

#include "arena/commands/options.h"
#include "arena/play/runner.h"
#include "arena/play/table.h"
#include "sandbox/sandbox.h"

struct play_options {
    enum board_side board;
    struct wire_clock clock;
    int job_count;
    bool pin;
    enum sandbox_tier require;
    struct table_rules rules;
    bool rebuild;              /* the build cache is not used */
    int64_t build_space_bytes; /* disk space that a build may use; 0: the default of build.h */
};

/* The values of options that the user does not give. */
extern const struct play_options play_options_default;

/* Creates the sandbox, and calls stop_hold (stop.h). Returns a command's status. */
int play_options_open_sandbox(const struct play_options *options, struct sandbox **sandbox);

/* Entries of a command's option table, which set the fields of a struct play_options. */
/* clang-format off */
#define PLAY_OPTION_BOARD(play) \
    {"board", "SIDE", "the side of the player boards: colored or gray (colored)", \
     .word = (unsigned *)&(play)->board, .words = play_options_boards}
#define PLAY_OPTION_CLOCK(play) \
    {"clock", "PARTS", \
     "turn=MS,bank=MS,gain=MS,start=MS; parts left out keep turn=1000,bank=10000,gain=0,start=5000", \
     .take_fn = play_options_take_clock, .context = (play)}
#define PLAY_OPTION_JOBS(play) \
    {"jobs", "N", "games at a time (1)", \
     .count = &(play)->job_count, .minimum = 1, .maximum = RUNNER_JOBS_MAX}
#define PLAY_OPTION_PIN(play) \
    {"pin", NULL, "give each game a core of its own", .flag = &(play)->pin}
#define PLAY_OPTION_FREEZE(play) \
    {"freeze", NULL, "stop a bot while it is not its turn", .flag = &(play)->rules.freeze, \
     .excludes = "no-freeze"}
#define PLAY_OPTION_NO_FREEZE(play) \
    {"no-freeze", NULL, "let a bot run while it is not its turn", \
     .take_fn = play_options_take_no_freeze, .context = (play)}
#define PLAY_OPTION_MEMORY(play) \
    {"memory", "MIB", "memory that a bot may use (768)", .number = &(play)->rules.memory_bytes, \
     .minimum = 16, .maximum = 1 << 20, .unit = "MiB", .scale = 1 << 20}
#define PLAY_OPTION_BUILD_SPACE(play) \
    {"build-space", "MIB", "disk space that a build may use (2048)", \
     .number = &(play)->build_space_bytes, .minimum = 1, .maximum = 1 << 20, .unit = "MiB", \
     .scale = 1 << 20}
#define PLAY_OPTION_REQUIRE(play) \
    {"require", "TIER", \
     "least protection under which bots may run: full, lite, or none, which is a filter of " \
     "system calls alone (lite)", \
     .word = (unsigned *)&(play)->require, .words = play_options_tiers}
#define PLAY_OPTION_NET(play) \
    {"net-namespace", NULL, \
     "refuse to run bots without an empty network of their own; the full tier gives them one " \
     "wherever the machine can", .flag = &(play)->rules.net_namespace}
#define PLAY_OPTIONS_RUN(play) \
    {.help = "how bots are run"}, PLAY_OPTION_JOBS(play), PLAY_OPTION_PIN(play), \
        PLAY_OPTION_FREEZE(play), PLAY_OPTION_NO_FREEZE(play), PLAY_OPTION_MEMORY(play), \
        PLAY_OPTION_BUILD_SPACE(play), PLAY_OPTION_REQUIRE(play), \
        PLAY_OPTION_NET(play)
/* clang-format on */

/* Words that only the entries above use. */
extern const char *const play_options_boards[], *const play_options_tiers[];
int play_options_take_clock(void *options, const char *parts);
int play_options_take_no_freeze(void *options, const char *nothing);

#endif
