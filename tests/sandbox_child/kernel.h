/* An imitated kernel: what it says of a child is set by the test, what is asked of it is kept. */
#ifndef TESTS_SANDBOX_CHILD_KERNEL_H
#define TESTS_SANDBOX_CHILD_KERNEL_H

#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdio.h>

#include "sandbox/prepared.h"

enum {
    KERNEL_PID = 4000, /* of the child */
    KERNEL_GROUP = 3999,
};

struct kernel {
    int64_t now_us; /* of the monotonic clock; 0: the real one */
    int64_t cpu_us; /* of the child */
    siginfo_t end;  /* of the child; si_pid 0: it lives */
    int64_t user_us, system_us;
    int call;                         /* that waits for an answer; -1: none */
    pid_t caller;                     /* 0: the child */
    bool waits;                       /* the call still waits for its answer */
    pthread_mutex_t *until;           /* before an answer is sent; or NULL */
    _Atomic int sent_count;           /* answers that were, or are about to be sent */
    int call_count;                   /* calls that were taken */
    int error;                        /* errno of a signal or a stop; 0: none */
    char said[2048];                  /* what was asked, in words */
    struct seccomp_notif_resp answer; /* to the last call */
};

extern struct kernel kernel;

/* A child without descriptors, which the caller frees. */
struct sandbox_child kernel_make_child(void);

/* Frees what the child has, but ends nothing: there is nobody. */
void kernel_free_child(struct sandbox_child *child);

#endif
