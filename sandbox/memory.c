#include "sandbox/memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "sandbox/processes.h"

enum {
    FILE_BYTES_MAX = 4096,
    SOCKET_BYTES_MAX = 212992, /* net.core.wmem_default in the kernel, which a child cannot raise */
};

/*
 * Keys are matched at the start of a line, because the file also contains the process name, which
 * the child chooses.
 */
#define OWN_PAGES   "\nRssAnon:"
#define PAGE_TABLES "\nVmPTE:"

static bool read_file(int folder_fd, const char *path, char text[static FILE_BYTES_MAX])
{
    return processes_read(folder_fd, path, text, FILE_BYTES_MAX) > 0;
}

/* Reads one figure of a file like /proc/PID/status; 0 if it is missing. */
static int64_t figure(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    long long value;

    return line && sscanf(line + strlen(key), "%lld", &value) == 1 ? value : 0;
}

static int64_t figure_bytes(const char *text, const char *key)
{
    return figure(text, key) * 1024;
}

/* Shared file pages do not count. */
static int64_t resident_bytes(const char *status)
{
    return figure_bytes(status, OWN_PAGES) + figure_bytes(status, "\nRssShmem:") +
           figure_bytes(status, "\nVmSwap:") + figure_bytes(status, PAGE_TABLES);
}

static void raise_peak(struct sandbox_child *child, int64_t bytes)
{
    if (bytes > child->private->memory_peak_bytes)
        child->private->memory_peak_bytes = bytes;
}

/* Reads the status of a process whose first thread may have ended. */
static size_t read_status(pid_t pid, char status[static FILE_BYTES_MAX])
{
    char path[64];
    size_t length;
    int proc_fd;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    length = processes_read(AT_FDCWD, path, status, FILE_BYTES_MAX);
    if (length == 0 || strstr(status, OWN_PAGES))
        return length;
    proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    length = processes_read_any(proc_fd, (int)pid, "status", OWN_PAGES, status, FILE_BYTES_MAX);
    close(proc_fd);
    return length;
}

/*
 * Its network is its own, so that all sockets in it are, also those that no process holds any more.
 * The file is of the network and not of a process, whose first thread may have ended.
 */
static int64_t read_sockets(const struct sandbox_child *child)
{
    const struct sandbox_child_private *private = child->private;
    const bool loopback = private->loopback.sockets_fd >= 0;
    const int fd = loopback ? private->loopback.sockets_fd : private->slot->network.sockets_fd;
    char text[FILE_BYTES_MAX];
    int count = 0;
    ssize_t length;

    if (!(child->layers & SANDBOX_LAYER_NET_NS))
        return 0;
    length = pread(fd, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    if (sscanf(text, "sockets: used %d", &count) != 1)
        return 0;
    return count * (loopback ? private->socket_bytes : SOCKET_BYTES_MAX);
}

bool memory_sockets_are_over(const struct sandbox_child *child)
{
    return read_sockets(child) > child->private->limits.memory_bytes;
}

bool memory_is_one_over(struct sandbox_child *child)
{
    const struct sandbox_limits *limits = &child->private->limits;
    char status[FILE_BYTES_MAX];

    if (read_status(child->pid, status) == 0)
        return false;
    raise_peak(child, figure_bytes(status, "\nVmHWM:"));
    if (child->private->threads_watched && figure(status, "\nThreads:") > limits->thread_count)
        return true;
    return resident_bytes(status) + read_sockets(child) > limits->memory_bytes;
}

/* Pages shared after a fork count for each. */
void memory_add_resident(int proc_fd, int number, void *owner)
{
    char status[FILE_BYTES_MAX];

    if (processes_read_any(proc_fd, number, "status", OWN_PAGES, status, sizeof status) > 0)
        *(int64_t *)owner += resident_bytes(status);
}

/* Of each shared page its part; what is not told is taken from what is resident. */
void memory_add_own(int proc_fd, int number, void *owner)
{
    char path[64], pages[FILE_BYTES_MAX], status[FILE_BYTES_MAX];

    if (processes_shares_memory(proc_fd, number)) /* it is counted for its child */
        return;
    snprintf(path, sizeof path, "%d/smaps_rollup", number);
    if (!read_file(proc_fd, path, pages) || !strstr(pages, "\nPss_Anon:") ||
        processes_read_any(proc_fd, number, "status", OWN_PAGES, status, sizeof status) == 0) {
        memory_add_resident(proc_fd, number, owner);
        return;
    }
    *(int64_t *)owner += figure_bytes(pages, "\nPss_Anon:") + figure_bytes(pages, "\nPss_Shmem:") +
                         figure_bytes(pages, "\nSwapPss:") + figure_bytes(status, PAGE_TABLES);
}

int64_t memory_room_bytes(const struct sandbox_child *child)
{
    return child->private->limits.memory_bytes - read_sockets(child);
}

bool memory_is_over(struct sandbox_child *child, int64_t bytes)
{
    raise_peak(child, bytes);
    return bytes > memory_room_bytes(child);
}
