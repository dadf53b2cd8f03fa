#include "sandbox/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "sandbox/processes.h"

enum {
    FILE_BYTES_MAX = 4096,
    SOCKET_BYTES_MAX = 212992, /* the kernel's net.core.wmem_default, which a child cannot raise */
};

/* What is added up over the processes of a child. */
struct sum {
    int64_t resident_bytes; /* pages shared after a fork count for each */
    int64_t own_bytes;      /* they count once; what is not told is taken from resident_bytes */
};

static bool read_file(int folder_fd, const char *path, char text[static FILE_BYTES_MAX])
{
    return processes_read(folder_fd, path, text, FILE_BYTES_MAX) > 0;
}

/* One figure of a file like /proc/PID/status, in bytes; 0 when it is not there. */
static int64_t figure_bytes(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    long long kibibytes;

    if (!line || sscanf(line + strlen(key), "%lld", &kibibytes) != 1)
        return 0;
    return kibibytes * 1024;
}

/* Shared file pages are not its own. */
static int64_t resident_bytes(const char *status)
{
    return figure_bytes(status, "RssAnon:") + figure_bytes(status, "RssShmem:") +
           figure_bytes(status, "VmSwap:");
}

static void raise_peak(struct sandbox_child *child, int64_t bytes)
{
    if (bytes > child->private->memory_peak_bytes)
        child->private->memory_peak_bytes = bytes;
}

static int64_t read_one(struct sandbox_child *child)
{
    char path[64], status[FILE_BYTES_MAX];

    snprintf(path, sizeof path, "/proc/%d/status", (int)child->pid);
    if (!read_file(AT_FDCWD, path, status))
        return 0;
    raise_peak(child, figure_bytes(status, "VmHWM:"));
    return resident_bytes(status);
}

static void add_resident(int proc_fd, int number, void *owner)
{
    struct sum *sum = owner;
    char status[FILE_BYTES_MAX];

    if (processes_read_any(proc_fd, number, "status", "RssAnon:", status, sizeof status) > 0)
        sum->resident_bytes += resident_bytes(status);
}

static void add_own(int proc_fd, int number, void *owner)
{
    struct sum *sum = owner, one = {0};
    char path[64], text[FILE_BYTES_MAX];

    add_resident(proc_fd, number, &one);
    sum->resident_bytes += one.resident_bytes;
    snprintf(path, sizeof path, "%d/smaps_rollup", number);
    if (read_file(proc_fd, path, text) && strstr(text, "Pss_Anon:"))
        one.resident_bytes = figure_bytes(text, "Pss_Anon:") + figure_bytes(text, "Pss_Shmem:") +
                             figure_bytes(text, "SwapPss:");
    sum->own_bytes += one.resident_bytes;
}

/* Its network is its own, so that all sockets in it are. */
static int64_t read_sockets(const struct sandbox_child *child)
{
    char path[64], text[FILE_BYTES_MAX];
    int count = 0;

    if (!(child->layers & SANDBOX_LAYER_NET_NS))
        return 0;
    snprintf(path, sizeof path, "/proc/%d/net/sockstat", (int)child->pid);
    if (!read_file(AT_FDCWD, path, text) || sscanf(text, "sockets: used %d", &count) != 1)
        return 0;
    return (int64_t)count * SOCKET_BYTES_MAX;
}

int64_t memory_in_use(struct sandbox_child *child, int64_t limit_bytes)
{
    int64_t socket_bytes = read_sockets(child);
    struct sum sum = {0};

    if (child->private->proc_fd < 0)
        return read_one(child) + socket_bytes;
    processes_each(child->private->proc_fd, add_resident, &sum);
    if (sum.resident_bytes + socket_bytes > limit_bytes) {
        /* Of each page of a fork its share; this takes the kernel longer. */
        sum = (struct sum){0};
        processes_each(child->private->proc_fd, add_own, &sum);
        sum.resident_bytes = sum.own_bytes;
    }
    raise_peak(child, sum.resident_bytes);
    return sum.resident_bytes + socket_bytes;
}
