#include "sandbox/memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/aside.h"
#include "sandbox/death.h"
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

/* Counts pages that processes share after a fork once. */
struct measuring {
    pthread_mutex_t lock;
    int proc_fd;    /* owned duplicate of the child's descriptor */
    bool under_way; /* the thread is running; if the measuring is abandoned, the thread frees it */
    bool abandoned;
    bool done; /* bytes is known and has not been read yet */
    int64_t bytes;
    int64_t begun_us;
};

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

static bool is_one_over(struct sandbox_child *child, int64_t socket_bytes)
{
    const struct sandbox_limits *limits = &child->private->limits;
    char status[FILE_BYTES_MAX];

    if (read_status(child->pid, status) == 0)
        return false;
    raise_peak(child, figure_bytes(status, "\nVmHWM:"));
    if (child->private->threads_watched && figure(status, "\nThreads:") > limits->thread_count)
        return true;
    return resident_bytes(status) + socket_bytes > limits->memory_bytes;
}

/* Adds the memory of a process; pages shared after a fork count for each. */
static void add_resident(int proc_fd, int number, void *owner)
{
    char status[FILE_BYTES_MAX];

    if (processes_read_any(proc_fd, number, "status", OWN_PAGES, status, sizeof status) > 0)
        *(int64_t *)owner += resident_bytes(status);
}

/*
 * Adds a process's share of each shared page; figures that are missing are replaced by those of
 * resident memory.
 */
static void add_own(int proc_fd, int number, void *owner)
{
    char path[64], pages[FILE_BYTES_MAX], status[FILE_BYTES_MAX];

    if (processes_shares_memory(proc_fd, number)) /* the shared memory is counted for its child */
        return;
    snprintf(path, sizeof path, "%d/smaps_rollup", number);
    if (!read_file(proc_fd, path, pages) || !strstr(pages, "\nPss_Anon:") ||
        processes_read_any(proc_fd, number, "status", OWN_PAGES, status, sizeof status) == 0) {
        add_resident(proc_fd, number, owner);
        return;
    }
    *(int64_t *)owner += figure_bytes(pages, "\nPss_Anon:") + figure_bytes(pages, "\nPss_Shmem:") +
                         figure_bytes(pages, "\nSwapPss:") + figure_bytes(status, PAGE_TABLES);
}

static void finish(struct measuring *measuring)
{
    pthread_mutex_destroy(&measuring->lock);
    close(measuring->proc_fd);
    free(measuring);
}

static void measure(void *owner)
{
    struct measuring *measuring = owner;
    int64_t bytes = 0;
    bool abandoned;

    processes_each(measuring->proc_fd, add_own, &bytes);
    pthread_mutex_lock(&measuring->lock);
    measuring->bytes = bytes;
    measuring->done = true;
    measuring->under_way = false;
    abandoned = measuring->abandoned;
    pthread_mutex_unlock(&measuring->lock);
    if (abandoned)
        finish(measuring);
}

static struct measuring *create_measuring(int proc_fd)
{
    struct measuring *measuring = calloc(1, sizeof *measuring);

    if (!measuring)
        return NULL;
    measuring->proc_fd = fcntl(proc_fd, F_DUPFD_CLOEXEC, 0);
    if (measuring->proc_fd < 0) {
        free(measuring);
        return NULL;
    }
    pthread_mutex_init(&measuring->lock, NULL);
    return measuring;
}

/*
 * Returns the bytes of the last count and starts another. That runs on a thread of its own, because
 * a child can delay the kernel there by changing its memory map all the time. Returns -1 if the
 * bytes are not known yet, INT64_MAX if a count takes too long.
 */
static int64_t take_own(struct sandbox_child *child)
{
    struct measuring *measuring = child->private->measuring;
    const int64_t now_us = death_now_us();
    int64_t bytes = -1;
    bool begins;

    if (!measuring)
        measuring = child->private->measuring = create_measuring(child->private->proc_fd);
    if (!measuring)
        return -1;
    pthread_mutex_lock(&measuring->lock);
    if (measuring->done)
        bytes = measuring->bytes;
    else if (measuring->under_way &&
             now_us - measuring->begun_us > (int64_t)MEMORY_MEASURING_MS * 1000)
        bytes = INT64_MAX;
    begins = !measuring->under_way;
    if (begins) {
        measuring->under_way = true;
        measuring->done = false;
        measuring->begun_us = now_us;
    }
    pthread_mutex_unlock(&measuring->lock);
    if (begins && !aside_run(measure, measuring))
        measure(measuring);
    return bytes;
}

/* The child has its own network namespace, so all sockets in it are its own. */
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

bool memory_is_over(struct sandbox_child *child)
{
    const int64_t limit_bytes = child->private->limits.memory_bytes;
    const int64_t socket_bytes = read_sockets(child);
    int64_t bytes = 0;

    if (child->private->proc_fd < 0)
        return is_one_over(child, socket_bytes);
    processes_each(child->private->proc_fd, add_resident, &bytes);
    if (bytes + socket_bytes > limit_bytes) {
        bytes = take_own(child);
        if (bytes == INT64_MAX)
            return true;
    }
    raise_peak(child, bytes);
    return bytes + socket_bytes > limit_bytes;
}

void memory_forget(struct measuring *measuring)
{
    bool under_way;

    if (!measuring)
        return;
    pthread_mutex_lock(&measuring->lock);
    measuring->abandoned = true;
    under_way = measuring->under_way;
    pthread_mutex_unlock(&measuring->lock);
    if (!under_way)
        finish(measuring);
}
