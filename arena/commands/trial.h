/*
 * One command run in the sandbox to its end, for commands that look at the sandbox itself
 * and have no match to play.
 */
#ifndef ARENA_COMMANDS_TRIAL_H
#define ARENA_COMMANDS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/sandbox.h"

enum {
    TRIAL_REFUSALS_MAX = 64,
    TRIAL_ERRORS_BYTES_MAX = 4096,
};

struct trial {
    struct sandbox_failure failure;
    enum sandbox_setup setup;
    struct sandbox_verdict verdict;
    uint32_t layers;
    int answered_count; /* messages that were answered; echoed ones, as they were sent */
    int64_t setup_us;   /* from the call until the program ran */
    int64_t taken_us;   /* until its end */
    char errors[TRIAL_ERRORS_BYTES_MAX]; /* the beginning of what it wrote on standard error */
    struct sandbox_refusal refusals[TRIAL_REFUSALS_MAX];
    size_t refusal_count; /* of command->trace; may exceed what is in refusals */
};

/* What is sent to it. Small enough for an empty pipe. */
struct trial_message {
    const void *bytes;
    size_t size;
    bool is_echoed; /* its answer is itself; else anything is */
};

/*
 * Runs it for at most limit_ms, or until a stop is asked for (stop.h): sends each message when the
 * one before was answered, then closes its input; what it writes beyond answers is dropped. Returns
 * 0, or -errno with failure set when it could not be started.
 */
int trial_run(struct sandbox *sandbox, const struct sandbox_command *command,
              const struct trial_message *messages, int message_count, int limit_ms,
              struct trial *trial);

/* How it ended, in a few words: "exit 0", "SIGSEGV", "forbidden call mount", ... */
void trial_describe(const struct trial *trial, char *text, size_t capacity);

#endif
