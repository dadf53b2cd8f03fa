/* SPDX-License-Identifier: MIT */
/* What a bot can learn about its neighbors on the machine without a common file or socket. */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#define SHARED_FILE "/usr/bin/env"

static void opens_each(const char *const *paths)
{
    for (; *paths; paths++) {
        int fd = open(*paths, O_RDONLY);

        if (fd >= 0)
            printf("%s ", *paths);
        attack_tell(fd);
    }
}

/* Each of these tells whether another process has mapped the same page. */
static void reads_page_counts(void)
{
    static const char *const paths[] = {"/proc/self/pagemap",
                                        "/proc/self/smaps",
                                        "/proc/self/smaps_rollup",
                                        "/proc/self/numa_maps",
                                        "/proc/thread-self/pagemap",
                                        "/proc/thread-self/smaps",
                                        "/proc/2/pagemap",
                                        "/proc/2/task/2/pagemap",
                                        "/proc/kpagecount",
                                        "/proc/kpageflags",
                                        NULL};

    opens_each(paths);
}

static void reads_network_tables(void)
{
    static const char *const paths[] = {"/proc/self/net/unix",        "/proc/self/net/tcp",
                                        "/proc/self/net/route",       "/proc/self/net/arp",
                                        "/proc/self/net/dev",         "/proc/net/unix",
                                        "/proc/thread-self/net/unix", NULL};

    opens_each(paths);
}

/* The number of links of a whole /proc counts the processes of the machine. */
static void counts_links(void)
{
    struct stat status = {0};

    attack_tell(stat("/proc", &status));
    attack_judge(status.st_nlink <= 3, "own", "of the machine");
}

static void reads_what_runtimes_read(void)
{
    static const char *const paths[] = {
        "/proc/self/maps",   "/proc/self/stat",      "/proc/self/status", "/proc/self/statm",
        "/proc/self/cgroup", "/proc/self/mountinfo", "/proc/self/exe",    "/proc/self/fd",
        "/proc/self/auxv",   "/proc/self/cmdline",   "/proc/self/task",   NULL};

    for (int i = 0; paths[i]; i++)
        attack_tell(open(paths[i], O_RDONLY) >= 0 ? 0 : -1);
}

static void *map_shared_file(int flags)
{
    int fd = open(SHARED_FILE, O_RDONLY);
    void *page = mmap(NULL, 4096, PROT_READ, flags, fd, 0);

    close(fd);
    return page;
}

/* Wake-ups at a page of a file reach whoever waits there, in any process. */
static void wakes_at_a_file(void)
{
    static const int commands[] = {FUTEX_WAKE,       FUTEX_WAKE_BITSET,
                                   FUTEX_REQUEUE,    FUTEX_CMP_REQUEUE,
                                   FUTEX_WAKE_OP,    FUTEX_LOCK_PI,
                                   FUTEX_UNLOCK_PI,  FUTEX_WAIT_REQUEUE_PI,
                                   FUTEX_TRYLOCK_PI, FUTEX_WAKE | FUTEX_CLOCK_REALTIME};
    void *page = map_shared_file(MAP_SHARED);

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        attack_tell(syscall(SYS_futex, page, commands[i], INT_MAX, NULL, page, -1));
    attack_tell(syscall(SYS_futex, page, (1ull << 32) | FUTEX_WAKE, INT_MAX, NULL, page, -1));
}

/* As pthread_join waits. */
static void waits_shared(void)
{
    struct timespec soon = {0, 1000000};
    int word = 1;

    attack_tell(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon, NULL, 0));
    attack_tell(syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0));
}

static void waits_for_many(void)
{
    attack_tell(syscall(449 /* futex_waitv */, NULL, 0, 0, NULL, 0));
}

/* Counts of the whole machine: they would show that a bot starts threads. */
static void counts_the_machine(void)
{
    struct sysinfo told;

    attack_tell(sysinfo(&told));
    attack_judge(told.procs == 1 && !told.loads[0] && !told.loads[1] && !told.loads[2], "alone",
                 "not alone");
    attack_judge(told.totalram == 96ul << 20 && told.freeram == told.totalram && told.mem_unit == 1,
                 "its limit", "the machine's memory");
    attack_tell(sysinfo((struct sysinfo *)8));
}

static void asks_for_counts_for_ever(void)
{
    struct sysinfo told;

    for (;;)
        sysinfo(&told);
}

static void *changes_its_map(void *unused)
{
    const size_t size = (size_t)1 << 30;
    char *zeroes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    madvise(zeroes, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 4096) /* no memory, but as many entries of its tables */
        (void)*(volatile char *)(zeroes + at);
    attack_say("ready");
    for (;;) {
        mprotect(zeroes, size, PROT_NONE);
        mprotect(zeroes, size, PROT_READ);
    }
    return unused;
}

