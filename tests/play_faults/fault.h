/* SPDX-License-Identifier: MIT */
/* Stands in for the calls of the C library that play makes for files: one may fail. */
#ifndef TESTS_PLAY_FAULTS_FAULT_H
#define TESTS_PLAY_FAULTS_FAULT_H

#include <stdbool.h>

enum {
    FAULT_NONE = -1,
    FAULT_SHORT = 0, /* in place of an error: a read finds the end, a write has less room */
};

struct fault {
    bool counts;      /* between these two nothing fails: the test's own calls */
    int at;           /* index of the call that fails */
    int error;        /* with this errno, or FAULT_SHORT */
    int count;        /* of calls so far */
    const char *name; /* of the one that failed, NULL: none did */
};

extern struct fault fault;

#endif
