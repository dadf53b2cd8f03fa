/* SPDX-License-Identifier: MIT */
/*
 * Control groups, with ordinary files in place of the kernel's: they keep what is written, and tell
 * what the test puts in. The freezer is the kernel's if this machine has a hierarchy of version 2,
 * because freezing needs no controllers.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "sandbox/prepared.h"
#include "tests/sandbox/confined.h"

enum {
    MEMORY_BYTES = 64 << 20,
    TASKS = 33,
    SILENT_MS = 150,
    PATIENCE_MS = 10000,
    PATH_BYTES_MAX = 768,
};

static char tree[32]; /* "/tmp/groups-XXXXXX" */

static const char *below(const char *folder, const char *name)
{
    static char paths[4][PATH_BYTES_MAX];
    static int next;
    char *path = paths[next++ % 4];

    cr_assert_lt(snprintf(path, PATH_BYTES_MAX, "%s/%s", folder, name), PATH_BYTES_MAX);
    return path;
}

static void put(const char *folder, const char *name, const char *text)
{
    FILE *file = fopen(below(folder, name), "w");

    cr_assert_not_null(file, "%s/%s", folder, name);
    fputs(text, file);
    fclose(file);
}

static void expect_file(const char *folder, const char *name, const char *text)
{
    char found[256] = "";
    FILE *file = fopen(below(folder, name), "r");

    cr_assert_not_null(file, "%s/%s", folder, name);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(found, text, "%s: '%s' is not '%s'", name, found, text);
}

static bool exists(const char *folder, const char *name)
{
    return access(below(folder, name), F_OK) == 0;
}

/* A machine with a hierarchy for each controller; the arena was started in the group /box. */
static void lay_machine(void)
{
    char text[512];

    strcpy(tree, "/tmp/groups-XXXXXX");
    cr_assert_not_null(mkdtemp(tree));
    mkdir(below(tree, "memory"), 0755);
    mkdir(below(tree, "memory/box"), 0755);
    mkdir(below(tree, "pids"), 0755);
    snprintf(text, sizeof text,
             "tmpfs /sys/fs/cgroup tmpfs rw,memory 0 0\n"
             "cgroup %s/wrong cgroup rw,memoryx,cpu 0 0\n"
             "cgroup %s/memory cgroup rw,nosuid,memory 0 0\n"
             "cgroup %s/pids cgroup rw,pids,nosuid,cpuacct 0 0\n",
             tree, tree, tree);
    put(tree, "mounts", text);
    put(tree, "groups", "no colon\n9:cpu,memoryx:/wrong\n8:cpu,memory:/box\n7:pids,cpuacct:/\n");
}

static void remove_tree(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", tree);
    cr_assert_eq(system(command), 0);
}

static void find(struct cgroup_site *site)
{
    cgroup_site_find(site, below(tree, "mounts"), below(tree, "groups"));
}

/* Returns the name of a process's folder: "pavilion-4026531836-123". */
static const char *site_name(pid_t pid)
{
    static char names[2][64];
    static int next;
    struct stat namespace;

    cr_assert_eq(stat("/proc/self/ns/pid", &namespace), 0);
    snprintf(names[++next % 2], sizeof names[0], "pavilion-%llu-%d",
             (unsigned long long)namespace.st_ino, (int)pid);
    return names[next % 2];
}

/* ---- where the groups are ---- */

