/* SPDX-License-Identifier: MIT */
/*
 * Runs one command in the sandbox to its end. For commands that examine the sandbox and play no
 * match.
 */
#ifndef ARENA_COMMANDS_PROBE_H
#define ARENA_COMMANDS_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/sandbox.h"

enum {
    PROBE_REFUSALS_MAX = 64,
    PROBE_ERRORS_BYTES_MAX = 4096,
};

struct probe {
    struct sandbox_failure failure;
    enum sandbox_setup setup;
    struct sandbox_verdict verdict;
    uint32_t layers;
    /*
     * Number of messages that the program answered; an echo counts only if it is identical to the
     * message.
     */
    int answered_count;
    int64_t setup_us; /* time from the call of probe_run until the program was running */
    int64_t taken_us; /* time from the call of probe_run until the program's end */
    char errors[PROBE_ERRORS_BYTES_MAX]; /* the beginning of the program's standard error */
    struct sandbox_refusal refusals[PROBE_REFUSALS_MAX];
    /*
     * Number of refused system calls, counted if command->trace is set; may exceed the length of
     * refusals
     */
    size_t refusal_count;
};

/* A message for the program. The message must fit into an empty pipe. */
struct probe_message {
    const void *bytes;
    size_t size;
    bool is_echoed; /* the answer must be identical to the message; if false, any answer counts */
};

/*
 * Runs a command for at most limit_ms, or until a stop request (foreground.h). Sends each message
 * when the program has answered the previous one, then closes the program's input. Discards further
 * output. Returns 0; or -errno with `failure` set if the command could not be started.
 */
int probe_run(struct sandbox *sandbox, const struct sandbox_command *command,
              const struct probe_message *messages, int message_count, int limit_ms,
              struct probe *probe);

/* Writes how the program ended in a few words: "exit 0", "SIGSEGV", "forbidden call mount", ... */
void probe_describe(const struct probe *probe, char *text, size_t capacity);

#endif
