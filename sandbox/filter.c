/* SPDX-License-Identifier: MIT */
#include "sandbox/filter.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "sandbox/program.h"

/* Older kernel headers lack these constants. */
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
    /* stands for the child's PID in the code until filter_set_pid; larger than every PID */
    PID_PLACEHOLDER = 0x7fb07e57,
    SIGNAL_BITS = 127, /* bits of a signal's number: the largest is 64 */
};

/* A filter under construction. error is the -errno of the first rule that failed, or 0. */
struct building {
    scmp_filter_ctx context;
    unsigned variant;
    int error;
};

/*
 * Adds a rule for calls whose arguments pass all tests. Ignores a negative number: the call does
 * not exist on this architecture.
 */
static void add(struct building *building, uint32_t action, int number, unsigned test_count,
                const struct scmp_arg_cmp *tests)
{
    int result;

    if (building->error || number < 0)
        return;
    if (building->variant & FILTER_TRACE && action != SCMP_ACT_ALLOW && action != SCMP_ACT_ERRNO(0))
        action = SCMP_ACT_NOTIFY;
    result = seccomp_rule_add_array(building->context, action, number, test_count, tests);
    /* -EACCES: the filter needs no rule that repeats the default action. */
    if (result < 0 && result != -EACCES)
        building->error = result;
}

/* Adds a rule for a call whose arguments pass all the tests that follow the number. */
#define RULE(building, action, number, ...)                                                        \
    add(building, action, number,                                                                  \
        sizeof((struct scmp_arg_cmp[]){__VA_ARGS__}) / sizeof(struct scmp_arg_cmp),                \
        (const struct scmp_arg_cmp[]){__VA_ARGS__})
#define ALLOW(building, number, ...)  RULE(building, SCMP_ACT_ALLOW, number, __VA_ARGS__)
#define REFUSE(building, number, ...) RULE(building, SCMP_ACT_ERRNO(EPERM), number, __VA_ARGS__)

/*
 * Tests of an argument: IS all 64 bits, IS_LOW the low 32 bits (many calls read no more), the
 * others some bits.
 */
#define IS(argument, value)         SCMP_CMP64(argument, SCMP_CMP_EQ, value)
#define IS_NOT(argument, value)     SCMP_CMP64(argument, SCMP_CMP_NE, value)
#define IS_LOW(argument, value)     BITS(argument, 0xffffffff, value)
#define BITS(argument, mask, value) SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value)

/*
 * Adds a rule for each of several values of an argument. The call reads only the low 32 bits of
 * this argument.
 */
static void add_values(struct building *building, uint32_t action, int number, unsigned argument,
                       const uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        RULE(building, action, number, IS_LOW(argument, values[i]));
}

