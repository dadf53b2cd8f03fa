/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Process 1 is the keeper, which must survive. Without a PID namespace: EPERM. */
static void kills_process_1(void)
{
    if (kill(1, SIGKILL) < 0) {
        attack_tell(-1);
        return;
    }
    usleep(20000);
    attack_judge(kill(1, 0) == 0 || errno == EPERM, "alive", "dead");
}

static void stops_process_1(void)
{
    attack_judge(kill(1, SIGSTOP) == 0 || errno == EPERM, "alive", "dead");
}

static void kills_everybody(void)
{
    signal(SIGTERM, SIG_IGN);
    kill(-1, SIGTERM);
    attack_say("alive");
}

static void signals_by_thread(void)
{
    attack_tell(syscall(SYS_tkill, 1, SIGKILL));
}

static void queues_signals(void)
{
    attack_tell(sigqueue(1, SIGKILL, (union sigval){0}));
}

static void stops_itself(void)
{
    raise(SIGSTOP);
    attack_say("went on");
}

static void aborts(void)
{
    abort();
}

static void raises_sigterm(void)
{
    raise(SIGTERM);
    attack_say("went on");
}

static void raises_sigkill(void)
{
    raise(SIGKILL);
    attack_say("went on");
}

static void *kill_this_thread(void *nothing)
{
    kill((pid_t)syscall(SYS_gettid), SIGKILL); /* ends the whole process */
    return nothing;
}

static void kills_a_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, kill_this_thread, NULL);
    pthread_join(thread, NULL);
    attack_say("went on");
}

/* Without a signal: at the hard limit of processor time the kernel sends SIGKILL. */
static void limits_its_time(void)
{
    if (setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1}) < 0) {
        attack_tell(-1);
        return;
    }
    for (;;)
        ;
}

static void segfaults(void)
{
    *(volatile int *)8 = 1;
}

static void divides(void)
{
    volatile int zero = 0;

    zero = 7 / zero; /* 1 would be compared, not divided */
}

static void traps(void)
{
    __builtin_trap();
}

static void exits_7(void)
{
    exit(7);
}

static void storms_itself(void)
{
    struct itimerval often = {.it_interval = {.tv_usec = 1}, .it_value = {.tv_usec = 1}};

    signal(SIGALRM, SIG_IGN);
    signal(SIGPROF, SIG_IGN);
    setitimer(ITIMER_REAL, &often, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    for (time_t end = time(NULL) + 1; time(NULL) <= end;)
        ;
    attack_say("done");
}

static void timer_bomb(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;
    int count = 0;

    while (count < 100000 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        count++;
    attack_tell(count < 100000 ? -1 : 0);
}

static void sleeps(void)
{
    for (;;)
        pause();
}

static void burns(void)
{
    for (;;)
        ;
}

static void ignore(int number)
{
    (void)number;
}

static void burns_on(void)
{
    signal(SIGXCPU, ignore);
    for (;;)
        ;
}

static void floods(void)
{
    static char block[65536];

    memset(block, 'x', sizeof block);
    for (;;)
        if (write(STDOUT_FILENO, block, sizeof block) < 0)
            return;
}

static void floods_errors(void)
{
    static char block[65536];

    memset(block, 'x', sizeof block);
    for (;;)
        if (write(STDERR_FILENO, block, sizeof block) < 0)
            return;
}

static void closes_its_output(void)
{
    close(STDOUT_FILENO);
    sleeps();
}

const struct attack attacks_on_signals[] = {
    {"kill-1", kills_process_1},
    {"stop-1", stops_process_1},
    {"kill-all", kills_everybody},
    {"tkill", signals_by_thread},
    {"sigqueue", queues_signals},
    {"stop-self", stops_itself},
    {"abort", aborts},
    {"sigterm", raises_sigterm},
    {"sigkill", raises_sigkill},
    {"sigkill-thread", kills_a_thread},
    {"limit-time", limits_its_time},
    {"segfault", segfaults},
    {"divide", divides},
    {"trap", traps},
    {"exit-7", exits_7},
    {"alarm-storm", storms_itself},
    {"timer-bomb", timer_bomb},
    {"sleep", sleeps},
    {"burn", burns},
    {"burn-on", burns_on},
    {"flood", floods},
    {"flood-errors", floods_errors},
    {"close-output", closes_its_output},
    {NULL, NULL},
};
