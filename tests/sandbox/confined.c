/* SPDX-License-Identifier: MIT */
#include "tests/sandbox/confined.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads available bytes; drops those that exceed capacity. Returns false at the end. */
static bool take(int fd, char *text, size_t capacity, size_t *length)
{
    char dropped[4096];
    size_t room = capacity - 1 - *length;
    ssize_t got = room ? read(fd, text + *length, room) : read(fd, dropped, sizeof dropped);

    if (got > 0 && room)
        *length += (size_t)got;
    text[*length] = '\0';
    return got != 0;
}

static void converse(struct sandbox_child *child, const char *input, int limit_ms,
                     struct confined_run *run)
{
    int64_t deadline_ms = now_ms() + limit_ms;
    size_t error_bytes = 0;
    bool output_open = true, errors_open = true;

    if (input && write(child->stdin_fd, input, strlen(input)) < 0)
        strcpy(run->errors, "(input not taken)");
    close(child->stdin_fd);
    child->stdin_fd = -1;
    while (!sandbox_child_reap(child, &run->verdict)) {
        struct pollfd waits[] = {{.fd = output_open ? child->stdout_fd : -1, .events = POLLIN},
                                 {.fd = errors_open ? child->stderr_fd : -1, .events = POLLIN},
                                 {.fd = child->notify_fd, .events = POLLIN},
                                 {.fd = child->pid_fd, .events = POLLIN}};

        poll(waits, 4, 50);
        if (waits[0].revents)
            output_open =
                take(child->stdout_fd, run->output, sizeof run->output, &run->output_bytes);
        if (waits[1].revents)
            errors_open = take(child->stderr_fd, run->errors, sizeof run->errors, &error_bytes);
        if (waits[2].revents & POLLIN)
            sandbox_child_notified(child);
        sandbox_child_watch(child);
        if (now_ms() > deadline_ms)
            sandbox_child_kill(child);
    }
    while (take(child->stdout_fd, run->output, sizeof run->output, &run->output_bytes) &&
           poll(&(struct pollfd){.fd = child->stdout_fd, .events = POLLIN}, 1, 0) > 0)
        ;
    while (take(child->stderr_fd, run->errors, sizeof run->errors, &error_bytes) &&
           poll(&(struct pollfd){.fd = child->stderr_fd, .events = POLLIN}, 1, 0) > 0)
        ;
}

void confined_run(struct sandbox *sandbox, const struct sandbox_command *command, const char *input,
                  int limit_ms, struct confined_run *run)
{
    struct sandbox_child child;

    memset(run, 0, sizeof *run);
    signal(SIGPIPE, SIG_IGN); /* some children do not take their input */
    run->spawned = sandbox_spawn(sandbox, command, &child, &run->failure);
    if (run->spawned < 0)
        return;
    run->layers = child.layers;
    poll(&(struct pollfd){.fd = child.setup_fd, .events = POLLIN}, 1, limit_ms);
    run->setup = sandbox_child_setup(&child, &run->failure);
    converse(&child, input, limit_ms, run);
    sandbox_child_finish(&child);
}

struct sandbox *confined_open(enum sandbox_tier tier)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE, .at_most = tier};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;

    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    return sandbox;
}

int confined_count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}
