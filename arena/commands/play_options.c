#include "arena/commands/play_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/process_limits.h"
#include "arena/play/clock.h"
#include "arena/play/runner.h"
#include "arena/play/stop.h"

enum {
    MEMORY_MIB_MIN = 16,
    MEMORY_MIB_MAX = 1 << 20,
    BUILD_SPACE_MIB_MAX = 1 << 20,
};

const char play_options_terms_help[] =
    "  --board colored|gray   the side of the player boards (colored)\n"
    "  --clock PARTS          turn=MS,bank=MS,gain=MS,start=MS; parts left out keep\n"
    "                         turn=1000,bank=10000,gain=0,start=5000\n";

const char play_options_help[] =
    "  --jobs N               games at a time (1)\n"
    "  --pin                  give each game a core of its own\n"
    "  --freeze, --no-freeze  stop a bot while it is not its turn\n"
    "  --memory MIB           memory that a bot may use (768)\n"
    "  --build-space MIB      disk space that a build may use (2048)\n"
    "  --net-namespace        refuse to run bots without an empty network of their own; the\n"
    "                         full tier gives them one wherever the machine can\n"
    "  --require TIER         full or lite: refuse to run bots under less; none: run them even\n"
    "                         where only system calls are filtered (lite)\n";

const struct play_options play_options_default = {
    .board = BOARD_COLORED,
    .clock = CLOCK_DEFAULT,
    .job_count = 1,
    .require = SANDBOX_TIER_LITE,
    .rules = {.memory_bytes = SANDBOX_MEMORY_BYTES_DEFAULT},
};

bool play_options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number)
{
    char *end;
    long long value;

    if (!isdigit((unsigned char)*text) && *text != '-')
        return false;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || *end || value < minimum || value > maximum)
        return false;
    *number = value;
    return true;
}

bool play_options_seed(const char *text, uint8_t seed[static GAME_SEED_BYTES])
{
    uint8_t read[GAME_SEED_BYTES] = {0};

    for (size_t i = 0; i < 2 * GAME_SEED_BYTES; i++) {
        unsigned char digit = (unsigned char)text[i];

        if (!isxdigit(digit))
            return false;
        digit = (unsigned char)(isdigit(digit) ? digit - '0' : tolower(digit) - 'a' + 10);
        read[i / 2] = (uint8_t)(read[i / 2] << 4 | digit);
    }
    if (text[2 * GAME_SEED_BYTES])
        return false;
    memcpy(seed, read, sizeof read);
    return true;
}

static int take_board(struct play_options *options, const char *argument)
{
    if (strcmp(argument, "colored") == 0)
        options->board = BOARD_COLORED;
    else if (strcmp(argument, "gray") == 0)
        options->board = BOARD_GRAY;
    else
        return command_refuse("--board %s: is neither colored nor gray", argument);
    return COMMAND_DONE;
}

static int take_require(struct play_options *options, const char *argument)
{
    if (strcmp(argument, "full") == 0)
        options->require = SANDBOX_TIER_FULL;
    else if (strcmp(argument, "lite") == 0)
        options->require = SANDBOX_TIER_LITE;
    else if (strcmp(argument, "none") == 0)
        options->require = SANDBOX_TIER_NONE;
    else
        return command_refuse("--require %s: is neither full, lite nor none", argument);
    return COMMAND_DONE;
}

int play_options_take(struct play_options *options, int option, const char *argument)
{
    const char *fault;
    int64_t number;

    switch (option) {
    case PLAY_OPTION_BOARD:
        return take_board(options, argument);
    case PLAY_OPTION_CLOCK:
        fault = clock_parse(argument, &options->clock);
        return fault ? command_refuse("--clock %s: %s", argument, fault) : COMMAND_DONE;
    case PLAY_OPTION_JOBS:
        if (!play_options_number(argument, 1, RUNNER_JOBS_MAX, &number))
            return command_refuse("--jobs %s: is not a number from 1 to %d", argument,
                                  RUNNER_JOBS_MAX);
        options->job_count = (int)number;
        return COMMAND_DONE;
    case PLAY_OPTION_PIN:
        options->pin = true;
        return COMMAND_DONE;
    case PLAY_OPTION_SERIES:
        options->series = true;
        return COMMAND_DONE;
    case PLAY_OPTION_REQUIRE:
        return take_require(options, argument);
    case PLAY_OPTION_MEMORY:
        if (!play_options_number(argument, MEMORY_MIB_MIN, MEMORY_MIB_MAX, &number))
            return command_refuse("--memory %s: is not a number of MiB from %d to %d", argument,
                                  MEMORY_MIB_MIN, MEMORY_MIB_MAX);
        options->rules.memory_bytes = number << 20;
        return COMMAND_DONE;
    case PLAY_OPTION_BUILD_SPACE:
        if (!play_options_number(argument, 1, BUILD_SPACE_MIB_MAX, &number))
            return command_refuse("--build-space %s: is not a number of MiB from 1 to %d", argument,
                                  BUILD_SPACE_MIB_MAX);
        options->build_space_bytes = number << 20;
        return COMMAND_DONE;
    case PLAY_OPTION_FREEZE:
        options->rules.freeze = true;
        return COMMAND_DONE;
    case PLAY_OPTION_NO_FREEZE:
        options->rules.freeze = false;
        return COMMAND_DONE;
    case PLAY_OPTION_NET:
        options->rules.net_namespace = true;
        return COMMAND_DONE;
    default:
        abort(); /* the command passed an option that it did not declare */
    }
}

int play_options_refuse(const char *command, int option, char **arguments)
{
    const char *given = arguments[optind - 1];

    if (option == ':')
        return command_refuse("%s: needs an argument: see `arena %s --help`", given, command);
    return command_refuse("%s: unknown option %s: see `arena %s --help`", command, given, command);
}

int play_options_open_sandbox(struct play_options *options, int bot_count, struct sandbox **sandbox)
{
    struct sandbox_options wanted = {.require = options->require, .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    int status = process_limits_fit(&options->job_count, bot_count);

    if (status != COMMAND_DONE)
        return status;
    stop_hold();
    if (sandbox_create(sandbox, &wanted, &failure) == 0)
        return COMMAND_DONE;
    return command_fail("bots cannot be confined here: %s: %s: `arena doctor` says more",
                        failure.step, strerror(failure.error));
}