#define VALUES(building, action, number, argument, ...)                                            \
    add_values(building, action, number, argument, (const uint32_t[]){__VA_ARGS__},                \
               sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/*
 * Allows clone for threads and, if the child may have several, for processes. Never allows a new
 * namespace, CLONE_PTRACE, CLONE_PARENT (the new process would be a child of the arena, which does
 * not reap it) or CLONE_PIDFD (the kernel numbers the pidfds of the whole machine, so that their
 * numbers would tell one bot what another does).
 */
static void add_clone(struct building *building)
{
    const uint32_t never = NAMESPACE_FLAGS | CLONE_PTRACE | CLONE_PARENT | CLONE_PIDFD;
    const uint32_t waiting = CLONE_VFORK | CLONE_VM | CLONE_THREAD;
    const int number = SCMP_SYS(clone);

    if (!(building->variant & FILTER_PROCESSES)) {
        ALLOW(building, number, BITS(0, never | THREAD_FLAGS, THREAD_FLAGS));
        REFUSE(building, number, BITS(0, CLONE_THREAD, 0));
        return;
    }
    /*
     * No exit signal except SIGCHLD: SIGCONT would resume a stopped parent. Only vfork may share
     * memory without CLONE_THREAD, because the memory scan recognizes a parent that waits in vfork
     * and counts the shared memory once.
     */
    for (uint32_t end = 0; end <= SIGCHLD; end += SIGCHLD) {
        ALLOW(building, number, BITS(0, never | CLONE_VFORK | CSIGNAL, end));
        ALLOW(building, number, BITS(0, never | waiting | CSIGNAL, CLONE_VFORK | CLONE_VM | end));
    }
    REFUSE(building, number, BITS(0, CLONE_VFORK | CLONE_VM, CLONE_VFORK));
    REFUSE(building, number, BITS(0, CLONE_VFORK | CLONE_THREAD, CLONE_VFORK | CLONE_THREAD));
    for (uint32_t bit = 1; bit; bit <<= 1)
        if (never & bit)
            REFUSE(building, number, BITS(0, bit, bit));
}

/*
 * Refuses writable mappings that RLIMIT_DATA does not count, unless a control group counts them.
 * Refuses huge pages, which no limit of the child counts and all programs share.
 */
static void add_mmap(struct building *building)
{
    const uint32_t shared_anonymous = MAP_SHARED | MAP_ANONYMOUS,
                   no_memory = SCMP_ACT_ERRNO(ENOMEM);
    const int number = SCMP_SYS(mmap);

    RULE(building, no_memory, number, BITS(3, MAP_HUGETLB, MAP_HUGETLB));
    if (building->variant & FILTER_MEMORY_CGROUP) {
        ALLOW(building, number, BITS(3, MAP_HUGETLB, 0));
        return;
    }
    ALLOW(building, number, BITS(3, MAP_HUGETLB | MAP_GROWSDOWN | MAP_SHARED, 0));
    ALLOW(building, number, BITS(3, MAP_HUGETLB | MAP_GROWSDOWN | MAP_ANONYMOUS, 0));
    RULE(building, no_memory, number, BITS(3, shared_anonymous, shared_anonymous));
    RULE(building, no_memory, number, BITS(3, MAP_GROWSDOWN, MAP_GROWSDOWN));
}

/* Unless the child may write files, refuses to open any file for writing. */
static void add_open(struct building *building, int number, unsigned argument)
{
    const uint32_t writing =
        O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const uint32_t read_only = SCMP_ACT_ERRNO(EROFS);

    if (building->variant & FILTER_WRITABLE) {
        add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    ALLOW(building, number, BITS(argument, writing, 0));
    RULE(building, read_only, number, BITS(argument, O_WRONLY, O_WRONLY));
    RULE(building, read_only, number, BITS(argument, O_RDWR, O_RDWR));
    RULE(building, read_only, number, BITS(argument, O_CREAT, O_CREAT));
}

/*
 * Lets the arena count the locks of a build (child.c), because no limit of the kernel bounds their
 * memory. Refuses F_GETLK, with which two bots could communicate through locks on a system file.
 * Without F_GETLK they cannot: system files are read-only, so bots can only set shared locks, which
 * no other bot notices.
 */
static void add_fcntl(struct building *building)
{
    const int number = SCMP_SYS(fcntl);

    VALUES(building, SCMP_ACT_ALLOW, number, 1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
           F_SETFL);
    if (building->variant & FILTER_BUILD)
        VALUES(building,
               building->variant & FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM), number,
               1, F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW);
}

/*
 * Lets the arena count the descriptors that a child adds to epoll instances (child.c), because the
 * kernel counts them only for a whole account. RLIMIT_NOFILE does not bound them: an instance takes
 * one file under each number that the file ever has.
 */
static void add_epoll(struct building *building)
{
    const uint32_t adding = building->variant & FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_ALLOW;

    RULE(building, adding, SCMP_SYS(epoll_ctl), IS_LOW(1, EPOLL_CTL_ADD));
    VALUES(building, SCMP_ACT_ALLOW, SCMP_SYS(epoll_ctl), 1, EPOLL_CTL_MOD, EPOLL_CTL_DEL);
}

/*
 * The action for a call with which a bot could end itself by SIGKILL. Where the arena cannot tell
 * such an end from one by the kernel's OOM killer, which is not the bot's fault, the arena must
 * know of the call (child.c); if the kernel reports no calls, the call is refused.
 */
static uint32_t reported(const struct building *building)
{
    if (building->variant & (FILTER_BUILD | FILTER_TRACE))
        return SCMP_ACT_ALLOW;
    return building->variant & FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM);
}

/*
 * Refuses bots SIGCONT, which would resume a bot that the arena has stopped; and negative PIDs,
 * because the duration of kill(-1) tells how many processes the machine has. Reports SIGKILL.
 */
