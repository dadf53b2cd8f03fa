/* SPDX-License-Identifier: MIT */
/*
 * What a decision costs with other runners of matches: the duration of a whole match between
 * players that do not think, by decision, with `arena match` and with each chess runner on the
 * path. Starts and ends are included. The runners take turns, so load on the machine affects all of
 * them equally. They do unlike things: a chess runner sends the list of moves; the arena confines
 * each player and sends it the state and all its legal actions.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum {
    ROUNDS = 11,
    CHESS_MOVES = 100 * 20, /* of a match: byheart/byheart.c, 20 games */
};

#define ZERO    BENCH_BINARY_DIR "/tests/bots/bench_zero"
#define BYHEART BENCH_BINARY_DIR "/tests/bench/byheart/byheart"

static char *const arena_argv[] = {
    BENCH_BINARY_DIR "/bin/arena", "match", "--games", "20", "--json", ZERO, ZERO, NULL};
static char *const c_chess_cli_argv[] = {"c-chess-cli",  "-each",  "movetime=1", "-engine",
                                         "cmd=" BYHEART, "name=a", "-engine",    "cmd=" BYHEART,
                                         "name=b",       "-games", "20",         NULL};
static char *const cutechess_argv[] = {"cutechess-cli",
                                       "-engine",
                                       "cmd=" BYHEART,
                                       "name=a",
                                       "-engine",
                                       "cmd=" BYHEART,
                                       "name=b",
                                       "-each",
                                       "proto=uci",
                                       "st=1",
                                       "-games",
                                       "20",
                                       NULL};
static char *const fastchess_argv[] = {
    "fastchess", "-engine", "cmd=" BYHEART, "name=a", "-engine", "cmd=" BYHEART, "name=b", "-each",
    "st=1",      "-rounds", "10",           "-games", "2",       "-concurrency", "1",      NULL};

/* A runner, and what its output says at the end if every game went on to its last move. */
static const struct runner {
    const char *name;
    char *const *argv;
    const char *all_played;
} runners[] = {
    {"arena", arena_argv, "\"reason\":[\"played\",\"played\"]"},
    {"c-chess-cli", c_chess_cli_argv, "0 - 0 - 20"},
    {"cutechess-cli", cutechess_argv, "0 - 0 - 20"},
    {"fastchess", fastchess_argv, "Draws: 20"},
};

enum {
    RUNNER_COUNT = sizeof runners / sizeof *runners
};

/* Runs a match in the current folder, where runners leave files. Its output is in the file `said`.
 */
static bool run(const struct runner *runner, double *taken_us)
{
    int64_t start_us = bench_now_us();
    posix_spawn_file_actions_t actions;
    int status, error;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    error = posix_spawnp(&pid, runner->argv[0], &actions, NULL, runner->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return false;
    if (error != 0 || waitpid(pid, &status, 0) != pid || status != 0)
        bench_refuse("runners: %s did not run", runner->name);
    *taken_us = (double)(bench_now_us() - start_us);
    return true;
}

/* The decisions of the match whose output is in `said`. */
static double decisions(const struct runner *runner)
{
    static char said[1 << 20];
    FILE *file = fopen("said", "r");
    size_t size = file ? fread(said, 1, sizeof said - 1, file) : 0;
    double sum = 0;

    if (file)
        fclose(file);
    said[size] = '\0';
    if (!strstr(said, runner->all_played))
        bench_refuse("runners: %s did not play its games to the end", runner->name);
    if (runner->argv != arena_argv)
        return CHESS_MOVES;
    for (const char *at = said; (at = strstr(at, "\"decisions\":")); at++)
        sum += atof(at + strlen("\"decisions\":"));
    return sum;
}

int bench_runners(char **argv, bool few)
{
    static double us[RUNNER_COUNT][ROUNDS];
    bool missing[RUNNER_COUNT] = {false};
    char folder[] = "/tmp/bench-runners-XXXXXX";
    double arena_us;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{NULL}});
    if (!mkdtemp(folder) || chdir(folder) < 0)
        bench_refuse("runners: no folder in /tmp");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < RUNNER_COUNT; i++) {
            double taken_us = 0;

            missing[i] = missing[i] || !run(&runners[i], &taken_us);
            if (!missing[i])
                us[i][round] = taken_us / decisions(&runners[i]);
        }
    }
    arena_us = bench_quantile(us[0], ROUNDS, 500);
    for (int i = 0; i < RUNNER_COUNT; i++) {
        char name[64];

        snprintf(name, sizeof name, "runners.%s", runners[i].name);
        if (!missing[i])
            bench_figure(name, bench_quantile(us[i], ROUNDS, 500), "us a decision", arena_us);
    }
    for (const char *const *file = (const char *const[]){"said", "config.json", NULL}; *file;
         file++)
        unlink(*file);
    if (chdir("/") < 0 || rmdir(folder) < 0)
        fprintf(stderr, "bench: runners: files are left in %s\n", folder);
    return 0;
}
