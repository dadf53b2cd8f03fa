/*
 * What the arena plans for a child, on machines of every kind, and what it then says of it:
 * tests/golden/sandbox-plans.txt. The clone itself is imitated.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "tests/sandbox_steps/recorder.h"

static const char *const argv[] = {"./bot", "--fast", NULL};
static const char *const found[] = {"env", NULL};
static const char *const missing[] = {"no-such-program", NULL};

/* A machine, and what is asked of it. */
static const struct row {
    const char *name;
    enum sandbox_tier tier;
    struct machine machine;
    uid_t uid;           /* of the slot */
    bool has_user;       /* the slot has a user namespace */
    bool has_net;        /* and a network */
    int groups;          /* version of the control groups */
    const char *without; /* a folder that they lack */
    rlim_t own_limit;    /* 0: none */
    int policy;
    struct sandbox_command command;
} rows[] = {
    {"bot, root, all there is",
     SANDBOX_TIER_FULL_CG,
     {.landlock_abi = 6, .seccomp_notify = true, .proc = true, .root = true},
     1900000000,
     true,
     true,
     1,
     .policy = SCHED_OTHER,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1, .limits = {.cpu_s = 7}}},
    {"bot, ordinary user, groups of version 2, a real-time arena",
     SANDBOX_TIER_FULL_CG,
     {.landlock_abi = 5, .seccomp_notify = true, .proc = true},
     0,
     true,
     true,
     2,
     .policy = SCHED_FIFO,
     .command = {.argv = found,
                 .executable_fd = -1,
                 .cpu = 3,
                 .net_namespace = true,
                 .limits = {.memory_bytes = 100 << 20, .process_count = 4, .scratch_bytes = 8192}}},
    {"bot of several processes, no groups",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 4, .proc = true},
     0,
     true,
     false,
     .policy = SCHED_RR,
     .command = {.argv = argv,
                 .executable_fd = -1,
                 .cpu = -1,
                 .limits = {.process_count = 3, .thread_count = 10, .open_file_count = 40}}},
    {"bot of several processes without a memory group",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 3, .seccomp_notify = true, .proc = true},
     0,
     true,
     false,
     1,
     "memory",
     .command = {.argv = missing, .executable_fd = -1, .cpu = -1, .limits = {.process_count = 2}}},
    {"bot of several processes without /proc and a user namespace, own limits low",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 2, .root = true},
     1900000000,
     false,
     true,
     .own_limit = 100,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1, .limits = {.process_count = 2}}},
    {"bot without a process group",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 1, .proc = true},
     0,
     true,
     false,
     1,
     "pids",
     .command = {.argv = argv, .executable_fd = 0, .cpu = -1, .trace = true}},
    {"traced bot",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 6, .seccomp_notify = true, .proc = true},
     0,
     true,
     true,
     .command = {.argv = argv, .executable_fd = 0, .cpu = 0, .trace = true}},
    {"build",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 6, .seccomp_notify = true, .proc = true},
     0,
     true,
     true,
     .command = {.argv = found,
                 .executable_fd = -1,
                 .cpu = -1,
                 .profile = SANDBOX_PROFILE_BUILD,
                 .limits = {.memory_bytes = 3ll << 30,
                            .process_count = 64,
                            .scratch_bytes = 4095}}},
    {"bot of the lite tier of root",
     SANDBOX_TIER_LITE,
     {.landlock_abi = 6, .seccomp_notify = true, .proc = true, .root = true},
     1900000255,
     true,
     true,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1}},
    {"bot of the lite tier, id shared",
     SANDBOX_TIER_LITE,
     {.landlock_abi = 4, .root = true, .uid_shared = true},
     65534,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1}},
    {"bot of the lite tier of an ordinary user, in groups",
     SANDBOX_TIER_LITE,
     {.landlock_abi = 1},
     0,
     .groups = 1,
     .command = {.argv = argv, .executable_fd = -1, .cpu = 1}},
    {"bot without Landlock",
     SANDBOX_TIER_NONE,
     {.seccomp_notify = true},
     0,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1}},
    {"refused: processes in the lite tier",
     SANDBOX_TIER_LITE,
     {.landlock_abi = 1},
     0,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1, .limits = {.process_count = 2}}},
    {"refused: a network in the lite tier",
     SANDBOX_TIER_LITE,
     {.landlock_abi = 1},
     0,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1, .net_namespace = true}},
    {"refused: a network where there is none",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 1, .proc = true},
     0,
     true,
     false,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1, .net_namespace = true}},
    {"refused: an id that others share, without a user namespace",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 1, .root = true, .uid_shared = true},
     65534,
     .command = {.argv = argv, .executable_fd = -1, .cpu = -1}},
    {"refused: no folder",
     SANDBOX_TIER_FULL,
     {.landlock_abi = 1, .proc = true},
     0,
     true,
     true,
     .command = {.folder = "/none", .argv = argv, .executable_fd = -1, .cpu = -1}},
};

