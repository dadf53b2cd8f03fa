/* SPDX-License-Identifier: MIT */
#include "arena/play/subprocess.h"

#include <argz.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/play/mailbox.h"

enum {
    DYING_S = 10,             /* time for which the arena waits for a killed process to end */
    READ_BYTES = 64 << 10,    /* of output at a time: others wait on the loop meanwhile */
    PIPE_BYTES_MAX = 1 << 20, /* as much as a pipe can hold that no administrator has enlarged */
};

/*
 * The work of starting a process, and of ending it if the owner finishes the process early. The
 * thread of the mailbox does the work. May outlive struct subprocess.
 */
struct subprocess_errand {
    struct errand errand;
    struct mailbox *mailbox;
    struct subprocess *process; /* NULL: the owner has finished the process */
    char *program, *variable;   /* owned; variable may be NULL */
    char *arguments;            /* owned; the arguments, one after another (argz) */
    size_t arguments_bytes;
    int fds[2]; /* pipe that the process's standard output goes to */
    int limit_s;
    bool is_killed; /* the process had its time */
    pid_t pid;
    int pid_fd;
    int error; /* why the process could not be started, as -errno; 0: it was started */
};

int subprocess_spawn(pid_t *pid, const char *program, char *const arguments[],
                     char *const environment[], const struct subprocess_ends *ends)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipes;
    int error;

    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends->output_fd, 1);
    if (ends->message_fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, ends->message_fd, 2);
    if (ends->folder)
        posix_spawn_file_actions_addchdir_np(&actions, ends->folder);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipes);
    error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -error;
}

static struct subprocess_errand *of(struct errand *errand)
{
    return (struct subprocess_errand *)errand; /* valid because errand is the first member */
}

static void destroy(struct subprocess_errand *errand)
{
    free(errand->arguments);
    free(errand->program);
    free(errand->variable);
    free(errand);
}

/* ---- in the thread ---- */

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

static int spawn_with(pid_t *pid, const char *program, char *const arguments[],
                      const char *variable, int output_fd)
{
    const struct subprocess_ends ends = {.output_fd = output_fd, .message_fd = -1};
    char **environment = variable ? extend_environment(variable) : environ;
    int error =
        environment ? subprocess_spawn(pid, program, arguments, environment, &ends) : -ENOMEM;

    if (environment != environ)
        free(environment);
    return error;
}

bool subprocess_reap(pid_t pid, int *status)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    const int64_t until_us = clock_now_us() + DYING_S * INT64_C(1000000);
    bool has_ended = end.fd < 0;

    for (int64_t left_us; !has_ended && (left_us = until_us - clock_now_us()) > 0;)
        has_ended = poll(&end, 1, (int)(left_us / 1000 + 1)) > 0;
    while (has_ended && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    if (end.fd >= 0)
        close(end.fd);
    return has_ended;
}

static void run_start(struct errand *errand)
{
    struct subprocess_errand *start = of(errand);
    char **arguments =
        calloc(argz_count(start->arguments, start->arguments_bytes) + 1, sizeof *arguments);

    start->error = -ENOMEM;
    if (arguments) {
        argz_extract(start->arguments, start->arguments_bytes, arguments);
        start->error =
            spawn_with(&start->pid, start->program, arguments, start->variable, start->fds[1]);
        free(arguments);
    }
    if (start->error)
        return;
    start->pid_fd = (int)syscall(SYS_pidfd_open, start->pid, 0);
    if (start->pid_fd >= 0)
        return;
    start->error = -errno;
    kill(start->pid, SIGKILL);
    subprocess_reap(start->pid, NULL);
}

static void run_end(struct errand *errand)
{
    subprocess_reap(of(errand)->pid, NULL);
    close(of(errand)->pid_fd);
}

/* ---- on the loop ---- */

static void ended(struct errand *errand)
{
    destroy(of(errand));
}

/* Kills the process and lets the thread reap it, which may take long. */
static void end(struct subprocess_errand *errand)
{
    syscall(SYS_pidfd_send_signal, errand->pid_fd, SIGKILL, NULL, 0);
    errand->errand = (struct errand){.run_fn = run_end, .done_fn = ended};
    mailbox_add(errand->mailbox, &errand->errand);
}

/* Passes the complete lines of the text to line_fn; a line that fills the whole text is cut. */
static void pass_lines(struct subprocess *process)
{
    char *line = process->text, *end;

    process->text[process->text_bytes] = '\0';
    while ((end = memchr(line, '\n', (size_t)(process->text + process->text_bytes - line)))) {
        *end = '\0';
        process->line_fn(process, line);
        line = end + 1;
    }
    process->text_bytes -= (size_t)(line - process->text);
    memmove(process->text, line, process->text_bytes);
    if (process->text_bytes == process->text_bytes_max) {
        process->line_fn(process, process->text);
        process->text_bytes = 0;
    }
}

/*
 * Reads output that is available, about `most` bytes of it: a process may write faster than the
 * arena reads. Returns false at the end of the output.
 */
static bool read_text(struct subprocess *process, ssize_t most)
{
    while (most > 0) {
        char beyond[4096]; /* discards output beyond the limit */
        size_t room = process->text_bytes_max - process->text_bytes;
        ssize_t got =
            read(process->output.io.fd, room ? process->text + process->text_bytes : beyond,
                 room ? room : sizeof beyond);

        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        if (room)
            process->text_bytes += (size_t)got;
        if (process->line_fn)
            pass_lines(process);
        most -= got;
    }
    return true;
}