Test(cgroup_one, each_controller_has_a_folder_in_the_arenas_own_group)
{
    struct cgroup_site site;
    struct stat status;

    lay_machine();
    find(&site);
    cr_expect_eq(site.version, 1);
    cr_expect_str_eq(site.folders[CGROUP_MEMORY],
                     below(below(tree, "memory/box"), site_name(getpid())));
    cr_expect_str_eq(site.folders[CGROUP_PIDS], below(below(tree, "pids"), site_name(getpid())));
    cr_expect(exists(site.folders[CGROUP_MEMORY], "."));
    cr_expect(exists(site.folders[CGROUP_PIDS], "."));
    cr_assert_eq(stat(site.folders[CGROUP_MEMORY], &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755);
    find(&site); /* again: the folders exist */
    cr_expect_eq(site.version, 1);

    cgroup_site_finish(&site);
    cr_expect_not(exists(below(tree, "memory/box"), site_name(getpid())));
    cr_expect_not(exists(below(tree, "pids"), site_name(getpid())));
    cr_expect_eq(site.version, 0);
    remove_tree();
}

/* In a container the group's path is one on the host, where nothing is mounted. */
Test(cgroup_one, a_group_that_is_not_seen_is_the_mounted_one)
{
    struct cgroup_site site;

    lay_machine();
    put(tree, "groups", "8:memory:/docker/1234\n");
    find(&site);
    cr_expect_eq(site.version, 1, "one controller is enough");
    cr_expect_str_eq(site.folders[CGROUP_MEMORY],
                     below(below(tree, "memory"), site_name(getpid())));
    cr_expect_str_eq(site.folders[CGROUP_PIDS], "");
    cgroup_site_finish(&site);
    put(tree, "groups", "8:pids:/\n");
    find(&site);
    cr_expect_eq(site.version, 1);
    cr_expect_str_eq(site.folders[CGROUP_MEMORY], "");
    cgroup_site_finish(&site);
    remove_tree();
}

static const struct {
    const char *name, *mounts, *groups;
} nowhere[] = {
    {"no mounts", "", "8:memory:/\n"},
    {"no groups", NULL, ""},
    {"no lists", "-", "-"},
    {"a mount that cannot be written to", "cgroup /proc/nothing cgroup rw,memory 0 0\n",
     "8:memory:/\n"},
};

Test(cgroup_one, a_machine_without_has_none)
{
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        struct cgroup_site site = {.version = 9};

        lay_machine();
        if (nowhere[i].mounts)
            put(tree, "mounts", nowhere[i].mounts);
        put(tree, "groups", nowhere[i].groups);
        if (nowhere[i].mounts && *nowhere[i].mounts == '-')
            cgroup_site_find(&site, "/nonexistent", "/nonexistent");
        else
            find(&site);
        cr_expect_eq(site.version, 0, "%s", nowhere[i].name);
        cr_expect_str_eq(site.folders[CGROUP_MEMORY], "", "%s", nowhere[i].name);
        cgroup_site_finish(&site);
        remove_tree();
    }
}

Test(cgroup_one, folders_of_dead_arenas_are_removed)
{
    const int descriptor_count = confined_count_descriptors();
    struct cgroup_site site;
    char living[PATH_BYTES_MAX], dead[PATH_BYTES_MAX], other[PATH_BYTES_MAX];
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    lay_machine();
    strcpy(dead, below(below(tree, "memory/box"), site_name(pid)));
    strcpy(living, below(below(tree, "memory/box"), site_name(getppid())));
    strcpy(other, below(tree, "memory/box/pavilion-1-999999999"));
    mkdir(dead, 0755);
    mkdir(below(dead, "0"), 0755);
    mkdir(below(dead, "1"), 0755);
    mkdir(living, 0755);
    mkdir(other, 0755);
    mkdir(below(tree, "memory/box/else"), 0755);
    find(&site);
    cr_expect_not(exists(dead, "."));
    cr_expect(exists(living, "."));
    cr_expect(exists(other, "."), "of another PID namespace");
    cr_expect(exists(tree, "memory/box/else"));
    cgroup_site_finish(&site);
    remove_tree();
    cr_expect_eq(confined_count_descriptors(), descriptor_count);
}

/* ---- the group in which the arena was started ---- */

