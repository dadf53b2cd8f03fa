/* The program `arena`: finds the subcommand and calls it. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/process_limits.h"
#include "arena/commands/store_option.h"
#include "arena/play/subprocess.h"
#include "arena/replay/plain_text.h"

static const struct command {
    const char *name;
    command_fn *run_fn;
    const char *summary; /* NULL: for internal use */
    bool has_store;      /* accepts --store */
} commands[] = {
    {"match", command_match, "play matches between bots"},
    {"play", command_play, "play against bots yourself, at the terminal", true},
    {"replay", command_replay, "show a match again, or check it", true},
    {"new", command_new, "write a starter kit for a bot, in your language"},
    {"submit", command_submit, "submit a bot", true},
    {"submissions", command_submissions, "list the submissions in the queue", true},
    {"bots", command_bots, "list the submitted bots", true},
    {"retire", command_retire, "retire a bot", true},
    {"unretire", command_unretire, "let a retired bot play again", true},
    {"ban", command_ban, "ban a bot or an author", true},
    {"serve", command_serve, "run the daemon: play all seasons, admit bots, publish the site",
     true},
    {"worker", command_worker, "play games of a store that several machines share", true},
    {"workers", command_workers, "list the workers of a store", true},
    {"status", command_status, "show how the daemon is doing", true},
    {"live", command_live, "show the games that the daemon is playing", true},
    {"season", command_season, "create, play, show and close seasons", true},
    {"ladder", command_ladder, "show the ladder of a season", true},
    {"publish", command_publish, "write the web site of all seasons", true},
    {"prune", command_prune, "delete replays that a season need not keep", true},
    {"games", command_games, "list the games of a season", true},
    {"export", command_export, "write a season's games and replays to files", true},
    {"backup", command_backup, "back up the store, even while seasons are being played", true},
    {"store", command_store, "check the store for damage, copy it, make a role for workers", true},
    {"build", command_build, "build a bot and show what the build prints"},
    {"check", command_check, "test whether a bot is fit to play in a season"},
    {"rate", command_rate, "compute ratings from a file of games"},
    {"sprt", command_sprt, "test whether a new bot is better than an old one", true},
    {"doctor", command_doctor, "test what the sandbox can do on this machine", true},
    {"trace", command_trace, "show which system calls a bot is refused"},
    {"unpack", command_unpack, NULL},
    {"admit", command_admit, NULL, true},
};

static void print_usage(FILE *stream)
{
    fputs("usage: arena COMMAND [OPTION ...] [ARGUMENT ...]\n\n", stream);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].summary)
            plain_text_printf(stream, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`arena COMMAND --help` describes a command, `arena --version` prints the version.\n",
          stream);
}

static int run(const struct command *command, int argc, char **argv)
{
    int status = process_limits_check();

    if (status == COMMAND_DONE && command->has_store)
        status = store_option_take(&argc, argv);
    if (status == COMMAND_DONE)
        status = command->run_fn(argc, argv);
    return command_finish_output(status);
}

/* Replaces -h before a "--" with --help, which every command has. */
static void spell_out_help(int argc, char **argv)
{
    static char help[] = "--help";

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = help;
}

int main(int argc, char **argv)
{
    /* Writing to a bot that closed its input must return EPIPE, not end the arena. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_usage(stderr);
        return COMMAND_USAGE;
    }
    /*
     * `arena aside PROCESS COMMAND ...`: runs a command for a daemon; it ends when the daemon does.
     */
    if (argc > 3 && strcmp(argv[1], "aside") == 0) {
        if (!subprocess_settle(atoi(argv[2])))
            return COMMAND_FAILED;
        argc -= 2;
        argv += 2;
    }
    spell_out_help(argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return command_finish_output(COMMAND_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("arena " ARENA_VERSION);
        return command_finish_output(COMMAND_DONE);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run(&commands[i], argc - 1, argv + 1);
    return command_refuse("unknown command '%s': `arena --help` lists the commands", argv[1]);
}