static struct sandbox sandbox;
static FILE *file;
static char folder[] = "/tmp/plans-XXXXXX"; /* of the bot, and of the groups */
static int clone_error;                     /* 0: it succeeds */

/* ---- writing ---- */

static void write_fd(const char *name, int fd)
{
    char link[64], path[256] = "";
    const char *kind = "";
    int flags = fd < 0 ? 0 : fcntl(fd, F_GETFL);
    const struct {
        const char *name;
        int fd;
    } known[] = {{"the user namespace", sandbox.slots[0].user_namespace_fd},
                 {"the mount namespace", sandbox.slots[0].mount_namespace_fd},
                 {"the network", sandbox.slots[0].network.namespace_fd},
                 {"the keeper", sandbox.keeper_fd},
                 {"the life pipe", sandbox.life_fds[0]}};

    fprintf(file, "  %s: ", name);
    if (fd < 0) {
        fputs("none\n", file);
        return;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    cr_assert_gt(readlink(link, path, sizeof path - 1), 0, "%s: %d", name, fd);
    path[strcspn(path, ":")] = '\0'; /* "pipe:[1234]" */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].fd == fd)
            kind = known[i].name;
    if (strncmp(path, folder, strlen(folder)) == 0)
        memmove(path, path + strlen(folder), strlen(path + strlen(folder)) + 1);
    fprintf(file, "%s %s%s%s%s\n", *kind ? "" : path, kind,
            (flags & O_ACCMODE) == O_WRONLY ? " to write" : "",
            flags & O_NONBLOCK ? " at once" : "", flags & O_PATH ? " as a path" : "");
}

static void write_plan(const struct confine_plan *plan, bool is_stage)
{
    fprintf(file, "  %s of %s", is_stage ? "stage" : "bot", plan->path ? plan->path : "descriptor");
    for (int i = 0; plan->argv[i]; i++)
        fprintf(file, " %s", plan->argv[i]);
    fprintf(file, "\n  in %s, landlock %d, notify %d, uid %u, cpu %d, gives way %d\n",
            plan->folder ? "a root" : "no root", plan->landlock_abi, plan->notify, plan->uid,
            plan->cpu, plan->gives_way);
    fprintf(file, "  namespaces %#x, runtime %d, writable %d, opens /proc %d, /proc %d, %s\n",
            (unsigned)plan->namespace_flags, plan->runtime == &sandbox.runtime,
            plan->writable_folder, plan->opens_proc, plan->proc,
            plan->scratch_options ? plan->scratch_options : "no scratch");
    fprintf(file, "  filter %#x, arena %d %d, stacks %d %d\n",
            (unsigned)(plan->filter - sandbox.filters), plan->arena_pid == getpid(),
            plan->arena_thread == getpid(), plan->inner_stack_top == sandbox.inner_stack_top,
            plan == sandbox.starting);
    for (int i = 0; i < plan->limits.count; i++)
        fprintf(file, "  limit %d: %llu %llu\n", plan->limits.entries[i].resource,
                (unsigned long long)plan->limits.entries[i].values.rlim_cur,
                (unsigned long long)plan->limits.entries[i].values.rlim_max);
    for (int i = 0; plan->environment[i]; i++)
        fprintf(file, "  %s\n", plan->environment[i]);
    write_fd("stdin", plan->stdin_fd);
    write_fd("stdout", plan->stdout_fd);
    write_fd("stderr", plan->stderr_fd);
    write_fd("folder", plan->folder_fd);
    fprintf(file, "  rules: %d\n", plan->ruleset_fd >= 0);
    for (int i = 0; i < CONFINE_CGROUPS_MAX && plan->cgroup_fds[i] >= 0; i++)
        write_fd("group", plan->cgroup_fds[i]);
    if (!is_stage)
        return;
    write_fd("user namespace", plan->user_namespace_fd);
    write_fd("mount namespace", plan->mount_namespace_fd);
    write_fd("network", plan->net_namespace_fd);
    write_fd("keeper", plan->keeper_fd);
    write_fd("life", plan->life_fd);
}

