#include "sandbox/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
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
#include <unistd.h>

#include "sandbox/aside.h"

enum {
    STATUS_BYTES_MAX = 1024,
    WAITS_MAX = 64, /* of all builds */
    RETRY_MS = 20,
};

/* Returns the process of a thread, 0 if there is none. */
static pid_t process_of(pid_t thread)
{
    char path[64], status[STATUS_BYTES_MAX];
    const char *line;
    int process = 0;
    size_t length;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)thread);
    file = fopen(path, "re");
    if (!file)
        return 0;
    length = fread(status, 1, sizeof status - 1, file);
    status[length] = '\0';
    fclose(file);
    line = strstr(status, "\nTgid:");
    if (line)
        sscanf(line, "\nTgid: %d", &process);
    return process;
}

/*
 * Duplicates the caller's descriptor; both refer to the same open file, which holds the lock. The
 * pidfd is opened before the check that the call still waits, so that it cannot be that of a later
 * process with the same PID.
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

/* Runtimes are mounted read-only; devices are not, but they are not regular files. */
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

/* A call that waits for a lock that somebody else holds. */
struct lock_wait {
    int notify_fd; /* its own */
    int copy;
    int operation;
    uint64_t id;
};

static int lock_wait_count;
static pthread_mutex_t lock_wait_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Counts those that wait. False if there are too many. */
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

/* Tries until it has the lock, or nobody waits for the answer any more. */
static void await_lock(void *owner)
{
    struct lock_wait *wait = owner;
    struct seccomp_notif_resp answer = {.id = wait->id};
    bool waits = true;

    while (waits && ioctl(wait->notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &wait->id) == 0) {
        answer.error = flock(wait->copy, wait->operation | LOCK_NB) < 0 ? -errno : 0;
        waits = answer.error == -EWOULDBLOCK;
        if (waits)
            poll(NULL, 0, RETRY_MS);
        else
            ioctl(wait->notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    finish_wait(wait);
}

/* Takes the copy. False if there is no room for another one that waits. */
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

int lock_file(int notify_fd, const struct seccomp_notif *call)
{
    const int operation = (int)call->data.args[1];
    int copy = copy_descriptor(notify_fd, call);
    int result;

    if (copy < 0)
        return copy;
    result = may_lock(copy);
    if (result == 0 && flock(copy, operation | LOCK_NB) < 0)
        result = -errno;
    if (result == -EWOULDBLOCK && !(operation & LOCK_NB))
        return begin_wait(notify_fd, call, copy, operation) ? LOCK_WAITS : -ENOLCK;
    close(copy);
    return result;
}
