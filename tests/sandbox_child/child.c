/* SPDX-License-Identifier: MIT */
/*
 * What the arena makes of each thing that the kernel may say of a child, with an imitated kernel:
 * the test sets what the kernel says, and reads what was asked of the kernel.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/prepared.h"
#include "sandbox/process_scan.h"

enum {
    LOOK_US = 50000,
    WAITING_MAX = 512,
    PATIENCE_US = 20000000,
    LIMIT_S = 10,
    SPENT_US = 9750000, /* with a quarter of a second of slack */
    HALF_US = 5000000,  /* of those that nobody killed: the kernel counts in ticks */
};

/* ---- the imitated kernel ---- */

enum {
    KERNEL_PID = 4000, /* of the child */
    KERNEL_GROUP = 3999,
};

struct kernel {
    int64_t now_us; /* of the monotonic clock; 0: the real one */
    int64_t cpu_us; /* of the child */
    siginfo_t end;  /* of the child; si_pid 0: it lives */
    pid_t pid;      /* of the child, if not KERNEL_PID */
    int report;     /* CLD_STOPPED, CLD_CONTINUED or 0: the last report of a stop */
    int64_t user_us, system_us;
    pthread_mutex_t *until; /* before an answer is sent; or NULL */
    _Atomic int sent_count; /* answers that were, or are about to be sent */
    char said[2048];        /* what was asked, in words */
};

static struct kernel kernel;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    size_t length = strlen(kernel.said);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(kernel.said + length, sizeof kernel.said - length, format, arguments);
    va_end(arguments);
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
    if (options & WSTOPPED) {
        *end = (siginfo_t){.si_code = kernel.report};
        end->si_pid = kernel.report ? KERNEL_PID : 0;
        kernel.report = 0;
        return 0;
    }
    cr_expect_eq(options, (int)(WEXITED | WNOHANG | WNOWAIT | __WALL));
    *end = kernel.end;
    usage->ru_utime = (struct timeval){kernel.user_us / 1000000, kernel.user_us % 1000000};
    usage->ru_stime = (struct timeval){kernel.system_us / 1000000, kernel.system_us % 1000000};
    return 0;
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e)
{
    switch (number) {
    case SYS_pidfd_send_signal:
        say("signal %d to %d%s; ", (int)b, (int)a, c || d ? " with more" : "");
        return 0;
    case SYS_waitid:
        return wait_for_end((int)a, (siginfo_t *)c, (int)d, (struct rusage *)e);
    default:
        return __real_syscall(number, a, b, c, d, e);
    }
}

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
    if (request != SECCOMP_IOCTL_NOTIF_SEND)
        return 0; /* the call still waits for its answer */
    atomic_fetch_add(&kernel.sent_count, 1);
    if (kernel.until) {
        pthread_mutex_lock(kernel.until);
        pthread_mutex_unlock(kernel.until);
    }
    return 0;
}

