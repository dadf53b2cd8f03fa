/*
 * The fixed cost of a run: `arena match --games 2` between bots that think nothing, from its
 * start to its end, beside the plain start and end of as many processes (the arena and four
 * bots); and the most memory that the arena held in it.
 */
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUNDS = 21,
    PROCESSES = 5,
};

extern char **environ;

/* Runs a program to its end with its output thrown away. Returns the most KiB it held. */
static long run(char *const argv[])
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    int status;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0 ||
        wait4(pid, &status, 0, &usage) != pid || status != 0)
        bench_refuse("match: %s did not run", argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    return usage.ru_maxrss;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

int bench_match_figures(void)
{
    char *const match[] = {BENCH_BINARY_DIR "/bin/arena",
                           "match",
                           "--games",
                           "2",
                           "--json",
                           BENCH_BINARY_DIR "/tests/bots/bench_zero",
                           BENCH_BINARY_DIR "/tests/bots/bench_zero",
                           NULL};
    char *const nothing[] = {"/bin/true", NULL};
    int64_t match_us[ROUNDS], plain_us[ROUNDS];
    long memory_kib = 0;

    for (int i = 0; i < ROUNDS; i++) {
        int64_t start_us = bench_now_us();
        long held_kib = run(match);
        int64_t middle_us = bench_now_us();

        memory_kib = held_kib > memory_kib ? held_kib : memory_kib;
        for (int process = 0; process < PROCESSES; process++)
            run(nothing);
        match_us[i] = middle_us - start_us;
        plain_us[i] = bench_now_us() - middle_us;
    }
    qsort(match_us, ROUNDS, sizeof *match_us, compare);
    qsort(plain_us, ROUNDS, sizeof *plain_us, compare);
    bench_figure("match.fixed", (double)match_us[ROUNDS / 2] / 1000, "ms",
                 (double)plain_us[ROUNDS / 2] / 1000);
    bench_figure("match.memory", (double)memory_kib / 1024, "MiB", 0);
    return 0;
}
