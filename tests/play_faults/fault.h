/* Stands in for the calls of the C library that play makes for files and memory: one may fail. */
#ifndef TESTS_PLAY_FAULTS_FAULT_H
#define TESTS_PLAY_FAULTS_FAULT_H

#include <stdbool.h>

enum {
    FAULT_NONE = -1,
    FAULT_SHORT = 0, /* in place of an error: a read finds the end, a write has less room */
    FAULT_ZERO =
        -2, /* no failure: the call returns descriptor 0, as if standard input were closed */
};

struct fault {
    bool counts;      /* between these two nothing fails: the test's own calls */
    bool makes_only;  /* counts only calls for memory, timers, threads, pipes and processes */
    int at;           /* index of the call that fails */
    int error;        /* with this errno, or FAULT_SHORT */
    bool zero;        /* a call has returned descriptor 0 */
    int count;        /* of calls so far */
    const char *name; /* of the one that failed, NULL: none did */
};

extern struct fault fault;

#endif
