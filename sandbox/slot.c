#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"

/* What the holder of a user namespace is told; it runs in our memory until it executes. */
struct holder {
    int keeper_fd;
    int hold_fd; /* it lives as long as this pipe is open */
};

static int start_holder(void *argument)
{
    static char name[] = "keeper", hold[] = "hold";
    static char *const argv[] = {name, hold, NULL};
    const struct holder *holder = argument;

    syscall(SYS_dup3, holder->hold_fd, STDIN_FILENO, 0);
    syscall(SYS_execveat, holder->keeper_fd, "", argv, argv + 2, AT_EMPTY_PATH);
    syscall(SYS_exit_group, 127);
    return 127;
}

static int write_file(pid_t pid, const char *name, const char *text)
{
    char path[64];
    ssize_t length = (ssize_t)strlen(text);
    int result = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (write(fd, text, (size_t)length) != length)
        result = -errno;
    close(fd);
    return result;
}

/* One id inside, never 0, is one id outside; nobody else's exist, and groups cannot be set. */
static int map_ids(pid_t pid, uid_t uid, gid_t gid)
{
    char map[64];
    int result = write_file(pid, "setgroups", "deny");

    if (result < 0)
        return result;
    snprintf(map, sizeof map, "%d %u 1", CONFINE_UID, uid);
    result = write_file(pid, "uid_map", map);
    if (result < 0)
        return result;
    snprintf(map, sizeof map, "%d %u 1", CONFINE_UID, gid);
    return write_file(pid, "gid_map", map);
}

static int open_namespace(pid_t pid)
{
    char path[64];
    int namespace_fd;

    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
    namespace_fd = open(path, O_RDONLY | O_CLOEXEC);
    return namespace_fd < 0 ? -errno : namespace_fd;
}

int slot_open_user_namespace(struct sandbox *sandbox, struct slot *slot)
{
    struct holder holder = {.keeper_fd = sandbox->keeper_fd};
    int hold[2];
    sigset_t all, before;
    pid_t pid;
    int result;

    if (slot->user_namespace_fd >= 0)
        return 0;
    if (pipe2(hold, O_CLOEXEC) < 0)
        return -errno;
    holder.hold_fd = hold[0];
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid = clone(start_holder, sandbox->outer_stack_top,
                CLONE_VM | CLONE_VFORK | CLONE_NEWUSER | SIGCHLD, &holder);
    result = pid < 0 ? -errno : 0;
    if (result == 0) {
        result = map_ids(pid, slot->uid ? slot->uid : geteuid(), slot->uid ? slot->uid : getegid());
        if (result == 0)
            result = open_namespace(pid);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, __WALL);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(hold[0]);
    close(hold[1]);
    if (result < 0)
        return result;
    slot->user_namespace_fd = result;
    return 0;
}

struct slot *slot_acquire(struct sandbox *sandbox)
{
    for (int i = 0; i < SLOTS_MAX; i++) {
        struct slot *slot = &sandbox->slots[i];

        if (slot->taken)
            continue;
        slot->taken = true;
        return slot;
    }
    return NULL;
}

void slot_release(struct slot *slot)
{
    slot->taken = false;
}

void slot_finish(struct slot *slot)
{
    if (slot->user_namespace_fd >= 0)
        close(slot->user_namespace_fd);
    slot->user_namespace_fd = -1;
}
