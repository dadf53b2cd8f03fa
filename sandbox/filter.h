/* SPDX-License-Identifier: MIT */
/*
 * The seccomp program of a child: the table of calls.h as BPF code. Each kind of child (variant)
 * has a program, which libseccomp makes in about 4 ms, when a child first needs it.
 */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/sandbox.h"

/* Properties of a child that change its filter; a variant is a set of these bits. */
enum filter_variant {
    FILTER_PROCESSES = 1 << 0,     /* the child may have several processes */
    FILTER_WRITABLE = 1 << 1,      /* the child has a writable /tmp or folder */
    FILTER_PID_NAMESPACE = 1 << 2, /* the child sees no foreign PIDs, so kill needs no check */
    FILTER_MEMORY_CGROUP = 1 << 3, /* a cgroup limits all memory of the child */
    FILTER_NOTIFY = 1 << 4,   /* the kernel reports forbidden calls to the arena, which kills the
                                 child; without this bit, the kernel kills the child */
    FILTER_TRACE = 1 << 5,    /* the kernel reports refused calls too, and calls that are not in the
                                 table; needs FILTER_NOTIFY */
    FILTER_BUILD = 1 << 6,    /* the child is a build, not a bot */
    FILTER_LOOPBACK = 1 << 7, /* the child has its own network, with only a loopback interface */
    FILTER_VARIANTS = 1 << 8,
};

enum {
    FILTER_PID_PLACES_MAX = 64,
};

struct filter {
    struct sock_filter *code;
    unsigned short length;
    unsigned short pid_places[FILTER_PID_PLACES_MAX]; /* indexes of the instructions that contain
                                                         the child's PID */
    int pid_place_count;
};

/* Builds the program (program.h). The caller calls filter_finish. Returns 0 or -errno. */
int filter_init(struct filter *filter, unsigned variant);

/* Accepts a zeroed filter. */
void filter_finish(struct filter *filter);

/* Sets the PID that the program compares with the argument of kill. */
void filter_set_pid(struct filter *filter, pid_t pid);

/* Returns the errno with which the arena fails a refused call of a traced child. */
int filter_refusal_errno(int number);

#endif
