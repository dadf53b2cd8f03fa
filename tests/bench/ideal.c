/* SPDX-License-Identifier: MIT */
/*
 * What the machine itself adds to a bot's time: a process that does nothing but wait for answers
 * runs beside a bench, with players that do nothing but sleep. What it would charge them beyond
 * the time that they measured is the wait for a processor, by players and by itself: less cannot
 * be had on this machine in these minutes, whatever the arena does.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum {
    PLAYERS = 4,
    THINK_US = 5000,
    SAMPLES_MAX = 1 << 20,
    PRIORITY = 10, /* as of arena under --realtime */
};

/* Shared with the process that measures. */
struct samples {
    size_t count;
    double beyond_us[SAMPLES_MAX];
};

static struct samples *samples;
static pid_t judge_pid;

/* Answers each byte after THINK_US with the time that this took. */
static void play(int from, int to)
{
    struct timespec rest = {.tv_nsec = THINK_US * 1000};
    char byte;

    while (read(from, &byte, 1) == 1) {
        int64_t read_us = bench_now_us(), own_us;

        nanosleep(&rest, NULL);
        own_us = bench_now_us() - read_us;
        if (write(to, &own_us, sizeof own_us) != sizeof own_us)
            break;
    }
    _exit(0);
}

static bool start_player(int *to, struct pollfd *from)
{
    int requests[2], answers[2];
    pid_t pid;

    if (pipe(requests) < 0 || pipe(answers) < 0 || (pid = fork()) < 0)
        return false;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(requests[1]);
        close(answers[0]);
        play(requests[0], answers[1]);
    }
    close(requests[0]);
    close(answers[1]);
    *to = requests[1];
    *from = (struct pollfd){.fd = answers[0], .events = POLLIN};
    return true;
}

/* Asks every player again and again, until it is killed; its players die with it. */
static void judge(bool realtime)
{
    struct sched_param priority = {.sched_priority = PRIORITY};
    struct pollfd from[PLAYERS];
    int64_t asked_us[PLAYERS];
    int to[PLAYERS];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (realtime && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) < 0)
        bench_refuse("real-time priority: %s", strerror(errno));
    for (int i = 0; i < PLAYERS; i++) {
        if (!start_player(&to[i], &from[i]) || write(to[i], "", 1) != 1)
            bench_refuse("no player to compare with: %s", strerror(errno));
        asked_us[i] = bench_now_us();
    }
    while (poll(from, PLAYERS, -1) > 0) {
        int64_t woken_us = bench_now_us(), own_us;

        for (int i = 0; i < PLAYERS; i++) {
            if (!from[i].revents)
                continue;
            if (read(from[i].fd, &own_us, sizeof own_us) != sizeof own_us ||
                samples->count == SAMPLES_MAX)
                return;
            samples->beyond_us[samples->count] = (double)(woken_us - asked_us[i] - own_us);
            samples->count++;
            if (write(to[i], "", 1) != 1)
                return;
            asked_us[i] = bench_now_us();
        }
    }
}

void bench_ideal_begin(bool realtime)
{
    samples =
        mmap(NULL, sizeof *samples, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (samples == MAP_FAILED || (judge_pid = fork()) < 0)
        bench_refuse("no process to compare with: %s", strerror(errno));
    if (judge_pid == 0) {
        judge(realtime);
        _exit(0);
    }
}

double bench_ideal_end(void)
{
    double p999_us;

    kill(judge_pid, SIGKILL);
    waitpid(judge_pid, NULL, 0);
    p999_us = bench_quantile(samples->beyond_us, samples->count, 999);
    munmap(samples, sizeof *samples);
    return p999_us;
}
