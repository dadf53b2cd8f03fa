/*
 * The options of all commands that play games: the board, the clock, how many games at a time, and
 * how bots are confined.
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
    bool rebuild;              /* ignore builds in the cache */
    int64_t build_space_bytes; /* limit of a build's disk space; 0: build.h's */
};

/* Values that getopt_long returns for them; above all characters. */
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
    PLAY_OPTION_END, /* first value for a command's own options */
};

/* Entries for a command's own table of options. */
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

/* The --help text of these options, one line each. */
extern const char play_options_help[];
extern const char play_options_terms_help[];

/* The values of options that are not given. */
extern const struct play_options play_options_default;

/*
 * Sets one option that getopt_long returned. Returns COMMAND_DONE, or COMMAND_USAGE after printing
 * what is wrong with its argument.
 */
int play_options_take(struct play_options *options, int option, const char *argument);

/*
 * Prints what getopt_long found wrong: option is '?' or ':', arguments is the argv that it parsed.
 * Returns COMMAND_USAGE. The command must have set opterr to 0.
 */
int play_options_refuse(const char *command, int option, char **arguments);

/* Parses an integer from minimum to maximum. Returns false for anything else. */
bool play_options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/*
 * Creates the sandbox for games of bot_count bots, and calls stop_hold (stop.h). Lowers
 * options->job_count if the limits of this process require it (process_limits.h). Returns
 * COMMAND_DONE, or another status after printing why.
 */
int play_options_open_sandbox(struct play_options *options, int bot_count,
                              struct sandbox **sandbox);

/* Parses 32 hex digits to 16 bytes. Returns false for anything else. */
bool play_options_seed(const char *text, uint8_t seed[static GAME_SEED_BYTES]);

#endif
