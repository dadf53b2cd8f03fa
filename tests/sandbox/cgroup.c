/*
 * Control groups of version 2, as far as they can be imitated: a folder with ordinary files takes
 * the place of the hierarchy. The freezer is the kernel's if this machine has a hierarchy of
 * version 2, because freezing needs no controllers.
 */
#include "sandbox/cgroup.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MEMORY_BYTES = 64 << 20,
    TASKS = 33,
    SILENT_MS = 150,
    PATIENCE_MS = 10000,
    PATH_BYTES_MAX = 512,
};

static char tree[32];            /* "/tmp/groups-XXXXXX" */
static char own[PATH_BYTES_MAX]; /* the arena's folder in the group that it was started in */

static void path_of(char path[static PATH_BYTES_MAX], const char *folder, const char *name)
{
    cr_assert_lt(snprintf(path, PATH_BYTES_MAX, "%s/%s", folder, name), PATH_BYTES_MAX);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[PATH_BYTES_MAX];
    FILE *file;

    path_of(path, folder, name);
    file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

static void expect_file(const char *folder, const char *name, const char *text)
{
    char path[PATH_BYTES_MAX], found[256] = "";
    FILE *file;

    path_of(path, folder, name);
    file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(found, text, "%s: '%s' is not '%s'", name, found, text);
}

/* Creates the tree of an arena started in the group /unit, with these controllers. */
static void lay_tree(const char *controllers)
{
    char path[PATH_BYTES_MAX], text[256];
    struct stat namespace;

    strcpy(tree, "/tmp/groups-XXXXXX");
    cr_assert_not_null(mkdtemp(tree));
    path_of(path, tree, "unit");
    mkdir(path, 0755);
    put(path, "cgroup.controllers", controllers);
    put(path, "cgroup.subtree_control", "");
    cr_assert_eq(stat("/proc/self/ns/pid", &namespace), 0);
    cr_assert_lt(snprintf(own, sizeof own, "%s/pavilion-%llu-%d", path,
                          (unsigned long long)namespace.st_ino, (int)getpid()),
                 PATH_BYTES_MAX);
    mkdir(own, 0755);
    put(own, "cgroup.subtree_control", "");
    snprintf(text, sizeof text,
             "proc /proc proc rw 0 0\ncgroup /none cgroup rw,cpu 0 0\ncgroup2 %s cgroup2 rw 0 0\n",
             tree);
    put(tree, "mounts", text);
    put(tree, "groups", "3:cpu:/elsewhere\n0::/unit\n");
}

static void remove_tree(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", tree);
    cr_assert_eq(system(command), 0);
}

static void find(struct cgroup_site *site)
{
    char mounts[PATH_BYTES_MAX], groups[PATH_BYTES_MAX];

    path_of(mounts, tree, "mounts");
    path_of(groups, tree, "groups");
    cgroup_site_find(site, mounts, groups);
}

Test(cgroup, a_delegated_group_is_found_and_its_controllers_switched_on)
{
    struct cgroup_site site;
    char unit[PATH_BYTES_MAX];

    lay_tree("cpuset cpu io memory hugetlb pids\n");
    find(&site);
    cr_expect_eq(site.version, 2);
    cr_expect_str_eq(site.folders[CGROUP_MEMORY], own);
    cr_expect_str_eq(site.folders[CGROUP_PIDS], own);
    cr_expect_str_eq(site.home, "");
    path_of(unit, tree, "unit");
    expect_file(unit, "cgroup.subtree_control", "+cpu +memory +pids");
    expect_file(own, "cgroup.subtree_control", "+cpu +memory +pids");
    remove_tree();
}

static const char *const lacking[] = {"cpuset cpu io pids\n", "cpu memory\n", "memoryx pids\n", ""};

Test(cgroup, a_group_without_its_controllers_is_not_taken)
{
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        struct cgroup_site site;

        lay_tree(lacking[i]);
        find(&site);
        cr_expect_eq(site.version, 0, "'%s'", lacking[i]);
        cr_expect_str_eq(site.folders[CGROUP_MEMORY], "");
        remove_tree();
    }
}

/* Creates the group of slot 0, with the files that the kernel would create. */
static void lay_slot(char slot[static PATH_BYTES_MAX])
{
    static const char *const files[] = {"cgroup.procs",     "cgroup.freeze", "memory.max",
                                        "memory.oom.group", "pids.max",      "memory.swap.max"};

    path_of(slot, own, "0");
    mkdir(slot, 0755);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(slot, files[i], "");
    put(slot, "memory.current", "1048576\n");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 18\noom_group_kill 0\n");
}

