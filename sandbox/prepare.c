/* SPDX-License-Identifier: MIT */
/*
 * Creates struct sandbox: finds out what the machine supports, and prepares slots, each with the
 * resources for one child at a time.
 */
#include "sandbox/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/landlock.h"
#include "sandbox/process_scan.h"

/* ---- the helper programs, embedded in the arena's executable ---- */

#define CARRY(name, path)                                                                          \
    __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path "\"\n" #name                 \
            "_end:\n.popsection\n");                                                               \
    extern const char name##_start[], name##_end[]

CARRY(keeper_image, KEEPER_PATH);
CARRY(attempt_image, ATTEMPT_PATH);

static int open_image(const char *name, const char *start, const char *end)
{
    ssize_t size_bytes = end - start;
    int image_fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = 0;

    if (image_fd < 0)
        return -errno;
    errno = EIO;
    if (write(image_fd, start, (size_t)size_bytes) != size_bytes ||
        fcntl(image_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
        error = errno;
    if (error) {
        close(image_fd);
        return -error;
    }
    return image_fd;
}

int sandbox_attempt_program(void)
{
    return open_image("attempt", attempt_image_start, attempt_image_end);
}

/* ---- what the machine offers ---- */

/*
 * If the arena runs as root, each slot has a UID that no other process of the machine has. So even
 * if other layers fail, bots cannot signal each other or share limits per UID. No distribution and
 * no range of systemd assigns UIDs this high. In a container with too few UIDs, all children share
 * UID_SHARED, the user nobody.
 */
static const uid_t UID_FIRST = 1900000000;
static const uid_t UID_SHARED = 65534;

/*
 * Reads /proc/self/uid_map or gid_map. Returns true if `count` IDs from `first` on exist in the
 * arena's user namespace.
 */
static bool are_ids_mapped(const char *map, uid_t first, unsigned count)
{
    FILE *file = fopen(map, "re");
    unsigned long inside, outside, length;
    bool found = false;

    if (!file)
        return false;
    while (!found && fscanf(file, "%lu %lu %lu", &inside, &outside, &length) == 3)
        found = first >= inside && first + count <= inside + length;
    fclose(file);
    return found;
}

static bool are_mapped(uid_t first, unsigned count)
{
    return are_ids_mapped("/proc/self/uid_map", first, count) &&
           are_ids_mapped("/proc/self/gid_map", first, count);
}

int machine_probe(struct machine *machine, struct sandbox_failure *failure)
{
    uint32_t action = SECCOMP_RET_USER_NOTIF;

    *machine = (struct machine){.landlock_abi = landlock_abi(), .root = geteuid() == 0};
    machine->proc = machine->network = machine->loopback = true;
    machine->seccomp_notify = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    if (!machine->root)
        return 0;
    machine->uid_shared = !are_mapped(UID_FIRST, SLOTS_MAX);
    if (machine->uid_shared && !are_mapped(UID_SHARED, 1)) {
        *failure = (struct sandbox_failure){.step = "an unprivileged id", .error = EINVAL};
        return -EINVAL;
    }
    return 0;
}

uid_t machine_slot_uid(const struct machine *machine, int slot_index)
{
    if (!machine->root)
        return 0;
    return machine->uid_shared ? UID_SHARED : UID_FIRST + (uid_t)slot_index;
}

/* ---- the namespaces of a slot ---- */

enum {
    HOLDER_START_MS = 10000,
};

int sandbox_fail(struct sandbox_failure *failure, const char *step, int error)
{
    *failure = (struct sandbox_failure){.step = step, .error = error};
    return -error;
}

/*
 * Maps CONFINE_UID, the only ID of the user namespace, to the slot's UID, and disables setgroups in
 * the namespace. Returns 0 or -errno.
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

static void end_holder(struct slot *slot, pid_t pid)
{
    kill(pid, SIGKILL);
    slot_await(slot, pid, -1);
}

/*
 * Starts a process that creates namespaces and waits (confine_hold). Returns its PID, or -errno
 * with *failure set.
 */
static pid_t start_holder(struct sandbox *sandbox, struct slot *slot, struct confine_plan *plan,
                          int flags, struct sandbox_failure *failure)
{
    sigset_t all, before;
    int ready[2];
    pid_t pid;
    int error;
    char byte;

    if (pipe2(ready, O_CLOEXEC) < 0)
        return sandbox_fail(failure, "pipe", errno);
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
    if (pid < 0)
        plan->failure = (struct sandbox_failure){.step = flags ? "make a user namespace" : "clone",
                                                 .error = error};
    else if (plan->aborted)
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = ETIME};
    else if (!death_poll(ready[0], death_now_us() + (int64_t)HOLDER_START_MS * 1000))
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = ETIMEDOUT};
    else if (read(ready[0], &byte, 1) < 0) /* the process has written a byte or ended */
        plan->failure = (struct sandbox_failure){.step = "start the keeper", .error = errno};
    close(ready[0]);
    if (!plan->failure.step)
        return pid;
    if (pid >= 0)
        end_holder(slot, pid);
    *failure = plan->failure;
    return -failure->error;
}

