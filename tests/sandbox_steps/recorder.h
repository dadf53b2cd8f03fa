/*
 * Writes down the system calls that the child's side of the sandbox asks for, with all that their
 * arguments point to, in place of making them. Such a call succeeds unless it is the one that is to
 * fail.
 */
#ifndef TESTS_SANDBOX_STEPS_RECORDER_H
#define TESTS_SANDBOX_STEPS_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "sandbox/confine.h"

enum {
    RECORDER_LINES_MAX = 256,
    RECORDER_LINE_BYTES_MAX = 512,
};

struct recorder {
    bool records;   /* calls are written down, else made */
    int fail_at;    /* index of the call that fails; -1: none */
    int fail_error; /* with this errno */
    pid_t parent;   /* what getppid returns */
    int count;
    char lines[RECORDER_LINES_MAX][RECORDER_LINE_BYTES_MAX];

    /* In place of clone, unless calls are recorded. */
    int (*clone_fn)(int (*child_fn)(void *), int flags, struct confine_plan *plan, int *pid_fd);
    rlim_t own_limit; /* of each resource */
    int policy;       /* of the scheduler */
};

extern struct recorder recorder;

/* Runs a child's side until it executes or ends. */
void recorder_run(int (*child_fn)(void *plan), struct confine_plan *plan);

long recorder_make(long number, long first, long second, long third, long fourth);

/* Expects a text to be that of tests/golden/NAME; writes it to the build folder. */
void expect_golden(const char *name, const char *text);

#endif
