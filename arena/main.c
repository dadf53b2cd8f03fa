/* The program `arena`: finds the subcommand and hands over. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"

#include "arena/replay/plain_text.h"

static const struct {
    const char *name;
    command_fn *run_fn;
    const char *summary;
} commands[] = {
    {"match", command_match, "play matches between bots"},
    {"replay", command_replay, "show a match again, or check it"},
    {"submit", command_submit, "take a bot in"},
    {"bots", command_bots, "list the bots that were taken in"},
    {"retire", command_retire, "take a bot out of play"},
    {"season", command_season, "begin, play, show and close a season"},
    {"ladder", command_ladder, "show the ladder of a season"},
    {"games", command_games, "list the games of a season"},
    {"export", command_export, "write a season's games and replays to files"},
    {"check", command_check, "is a bot fit to play in a season?"},
    {"rate", command_rate, "a list of ratings from a file of games"},
    {"sprt", command_sprt, "test whether a new bot is better than an old one"},
    {"doctor", command_doctor, "try what this machine can confine"},
    {"trace", command_trace, "tell which system calls a bot is refused"},
};

static void print_usage(FILE *stream)
{
    fputs("usage: arena COMMAND [OPTION ...] [ARGUMENT ...]\n\n", stream);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        plain_text_printf(stream, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`arena COMMAND --help` tells the options of a command.\n", stream);
}

int main(int argc, char **argv)
{
    /* A bot that closes its input is told by EPIPE; it may not end the arena. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_usage(stderr);
        return COMMAND_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return command_finish_output(COMMAND_DONE);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return command_finish_output(commands[i].run_fn(argc - 1, argv + 1));
    return command_refuse("there is no command '%s': `arena --help` lists them", argv[1]);
}
