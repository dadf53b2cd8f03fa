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

    if (waitid(P_PIDFD, (id_t)process->pid_fd, &end, WEXITED | WNOHANG) < 0 || end.si_pid == 0)
        return;
    process->pid = 0;
    ev_io_stop(loop, &process->death);
    ev_timer_stop(loop, &process->deadline);
    if (ev_is_active(&process->output))
        read_text(process);
    ev_io_stop(loop, &process->output);
    process->ended_fn(process, end.si_code == CLD_EXITED ? end.si_status : SUBPROCESS_KILLED);
}

static void kill_process(const struct subprocess *process)
{
    syscall(SYS_pidfd_send_signal, process->pid_fd, SIGKILL, NULL, 0);
}

static void took_too_long(struct ev_loop *loop, ev_timer *timer, int events)
{
    kill_process(timer->data); /* died() reports the end of the process */
}

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

static void watch(struct subprocess *process, int output_fd, int limit_s)
{
    ev_io_init(&process->output, output_ready, output_fd, EV_READ);
    ev_io_init(&process->death, died, process->pid_fd, EV_READ);
    ev_timer_init(&process->deadline, took_too_long, (double)limit_s, 0.);
    process->output.data = process->death.data = process->deadline.data = process;
    ev_io_start(process->loop, &process->output);
    ev_io_start(process->loop, &process->death);
    ev_timer_start(process->loop, &process->deadline);
}

/* Allocates the buffer for the output and creates a pipe. Returns 0 or -errno. */
static int prepare(struct subprocess *process, struct ev_loop *loop, size_t text_bytes_max,
                   int fds[static 2])
{
    int error;

    process->loop = loop;
    process->pid_fd = -1;
    process->text_bytes = 0;
    process->text_bytes_max = text_bytes_max;
    process->text = malloc(text_bytes_max + 1);
    if (!process->text)
        return -ENOMEM;
    if (pipe2(fds, O_CLOEXEC) == 0) {
        fcntl(fds[0], F_SETFL, O_NONBLOCK);
        return 0;
    }
    error = -errno;
    free(process->text);
    process->text = NULL;
    return error;
}

/* Frees the output and resets the structure: no process. */
static void forget(struct subprocess *process)
{
    free(process->text);
    process->text = NULL;
    process->pid = 0;
}

static void begin(struct subprocess *process, pid_t pid, int pid_fd, int output_fd, int limit_s)
{
    process->pid = pid;
    process->pid_fd = pid_fd;
    watch(process, output_fd, limit_s);
}

/*
 * Reaps a process that was killed. Gives up if the kernel has not ended the process within
 * DYING_MS.
 */
static void reap(pid_t pid, int pid_fd)
{
    struct pollfd end = {.fd = pid_fd, .events = POLLIN};

    if (pid_fd < 0 || poll(&end, 1, DYING_MS) > 0)
        waitpid(pid, NULL, 0);
}

/* Starts the process and sets *pid_fd to a descriptor of it. Returns 0 or -errno. */
static int spawn_held(pid_t *pid, int *pid_fd, const char *program, char *const arguments[],
                      const char *variable, int output_fd)
{
    int error = spawn(pid, program, arguments, variable, output_fd);

    if (error)
        return error;
    *pid_fd = (int)syscall(SYS_pidfd_open, *pid, 0);
    if (*pid_fd >= 0)
        return 0;
    error = -errno; /* for example: no free descriptor */
    kill(*pid, SIGKILL);
    reap(*pid, -1);
    return error;
}

int subprocess_start(struct subprocess *process, struct ev_loop *loop, const char *program,
                     char *const arguments[], size_t text_bytes_max, int limit_s)
{
    int fds[2], pid_fd;
    pid_t pid;
    int error = prepare(process, loop, text_bytes_max, fds);

    if (error)
        return error;
    process->errands = NULL;
    error = spawn_held(&pid, &pid_fd, program ? program : "/proc/self/exe", arguments,
                       process->variable, fds[1]);
    close(fds[1]);
    if (!error) {
        begin(process, pid, pid_fd, fds[0], limit_s);
        return 0;
    }
    close(fds[0]);
    forget(process);
    return error;
}

/* ---- start by another thread ---- */

