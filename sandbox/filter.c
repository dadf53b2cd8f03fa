#include "sandbox/filter.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "sandbox/filter_export.h"
#include "sandbox/filter_rules.h"

/* Older kernel headers lack these. */
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

enum {
    NAMESPACE_FLAGS = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                      CLONE_NEWPID | CLONE_NEWNET,
    THREAD_FLAGS = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
    SIGNAL_BITS = 127, /* the kernel has no signal above 64 */
};

void filter_add(struct filter_building *building, uint32_t action, int number, unsigned test_count,
                const struct scmp_arg_cmp *tests)
{
    int result;

    if (building->error || number < 0)
        return;
    if (building->variant->trace && action != SCMP_ACT_ALLOW && action != SCMP_ACT_ERRNO(0))
        action = SCMP_ACT_NOTIFY;
    result = seccomp_rule_add_array(building->context, action, number, test_count, tests);
    /* -EACCES: the rule equals the default action, which applies anyway. */
    if (result < 0 && result != -EACCES)
        building->error = result;
}

void filter_add_if(struct filter_building *building, uint32_t action, int number,
                   const struct scmp_arg_cmp test)
{
    filter_add(building, action, number, 1, &test);
}

void filter_add_values(struct filter_building *building, int number, unsigned argument,
                       const uint32_t *values, size_t count)
{
    /* The kernel reads only the low 32 bits, so the filter must ignore the high ones. */
    for (size_t i = 0; i < count; i++)
        filter_add_if(building, SCMP_ACT_ALLOW, number,
                      SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, 0xffffffff, values[i]));
}

/*
 * Allows clone for threads, which share everything, and for processes; never with a namespace, a
 * traced child, or CLONE_PARENT: the child's parent would be the arena, which would not reap it.
 */
static void add_clone(struct filter_building *building)
{
    const uint32_t never = NAMESPACE_FLAGS | CLONE_PTRACE | CLONE_PARENT;
    const uint32_t waiting = CLONE_VFORK | CLONE_VM | CLONE_THREAD;

    if (!building->variant->processes) {
        filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(clone),
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, never | THREAD_FLAGS, THREAD_FLAGS));
        filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
        return;
    }
    /*
     * The exit signal SIGCONT would wake the stopped parent. A vfork parent shares its child's
     * memory; the watch counts it once.
     */
    for (int i = 0; i < 2; i++) {
        const uint32_t end = i == 0 ? 0 : SIGCHLD;

        filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(clone),
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, never | CLONE_VFORK | CSIGNAL, end));
        filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(clone),
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, never | waiting | CSIGNAL,
                                 CLONE_VFORK | CLONE_VM | end));
    }
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
                  SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, CLONE_VFORK | CLONE_VM, CLONE_VFORK));
    filter_add_if(
        building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
        SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, CLONE_VFORK | CLONE_THREAD, CLONE_VFORK | CLONE_THREAD));
    for (uint32_t bit = 1; bit; bit <<= 1)
        if (never & bit)
            filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
                          SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, bit, bit));
}

/* Refuses mappings that RLIMIT_DATA does not count: it counts private writable mappings only. */
static void add_mmap(struct filter_building *building)
{
    const uint32_t shared_anonymous = MAP_SHARED | MAP_ANONYMOUS;

    if (building->variant->memory_cgroup) {
        filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 0, NULL);
        return;
    }
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(mmap),
                  SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN | MAP_SHARED, 0));
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(mmap),
                  SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN | MAP_ANONYMOUS, 0));
    filter_add_if(building, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap),
                  SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, shared_anonymous, shared_anonymous));
    filter_add_if(building, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap),
                  SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN, MAP_GROWSDOWN));
}

/*
 * Without a scratch, refuses to open files for writing, even where mode and mount would allow it.
 */
static void add_open(struct filter_building *building, int number, unsigned argument)
{
    const uint32_t writing =
        O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

    if (building->variant->writable) {
        filter_add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    filter_add_if(building, SCMP_ACT_ALLOW, number,
                  SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, writing, 0));
    filter_add_if(building, SCMP_ACT_ERRNO(EROFS), number,
                  SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, O_WRONLY, O_WRONLY));
    filter_add_if(building, SCMP_ACT_ERRNO(EROFS), number,
                  SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, O_RDWR, O_RDWR));
    filter_add_if(building, SCMP_ACT_ERRNO(EROFS), number,
                  SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT));
}