Test(cgroup, limits_are_written_and_counters_read)
{
    struct cgroup_site site;
    struct cgroup cgroup;
    char slot[PATH_BYTES_MAX];

    lay_tree("memory pids\n");
    find(&site);
    lay_slot(slot);
    cr_assert_eq(cgroup_init(&cgroup, &site, 0), 0);
    put(slot, "cpu.weight", "");
    cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BUILD), 0);
    expect_file(slot, "cpu.weight", "10");
    expect_file(slot, "memory.max", "67108864");
    expect_file(slot, "memory.swap.max", "0");
    expect_file(slot, "memory.oom.group", "1");
    expect_file(slot, "pids.max", "33");

    cr_expect_not(cgroup_ran_out_of_memory(&cgroup), "kills before it do not count");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 7\noom 4\noom_kill 18\noom_group_kill 0\n");
    cr_expect_not(cgroup_ran_out_of_memory(&cgroup), "nobody was killed");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 9\noom 4\noom_kill 19\noom_group_kill 1\n");
    cr_expect(cgroup_ran_out_of_memory(&cgroup));
    cr_expect_eq(cgroup_memory_peak_bytes(&cgroup), 0, "not told");

    cr_expect_not(cgroup_is_stained(&cgroup));
    put(slot, "memory.current", "50000000\n");
    cr_expect(cgroup_is_stained(&cgroup));

    cr_expect(cgroup_can_freeze(&cgroup));
    cr_expect_eq(cgroup_freeze(&cgroup, true), 0);
    expect_file(slot, "cgroup.freeze", "1");
    cr_expect_eq(cgroup_freeze(&cgroup, false), 0);
    expect_file(slot, "cgroup.freeze", "0");
    cr_expect_eq(cgroup_freeze(&cgroup, true), 0);
    cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BOT), 0);
    expect_file(slot, "cgroup.freeze", "0");
    cgroup_finish(&cgroup, &site, 0);
    remove_tree();
}

/* Finds the hierarchy of version 2 on this machine, if the arena may create groups in it. */
static bool find_real(struct cgroup_site *site)
{
    static const char *const places[] = {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"};

    *site = (struct cgroup_site){.version = 2};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[PATH_BYTES_MAX];

        path_of(path, places[i], "cgroup.procs");
        if (access(path, W_OK) < 0)
            continue;
        snprintf(site->folders[CGROUP_MEMORY], CGROUP_PATH_BYTES_MAX, "%s/freezing-%d", places[i],
                 (int)getpid());
        strcpy(site->folders[CGROUP_PIDS], site->folders[CGROUP_MEMORY]);
        if (mkdir(site->folders[CGROUP_MEMORY], 0755) == 0)
            return true;
    }
    return false;
}

/* Starts a process that prints a byte repeatedly. */
static pid_t start_ticking(const struct cgroup *cgroup, int output_fd)
{
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    if (write(cgroup->join_fds[CGROUP_MEMORY], "0", 1) < 0)
        _exit(1);
    while (write(output_fd, "x", 1) == 1)
        usleep(1000);
    _exit(0);
}

static bool ticks(int fd, int limit_ms)
{
    return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, limit_ms) > 0;
}

static bool falls_silent(int fd)
{
    char bytes[4096];

    for (int waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += SILENT_MS) {
        while (read(fd, bytes, sizeof bytes) > 0)
            ;
        if (!ticks(fd, SILENT_MS))
            return true;
    }
    return false;
}

Test(cgroup, the_kernels_freezer_stops_all_of_a_group_until_the_next_begins)
{
    struct cgroup_site site;
    struct cgroup cgroup;
    int output[2];
    pid_t pids[2];

    if (!find_real(&site))
        cr_skip_test("no tree of version 2 to make groups in");
    cr_assert_eq(pipe2(output, O_NONBLOCK), 0);
    cr_assert_eq(cgroup_init(&cgroup, &site, 0), 0);
    cr_expect(cgroup_can_freeze(&cgroup));
    for (int i = 0; i < 2; i++)
        pids[i] = start_ticking(&cgroup, output[1]);
    for (int cycle = 0; cycle < 3; cycle++) {
        cr_expect(ticks(output[0], PATIENCE_MS), "cycle %d: does not run", cycle);
        cr_expect_eq(cgroup_freeze(&cgroup, true), 0);
        for (int i = 0; i < 2; i++)
            kill(pids[i], SIGCONT);
        cr_expect(falls_silent(output[0]), "cycle %d: runs while it is stopped", cycle);
        cr_expect_eq(cgroup_freeze(&cgroup, false), 0);
    }
    cgroup_freeze(&cgroup, true);
    for (int i = 0; i < 2; i++) {
        kill(pids[i], SIGKILL); /* what is stopped can be killed */
        cr_expect_eq(waitpid(pids[i], NULL, 0), pids[i]);
    }
    cr_expect(falls_silent(output[0]));
    cgroup.memory_bytes = MEMORY_BYTES; /* as if they were set: this tree may have no controllers */
    cgroup.task_count = TASKS;
    cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BOT), 0);
    pids[0] = start_ticking(&cgroup, output[1]);
    cr_expect(ticks(output[0], PATIENCE_MS), "the next one in the group is frozen as well");
    kill(pids[0], SIGKILL);
    cr_expect_eq(waitpid(pids[0], NULL, 0), pids[0]);
    cgroup_finish(&cgroup, &site, 0);
    cr_expect_eq(rmdir(site.folders[CGROUP_MEMORY]), 0);
}