void slot_await(struct slot *slot, pid_t pid, int pid_fd)
{
    int64_t now_us = death_now_us();

    if (!death_await(pid, pid_fd, now_us + (int64_t)SLOT_LEAVING_MS * 1000))
        slot_leave(slot, pid, now_us + (int64_t)SANDBOX_DYING_MS * 1000);
}

static int make_user_namespace(struct sandbox *sandbox, struct slot *slot,
                               struct sandbox_failure *failure)
{
    struct confine_plan plan = {0};
    pid_t pid = start_holder(sandbox, slot, &plan, CLONE_NEWUSER, failure);
    int result;

    if (pid < 0)
        return pid;
    result = map_ids(pid, slot);
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
 * root, so that a bot has no rights over them.
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
    pid_t pid = start_holder(sandbox, slot, &plan, 0, failure);
    int mounts_fd, result;

    if (pid < 0)
        return pid;
    mounts_fd = result = open_namespace(pid, "mnt");
    if (mounts_fd >= 0 && sandbox->machine.network) {
        result = open_network(pid, &slot->network);
        if (result < 0)
            close(mounts_fd);
    }
    end_holder(slot, pid);
    if (result < 0)
        return sandbox_fail(failure, "mount namespace", -result);
    slot->mount_namespace_fd = mounts_fd;
    return 0;
}

/*
 * True if the machine may have the resource again soon, so that the caller can try again. While the
 * tiers are tried, ENOSPC is the answer of a machine that allows no namespaces at all.
 */
static bool is_passing(const struct sandbox *sandbox, int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
           error == ETIMEDOUT || (error == ENOSPC && sandbox->tier_is_known);
}

/* Creates a mount namespace, and a network namespace if the machine can create one. */
static int make_root(struct sandbox *sandbox, struct slot *slot, struct sandbox_failure *failure)
{
    int result = make_mount_namespace(sandbox, slot, failure);

    if (result == 0 || !sandbox->machine.network || is_passing(sandbox, -result))
        return result;
    sandbox->machine.network = false;
    return make_mount_namespace(sandbox, slot, failure);
}

int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure)
{
    if (slot->user_namespace_fd < 0) {
        int result = make_user_namespace(sandbox, slot, failure);

        /*
         * Without a user namespace, only root can continue: root may create the other namespaces,
         * and gives each slot a UID of its own.
         */
        if (result < 0 &&
            (!sandbox->machine.root || sandbox->machine.uid_shared || is_passing(sandbox, -result)))
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
    pid_t pid = start_holder(sandbox, slot, &plan, 0, failure);
    int result = pid;

    if (pid >= 0) {
        result = open_network(pid, network);
        end_holder(slot, pid);
        if (result < 0)
            sandbox_fail(failure, "network namespace", -result);
    }
    *socket_bytes = plan.socket_bytes;
    if (result < 0 && !is_passing(sandbox, -result))
        sandbox->machine.loopback = false;
    return result;
}

int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits, bool is_build)
{
    const int64_t task_count = limits_share(limits, true).task_count;
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

/*
 * Reaps the processes of left_pids that have ended. Returns the PID of a process that has not
 * ended, or 0.
 */
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
        slot->promised = (struct sandbox_share){0};
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

struct sandbox_share slot_promised(const struct sandbox *sandbox)
{
    struct sandbox_share sum = {0};

    for (int i = 0; i < SLOTS_MAX; i++) {
        if (sandbox->slots[i].state == SLOT_FREE)
            continue;
        sum.memory_bytes += sandbox->slots[i].promised.memory_bytes;
        sum.task_count += sandbox->slots[i].promised.task_count;
    }
    return sum;
}

static void slot_init(struct slot *slot, uid_t uid)
{
    *slot = (struct slot){
        .uid = uid, .user_namespace_fd = -1, .mount_namespace_fd = -1, .network = {-1, -1}};
}

/*
 * Waits until left_until_us for the processes of left_pids, and reports a process that has not
 * ended.
 */
static void await_left(const struct sandbox *sandbox, struct slot *slot)
{
    for (int i = 0; i < SLOT_LEFT_MAX; i++)
        if (slot->left_pids[i] && !death_await(slot->left_pids[i], -1, slot->left_until_us))
            slot_tell_lost(sandbox, slot, slot->left_pids[i]);
}

/*
 * Frees the resources of a slot, which one child at a time uses. Blocks until every process of
 * left_pids has ended or is given up.
 */
static void slot_finish(struct sandbox *sandbox, struct slot *slot)
{
    await_left(sandbox, slot);
    if (slot->user_namespace_fd >= 0)
        close(slot->user_namespace_fd);
    if (slot->mount_namespace_fd >= 0)
        close(slot->mount_namespace_fd);
    network_close(&slot->network);
    cgroup_finish(&slot->cgroup, &sandbox->cgroups, (int)(slot - sandbox->slots));
}

/* ---- preparing ---- */

enum {
    DESCRIPTORS = 16384, /* size of the descriptor table, 128 KiB: enough for a thousand bots */
};

/* clang-format off */
static const char *const layer_names[] = {
    "no_new_privs", "seccomp", "notify", "rlimits", "landlock_fs", "landlock_net",
    "landlock_scope", "user_ns", "pid_ns", "mount_ns", "ipc_ns", "uts_ns", "cgroup_ns",
    "net_ns", "root", "proc", "caps", "cgroup_memory", "cgroup_pids", "uid",
};
/* clang-format on */

const char *const sandbox_tiers[] = {"none", "lite", "full", NULL};

const char *sandbox_layer_name(uint32_t layer)
{
    for (size_t i = 0; i < sizeof layer_names / sizeof *layer_names; i++)
        if (layer == 1u << i)
            return layer_names[i];
    return NULL;
}

/*
 * Opens /dev/null on each of the descriptors 0 to 2 that is closed, so that no pipe of the arena
 * gets these numbers: a child moves its pipes to 0 to 2.
 */
static int occupy_standard_descriptors(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
        if (fd < 0)
            return -errno;
    } while (fd <= STDERR_FILENO);
    close(fd);
    return 0;
}

