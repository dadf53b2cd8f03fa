/*
 * The seccomp program of a child: the call table as BPF. Built once a variant, by
 * libseccomp, in the arena (about 2 ms); a child only loads it.
 */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/sandbox.h"

/* What decides a filter, beside the call table. */
struct filter_variant {
    bool processes;     /* several processes are allowed */
    bool writable;      /* something is writable: a scratch, or a folder being built */
    bool build;         /* it is a build, not a bot */
    bool pid_namespace; /* other processes have no numbers here: kill needs no test */
    bool memory_cgroup; /* a cgroup counts what RLIMIT_DATA does not */
    bool notify; /* forbidden calls are told to the arena, which kills; else the kernel kills */
    bool trace;  /* refused and unknown calls are told as well; needs notify */
};

enum {
    FILTER_PID_PLACES_MAX = 64,
};

struct filter {
    struct sock_filter *code;
    unsigned short length;
    unsigned short pid_places[FILTER_PID_PLACES_MAX]; /* where the child's own number goes */
    int pid_place_count;
};

/* Builds the program. The caller finishes it. Returns 0 or -errno. */
int filter_init(struct filter *filter, const struct filter_variant *variant);

/* Takes a zeroed filter. */
void filter_finish(struct filter *filter);

/* Puts the number of the process that is to load the program where kill is tested. */
void filter_set_pid(struct filter *filter, pid_t pid);

/* The errno that a refused call (one told to a tracing arena) is to be answered with. */
int filter_refusal_errno(int number);

#endif