int __wrap_kill(pid_t pid, int signal)
{
    say("signal %d to %d; ", signal, (int)pid);
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t us = clock == CLOCK_MONOTONIC ? kernel.now_us : kernel.cpu_us;

    if (clock >= 0 && (clock != CLOCK_MONOTONIC || !kernel.now_us))
        return __real_clock_gettime(clock, now);
    if (clock < 0) /* of the processor, for one process */
        cr_expect_eq(clock, (clockid_t)(~(unsigned)(kernel.pid ?: KERNEL_PID) << 3 | 2));
    *now = (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    return 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Returns a child without descriptors. */
static struct sandbox_child kernel_make_child(void)
{
    static struct sandbox sandbox;
    static struct slot slot;
    struct sandbox_child_private *private = calloc(1, sizeof *private);

    slot = (struct slot){.name = "child"};
    sandbox.home.events_fd = -1;
    private->sandbox = &sandbox;
    private->slot = &slot;
    private->proc_fd = -1;
    private->keeper_pid_fd = 501;
    private->group = KERNEL_GROUP;
    private->limits = (struct sandbox_limits){.memory_bytes = 1 << 20, .thread_count = 1};
    kernel = (struct kernel){.now_us = 1000000000};
    return (struct sandbox_child){.pid = KERNEL_PID,
                                  .pid_fd = 500,
                                  .stdin_fd = -1,
                                  .stdout_fd = -1,
                                  .stderr_fd = -1,
                                  .setup_fd = -1,
                                  .notify_fd = -1,
                                  .private = private};
}

static void kernel_free_child(struct sandbox_child *child)
{
    free(child->private);
}

/* ---- set-up ---- */

static const struct {
    const char *rule, *step;
    int error;
    bool executed, readable;
    enum sandbox_setup state;
} set_ups[] = {
    {"under way", NULL, 0, true, false, SANDBOX_SETUP_PENDING},
    {"done", NULL, 0, true, true, SANDBOX_SETUP_RUNNING},
    {"killed before", NULL, ESRCH, false, true, SANDBOX_SETUP_FAILED},
    {"a step failed", "landlock", EPERM, false, true, SANDBOX_SETUP_FAILED},
    {"no program", "execve", ENOENT, true, true, SANDBOX_SETUP_REFUSED},
    {"no memory", "execve", ENOMEM, true, true, SANDBOX_SETUP_FAILED},
    {"no file", "execve", ENFILE, true, true, SANDBOX_SETUP_FAILED},
    {"not now", "execve", EAGAIN, true, true, SANDBOX_SETUP_FAILED},
    {"shorter than its headers say", "execve", EIO, true, true, SANDBOX_SETUP_REFUSED},
    {"a file system that went", "execve", ESTALE, true, true, SANDBOX_SETUP_FAILED},
    {"too many descriptors of its own", "execve", EMFILE, true, true, SANDBOX_SETUP_REFUSED},
};

Test(child, set_up_is_told)
{
    for (size_t i = 0; i < sizeof set_ups / sizeof *set_ups; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_failure failure = {0};

        child.setup_fd = eventfd(set_ups[i].readable, EFD_CLOEXEC);
        child.private->executed = set_ups[i].executed;
        child.private->failure =
            (struct sandbox_failure){.step = set_ups[i].step, .error = set_ups[i].error};
        cr_expect_eq(sandbox_child_setup(&child, &failure), set_ups[i].state, "%s",
                     set_ups[i].rule);
        if (set_ups[i].state >= SANDBOX_SETUP_REFUSED) {
            cr_expect_str_eq(failure.step, set_ups[i].step ? set_ups[i].step : "set-up");
            cr_expect_eq(failure.error, set_ups[i].error, "%s", set_ups[i].rule);
        }
        close(child.setup_fd);
        kernel_free_child(&child);
    }
}

/* ---- stops ---- */

/*
 * What the kernel says at each look at a stopped child: "s" it has stopped, "c" it was continued,
 * "r" its processor time has grown, "." nothing. At "|" the arena resumes it and stops it again.
 */
static const struct {
    const char *rule, *looks;
    bool ran;
} stop_rows[] = {
    {"stops at once", "s...........", false},
    {"stops late", "...........s....", false},
    {"is asked again before it stops", "", false},
    {"one core was away and is counted when it comes back", ".s..r.....", false},
    {"each of two cores was away", ".r.r.s....", false},
    {"stops after work in the kernel", "rrrs......", false},
    {"was continued", "s....c", true},
    {"was continued before it stopped", "c", true},
    {"was continued and stopped again", "s....s", true},
    {"was continued before it stopped, and goes on", "rrrrrrrrrrrrrr", true},
    {"is continued again and again", ".r..r..r..r..r..r..r..r..r..r..r", true},
    {"goes on for a look in each stop", ".r|.r|.r|.r|.r|.r|.r|.r|.r|.r|.r", true},
    {"a core is away in every second stop", ".r||.r||.r||.r||.r||.r||.r||.r||.r||.r||.r", false},
};

Test(child, ran_while_it_was_stopped)
{
    for (size_t i = 0; i < sizeof stop_rows / sizeof *stop_rows; i++) {
        struct sandbox_child child = kernel_make_child();

        kernel.report = CLD_CONTINUED; /* of the last resumption */
        child.layers = SANDBOX_LAYER_CGROUP_MEMORY;
        cr_expect_eq(sandbox_child_freeze(&child, true), 0);
        kernel.now_us += LOOK_US;
        sandbox_child_watch(&child);
        for (const char *look = stop_rows[i].looks; *look; look++) {
            if (*look == '|') {
                sandbox_child_freeze(&child, false);
                kernel.report = CLD_CONTINUED;
                sandbox_child_freeze(&child, true);
            }
            kernel.now_us += LOOK_US;
            kernel.cpu_us += *look == 'r' ? LOOK_US / 2 : 0;
            kernel.report = *look == 's' ? CLD_STOPPED : *look == 'c' ? CLD_CONTINUED : 0;
            sandbox_child_watch(&child);
        }
        cr_expect_eq(sandbox_child_freeze(&child, false), stop_rows[i].ran ? -EBUSY : 0, "%s",
                     stop_rows[i].rule);
        kernel.cpu_us += 100 * LOOK_US; /* a child that runs may use processor time */
        cr_expect_eq(sandbox_child_freeze(&child, true), stop_rows[i].ran ? -EBUSY : 0, "%s",
                     stop_rows[i].rule);
        kernel_free_child(&child);
    }
}

/* A process that has ended, but that nobody has taken. */
static pid_t make_dead(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    cr_assert_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    return pid;
}

/* The kernel counts what it takes to free the memory of a killed process as the process's time. */
Test(child, that_is_exiting_does_not_run_while_it_is_stopped)
{
    struct sandbox_child child = kernel_make_child();

    child.layers = SANDBOX_LAYER_CGROUP_MEMORY;
    child.pid = kernel.pid = make_dead();
    cr_expect_eq(sandbox_child_freeze(&child, true), 0);
    for (int look = 0; look < 100; look++) {
        kernel.now_us += LOOK_US;
        kernel.cpu_us += LOOK_US;
        sandbox_child_watch(&child);
    }
    cr_expect_eq(sandbox_child_freeze(&child, false), 0);
    waitpid(child.pid, NULL, 0);
    kernel_free_child(&child);
}

/* ---- ends ---- */

static const struct {
    const char *rule;
    enum kill_cause cause;
    int signal;
    int64_t cpu_s, used_us;
    enum sandbox_end end;
} end_rows[] = {
    {"a fault", KILL_CAUSE_NONE, SIGSEGV, 0, 0, SANDBOX_END_SIGNALED},
    {"a fault after half its time", KILL_CAUSE_NONE, SIGSEGV, LIMIT_S, SPENT_US,
     SANDBOX_END_SIGNALED},
    {"a fault as the arena kills it", KILL_CAUSE_ARENA, SIGSEGV, 0, 0, SANDBOX_END_SIGNALED},
    {"killed by itself", KILL_CAUSE_NONE, SIGKILL, 0, SPENT_US, SANDBOX_END_SIGNALED},
    {"killed by the kernel at its limit", KILL_CAUSE_NONE, SIGKILL, LIMIT_S, HALF_US,
     SANDBOX_END_CPU},
    {"killed by itself before", KILL_CAUSE_NONE, SIGKILL, LIMIT_S, HALF_US - 1,
     SANDBOX_END_SIGNALED},
    {"told that its time is over", KILL_CAUSE_NONE, SIGXCPU, LIMIT_S, HALF_US, SANDBOX_END_CPU},
    {"the same signal by itself before", KILL_CAUSE_NONE, SIGXCPU, LIMIT_S, HALF_US - 1,
     SANDBOX_END_SIGNALED},
    {"the same signal without a limit", KILL_CAUSE_NONE, SIGXCPU, 0, 0, SANDBOX_END_SIGNALED},
    {"a call of another architecture", KILL_CAUSE_NONE, SIGSYS, 0, 0, SANDBOX_END_FORBIDDEN},
    {"killed by the arena", KILL_CAUSE_ARENA, SIGKILL, 0, 0, SANDBOX_END_KILLED},
    {"killed by the arena before its limit", KILL_CAUSE_ARENA, SIGKILL, LIMIT_S, SPENT_US - 1,
     SANDBOX_END_KILLED},
    {"killed by the arena at its limit", KILL_CAUSE_ARENA, SIGKILL, LIMIT_S, SPENT_US,
     SANDBOX_END_CPU},
    {"a forbidden call", KILL_CAUSE_FORBIDDEN, SIGKILL, LIMIT_S, SPENT_US, SANDBOX_END_FORBIDDEN},
    {"a forbidden call, whatever the signal", KILL_CAUSE_FORBIDDEN, SIGSEGV, 0, 0,
     SANDBOX_END_FORBIDDEN},
    {"over its memory", KILL_CAUSE_MEMORY, SIGKILL, 0, 0, SANDBOX_END_MEMORY},
    {"a fault over its memory", KILL_CAUSE_MEMORY, SIGBUS, 0, 0, SANDBOX_END_SIGNALED},
};

Test(ends, of_each_kind)
{
    for (size_t i = 0; i < sizeof end_rows / sizeof *end_rows; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_verdict verdict = {0};

        child.private->kill_cause = end_rows[i].cause;
        child.private->limits.cpu_s = end_rows[i].cpu_s;
        child.private->memory_peak_bytes = 12345;
        cr_expect_not(sandbox_child_reap(&child, &verdict), "it lives");
        kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_KILLED};
        kernel.end.si_status = end_rows[i].signal;
        kernel.user_us = end_rows[i].used_us / 4;
        kernel.system_us = end_rows[i].used_us - kernel.user_us;
        cr_assert(sandbox_child_reap(&child, &verdict));
        cr_expect_eq(verdict.end, end_rows[i].end, "%s: %d", end_rows[i].rule, (int)verdict.end);
        cr_expect_eq(verdict.signal, end_rows[i].signal, "%s", end_rows[i].rule);
        cr_expect_eq(verdict.cpu_us, end_rows[i].used_us, "%s", end_rows[i].rule);
        cr_expect_eq(verdict.memory_peak_bytes, 12345);
        cr_expect_eq(verdict.memory_limit_bytes, 1 << 20);
        cr_expect_eq(verdict.status, 0);
        cr_expect_str_eq(kernel.said, "", "somebody is killed: %s", kernel.said);
        kernel.end.si_pid = 0;
        cr_expect(sandbox_child_reap(&child, &verdict), "it is judged once");
        cr_expect_eq(verdict.end, end_rows[i].end);
        cr_expect_eq(sandbox_child_cpu_us(&child), end_rows[i].used_us);
        cr_expect_not(sandbox_child_watch(&child), "nobody looks at one that is judged");
        sandbox_child_kill(&child);
        cr_expect_str_eq(kernel.said, "", "nor kills it");
        kernel_free_child(&child);
    }
}

/*
 * The counter of the arena's own group, for children without a group of their own. Where the
 * counter is silent, SIGKILL is the child's own.
 */
static const struct {
    const char *rule;
    const char *events; /* after the start; before it: 2 kills */
    enum kill_cause cause;
    int signal;
    enum sandbox_end end;
    int own_kill_count;
} oom_rows[] = {
    {"killed by the kernel", "oom_kill 3\n", KILL_CAUSE_NONE, SIGKILL, SANDBOX_END_STARVED},
    {"killed by itself", "oom_kill 2\n", KILL_CAUSE_NONE, SIGKILL, SANDBOX_END_SIGNALED},
    {"a fault, while another was killed", "oom_kill 3\n", KILL_CAUSE_NONE, SIGSEGV,
     SANDBOX_END_SIGNALED},
    {"over its own limit", "oom_kill 3\n", KILL_CAUSE_MEMORY, SIGKILL, SANDBOX_END_MEMORY},
    {"killed by the arena", "oom_kill 3\n", KILL_CAUSE_ARENA, SIGKILL, SANDBOX_END_KILLED},
    {"by a call of its own, perhaps", "oom_kill 3\n", KILL_CAUSE_NONE, SIGKILL,
     SANDBOX_END_SIGNALED, 1},
};

Test(ends, killed_for_the_memory_of_others_it_is_not_at_fault)
{
    for (size_t i = 0; i < sizeof oom_rows / sizeof *oom_rows; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_verdict verdict = {0};
        int fd = memfd_create("events", MFD_CLOEXEC);

        child.private->sandbox->home.events_fd = fd;
        child.private->home_oom_kill_count = 2;
        child.private->kill_cause = oom_rows[i].cause;
        child.private->own_kill_count = oom_rows[i].own_kill_count;
        cr_assert_eq(write(fd, oom_rows[i].events, strlen(oom_rows[i].events)),
                     (ssize_t)strlen(oom_rows[i].events));
        kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_KILLED};
        kernel.end.si_status = oom_rows[i].signal;
        cr_assert(sandbox_child_reap(&child, &verdict));
        cr_expect_eq(verdict.end, oom_rows[i].end, "%s: %d", oom_rows[i].rule, (int)verdict.end);
        close(fd);
        kernel_free_child(&child);
    }
}