static void add_signals(struct building *building, int number, unsigned signal)
{
    /* Bits that a signal must have so that it is neither SIGCONT (18) nor SIGKILL (9). */
    static const struct {
        uint32_t mask, bits;
    } others[] = {{4, 4}, {32, 32}, {64, 64},    {1 | 8, 1},  {1 | 8, 8},
                  {3, 0}, {3, 3},   {2 | 16, 2}, {2 | 16, 16}};
    const bool sees_own = building->variant & FILTER_PID_NAMESPACE;
    const uint64_t negative = 0x80000000; /* sign of a PID */
    const struct scmp_arg_cmp own = sees_own ? BITS(0, negative, 0) : IS(0, PID_PLACEHOLDER);

    if (building->variant & FILTER_BUILD) {
        add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    REFUSE(building, number, BITS(signal, SIGNAL_BITS, SIGCONT));
    if (!sees_own)
        REFUSE(building, number, IS_NOT(0, PID_PLACEHOLDER));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ALLOW(building, number, own, BITS(signal, others[i].mask, others[i].bits));
    RULE(building, reported(building), number, own, BITS(signal, SIGNAL_BITS, SIGKILL));
    if (sees_own)
        REFUSE(building, number, BITS(0, negative, negative));
}

/*
 * Only builds may wake a shared futex, because the wake-up reaches every process that waits on the
 * same page of a file. Every child may wait on a shared futex, as pthread_join does.
 */
static void add_futex(struct building *building)
{
    const uint32_t command = 0xffffffff & ~(uint32_t)FUTEX_CLOCK_REALTIME;
    const int number = SCMP_SYS(futex);

    if (building->variant & FILTER_BUILD) {
        add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    ALLOW(building, number, BITS(1, FUTEX_PRIVATE_FLAG, FUTEX_PRIVATE_FLAG));
    ALLOW(building, number, BITS(1, command, FUTEX_WAIT));
    ALLOW(building, number, BITS(1, command, FUTEX_WAIT_BITSET));
    for (uint32_t shared = FUTEX_WAKE; shared <= FUTEX_LOCK_PI2; shared++)
        if (shared != FUTEX_WAIT_BITSET)
            REFUSE(building, number, BITS(1, command, shared));
}

/*
 * Allows advice about the child's own memory. Ignores advice that would move file pages into or out
 * of the page cache, which all children share. All other advice fails, as on a kernel that does not
 * know it.
 */
static void add_madvise(struct building *building)
{
    const int number = SCMP_SYS(madvise);

    VALUES(building, SCMP_ACT_ALLOW, number, 2, MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL,
           MADV_DONTNEED, MADV_FREE, MADV_DONTFORK, MADV_DOFORK, MADV_HUGEPAGE, MADV_NOHUGEPAGE,
           MADV_DONTDUMP, MADV_DODUMP, MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_UNMERGEABLE);
    VALUES(building, SCMP_ACT_ERRNO(0), number, 2, MADV_WILLNEED, MADV_COLD, MADV_PAGEOUT,
           MADV_MERGEABLE);
    VALUES(building, SCMP_ACT_ERRNO(EINVAL), number, 2, MADV_REMOVE, MADV_POPULATE_READ,
           MADV_POPULATE_WRITE);
}

/*
 * Allows the commands that order accesses to the child's own memory. Refuses MEMBARRIER_CMD_GLOBAL,
 * which waits for other processors, and MEMBARRIER_CMD_GLOBAL_EXPEDITED, which interrupts other
 * processes. Refused commands fail as on a kernel that does not know them.
 */
static void add_membarrier(struct building *building)
{
    const uint32_t global = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
                            MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;
    const int number = SCMP_SYS(membarrier);

    ALLOW(building, number, BITS(0, global, 0));
    for (uint32_t bit = 1; bit <= global; bit <<= 1)
        if (global & bit)
            RULE(building, SCMP_ACT_ERRNO(EINVAL), number, BITS(0, bit, bit));
}

/*
 * A negative clock ID names the CPU clock of the process whose PID it contains; the kernel checks
 * no permission. Where other PIDs are visible, only PID 0 (the caller) is allowed.
 */
static void add_clocks(struct building *building)
{
    const int numbers[] = {SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
                           SCMP_SYS(clock_nanosleep)};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (building->variant & FILTER_PID_NAMESPACE) {
            add(building, SCMP_ACT_ALLOW, numbers[i], 0, NULL);
            continue;
        }
        ALLOW(building, numbers[i], BITS(0, 0x80000000, 0));
        ALLOW(building, numbers[i], BITS(0, 0xfffffff8, 0xfffffff8));
    }
}

/*
 * Allows bots only timers without a sigevent, which send SIGALRM. A sigevent is in memory, where
 * the filter cannot read it, and could ask for SIGCONT, which resumes a stopped bot. glibc's
 * timer_create() always passes a sigevent and so always fails; musl's works. The allowed clocks are
 * those of add_clocks.
 */
static void add_timers(struct building *building)
{
    const int number = SCMP_SYS(timer_create);

    if (building->variant & FILTER_BUILD) {
        add(building, SCMP_ACT_ALLOW, number, 0, NULL);
        return;
    }
    REFUSE(building, number, IS_NOT(1, 0));
    if (building->variant & FILTER_PID_NAMESPACE) {
        ALLOW(building, number, IS(1, 0));
        return;
    }
    ALLOW(building, number, IS(1, 0), BITS(0, 0x80000000, 0));
    ALLOW(building, number, IS(1, 0), BITS(0, 0xfffffff8, 0xfffffff8));
}

/*
 * Ignores a new core limit, which reports success. The limit stays 1 byte, because at 0 the kernel
 * would pipe core dumps to a program. Reports a new limit of processor time, at which the kernel
 * sends SIGKILL.
 */
static void add_limits(struct building *building)
{
    ALLOW(building, SCMP_SYS(prlimit64), IS(0, 0), IS(2, 0));
    REFUSE(building, SCMP_SYS(prlimit64), IS_NOT(0, 0));
    for (uint32_t resource = 0; resource < RLIM_NLIMITS; resource++) {
        const uint32_t action = resource == RLIMIT_CORE  ? SCMP_ACT_ERRNO(0)
                                : resource == RLIMIT_CPU ? reported(building)
                                                         : SCMP_ACT_ALLOW;

        RULE(building, action, SCMP_SYS(prlimit64), IS(0, 0), IS_LOW(1, resource), IS_NOT(2, 0));
        RULE(building, action, SCMP_SYS(setrlimit), IS_LOW(0, resource));
    }
}

/*
 * ---- What a child may do with sockets. A bot may use only pairs of stream sockets. A build with a
 * network of its own may also use TCP and UDP over IPv4, which Gradle needs for its caches and
 * daemons, but only with the calls and options that programs need, and not to set buffer sizes.
 * ----
 */

/* Older C libraries lack these constants. */
#ifndef TCP_ZEROCOPY_RECEIVE
#define TCP_ZEROCOPY_RECEIVE 35
#endif
#ifndef IP_MULTICAST_ALL
#define IP_MULTICAST_ALL 49
#endif

enum {
    KIND_BITS = 0xf, /* bits of socket()'s argument `type` that are not flags */
};

/*
 * Allows pairs of stream sockets, as two-way pipes: no addresses, no out-of-band bytes. Allows the
 * socket options that runtimes query, but none that returns a number counted for all sockets of the
 * machine (SO_COOKIE) or a descriptor of a process (SO_PEERPIDFD).
 */
static void add_pairs(struct building *building)
{
    /* Calls that send or receive bytes, each with the index of its `flags` argument. */
    const struct {
        int number;
        unsigned flags;
    } moving[] = {{SCMP_SYS(sendto), 3}, {SCMP_SYS(recvfrom), 3}, {SCMP_SYS(recvmsg), 2}};
    static const uint32_t options[] = {SO_REUSEADDR, SO_TYPE,      SO_ERROR,     SO_SNDBUF,
                                       SO_RCVBUF,    SO_KEEPALIVE, SO_LINGER,    SO_RCVTIMEO,
                                       SO_SNDTIMEO,  SO_BROADCAST, SO_REUSEPORT, SO_ACCEPTCONN,
                                       SO_PROTOCOL,  SO_DOMAIN};

    ALLOW(building, SCMP_SYS(socketpair), IS(0, AF_UNIX), BITS(1, KIND_BITS, SOCK_STREAM));
    REFUSE(building, SCMP_SYS(socketpair), IS_NOT(0, AF_UNIX));
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        REFUSE(building, moving[i].number, BITS(moving[i].flags, MSG_OOB, MSG_OOB));
        if (i > 0)
            ALLOW(building, moving[i].number, BITS(moving[i].flags, MSG_OOB, 0));
    }
    if (!(building->variant & FILTER_LOOPBACK)) {
        ALLOW(building, SCMP_SYS(sendto), BITS(3, MSG_OOB, 0), IS(4, 0));
        REFUSE(building, SCMP_SYS(sendto), IS_NOT(4, 0));
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        ALLOW(building, SCMP_SYS(getsockopt), IS(1, SOL_SOCKET), IS(2, options[i]));
}

/*
 * Allows calls on sockets of the build's own network, and queries about its interface. Refuses raw,
 * ICMP, MPTCP, SCTP and other sockets. Ignores buffer sizes, which programs accept, because the
 * arena counts each socket as full at its known size.
 */
static void add_loopback(struct building *building)
{
    const int addressing[] = {SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(listen), SCMP_SYS(accept),
                              SCMP_SYS(accept4)};
    static const struct {
        uint32_t kind, protocol;
    } allowed[] = {
        {SOCK_STREAM, 0}, {SOCK_STREAM, IPPROTO_TCP}, {SOCK_DGRAM, 0}, {SOCK_DGRAM, IPPROTO_UDP}};
    static const struct {
        uint32_t action, level, option;
    } options[] = {
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_REUSEADDR},    {SCMP_ACT_ALLOW, SOL_SOCKET, SO_REUSEPORT},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_BROADCAST},    {SCMP_ACT_ALLOW, SOL_SOCKET, SO_KEEPALIVE},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_LINGER},       {SCMP_ACT_ALLOW, SOL_SOCKET, SO_RCVTIMEO},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_SNDTIMEO},     {SCMP_ACT_ERRNO(0), SOL_SOCKET, SO_RCVBUF},
        {SCMP_ACT_ERRNO(0), SOL_SOCKET, SO_SNDBUF},    {SCMP_ACT_ALLOW, IPPROTO_TCP, TCP_NODELAY},
        {SCMP_ACT_ALLOW, IPPROTO_IP, IP_MULTICAST_ALL}};
    /*
     * MSG_MORE is refused, because with it each piece of a datagram could keep 32 KiB of kernel
     * memory.
     */
    const uint32_t sending = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_EOR;

    REFUSE(building, SCMP_SYS(socket), IS_NOT(0, AF_INET));
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        ALLOW(building, SCMP_SYS(socket), IS(0, AF_INET), BITS(1, KIND_BITS, allowed[i].kind),
              IS(2, allowed[i].protocol));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        RULE(building, options[i].action, SCMP_SYS(setsockopt), IS(1, options[i].level),
             IS(2, options[i].option));
    ALLOW(building, SCMP_SYS(getsockopt), IS(1, IPPROTO_IP));
    /*
     * Only options below this number are allowed: higher options move bytes or inspect a socket in
     * repair mode.
     */
    ALLOW(building, SCMP_SYS(getsockopt), IS(1, IPPROTO_TCP),
          SCMP_CMP64(2, SCMP_CMP_LT, TCP_ZEROCOPY_RECEIVE));
    VALUES(building, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFADDR,
           SIOCGIFBRDADDR, SIOCGIFNETMASK, SIOCGIFINDEX, SIOCGIFHWADDR, SIOCGIFMTU);
    for (size_t i = 0; i < sizeof addressing / sizeof *addressing; i++)
        add(building, SCMP_ACT_ALLOW, addressing[i], 0, NULL);
    ALLOW(building, SCMP_SYS(sendto), BITS(3, 0xffffffff & ~sending, 0));
}

