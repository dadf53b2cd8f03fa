#include "arena/commands/trial.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/stop.h"

enum {
    WATCH_MS = 50,
    BLOCK_BYTES = 4096,
};

/* A running trial. */
struct talk {
    struct sandbox_child child;
    struct trial *trial;
    const struct trial_message *messages;
    int message_count;
    int sent_count;
    size_t echoed_bytes; /* bytes of the last message echoed so far */
    size_t errors_bytes;
    bool output_open, errors_open;
    bool may_notify; /* a process is left that could make a forbidden call */
};

static void close_input(struct talk *talk)
{
    if (talk->child.stdin_fd >= 0)
        close(talk->child.stdin_fd);
    talk->child.stdin_fd = -1;
}

static void send_next(struct talk *talk)
{
    const struct trial_message *message = &talk->messages[talk->sent_count];

    talk->echoed_bytes = 0;
    if (talk->sent_count == talk->message_count ||
        write(talk->child.stdin_fd, message->bytes, message->size) != (ssize_t)message->size)
        close_input(talk);
    else
        talk->sent_count++;
}

static void take_output(struct talk *talk)
{
    char block[BLOCK_BYTES];
    ssize_t got = read(talk->child.stdout_fd, block, sizeof block);
    const struct trial_message *message;

    if (got == 0)
        talk->output_open = false;
    if (got <= 0 || talk->child.stdin_fd < 0)
        return;
    message = &talk->messages[talk->sent_count - 1];
    if (message->is_echoed) {
        if (talk->echoed_bytes + (size_t)got > message->size ||
            memcmp((const char *)message->bytes + talk->echoed_bytes, block, (size_t)got) != 0) {
            close_input(talk); /* the answer differs from the message */
            return;
        }
        talk->echoed_bytes += (size_t)got;
        if (talk->echoed_bytes < message->size)
            return;
    }
    talk->trial->answered_count++;
    send_next(talk);
}

static void take_errors(struct talk *talk)
{
    char block[BLOCK_BYTES];
    ssize_t got = read(talk->child.stderr_fd, block, sizeof block);
    size_t room = sizeof talk->trial->errors - 1 - talk->errors_bytes;
    size_t kept = got > 0 ? (size_t)got < room ? (size_t)got : room : 0;

    if (got == 0)
        talk->errors_open = false;
    memcpy(talk->trial->errors + talk->errors_bytes, block, kept);
    talk->errors_bytes += kept;
    talk->trial->errors[talk->errors_bytes] = '\0';
}

static void wait_for_end(struct talk *talk, int64_t start_us, int limit_ms)
{
    struct sandbox_child *child = &talk->child;

    while (!sandbox_child_reap(child, &talk->trial->verdict)) {
        bool in_setup = talk->trial->setup == SANDBOX_SETUP_PENDING;
        struct pollfd waits[] = {
            {.fd = talk->output_open ? child->stdout_fd : -1, .events = POLLIN},
            {.fd = talk->errors_open ? child->stderr_fd : -1, .events = POLLIN},
            {.fd = in_setup ? child->setup_fd : -1, .events = POLLIN},
            {.fd = talk->may_notify ? child->notify_fd : -1, .events = POLLIN},
            {.fd = child->pid_fd, .events = POLLIN}};

        poll(waits, sizeof waits / sizeof *waits, WATCH_MS);
        if (waits[2].revents) {
            talk->trial->setup = sandbox_child_setup(child, &talk->trial->failure);
            talk->trial->setup_us = alarm_now_us() - start_us;
        }
        if (waits[0].revents)
            take_output(talk);
        if (waits[1].revents)
            take_errors(talk);
        if (waits[3].revents)
            talk->may_notify = sandbox_child_notified(child);
        sandbox_child_watch(child);
        if (stop_is_asked() || alarm_now_us() - start_us > (int64_t)limit_ms * 1000)
            sandbox_child_kill(child);
    }
}

int trial_run(struct sandbox *sandbox, const struct sandbox_command *command,
              const struct trial_message *messages, int message_count, int limit_ms,
              struct trial *trial)
{
    struct talk talk = {.trial = trial,
                        .messages = messages,
                        .message_count = message_count,
                        .output_open = true,
                        .errors_open = true,
                        .may_notify = true};
    int64_t start_us = alarm_now_us();
    int result;

    memset(trial, 0, sizeof *trial);
    result = sandbox_spawn(sandbox, command, &talk.child, &trial->failure);
    if (result < 0)
        return result;
    trial->layers = talk.child.layers;
    send_next(&talk);
    wait_for_end(&talk, start_us, limit_ms);
    trial->taken_us = alarm_now_us() - start_us;
    if (trial->setup == SANDBOX_SETUP_PENDING) { /* it ended before set-up was seen */
        trial->setup_us = trial->taken_us;
        trial->setup = sandbox_child_setup(&talk.child, &trial->failure);
    }
    trial->refusal_count = sandbox_child_refused(&talk.child, trial->refusals, TRIAL_REFUSALS_MAX);
    for (struct pollfd wait = {.fd = talk.child.stderr_fd, .events = POLLIN};
         talk.errors_open && poll(&wait, 1, 0) > 0;)
        take_errors(&talk);
    sandbox_child_finish(&talk.child);
    return 0;
}

void trial_describe(const struct trial *trial, char *text, size_t capacity)
{
    const struct sandbox_verdict *verdict = &trial->verdict;

    if (trial->setup == SANDBOX_SETUP_REFUSED) {
        snprintf(text, capacity, "cannot be executed: %s", strerror(trial->failure.error));
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
        snprintf(text, capacity, "killed for its memory: limit %lld MiB, peak %lld MiB",
                 (long long)verdict->memory_limit_bytes >> 20,
                 (long long)verdict->memory_peak_bytes >> 20);
        break;
    case SANDBOX_END_CPU:
        snprintf(text, capacity, "killed for its processor time");
        break;
    case SANDBOX_END_KEEPER:
        snprintf(text, capacity, "killed with its keeper, by somebody else");
        break;
    case SANDBOX_END_KILLED:
        snprintf(text, capacity, "killed when its time was up");
        break;
    }
}
