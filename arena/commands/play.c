/* arena play: a person plays against bots in the terminal. */
#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_run.h"
#include "arena/commands/store_option.h"

static const char usage[] =
    "usage: arena play [OPTION ...] BOT [BOT [BOT]]\n"
    "\n"
    "Plays a match between you, at the terminal, and bots: folders, executables, submitted bots, "
    "or\n"
    "greedy, steady, random and the others that come with the program. Choices are numbered: type\n"
    "a number and Enter; nothing is sent before Enter confirms it. u takes a step back, ? asks a\n"
    "bot what it would play, q leaves.\n"
    "\n"
    "  --seat S               your seat, counted from 0 (0); seat 0 begins\n"
    "  --seed HEX             32 hex digits (from the system's randomness)\n"
    "  --board colored|gray   the side of the player boards (colored)\n"
    "  --clock PARTS          a clock for you too, as in `arena match --help`; without it you "
    "take\n"
    "                         as long as you like, and bots keep the usual clock\n"
    "  --hint BOT             the bot that ? asks (steady)\n"
    "  --replays DIR          the folder that keeps the match (games)\n"
    "  --plain                for a screen reader: line after line, no color, no cursor that "
    "moves;\n"
    "                         also where there is no terminal of 80 x 24. NO_COLOR leaves out "
    "color\n"
    "  --memory MIB, --require TIER  as in `arena match --help`\n";

enum option_number {
    OPTION_SEAT = PLAY_OPTION_END,
    OPTION_SEED,
    OPTION_HINT,
    OPTION_REPLAYS,
    OPTION_PLAIN,
    OPTION_HOME,
    OPTION_HELP,
};

static const struct option options[] = {
    PLAY_OPTION_TERMS,
    {"memory", required_argument, NULL, PLAY_OPTION_MEMORY},
    {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
    {"seat", required_argument, NULL, OPTION_SEAT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"hint", required_argument, NULL, OPTION_HINT},
    {"replays", required_argument, NULL, OPTION_REPLAYS},
    {"plain", no_argument, NULL, OPTION_PLAIN},
    {"home", required_argument, NULL, OPTION_HOME},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static int take_option(struct play_run *request, const char **seat, int option,
                       const char *argument)
{
    switch (option) {
    case OPTION_SEAT:
        *seat = argument;
        return COMMAND_DONE;
    case OPTION_SEED:
        request->seeded = true;
        if (!play_options_seed(argument, request->seed))
            return command_refuse("--seed %s: is not 32 hex digits", argument);
        return COMMAND_DONE;
    case OPTION_HINT:
        request->hint = argument;
        return COMMAND_DONE;
    case OPTION_REPLAYS:
        request->replays = argument;
        return COMMAND_DONE;
    case OPTION_PLAIN:
        request->plain = true;
        return COMMAND_DONE;
    case OPTION_HOME:
        request->home = argument;
        return COMMAND_DONE;
    case PLAY_OPTION_CLOCK:
        request->clocked = true;
        return play_options_take(&request->play, option, argument);
    default:
        return play_options_take(&request->play, option, argument);
    }
}

int command_play(int argc, char **argv)
{
    struct play_run request = {.play = play_options_default};
    const char *seat = NULL;
    int64_t number = 0;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("play", option, argv);
        if (take_option(&request, &seat, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    request.bot_count = argc - optind;
    request.paths = argv + optind;
    if (request.bot_count < 1 || request.bot_count >= GAME_PLAYERS_MAX)
        return command_refuse("play: name 1 to 3 bots, not %d: see `arena play --help`",
                              request.bot_count);
    if (seat && !play_options_number(seat, 0, request.bot_count, &number))
        return command_refuse("--seat %s: out of range (0..%d)", seat, request.bot_count);
    request.seat = (int)number;
    return play_run(&request);
}
