#include "sandbox/aside.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

enum {
    STACK_BYTES = 256 << 10,
};

struct task {
    void (*fn)(void *owner);
    void *owner;
};

/* task_count is the number of running tasks; `lock` protects it, and `ended` signals a change. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int task_count;

static void count(int change)
{
    pthread_mutex_lock(&lock);
    task_count += change;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
}

static void *run(void *argument)
{
    const struct task task = *(struct task *)argument;

    free(argument);
    task.fn(task.owner);
    count(-1);
    return NULL;
}

static bool start(struct task *task)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    bool started;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(&thread, &attributes, run, task) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

bool aside_run(void (*fn)(void *owner), void *owner)
{
    struct task *task = malloc(sizeof *task);

    if (!task)
        return false;
    *task = (struct task){.fn = fn, .owner = owner};
    count(1);
    if (start(task))
        return true;
    count(-1);
    free(task);
    return false;
}

void aside_await(int64_t deadline_us)
{
    const struct timespec deadline = {.tv_sec = deadline_us / 1000000,
                                      .tv_nsec = deadline_us % 1000000 * 1000};
    int error = 0;

    pthread_mutex_lock(&lock);
    while (task_count > 0 && !error)
        error = pthread_cond_clockwait(&ended, &lock, CLOCK_MONOTONIC, &deadline);
    pthread_mutex_unlock(&lock);
}
