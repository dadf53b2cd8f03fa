#include "sandbox/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/aside.h"
#include "sandbox/process_scan.h"

/* ---- sysinfo ---- */

/* Older kernel headers lack this constant. */
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

enum {
    WAITING_MAX = 512,
};

struct answerer {
    struct aside_job job; /* its descriptor is the child's notify_fd */
    int64_t memory_bytes;
    size_t first, waiting_count; /* start and length of the ring buffer `waiting` */
    struct {
        uint64_t id, address;
        uint32_t pid;
    } waiting[WAITING_MAX];
};

/*
 * Opens the memory of the process that made the system call. Checks afterwards that the call still
 * waits: this proves that no later process with the same PID was opened. Returns -1 on failure.
 */
static int open_memory(int notify_fd, uint32_t pid, uint64_t id)
{
    char path[64];
    int memory_fd;

    snprintf(path, sizeof path, "/proc/%u/mem", pid);
    memory_fd = open(path, O_WRONLY | O_CLOEXEC);
    if (memory_fd >= 0 && ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0) {
        close(memory_fd);
        return -1;
    }
    return memory_fd;
}

static void answer(const struct answerer *answerer, uint32_t pid, uint64_t id, uint64_t address)
{
    struct seccomp_notif_resp response = {.id = id};
    struct sysinfo told = {.totalram = (unsigned long)answerer->memory_bytes,
                           .freeram = (unsigned long)answerer->memory_bytes,
                           .procs = 1,
                           .mem_unit = 1};
    struct timespec since_boot;
    int memory_fd = open_memory(answerer->job.fd, pid, id);

    if (clock_gettime(CLOCK_BOOTTIME, &since_boot) == 0)
        told.uptime = since_boot.tv_sec;
    if (memory_fd < 0)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else if (pwrite(memory_fd, &told, sizeof told, (off_t)address) != (ssize_t)sizeof told)
        response.error = -EFAULT;
    if (memory_fd >= 0)
        close(memory_fd);
    /* This fails if the child has died in the meantime. */
    ioctl(answerer->job.fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Answers calls until none waits. */
static void answer_all(struct aside_job *job)
{
    struct answerer *answerer = (struct answerer *)job;

    while (answerer->waiting_count > 0 && !job->forgotten) {
        const uint64_t id = answerer->waiting[answerer->first].id;
        const uint64_t address = answerer->waiting[answerer->first].address;
        const uint32_t pid = answerer->waiting[answerer->first].pid;

        answerer->first = (answerer->first + 1) % WAITING_MAX;
        answerer->waiting_count--;
        pthread_mutex_unlock(&job->lock);
        answer(answerer, pid, id, address);
        pthread_mutex_lock(&job->lock);
    }
}

struct answerer *answerer_create(int notify_fd, int64_t memory_bytes)
{
    struct answerer *answerer = aside_job_create(sizeof *answerer, notify_fd, answer_all);

    if (answerer)
        answerer->memory_bytes = memory_bytes;
    return answerer;
}

bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call)
{
    struct seccomp_notif_resp by_kernel = {.id = call->id,
                                           .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    bool room;
    size_t last;

    if (!answerer) {
        ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &by_kernel);
        return true;
    }
    pthread_mutex_lock(&answerer->job.lock);
    room = answerer->waiting_count < WAITING_MAX;
    if (room) {
        last = (answerer->first + answerer->waiting_count++) % WAITING_MAX;
        answerer->waiting[last].id = call->id;
        answerer->waiting[last].address = call->data.args[0];
        answerer->waiting[last].pid = call->pid;
    }
    aside_job_begin(&answerer->job);
    pthread_mutex_unlock(&answerer->job.lock);
    return room;
}

void answerer_retry(struct answerer *answerer)
{
    if (!answerer)
        return;
    pthread_mutex_lock(&answerer->job.lock);
    if (answerer->waiting_count > 0)
        aside_job_begin(&answerer->job);
    pthread_mutex_unlock(&answerer->job.lock);
}

void answerer_destroy(struct answerer *answerer)
{
    aside_job_forget((struct aside_job *)answerer);
}

/* ---- flock ---- */

enum {
    WAITS_MAX = 64, /* waiting flock calls of all builds together */
    RETRY_MS = 20,
};

/* Returns the PID of the process that a thread belongs to, or 0 if the thread does not exist. */
static pid_t process_of(pid_t thread)
{
    char path[64], status[PROCESS_FILE_BYTES_MAX];

    snprintf(path, sizeof path, "/proc/%d/status", (int)thread);
    process_read(AT_FDCWD, path, status, sizeof status);
    return (pid_t)process_figure(status, "\nTgid:");
}

/*
 * Duplicates the descriptor that the child passed to flock. A lock belongs to the open file, so a
 * lock on the duplicate is the child's lock. The check that the call still waits comes after
 * pidfd_open, to prove that the pidfd is not that of a later process with the same PID.
 */
static int copy_descriptor(int notify_fd, const struct seccomp_notif *call)
{
    pid_t process = process_of((pid_t)call->pid);
    int process_fd = process ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
    uint64_t id = call->id;
    int copy, error;

    if (process_fd < 0)
        return -ESRCH;
    if (ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0) {
        close(process_fd);
        return -ESRCH;
    }
    copy = (int)syscall(SYS_pidfd_getfd, process_fd, (int)call->data.args[0], 0);
    error = errno;
    close(process_fd);
    return copy < 0 ? -error : copy;
}

/*
 * Returns 0 if a build may lock the file, or -errno. System files are on read-only mounts, except
 * devices, which are not regular files.
 */
static int may_lock(int fd)
{
    struct statvfs system;
    struct stat status;

    if (fstat(fd, &status) < 0 || fstatvfs(fd, &system) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return -EPERM;
    return system.f_flag & ST_RDONLY ? -EPERM : 0;
}

/* A flock call that waits for a lock that another process holds. */
struct lock_wait {
    int notify_fd; /* owned duplicate of the child's descriptor */
    int copy;      /* owned duplicate of the descriptor to lock */
    int operation;
    uint64_t id;
};

static int lock_wait_count;
static pthread_mutex_t lock_wait_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_mutex = PTHREAD_MUTEX_INITIALIZER; /* held from a lock to its answer */

/* Adds to the number of waiting calls. Returns false, and adds nothing, above WAITS_MAX. */
static bool count_wait(int change)
{
    bool fits;

    pthread_mutex_lock(&lock_wait_mutex);
    fits = lock_wait_count + change <= WAITS_MAX;
    if (fits)
        lock_wait_count += change;
    pthread_mutex_unlock(&lock_wait_mutex);
    return fits;
}

static void finish_wait(struct lock_wait *wait)
{
    close(wait->copy);
    if (wait->notify_fd >= 0)
        close(wait->notify_fd);
    free(wait);
    count_wait(-1);
}

/*
 * Makes a flock call and answers it, unless it has to wait for the lock. Returns true if it must. A
 * signal may interrupt the call after the lock was taken, and then the thread may at once make the
 * call anew: the mutex keeps us from taking the lock for the new call before undoing the first one.
 * A signal that arrives just after our answer makes the kernel drop the answer without telling us:
 * then the build holds a lock although its call failed.
 */
static bool must_wait(int notify_fd, uint64_t id, int copy, int operation)
{
    struct seccomp_notif_resp answer = {.id = id};
    bool waits = false;

    pthread_mutex_lock(&lock_mutex);
    if (ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0) {
        answer.error = flock(copy, operation | LOCK_NB) < 0 ? -errno : 0;
        waits = answer.error == -EWOULDBLOCK && !(operation & LOCK_NB);
        if (!waits && ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer) < 0 && answer.error == 0)
            flock(copy, LOCK_UN); /* the call was interrupted, and so failed */
    }
    pthread_mutex_unlock(&lock_mutex);
    return waits;
}

/* Tries to take the lock until that succeeds or the calling thread no longer waits. */
static void await_lock(void *owner)
{
    struct lock_wait *wait = owner;

    while (must_wait(wait->notify_fd, wait->id, wait->copy, wait->operation))
        poll(NULL, 0, RETRY_MS);
    finish_wait(wait);
}

/* Takes ownership of `copy`. Returns false if no further call can wait. */
static bool begin_wait(int notify_fd, const struct seccomp_notif *call, int copy, int operation)
{
    struct lock_wait *wait = malloc(sizeof *wait);

    if (!wait || !count_wait(1)) {
        free(wait);
        close(copy);
        return false;
    }
    *wait = (struct lock_wait){.notify_fd = fcntl(notify_fd, F_DUPFD_CLOEXEC, 3),
                               .copy = copy,
                               .operation = operation,
                               .id = call->id};
    if (wait->notify_fd >= 0 && aside_run(await_lock, wait))
        return true;
    finish_wait(wait);
    return false;
}

int answer_flock(int notify_fd, const struct seccomp_notif *call)
{
    const int operation = (int)call->data.args[1];
    int copy = copy_descriptor(notify_fd, call);
    int result;

    if (copy < 0)
        return copy;
    result = may_lock(copy);
    if (result == 0 && must_wait(notify_fd, call->id, copy, operation))
        return begin_wait(notify_fd, call, copy, operation) ? 0 : -ENOLCK;
    close(copy);
    return result;
}