static void write_child(const struct sandbox_child *child)
{
    const struct sandbox_child_private *private = child->private;

    fprintf(file, "  has");
    for (int i = 0; i < 32; i++)
        if (child->layers & 1u << i)
            fprintf(file, " %s", sandbox_layer_name(1u << i));
    fprintf(file,
            "\n  watches threads %d, freezes by %d, traces %d, group %d, keeper %d, named %s\n",
            private->threads_watched, (int)private->freeze_way, !!private->refused_counts,
            private->group != 0, private->keeper_pid != 0, private->slot->name);
    write_fd("its input", child->stdin_fd);
    write_fd("its output", child->stdout_fd);
    write_fd("its errors", child->stderr_fd);
    write_fd("its set-up", child->setup_fd);
    write_fd("its /proc", private->proc_fd);
    fprintf(file, "  notifies: %d\n", child->notify_fd >= 0);
}

/* ---- the imitated machine ---- */

static pid_t start_process(int *pid_fd)
{
    pid_t pid = fork();

    if (pid == 0) {
        pause();
        _exit(0);
    }
    *pid_fd = (int)recorder_make(SYS_pidfd_open, pid, 0, 0, 0);
    return pid;
}

static int imitate_clone(int (*child_fn)(void *), int flags, struct confine_plan *plan, int *pid_fd)
{
    const bool is_stage = child_fn == confine_stage;
    pid_t pid;

    fprintf(file, "  clone %#x\n", (unsigned)flags);
    if (child_fn == confine_hold) {
        fputs("  a namespace, which the machine refuses\n", file);
        errno = EPERM;
        return -1;
    }
    write_plan(plan, is_stage);
    if (clone_error) {
        errno = clone_error;
        return -1;
    }
    plan->executing = true;
    plan->notify_fd = plan->notify ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    plan->proc_fd = plan->opens_proc ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (!is_stage)
        return start_process(pid_fd);
    plan->keeper_pid = start_process(&plan->keeper_pid_fd);
    plan->bot_pid = start_process(&plan->bot_pid_fd);
    pid = fork();
    if (pid == 0)
        _exit(0);
    return pid;
}

static void put(const char *site, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/0/%s", site, name);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

static void make_groups(const struct row *row)
{
    static const char *const controllers[] = {"memory", "pids"};
    static const char *const files[] = {"tasks",
                                        "cgroup.procs",
                                        "memory.limit_in_bytes",
                                        "memory.usage_in_bytes",
                                        "memory.max",
                                        "memory.max_usage_in_bytes",
                                        "memory.oom_control",
                                        "memory.events",
                                        "cgroup.freeze",
                                        "pids.max"};

    sandbox.cgroups.version = row->groups;
    for (int i = 0; row->groups && i < 2; i++) {
        char *site = sandbox.cgroups.folders[i], path[256];

        if (row->without && strcmp(row->without, controllers[i]) == 0)
            continue;
        snprintf(site, CGROUP_PATH_BYTES_MAX, "%s/%s", folder,
                 row->groups == 2 ? "both" : controllers[i]);
        mkdir(site, 0755);
        snprintf(path, sizeof path, "%s/0", site);
        mkdir(path, 0755);
        for (size_t j = 0; j < sizeof files / sizeof *files; j++)
            put(site, files[j]);
    }
}

static void make_machine(const struct row *row)
{
    static char stacks[16];
    struct slot *slot = &sandbox.slots[0];

    sandbox = (struct sandbox){.tier = row->tier,
                               .tier_is_known = true,
                               .machine = row->machine,
                               .keeper_fd = open("/dev/null", O_RDONLY),
                               .outer_stack_top = stacks,
                               .inner_stack_top = stacks + 8};
    pthread_mutex_init(&sandbox.mutex, NULL);
    pthread_mutex_init(&sandbox.starting_mutex, NULL);
    cr_assert_eq(pipe(sandbox.life_fds), 0);
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&sandbox.slots[i], row->uid);
    slot->mount_namespace_fd = open("/dev/null", O_RDONLY);
    if (row->has_user)
        slot->user_namespace_fd = open("/dev/null", O_RDONLY);
    if (row->has_net)
        slot->network.namespace_fd = open("/dev/null", O_RDONLY);
    sandbox.runtime = (struct runtime){
        .paths =
            {{.path = "/usr", .path_fd = open("/usr", O_PATH), .is_folder = true, .runs = true},
             {.path = "/etc/passwd", .path_fd = open("/etc/passwd", O_PATH)},
             {.path = "/dev/null", .path_fd = open("/dev/null", O_PATH), .is_device = true}},
        .path_count = 3};
    make_groups(row);
    recorder = (struct recorder){.fail_at = -1,
                                 .clone_fn = imitate_clone,
                                 .own_limit = row->own_limit ? row->own_limit : RLIM_INFINITY,
                                 .policy = row->policy};
}

