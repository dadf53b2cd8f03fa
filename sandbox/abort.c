/* Ends a start that hangs, from another thread than the one that waits for it. */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/confine.h"
#include "sandbox/prepared.h"

static void close_stage(struct confine_plan *plan)
{
    if (plan->stage_pid_fd >= 0)
        close(plan->stage_pid_fd);
    plan->stage_pid_fd = -1;
}

void sandbox_starting(struct sandbox *sandbox, struct confine_plan *plan)
{
    pthread_mutex_lock(&sandbox->starting_mutex);
    if (!plan && sandbox->starting)
        close_stage(sandbox->starting);
    sandbox->starting = plan;
    pthread_mutex_unlock(&sandbox->starting_mutex);
}

static void kill_by(int pid_fd)
{
    if (pid_fd >= 0)
        syscall(SYS_pidfd_send_signal, pid_fd, SIGKILL, NULL, 0);
}

void sandbox_spawn_abort(struct sandbox *sandbox)
{
    struct confine_plan *plan;

    pthread_mutex_lock(&sandbox->starting_mutex);
    plan = sandbox->starting;
    if (plan) { /* all of them: none may run on in the arena's memory once the clone returns */
        plan->aborted = true;
        kill_by(plan->stage_pid_fd);
        kill_by(plan->keeper_pid_fd);
        kill_by(plan->bot_pid_fd);
    }
    pthread_mutex_unlock(&sandbox->starting_mutex);
}

/* Returns the PID behind a descriptor, or 0. */
static pid_t find_pid(int pid_fd)
{
    char path[64], line[128];
    int pid = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pid_fd);
    file = pid_fd < 0 ? NULL : fopen(path, "re");
    while (file && pid <= 0 && fgets(line, sizeof line, file))
        sscanf(line, "Pid: %d", &pid);
    if (file)
        fclose(file);
    return pid > 0 ? pid : 0;
}

void sandbox_find_started(struct confine_plan *plan)
{
    if (plan->keeper_pid <= 0)
        plan->keeper_pid = find_pid(plan->keeper_pid_fd);
    if (plan->bot_pid <= 0)
        plan->bot_pid = find_pid(plan->bot_pid_fd);
}