/* Such a bot may hold little memory: its author must read what there was too much of. */
Test(ends, too_many_threads_are_named)
{
    for (int allowed = 0; allowed < 2; allowed++) {
        struct sandbox_child child = kernel_make_child();

        child.pid = getpid();
        kernel.pid = child.pid;
        child.private->is_lowered = true;
        child.private->threads_watched = true;
        child.private->limits.memory_bytes = INT64_MAX;
        child.private->limits.thread_count = allowed ? 1000 : 0;
        cr_expect_eq(sandbox_child_watch(&child), allowed == 0);
        cr_expect_eq(child.exhausted && strstr(child.exhausted, "threads"), allowed == 0);
        kernel_free_child(&child);
    }
}

Test(ends, with_its_keeper_it_is_not_at_fault)
{
    pid_t dead = make_dead();

    for (int is_leaving = 0; is_leaving < 2; is_leaving++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_verdict verdict;

        child.private->keeper_pid = is_leaving ? dead : getpid();
        kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_KILLED};
        kernel.end.si_status = SIGKILL;
        cr_assert(sandbox_child_reap(&child, &verdict));
        cr_expect_eq(verdict.end, is_leaving ? SANDBOX_END_KEEPER : SANDBOX_END_SIGNALED);
        kernel_free_child(&child);
    }
    waitpid(dead, NULL, 0);
}

