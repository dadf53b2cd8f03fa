#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/prepared.h"
#include "sandbox/process_scan.h"

enum {
    HOLDER_START_MS = 10000,
};

/*
 * Maps CONFINE_UID inside the user namespace to the slot's UID outside. The namespace has no other
 * ID, and setgroups is disabled in it. Returns 0 or -errno.
 */
static int map_ids(pid_t pid, const struct slot *slot)
{
    uid_t uid = slot->uid ? slot->uid : geteuid();
    gid_t gid = slot->uid ? slot->uid : getegid();
    char map[64];
    int result = process_write(pid, "setgroups", "deny");

    if (result < 0)
        return result;
    snprintf(map, sizeof map, "%d %u 1", CONFINE_UID, uid);
    result = process_write(pid, "uid_map", map);
    if (result < 0)
        return result;
    snprintf(map, sizeof map, "%d %u 1", CONFINE_UID, gid);
    return process_write(pid, "gid_map", map);
}

static int open_namespace(pid_t pid, const char *name)
{
    char path[64];
    int namespace_fd;

    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, name);
    namespace_fd = open(path, O_RDONLY | O_CLOEXEC);
    return namespace_fd < 0 ? -errno : namespace_fd;
}

void network_close(struct network *network)
{
    if (network->namespace_fd >= 0)
        close(network->namespace_fd);
    if (network->sockets_fd >= 0)
        close(network->sockets_fd);
    *network = (struct network){-1, -1};
}

/* Opens the network of a process. Returns 0 or -errno. */
static int open_network(pid_t pid, struct network *network)
{
    char path[64];
    int result;

    snprintf(path, sizeof path, "/proc/%d/net/sockstat", (int)pid);
    *network = (struct network){.namespace_fd = open_namespace(pid, "net"), .sockets_fd = -1};
    if (network->namespace_fd < 0)
        return network->namespace_fd;
    network->sockets_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (network->sockets_fd >= 0)
        return 0;
    result = -errno;
    network_close(network);
    return result;
}

/* Starts a process that runs confine_hold with the plan. Returns its PID or -errno. */
static pid_t start_holder(struct sandbox *sandbox, struct confine_plan *plan, int flags)
{
    sigset_t all, before;
    int ready[2];
    pid_t pid;
    int error;
    char byte;

    if (pipe2(ready, O_CLOEXEC) < 0)
        return -errno;
    plan->stage_pid_fd = plan->keeper_pid_fd = plan->bot_pid_fd = -1;
    plan->keeper_fd = sandbox->keeper_fd;
    plan->life_fd = sandbox->life_fds[0];
    plan->stdout_fd = ready[1];
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    sandbox_starting(sandbox, plan);
    pid = clone(confine_hold, sandbox->outer_stack_top,
                CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | flags, plan, &plan->stage_pid_fd);
    error = errno;
    sandbox_starting(sandbox, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ready[1]);
    if (plan->aborted)
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = ETIME};
    else if (pid > 0 && !death_poll(ready[0], death_now_us() + (int64_t)HOLDER_START_MS * 1000))
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = ETIMEDOUT};
    else if (pid > 0 &&
             read(ready[0], &byte, 1) < 0) /* waits for a byte, or for the holder's end */
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = errno};
    close(ready[0]);
    return pid < 0 ? -error : pid;
}

static void end_holder(struct slot *slot, pid_t pid)
{
    int64_t now_us = death_now_us();

    kill(pid, SIGKILL);
    if (!death_await(pid, -1, now_us + (int64_t)SLOT_LEAVING_MS * 1000))
        slot_leave(slot, pid, now_us + (int64_t)SANDBOX_DYING_MS * 1000);
}

static int make_user_namespace(struct sandbox *sandbox, struct slot *slot,
                               struct sandbox_failure *failure)
{
    struct confine_plan plan = {0};
    pid_t pid = start_holder(sandbox, &plan, CLONE_NEWUSER);
    int result;

    if (pid < 0)
        return sandbox_fail(failure, "make a user namespace", -pid);
    result = plan.failure.step ? -plan.failure.error : map_ids(pid, slot);
    if (result == 0)
        result = open_namespace(pid, "user");
    end_holder(slot, pid);
    if (result < 0)
        return sandbox_fail(failure, "map an id in a user namespace", -result);
    slot->user_namespace_fd = result;
    return 0;
}

/*
 * Creates the slot's mount namespace and its empty network. If the arena is root, both belong to
 * root, so that a bot's user namespace has no rights over them.
 */
static int make_mount_namespace(struct sandbox *sandbox, struct slot *slot,
                                struct sandbox_failure *failure)
{
    struct confine_plan plan = {
        .runtime = &sandbox->runtime,
        .user_namespace_fd = sandbox->machine.root ? -1 : slot->user_namespace_fd,
        .trims_mounts = sandbox->machine.root,
        .namespace_flags = CLONE_NEWNS | (sandbox->machine.network ? CLONE_NEWNET : 0),
    };
    pid_t pid = start_holder(sandbox, &plan, 0);
    struct network network = {-1, -1};
    int result;

    if (pid < 0)
        return sandbox_fail(failure, "clone", -pid);
    result = plan.failure.step ? -plan.failure.error : open_namespace(pid, "mnt");
    if (result >= 0 && sandbox->machine.network) {
        int opened = open_network(pid, &network);

        if (opened < 0) {
            close(result);
            result = opened;
        }
    }
    end_holder(slot, pid);
    if (result < 0)
        return sandbox_fail(failure, plan.failure.step ? plan.failure.step : "mount namespace",
                            -result);
    slot->mount_namespace_fd = result;
    slot->network = network;
    return 0;
}

/* True if the machine may only lack the resource for the moment: the caller can try again. */
static bool is_passing(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
           error == ENOSPC || error == ETIMEDOUT;
}