Test(cgroup_one, the_arenas_own_group_tells_its_limit_and_kills)
{
    const int descriptor_count = confined_count_descriptors();
    struct cgroup_home home;

    lay_machine();
    put(tree, "memory/box/memory.limit_in_bytes", "9223372036854771712\n");
    put(tree, "memory/box/memory.stat", "cache 5\nhierarchical_memory_limit 1782579200\n");
    put(tree, "memory/box/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    mkdir(below(tree, "pids/inner"), 0755);
    put(tree, "pids/inner/pids.max", "max\n");
    put(tree, "pids/pids.max", "2048\n");
    put(tree, "groups", "8:cpu,memory:/box\n7:pids:/inner\n");
    cgroup_home_find(&home, below(tree, "mounts"), below(tree, "groups"));
    cr_expect_eq(home.memory_bytes, 1700 << 20, "of a group around it");
    cr_expect_eq(home.task_count, 2048, "of a group around it");
    cr_expect_eq(cgroup_home_oom_kills(&home), 2);
    put(tree, "memory/box/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    cr_expect_eq(cgroup_home_oom_kills(&home), 3);
    cgroup_home_finish(&home);
    put(tree, "mounts", "");
    cgroup_home_find(&home, below(tree, "mounts"), below(tree, "groups"));
    cr_expect_eq(home.memory_bytes, INT64_MAX, "no group, no limit");
    cr_expect_eq(home.task_count, INT64_MAX, "no group, no limit");
    cr_expect_eq(cgroup_home_oom_kills(&home), 0);
    cgroup_home_finish(&home);
    remove_tree();
    cr_expect_eq(confined_count_descriptors(), descriptor_count);
}

/* ---- the groups of a slot ---- */

/* Creates the folders of slot 0, with the files that the kernel would create. */
static void lay_slot(const struct cgroup_site *site, bool swap)
{
    const char *memory = site->folders[CGROUP_MEMORY], *pids = site->folders[CGROUP_PIDS];

    mkdir(below(memory, "0"), 0755);
    mkdir(below(pids, "0"), 0755);
    for (const char *const *name =
             (const char *const[]){"tasks", "cgroup.procs", "memory.limit_in_bytes",
                                   "memory.max_usage_in_bytes", "memory.swappiness", NULL};
         *name; name++)
        put(below(memory, "0"), *name, "");
    if (swap)
        put(below(memory, "0"), "memory.memsw.limit_in_bytes", "");
    put(below(memory, "0"), "memory.usage_in_bytes", "1048576\n");
    put(below(memory, "0"), "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    put(below(pids, "0"), "tasks", "");
    put(below(pids, "0"), "cgroup.procs", "");
    put(below(pids, "0"), "pids.max", "");
}

Test(cgroup_one, limits_are_written_and_counters_read)
{
    const int descriptor_count = confined_count_descriptors();

    for (int swap = 0; swap < 2; swap++) {
        struct cgroup_site site;
        struct cgroup cgroup;
        char memory[PATH_BYTES_MAX], pids[PATH_BYTES_MAX];

        lay_machine();
        find(&site);
        lay_slot(&site, swap);
        strcpy(memory, below(site.folders[CGROUP_MEMORY], "0"));
        strcpy(pids, below(site.folders[CGROUP_PIDS], "0"));
        cr_assert_eq(cgroup_init(&cgroup, &site, 0), 0);
        cr_expect_geq(cgroup.join_fds[CGROUP_MEMORY], 0);
        cr_expect_geq(cgroup.join_fds[CGROUP_PIDS], 0);
        cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BOT), 0);
        cr_expect_eq(cgroup_cpu_us(&cgroup), -1, "not told");
        expect_file(memory, "memory.limit_in_bytes", "67108864");
        expect_file(memory, "memory.max_usage_in_bytes", "0");
        expect_file(memory, "memory.swappiness", "0");
        expect_file(pids, "pids.max", "33");
        if (swap) /* first without a limit, then with that of memory, without the end of the first
                   */
            expect_file(memory, "memory.memsw.limit_in_bytes", "67108864");

        /* The same limits are not written again. */
        put(memory, "memory.limit_in_bytes", "");
        put(pids, "pids.max", "");
        put(pids, "cpuacct.usage", "5000000000\n");
        cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BOT), 0);
        put(pids, "cpuacct.usage", "5002500000\n");
        cr_expect_eq(cgroup_cpu_us(&cgroup), 2500, "what was used before is another's");
        expect_file(memory, "memory.limit_in_bytes", "");
        expect_file(pids, "pids.max", "");
        cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES / 2, TASKS + 1, CGROUP_WEIGHT_BOT), 0);
        expect_file(memory, "memory.limit_in_bytes", "33554432");
        expect_file(pids, "pids.max", "34");

        cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_NONE);
        put(memory, "memory.oom_control", "oom_kill_disable 0\nunder_oom 1\noom_kill 4\n");
        cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_OUTSIDE, "it never reached its limit");
        put(memory, "memory.max_usage_in_bytes", "32505856\n");
        cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_OWN);
        put(memory, "memory.max_usage_in_bytes", "5242880\n");
        cr_expect_eq(cgroup_memory_peak_bytes(&cgroup), 4 << 20,
                     "what was used before is another's");
        cr_expect_not(cgroup_can_freeze(&cgroup));
        cr_expect_not(cgroup_is_stained(&cgroup));
        put(memory, "memory.usage_in_bytes", "4194304\n");
        cr_expect_not(cgroup_is_stained(&cgroup));
        put(memory, "memory.usage_in_bytes", "4194305\n");
        cr_expect(cgroup_is_stained(&cgroup));
        cgroup_finish(&cgroup, &site, 0);
        cgroup_finish(&cgroup, &site, 0);
        cr_expect_eq(cgroup.version, 0);
        remove_tree();
        cr_expect_eq(confined_count_descriptors(), descriptor_count);
    }
}

