#include "sandbox/aside.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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

void *aside_job_create(size_t size_bytes, int fd, void (*work_fn)(struct aside_job *job))
{
    struct aside_job *job = calloc(1, size_bytes);

    if (!job)
        return NULL;
    job->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (job->fd < 0) {
        free(job);
        return NULL;
    }
    job->work_fn = work_fn;
    pthread_mutex_init(&job->lock, NULL);
    return job;
}

static void destroy(struct aside_job *job)
{
    pthread_mutex_destroy(&job->lock);
    close(job->fd);
    free(job);
}

static void work(void *owner)
{
    struct aside_job *job = owner;
    bool forgotten;

    pthread_mutex_lock(&job->lock);
    job->work_fn(job);
    job->under_way = false;
    forgotten = job->forgotten;
    pthread_mutex_unlock(&job->lock);
    if (forgotten)
        destroy(job);
}

void aside_job_begin(struct aside_job *job)
{
    if (!job->under_way)
        job->under_way = aside_run(work, job);
}

void aside_job_forget(struct aside_job *job)
{
    bool under_way;

    if (!job)
        return;
    pthread_mutex_lock(&job->lock);
    job->forgotten = true;
    under_way = job->under_way;
    pthread_mutex_unlock(&job->lock);
    if (!under_way)
        destroy(job);
}