static void end_machine(void)
{
    for (int i = 0; i < FILTER_VARIANTS; i++)
        filter_finish(&sandbox.filters[i]);
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_finish(&sandbox, &sandbox.slots[i]);
    runtime_finish(&sandbox.runtime);
    close(sandbox.keeper_fd);
    close(sandbox.life_fds[0]);
    close(sandbox.life_fds[1]);
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void expect_nothing_left(const char *name, int descriptor_count)
{
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "%s: a process is left", name);
    cr_expect_eq(sandbox.slots[0].state, SLOT_FREE, "%s: the slot stays taken", name);
    cr_expect_null(sandbox.starting);
    cr_expect_eq(count_descriptors(), descriptor_count, "%s: descriptors are left", name);
}

static int start(const struct row *row, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    struct sandbox_command command = row->command;

    if (!command.folder)
        command.folder = folder;
    recorder.count = 0;
    *failure = (struct sandbox_failure){0};
    return sandbox_spawn(&sandbox, &command, child, failure);
}

static void write_row(const struct row *row)
{
    const int descriptor_count = count_descriptors();
    struct sandbox_failure failure;
    struct sandbox_child child;
    int result, kept;

    make_machine(row);
    fprintf(file, "\n%s\n", row->name);
    result = start(row, &child, &failure);
    for (int i = 0; i < recorder.count; i++)
        fprintf(file, "  %s\n", recorder.lines[i]);
    if (result == 0)
        write_child(&child);
    else
        fprintf(file, "  not started: %d, %s: %s\n", result, failure.step, strerror(failure.error));
    sandbox_child_finish(&child);
    kept = count_descriptors();
    cr_expect_lt(start(&(struct row){.command = {.folder = "/none", .argv = argv, .cpu = -1}},
                       &child, &failure),
                 0);
    expect_nothing_left(row->name, kept);
    end_machine();
    expect_nothing_left(row->name, descriptor_count);
}

Test(plans, are_one_golden_text)
{
    const size_t cut = sizeof "/tmp/plans-" - 1;
    char *text = NULL, removal[64];
    size_t size;

#ifndef __x86_64__
    cr_skip_test("flags have other values on another architecture");
#endif
    cr_assert_not_null(mkdtemp(folder));
    file = open_memstream(&text, &size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(&rows[i]);
    fclose(file);
    for (char *at = text; (at = strstr(at, folder));) /* whose name differs each time */
        memcpy(at + cut, "FOLDER", 6);
    expect_golden("sandbox-plans.txt", text);
    free(text);
    snprintf(removal, sizeof removal, "rm -r %s", folder);
    cr_expect_eq(system(removal), 0);
}

Test(plans, a_clone_that_fails_is_told_and_leaves_nothing)
{
    static const int errors[] = {EAGAIN, ENOMEM, EPERM};

    cr_assert_not_null(mkdtemp(folder));
    file = fopen("/dev/null", "w");
    for (size_t i = 0; i < 2; i++) {
        const struct row *row = &rows[i ? 8 : 6]; /* with a stage, and without */
        int kept;

        make_machine(row);
        kept = count_descriptors();
        for (size_t j = 0; j < sizeof errors / sizeof *errors; j++) {
            struct sandbox_failure failure;
            struct sandbox_child child;

            clone_error = errors[j];
            cr_expect_eq(start(row, &child, &failure), -errors[j]);
            cr_expect_str_eq(failure.step, "clone");
            cr_expect_eq(failure.error, errors[j]);
            expect_nothing_left(row->name, kept);
        }
        end_machine();
    }
    fclose(file);
    rmdir(folder);
}
