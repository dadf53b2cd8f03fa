/* SPDX-License-Identifier: MIT */
/* What a confined child is given, seen from outside while it lives: limits, mounts, its keeper. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/process_scan.h"
#include "sandbox/prepared.h"
#include "tests/sandbox/confined.h"

enum {
    START_US = 20000000,
    TEXT_BYTES_MAX = 65536,
    DEPTH_MAX = 256, /* of folders that are given away */
    PATIENCE_US = 10000000,
    ORDINARY_UID = 61234, /* of nobody */
};

/* Starts a child that stays, and waits until its program runs. */
static struct sandbox_child start(struct sandbox *sandbox, struct sandbox_command command)
{
    static const char *const argv[] = {"sh", "-c", "echo; read line", NULL};
    struct sandbox_failure failure = {0};
    struct sandbox_child child;

    command.argv = argv;
    command.executable_fd = command.cpu = -1;
    cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
    cr_assert(death_poll(child.stdout_fd, death_now_us() + START_US), "it does not start");
    return child;
}

static const char *read_proc(pid_t pid, const char *name)
{
    static char text[TEXT_BYTES_MAX];
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    file = fopen(path, "re");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* ---- limits ---- */

static const struct sandbox_limits limits = {.memory_bytes = 100 << 20,
                                             .process_count = 3,
                                             .thread_count = 7,
                                             .open_file_count = 50,
                                             .cpu_s = 77,
                                             .scratch_bytes = 1 << 20};

static const struct {
    const char *name;
    const char *bot, *build; /* soft and hard; "": not told */
} wanted[] = {
    {"Max core file size", "1 1", "1 1"}, {"Max file size", "1048576 1048576", ""},
    {"Max locked memory", "0 0", "0 0"},  {"Max msgqueue size", "0 0", "0 0"},
    {"Max nice priority", "0 0", "0 0"},  {"Max realtime priority", "0 0", "0 0"},
    {"Max open files", "50 50", "50 50"}, {"Max cpu time", "77 78", "77 78"},
};

/* Finds "NAME SOFT HARD UNITS", with any number of spaces between them. */
static void find_limit(const char *text, const char *name, char found[static 64])
{
    const char *line = strstr(text, name);
    char soft[24], hard[24];

    cr_assert_not_null(line, "%s", name);
    cr_assert_eq(sscanf(line + strlen(name), "%23s %23s", soft, hard), 2);
    snprintf(found, 64, "%s %s", soft, hard);
}

Test(outside, limits_are_those_of_the_child)
{
    char folder[] = "/tmp/outside-XXXXXX";

    /* What the arena itself may do is not what its children may. */
    setrlimit(RLIMIT_RTPRIO, &(struct rlimit){5, 5});
    setrlimit(RLIMIT_NICE, &(struct rlimit){5, 5});
    cr_assert_not_null(mkdtemp(folder));
    for (int is_build = 0; is_build < 2; is_build++) {
        struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
        struct sandbox_child child =
            start(sandbox, (struct sandbox_command){.folder = is_build ? folder : "/usr",
                                                    .profile = is_build ? SANDBOX_PROFILE_BUILD
                                                                        : SANDBOX_PROFILE_BOT,
                                                    .limits = limits});
        const char *text = read_proc(child.pid, "limits");

        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            const char *value = is_build ? wanted[i].build : wanted[i].bot;
            char found[64];

            find_limit(text, wanted[i].name, found);
            if (*value)
                cr_expect_str_eq(found, value, "%s of %s: %s", wanted[i].name,
                                 is_build ? "a build" : "a bot", found);
            else /* a build writes larger files than a bot has scratch */
                cr_expect_str_neq(found, wanted[i].bot);
        }
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
    rmdir(folder);
}

/* ---- mounts ---- */

Test(outside, each_file_of_proc_that_a_bot_may_read_is_pinned)
{
    static const char *const files[] = {"auxv",      "cgroup", "cmdline", "environ", "maps",
                                        "mountinfo", "stat",   "statm",   "status"};
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    struct sandbox_child child;
    const char *text;

    if (sandbox->tier < SANDBOX_TIER_FULL || !sandbox->machine.proc)
        cr_skip_test("this machine lets no /proc be mounted");
    child = start(sandbox, (struct sandbox_command){.folder = "/usr"});
    text = read_proc(child.pid, "mountinfo");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char point[64];

        snprintf(point, sizeof point, "/%s ", files[i]);
        cr_expect(strstr(text, point), "%s is not bound:\n%s", files[i], text);
    }
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}

/* ---- the keeper ---- */

Test(outside, the_keeper_knows_nothing_of_the_arena)
{
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    struct sandbox_child child;

    if (sandbox->tier < SANDBOX_TIER_FULL || geteuid() != 0)
        cr_skip_test("no keepers here, or nobody but root may look at them");
    child = start(sandbox, (struct sandbox_command){.folder = "/usr"});
    cr_assert_gt(child.private->keeper_pid, 0);
    cr_expect_str_eq(read_proc(child.private->keeper_pid, "environ"), "");
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}

