/*
 * Process 1 of a bot's PID namespace, so that the bot need not be it: signals with their
 * default action do nothing to a process 1, and abort() would not end it. The keeper
 * waits for the arena's end (standard input is a pipe that the arena holds open) and
 * with its own end takes everything in the namespace along. The kernel lets it read,
 * write and exit, and nothing else. No C library: it is started with every bot.
 *
 *     keeper         waits for the end of its input
 *     keeper stop    the same; stops all others in its namespace at an 's', and has them run
 *                    on at a 'c': the kernel lets it signal as well
 *     keeper hold    no keeper of a bot
 *
 * The last holds namespaces while the arena takes hold of them, and says on
 * standard output that it runs: until then its files in /proc are root's.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "sandbox/bare.h"

enum {
    KEEPER_SIGCHLD = 17,
    KEEPER_SIGCONT = 18,
    KEEPER_SIGSTOP = 19,
    EVERYBODY = -1, /* in its namespace, but for itself */
    KERNEL_SIGSET_BYTES = 8,
};

#if defined(__x86_64__)
enum {
    KEEPER_ARCHITECTURE = (int)AUDIT_ARCH_X86_64
};
#else
enum {
    KEEPER_ARCHITECTURE = (int)AUDIT_ARCH_AARCH64
};
#endif

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

/* As strict mode, and kill. */
static void restrict_to_signals(void)
{
    static struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)KEEPER_ARCHITECTURE, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};

    call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0);
    if (call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program, 0) < 0)
        call(SYS_exit, 1, 0, 0, 0);
}

_Noreturn void bare_main(long argc, char **argv)
{
    const struct kernel_action reap_nobody = {.handler = 1 /* SIG_IGN: the kernel reaps */};
    const int stops = argc >= 2 && argv[1][0] == 's';
    const int holds = argc >= 2 && argv[1][0] == 'h';
    char byte = 0;

    if (!holds)
        call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0);
    call(SYS_rt_sigaction, KEEPER_SIGCHLD, (long)&reap_nobody, 0, KERNEL_SIGSET_BYTES);
    if (stops)
        restrict_to_signals();
    else
        call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0);
    if (holds)
        call(SYS_write, 1, (long)&byte, 1, 0);
    while (call(SYS_read, 0, (long)&byte, 1, 0) > 0)
        if (stops)
            call(SYS_kill, EVERYBODY, byte == 's' ? KEEPER_SIGSTOP : KEEPER_SIGCONT, 0, 0);
    for (;;)
        call(SYS_exit, 0, 0, 0, 0);
}
