/* SPDX-License-Identifier: MIT */
#include "sandbox/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_text(int folder_fd, const char *name, const char *text)
{
    int fd = openat(folder_fd, name, O_WRONLY | O_CLOEXEC);
    int result = 0;

    if (fd < 0)
        return -errno;
    if (write(fd, text, strlen(text)) < 0)
        result = -errno;
    close(fd);
    return result;
}

static int write_number(int folder_fd, const char *name, int64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, number);
    return write_text(folder_fd, name, text);
}

static bool read_text(int folder_fd, const char *name, char *text, size_t capacity)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (fd < 0)
        return false;
    length = read(fd, text, capacity - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

/* Returns the number after `key` at the start of a line, or 0. With key "": the first number. */
static int64_t find_number(const char *text, const char *key)
{
    const char *line = text;
    size_t length = strlen(key);

    while (line && strncmp(line, key, length) != 0) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return line ? strtoll(line + length, NULL, 10) : 0;
}

/* Reads a file and returns find_number of it, or 0 if it cannot be read. */
static int64_t read_number(int folder_fd, const char *name, const char *key)
{
    char text[4096];

    return read_text(folder_fd, name, text, sizeof text) ? find_number(text, key) : 0;
}

/* ---- where the arena can create its control groups ---- */

/*
 * First part of the name of an arena's control group. The name also has the arena's PID, so that a
 * later arena can remove the group of a killed arena.
 */
#define SITE_PREFIX "pavilion-"
/* Version 2: where in its folder an arena is that enable_below moved; where step_aside puts one. */
#define LEAF       "/arena"
#define LEAF_ASIDE "/aside"

enum {
    SITE_PREFIX_BYTES = 48,
    SHARES_DEFAULT = 1024, /* the kernel's default weight in version 1 */
};

static const char *const controller_names[CGROUP_CONTROLLERS] = {"memory", "pids", "cpu",
                                                                 "cpuacct"};

static bool has_word(const char *list, const char *word, const char *separators)
{
    size_t length = strlen(word);

    while (*list) {
        size_t span = strcspn(list, separators);

        if (span == length && strncmp(list, word, length) == 0)
            return true;
        list += span + (list[span] != '\0');
    }
    return false;
}

/*
 * Finds in the file `mounts` where a cgroup hierarchy is mounted: one of type "cgroup2", or one of
 * type "cgroup" with the controller among its mount options.
 */
static bool find_mount(const char *mounts, const char *type, const char *controller, char *path,
                       size_t capacity)
{
    FILE *file = fopen(mounts, "re");
    char line[4096], source[256], place[CGROUP_PATH_BYTES_MAX], kind[64], options[1024];
    bool found = false;

    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file))
        if (sscanf(line, "%255s %511s %63s %1023s", source, place, kind, options) == 4 &&
            strcmp(kind, type) == 0 && (!controller || has_word(options, controller, ",")))
            found = snprintf(path, capacity, "%s", place) < (int)capacity;
    fclose(file);
    return found;
}

/*
 * Finds the control group of this process in /proc/self/cgroup, whose lines are like
 * "4:memory:/a/b" in version 1 and "0::/a/b" in version 2.
 */
static bool find_own_group(const char *groups, const char *controller, char *path, size_t capacity)
{
    FILE *file = fopen(groups, "re");
    char line[1024];
    bool found = false;

    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':');
        char *group = names ? strchr(names + 1, ':') : NULL;

        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (controller ? has_word(names + 1, controller, ",") : names[1] == '\0')
            found = snprintf(path, capacity, "%s", strcmp(group, "/") == 0 ? "" : group) <
                    (int)capacity;
    }
    fclose(file);
    return found;
}

/*
 * Writes the name prefix that all arenas of this PID namespace share. The prefix contains the
 * namespace's number, because a PID in a name is valid only in that namespace.
 */
static void name_site(char prefix[static SITE_PREFIX_BYTES])
{
    struct stat namespace;

    if (stat("/proc/self/ns/pid", &namespace) < 0) {
        namespace.st_ino = 0;
    }
    snprintf(prefix, SITE_PREFIX_BYTES, SITE_PREFIX "%llu-", (unsigned long long)namespace.st_ino);
}