static void await_all(void)
{
    process_jobs_await(death_now_us() + PATIENCE_US);
}

/* ---- answers ---- */

static struct seccomp_notif ask(uint64_t address)
{
    return (struct seccomp_notif){
        .id = 5, .pid = (uint32_t)getpid(), .data = {.nr = SCMP_SYS(sysinfo), .args = {address}}};
}

Test(aside, as_many_calls_wait_as_there_is_room_for)
{
    static pthread_mutex_t until = PTHREAD_MUTEX_INITIALIZER;
    struct answerer *answerer;
    struct seccomp_notif call;
    struct sysinfo told;
    int fd = eventfd(0, EFD_CLOEXEC);

    kernel = (struct kernel){.until = &until};
    answerer = answerer_create(fd, 1);
    call = ask((uintptr_t)&told);
    pthread_mutex_lock(&until);
    cr_expect(answer_sysinfo(answerer, fd, &call));
    for (int i = 0; i < 20000 && atomic_load(&kernel.sent_count) == 0; i++)
        usleep(1000);
    for (int i = 0; i < WAITING_MAX; i++)
        cr_expect(answer_sysinfo(answerer, fd, &call), "%d", i);
    cr_expect_not(answer_sysinfo(answerer, fd, &call));
    pthread_mutex_unlock(&until);
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 1);
    cr_expect(answer_sysinfo(answerer, fd, &call), "there is room again");
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 2);

    pthread_mutex_lock(&until); /* the child ends while many wait */
    for (int i = 0; i < 9; i++)
        answer_sysinfo(answerer, fd, &call);
    for (int i = 0; i < 20000 && atomic_load(&kernel.sent_count) == WAITING_MAX + 2; i++)
        usleep(1000);
    answerer_destroy(answerer);
    pthread_mutex_unlock(&until);
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 3, "nobody hears the others");
    close(fd);
}

