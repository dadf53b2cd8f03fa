/* SPDX-License-Identifier: MIT */
/*
 * Bots that try to run while they are stopped. Each prints a byte per millisecond or so of
 * processor time, so that silence proves a stop.
 */
#include "tests/hostile/attacks/attacks.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    OFTEN_NS = 2000000,
    LARGE_BYTES = 48 << 20,
    ENDING = 4, /* children at a time */
};

static const size_t MAP_BYTES = (size_t)2 << 30;

static int64_t cpu_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static void ticks(void)
{
    for (int64_t next_ns = 0;;) {
        if (cpu_ns() < next_ns)
            continue;
        next_ns = cpu_ns() + 1000000;
        if (write(STDOUT_FILENO, "x", 1) < 0)
            return;
    }
}

static void *ticks_in_a_thread(void *unused)
{
    ticks();
    return unused;
}

static void ticks_in_threads(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, ticks_in_a_thread, NULL);
    ticks();
}

/* Ends the first thread of the process. */
static void ticks_without_the_first(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, ticks_in_a_thread, NULL);
    syscall(SYS_exit, 0);
}

static void ignore(int number)
{
    (void)number;
}

/* A timer of the kernel that sends SIGCONT, by each clock. One that nobody handles stops. */
static void ticks_by_timer(void)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec often = {{0, OFTEN_NS}, {0, OFTEN_NS}};
    timer_t timer;

    signal(SIGCONT, ignore);
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (timer_create(clocks[i], &event, &timer) == 0)
            timer_settime(timer, 0, &often, NULL);
    ticks();
}

static void ticks_by_alarm(void)
{
    struct itimerval often = {{0, OFTEN_NS / 1000}, {0, OFTEN_NS / 1000}};

    signal(SIGALRM, ignore);
    setitimer(ITIMER_REAL, &often, NULL);
    ticks();
}

static void ticks_in_children(void)
{
    fork();
    fork();
    ticks();
}

/* Starts more children than can be scheduled before the process that stops them. */
static void burns_in_many_children(void)
{
    for (int i = 0; i < 60; i++)
        if (fork() == 0)
            for (attack_say("x");;)
                ;
    for (;;)
        pause();
}

static char *zeroes;
static _Atomic int is_complete; /* all threads have been created */

static void *changes_all_of_its_map(void *unused)
{
    while (!is_complete)
        usleep(10000);
    for (;;) {
        mprotect(zeroes, MAP_BYTES, PROT_NONE);
        mprotect(zeroes, MAP_BYTES, PROT_READ);
    }
    return unused;
}

/* Each thread waits in the kernel for a lock, and then changes half a million page entries there.
 */
static void burns_in_the_kernel(void)
{
    pthread_t thread;

    zeroes = mmap(NULL, MAP_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(zeroes, MAP_BYTES, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < MAP_BYTES; at += 4096)
        (void)*(volatile char *)(zeroes + at);
    for (int i = 0; i < 100; i++)
        pthread_create(&thread, NULL, changes_all_of_its_map, NULL);
    is_complete = 1;
    attack_say("x");
    pause();
}

/* Two processes wake each other as often as they can. */
static void wakes_each_other(void)
{
    pid_t other = fork();

    if (other == 0)
        other = getppid();
    for (int64_t next_ns = 0;;) {
        kill(other, SIGCONT);
        syscall(SYS_tgkill, other, other, SIGCONT);
        kill(0, SIGCONT);
        kill(-1, SIGCONT);
        if (cpu_ns() < next_ns)
            continue;
        next_ns = cpu_ns() + 1000000;
        if (write(STDOUT_FILENO, "x", 1) < 0)
            return;
    }
}

/*
 * Children whose ends signal SIGCONT. A stopped child does not end, but one that is ending is not
 * stopped any more, and much memory takes long to give back.
 */
static void woken_by_ends(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, ticks_in_a_thread, NULL);
    for (int count = 0;;) {
        if (count < ENDING) {
            long pid = syscall(SYS_clone, SIGCONT, 0, 0, 0, 0);

            if (pid == 0) {
                (void)mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
                syscall(SYS_exit_group, 0);
            }
            count += pid > 0;
            if (pid < 0)
                usleep(1000);
        }
        while (waitpid(-1, NULL, __WALL | (count < ENDING ? WNOHANG : 0)) > 0)
            count--;
    }
}

/*
 * A process group whose last parent outside of it ends gets SIGCONT if it has stopped members. The
 * parents end slowly, because they have much memory to free.
 */
static void woken_as_orphans(void)
{
    for (;;) {
        if (fork() == 0) {
            setpgid(0, 0);
            if (fork() == 0) {
                setpgid(0, 0);
                signal(SIGHUP, SIG_IGN);
                ticks();
            }
            memset(malloc(LARGE_BYTES), 1, LARGE_BYTES);
            _exit(0);
        }
        if (wait(NULL) < 0)
            usleep(1000);
        if (write(STDOUT_FILENO, "x", 1) < 0)
            return;
    }
}

const struct attack attacks_on_freezing[] = {
    {"tick", ticks},
    {"tick-in-threads", ticks_in_threads},
    {"tick-without-the-first", ticks_without_the_first},
    {"tick-by-timer", ticks_by_timer},
    {"tick-by-alarm", ticks_by_alarm},
    {"tick-in-children", ticks_in_children},
    {"burn-in-many-children", burns_in_many_children},
    {"burn-in-the-kernel", burns_in_the_kernel},
    {"tick-woken-by-each-other", wakes_each_other},
    {"tick-woken-by-ends", woken_by_ends},
    {"tick-woken-as-orphans", woken_as_orphans},
    {NULL, NULL},
};
