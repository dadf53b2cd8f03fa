/*
 * The seccomp program of a child: the call table as BPF. There is one per variant, built
 * with libseccomp (about 4 ms), most of them when the project is; a child only loads it.
 */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/sandbox.h"

/* What determines a filter, besides the call table: these bits. */
enum filter_variant {
    FILTER_PROCESSES = 1 << 0,     /* several processes are allowed */
    FILTER_WRITABLE = 1 << 1,      /* it has a scratch, or its folder is writable */
    FILTER_PID_NAMESPACE = 1 << 2, /* it cannot see other PIDs, so kill needs no check */
    FILTER_MEMORY_CGROUP = 1 << 3, /* a cgroup counts the memory that RLIMIT_DATA does not */
    FILTER_NOTIFY = 1 << 4,   /* report forbidden calls to the arena, which kills the child; else
                                 the kernel does */
    FILTER_TRACE = 1 << 5,    /* report refused and unknown calls too; needs FILTER_NOTIFY */
    FILTER_BUILD = 1 << 6,    /* it is a build, not a bot */
    FILTER_LOOPBACK = 1 << 7, /* its network is its own, with only a loopback interface */
    FILTER_VARIANTS = 1 << 8,
};

enum {
    FILTER_PID_PLACES_MAX = 64,
};

struct filter {
    struct sock_filter *code;
    unsigned short length;
    unsigned short pid_places[FILTER_PID_PLACES_MAX]; /* places of the child's own PID */
    int pid_place_count;
};

/*
 * The filters that most children have, computed when the project is built (tables/make_filters.c),
 * as filter_build makes them.
 */
struct filter_entry {
    unsigned variant;
    const struct sock_filter *code;
    unsigned short length;
};

extern const struct filter_entry filter_table[];
extern const size_t filter_table_count;

/* Takes the program from filter_table, or builds it. The caller finishes it. Returns 0 or -errno.
 */
int filter_init(struct filter *filter, unsigned variant);

/* Builds the program with libseccomp. The caller finishes it. Returns 0 or -errno. */
int filter_build(struct filter *filter, unsigned variant);

/* Accepts a zeroed filter. */
void filter_finish(struct filter *filter);

/* Writes the PID of the process that will load the program into its checks of kill. */
void filter_set_pid(struct filter *filter, pid_t pid);

/* Returns the errno with which a refused call fails when it was reported to a tracing arena. */
int filter_refusal_errno(int number);

#endif
