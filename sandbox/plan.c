#include "sandbox/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"

static bool is_real_time(void)
{
    int policy = sched_getscheduler(0);

    return policy == SCHED_FIFO || policy == SCHED_RR;
}

struct confine_plan plan_begin(const struct sandbox *sandbox, const struct sandbox_command *command)
{
    return (struct confine_plan){
        .executable_fd = command->executable_fd,
        .argv = (char *const *)command->argv,
        .stdin_fd = -1,
        .stdout_fd = -1,
        .stderr_fd = -1,
        .folder_fd = -1,
        .ruleset_fd = -1,
        .notify_fd = -1,
        .passing_fd = -1,
        .landlock_abi = sandbox->machine.landlock_abi,
        .user_namespace_fd = -1,
        .net_namespace_fd = -1,
        .proc_fd = -1,
        .bot_pid_fd = -1,
        .keeper_pid_fd = -1,
        .stage_pid_fd = -1,
        .cpu = command->cpu,
        .gives_way = is_real_time(),
        .arena_pid = getpid(),
        .arena_thread = (pid_t)syscall(SYS_gettid),
        .cgroup_fds = {-1},
    };
}

static struct filter *get_filter(struct sandbox *sandbox, const struct filter_variant *variant)
{
    int index = variant->processes | variant->writable << 1 | variant->pid_namespace << 2 |
                variant->memory_cgroup << 3 | variant->notify << 4 | variant->trace << 5 |
                variant->build << 6 | variant->loopback << 7;
    struct filter *filter = &sandbox->filters[index];

    if (!filter->code && filter_init(filter, variant) < 0)
        return NULL;
    return filter;
}

/*
 * Creates the rule set of what a child may open: the runtimes and its folder. Returns a descriptor
 * or -errno.
 */
static int open_ruleset(const struct sandbox *sandbox, int folder_fd, bool build, bool tcp)
{
    int abi = sandbox->machine.landlock_abi;
    int ruleset_fd = landlock_open(abi, tcp);
    int result = 0;

    if (ruleset_fd < 0)
        return ruleset_fd;
    for (size_t i = 0; i < sandbox->runtime.path_count && result == 0; i++) {
        const struct runtime_path *path = &sandbox->runtime.paths[i];

        result = landlock_allow(ruleset_fd, abi, path->path_fd,
                                path->is_device && build ? LANDLOCK_WRITE /* e.g. >/dev/null */
                                : path->runs             ? LANDLOCK_RUN
                                                         : LANDLOCK_READ);
    }
    if (result == 0)
        result = landlock_allow(ruleset_fd, abi, folder_fd, build ? LANDLOCK_BUILD : LANDLOCK_RUN);
    if (result < 0) {
        close(ruleset_fd);
        return result;
    }
    return ruleset_fd;
}

/* Gives a build a network of its own. On a machine that has none to give, it builds without. */
static int plan_loopback(struct sandbox *sandbox, struct sandbox_child_private *private,
                         struct confine_plan *plan, struct sandbox_failure *failure)
{
    int result = slot_make_loopback(sandbox, private->slot, &private->loopback,
                                    &private->socket_bytes, failure);

    if (result < 0)
        return sandbox->machine.loopback ? result : 0;
    plan->loopback = true;
    plan->net_namespace_fd = private->loopback.namespace_fd;
    return 0;
}

/* Plans what exists only in the full tier. */
static int plan_namespaces(struct sandbox *sandbox, const struct sandbox_command *command,
                           struct sandbox_child_private *private, struct confine_plan *plan,
                           struct sandbox_failure *failure)
{
    int result = slot_open_namespaces(sandbox, private->slot, failure);

    if (result < 0)
        return result;
    plan->user_namespace_fd = private->slot->user_namespace_fd;
    plan->mount_namespace_fd = private->slot->mount_namespace_fd;
    plan->net_namespace_fd = private->slot->network.namespace_fd;
    if (command->net_namespace && plan->net_namespace_fd < 0)
        return sandbox_fail(failure, "make a network namespace", ENOTSUP);
    plan->namespace_flags =
        CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    plan->folder = command->folder;
    plan->runtime = &sandbox->runtime;
    plan->proc = sandbox->machine.proc;
    plan->keeper_fd = sandbox->keeper_fd;
    plan->life_fd = sandbox->life_fds[0];
    plan->inner_stack_top = sandbox->inner_stack_top;
    plan->writable_folder = command->profile == SANDBOX_PROFILE_BUILD;
    if (private->limits.scratch_bytes > 0) {
        /* At most one file per page, so that file names take no more memory than contents. */
        snprintf(private->scratch_options, sizeof private->scratch_options,
                 "size=%lld,nr_inodes=%lld,mode=1777", (long long)private->limits.scratch_bytes,
                 (long long)private->limits.scratch_bytes / 4096 + 2);
        plan->scratch_options = private->scratch_options;
    }
    return plan->writable_folder && plan->net_namespace_fd >= 0 && sandbox->machine.loopback
               ? plan_loopback(sandbox, private, plan, failure)
               : 0;
}