/* ---- looks at all processes of a child ---- */

/* Without groups the arena adds up the processes' memory. */
Test(outside, a_child_that_was_looked_at_leaves_no_descriptor)
{
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    const struct sandbox_command command = {.folder = "/usr", .limits = {.process_count = 4}};
    const int64_t until_us = death_now_us() + PATIENCE_US;
    int descriptor_count = 0;

    if (sandbox->tier < SANDBOX_TIER_FULL || !sandbox->machine.proc)
        cr_skip_test("this machine lets no /proc be mounted");
    for (int i = 0; i < 2; i++) { /* the first one opens what is kept for the next ones */
        struct sandbox_child child = start(sandbox, command);

        while (!child.private->scan && death_now_us() < until_us) {
            sandbox_child_watch(&child);
            usleep(1000);
        }
        cr_expect(child.private->scan, "nobody looked");
        sandbox_child_finish(&child);
        if (i == 0) {
            usleep(200000);
            descriptor_count = confined_count_descriptors();
        }
    }
    while (confined_count_descriptors() > descriptor_count && death_now_us() < until_us)
        usleep(1000);
    cr_expect_leq(confined_count_descriptors(), descriptor_count);
    sandbox_destroy(sandbox);
}

/* ---- folders that are given to a build ---- */

static int give_folders(int depth, uid_t owner)
{
    char folder[] = "/tmp/outside-XXXXXX", removal[64];
    int fd, result;

    cr_assert_not_null(mkdtemp(folder));
    fd = open(folder, O_PATH | O_DIRECTORY);
    for (int i = 0; i < depth; i++) {
        int below_fd;

        cr_assert_eq(mkdirat(fd, "d", 0755), 0);
        below_fd = openat(fd, "d", O_PATH | O_DIRECTORY);
        close(fd);
        fd = below_fd;
    }
    result = sandbox_give_folder(folder, owner);
    if (result == 0) {
        struct stat status;

        cr_assert_eq(fstat(fd, &status), 0);
        cr_expect_eq(status.st_uid, owner);
        cr_expect_eq(status.st_gid, owner);
    }
    close(fd);
    snprintf(removal, sizeof removal, "rm -r %s", folder);
    cr_expect_eq(system(removal), 0);
    return result;
}

Test(outside, folders_are_given_away_down_to_a_depth)
{
    const uid_t owner = geteuid() == 0 ? 65534 : geteuid();

    cr_expect_eq(give_folders(0, owner), 0);
    cr_expect_eq(give_folders(DEPTH_MAX, owner), 0);
    cr_expect_eq(give_folders(DEPTH_MAX + 1, owner), -ELOOP);
    cr_expect_eq(sandbox_give_folder("/nonexistent", owner), -ENOENT);
}

/* ---- control groups ---- */

/*
 * The list of groups that a child joins ends where it should: nothing else is written to. The pipe
 * is there from the start, since groups that cannot be joined are done without.
 */
Test(outside, a_child_joins_its_groups_alone)
{
    struct sandbox *sandbox;
    struct sandbox_child child;
    int fds[2];
    char byte;

    cr_assert_eq(pipe2(fds, O_NONBLOCK), 0);
    cr_assert_eq(dup2(fds[1], STDIN_FILENO), STDIN_FILENO);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    if (sandbox->tier < SANDBOX_TIER_FULL_CG)
        cr_skip_test("this machine gives no control groups");
    child = start(sandbox, (struct sandbox_command){.folder = "/usr"});
    cr_expect_eq(read(fds[0], &byte, 1), -1, "it wrote to another descriptor");
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}

/* Starts a bot, or a build in the folder. */
static struct sandbox_child start_one(struct sandbox *sandbox, const char *folder, bool is_build)
{
    return start(sandbox, (struct sandbox_command){.folder = is_build ? folder : "/usr",
                                                   .profile = is_build ? SANDBOX_PROFILE_BUILD
                                                                       : SANDBOX_PROFILE_BOT});
}

static const struct {
    const char *who, *shares; /* of a group of version 1 */
    bool is_build, is_idle;
    int session_nice;
} weights[] = {
    {"a bot gets as much as another, however many threads it has", "1024\n", false, false, 0},
    {"a build gets a tenth of that", "102\n", true, false, 10},
    {"all bots of an arena under SCHED_IDLE get next to nothing", "10\n", false, true, 19},
};

static void become_idle(void)
{
    cr_assert_eq(sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}), 0);
}