static void output_ready(struct watch *watch)
{
    struct subprocess *process = watch->owner;

    if (!read_text(process, READ_BYTES))
        watch_stop(watch, process->loop);
}

static void died(struct watch *watch)
{
    struct subprocess *process = watch->owner;
    siginfo_t end = {0};

    if (waitid(P_PIDFD, (id_t)watch->io.fd, &end, WEXITED | WNOHANG) < 0 || end.si_pid == 0)
        return;
    process->pid = 0;
    watch_stop(&process->death, process->loop);
    ev_timer_stop(process->loop, &process->deadline);
    if (watch_is_running(&process->output))
        read_text(process, PIPE_BYTES_MAX); /* its own children may go on writing */
    watch_stop(&process->output, process->loop);
    process->ended_fn(process, end.si_code == CLD_EXITED ? end.si_status : SUBPROCESS_KILLED);
}

/* Kills the process, whose end the callback died() reports; DYING_S later it is given up. */
static void took_too_long(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct subprocess *process = timer->data;

    syscall(SYS_pidfd_send_signal, process->death.io.fd, SIGKILL, NULL, 0);
    if (!process->errand->is_killed) {
        process->errand->is_killed = true;
        return;
    }
    ev_timer_stop(loop, timer);
    watch_stop(&process->death, loop);
    watch_stop(&process->output, loop);
    snprintf(process->text, process->text_bytes_max,
             "process %d was killed and does not end: it hangs in the kernel (state D in `ps`)",
             (int)process->pid);
    process->text_bytes = strlen(process->text);
    process->ended_fn(process, SUBPROCESS_KILLED);
}

static void watch(struct subprocess *process, const struct subprocess_errand *start)
{
    process->pid = start->pid;
    watch_init(&process->output, start->fds[0], EV_READ, output_ready, process);
    watch_init(&process->death, start->pid_fd, EV_READ, died, process);
    ev_timer_init(&process->deadline, took_too_long, (double)start->limit_s, DYING_S);
    process->deadline.data = process;
    watch_start(&process->output, process->loop);
    watch_start(&process->death, process->loop);
    ev_timer_start(process->loop, &process->deadline);
}

static void started(struct errand *errand)
{
    struct subprocess_errand *start = of(errand);
    struct subprocess *process = start->process;

    close(start->fds[1]);
    if (process && !start->error) {
        watch(process, start);
        return;
    }
    close(start->fds[0]);
    if (!start->error) {
        end(start);
        return;
    }
    if (process) {
        process->start_error = start->error;
        process->errand = NULL;
        snprintf(process->text, process->text_bytes_max, "no process could be started: %s",
                 strerror(-start->error));
        process->text_bytes = strlen(process->text);
    }
    destroy(start);
    if (process)
        process->ended_fn(process, SUBPROCESS_UNSTARTED);
}

int subprocess_start(struct subprocess *process, struct ev_loop *loop, struct mailbox *errands,
                     const char *program, char *const arguments[], size_t text_bytes_max,
                     int limit_s)
{
    struct subprocess_errand *start = calloc(1, sizeof *start);
    int error = -ENOMEM;

    if (!start)
        return error;
    start->errand = (struct errand){.run_fn = run_start, .done_fn = started};
    start->mailbox = errands;
    start->process = process;
    start->limit_s = limit_s;
    start->program = strdup(program ? program : "/proc/self/exe");
    start->variable = process->variable ? strdup(process->variable) : NULL;
    process->text = malloc(text_bytes_max + 1);
    if (start->program && process->text && (start->variable || !process->variable) &&
        argz_create(arguments, &start->arguments, &start->arguments_bytes) == 0)
        error = pipe2(start->fds, O_CLOEXEC) < 0 ? -errno : 0;
    if (error) {
        free(process->text);
        process->text = NULL;
        destroy(start);
        return error;
    }
    fcntl(start->fds[0], F_SETFL, O_NONBLOCK);
    process->loop = loop;
    process->errand = start;
    process->text_bytes = 0;
    process->text_bytes_max = text_bytes_max;
    mailbox_add(errands, &start->errand);
    return 0;
}

void subprocess_finish(struct subprocess *process)
{
    struct subprocess_errand *errand = process->errand;

    if (errand && !process->death.owner) { /* the mailbox has not called `started` yet */
        errand->process = NULL;
    } else if (errand) {
        watch_stop(&process->output, process->loop);
        watch_stop(&process->death, process->loop);
        ev_timer_stop(process->loop, &process->deadline);
        close(process->output.io.fd);
        if (process->pid) {
            end(errand);
        } else {
            close(errand->pid_fd);
            destroy(errand);
        }
    }
    free(process->text);
    process->text = NULL;
    process->errand = NULL;
    process->death.owner = NULL;
    process->pid = 0;
}

bool subprocess_settle(pid_t parent)
{
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        return false; /* the parent died before the call of prctl */
    if (policy == SCHED_FIFO ||
        policy == SCHED_RR) /* the kernel ignores a nice value under these policies */
        sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    setpriority(PRIO_PROCESS, 0, SUBPROCESS_NICE);
    return true;
}
