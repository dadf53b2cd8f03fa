/*
 * Runs one command in the sandbox to its end, for commands that examine the sandbox itself and play
 * no match.
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
    int answered_count; /* messages that were answered; echoed ones only if the answer was identical
                         */
    int64_t setup_us;   /* from the call until the program was running */
    int64_t taken_us;   /* from the call until its end */
    char errors[PROBE_ERRORS_BYTES_MAX]; /* the beginning of its standard error */
    struct sandbox_refusal refusals[PROBE_REFUSALS_MAX];
    size_t refusal_count; /* with command->trace; may exceed the number in refusals */
};

/* A message to send. Small enough for an empty pipe. */
struct probe_message {
    const void *bytes;
    size_t size;
    bool is_echoed; /* its answer must be identical; else any answer counts */
};

/*
 * Runs the command for at most limit_ms, or until a stop request (stop.h): sends each message once
 * the previous one was answered, then closes its input; discards output beyond the answers. Returns
 * 0, or -errno with failure set if the command could not be started.
 */
int probe_run(struct sandbox *sandbox, const struct sandbox_command *command,
              const struct probe_message *messages, int message_count, int limit_ms,
              struct probe *probe);

/* Describes how it ended in a few words: "exit 0", "SIGSEGV", "forbidden call mount", ... */
void probe_describe(const struct probe *probe, char *text, size_t capacity);

#endif