Test(cgroup_one, a_slots_folders_go_with_it_and_come_again)
{
    struct cgroup_site site;
    struct cgroup cgroup;

    lay_machine();
    find(&site);
    /* Ordinary folders have no files: what can be made is made, and then removed. */
    cr_expect_eq(cgroup_init(&cgroup, &site, 7), -ENOENT);
    cr_expect(exists(site.folders[CGROUP_MEMORY], "7"));
    cgroup_finish(&cgroup, &site, 7);
    cr_expect_not(exists(site.folders[CGROUP_MEMORY], "7"));

    lay_slot(&site, false);
    cr_assert_eq(cgroup_init(&cgroup, &site, 0), 0, "a folder that is left over is used");
    cr_expect_not(cgroup_is_gone(&cgroup));
    unlink(below(below(site.folders[CGROUP_PIDS], "0"), "cgroup.procs"));
    cr_expect(cgroup_is_gone(&cgroup));
    put(below(site.folders[CGROUP_PIDS], "0"), "cgroup.procs", "");
    cr_expect_not(cgroup_is_gone(&cgroup));
    unlink(below(below(site.folders[CGROUP_MEMORY], "0"), "cgroup.procs"));
    cr_expect(cgroup_is_gone(&cgroup));
    cgroup_finish(&cgroup, &site, 0);

    /* Somebody removed the arena's folder. */
    rmdir(site.folders[CGROUP_PIDS]);
    cr_assert_eq(rename(site.folders[CGROUP_MEMORY], below(tree, "away")), 0);
    cr_expect_eq(cgroup_init(&cgroup, &site, 3), -ENOENT);
    cr_expect(exists(site.folders[CGROUP_MEMORY], "3"));
    cgroup_finish(&cgroup, &site, 3);
    remove_tree();
}