/* Removes the groups in `base` whose arena is dead. A group that has processes stays. */
static void remove_stale(const char *base, const char *prefix)
{
    DIR *folder = opendir(base);
    struct dirent *entry;

    if (!folder)
        return;
    while ((entry = readdir(folder))) {
        char path[2 * CGROUP_PATH_BYTES_MAX];
        struct dirent *inner;
        pid_t pid;
        DIR *site;

        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        pid = (pid_t)atoi(entry->d_name + strlen(prefix));
        if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
            continue;
        snprintf(path, sizeof path, "%s/%s", base, entry->d_name);
        site = opendir(path);
        while (site && (inner = readdir(site)))
            if (inner->d_type == DT_DIR && inner->d_name[0] != '.')
                unlinkat(dirfd(site), inner->d_name, AT_REMOVEDIR);
        if (site)
            closedir(site);
        rmdir(path);
    }
    closedir(folder);
}

bool cgroup_site_is_idle(void)
{
    return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_IDLE;
}

/* Ignores a failure: the group has no cpu controller. */
static void write_weight(int version, int folder_fd, int weight)
{
    if (version == 2)
        write_number(folder_fd, "cpu.weight", weight);
    else
        write_number(folder_fd, "cpu.shares", SHARES_DEFAULT * weight / CGROUP_WEIGHT_BOT);
}

static void weigh_site(const struct cgroup_site *site)
{
    int folder_fd;

    if (!cgroup_site_is_idle() || !site->folders[CGROUP_CPU][0])
        return;
    folder_fd = open(site->folders[CGROUP_CPU], O_PATH | O_DIRECTORY | O_CLOEXEC);
    write_weight(site->version, folder_fd, CGROUP_WEIGHT_IDLE);
    close(folder_fd);
}

static bool make_site(const char *base, char folder[static CGROUP_PATH_BYTES_MAX])
{
    char prefix[SITE_PREFIX_BYTES];

    name_site(prefix);
    remove_stale(base, prefix);
    if (snprintf(folder, CGROUP_PATH_BYTES_MAX, "%s/%s%d", base, prefix, (int)getpid()) >=
            CGROUP_PATH_BYTES_MAX ||
        (mkdir(folder, 0755) < 0 && errno != EEXIST)) {
        folder[0] = '\0';
        return false;
    }
    return true;
}

/*
 * Writes to `base` the folder in which the arena can create groups of a version 1 controller.
 * Returns false if there is no such folder.
 */
static bool find_base(const char *mounts, const char *groups, const char *controller,
                      char base[static 2 * CGROUP_PATH_BYTES_MAX])
{
    char mount[CGROUP_PATH_BYTES_MAX], group[CGROUP_PATH_BYTES_MAX];

    if (!find_mount(mounts, "cgroup", controller, mount, sizeof mount) ||
        !find_own_group(groups, controller, group, sizeof group))
        return false;
    snprintf(base, 2 * CGROUP_PATH_BYTES_MAX, "%s%s", mount, group);
    if (access(base, F_OK) < 0) /* in a container, the path may exist only on the host */
        snprintf(base, 2 * CGROUP_PATH_BYTES_MAX, "%s", mount);
    return true;
}

static void find_version_1(struct cgroup_site *site, const char *mounts, const char *groups)
{
    char base[2 * CGROUP_PATH_BYTES_MAX];

    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (find_base(mounts, groups, controller_names[i], base) &&
            make_site(base, site->folders[i]))
            site->version = 1;
}

static int enable(const char *folder)
{
    int folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int result = write_text(folder_fd, "cgroup.subtree_control", "+cpu +memory +pids");

    if (result == -ENOENT) /* the arena can work without the "cpu" controller */
        result = write_text(folder_fd, "cgroup.subtree_control", "+memory +pids");

    close(folder_fd);
    return result;
}

/*
 * Enables the controllers for the children of the group `base`. The kernel refuses this while
 * `base` has processes. So if the arena is the only process of a delegated group (a systemd unit
 * with Delegate=), the arena first moves itself to a child group. Returns 0 or -errno.
 */
static int enable_below(struct cgroup_site *site, const char *base)
{
    char leaf[2 * CGROUP_PATH_BYTES_MAX];
    int result = enable(base);
    int leaf_fd;

    if (result != -EBUSY)
        return result;
    snprintf(leaf, sizeof leaf, "%s" LEAF, site->folders[CGROUP_MEMORY]);
    if (mkdir(leaf, 0755) < 0 && errno != EEXIST)
        return -errno;
    leaf_fd = open(leaf, O_PATH | O_DIRECTORY | O_CLOEXEC);
    result = write_number(leaf_fd, "cgroup.procs", getpid());
    close(leaf_fd);
    if (result < 0) {
        rmdir(leaf);
        return result;
    }
    snprintf(site->home, sizeof site->home, "%s", base);
    return enable(base);
}