Test(outside, each_child_has_its_share_of_the_processor_in_a_group_of_version_1)
{
    char folder[] = "/tmp/outside-XXXXXX", path[CGROUP_PATH_BYTES_MAX + 64], shares[16];

    cr_assert_not_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        struct sandbox *sandbox;
        struct sandbox_child child;
        char *group;
        FILE *file;

        if (weights[i].is_idle)
            become_idle();
        sandbox = confined_open(SANDBOX_TIER_FULL_CG);
        if (sandbox->cgroups.version != 1 || !sandbox->cgroups.folders[CGROUP_CPU][0])
            cr_skip_test("this machine gives no cpu groups of version 1");
        child = start_one(sandbox, folder, weights[i].is_build);
        group = strstr(read_proc(child.pid, "cgroup"), ":cpu:");
        cr_assert_not_null(group);
        group[strcspn(group, "\n")] = '\0';
        cr_expect_not_null(strstr(group, "pavilion-"), "%s", group);
        snprintf(path, sizeof path, "%s/%scpu.shares", sandbox->cgroups.folders[CGROUP_CPU],
                 weights[i].is_idle ? "" : "0/");
        file = fopen(path, "re");
        cr_assert_not_null(file, "%s", path);
        cr_assert_not_null(fgets(shares, sizeof shares, file));
        fclose(file);
        cr_expect_str_eq(shares, weights[i].shares, "%s: %s", weights[i].who, shares);
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
    rmdir(folder);
}

/* An arena that was started with chrt, nice or ionice does not hand its priority on. */
Test(outside, priorities_of_the_arena_are_not_those_of_a_child)
{
    enum {
        WHO_PROCESS = 1,
        REAL_TIME = 1 << 13
    };
    const enum sandbox_tier tiers[] = {SANDBOX_TIER_LITE, SANDBOX_TIER_FULL};
    char folder[] = "/tmp/outside-XXXXXX";

    if (setpriority(PRIO_PROCESS, 0, -5) < 0 ||
        sched_setscheduler(0, SCHED_RR, &(struct sched_param){1}) < 0 ||
        syscall(SYS_ioprio_set, WHO_PROCESS, 0, REAL_TIME) < 0)
        cr_skip_test("only root may raise priorities");
    cr_assert_not_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        const bool is_build = i == 2;
        struct sandbox *sandbox = confined_open(tiers[i > 0]);
        struct sandbox_child child = start_one(sandbox, folder, is_build);

        cr_expect_eq(sched_getscheduler(child.pid), SCHED_OTHER, "%d", i);
        cr_expect_eq(getpriority(PRIO_PROCESS, (id_t)child.pid), is_build ? 10 : 0, "%d", i);
        cr_expect_eq(syscall(SYS_ioprio_get, WHO_PROCESS, child.pid), 0, "%d", i);
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
    rmdir(folder);
}

/* ---- when the machine's memory runs out ---- */

static const struct {
    const char *own, *wanted; /* values of oom_score_adj */
} scores[] = {{"-500", "300"}, {"0", "300"}, {"200", "500"}, {"900", "1000"}};

static void expect_scores(bool ordinary)
{
    const size_t count = sizeof scores / sizeof *scores;

    for (size_t i = ordinary ? count - 1 : 0; i < count; i++) {
        struct sandbox_failure failure;
        struct sandbox *sandbox;
        struct sandbox_child child;

        if (!ordinary && process_write(getpid(), "oom_score_adj", scores[i].own) < 0)
            continue; /* only root may lower the value */
        sandbox = confined_open(SANDBOX_TIER_FULL);
        child = start(sandbox, (struct sandbox_command){.folder = "/usr"});
        cr_expect_eq(sandbox_child_setup(&child, &failure), SANDBOX_SETUP_RUNNING);
        cr_expect_eq(atoi(read_proc(child.pid, "oom_score_adj")), atoi(scores[i].wanted),
                     "the arena's is %s", scores[i].own);
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
}

/* Of two children that start at once, the kernel first refuses the nice value of the second. */
static void expect_low_sessions(size_t row)
{
    char folder[] = "/tmp/outside-XXXXXX";
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    struct sandbox_child children[2];

    cr_assert_not_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++)
        children[i] = start_one(sandbox, folder, weights[row].is_build);
    for (int i = 0; i < 2; i++) {
        const int64_t until_us = death_now_us() + 6 * PATIENCE_US;
        int nice = 0;

        while (nice != weights[row].session_nice && death_now_us() < until_us) {
            sandbox_child_watch(&children[i]);
            cr_assert_eq(sscanf(read_proc(children[i].pid, "autogroup"), "%*s nice %d", &nice), 1);
        }
        cr_expect_eq(nice, weights[row].session_nice, "%s: %d", weights[row].who, nice);
        sandbox_child_finish(&children[i]);
    }
    sandbox_destroy(sandbox);
    rmdir(folder);
}

Test(outside, sessions_have_the_weight_of_what_they_do, .timeout = 150)
{
    const size_t count = sizeof weights / sizeof *weights;

    if (access("/proc/self/autogroup", F_OK) < 0)
        cr_skip_test("the kernel does not divide the processor among sessions");
    for (size_t row = 0; row + 1 < count; row++)
        expect_low_sessions(row);
    if (getuid() == 0 && setresuid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID) == 0)
        expect_low_sessions(1);
    become_idle(); /* an ordinary user has no way back */
    expect_low_sessions(count - 1);
}

Test(outside, the_kernel_kills_a_child_rather_than_the_arena)
{
    expect_scores(false);
    if (getuid() == 0 && setresuid(ORDINARY_UID, ORDINARY_UID, ORDINARY_UID) == 0)
        expect_scores(true); /* of an arena with the last of the values */
}