/*
 * Raises the arena's limit of open descriptors, because the arena needs some fifteen per child.
 * Each child gets a limit of its own.
 */
static void allow_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit); /* ignore a failure: fewer bots can run */
}

/*
 * Makes the kernel enlarge the arena's descriptor table now. Once the arena has several threads,
 * the kernel would wait milliseconds for all processors before enlarging it.
 */
static void widen_descriptors(void)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS - 1);

    if (fd >= 0) /* ignore a failure: the limit is low, and only a few bots can run */
        close(fd);
}

static int open_stacks(struct sandbox *sandbox)
{
    char *stacks = mmap(NULL, 2 * CONFINE_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stacks == MAP_FAILED)
        return -errno;
    sandbox->stacks = stacks;
    sandbox->outer_stack_top = stacks + CONFINE_STACK_BYTES;
    sandbox->inner_stack_top = stacks + (ptrdiff_t)(2 * CONFINE_STACK_BYTES);
    return 0;
}

/*
 * Tries whether the machine allows full confinement: starts the keeper's program, which exits at
 * once, in place of a bot. Returns 0 or -errno, with machine.full_failure set.
 */
static int try_full(struct sandbox *sandbox)
{
    const char *const argv[] = {"keeper", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = sandbox->keeper_fd, .cpu = -1};
    struct sandbox_child child;
    int result = sandbox_spawn(sandbox, &command, &child, &sandbox->machine.full_failure);

    if (result == 0)
        sandbox_child_finish(&child);
    return result;
}

/*
 * Tries the full tier with control groups, then without, because some machines let the arena create
 * a group but let no child join the group.
 */
static int try_cgroups(struct sandbox *sandbox)
{
    int result = try_full(sandbox);

    if (result == 0 || is_passing(sandbox, -result) || sandbox->cgroups.version == 0)
        return result;
    sandbox->machine.cgroup_failure = sandbox->machine.full_failure;
    for (int i = 0; i < SLOTS_MAX; i++)
        cgroup_finish(&sandbox->slots[i].cgroup, &sandbox->cgroups, i);
    cgroup_site_finish(&sandbox->cgroups);
    return try_full(sandbox);
}

/*
 * Sets sandbox->tier. Tries to start a child in each tier, because settings do not tell enough:
 * some machines allow namespaces but forbid mounts. Returns 0; or -errno if the machine lacked
 * something for the moment, which does not show what the machine allows.
 */
static int choose_tier(struct sandbox *sandbox, enum sandbox_tier at_most,
                       struct sandbox_failure *failure)
{
    int result;

    if (sandbox->machine.landlock_abi == 0) {
        sandbox_fail(&sandbox->machine.full_failure, "no Landlock, so nothing more is tried",
                     ENOSYS);
        return 0;
    }
    if (at_most < SANDBOX_TIER_FULL_CG)
        cgroup_site_finish(&sandbox->cgroups);
    if (at_most < SANDBOX_TIER_FULL) {
        sandbox->tier = at_most;
        return 0;
    }
    sandbox->tier = SANDBOX_TIER_FULL;
    result = try_cgroups(sandbox);
    if (result < 0 && !is_passing(sandbox, -result)) {
        sandbox->machine.proc = false; /* some containers forbid mounting /proc */
        result = try_full(sandbox);
    }
    if (is_passing(sandbox, -result)) {
        *failure = sandbox->machine.full_failure;
        return result;
    }
    if (result < 0)
        sandbox->tier = SANDBOX_TIER_LITE;
    else if (sandbox->cgroups.folders[CGROUP_MEMORY][0])
        sandbox->tier = SANDBOX_TIER_FULL_CG;
    return 0;
}