/*
 * An arena that enable_below moved has started this one in its group, below which no groups can be
 * made. If this one is idle, it moves to a group beside that one, with a low weight, and its
 * children with it. Returns true if it did.
 */
static bool step_aside(const char *group)
{
    const char *name = strrchr(group, '/');
    char folder[2 * CGROUP_PATH_BYTES_MAX];
    int folder_fd, result;

    if (!cgroup_site_is_idle() || !name || strcmp(name, LEAF) != 0 || !strstr(group, SITE_PREFIX))
        return false;
    snprintf(folder, sizeof folder, "%.*s" LEAF_ASIDE, (int)(name - group), group);
    if (mkdir(folder, 0755) < 0 && errno != EEXIST)
        return false;
    folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    write_weight(2, folder_fd, CGROUP_WEIGHT_IDLE);
    result = write_number(folder_fd, "cgroup.procs", getpid());
    close(folder_fd);
    return result == 0;
}

static void find_version_2(struct cgroup_site *site, const char *mounts, const char *groups)
{
    char mount[CGROUP_PATH_BYTES_MAX], group[CGROUP_PATH_BYTES_MAX];
    char base[CGROUP_PATH_BYTES_MAX], controllers[256];
    int base_fd;
    bool offered;

    if (!find_mount(mounts, "cgroup2", NULL, mount, sizeof mount) ||
        !find_own_group(groups, NULL, group, sizeof group) ||
        snprintf(base, sizeof base, "%s%s", mount, group) >= (int)sizeof base || step_aside(base))
        return;
    base_fd = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    offered = base_fd >= 0 &&
              read_text(base_fd, "cgroup.controllers", controllers, sizeof controllers) &&
              has_word(controllers, "memory", " \n") && has_word(controllers, "pids", " \n");
    if (base_fd >= 0)
        close(base_fd);
    if (!offered || !make_site(base, site->folders[CGROUP_MEMORY]))
        return;
    strcpy(site->folders[CGROUP_PIDS], site->folders[CGROUP_MEMORY]);
    strcpy(site->folders[CGROUP_CPU], site->folders[CGROUP_MEMORY]);
    site->version = 2;
    if (enable_below(site, base) < 0 || enable(site->folders[CGROUP_MEMORY]) < 0)
        cgroup_site_finish(site);
}

void cgroup_site_find(struct cgroup_site *site, const char *mounts, const char *groups)
{
    *site = (struct cgroup_site){0};
    find_version_2(site, mounts, groups);
    if (site->version == 0)
        find_version_1(site, mounts, groups);
    weigh_site(site);
}

void cgroup_site_init(struct cgroup_site *site)
{
    cgroup_site_find(site, "/proc/self/mounts", "/proc/self/cgroup");
}

static void disable(const char *folder)
{
    int folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

    write_text(folder_fd, "cgroup.subtree_control", "-cpu");
    write_text(folder_fd, "cgroup.subtree_control", "-memory -pids");
    close(folder_fd);
}

/*
 * Undoes enable_below: disables the controllers for the children of the group site->home and moves
 * the arena back to that group. The kernel refuses to disable a controller that a child has enabled
 * for its own children, so the arena's folder comes first.
 */