/* Adds the calls that are allowed only with some arguments. */
static void add_tested(struct building *building)
{
    const uint32_t for_builds =
        building->variant & FILTER_BUILD ? SCMP_ACT_ERRNO(0) : SCMP_ACT_ERRNO(EPERM);

    add_open(building, SCMP_SYS(open), 1);
    add_open(building, SCMP_SYS(openat), 2);
    add_fcntl(building);
    add_epoll(building);
    VALUES(building, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, TCGETS, TCGETS2, TIOCGWINSZ, TIOCGPGRP,
           FIOCLEX, FIONCLEX, FIONBIO, FIONREAD);
    add_mmap(building);
    add_clone(building);
    VALUES(building, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 0, PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE,
           PR_SET_VMA, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE, PR_GET_NO_NEW_PRIVS,
           PR_SET_NO_NEW_PRIVS, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_CAPBSET_READ,
           PR_GET_SECCOMP, PR_GET_PDEATHSIG);
    add_limits(building);
    ALLOW(building, SCMP_SYS(personality), IS(0, 0xffffffff));
    REFUSE(building, SCMP_SYS(personality), IS_NOT(0, 0xffffffff));
    add_futex(building);
    add_madvise(building);
    add_membarrier(building);
    add_signals(building, SCMP_SYS(kill), 1);
    add_signals(building, SCMP_SYS(tgkill), 2);
    add_clocks(building);
    add_timers(building);
    ALLOW(building, SCMP_SYS(getpriority), IS(0, PRIO_PROCESS));
    REFUSE(building, SCMP_SYS(getpriority), IS_NOT(0, PRIO_PROCESS));
    RULE(building, SCMP_ACT_ERRNO(0), SCMP_SYS(sched_setscheduler), IS(1, SCHED_OTHER));
    REFUSE(building, SCMP_SYS(sched_setscheduler), IS_NOT(1, SCHED_OTHER));
    RULE(building, SCMP_ACT_ERRNO(0), SCMP_SYS(setgroups), IS(0, 0));
    REFUSE(building, SCMP_SYS(setgroups), IS_NOT(0, 0));
    add_pairs(building);
    if (building->variant & FILTER_LOOPBACK)
        add_loopback(building);
    add(building, for_builds, SCMP_SYS(setsid), 0, NULL);
    add(building, for_builds, SCMP_SYS(flock), 0, NULL);
}

