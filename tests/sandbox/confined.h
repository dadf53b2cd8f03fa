/* SPDX-License-Identifier: MIT */
/* For tests: runs one command in the sandbox to its end, and keeps its output. */
#ifndef TESTS_SANDBOX_CONFINED_H
#define TESTS_SANDBOX_CONFINED_H

#include "sandbox/sandbox.h"

enum {
    CONFINED_OUTPUT_BYTES_MAX = 65536,
};

struct confined_run {
    int spawned; /* result of sandbox_spawn */
    enum sandbox_setup setup;
    struct sandbox_failure failure;
    struct sandbox_verdict verdict;
    uint32_t layers;
    char output[CONFINED_OUTPUT_BYTES_MAX]; /* NUL-terminated */
    size_t output_bytes;
    char errors[4096];
};

/*
 * Spawns the command, writes input (NULL: nothing), closes its input and waits; kills it after
 * limit_ms.
 */
void confined_run(struct sandbox *sandbox, const struct sandbox_command *command, const char *input,
                  int limit_ms, struct confined_run *run);

/* Creates a sandbox of at most this tier, and at least the lite one. */
struct sandbox *confined_open(enum sandbox_tier tier);

/* Returns the number of open descriptors of this process. */
int confined_count_descriptors(void);

#endif