static void return_home(const struct cgroup_site *site)
{
    char leaf[2 * CGROUP_PATH_BYTES_MAX];
    int home_fd;

    disable(site->folders[CGROUP_MEMORY]);
    disable(site->home);
    home_fd = open(site->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
    write_number(home_fd, "cgroup.procs", getpid());
    close(home_fd);
    snprintf(leaf, sizeof leaf, "%s" LEAF, site->folders[CGROUP_MEMORY]);
    rmdir(leaf);
    snprintf(leaf, sizeof leaf, "%s" LEAF_ASIDE, site->folders[CGROUP_MEMORY]);
    rmdir(leaf);
}

void cgroup_site_finish(struct cgroup_site *site)
{
    if (site->home[0])
        return_home(site);
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (site->folders[i][0])
            rmdir(site->folders[i]);
    *site = (struct cgroup_site){0};
}

/* Creates the arena's folder anew after another program removed it. Returns 0 or -errno. */
static int remake_site(const struct cgroup_site *site, int controller)
{
    if (mkdir(site->folders[controller], 0755) < 0 && errno != EEXIST)
        return -errno;
    weigh_site(site);
    return site->version == 2 ? enable(site->folders[controller]) : 0;
}

/* ---- the group in which the arena was started ---- */

/* Lowers *limit to the number after `key` in a file, which may also be "max". */
static void take_limit(int64_t *limit, const char *base, const char *file, const char *key)
{
    char path[3 * CGROUP_PATH_BYTES_MAX];
    int64_t number;

    snprintf(path, sizeof path, "%s/%s", base, file);
    number = read_number(AT_FDCWD, path, key);
    if (number > 0 && number < *limit)
        *limit = number;
}

static void find_home_version_1(struct cgroup_home *home, const char *mounts, const char *groups)
{
    char base[2 * CGROUP_PATH_BYTES_MAX], path[3 * CGROUP_PATH_BYTES_MAX];
    char mount[CGROUP_PATH_BYTES_MAX];

    if (find_base(mounts, groups, "memory", base)) {
        snprintf(path, sizeof path, "%s/memory.oom_control", base);
        home->events_fd = open(path, O_RDONLY | O_CLOEXEC);
        take_limit(&home->memory_bytes, base, "memory.limit_in_bytes", "");
        take_limit(&home->memory_bytes, base, "memory.stat", "hierarchical_memory_limit ");
    }
    if (!find_base(mounts, groups, "pids", base) ||
        !find_mount(mounts, "cgroup", "pids", mount, sizeof mount))
        return;
    while (strlen(base) >= strlen(mount)) { /* the group, and each one around it */
        take_limit(&home->task_count, base, "pids.max", "");
        *strrchr(base, '/') = '\0';
    }
}

static void find_home_version_2(struct cgroup_home *home, const char *mounts, const char *groups)
{
    char mount[CGROUP_PATH_BYTES_MAX], base[2 * CGROUP_PATH_BYTES_MAX];
    char group[CGROUP_PATH_BYTES_MAX], path[3 * CGROUP_PATH_BYTES_MAX];

    if (!find_mount(mounts, "cgroup2", NULL, mount, sizeof mount) ||
        !find_own_group(groups, NULL, group, sizeof group))
        return;
    snprintf(base, sizeof base, "%s%s", mount, group);
    snprintf(path, sizeof path, "%s/memory.events", base);
    home->events_fd = open(path, O_RDONLY | O_CLOEXEC);
    while (strlen(base) >= strlen(mount)) { /* the group, and each one around it */
        take_limit(&home->memory_bytes, base, "memory.max", "");
        take_limit(&home->task_count, base, "pids.max", "");
        *strrchr(base, '/') = '\0';
    }
}

void cgroup_home_find(struct cgroup_home *home, const char *mounts, const char *groups)
{
    *home =
        (struct cgroup_home){.events_fd = -1, .memory_bytes = INT64_MAX, .task_count = INT64_MAX};
    find_home_version_2(home, mounts, groups);
    if (home->events_fd < 0)
        find_home_version_1(home, mounts, groups);
}

void cgroup_home_init(struct cgroup_home *home)
{
    cgroup_home_find(home, "/proc/self/mounts", "/proc/self/cgroup");
}

int64_t cgroup_home_oom_kills(const struct cgroup_home *home)
{
    char text[4096];
    const ssize_t length =
        home->events_fd < 0 ? -1 : pread(home->events_fd, text, sizeof text - 1, 0);

    text[length > 0 ? length : 0] = '\0';
    return find_number(text, "oom_kill ");
}

void cgroup_home_finish(struct cgroup_home *home)
{
    if (home->events_fd >= 0)
        close(home->events_fd);
    home->events_fd = -1;
}

/* ---- the control groups of a slot ---- */

enum {
    STAIN_BYTES_MAX = 4 << 20,
    FULL_SLACK_BYTES = 1 << 20, /* the kernel reserves memory in batches, below the limit */
};

static void slot_folder(const struct cgroup_site *site, int controller, int number,
                        char path[static 2 * CGROUP_PATH_BYTES_MAX])
{
    snprintf(path, 2 * CGROUP_PATH_BYTES_MAX, "%s/%d", site->folders[controller], number);
}

static int make_slot(const struct cgroup_site *site, int controller, const char *path)
{
    int result = mkdir(path, 0755) < 0 ? -errno : 0;

    if (result == -ENOENT) {
        result = remake_site(site, controller);
        if (result == 0 && mkdir(path, 0755) < 0)
            result = -errno;
    }
    if (result == -EAGAIN) /* cgroup.max.descendants, a setting: nothing that passes */
        return -ENOSPC;
    return result == -EEXIST ? 0 : result;
}

static int open_controller(struct cgroup *cgroup, const struct cgroup_site *site, int controller,
                           int number)
{
    char path[2 * CGROUP_PATH_BYTES_MAX];
    int result;

    slot_folder(site, controller, number, path);
    result = make_slot(site, controller, path);
    if (result < 0)
        return result;
    cgroup->folder_fds[controller] = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (cgroup->folder_fds[controller] < 0)
        return -errno;
    if (controller > 0 &&
        cgroup->version == 2) /* in version 2, joining one group joins all controllers */
        return 0;
    /*
     * Version 1: the kernel takes about 10 ms to move a whole process through "cgroup.procs",
     * because it synchronizes with all threads of the machine. A thread moves itself through
     * "tasks" at once, and a child has only one thread when it joins.
     */
    cgroup->join_fds[controller] =
        openat(cgroup->folder_fds[controller], cgroup->version == 1 ? "tasks" : "cgroup.procs",
               O_WRONLY | O_CLOEXEC);
    return cgroup->join_fds[controller] < 0 ? -errno : 0;
}

int cgroup_init(struct cgroup *cgroup, const struct cgroup_site *site, int number)
{
    int result = 0;

    *cgroup = (struct cgroup){.version = site->version, .memory_bytes = -1, .task_count = -1};
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        cgroup->folder_fds[i] = cgroup->join_fds[i] = -1;
    for (int i = 0; i < CGROUP_CONTROLLERS && result == 0; i++)
        if (site->folders[i][0])
            result = open_controller(cgroup, site, i, number);
    return result;
}

void cgroup_finish(struct cgroup *cgroup, const struct cgroup_site *site, int number)
{
    char path[2 * CGROUP_PATH_BYTES_MAX];

    if (cgroup->version == 0)
        return;
    for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
        if (cgroup->join_fds[i] >= 0)
            close(cgroup->join_fds[i]);
        if (cgroup->folder_fds[i] < 0)
            continue;
        close(cgroup->folder_fds[i]);
        slot_folder(site, i, number, path);
        rmdir(path);
    }
    cgroup->version = 0;
}

