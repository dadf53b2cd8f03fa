/*
 * Process 1 of a bot's PID namespace, so that the bot need not be it: signals with their
 * default action do nothing to a process 1, and abort() would not end it. The keeper
 * waits for the arena's end (standard input is a pipe that the arena holds open) and
 * with its own end takes everything in the namespace along. The kernel lets it read,
 * write and exit, and nothing else. No C library: it is started with every bot.
 *
 * With an argument it holds namespaces while the arena takes hold of them, and says on
 * standard output that it runs: until then its files in /proc are root's.
 */
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

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

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n mov (%rsp), %rdi\n and $-16, %rsp\n call keep\n hlt\n");

static long call(long number, long first, long second, long third, long fourth)
{
    register long fourth_register __asm__("r10") = fourth;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth_register)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n ldr x0, [sp]\n bl keep\n brk 0\n");

static long call(long number, long first, long second, long third, long fourth)
{
    register long number_register __asm__("x8") = number;
    register long first_register __asm__("x0") = first;
    register long second_register __asm__("x1") = second;
    register long third_register __asm__("x2") = third;
    register long fourth_register __asm__("x3") = fourth;

    __asm__ volatile("svc 0"
                     : "+r"(first_register)
                     : "r"(number_register), "r"(second_register), "r"(third_register),
                       "r"(fourth_register)
                     : "memory");
    return first_register;
}
#else
#error "the keeper knows x86-64 and aarch64"
#endif

_Noreturn void keep(long argument_count);

_Noreturn void keep(long argument_count)
{
    const struct kernel_action reap_nobody = {.handler = 1 /* SIG_IGN: the kernel reaps */};
    char byte = 0;

    if (argument_count < 2)
        call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0);
    call(SYS_rt_sigaction, KEEPER_SIGCHLD, (long)&reap_nobody, 0, KERNEL_SIGSET_BYTES);
    call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0);
    if (argument_count >= 2)
        call(SYS_write, 1, (long)&byte, 1, 0);
    while (call(SYS_read, 0, (long)&byte, 1, 0) > 0)
        ;
    for (;;)
        call(SYS_exit, 0, 0, 0, 0);
}