static void add_fcntl(struct filter_building *building)
{
    static const uint32_t reading[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,
                                       F_GETFL, F_SETFL,         F_GETPIPE_SZ};
    /*
     * Commands that query locks (F_GETLK) are left out: two children could signal to each other
     * through locks on a file of the system. Such files are read-only, so a child can set only
     * shared locks there, and those do not keep others from setting theirs.
     */
    static const uint32_t locks[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};

    FILTER_ADD_VALUES(building, SCMP_SYS(fcntl), 1, reading);
    if (building->variant->build)
        FILTER_ADD_VALUES(building, SCMP_SYS(fcntl), 1, locks);
}

/* Refuses SIGCONT, which would wake a bot that --freeze has stopped. */
static void add_signals(struct filter_building *building)
{
    static const int numbers[] = {SCMP_SYS(kill), SCMP_SYS(tgkill)};

    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct scmp_arg_cmp is_own = SCMP_CMP64(0, SCMP_CMP_EQ, FILTER_PID_PLACEHOLDER);

        if (building->variant->build) {
            filter_add(building, SCMP_ACT_ALLOW, numbers[i], 0, NULL);
            continue;
        }
        filter_add_if(building, SCMP_ACT_ERRNO(EPERM), numbers[i],
                      SCMP_CMP64(i + 1, SCMP_CMP_MASKED_EQ, SIGNAL_BITS, SIGCONT));
        if (!building->variant->pid_namespace)
            filter_add_if(building, SCMP_ACT_ERRNO(EPERM), numbers[i],
                          SCMP_CMP64(0, SCMP_CMP_NE, FILTER_PID_PLACEHOLDER));
        /* A signal other than SIGCONT differs from it in at least one bit. */
        for (uint32_t bit = 1; bit & SIGNAL_BITS; bit <<= 1) {
            const struct scmp_arg_cmp other =
                SCMP_CMP64(i + 1, SCMP_CMP_MASKED_EQ, bit, ~(uint32_t)SIGCONT & bit);

            if (building->variant->pid_namespace)
                filter_add_if(building, SCMP_ACT_ALLOW, numbers[i], other);
            else
                filter_add(building, SCMP_ACT_ALLOW, numbers[i], 2,
                           (const struct scmp_arg_cmp[]){is_own, other});
        }
    }
}

/*
 * Waking a shared futex reaches every process that waits on the same page of a file, so only builds
 * may do it. Waiting on a shared futex is allowed: pthread_join waits in this way for the kernel's
 * wake-up at the end of a thread.
 */
static void add_futex(struct filter_building *building)
{
    const uint32_t command = 0xffffffff & ~(uint32_t)FUTEX_CLOCK_REALTIME;

    if (building->variant->build) {
        filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(futex), 0, NULL);
        return;
    }
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(futex),
                  SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, FUTEX_PRIVATE_FLAG, FUTEX_PRIVATE_FLAG));
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(futex),
                  SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, command, FUTEX_WAIT));
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(futex),
                  SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, command, FUTEX_WAIT_BITSET));
    for (uint32_t shared = FUTEX_WAKE; shared <= FUTEX_LOCK_PI2; shared++)
        if (shared != FUTEX_WAIT_BITSET)
            filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(futex),
                          SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, command, shared));
}

/*
 * Allows advice about the child's own memory; advice that would move file pages in or out of the
 * page cache is ignored.
 */
static void add_madvise(struct filter_building *building)
{
    static const uint32_t own[] = {
        MADV_NORMAL,   MADV_RANDOM,     MADV_SEQUENTIAL, MADV_DONTNEED,   MADV_FREE,
        MADV_DONTFORK, MADV_DOFORK,     MADV_HUGEPAGE,   MADV_NOHUGEPAGE, MADV_DONTDUMP,
        MADV_DODUMP,   MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_UNMERGEABLE};
    static const uint32_t ignored[] = {MADV_WILLNEED, MADV_COLD, MADV_PAGEOUT, MADV_MERGEABLE};
    static const uint32_t unknown[] = {MADV_REMOVE, MADV_POPULATE_READ, MADV_POPULATE_WRITE};

    FILTER_ADD_VALUES(building, SCMP_SYS(madvise), 2, own);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        filter_add_if(building, SCMP_ACT_ERRNO(0), SCMP_SYS(madvise),
                      SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, 0xffffffff, ignored[i]));
    /* EINVAL, as older kernels return. */
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        filter_add_if(building, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(madvise),
                      SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, 0xffffffff, unknown[i]));
}

