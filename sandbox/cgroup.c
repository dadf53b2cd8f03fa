#include "sandbox/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/cgroup_files.h"

enum {
    STAIN_BYTES_MAX = 4 << 20,
};

/* Reads the number after a key at the start of a line; with key "", the only number of the file. */
static int64_t read_number(int folder_fd, const char *name, const char *key)
{
    char text[4096];
    const char *line = text;
    size_t length = strlen(key);

    if (!cgroup_read_text(folder_fd, name, text, sizeof text))
        return 0;
    while (line && strncmp(line, key, length) != 0) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return line ? strtoll(line + length, NULL, 10) : 0;
}

static void slot_folder(const struct cgroup_site *site, int controller, int number,
                        char path[static 2 * CGROUP_PATH_BYTES_MAX])
{
    snprintf(path, 2 * CGROUP_PATH_BYTES_MAX, "%s/%d", site->folders[controller], number);
}

static int make_slot(const struct cgroup_site *site, int controller, const char *path)
{
    int result = mkdir(path, 0755) < 0 ? -errno : 0;

    if (result == -ENOENT) {
        result = cgroup_site_remake(site, controller);
        if (result == 0 && mkdir(path, 0755) < 0)
            result = -errno;
    }
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
    if (controller > 0 && cgroup->version == 2) /* a single hierarchy has all controllers */
        return 0;
    /*
     * Moving a whole process takes about 10 ms, because the kernel synchronizes with all threads of
     * the machine. A thread that moves itself need not wait, and a child has only one thread when
     * it joins.
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
        cgroup_write_number(fd, "memory.swap.max", 0); /* missing on kernels without swap */
        cgroup_write_number(fd, "memory.oom.group", 1);
        result = cgroup_write_number(fd, "memory.max", memory_bytes);
    } else {
        /* The limit of memory plus swap must never be below the limit of memory. */
        bool swap = faccessat(fd, "memory.memsw.limit_in_bytes", F_OK, 0) == 0;

        if (swap)
            cgroup_write_number(fd, "memory.memsw.limit_in_bytes", -1);
        result = cgroup_write_number(fd, "memory.limit_in_bytes", memory_bytes);
        if (result == 0 && swap)
            result = cgroup_write_number(fd, "memory.memsw.limit_in_bytes", memory_bytes);
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

int cgroup_begin(struct cgroup *cgroup, int64_t memory_bytes, int64_t task_count)
{
    int memory_fd = cgroup->folder_fds[CGROUP_MEMORY];
    int result = 0;

    /* A bot that is killed while it is frozen leaves its group so, and the next would never run. */
    if (cgroup_can_freeze(cgroup))
        result = cgroup_freeze(cgroup, false);
    if (memory_fd >= 0 && result == 0) {
        if (cgroup->memory_bytes != memory_bytes)
            result = limit_memory(cgroup, memory_bytes);
        cgroup->oom_kill_count = oom_kills(cgroup);
        if (cgroup->version == 1) {
            cgroup_write_number(memory_fd, "memory.max_usage_in_bytes", 0);
            cgroup->base_bytes = read_number(memory_fd, "memory.usage_in_bytes", "");
        }
    }
    if (result == 0 && cgroup->folder_fds[CGROUP_PIDS] >= 0 && cgroup->task_count != task_count) {
        result = cgroup_write_number(cgroup->folder_fds[CGROUP_PIDS], "pids.max", task_count);
        cgroup->task_count = task_count;
    }
    return result;
}

bool cgroup_ran_out_of_memory(const struct cgroup *cgroup)
{
    return cgroup->version > 0 && cgroup->folder_fds[CGROUP_MEMORY] >= 0 &&
           oom_kills(cgroup) > cgroup->oom_kill_count;
}

int64_t cgroup_memory_peak_bytes(const struct cgroup *cgroup)
{
    /* Version 2 cannot reset its peak before Linux 6.12, so it may be that of an earlier bot. */
    if (cgroup->version != 1 || cgroup->folder_fds[CGROUP_MEMORY] < 0)
        return 0;
    return read_number(cgroup->folder_fds[CGROUP_MEMORY], "memory.max_usage_in_bytes", "") -
           cgroup->base_bytes;
}

bool cgroup_can_freeze(const struct cgroup *cgroup)
{
    return cgroup->version == 2 &&
           faccessat(cgroup->folder_fds[CGROUP_MEMORY], "cgroup.freeze", W_OK, AT_EACCESS) == 0;
}

int cgroup_freeze(const struct cgroup *cgroup, bool frozen)
{
    return cgroup_write_text(cgroup->folder_fds[CGROUP_MEMORY], "cgroup.freeze",
                             frozen ? "1" : "0");
}
