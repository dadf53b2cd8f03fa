/* SPDX-License-Identifier: MIT */
/* The program `arena`: finds the command and calls it. */
#include <ev.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/manual.h"
#include "arena/commands/options.h"
#include "arena/commands/remote.h"
#include "arena/play/subprocess.h"
#include "arena/season/staging.h"
#include "arena/store/store.h"

extern const char arena_commit[]; /* written by commit.cmake; empty if unknown */

static const struct command_line arena;

static int run_manual(int argc, char **argv)
{
    (void)argc;
    return manual_write(&arena, ARENA_VERSION, argv[0]);
}

static const struct command_line manual_line = {.name = "manual",
                                                .usage = "FOLDER",
                                                .about = "Writes the manual pages: for the build.",
                                                .options = (const struct option[]){{.name = NULL}},
                                                .least = 1,
                                                .arguments = "only the build runs this command",
                                                .run_fn = run_manual};

static const struct command_line unpack_line = {
    .name = "unpack",
    .usage = "FOLDER PARENT SHA256 FILE|BOT",
    .about = "Unpacks the package of a bot: for the arena's own use.",
    .options = (const struct option[]){{.name = NULL}},
    .least = UNPACK_ARGUMENTS,
    .arguments = "only the arena itself runs this command",
    .run_fn = unpack_run};

static const struct command commands[] = {
    {"Play and look"},
    {"match", &command_match, "play matches between bots"},
    {"play", &command_play, "play against bots yourself, at the terminal"},
    {"replay", &command_replay, "show a match again, or check it"},
    {"analyse", &command_analyse, "ask a bot what each decision of a game cost"},
    {"rate", &command_rate, "compute ratings from a file of games"},
    {"Write a bot"},
    {"new", &command_new, "write a starter kit for a bot, in your language"},
    {"build", &command_build, "build a bot and show what the build prints"},
    {"check", &command_check, "test whether a bot is fit to play in a season"},
    {"sprt", &command_sprt, "test whether a new bot is better than an old one"},
    {"submit", &command_submit, "submit a bot"},
    {"challenge", &command_challenge, "play unrated games on the arena's machine"},
    {"Run a league"},
    {"season", &command_season, "create, play, show, prune and close seasons"},
    {"league", &command_league, "divisions with promotion and relegation, in rounds"},
    {"ladder", &command_ladder, "show the ladder of a season"},
    {"games", &command_games, "list the games of a season"},
    {"explain", &command_explain, "say whether a bot was treated unfairly in a game"},
    {"submissions", &command_submissions, "list the submissions in the queue"},
    {"bots", &command_bots, "list the submitted bots"},
    {"retire", &command_retire, "retire a bot, or let it play again"},
    {"ban", &command_ban, "ban a bot or an author"},
    {"author", &command_author, "make accounts and tokens for those who submit over the network"},
    {"events", &command_events, "list who changed what"},
    {"publish", &command_publish, "write the web site of all seasons"},
    {"export", &command_export, "write a season's games and replays to files"},
    {"Operate the machines"},
    {"serve", &command_serve, "run the daemon: play all seasons, admit bots, publish the site"},
    {"status", &command_status, "show how the daemon is doing"},
    {"web", &command_web, "serve the site and take submissions over the network"},
    {"worker", &command_worker, "play games of a store that several machines share"},
    {"workers", &command_workers, "list the workers of a store"},
    {"store", &command_store, "check, back up or copy the store, make a role for workers"},
    {"doctor", &command_doctor, "test what the sandbox can do on this machine"},
    {"admit", &command_admit, NULL},
    {"contest", &command_contest, NULL},
    {"desk", &command_desk, NULL},
    {"tell", &command_tell, NULL},
    {"manual", &manual_line, NULL},
    {"unpack", &unpack_line, NULL},
    {NULL},
};

static const struct command_line arena = {
    .name = "",
    .about =
        "`arena --version` prints the version. `arena --to URL [--token-file FILE] COMMAND ...` "
        "has the arena at URL run an organizer's command.",
    .subcommands = commands};

int main(int argc, char **argv)
{
    static char help[] = "--help";

    json_set_alloc_funcs(memory_need, free);
    ev_set_allocator(memory_need_again);
    /* Writing to a bot that closed its input must return EPIPE, not end the arena. */
    signal(SIGPIPE, SIG_IGN);
    /* Writing beyond ulimit -f must return an error. (Bots get the default action back.) */
    signal(SIGXFSZ, SIG_IGN);
    /*
     * `arena aside PROCESS COMMAND ...`: runs a command for the daemon with this PID. The command
     * ends with the daemon.
     */
    if (argc > 3 && strcmp(argv[1], "aside") == 0) {
        if (!subprocess_settle(atoi(argv[2])))
            return COMMAND_FAILED;
        command_is_aside = true;
        store_actor = "daemon";
        argc -= 2;
        argv += 2;
    }
    /* `arena order PID WHO COMMAND ...`: a command of an organizer, for the desk (web/order.h). */
    if (argc > 4 && strcmp(argv[1], "order") == 0) {
        if (!subprocess_settle(atoi(argv[2])))
            return COMMAND_FAILED;
        remote_obey();
        store_actor = argv[3];
        argc -= 3;
        argv += 3;
    }
    while (argc > 2 && remote_take(argv[1], argv[2])) {
        argc -= 2;
        argv += 2;
    }
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        argv[1] = help;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf(*arena_commit ? "arena %s (%s)\n" : "arena %s\n", ARENA_VERSION, arena_commit);
        return command_finish_output(COMMAND_DONE);
    }
    return command_finish_output(command_run(&arena, argc, argv));
}