/* ---- looks ---- */

/* A folder in place of /proc whose only process is told by a pipe without a writer. */
static void make_hanging(char *folder, char *pipe, size_t room)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(pipe, room, "%s/2", folder);
    cr_assert_eq(mkdir(pipe, 0700), 0);
    snprintf(pipe, room, "%s/2/stat", folder);
    cr_assert_eq(mkfifo(pipe, 0600), 0);
}

/* Late, it is what the child has made of its processes; what a look finds is judged. */
/* Lets the scan that hangs at the pipe go on; frees the child, and removes the folder. */
static void end_stalled(struct sandbox_child *child, const char *folder, const char *pipe)
{
    int fd = open(pipe, O_WRONLY | O_CLOEXEC);
    char removal[64];

    process_scan_forget(child->private->scan);
    close(fd);
    kernel.now_us = 0;
    await_all();
    close(child->private->proc_fd);
    kernel_free_child(child);
    snprintf(removal, sizeof removal, "rm -r %s", folder);
    cr_expect_eq(system(removal), 0);
}

Test(aside, a_child_at_which_nobody_can_look_is_killed)
{
    char folder[] = "/tmp/look-XXXXXX", pipe[64];
    struct sandbox_child child = kernel_make_child();

    make_hanging(folder, pipe, sizeof pipe);
    child.private->proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    child.layers = SANDBOX_LAYER_CGROUP_MEMORY;
    cr_expect_not(sandbox_child_watch(&child));
    cr_expect_null(child.private->scan, "its group counts");
    child.layers = 0;
    cr_expect_not(sandbox_child_watch(&child));
    cr_expect_not_null(child.private->scan);
    kernel.now_us += (int64_t)PROCESS_SCAN_MS * 1000;
    cr_expect_not(sandbox_child_watch(&child));
    kernel.now_us++;
    cr_expect(sandbox_child_watch(&child));
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_MEMORY);
    cr_expect_str_eq(kernel.said, "signal 9 to 500; ");
    end_stalled(&child, folder, pipe);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "%s/2/%s", folder, name);
    file = fopen(path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/*
 * A child stalls the count of its shared pages, and its processes seem to have too much memory: it
 * is killed as soon as the machine has lost that much.
 */
Test(aside, a_child_that_stalls_a_count_is_killed_once_the_machine_has_lost_its_memory)
{
    char folder[] = "/tmp/look-XXXXXX", path[64];
    struct sandbox_child child = kernel_make_child();
    bool killed = false;

    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/2", folder);
    cr_assert_eq(mkdir(path, 0700), 0);
    put(folder, "stat", "");
    put(folder, "status", "Name:\tx\nRssAnon:\t2048 kB\n");
    snprintf(path, sizeof path, "%s/2/smaps_rollup", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    child.private->proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    child.private->available_bytes = INT64_MAX / 2;
    cr_expect_not(sandbox_child_watch(&child));
    kernel.now_us += (int64_t)PROCESS_SHARES_MS * 1000;
    usleep(100000); /* until the count is stalled, or the next lines prove less */
    cr_expect_not(sandbox_child_watch(&child), "too early");
    kernel.now_us++;
    child.private->available_bytes = 0; /* the machine has more now than at the start */
    cr_expect_not(sandbox_child_watch(&child));
    child.private->available_bytes = INT64_MAX / 2;
    for (int i = 0; i < 60000 && !killed; i++) {
        killed = sandbox_child_watch(&child);
        usleep(1000);
    }
    cr_expect(killed);
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_MEMORY);
    end_stalled(&child, folder, path);
}
