#include "arena/season/stage_child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/season/unpack.h"

extern char **environ;

/* ---- the arena's side ---- */

/* Reads what there is. False at the end of it. */
static bool read_text(struct stage_child *child)
{
    for (;;) {
        ssize_t got = read(child->output.fd, child->text + child->text_bytes,
                           STAGE_CHILD_OUTPUT_BYTES - child->text_bytes);

        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        child->text_bytes += (size_t)got;
    }
}

static void output_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    if (!read_text(watch->data))
        ev_io_stop(loop, watch);
}

static void died(struct ev_loop *loop, ev_io *watch, int events)
{
    struct stage_child *child = watch->data;
    siginfo_t end = {0};

    if (waitid(P_PIDFD, (id_t)child->pid_fd, &end, WEXITED | WNOHANG) < 0 || end.si_pid == 0)
        return;
    child->pid = 0;
    ev_io_stop(loop, &child->death);
    ev_timer_stop(loop, &child->deadline);
    if (ev_is_active(&child->output))
        read_text(child);
    ev_io_stop(loop, &child->output);
    child->ended_fn(child, end.si_code == CLD_EXITED ? end.si_status : STAGE_CHILD_FAILED);
}

static void kill_child(const struct stage_child *child)
{
    syscall(SYS_pidfd_send_signal, child->pid_fd, SIGKILL, NULL, 0);
}

static void took_too_long(struct ev_loop *loop, ev_timer *timer, int events)
{
    kill_child(timer->data); /* its end is told as any other */
}

/* Starts the program anew. A group of its own: the terminal's Ctrl-C is not meant for it. */
static int spawn(pid_t *pid, const char *program, char *const arguments[], int output_fd)
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
    posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipes);
    error = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -error;
}

static void watch(struct stage_child *child, int output_fd, int limit_s)
{
    ev_io_init(&child->output, output_ready, output_fd, EV_READ);
    ev_io_init(&child->death, died, child->pid_fd, EV_READ);
    ev_timer_init(&child->deadline, took_too_long, (double)limit_s, 0.);
    child->output.data = child->death.data = child->deadline.data = child;
    ev_io_start(child->loop, &child->output);
    ev_io_start(child->loop, &child->death);
    ev_timer_start(child->loop, &child->deadline);
}

int stage_child_start(struct stage_child *child, struct ev_loop *loop, const char *program,
                      const char *url, int64_t bot_id, const char *stage, int number, int limit_s)
{
    char bot[24], entry[16], parent[16];
    char *arguments[] = {(char *)"arena", (char *)"unpack", (char *)url, bot, (char *)stage,
                         entry,           parent,           NULL};
    int fds[2];
    int error;

    snprintf(bot, sizeof bot, "%" PRId64, bot_id);
    snprintf(entry, sizeof entry, "%d", number);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    child->loop = loop;
    child->text_bytes = 0;
    child->text = malloc(STAGE_CHILD_OUTPUT_BYTES);
    if (!child->text)
        return -ENOMEM;
    if (pipe2(fds, O_CLOEXEC) < 0) {
        error = -errno;
    } else {
        fcntl(fds[0], F_SETFL, O_NONBLOCK);
        error = spawn(&child->pid, program, arguments, fds[1]);
        close(fds[1]);
        if (!error) {
            child->pid_fd = (int)syscall(SYS_pidfd_open, child->pid, 0);
            watch(child, fds[0], limit_s);
            return 0;
        }
        close(fds[0]);
    }
    free(child->text);
    child->text = NULL;
    child->pid = 0;
    return error;
}

void stage_child_finish(struct stage_child *child)
{
    if (!child->text)
        return;
    if (child->pid) {
        kill_child(child);
        waitid(P_PIDFD, (id_t)child->pid_fd, &(siginfo_t){0}, WEXITED);
    }
    ev_io_stop(child->loop, &child->output);
    ev_io_stop(child->loop, &child->death);
    ev_timer_stop(child->loop, &child->deadline);
    close(child->output.fd);
    close(child->pid_fd);
    free(child->text);
    child->text = NULL;
    child->pid = 0;
}

/* ---- the process's side ---- */

/* The bot of an id. */
struct search {
    int64_t id;
    struct store_bot bot;
};

static int look_at(void *context, const struct store_bot *bot)
{
    struct search *search = context;

    if (bot->id == search->id)
        search->bot = *bot;
    return 0;
}

static int unpack(struct store *store, int64_t bot_id, const char *stage, int number)
{
    struct search search = {.id = bot_id};
    char error[SOURCE_ERROR_BYTES];
    struct source source;
    int result;

    if (store_bots_each(store, look_at, &search) < 0) {
        printf("%s", store_failure(store));
        return STAGE_CHILD_FAILED;
    }
    result = unpack_bot(&source, store, &search.bot, stage, number, error);
    if (result < 0) {
        printf("%s", error);
        return result == PACKAGE_REFUSED ? STAGE_CHILD_REFUSED : STAGE_CHILD_FAILED;
    }
    printf("%s", source.manifest_text);
    free(source.folder); /* what lies there is the arena's now */
    source.folder = NULL;
    source_close(&source);
    return STAGE_CHILD_DONE;
}

int stage_child_run(char **arguments)
{
    const char *url = arguments[0], *stage = arguments[2];
    struct store *store;
    int status = STAGE_CHILD_FAILED;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(arguments[4]))
        return status; /* it died before */
    setpriority(PRIO_PROCESS, 0, STAGE_CHILD_NICE);
    if (store_open(&store, url, STORE_READ) < 0)
        printf("%s", store_failure(store));
    else
        status = unpack(store, atoll(arguments[1]), stage, atoi(arguments[3]));
    store_close(store);
    return fflush(stdout) == 0 ? status : STAGE_CHILD_FAILED;
}