/*
 * A timer without a sigevent sends SIGALRM. The filter cannot read a sigevent, which is in memory:
 * it could request SIGCONT, which wakes a stopped bot. glibc turns NULL into a sigevent, so its
 * timer_create() fails in any case; musl's passes NULL on.
 */
static void add_timers(struct filter_building *building)
{
    const struct scmp_arg_cmp no_event = SCMP_CMP64(1, SCMP_CMP_EQ, 0);
    const int number = SCMP_SYS(timer_create);

    if (building->variant->build) {
        filter_add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), number, SCMP_CMP64(1, SCMP_CMP_NE, 0));
    if (building->variant->pid_namespace) {
        filter_add_if(building, SCMP_ACT_ALLOW, number, no_event);
        return;
    }
    filter_add(
        building, SCMP_ACT_ALLOW, number, 2,
        (const struct scmp_arg_cmp[]){no_event, SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0x80000000, 0)});
    filter_add(building, SCMP_ACT_ALLOW, number, 2,
               (const struct scmp_arg_cmp[]){
                   no_event, SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0xfffffff8, 0xfffffff8)});
}

/*
 * A negative clock id names the CPU clock of the process whose PID it encodes, and the kernel
 * checks no permission. Where other PIDs are visible, only PID 0 (the caller) is allowed.
 */
static void add_clocks(struct filter_building *building)
{
    static const int numbers[] = {SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
                                  SCMP_SYS(clock_nanosleep)};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (building->variant->pid_namespace) {
            filter_add(building, SCMP_ACT_ALLOW, numbers[i], 0, NULL);
            continue;
        }
        filter_add_if(building, SCMP_ACT_ALLOW, numbers[i],
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0x80000000, 0));
        filter_add_if(building, SCMP_ACT_ALLOW, numbers[i],
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0xfffffff8, 0xfffffff8));
    }
}

/*
 * With a core limit of 1 the kernel pipes no core dump to a program; with 0 it does. A program that
 * sets 0 wants no core dump: it gets success, and the limit stays.
 */
static void add_limits(struct filter_building *building)
{
    const struct scmp_arg_cmp is_own = SCMP_CMP64(0, SCMP_CMP_EQ, 0);

    filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
               (const struct scmp_arg_cmp[]){is_own, SCMP_CMP64(2, SCMP_CMP_EQ, 0)});
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64),
                  SCMP_CMP64(0, SCMP_CMP_NE, 0));
    for (uint32_t resource = 0; resource < RLIM_NLIMITS; resource++) {
        const uint32_t action = resource == RLIMIT_CORE ? SCMP_ACT_ERRNO(0) : SCMP_ACT_ALLOW;

        filter_add(building, action, SCMP_SYS(prlimit64), 3,
                   (const struct scmp_arg_cmp[]){
                       is_own, SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, 0xffffffff, resource),
                       SCMP_CMP64(2, SCMP_CMP_NE, 0)});
        filter_add_if(building, action, SCMP_SYS(setrlimit),
                      SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0xffffffff, resource));
    }
}

/* Adds the calls that are allowed only with some arguments. */
static void add_tested(struct filter_building *building)
{
    static const uint32_t ioctls[] = {TCGETS,  TCGETS2,  TIOCGWINSZ, TIOCGPGRP,
                                      FIOCLEX, FIONCLEX, FIONBIO,    FIONREAD};
    static const uint32_t prctls[] = {PR_SET_NAME,         PR_GET_NAME,         PR_GET_DUMPABLE,
                                      PR_SET_VMA,          PR_SET_THP_DISABLE,  PR_GET_THP_DISABLE,
                                      PR_GET_NO_NEW_PRIVS, PR_SET_NO_NEW_PRIVS, PR_SET_TIMERSLACK,
                                      PR_GET_TIMERSLACK,   PR_CAPBSET_READ,     PR_GET_SECCOMP,
                                      PR_GET_PDEATHSIG};

    add_open(building, SCMP_SYS(open), 1);
    add_open(building, SCMP_SYS(openat), 2);
    add_fcntl(building);
    FILTER_ADD_VALUES(building, SCMP_SYS(ioctl), 1, ioctls);
    add_mmap(building);
    add_clone(building);
    FILTER_ADD_VALUES(building, SCMP_SYS(prctl), 0, prctls);
    add_limits(building);
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(personality),
                  SCMP_CMP64(0, SCMP_CMP_EQ, 0xffffffff));
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(personality),
                  SCMP_CMP64(0, SCMP_CMP_NE, 0xffffffff));
    add_futex(building);
    add_madvise(building);
    add_signals(building);
    add_clocks(building);
    add_timers(building);
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(sched_setscheduler),
                  SCMP_CMP64(1, SCMP_CMP_EQ, SCHED_OTHER));
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setscheduler),
                  SCMP_CMP64(1, SCMP_CMP_NE, SCHED_OTHER));
    filter_add_if(building, SCMP_ACT_ERRNO(0), SCMP_SYS(setgroups), SCMP_CMP64(0, SCMP_CMP_EQ, 0));
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setgroups),
                  SCMP_CMP64(0, SCMP_CMP_NE, 0));
    filter_add_sockets(building);
}