/* Creates a mount namespace, and a network namespace if the machine can create one. */
static int make_root(struct sandbox *sandbox, struct slot *slot, struct sandbox_failure *failure)
{
    int result = make_mount_namespace(sandbox, slot, failure);

    if (result == 0 || !sandbox->machine.network || (sandbox->tier_is_known && is_passing(-result)))
        return result;
    sandbox->machine.network = false;
    return make_mount_namespace(sandbox, slot, failure);
}

int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure)
{
    if (slot->user_namespace_fd < 0) {
        int result = make_user_namespace(sandbox, slot, failure);

        /* Root needs no user namespace: no other process has the slot's UID, and root may make the
         * other namespaces. */
        if (result < 0 && (!sandbox->machine.root || sandbox->machine.uid_shared ||
                           (sandbox->tier_is_known && is_passing(-result))))
            return result;
    }
    return slot->mount_namespace_fd < 0 ? make_root(sandbox, slot, failure) : 0;
}

int slot_make_loopback(struct sandbox *sandbox, struct slot *slot, struct network *network,
                       int64_t *socket_bytes, struct sandbox_failure *failure)
{
    struct confine_plan plan = {
        .user_namespace_fd = sandbox->machine.root ? -1 : slot->user_namespace_fd,
        .namespace_flags = CLONE_NEWNET,
        .loopback = true,
    };
    pid_t pid = start_holder(sandbox, &plan, 0);
    int result;

    if (pid < 0)
        return sandbox_fail(failure, "clone", -pid);
    result = plan.failure.step ? -plan.failure.error : open_network(pid, network);
    end_holder(slot, pid);
    if (result == 0) {
        *socket_bytes = plan.socket_bytes;
        return 0;
    }
    if (!is_passing(-result))
        sandbox->machine.loopback = false;
    return sandbox_fail(failure, plan.failure.step ? plan.failure.step : "network namespace",
                        -result);
}

int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits, bool is_build)
{
    /* 2 for the stage and the keeper. */
    int64_t task_count = (int64_t)limits->process_count + limits->thread_count + 2;

    int number = (int)(slot - sandbox->slots);

    if (slot->cgroup.version > 0 &&
        (cgroup_is_gone(&slot->cgroup) || cgroup_is_stained(&slot->cgroup)))
        cgroup_finish(&slot->cgroup, &sandbox->cgroups, number);
    if (slot->cgroup.version == 0) {
        int result = cgroup_init(&slot->cgroup, &sandbox->cgroups, number);

        if (result < 0) {
            cgroup_finish(&slot->cgroup, &sandbox->cgroups, number);
            return result;
        }
    }
    return cgroup_begin(&slot->cgroup, limits->memory_bytes, task_count,
                        is_build ? CGROUP_WEIGHT_BUILD : CGROUP_WEIGHT_BOT);
}

void slot_tell_lost(const struct sandbox *sandbox, struct slot *slot, pid_t pid)
{
    if (!slot->lost_told && sandbox->lost_fn)
        sandbox->lost_fn(slot->name, pid);
    slot->lost_told = true;
}

void slot_leave(struct slot *slot, pid_t pid, int64_t until_us)
{
    for (int i = 0; i < SLOT_LEFT_MAX; i++) {
        if (slot->left_pids[i])
            continue;
        slot->left_pids[i] = pid;
        slot->left_until_us = until_us;
        return;
    }
}

/* Reaps the processes of left_pids that have ended. Returns one that has not ended, or 0. */
static pid_t take_left(struct slot *slot)
{
    pid_t left = 0;

    for (int i = 0; i < SLOT_LEFT_MAX; i++) {
        if (slot->left_pids[i] && death_take(slot->left_pids[i]))
            slot->left_pids[i] = 0;
        if (!left)
            left = slot->left_pids[i];
    }
    return left;
}

struct slot *slot_acquire(struct sandbox *sandbox)
{
    for (int i = 0; i < SLOTS_MAX; i++) {
        struct slot *slot = &sandbox->slots[i];
        pid_t left = slot->state == SLOT_LEFT ? take_left(slot) : 0;

        if (left && death_now_us() >= slot->left_until_us)
            slot_tell_lost(sandbox, slot, left);
        if (left || slot->state == SLOT_TAKEN)
            continue;
        slot->state = SLOT_TAKEN;
        slot->lost_told = false;
        return slot;
    }
    return NULL;
}

void slot_release(struct sandbox *sandbox, struct slot *slot)
{
    pthread_mutex_lock(&sandbox->mutex);
    slot->state = take_left(slot) ? SLOT_LEFT : SLOT_FREE;
    pthread_mutex_unlock(&sandbox->mutex);
}

void slot_init(struct slot *slot, uid_t uid)
{
    *slot = (struct slot){
        .uid = uid, .user_namespace_fd = -1, .mount_namespace_fd = -1, .network = {-1, -1}};
}

/* Waits for the processes of left_pids until left_until_us, and reports one that does not end. */
static void await_left(const struct sandbox *sandbox, struct slot *slot)
{
    for (int i = 0; i < SLOT_LEFT_MAX; i++)
        if (slot->left_pids[i] && !death_await(slot->left_pids[i], -1, slot->left_until_us))
            slot_tell_lost(sandbox, slot, slot->left_pids[i]);
}

void slot_finish(struct sandbox *sandbox, struct slot *slot)
{
    await_left(sandbox, slot);
    if (slot->user_namespace_fd >= 0)
        close(slot->user_namespace_fd);
    if (slot->mount_namespace_fd >= 0)
        close(slot->mount_namespace_fd);
    network_close(&slot->network);
    cgroup_finish(&slot->cgroup, &sandbox->cgroups, (int)(slot - sandbox->slots));
}
