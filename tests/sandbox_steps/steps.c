/*
 * What each process asks of the kernel before it executes, in order, and what the arena is told if
 * one of these calls fails: tests/golden/sandbox-steps.txt.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sandbox/runtime.h"
#include "tests/sandbox_steps/recorder.h"

enum {
    ARENA_PID = 77,
    FILTER_STEPS = 4,
};

static const char *const argv[] = {"./bot", "--fast", NULL};
static const char *const environment[] = {"PATH=/usr/bin", "HOME=/", NULL};

static const struct runtime runtime = {
    .paths = {{.path = "/usr", .is_folder = true, .runs = true},
              {.path = "/bin", .is_link = true, .link_target = "usr/bin", .runs = true},
              {.path = "/opt/node-20/bin", .is_folder = true, .runs = true},
              {.path = "/etc/ssl/openssl.cnf"},
              {.path = "/dev/null", .is_device = true}},
    .path_count = 5,
};

static const struct limits limits = {
    .entries = {{RLIMIT_CORE, {1, 1}}, {RLIMIT_NOFILE, {50, 60}}, {RLIMIT_CPU, {7, 8}}},
    .count = 3,
};
static const struct limits limits_of_files = {.entries = {{RLIMIT_NOFILE, {50, 60}}}, .count = 1};

static const struct row {
    const char *name;
    int (*child_fn)(void *plan);
    pid_t parent; /* whose PID getppid tells; 0: the arena */
    struct confine_plan plan;
} rows[] = {
    {"bot of the lite tier",
     confine_bot,
     0,
     {.path = "./bot", .cpu = -1, .cgroup_fds = {-1}, .user_namespace_fd = -1, .ruleset_fd = -1}},
    {"bot of the lite tier whose arena has died",
     confine_bot,
     1,
     {.path = "./bot", .cpu = -1, .cgroup_fds = {-1}, .user_namespace_fd = -1, .ruleset_fd = 40}},
    {"bot of the lite tier of root, on a core, in groups, of real-time priority",
     confine_bot,
     0,
     {.executable_fd = 41,
      .cpu = 3,
      .cgroup_fds = {50, 51, -1},
      .user_namespace_fd = -1,
      .ruleset_fd = 40,
      .uid = 1900000007,
      .notify = true,
      .gives_way = true}},
    {"bot of root",
     confine_stage,
     0,
     {.path = "/usr/bin/bot",
      .cpu = -1,
      .cgroup_fds = {50, -1},
      .user_namespace_fd = 42,
      .ruleset_fd = 40,
      .uid = 1900000007,
      .notify = true,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = 44,
      .proc = true,
      .opens_proc = true,
      .scratch_options = "size=1048576"}},
    {"bot of root without a user namespace, a network and /proc",
     confine_stage,
     0,
     {.path = "/usr/bin/bot",
      .cpu = 1,
      .cgroup_fds = {-1},
      .user_namespace_fd = -1,
      .ruleset_fd = 40,
      .uid = 65534,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = -1}},
    {"build of an ordinary user",
     confine_stage,
     0,
     {.executable_fd = 41,
      .cpu = -1,
      .cgroup_fds = {50, 51, 52, 53},
      .user_namespace_fd = 42,
      .ruleset_fd = 40,
      .notify = true,
      .gives_way = true,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = 44,
      .writable_folder = true,
      .proc = true,
      .scratch_options = "size=1048576"}},
    {"holder of a user namespace", confine_hold, 0, {.user_namespace_fd = -1}},
    {"holder of root's mounts",
     confine_hold,
     0,
     {.user_namespace_fd = -1,
      .trims_mounts = true,
      .runtime = &runtime,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWNET}},
    {"holder of an ordinary user's mounts",
     confine_hold,
     0,
     {.user_namespace_fd = 42, .runtime = &runtime, .namespace_flags = CLONE_NEWNS}},
};

/* Runs a row in which a call fails; leaves its lines in the recorder. */
static struct confine_plan run(const struct row *row, int fail_at, int error)
{
    struct sock_filter code[FILTER_STEPS] = {{0}};
    struct filter filter = {
        .code = code, .length = FILTER_STEPS, .pid_places = {2}, .pid_place_count = 1};
    struct confine_plan plan = row->plan;

    plan.argv = (char *const *)argv;
    plan.environment = (char *const *)environment;
    plan.stdin_fd = 30;
    plan.stdout_fd = 31;
    plan.stderr_fd = 32;
    plan.folder_fd = 33;
    plan.limits = row->plan.uid ? limits : limits_of_files;
    plan.filter = &filter;
    plan.landlock_abi = 6;
    plan.arena_pid = ARENA_PID;
    plan.arena_thread = 78;
    CPU_SET(0, &plan.cores);
    CPU_SET(5, &plan.cores);
    plan.mount_namespace_fd = 43;
    plan.folder = "/bots/alice";
    plan.keeper_fd = 45;
    plan.life_fd = 46;
    plan.inner_stack_top = code; /* whatever: nothing runs on it */
    plan.notify_fd = plan.proc_fd = plan.passing_fd = -1;
    plan.bot_pid_fd = plan.keeper_pid_fd = plan.stage_pid_fd = -1;
    recorder.records = true;
    recorder.count = 0;
    recorder.fail_at = fail_at;
    recorder.fail_error = error;
    recorder.parent = row->parent ? row->parent : ARENA_PID;
    recorder_run(row->child_fn, &plan);
    recorder.records = false;
    return plan;
}

/* Returns what the arena is told if a call fails. */
static const char *find_fault(const struct row *row, int call, int error)
{
    static char fault[2][128];
    static int next;
    struct confine_plan plan = run(row, call, error);

    next = !next;
    snprintf(fault[next], sizeof *fault, "%s%s%s", plan.failure.step ? plan.failure.step : "-",
             plan.failure.step && plan.failure.error != error ? ", for another reason" : "",
             plan.passing_fd >= 0 ? ", with a descriptor left" : "");
    return fault[next];
}

static void write_row(FILE *file, const struct row *row)
{
    static char lines[RECORDER_LINES_MAX][RECORDER_LINE_BYTES_MAX];
    struct confine_plan plan = run(row, -1, 0);
    const int count = recorder.count;

    fprintf(file, "\n%s\n", row->name);
    memcpy(lines, recorder.lines, sizeof lines);
    for (int i = 0; i < count; i++) {
        const char *fault = find_fault(row, i, EPROTO), *other = find_fault(row, i, EEXIST);

        fprintf(file, "    %s: %s%s%s\n", lines[i], fault, strcmp(fault, other) == 0 ? "" : "; ",
                strcmp(fault, other) == 0 ? "" : other);
    }
    fprintf(file, "  executing %d, notify %d, /proc %d, passing %d, bot %d %d, keeper %d %d, %s\n",
            plan.executing, plan.notify_fd, plan.proc_fd, plan.passing_fd, (int)plan.bot_pid,
            plan.bot_pid_fd, (int)plan.keeper_pid, plan.keeper_pid_fd,
            plan.failure.step ? plan.failure.step : "no failure");
}

Test(steps, are_one_golden_text)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

#ifndef __x86_64__
    cr_skip_test("flags have other values on another architecture");
#endif
    fputs("Each call: the failure that is told if it fails; if it fails with EEXIST.\n", file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(file, &rows[i]);
    fclose(file);
    expect_golden("sandbox-steps.txt", text);
    free(text);
}