static bool has_memory(const struct slot *slot)
{
    return slot->cgroup.version > 0 && slot->cgroup.folder_fds[CGROUP_MEMORY] >= 0;
}

static int plan_cgroups(struct sandbox *sandbox, struct sandbox_child_private *private,
                        struct confine_plan *plan)
{
    const struct cgroup *cgroup = &private->slot->cgroup;
    int result = slot_open_cgroup(sandbox, private->slot, &private->limits);
    int count = 0;

    if (result < 0)
        return result;
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (cgroup->join_fds[i] >= 0)
            plan->cgroup_fds[count++] = cgroup->join_fds[i];
    plan->cgroup_fds[count] = -1;
    return 0;
}

int plan_bot(struct sandbox *sandbox, const struct sandbox_command *command,
             struct sandbox_child_private *private, struct confine_plan *plan, char *program,
             struct sandbox_failure *failure)
{
    const bool full = sandbox->tier >= SANDBOX_TIER_FULL;
    const bool build = command->profile == SANDBOX_PROFILE_BUILD;
    struct filter_variant variant = {
        .processes = build || private->limits.process_count > 1,
        .writable = build || private->limits.scratch_bytes > 0,
        .build = build,
        .pid_namespace = full,
        .notify = sandbox->machine.seccomp_notify,
        .trace = command->trace && sandbox->machine.seccomp_notify,
    };
    struct limits_setting setting = {
        .own_count = private->slot->uid > 0 && !sandbox->machine.uid_shared,
        .writable_folder = build,
    };
    int result;

    if (!full && (variant.processes || variant.writable || command->net_namespace))
        return sandbox_fail(
            failure, "processes, a scratch or a network of its own: the full tier only", ENOTSUP);
    if (full) {
        result = plan_namespaces(sandbox, command, private, plan, failure);
        if (result < 0)
            return result;
        setting.own_count |= plan->user_namespace_fd >= 0;
        variant.loopback = plan->loopback;
    }
    private->threads_watched = !setting.own_count;
    if (sandbox->cgroups.version > 0) {
        result = plan_cgroups(sandbox, private, plan);
        if (result < 0)
            return sandbox_fail(failure, "control group", -result);
        variant.memory_cgroup = setting.memory_cgroup = has_memory(private->slot);
    }
    if (full && cgroup_can_freeze(&private->slot->cgroup)) {
        private->freeze_way = FREEZE_BY_CGROUP;
    } else if (private->limits.process_count > 1) {
        private->freeze_way = FREEZE_BY_GROUP;
    }
    plan->opens_proc = plan->proc && variant.processes;
    setting.data_shares =
        plan->opens_proc && !variant.memory_cgroup ? 1 : private->limits.process_count;
    plan->folder_fd = open(command->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (plan->folder_fd < 0)
        return sandbox_fail(failure, "open the bot's folder", errno);
    if (sandbox->tier >= SANDBOX_TIER_LITE) {
        plan->ruleset_fd = open_ruleset(sandbox, plan->folder_fd, build, plan->loopback);
        if (plan->ruleset_fd < 0)
            return sandbox_fail(failure, "landlock", -plan->ruleset_fd);
    }
    plan->filter = get_filter(sandbox, &variant);
    if (!plan->filter)
        return sandbox_fail(failure, "build the filter", ENOMEM);
    plan->notify = variant.notify;
    plan->uid = private->slot->uid;
    limits_init(&plan->limits, &private->limits, &setting);
    if (command->executable_fd >= 0) {
        plan->path = NULL;
    } else if (strchr(command->argv[0], '/')) {
        plan->path = command->argv[0];
    } else {
        result = runtime_find_program(command->argv[0], program);
        plan->path = result < 0 ? command->argv[0] : program; /* exec will report the error */
    }
    return 0;
}
