/* SPDX-License-Identifier: MIT */
#include "arena/commands/probe.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/foreground.h"
#include "arena/base/clock.h"

enum {
    WATCH_MS = 50,
    BLOCK_BYTES = 4096,
};

/* A command that probe_run is running in the sandbox. */
struct probing {
    struct sandbox_child child;
    struct probe *probe;
    const struct probe_message *messages;
    int message_count;
    int sent_count;
    size_t echoed_bytes; /* bytes of the last message that the program has sent back so far */
    size_t errors_bytes;
    bool output_open, errors_open;
    bool may_notify; /* a process of the program is alive and may still make a forbidden system call
                      */
};

static void close_input(struct probing *probing)
{
    if (probing->child.stdin_fd >= 0)
        close(probing->child.stdin_fd);
    probing->child.stdin_fd = -1;
}

static void send_next(struct probing *probing)
{
    const struct probe_message *message = &probing->messages[probing->sent_count];

    probing->echoed_bytes = 0;
    if (probing->sent_count == probing->message_count ||
        write(probing->child.stdin_fd, message->bytes, message->size) != (ssize_t)message->size)
        close_input(probing);
    else
        probing->sent_count++;
}

static void take_output(struct probing *probing)
{
    char block[BLOCK_BYTES];
    ssize_t got = read(probing->child.stdout_fd, block, sizeof block);
    const struct probe_message *message;

    if (got == 0)
        probing->output_open = false;
    if (got <= 0 || probing->child.stdin_fd < 0)
        return;
    message = &probing->messages[probing->sent_count - 1];
    if (message->is_echoed) {
        if (probing->echoed_bytes + (size_t)got > message->size ||
            memcmp((const char *)message->bytes + probing->echoed_bytes, block, (size_t)got) != 0) {
            close_input(probing);
            return;
        }
        probing->echoed_bytes += (size_t)got;
        if (probing->echoed_bytes < message->size)
            return;
    }
    probing->probe->answered_count++;
    send_next(probing);
}

static void take_errors(struct probing *probing)
{
    char block[BLOCK_BYTES];
    ssize_t got = read(probing->child.stderr_fd, block, sizeof block);
    size_t room = sizeof probing->probe->errors - 1 - probing->errors_bytes;
    size_t kept = got > 0 ? (size_t)got < room ? (size_t)got : room : 0;

    if (got == 0)
        probing->errors_open = false;
    memcpy(probing->probe->errors + probing->errors_bytes, block, kept);
    probing->errors_bytes += kept;
    probing->probe->errors[probing->errors_bytes] = '\0';
}

static void wait_for_end(struct probing *probing, int64_t start_us, int limit_ms)
{
    struct sandbox_child *child = &probing->child;

    while (!sandbox_child_reap(child, &probing->probe->verdict)) {
        bool in_setup = probing->probe->setup == SANDBOX_SETUP_PENDING;
        struct pollfd waits[] = {
            {.fd = probing->output_open ? child->stdout_fd : -1, .events = POLLIN},
            {.fd = probing->errors_open ? child->stderr_fd : -1, .events = POLLIN},
            {.fd = in_setup ? child->setup_fd : -1, .events = POLLIN},
            {.fd = probing->may_notify ? child->notify_fd : -1, .events = POLLIN},
            {.fd = child->pid_fd, .events = POLLIN}};

        poll(waits, sizeof waits / sizeof *waits, WATCH_MS);
        if (waits[2].revents) {
            probing->probe->setup = sandbox_child_setup(child, &probing->probe->failure);
            probing->probe->setup_us = clock_now_us() - start_us;
        }
        if (waits[0].revents)
            take_output(probing);
        if (waits[1].revents)
            take_errors(probing);
        if (waits[3].revents)
            probing->may_notify = sandbox_child_notified(child);
        sandbox_child_watch(child);
        if (stop_is_asked() || clock_now_us() - start_us > (int64_t)limit_ms * 1000)
            sandbox_child_kill(child);
    }
}

int probe_run(struct sandbox *sandbox, const struct sandbox_command *command,
              const struct probe_message *messages, int message_count, int limit_ms,
              struct probe *probe)
{
    struct probing probing = {.probe = probe,
                              .messages = messages,
                              .message_count = message_count,
                              .output_open = true,
                              .errors_open = true,
                              .may_notify = true};
    int64_t start_us = clock_now_us();
    int result;

    memset(probe, 0, sizeof *probe);
    result = sandbox_spawn(sandbox, command, &probing.child, &probe->failure);
    if (result < 0)
        return result;
    probe->layers = probing.child.layers;
    send_next(&probing);
    wait_for_end(&probing, start_us, limit_ms);
    probe->taken_us = clock_now_us() - start_us;
    /* The program ended before the arena saw the end of its set-up. */
    if (probe->setup == SANDBOX_SETUP_PENDING) {
        probe->setup_us = probe->taken_us;
        probe->setup = sandbox_child_setup(&probing.child, &probe->failure);
    }
    probe->refusal_count =
        sandbox_child_refused(&probing.child, probe->refusals, PROBE_REFUSALS_MAX);
    for (struct pollfd wait = {.fd = probing.child.stderr_fd, .events = POLLIN};
         probing.errors_open && poll(&wait, 1, 0) > 0;)
        take_errors(&probing);
    sandbox_child_finish(&probing.child);
    return 0;
}

void probe_describe(const struct probe *probe, char *text, size_t capacity)
{
    const struct sandbox_verdict *verdict = &probe->verdict;

    if (probe->setup == SANDBOX_SETUP_REFUSED) {
        snprintf(text, capacity, "cannot be executed: %s", strerror(probe->failure.error));
        return;
    }
    switch (verdict->end) {
    case SANDBOX_END_EXITED:
        snprintf(text, capacity, "exit %d", verdict->status);
        break;
    case SANDBOX_END_SIGNALED:
        snprintf(text, capacity, "SIG%s", sigabbrev_np(verdict->signal));
        break;
    case SANDBOX_END_FORBIDDEN:
        snprintf(text, capacity, "killed for the forbidden call %s",
                 verdict->call ? verdict->call : "of another architecture");
        break;
    case SANDBOX_END_MEMORY:
        snprintf(text, capacity, "killed for using too much memory: limit %lld MiB, peak %lld MiB",
                 (long long)verdict->memory_limit_bytes >> 20,
                 (long long)verdict->memory_peak_bytes >> 20);
        break;
    case SANDBOX_END_CPU:
        snprintf(text, capacity, "killed for using too much processor time");
        break;
    case SANDBOX_END_KEEPER:
        snprintf(text, capacity,
                 "killed by another program, together with the process that guards the bot");
        break;
    case SANDBOX_END_STARVED:
        snprintf(text, capacity,
                 "killed by the kernel within its memory limit, because the machine or the arena's "
                 "control group was full");
        break;
    case SANDBOX_END_KILLED:
        snprintf(text, capacity, "killed when its time was up");
        break;
    }
}