/* ---- the program ---- */

/*
 * Finds PID_PLACEHOLDER in the code. Returns 0, or -E2BIG for more than FILTER_PID_PLACES_MAX
 * places.
 */
static int find_pid_places(struct filter *filter)
{
    for (unsigned short i = 0; i < filter->length; i++) {
        if (filter->code[i].k != PID_PLACEHOLDER)
            continue;
        if (filter->pid_place_count == FILTER_PID_PLACES_MAX)
            return -E2BIG;
        filter->pid_places[filter->pid_place_count++] = i;
    }
    return 0;
}

static uint32_t table_action(unsigned variant, enum call_ruling ruling)
{
    switch (ruling) {
    case CALL_ALLOWED:
        return SCMP_ACT_ALLOW;
    case CALL_WRITES:
        return variant & FILTER_WRITABLE ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_PROCESSES:
        return variant & FILTER_PROCESSES ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_BUILDS:
        return variant & FILTER_BUILD ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
    case CALL_IGNORED:
        return SCMP_ACT_ERRNO(0);
    case CALL_UNSUPPORTED:
        return SCMP_ACT_ERRNO(EOPNOTSUPP);
    case CALL_ANSWERED:
        return variant & FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_ALLOW;
    case CALL_FORBIDDEN:
        return variant & FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS;
    case CALL_TESTED:
    case CALL_LOOPBACK: /* add_loopback allows these calls with some arguments */
    case CALL_REFUSED:
        break;
    }
    return SCMP_ACT_ERRNO(EPERM);
}