static int limit_memory(struct cgroup *cgroup, int64_t memory_bytes)
{
    int fd = cgroup->folder_fds[CGROUP_MEMORY];
    int result;

    if (cgroup->version == 2) {
        write_number(fd, "memory.swap.max", 0); /* ignore a failure: the kernel has no swap */
        write_number(fd, "memory.oom.group", 1);
        result = write_number(fd, "memory.max", memory_bytes);
    } else {
        /* Forbids swapping, with which a group could exceed its limit if swap is not counted. */
        write_number(fd, "memory.swappiness", 0);
        /* The kernel refuses a limit of memory plus swap below the limit of memory. */
        bool swap = faccessat(fd, "memory.memsw.limit_in_bytes", F_OK, 0) == 0;

        if (swap)
            write_number(fd, "memory.memsw.limit_in_bytes", -1);
        result = write_number(fd, "memory.limit_in_bytes", memory_bytes);
        if (result == 0 && swap)
            result = write_number(fd, "memory.memsw.limit_in_bytes", memory_bytes);
    }
    if (result == 0)
        cgroup->memory_bytes = memory_bytes;
    return result;
}

bool cgroup_is_gone(const struct cgroup *cgroup)
{
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (cgroup->folder_fds[i] >= 0 &&
            faccessat(cgroup->folder_fds[i], "cgroup.procs", F_OK, 0) < 0 && errno == ENOENT)
            return true;
    return false;
}

bool cgroup_is_stained(const struct cgroup *cgroup)
{
    int fd = cgroup->folder_fds[CGROUP_MEMORY];

    return fd >= 0 &&
           read_number(fd, cgroup->version == 2 ? "memory.current" : "memory.usage_in_bytes", "") >
               STAIN_BYTES_MAX;
}

static int64_t oom_kills(const struct cgroup *cgroup)
{
    return read_number(cgroup->folder_fds[CGROUP_MEMORY],
                       cgroup->version == 2 ? "memory.events" : "memory.oom_control", "oom_kill ");
}

