/*
 * The options of every command that plays games: the board, the clock, how many games
 * at a time, and how bots are confined.
 */
#ifndef ARENA_COMMANDS_PLAY_OPTIONS_H
#define ARENA_COMMANDS_PLAY_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena/play/table.h"
#include "sandbox/sandbox.h"

struct play_options {
    enum board_side board;
    struct wire_clock clock;
    int job_count;
    bool pin;
    bool series;
    enum sandbox_tier require;
    struct table_rules rules;
    bool rebuild;              /* builds of the cache are not taken */
    int64_t build_space_bytes; /* that the build of a bot may take; 0: build.h's */
};

/* What getopt_long returns for each; above every character. */
enum play_option {
    PLAY_OPTION_BOARD = 0x100,
    PLAY_OPTION_CLOCK,
    PLAY_OPTION_JOBS,
    PLAY_OPTION_PIN,
    PLAY_OPTION_SERIES,
    PLAY_OPTION_REQUIRE,
    PLAY_OPTION_MEMORY,
    PLAY_OPTION_FREEZE,
    PLAY_OPTION_NO_FREEZE,
    PLAY_OPTION_NET,
    PLAY_OPTION_BUILD_SPACE,
    PLAY_OPTION_END, /* a command's own options count from here */
};

/* To be put into a command's own table of options. */
#define PLAY_OPTION_HOW_BOTS_RUN                                                                   \
    {"jobs", required_argument, NULL, PLAY_OPTION_JOBS},                                           \
        {"pin", no_argument, NULL, PLAY_OPTION_PIN},                                               \
        {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},                                 \
        {"memory", required_argument, NULL, PLAY_OPTION_MEMORY},                                   \
        {"freeze", no_argument, NULL, PLAY_OPTION_FREEZE},                                         \
        {"build-space", required_argument, NULL, PLAY_OPTION_BUILD_SPACE},                         \
        {"no-freeze", no_argument, NULL, PLAY_OPTION_NO_FREEZE},                                   \
    {                                                                                              \
        "net-namespace", no_argument, NULL, PLAY_OPTION_NET                                        \
    }
#define PLAY_OPTION_TERMS                                                                          \
    {"board", required_argument, NULL, PLAY_OPTION_BOARD},                                         \
    {                                                                                              \
        "clock", required_argument, NULL, PLAY_OPTION_CLOCK                                        \
    }

/* The text of --help for those, a line each. */
extern const char play_options_help[];
extern const char play_options_terms_help[];

/* What holds when nothing is said. */
extern const struct play_options play_options_default;

/*
 * Takes one option that getopt_long returned. Returns COMMAND_DONE, or COMMAND_USAGE after
 * saying what is wrong with its argument.
 */
int play_options_take(struct play_options *options, int option, const char *argument);

/*
 * Says what getopt_long found wrong: option is '?' or ':', arguments those it was given.
 * Returns COMMAND_USAGE. The command has set opterr to 0.
 */
int play_options_refuse(const char *command, int option, char **arguments);

/* A whole number from minimum to maximum. Returns false for anything else. */
bool play_options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/*
 * Prepares the sandbox for games of bot_count bots, and holds stops back (stop.h). Lowers
 * options->job_count where the limits of this process ask for it (process_limits.h). Returns
 * COMMAND_DONE, or another status after saying why not.
 */
int play_options_open_sandbox(struct play_options *options, int bot_count,
                              struct sandbox **sandbox);

/* 32 hex digits as 16 bytes. False for anything else. */
bool play_options_seed(const char *text, uint8_t seed[static GAME_SEED_BYTES]);

#endif