static uint32_t table_action(const struct filter_variant *variant, enum call_ruling ruling)
{
    switch (ruling) {
    case CALL_ALLOWED:
        return SCMP_ACT_ALLOW;
    case CALL_WRITES:
        return variant->writable ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_PROCESSES:
        return variant->processes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_BUILDS:
        return variant->build ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_LOCKS:
        return variant->build && variant->notify ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM);
    case CALL_IGNORED:
        return SCMP_ACT_ERRNO(0);
    case CALL_UNSUPPORTED:
        return SCMP_ACT_ERRNO(EOPNOTSUPP);
    case CALL_ANSWERED:
        return variant->notify ? SCMP_ACT_NOTIFY : SCMP_ACT_ALLOW;
    case CALL_FORBIDDEN:
        return variant->notify ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS;
    case CALL_TESTED:
    case CALL_LOOPBACK: /* filter_add_sockets allows some */
    case CALL_REFUSED:
        break;
    }
    return SCMP_ACT_ERRNO(EPERM);
}

static void add_table(struct filter_building *building)
{
    size_t count;
    const struct call *calls = call_table(&count);

    for (size_t i = 0; i < count; i++)
        if (calls[i].ruling != CALL_TESTED &&
            !(calls[i].ruling == CALL_LOOPBACK && building->variant->loopback))
            filter_add(building, table_action(building->variant, calls[i].ruling), calls[i].number,
                       0, NULL);
    add_tested(building);
}

int filter_build(struct filter *filter, const struct filter_variant *variant)
{
    struct filter_building building = {
        .context = seccomp_init(variant->trace ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(ENOSYS)),
        .variant = variant,
    };
    int result;

    memset(filter, 0, sizeof *filter);
    if (!building.context)
        return -ENOMEM;
    result = seccomp_attr_set(building.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) /* a binary tree: halves the time per call, and the load takes a third */
        result = seccomp_attr_set(building.context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (result == 0) {
        add_table(&building);
        result = building.error;
    }
    if (result == 0)
        result = filter_export(filter, building.context);
    seccomp_release(building.context);
    if (result < 0)
        filter_finish(filter);
    return result;
}

void filter_finish(struct filter *filter)
{
    free(filter->code);
    memset(filter, 0, sizeof *filter);
}

void filter_set_pid(struct filter *filter, pid_t pid)
{
    for (int i = 0; i < filter->pid_place_count; i++)
        filter->code[filter->pid_places[i]].k = (uint32_t)pid;
}

int filter_refusal_errno(int number)
{
    static const int without_else[] = {SCMP_SYS(fcntl), SCMP_SYS(ioctl), SCMP_SYS(prctl),
                                       SCMP_SYS(clock_gettime)};
    const struct call *call = call_find(number);

    if (number == SCMP_SYS(open) || number == SCMP_SYS(openat))
        return EROFS;
    if (number == SCMP_SYS(mmap))
        return ENOMEM;
    if (number == SCMP_SYS(madvise))
        return EINVAL;
    for (size_t i = 0; i < sizeof without_else / sizeof *without_else; i++)
        if (number == without_else[i])
            return ENOSYS;
    if (call && call->ruling == CALL_UNSUPPORTED)
        return EOPNOTSUPP;
    return call ? EPERM : ENOSYS;
}