static int prepare(struct sandbox *sandbox, struct sandbox_failure *failure)
{
    int result = occupy_standard_descriptors();

    if (result < 0)
        return sandbox_fail(failure, "open /dev/null", -result);
    /*
     * The parent of the arena may have made it ignore SIGCHLD; the kernel would then reap its
     * children. SA_NOCLDSTOP: a thread that starts children may block SIGCHLD. The kernel then does
     * not discard the signal, and each stop of a child would wake up the arena.
     */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}, NULL);
    allow_descriptors();
    widen_descriptors();
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return sandbox_fail(failure, "not dumpable", errno);
    result = machine_probe(&sandbox->machine, failure);
    if (result < 0)
        return result;
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&sandbox->slots[i], machine_slot_uid(&sandbox->machine, i));
    result = open_stacks(sandbox);
    if (result < 0)
        return sandbox_fail(failure, "stacks", -result);
    if (pipe2(sandbox->life_fds, O_CLOEXEC) < 0)
        return sandbox_fail(failure, "pipe", errno);
    sandbox->keeper_fd = open_image("keeper", keeper_image_start, keeper_image_end);
    if (sandbox->keeper_fd < 0)
        return sandbox_fail(failure, "keeper", -sandbox->keeper_fd);
    cgroup_home_init(&sandbox->home);
    cgroup_site_init(&sandbox->cgroups);
    result = runtime_init(&sandbox->runtime);
    return result < 0 ? sandbox_fail(failure, "runtimes", -result) : 0;
}

int sandbox_create(struct sandbox **sandbox, const struct sandbox_options *options,
                   struct sandbox_failure *failure)
{
    struct sandbox *made = calloc(1, sizeof *made);
    int result;

    *sandbox = NULL;
    if (!made)
        return sandbox_fail(failure, "memory", ENOMEM);
    made->keeper_fd = made->life_fds[0] = made->life_fds[1] = made->home.events_fd = -1;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_mutex_init(&made->starting_mutex, NULL);
    made->lost_fn = options ? options->lost_fn : NULL;
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&made->slots[i], 0);
    result = prepare(made, failure);
    if (result == 0)
        result = choose_tier(
            made, options && options->at_most ? options->at_most : SANDBOX_TIER_FULL_CG, failure);
    if (result == 0) {
        made->tier_is_known = true;
        if (made->tier < (options ? options->require : SANDBOX_TIER_LITE))
            result = sandbox_fail(failure, "the confinement asked for", ENOTSUP);
    }
    if (result < 0) {
        sandbox_destroy(made);
        return result;
    }
    *sandbox = made;
    return 0;
}

void sandbox_destroy(struct sandbox *sandbox)
{
    if (!sandbox || pthread_mutex_trylock(&sandbox->mutex) != 0)
        return; /* a thread that hangs in sandbox_spawn still uses *sandbox */
    pthread_mutex_unlock(&sandbox->mutex);
    for (int i = 0; i < FILTER_VARIANTS; i++)
        filter_finish(&sandbox->filters[i]);
    process_jobs_await(death_now_us() + (int64_t)SANDBOX_DYING_MS * 1000);
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_finish(sandbox, &sandbox->slots[i]);
    cgroup_site_finish(&sandbox->cgroups);
    cgroup_home_finish(&sandbox->home);
    runtime_finish(&sandbox->runtime);
    close_fd(&sandbox->keeper_fd);
    close_fd(&sandbox->life_fds[0]);
    close_fd(&sandbox->life_fds[1]);
    if (sandbox->stacks)
        munmap(sandbox->stacks, 2 * CONFINE_STACK_BYTES);
    pthread_mutex_destroy(&sandbox->mutex);
    pthread_mutex_destroy(&sandbox->starting_mutex);
    free(sandbox);
}

enum sandbox_tier sandbox_tier(const struct sandbox *sandbox)
{
    return sandbox->tier;
}

struct sandbox_failure sandbox_shortfall(const struct sandbox *sandbox)
{
    const struct machine *machine = &sandbox->machine;

    if (sandbox->tier < SANDBOX_TIER_FULL)
        return machine->full_failure;
    if (machine->cgroup_failure.step || sandbox->tier == SANDBOX_TIER_FULL_CG)
        return machine->cgroup_failure;
    return (struct sandbox_failure){.step = "find a control group to write", .error = ENOENT};
}
