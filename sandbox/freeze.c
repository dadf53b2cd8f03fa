#include "sandbox/freeze.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "sandbox/death.h"
#include "sandbox/prepared.h"
#include "sandbox/processes.h"

enum {
    FROZEN_SLACK_US = 20000, /* for a stop to reach another core of a busy machine */
    OTHERS_SLACK_US = 40000, /* for other processes, whose time the kernel reports in ticks */
    EXITING = 4,             /* PF_EXITING in the kernel */
    STAT_BYTES_MAX = 1024,
};

static int stop(struct sandbox_child *child, bool frozen)
{
    const struct sandbox_child_private *private = child->private;
    const int signal = frozen ? SIGSTOP : SIGCONT;
    long result = 0;

    switch (private->freeze_way) {
    case FREEZE_BY_CGROUP:
        return cgroup_freeze(&private->slot->cgroup, frozen);
    case FREEZE_BY_GROUP: /* stops all processes at once, including the keeper */
        result = kill(-private->group, signal);
        break;
    case FREEZE_BY_SIGNAL:
        result = syscall(SYS_pidfd_send_signal, child->pid_fd, signal, NULL, 0);
        break;
    }
    return result < 0 ? -errno : 0;
}

/*
 * Adds the processor time of one process, in ticks. Ignores a process that is exiting, because it
 * runs none of its code, unless other threads of it still run after the first has ended.
 */
void freeze_add_ticks(int proc_fd, int number, void *owner)
{
    char path[64], line[STAT_BYTES_MAX];
    unsigned long user, system;
    unsigned flags;
    long thread_count;
    const char *rest;
    int64_t *ticks = owner;

    snprintf(path, sizeof path, "%d/stat", number);
    if (processes_read(proc_fd, path, line, sizeof line) == 0)
        return;
    rest = strrchr(line, ')'); /* the process name may contain anything */
    if (rest &&
        sscanf(rest, ") %*c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %ld",
               &flags, &user, &system, &thread_count) == 4 &&
        (!(flags & EXITING) || thread_count > 1))
        *ticks += (int64_t)(user + system);
}

/*
 * Counts processor time from the first look after the stop, because some processes may have run
 * until then: a stop does not reach all of them at once.
 */
void freeze_see(struct sandbox_child *child, int64_t begun_us, int64_t ticks)
{
    struct sandbox_child_private *private = child->private;

    if (!private->frozen || private->freeze_way != FREEZE_BY_GROUP ||
        begun_us <= private->frozen_us || private->judged)
        return;
    if (private->frozen_ticks < 0) {
        private->frozen_ticks = ticks;
    }
    if ((ticks - private->frozen_ticks) * (1000000 / sysconf(_SC_CLK_TCK)) > OTHERS_SLACK_US) {
        private->stop_failed = true;
    }
}

int sandbox_child_freeze(struct sandbox_child *child, bool frozen)
{
    struct sandbox_child_private *private = child->private;
    int64_t cpu_us = sandbox_child_cpu_us(child);
    int result;

    if (private->judged)
        return private->stop_failed ? -EBUSY : -ESRCH;
    if (private->frozen && cpu_us - private->frozen_cpu_us > FROZEN_SLACK_US) {
        private->stop_failed = true;
    }
    result = stop(child, frozen);
    private->frozen = frozen && result == 0;
    private->frozen_us = death_now_us();
    private->frozen_cpu_us = cpu_us;
    private->frozen_ticks = -1;
    return private->stop_failed ? -EBUSY : result;
}