struct subprocess_start {
    struct errand errand;
    struct mailbox *errands;
    struct subprocess *process; /* the process to fill in; NULL: the owner no longer wants it */
    char *program;
    char **arguments; /* owned, ending with NULL */
    char *variable;   /* owned, or NULL */
    int fds[2];
    int limit_s;
    pid_t pid;
    int pid_fd;
    int error;
};

/* The end of a process that its owner no longer wants. */
struct subprocess_end {
    struct errand errand;
    pid_t pid;
    int pid_fd;
};

static void run_end(struct errand *errand)
{
    const struct subprocess_end *end = (struct subprocess_end *)errand; /* errand is first */

    reap(end->pid, end->pid_fd);
    close(end->pid_fd);
}

static void free_end(struct errand *errand)
{
    free(errand);
}

/*
 * Kills a process and reaps it. Reaping may take long, so the thread of errands does it if there is
 * one.
 */
static void end_process(struct mailbox *errands, pid_t pid, int pid_fd)
{
    struct subprocess_end *end = errands ? malloc(sizeof *end) : NULL;

    syscall(SYS_pidfd_send_signal, pid_fd, SIGKILL, NULL, 0);
    if (end) {
        *end = (struct subprocess_end){{.run_fn = run_end, .done_fn = free_end}, pid, pid_fd};
        mailbox_add(errands, &end->errand);
    } else {
        reap(pid, pid_fd);
        close(pid_fd);
    }
}

static void destroy_start(struct subprocess_start *start)
{
    for (char **argument = start->arguments; argument && *argument; argument++)
        free(*argument);
    free(start->arguments);
    free(start->program);
    free(start->variable);
    free(start);
}

static void run_start(struct errand *errand)
{
    struct subprocess_start *start = (struct subprocess_start *)errand; /* errand is first */

    start->error = spawn_held(&start->pid, &start->pid_fd, start->program, start->arguments,
                              start->variable, start->fds[1]);
}

static void started(struct errand *errand)
{
    struct subprocess_start *start = (struct subprocess_start *)errand;
    struct subprocess *process = start->process;
    int error = start->error;

    close(start->fds[1]);
    if (process)
        process->starting = NULL;
    if (process && !error) {
        begin(process, start->pid, start->pid_fd, start->fds[0], start->limit_s);
    } else {
        close(start->fds[0]);
        if (!error)
            end_process(start->errands, start->pid, start->pid_fd);
    }
    destroy_start(start);
    if (process && error) {
        process->start_error = error;
        process->ended_fn(process, SUBPROCESS_UNSTARTED);
    }
}

static bool copy_arguments(struct subprocess_start *start, const char *program,
                           char *const arguments[], const char *variable)
{
    size_t count = 0;

    while (arguments[count])
        count++;
    start->program = strdup(program ? program : "/proc/self/exe");
    start->arguments = calloc(count + 1, sizeof *start->arguments);
    for (size_t i = 0; start->arguments && i < count; i++)
        if (!(start->arguments[i] = strdup(arguments[i])))
            return false;
    start->variable = variable ? strdup(variable) : NULL;
    return start->program && start->arguments && (start->variable || !variable);
}

int subprocess_start_aside(struct subprocess *process, struct ev_loop *loop,
                           struct mailbox *errands, const char *program, char *const arguments[],
                           size_t text_bytes_max, int limit_s)
{
    struct subprocess_start *start = calloc(1, sizeof *start);
    int error = -ENOMEM;

    if (!start)
        return error;
    if (copy_arguments(start, program, arguments, process->variable))
        error = prepare(process, loop, text_bytes_max, start->fds);
    if (error) {
        destroy_start(start);
        return error;
    }
    start->errand = (struct errand){.run_fn = run_start, .done_fn = started};
    start->errands = process->errands = errands;
    start->process = process;
    start->limit_s = limit_s;
    process->starting = start;
    mailbox_add(errands, &start->errand);
    return 0;
}

void subprocess_finish(struct subprocess *process)
{
    if (!process->text)
        return;
    if (process->starting)
        process->starting->process = NULL;
    process->starting = NULL;
    if (process->pid_fd < 0) { /* no process was started */
        forget(process);
        return;
    }
    ev_io_stop(process->loop, &process->output);
    ev_io_stop(process->loop, &process->death);
    ev_timer_stop(process->loop, &process->deadline);
    close(process->output.fd);
    if (process->pid)
        end_process(process->errands, process->pid, process->pid_fd);
    else
        close(process->pid_fd);
    forget(process);
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