/* Returns the processor time of all children of the slot so far, or -1. */
static int64_t whole_cpu_us(const struct cgroup *cgroup)
{
    char text[4096];

    if (cgroup->version == 2)
        return read_text(cgroup->folder_fds[CGROUP_MEMORY], "cpu.stat", text, sizeof text)
                   ? find_number(text, "usage_usec ")
                   : -1;
    return cgroup->version == 1 && cgroup->folder_fds[CGROUP_CPUACCT] >= 0 &&
                   read_text(cgroup->folder_fds[CGROUP_CPUACCT], "cpuacct.usage", text, sizeof text)
               ? find_number(text, "") / 1000
               : -1;
}

int cgroup_begin(struct cgroup *cgroup, int64_t memory_bytes, int64_t task_count, int cpu_weight)
{
    int memory_fd = cgroup->folder_fds[CGROUP_MEMORY];
    int result = 0;

    /*
     * Thaw the group: a bot that was killed while frozen leaves its group frozen, and the next bot
     * would never run.
     */
    if (cgroup_can_freeze(cgroup))
        result = cgroup_freeze(cgroup, false);
    cgroup->base_cpu_us = whole_cpu_us(cgroup);
    if (memory_fd >= 0 && result == 0) {
        if (cgroup->memory_bytes != memory_bytes)
            result = limit_memory(cgroup, memory_bytes);
        cgroup->oom_kill_count = oom_kills(cgroup);
        if (cgroup->version == 2)
            cgroup->strike_count = read_number(memory_fd, "memory.events", "oom ");
        if (cgroup->version == 1) {
            write_number(memory_fd, "memory.max_usage_in_bytes", 0);
            cgroup->base_bytes = read_number(memory_fd, "memory.usage_in_bytes", "");
        }
    }
    if (cgroup->folder_fds[CGROUP_CPU] >= 0 && cgroup->cpu_weight != cpu_weight) {
        write_weight(cgroup->version, cgroup->folder_fds[CGROUP_CPU], cpu_weight);
        cgroup->cpu_weight = cpu_weight;
    }
    if (result == 0 && cgroup->folder_fds[CGROUP_PIDS] >= 0 && cgroup->task_count != task_count) {
        result = write_number(cgroup->folder_fds[CGROUP_PIDS], "pids.max", task_count);
        cgroup->task_count = task_count;
    }
    return result;
}

bool cgroup_has_memory(const struct cgroup *cgroup)
{
    return cgroup->version > 0 && cgroup->folder_fds[CGROUP_MEMORY] >= 0;
}

/*
 * True if the group has reached its own limit. In version 2 the kernel counts how often an
 * allocation was about to fail; version 1 has the peak, which cgroup_begin resets.
 */
static bool has_been_full(const struct cgroup *cgroup)
{
    const int fd = cgroup->folder_fds[CGROUP_MEMORY];

    return cgroup->version == 2 ? read_number(fd, "memory.events", "oom ") > cgroup->strike_count
                                : read_number(fd, "memory.max_usage_in_bytes", "") >=
                                      cgroup->memory_bytes - FULL_SLACK_BYTES;
}

enum cgroup_oom cgroup_oom(const struct cgroup *cgroup)
{
    if (!cgroup_has_memory(cgroup) || oom_kills(cgroup) <= cgroup->oom_kill_count)
        return CGROUP_OOM_NONE;
    return has_been_full(cgroup) ? CGROUP_OOM_OWN : CGROUP_OOM_OUTSIDE;
}

int64_t cgroup_memory_peak_bytes(const struct cgroup *cgroup)
{
    /* Before Linux 6.12, version 2 cannot reset the peak, which may be that of an earlier bot. */
    if (cgroup->version != 1 || cgroup->folder_fds[CGROUP_MEMORY] < 0)
        return 0;
    return read_number(cgroup->folder_fds[CGROUP_MEMORY], "memory.max_usage_in_bytes", "") -
           cgroup->base_bytes;
}

int64_t cgroup_cpu_us(const struct cgroup *cgroup)
{
    const int64_t cpu_us = whole_cpu_us(cgroup);

    return cpu_us < 0 || cgroup->base_cpu_us < 0 ? -1 : cpu_us - cgroup->base_cpu_us;
}

bool cgroup_can_freeze(const struct cgroup *cgroup)
{
    return cgroup->version == 2 &&
           faccessat(cgroup->folder_fds[CGROUP_MEMORY], "cgroup.freeze", W_OK, AT_EACCESS) == 0;
}

int cgroup_freeze(const struct cgroup *cgroup, bool frozen)
{
    return write_text(cgroup->folder_fds[CGROUP_MEMORY], "cgroup.freeze", frozen ? "1" : "0");
}
