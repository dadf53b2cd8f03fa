/* SPDX-License-Identifier: MIT */
/*
 * The keeper: process 1 of a bot's PID namespace. The bot itself must not be process 1, which the
 * kernel protects from signals with default action: abort() would not end the bot. The keeper waits
 * for the arena's end (its standard input is a pipe that the arena holds open); when the keeper
 * ends, the kernel kills every process of the namespace. A filter lets the keeper only read, write
 * and exit. It uses no C library, because the arena starts a keeper with every bot and it must
 * start fast. With the argument "hold", the keeper holds namespaces until the arena has opened them
 * and kills the keeper; it then first writes a byte, because the arena cannot write to its files in
 * /proc before its program runs.
 */
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "sandbox/bare.h"

enum {
    KEEPER_SIGCHLD = 17,
    KERNEL_SIGSET_BYTES = 8,
};

/* The kernel's struct sigaction. */
struct kernel_action {
    unsigned long handler;
    unsigned long flags;
    unsigned long restorer;
    unsigned long mask;
};

static long call(long number, long first, long second, long third, long fourth)
{
    return bare_call(number, (const long[6]){first, second, third, fourth});
}

_Noreturn void bare_main(long argc, char **argv)
{
    const struct kernel_action reap_nobody = {.handler = 1 /* SIG_IGN: the kernel reaps */};
    const int holds = argc >= 2;
    char byte = 0;

    (void)argv;
    if (!holds)
        call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0);
    call(SYS_rt_sigaction, KEEPER_SIGCHLD, (long)&reap_nobody, 0, KERNEL_SIGSET_BYTES);
    call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0);
    if (holds)
        call(SYS_write, 1, (long)&byte, 1, 0);
    while (call(SYS_read, 0, (long)&byte, 1, 0) > 0)
        ;
    for (;;)
        call(SYS_exit, 0, 0, 0, 0);
}