static void add_table(struct building *building)
{
    size_t count;
    const struct call *calls = call_table(&count);

    for (size_t i = 0; i < count; i++)
        if (calls[i].ruling != CALL_TESTED &&
            !(calls[i].ruling == CALL_LOOPBACK && building->variant & FILTER_LOOPBACK))
            add(building, table_action(building->variant, calls[i].ruling), calls[i].number, 0,
                NULL);
    add_tested(building);
}

/* The rules of a variant. */
static int add_all(scmp_filter_ctx context, const void *variant)
{
    struct building building = {.context = context, .variant = *(const unsigned *)variant};
    int result = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

    if (result == 0) /* a binary tree: half the time per call, a third of the time to load */
        result = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (result < 0)
        return result;
    add_table(&building);
    return building.error;
}

int filter_init(struct filter *filter, unsigned variant)
{
    int result;

    memset(filter, 0, sizeof *filter);
    result = program_compile(variant & FILTER_TRACE ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(ENOSYS),
                             add_all, &variant, &filter->code, &filter->length);
    if (result == 0)
        result = find_pid_places(filter);
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
                                       SCMP_SYS(clock_gettime), SCMP_SYS(epoll_ctl)};
    const struct call *call = call_find(number);

    if (number == SCMP_SYS(open) || number == SCMP_SYS(openat))
        return EROFS;
    if (number == SCMP_SYS(mmap))
        return ENOMEM;
    if (number == SCMP_SYS(madvise) || number == SCMP_SYS(membarrier))
        return EINVAL;
    for (size_t i = 0; i < sizeof without_else / sizeof *without_else; i++)
        if (number == without_else[i])
            return ENOSYS;
    if (call && call->ruling == CALL_UNSUPPORTED)
        return EOPNOTSUPP;
    return call ? EPERM : ENOSYS;
}
