#include "tests/sandbox_child/kernel.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

struct kernel kernel;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
    size_t length = strlen(kernel.said);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(kernel.said + length, sizeof kernel.said - length, format, arguments);
    va_end(arguments);
}

static long fail_or(long result)
{
    if (!kernel.error)
        return result;
    errno = kernel.error;
    return -1;
}

/* The names that the linker gives to what stands in for a function of the C library. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
long __real_syscall(long number, ...);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
long __wrap_syscall(long number, long a, long b, long c, long d, long e);
int __wrap_ioctl(int fd, unsigned long request, void *argument);
int __wrap_kill(pid_t pid, int signal);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static long wait_for_end(int kind, siginfo_t *end, int options, struct rusage *usage)
{
    cr_expect_eq(kind, P_PIDFD);
    cr_expect_eq(options, (int)(WEXITED | WNOHANG | WNOWAIT | __WALL));
    *end = kernel.end;
    usage->ru_utime = (struct timeval){kernel.user_us / 1000000, kernel.user_us % 1000000};
    usage->ru_stime = (struct timeval){kernel.system_us / 1000000, kernel.system_us % 1000000};
    return fail_or(0);
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e)
{
    switch (number) {
    case SYS_pidfd_send_signal:
        say("signal %d to %d%s; ", (int)b, (int)a, c || d ? " with more" : "");
        return fail_or(0);
    case SYS_waitid:
        return wait_for_end((int)a, (siginfo_t *)c, (int)d, (struct rusage *)e);
    default:
        return __real_syscall(number, a, b, c, d, e);
    }
}

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
    struct seccomp_notif *call = argument;

    (void)fd;
    switch (request) {
    case SECCOMP_IOCTL_NOTIF_RECV:
        for (size_t i = 0; i < sizeof *call; i++)
            cr_assert_eq(((const char *)argument)[i], 0, "the kernel refuses what is not 0");
        if (kernel.call == -1) {
            errno = ENOENT;
            return -1;
        }
        kernel.call_count++;
        *call = (struct seccomp_notif){.id = 77, .data.nr = kernel.call};
        call->pid = (uint32_t)(kernel.caller ? kernel.caller : KERNEL_PID);
        return 0;
    case SECCOMP_IOCTL_NOTIF_SEND:
        atomic_fetch_add(&kernel.sent_count, 1);
        if (kernel.until) {
            pthread_mutex_lock(kernel.until);
            pthread_mutex_unlock(kernel.until);
        }
        kernel.answer = *(struct seccomp_notif_resp *)argument;
        return 0;
    default:
        if (kernel.waits)
            return 0;
        errno = ENOENT; /* it waits no longer */
        return -1;
    }
}

int __wrap_kill(pid_t pid, int signal)
{
    say("signal %d to %d; ", signal, (int)pid);
    return (int)fail_or(0);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t us = clock == CLOCK_MONOTONIC ? kernel.now_us : kernel.cpu_us;

    if (clock >= 0 && (clock != CLOCK_MONOTONIC || !kernel.now_us))
        return __real_clock_gettime(clock, now);
    if (clock < 0) /* of the processor, for one process */
        cr_expect_eq(clock, (clockid_t)(~(unsigned)KERNEL_PID << 3 | 2));
    if (clock < 0 && us < 0) {
        errno = ESRCH;
        return -1;
    }
    *now = (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    return 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */

struct sandbox_child kernel_make_child(void)
{
    static struct sandbox sandbox;
    static struct slot slot;
    struct sandbox_child_private *private = calloc(1, sizeof *private);

    slot = (struct slot){.name = "child"};
    private->sandbox = &sandbox;
    private->slot = &slot;
    private->proc_fd = -1;
    private->keeper_pid_fd = 501;
    private->group = KERNEL_GROUP;
    private->limits = (struct sandbox_limits){.memory_bytes = 1 << 20, .thread_count = 1};
    private->frozen_ticks = -1;
    kernel = (struct kernel){.call = -1, .now_us = 1000000000};
    return (struct sandbox_child){.pid = KERNEL_PID,
                                  .pid_fd = 500,
                                  .stdin_fd = -1,
                                  .stdout_fd = -1,
                                  .stderr_fd = -1,
                                  .setup_fd = -1,
                                  .notify_fd = -1,
                                  .private = private};
}

void kernel_free_child(struct sandbox_child *child)
{
    free(child->private->refused_counts);
    free(child->private);
}
