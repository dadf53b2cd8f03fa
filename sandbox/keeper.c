/*
 * Process 1 of a bot's PID namespace, so that the bot is not: signals with default action are
 * ignored by process 1, and abort() would not end it. The keeper waits for the arena's end (its
 * standard input is a pipe that the arena holds open); when it ends, the kernel kills everything in
 * the namespace. Its filter allows it only to read, write and exit. No C library, because one is
 * started with every bot.
 *
 *   keeper        waits for the end of its input
 *   keeper hold   does not keep a bot
 *
 * The second form holds namespaces until the arena has opened them, and reports on standard output
 * that it runs: before that, its files in /proc belong to root.
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
