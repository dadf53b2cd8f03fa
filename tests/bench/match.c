/* SPDX-License-Identifier: MIT */
/*
 * The fixed cost of a run: the duration of `arena match --games 2` between bots that do not think,
 * without its decisions (see `bench turn`), compared with starting and ending the same number of
 * processes (the arena and four bots); and the arena's peak memory.
 */
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUNDS = 21,
    PROCESSES = 5,
};

static void end(pid_t pid, const char *program)
{
    int status;

    if (waitpid(pid, &status, 0) != pid || status != 0)
        bench_refuse("match: %s did not run", program);
}

/*
 * Returns the peak memory of a process in KiB, 0 once it is gone. wait4 would include what this
 * program held when it started the process.
 */
static long held_kib(pid_t pid)
{
    char path[64], line[256];
    long kib = 0;
    FILE *status;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    status = fopen(path, "r");
    while (status && kib == 0 && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &kib);
    if (status)
        fclose(status);
    return kib;
}

static pid_t begin(char *const argv[], int output_fd)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0)
        bench_refuse("match: %s cannot be started", argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/*
 * Returns the bots' total time to answer, over all matches, which are reported one per line. Reads
 * the program's memory at each line.
 */
static int64_t answers_us(FILE *lines, pid_t pid, long *memory_kib)
{
    int64_t sum_us = 0;
    json_t *match;

    while ((match = json_loadf(lines, JSON_DISABLE_EOF_CHECK, NULL))) {
        long kib = held_kib(pid);
        json_t *us;
        size_t seat;

        *memory_kib = kib > *memory_kib ? kib : *memory_kib;

        json_array_foreach(json_object_get(match, "us"), seat, us) sum_us += json_integer_value(us);
        json_decref(match);
    }
    return sum_us;
}

/* Runs the match. Returns its duration without the decisions. */
static int64_t run_match_us(char *const argv[], long *memory_kib)
{
    int64_t start_us = bench_now_us();
    int64_t taken_us;
    int pipe_fds[2];
    FILE *lines;
    pid_t pid;

    if (pipe2(pipe_fds, O_CLOEXEC) < 0)
        bench_refuse("match: no pipe");
    pid = begin(argv, pipe_fds[1]);
    close(pipe_fds[1]);
    lines = fdopen(pipe_fds[0], "r");
    taken_us = -answers_us(lines, pid, memory_kib);
    end(pid, argv[0]);
    taken_us += bench_now_us() - start_us;
    fclose(lines);
    return taken_us;
}

/* Starts and ends the same number of processes that do nothing. */
static int64_t run_plain_us(void)
{
    char *const nothing[] = {"/bin/true", NULL};
    int64_t start_us = bench_now_us();

    for (int process = 0; process < PROCESSES; process++)
        end(begin(nothing, 1), nothing[0]);
    return bench_now_us() - start_us;
}

int bench_match(char **argv, bool few)
{
    char *const match[] = {BENCH_BINARY_DIR "/bin/arena",
                           "match",
                           "--games",
                           "2",
                           "--json",
                           BENCH_BINARY_DIR "/tests/bots/bench_zero",
                           BENCH_BINARY_DIR "/tests/bots/bench_zero",
                           NULL};
    double match_us[ROUNDS], plain_us[ROUNDS];
    long memory_kib = 0;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{NULL}});
    for (int i = 0; i < ROUNDS; i++) {
        match_us[i] = (double)run_match_us(match, &memory_kib);
        plain_us[i] = (double)run_plain_us();
    }
    bench_figure("match.fixed", bench_quantile(match_us, ROUNDS, 500) / 1000, "ms",
                 bench_quantile(plain_us, ROUNDS, 500) / 1000);
    bench_figure("match.memory", (double)memory_kib / 1024, "MiB", 0);
    return 0;
}
