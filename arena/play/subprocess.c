#include "arena/play/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/mailbox.h"

enum {
    DYING_MS = 10000, /* time for which the arena waits for a killed process to end */
};

/* The end of a process that the owner no longer wants: the thread of the mailbox reaps it. */
struct ending {
    struct errand errand;
    pid_t pid;
    int pid_fd;
};

/* Returns this process's environment plus one variable. The caller frees only the array. */
static char **extend_environment(const char *variable)
{
    size_t name_bytes = strcspn(variable, "=") + 1, count = 0, kept = 0;
    char **extended;

    while (environ[count])
        count++;
    extended = calloc(count + 2, sizeof *extended);
    if (!extended)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], variable, name_bytes) != 0)
            extended[kept++] = environ[i];
    extended[kept] = (char *)(uintptr_t)variable;
    return extended;
}

/*
 * Starts the program in a process group of its own, so that Ctrl-C on the terminal does not reach
 * it.
 */
static int spawn(pid_t *pid, const char *program, char *const arguments[], const char *variable,
                 int output_fd)
{
    char **environment = variable ? extend_environment(variable) : environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipes;
    int error;

    if (!environment)
        return -ENOMEM;
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipes);
    error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
    if (environment != environ)
        free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -error;
}

/* Reaps a killed process. Gives up if the kernel has not ended the process within DYING_MS. */
static void reap(pid_t pid, int pid_fd)
{
    struct pollfd end = {.fd = pid_fd, .events = POLLIN};

    if (pid_fd < 0 || poll(&end, 1, DYING_MS) > 0)
        waitpid(pid, NULL, 0);
}

static void run_end(struct errand *errand)
{
    const struct ending *ending = (struct ending *)errand; /* errand is the first member */

    reap(ending->pid, ending->pid_fd);
    close(ending->pid_fd);
}

static void ended(struct errand *errand)
{
    free(errand);
}

/* Reads output that is available. Returns false at the end of the output. */
static bool read_text(struct subprocess *process)
{
    for (;;) {
        char beyond[4096]; /* discards output beyond the limit */
        size_t room = process->text_bytes_max - process->text_bytes;
        ssize_t got = read(process->output.fd, room ? process->text + process->text_bytes : beyond,
                           room ? room : sizeof beyond);

        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        if (room)
            process->text_bytes += (size_t)got;
    }
}

static void output_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    if (!read_text(watch->data))
        ev_io_stop(loop, watch);
}

static void died(struct ev_loop *loop, ev_io *watch, int events)
{
    struct subprocess *process = watch->data;
    siginfo_t end = {0};

    if (waitid(P_PIDFD, (id_t)watch->fd, &end, WEXITED | WNOHANG) < 0 || end.si_pid == 0)
        return;
    process->pid = 0;
    ev_io_stop(loop, &process->death);
    ev_timer_stop(loop, &process->deadline);
    if (ev_is_active(&process->output))
        read_text(process);
    ev_io_stop(loop, &process->output);
    process->ended_fn(process, end.si_code == CLD_EXITED ? end.si_status : SUBPROCESS_KILLED);
}

static void took_too_long(struct ev_loop *loop, ev_timer *timer, int events)
{
    const struct subprocess *process = timer->data;

    /* died() reports the end of the process. */
    syscall(SYS_pidfd_send_signal, process->death.fd, SIGKILL, NULL, 0);
}

static void watch(struct subprocess *process, int output_fd, int pid_fd, int limit_s)
{
    ev_io_init(&process->output, output_ready, output_fd, EV_READ);
    ev_io_init(&process->death, died, pid_fd, EV_READ);
    ev_timer_init(&process->deadline, took_too_long, (double)limit_s, 0.);
    process->output.data = process->death.data = process->deadline.data = process;
    ev_io_start(process->loop, &process->output);
    ev_io_start(process->loop, &process->death);
    ev_timer_start(process->loop, &process->deadline);
}

int subprocess_start(struct subprocess *process, struct ev_loop *loop, struct mailbox *errands,
                     const char *program, char *const arguments[], size_t text_bytes_max,
                     int limit_s)
{
    int fds[2], pid_fd = -1, error;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return -errno;
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    process->text = malloc(text_bytes_max + 1);
    error = process->text ? spawn(&process->pid, program ? program : "/proc/self/exe", arguments,
                                  process->variable, fds[1])
                          : -ENOMEM;
    close(fds[1]);
    if (!error && (pid_fd = (int)syscall(SYS_pidfd_open, process->pid, 0)) < 0) {
        error = -errno; /* for example: no free descriptor */
        kill(process->pid, SIGKILL);
        reap(process->pid, -1);
    }
    if (error) {
        close(fds[0]);
        free(process->text);
        process->text = NULL;
        process->pid = 0;
        return error;
    }
    process->loop = loop;
    process->errands = errands;
    process->text_bytes = 0;
    process->text_bytes_max = text_bytes_max;
    watch(process, fds[0], pid_fd, limit_s);
    return 0;
}

/* Kills the process, and lets the thread reap it and close its descriptor. */
static void kill_process(const struct subprocess *process)
{
    struct ending *ending = calloc(1, sizeof *ending);

    syscall(SYS_pidfd_send_signal, process->death.fd, SIGKILL, NULL, 0);
    if (!ending) {
        reap(process->pid, process->death.fd);
        close(process->death.fd);
        return;
    }
    *ending =
        (struct ending){{.run_fn = run_end, .done_fn = ended}, process->pid, process->death.fd};
    mailbox_add(process->errands, &ending->errand);
}

void subprocess_finish(struct subprocess *process)
{
    if (!process->text)
        return;
    ev_io_stop(process->loop, &process->output);
    ev_io_stop(process->loop, &process->death);
    ev_timer_stop(process->loop, &process->deadline);
    close(process->output.fd);
    if (process->pid)
        kill_process(process);
    else
        close(process->death.fd);
    free(process->text);
    process->text = NULL;
    process->pid = 0;
}

bool subprocess_settle(pid_t parent)
{
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        return false;                               /* the parent died before the prctl */
    if (policy == SCHED_FIFO || policy == SCHED_RR) /* with these policies, nice has no effect */
        sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    setpriority(PRIO_PROCESS, 0, SUBPROCESS_NICE);
    return true;
}
