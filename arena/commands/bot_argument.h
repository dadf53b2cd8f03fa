/* SPDX-License-Identifier: MIT */
/*
 * How commands play games and run bots: the options of all of them (the board, the clock, how many
 * games at a time, how bots are confined); and a bot named on the command line: a folder, an
 * executable, NAME or NAME@VERSION of a stored bot, or the name of a bot that comes with the
 * program.
 */
#ifndef ARENA_COMMANDS_BOT_ARGUMENT_H
#define ARENA_COMMANDS_BOT_ARGUMENT_H

#include <stdio.h>

#include "arena/commands/options.h"
#include "arena/play/runner.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "engine/notation.h"
#include "sandbox/sandbox.h"

/* ---- options ---- */

struct play_options {
    enum board_side board;
    struct wire_clock clock;
    int job_count;
    bool pin;
    enum sandbox_tier require;
    struct table_rules rules;
    int64_t build_space_bytes; /* disk space that a build may use; 0: the default of build.h */
};

/* Default values of a struct play_options. */
#define PLAY_OPTIONS_DEFAULT PLAY_OPTIONS_WITH(.freeze = false)
/*
 * Default values, but with --freeze: each bot is stopped while another bot decides, as in a season.
 */
#define PLAY_OPTIONS_FROZEN PLAY_OPTIONS_WITH(.freeze = true)
#define PLAY_OPTIONS_WITH(freezes)                                                                 \
    {                                                                                              \
        .board = BOARD_COLORED, .clock = CLOCK_DEFAULT, .job_count = 1,                            \
        .require = SANDBOX_TIER_LITE,                                                              \
        .rules = {.memory_bytes = SANDBOX_MEMORY_BYTES_DEFAULT, freezes},                          \
    }

/* Creates the sandbox, and calls stop_hold (foreground.h). Returns a command's status. */
int play_options_open_sandbox(const struct play_options *options, struct sandbox **sandbox);

/* Draws a random seed, unless the user gave --seed. Returns a command's status. */
int play_options_draw_seed(uint8_t seed[static GAME_SEED_BYTES]);

/* Entries of a command's option table, which set the fields of a struct play_options. */
/* clang-format off */
#define PLAY_OPTION_BOARD(play) \
    {"board", "SIDE", "the side of the player boards: colored or gray (colored)", \
     .word = (unsigned *)&(play)->board, .words = notation_boards}
#define PLAY_OPTION_CLOCK(play) \
    {"clock", "PARTS", \
     "time limits: turn=MS,bank=MS,gain=MS,start=MS (turn=1000,bank=10000,gain=0,start=5000)", \
     .take_fn = play_options_take_clock, .context = (play)}
#define PLAY_OPTION_JOBS(play) \
    {"jobs", "N", "games at a time (1)", \
     .count = &(play)->job_count, .minimum = 1, .maximum = RUNNER_JOBS_MAX}
#define PLAY_OPTION_PIN(play) \
    {"pin", NULL, "give each game a core of its own", .flag = &(play)->pin}
#define PLAY_OPTION_FREEZE(play) \
    {"freeze", NULL, "stop each bot's processes while another bot decides", .flag = &(play)->rules.freeze, \
     .excludes = "no-freeze"}
#define PLAY_OPTION_NO_FREEZE(play) \
    {"no-freeze", NULL, "let each bot run while another bot decides", \
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
     "least protection against bots: full, lite, or none, which only filters system calls (lite)", \
     .word = (unsigned *)&(play)->require, .words = sandbox_tiers}
#define PLAY_OPTION_NET(play) \
    {"net-namespace", NULL, \
     "refuse to run bots on a machine that cannot give each bot an empty network", \
     .flag = &(play)->rules.net_namespace}
#define PLAY_OPTIONS_RUN(play) \
    {.help = "how bots are run"}, PLAY_OPTION_JOBS(play), PLAY_OPTION_PIN(play), \
        PLAY_OPTION_FREEZE(play), PLAY_OPTION_NO_FREEZE(play), PLAY_OPTION_MEMORY(play), \
        PLAY_OPTION_BUILD_SPACE(play), PLAY_OPTION_REQUIRE(play), \
        PLAY_OPTION_NET(play)
/* clang-format on */

int play_options_take_clock(void *options, const char *parts);
int play_options_take_no_freeze(void *options, const char *nothing);

/* ---- bots ---- */

/* The resources that a command needs to run bots: the sandbox, and a folder for copies of bots. */
struct bot_room {
    struct sandbox *sandbox;
    struct stage *stage;
};

/*
 * Opens a zeroed room. Returns COMMAND_DONE, or another status after printing what is wrong with
 * the sandbox or the temporary folder. The caller closes the room in any case.
 */
int bot_room_open(struct bot_room *room, const struct play_options *play);

/* Opens a zeroed room without a sandbox, in which no bot can run. Returns as bot_room_open. */
int bot_room_open_stage(struct bot_room *room);
void bot_room_close(struct bot_room *room);

/*
 * Copies the bot that the argument names to subfolder `number` of the room's folder, and builds the
 * copy. A path takes precedence over a stored bot, and a stored bot over a bundled one. Returns
 * COMMAND_DONE, and a source that the caller closes with source_close; or another status after
 * printing why.
 */
int bot_argument_open(struct source *source, const char *argument, const struct bot_room *room,
                      int number, const struct play_options *play);

/* Prepares a bot like bot_argument_open, but from a path: does not look for a stored bot. */
int bot_argument_copy(struct source *source, const char *path, const struct bot_room *room,
                      int number, const struct play_options *play);

/*
 * Returns the path of the bot's folder or executable, which the caller frees: the argument itself
 * if that path exists or no bundled bot has that name, else the path of the bundled bot. NULL, with
 * a message: the arena cannot look for the bot.
 */
char *bot_argument_path(const char *argument);

/*
 * Returns the path of a bundled bot to play against, which the caller frees; NULL: no bundled bot
 * is installed.
 */
char *bot_argument_opponent(void);

/*
 * Sets how a command prepares bots: builds go to the home's cache, and a line on standard error
 * says that a long build runs. For `printed`, see source.h.
 */
void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed);

/*
 * Returns the name under which commands show bot `number` of sources, escaped for a terminal, which
 * the caller frees: the second bot of a name is NAME#2. NULL: out of memory.
 */
char *bot_argument_label(const struct source *sources, int number);

/* Prints the lines of a failed build's output that say why it failed. Accepts NULL. */
void bot_argument_print_build(FILE *stream, const char *printed);

/*
 * Prints that no file or folder has the name of a bot, and which bundled bot the user may have
 * meant. If there is none, `where` says where bots are found; NULL: in the words that most commands
 * use. Returns COMMAND_USAGE.
 */
int bot_argument_refuse_missing(const char *argument, const char *where);

/*
 * Prints why a bot was not accepted; result is a package_result below 0, or -ENODATA. Returns
 * COMMAND_FAILED if the arena failed, else COMMAND_USAGE.
 */
int bot_argument_refuse(int result, const char *error);

#endif