/* A group with memory of an earlier child, or one that is gone, is made anew. */
Test(cgroup_one, a_slot_gets_other_groups_when_its_own_are_of_no_use)
{
    static struct sandbox sandbox;
    const struct sandbox_limits limits = {
        .memory_bytes = MEMORY_BYTES, .process_count = 20, .thread_count = 11};
    struct slot *slot = &sandbox.slots[0];
    char memory[PATH_BYTES_MAX], pids[PATH_BYTES_MAX];

    lay_machine();
    find(&sandbox.cgroups);
    lay_slot(&sandbox.cgroups, false);
    strcpy(memory, below(sandbox.cgroups.folders[CGROUP_MEMORY], "0"));
    strcpy(pids, below(sandbox.cgroups.folders[CGROUP_PIDS], "0"));
    cr_assert_eq(slot_open_cgroup(&sandbox, slot, &limits, false), 0);
    expect_file(pids, "pids.max", "33"); /* the stage and the keeper, too */
    put(pids, "pids.max", "");
    cr_assert_eq(slot_open_cgroup(&sandbox, slot, &limits, false), 0);
    expect_file(pids, "pids.max", "");
    put(memory, "memory.usage_in_bytes", "50000000\n");
    cr_assert_eq(slot_open_cgroup(&sandbox, slot, &limits, false), 0);
    expect_file(pids, "pids.max", "33");

    unlink(below(memory, "cgroup.procs"));
    unlink(below(memory, "tasks"));
    cr_expect_eq(slot_open_cgroup(&sandbox, slot, &limits, false), -ENOENT);
    cr_expect_eq(slot->cgroup.version, 0, "what failed is finished");
    put(memory, "tasks", "");
    put(memory, "cgroup.procs", "");
    cr_expect_eq(slot_open_cgroup(&sandbox, slot, &limits, false), 0);
    cgroup_finish(&slot->cgroup, &sandbox.cgroups, 0);
    remove_tree();
}

/* ---- version 2 ---- */

/* A machine of version 2; the arena was started in the group /unit, which has these controllers. */
static char own[PATH_BYTES_MAX]; /* the arena's folder in that group */

static void lay_unified(const char *controllers)
{
    char text[256];

    strcpy(tree, "/tmp/groups-XXXXXX");
    cr_assert_not_null(mkdtemp(tree));
    mkdir(below(tree, "unit"), 0755);
    put(tree, "unit/cgroup.controllers", controllers);
    put(tree, "unit/cgroup.subtree_control", "");
    strcpy(own, below(below(tree, "unit"), site_name(getpid())));
    mkdir(own, 0755);
    put(own, "cgroup.subtree_control", "");
    snprintf(text, sizeof text,
             "proc /proc proc rw 0 0\ncgroup /none cgroup rw,cpu 0 0\ncgroup2 %s cgroup2 rw 0 0\n",
             tree);
    put(tree, "mounts", text);
    put(tree, "groups", "3:cpu:/elsewhere\n0::/unit\n");
}

Test(cgroup_two, a_delegated_group_is_found_and_its_controllers_switched_on)
{
    struct cgroup_site site;

    lay_unified("cpuset cpu io memory hugetlb pids\n");
    find(&site);
    cr_expect_eq(site.version, 2);
    cr_expect_str_eq(site.folders[CGROUP_MEMORY], own);
    cr_expect_str_eq(site.folders[CGROUP_PIDS], own);
    cr_expect_str_eq(site.home, "");
    expect_file(tree, "unit/cgroup.subtree_control", "+cpu +memory +pids");
    expect_file(own, "cgroup.subtree_control", "+cpu +memory +pids");

    /* The kernel keeps a group's controllers as long as a child has them for its own children. */
    put(own, "cgroup.subtree_control", "");
    put(tree, "unit/cgroup.subtree_control", "");
    strcpy(site.home, below(tree, "unit"));
    cgroup_site_finish(&site);
    expect_file(own, "cgroup.subtree_control", "-memory -pids");
    expect_file(tree, "unit/cgroup.subtree_control", "-memory -pids");
    remove_tree();
}

/* The daemon has moved itself, and has `arena analyse` run while nobody waits for it. */
Test(cgroup_two, an_idle_arena_in_anothers_group_moves_beside_it)
{
    struct cgroup_site site;
    char text[PATH_BYTES_MAX], pid[16];

    lay_unified("cpu memory pids\n");
    mkdir(below(own, "arena"), 0755);
    put(own, "arena/cgroup.controllers", "cpu memory pids\n");
    put(own, "arena/cgroup.subtree_control", "");
    mkdir(below(own, "aside"), 0755);
    put(own, "aside/cpu.weight", "");
    put(own, "aside/cgroup.procs", "");
    snprintf(text, sizeof text, "0::/unit/%s/arena\n", site_name(getpid()));
    put(tree, "groups", text);
    find(&site);
    expect_file(own, "aside/cgroup.procs", ""); /* one that is not idle stays */
    cgroup_site_finish(&site);

    cr_assert_eq(sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}), 0);
    find(&site);
    cr_expect_eq(site.version, 0, "no groups of its own");
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    expect_file(own, "aside/cgroup.procs", pid);
    expect_file(own, "aside/cpu.weight", "1");
    remove_tree();
}

