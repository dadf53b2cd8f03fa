/* SPDX-License-Identifier: MIT */
/*
 * The cost of confinement at a bot's start: the time from the call to the first byte of a static
 * program, with sandbox_spawn, with plain posix_spawn, and with bubblewrap. The three alternate, so
 * that load on the machine affects all of them equally.
 */
#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox.h"
#include "tests/bench/bench.h"

enum {
    ROUNDS_DEFAULT = 100,
    ROUNDS_MAX = 10000,
};

#define SPAWN_FOLDER  BENCH_BINARY_DIR "/tests/bench/byte"
#define SPAWN_PROGRAM SPAWN_FOLDER "/byte"

/* Times of one way to start, per round, and its first failure. */
struct starts {
    double *taken_us;
    size_t count;
};

static int await_byte(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    char byte;

    return poll(&wait, 1, 5000) == 1 && read(fd, &byte, 1) == 1 ? 0 : -1;
}

static int start_confined(struct sandbox *sandbox, double *taken_us)
{
    const char *const argv[] = {"./byte", NULL};
    const struct sandbox_command command = {
        .folder = SPAWN_FOLDER, .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox_failure failure;
    struct sandbox_child child;
    int64_t start_us = bench_now_us();
    int result;

    if (sandbox_spawn(sandbox, &command, &child, &failure) < 0) {
        fprintf(stderr, "bench: spawn: %s: %s\n", failure.step, strerror(failure.error));
        return -1;
    }
    result = await_byte(child.stdout_fd);
    *taken_us = (double)(bench_now_us() - start_us);
    sandbox_child_finish(&child);
    return result;
}

/* Creating the pipes is timed, because sandbox_spawn creates them too. */
static int start_plain(const char *const *argv, double *taken_us)
{
    posix_spawn_file_actions_t actions;
    int64_t start_us = bench_now_us();
    int ends[2];
    pid_t pid;
    int result;

    if (pipe(ends) < 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    result = posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (result == 0) {
        result = await_byte(ends[0]);
        *taken_us = (double)(bench_now_us() - start_us);
        waitpid(pid, NULL, 0);
    }
    close(ends[0]);
    return result == 0 ? 0 : -1;
}

static void print(struct starts *confined, struct starts *plain, struct starts *wrapped)
{
    double plain_us = bench_quantile(plain->taken_us, plain->count, 100);
    double confined_us = bench_quantile(confined->taken_us, confined->count, 100);

    bench_figure("spawn.confined", confined_us, "us p10", plain_us);
    bench_figure("spawn.posix_spawn", plain_us, "us p10", 0);
    if (wrapped->count > 0) {
        double wrapped_us = bench_quantile(wrapped->taken_us, wrapped->count, 100);

        bench_figure("spawn.bubblewrap", wrapped_us, "us p10", plain_us);
        bench_figure("spawn.confined_to_bubblewrap", confined_us, "us p10", wrapped_us);
    }
}

int bench_spawn(char **argv, bool few)
{
    static const char *const plain_argv[] = {SPAWN_PROGRAM, NULL};
    static const char *const wrapped_argv[] = {
        "/usr/bin/bwrap", "--unshare-all", "--ro-bind",   "/", "/",
        "--proc",         "/proc",         SPAWN_PROGRAM, NULL};
    static double taken_us[3][ROUNDS_MAX];
    struct starts confined = {taken_us[0], 0}, plain = {taken_us[1], 0}, wrapped = {taken_us[2], 0};
    bool has_bubblewrap = access(wrapped_argv[0], X_OK) == 0;
    struct sandbox_failure failure;
    struct sandbox *sandbox;
    long round_count = ROUNDS_DEFAULT;

    (void)few;
    bench_read_options(
        argv, (const struct bench_option[]){{"--rounds", &round_count, 50, ROUNDS_MAX}, {NULL}});
    if (sandbox_create(&sandbox, NULL, &failure) < 0) {
        fprintf(stderr, "bench: spawn: %s: %s\n", failure.step, strerror(failure.error));
        return 1;
    }
    for (long i = 0; i < round_count; i++) {
        if (start_plain(plain_argv, &plain.taken_us[plain.count++]) < 0 ||
            start_confined(sandbox, &confined.taken_us[confined.count++]) < 0)
            break;
        if (has_bubblewrap && start_plain(wrapped_argv, &wrapped.taken_us[wrapped.count++]) < 0)
            break;
    }
    sandbox_destroy(sandbox);
    if (confined.count < (size_t)round_count) {
        fprintf(stderr, "bench: spawn: round %zu gave no byte\n", plain.count);
        return 1;
    }
    print(&confined, &plain, &wrapped);
    return 0;
}