/* Whoever writes the answer has to wait meanwhile. */
static void asks_while_its_map_changes(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, changes_its_map, NULL);
    asks_for_counts_for_ever();
}

/* The same, in processes that share their memory, so that it is looked at page by page. */
static void shares_while_its_map_changes(void)
{
    const size_t size = (size_t)64 << 20;

    memset(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, size);
    if (fork() == 0)
        changes_its_map(NULL);
    changes_its_map(NULL);
}

/* Hints that would move pages of a file, which all bots share, into the cache or out of it. */
static void moves_pages(void)
{
    static const int advice[] = {MADV_WILLNEED, 20 /* MADV_COLD */, 21 /* MADV_PAGEOUT */,
                                 MADV_MERGEABLE};
    void *page = map_shared_file(MAP_PRIVATE);

    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        attack_tell(madvise(page, 4096, advice[i]));
    attack_tell(madvise(page, 4096, 22 /* MADV_POPULATE_READ */));
    attack_tell(madvise(page, 4096, 25 /* MADV_COLLAPSE */));
    attack_tell(madvise(page, 4096, MADV_DONTNEED));
    /* With an illegal advice: the kernel would say EINVAL. */
    attack_tell(syscall(SYS_fadvise64, open(SHARED_FILE, O_RDONLY), 0, 0, 99));
    attack_tell(readahead(open(SHARED_FILE, O_RDONLY), 0, 4096));
    attack_tell(syscall(451 /* cachestat */, 0, NULL, NULL, 0));
}

/* Signals that wait count for the id, which others may share. */
static void queues_to_itself(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    attack_tell(syscall(SYS_tgkill, getpid(), getpid(), 40));
}

static void wakes_itself(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    timer_t timer;

    attack_tell(timer_create(CLOCK_MONOTONIC, &event, &timer));
    attack_tell(kill(getpid(), SIGCONT));
    attack_tell(syscall(SYS_tgkill, getpid(), getpid(), SIGCONT));
    attack_tell(kill(getpid(), 0));
}

/* Numbers that the kernel counts for the whole machine, or that name a process. */
static void asks_for_numbers_of_sockets(void)
{
    static const int options[] = {57 /* SO_COOKIE */, 71 /* SO_NETNS_COOKIE */,
                                  77 /* SO_PEERPIDFD */};
    uint64_t number;
    int pair[2];

    attack_tell(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        socklen_t size = sizeof number;

        attack_tell(getsockopt(pair[0], SOL_SOCKET, options[i], &number, &size));
    }
}

/* GNU make and others set the IDs that they already have. */
static void keeps_its_ids(void)
{
    attack_tell(setuid(getuid()));
    attack_tell(setgid(getgid()));
    attack_tell(syscall(SYS_setresuid, -1, getuid(), -1));
    attack_tell(syscall(SYS_setresgid, -1, getgid(), -1));
    attack_tell(syscall(SYS_setgroups, 0, NULL));
    attack_tell(syscall(SYS_setresuid, 0, 0, 0));
    attack_tell(syscall(SYS_setgroups, 1, (gid_t[]){0}));
}

/* Two bots on two cores could send each other bits by interrupts, even with --pin. */
static void interrupts_others(void)
{
    static const int commands[] = {MEMBARRIER_CMD_GLOBAL, MEMBARRIER_CMD_GLOBAL_EXPEDITED,
                                   MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED,
                                   MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
                                   MEMBARRIER_CMD_PRIVATE_EXPEDITED};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        attack_tell(syscall(SYS_membarrier, commands[i], 0, 0));
}

const struct attack attacks_on_neighbors[] = {
    {"page-counts", reads_page_counts},
    {"network-tables", reads_network_tables},
    {"count-links", counts_links},
    {"runtime-files", reads_what_runtimes_read},
    {"wake-at-file", wakes_at_a_file},
    {"wait-shared", waits_shared},
    {"wait-for-many", waits_for_many},
    {"machine-counts", counts_the_machine},
    {"machine-counts-for-ever", asks_for_counts_for_ever},
    {"ask-while-map-changes", asks_while_its_map_changes},
    {"share-while-map-changes", shares_while_its_map_changes},
    {"move-pages", moves_pages},
    {"queue-to-itself", queues_to_itself},
    {"wake-itself", wakes_itself},
    {"keep-ids", keeps_its_ids},
    {"socket-numbers", asks_for_numbers_of_sockets},
    {"interrupt-others", interrupts_others},
    {NULL, NULL},
};
