#include "sandbox/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

/* Older headers lack it. */
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

/* Opened before the call is found to be waiting still, so that it is this caller's memory. */
static int open_memory(int notify_fd, const struct seccomp_notif *call)
{
    char path[64];
    uint64_t id = call->id;
    int memory_fd;

    snprintf(path, sizeof path, "/proc/%u/mem", call->pid);
    memory_fd = open(path, O_WRONLY | O_CLOEXEC);
    if (memory_fd >= 0 && ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0) {
        close(memory_fd);
        return -1;
    }
    return memory_fd;
}

void answer_sysinfo(int notify_fd, const struct seccomp_notif *call, int64_t memory_bytes)
{
    struct seccomp_notif_resp answer = {.id = call->id};
    struct sysinfo told = {.totalram = (unsigned long)memory_bytes,
                           .freeram = (unsigned long)memory_bytes,
                           .procs = 1,
                           .mem_unit = 1};
    struct timespec since_boot;
    int memory_fd = open_memory(notify_fd, call);

    if (clock_gettime(CLOCK_BOOTTIME, &since_boot) == 0)
        told.uptime = since_boot.tv_sec;
    if (memory_fd < 0)
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else if (pwrite(memory_fd, &told, sizeof told, (off_t)call->data.args[0]) !=
             (ssize_t)sizeof told)
        answer.error = -EFAULT;
    if (memory_fd >= 0)
        close(memory_fd);
    ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* or it died meanwhile */
}