static const char *const lacking[] = {"cpuset cpu io pids\n", "cpu memory\n", "memoryx pids\n", ""};

Test(cgroup_two, a_group_without_its_controllers_is_not_taken)
{
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        struct cgroup_site site;

        lay_unified(lacking[i]);
        find(&site);
        cr_expect_eq(site.version, 0, "'%s'", lacking[i]);
        cr_expect_str_eq(site.folders[CGROUP_MEMORY], "");
        remove_tree();
    }
}

Test(cgroup_two, the_arenas_own_group_tells_its_limit_and_kills)
{
    struct cgroup_home home;

    lay_unified("memory pids\n");
    put(tree, "memory.max", "1782579200\n");
    put(tree, "unit/memory.max", "max\n");
    put(tree, "pids.max", "4000\n");
    put(tree, "unit/pids.max", "2048\n");
    put(tree, "unit/memory.events", "low 0\nhigh 0\nmax 0\noom 1\noom_kill 4\noom_group_kill 0\n");
    cgroup_home_find(&home, below(tree, "mounts"), below(tree, "groups"));
    cr_expect_eq(home.memory_bytes, 1700 << 20, "of a group around it");
    cr_expect_eq(home.task_count, 2048);
    cr_expect_eq(cgroup_home_oom_kills(&home), 4);
    cgroup_home_finish(&home);
    remove_tree();
}

/* Creates the group of slot 0, with the files that the kernel would create. */
static void lay_unified_slot(char slot[static PATH_BYTES_MAX])
{
    static const char *const files[] = {"cgroup.procs",     "cgroup.freeze", "memory.max",
                                        "memory.oom.group", "pids.max",      "memory.swap.max"};

    strcpy(slot, below(own, "0"));
    mkdir(slot, 0755);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(slot, files[i], "");
    put(slot, "memory.current", "1048576\n");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 18\noom_group_kill 0\n");
}

Test(cgroup_two, limits_are_written_and_counters_read)
{
    struct cgroup_site site;
    struct cgroup cgroup;
    char slot[PATH_BYTES_MAX];

    lay_unified("memory pids\n");
    find(&site);
    lay_unified_slot(slot);
    cr_assert_eq(cgroup_init(&cgroup, &site, 0), 0);
    put(slot, "cpu.weight", "");
    put(slot, "cpu.stat", "usage_usec 7000000\nuser_usec 7000000\nsystem_usec 0\n");
    cr_expect_eq(cgroup_begin(&cgroup, MEMORY_BYTES, TASKS, CGROUP_WEIGHT_BUILD), 0);
    put(slot, "cpu.stat", "usage_usec 7002500\nuser_usec 7000000\nsystem_usec 2500\n");
    cr_expect_eq(cgroup_cpu_us(&cgroup), 2500, "what was used before is another's");
    expect_file(slot, "cpu.weight", "10");
    expect_file(slot, "memory.max", "67108864");
    expect_file(slot, "memory.swap.max", "0");
    expect_file(slot, "memory.oom.group", "1");
    expect_file(slot, "pids.max", "33");

    cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_NONE, "kills before it do not count");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 7\noom 4\noom_kill 18\noom_group_kill 0\n");
    cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_NONE, "nobody was killed");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 9\noom 3\noom_kill 19\noom_group_kill 1\n");
    cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_OUTSIDE, "it never reached its limit");
    put(slot, "memory.events", "low 0\nhigh 0\nmax 9\noom 4\noom_kill 19\noom_group_kill 1\n");
    cr_expect_eq(cgroup_oom(&cgroup), CGROUP_OOM_OWN);
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
        if (access(below(places[i], "cgroup.procs"), W_OK) < 0)
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

Test(cgroup_two, the_kernels_freezer_stops_all_of_a_group_until_the_next_begins)
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
