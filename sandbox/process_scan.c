#include "sandbox/process_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/aside.h"
#include "sandbox/death.h"

#define PAGE_TABLES "\nVmPTE:"

enum {
    KEEPER_PID = 1, /* PID of the keeper in the child's PID namespace */
    EXITING = 4,    /* PF_EXITING in the kernel */
};

size_t process_read(int folder_fd, const char *path, char *text, size_t capacity)
{
    int fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    text[0] = '\0';
    if (fd < 0)
        return 0;
    length = read(fd, text, capacity - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

int process_write(pid_t pid, const char *name, const char *text)
{
    char path[64];
    ssize_t length = (ssize_t)strlen(text);
    int result = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (write(fd, text, (size_t)length) != length)
        result = -errno;
    close(fd);
    return result;
}

/* Opens the folder `path`, relative to folder_fd, for readdir. Returns NULL on failure. */
static DIR *open_folder(int folder_fd, const char *path)
{
    int fd = openat(folder_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);

    if (!folder && fd >= 0)
        close(fd);
    return folder;
}

size_t process_read_status(int proc_fd, int pid, char status[static PROCESS_FILE_BYTES_MAX])
{
    char path[128];
    const struct dirent *entry;
    size_t length;
    DIR *threads;

    snprintf(path, sizeof path, "%d/status", pid);
    length = process_read(proc_fd, path, status, PROCESS_FILE_BYTES_MAX);
    if (length == 0 || strstr(status, PROCESS_OWN_PAGES))
        return length;
    snprintf(path, sizeof path, "%d/task", pid);
    threads = open_folder(proc_fd, path);
    length = 0;
    while (threads && length == 0 && (entry = readdir(threads))) {
        if (atoi(entry->d_name) <= 0)
            continue;
        snprintf(path, sizeof path, "%d/task/%d/status", pid, atoi(entry->d_name));
        length = process_read(proc_fd, path, status, PROCESS_FILE_BYTES_MAX);
        if (!strstr(status, PROCESS_OWN_PAGES))
            length = 0;
    }
    if (threads)
        closedir(threads);
    return length;
}

/*
 * True if a thread waits in vfork. `call` is the text of /proc/PID/task/TID/syscall: the number and
 * arguments of the system call in which the thread waits, or "running".
 */
static bool is_vfork(const char *call)
{
    unsigned long flags;
    long number;

    if (sscanf(call, "%ld %lx", &number, &flags) != 2)
        return false;
#ifdef SYS_vfork
    if (number == SYS_vfork)
        return true;
#endif
    return number == SYS_clone && (flags & CLONE_VFORK);
}

/* Returns the state letter of a process or thread from its stat file, "PID (NAME) S ...", or 0. */
static char read_state(int proc_fd, const char *path)
{
    char line[512];
    const char *rest;

    if (process_read(proc_fd, path, line, sizeof line) == 0)
        return 0;
    rest = strrchr(line, ')'); /* the process name may contain anything */
    return rest && rest[1] == ' ' ? rest[2] : '\0';
}

/*
 * A thread that waits in vfork is in state D. After the wait the thread's syscall file may still
 * show vfork, although the thread no longer shares its memory: so the state is checked as well.
 */
bool process_shares_memory(int proc_fd, int pid)
{
    char path[128], call[256];
    const struct dirent *entry;
    bool shares = false;
    DIR *threads;

    snprintf(path, sizeof path, "%d/task", pid);
    threads = open_folder(proc_fd, path);
    while (threads && !shares && (entry = readdir(threads))) {
        const int thread = atoi(entry->d_name);

        if (thread <= 0)
            continue;
        snprintf(path, sizeof path, "%d/task/%d/syscall", pid, thread);
        shares = process_read(proc_fd, path, call, sizeof call) > 0 && is_vfork(call);
        snprintf(path, sizeof path, "%d/task/%d/stat", pid, thread);
        shares = shares && read_state(proc_fd, path) == 'D';
    }
    if (threads)
        closedir(threads);
    return shares;
}

/* Calls found_fn with the PID of each process except the keeper. */
static void each_process(int proc_fd, void (*found_fn)(int proc_fd, int pid, void *owner),
                         void *owner)
{
    const struct dirent *entry;
    DIR *folder = open_folder(proc_fd, ".");

    if (!folder)
        return;
    while ((entry = readdir(folder))) {
        int pid = atoi(entry->d_name);

        if (pid > KEEPER_PID)
            found_fn(proc_fd, pid, owner);
    }
    closedir(folder);
}

int64_t process_figure(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    long long value;

    return line && sscanf(line + strlen(key), "%lld", &value) == 1 ? value : 0;
}

static int64_t figure_bytes(const char *text, const char *key)
{
    return process_figure(text, key) * 1024;
}

int64_t process_resident_bytes(const char *status)
{
    return figure_bytes(status, PROCESS_OWN_PAGES) + figure_bytes(status, "\nRssShmem:") +
           figure_bytes(status, "\nVmSwap:") + figure_bytes(status, PAGE_TABLES);
}

/*
 * Adds the processor time of one process, in ticks. Ignores an exiting process, because it no
 * longer runs its own code, unless its first thread has ended while other threads still run.
 */
static void add_ticks(int proc_fd, int pid, void *owner)
{
    char path[64], line[PROCESS_FILE_BYTES_MAX];
    unsigned long user, system;
    unsigned flags;
    long thread_count;
    const char *rest;
    int64_t *ticks = owner;

    snprintf(path, sizeof path, "%d/stat", pid);
    if (process_read(proc_fd, path, line, sizeof line) == 0)
        return;
    rest = strrchr(line, ')'); /* the process name may contain anything */
    if (rest &&
        sscanf(rest, ") %*c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %ld",
               &flags, &user, &system, &thread_count) == 4 &&
        (!(flags & EXITING) || thread_count > 1))
        *ticks += (int64_t)(user + system);
}

/* Adds the memory of one process; a page that processes share counts once per process. */
static void add_resident(int proc_fd, int pid, void *owner)
{
    char status[PROCESS_FILE_BYTES_MAX];

    if (process_read_status(proc_fd, pid, status) > 0)
        *(int64_t *)owner += process_resident_bytes(status);
}

/*
 * Adds the memory of one process; of a page that n processes share, adds 1/n. If the kernel does
 * not report that, adds what add_resident would.
 */
static void add_own(int proc_fd, int pid, void *owner)
{
    char path[64], pages[PROCESS_FILE_BYTES_MAX], status[PROCESS_FILE_BYTES_MAX];

    if (process_shares_memory(proc_fd, pid)) /* the vfork child counts the shared memory */
        return;
    snprintf(path, sizeof path, "%d/smaps_rollup", pid);
    if (process_read(proc_fd, path, pages, sizeof pages) == 0 || !strstr(pages, "\nPss_Anon:") ||
        process_read_status(proc_fd, pid, status) == 0) {
        add_resident(proc_fd, pid, owner);
        return;
    }
    *(int64_t *)owner += figure_bytes(pages, "\nPss_Anon:") + figure_bytes(pages, "\nPss_Shmem:") +
                         figure_bytes(pages, "\nSwapPss:") + figure_bytes(status, PAGE_TABLES);
}

/* ---- the scanning thread ---- */

struct process_scan {
    struct aside_job job; /* its descriptor is the child's /proc */
    bool done;            /* process_scan_take has not taken the result yet */
    int64_t enough_bytes;
    struct process_scan_result result;
};

static void run(struct aside_job *job)
{
    struct process_scan *scan = (struct process_scan *)job;
    int64_t bytes = 0, ticks = 0;

    pthread_mutex_unlock(&job->lock);
    each_process(job->fd, add_ticks, &ticks);
    each_process(job->fd, add_resident, &bytes);
    if (bytes > scan->enough_bytes) {
        bytes = 0;
        each_process(job->fd, add_own, &bytes);
    }
    pthread_mutex_lock(&job->lock);
    scan->result.bytes = bytes;
    scan->result.ticks = ticks;
    scan->done = true;
}

int process_scan_take(struct process_scan **scan, int proc_fd, int64_t enough_bytes,
                      struct process_scan_result *result)
{
    struct process_scan *at = *scan ? *scan : (*scan = aside_job_create(sizeof *at, proc_fd, run));
    int state = 0;

    if (!at)
        return 0;
    pthread_mutex_lock(&at->job.lock);
    if (at->done) {
        *result = at->result;
        state = 1;
    } else if (at->job.under_way &&
               death_now_us() - at->result.begun_us > (int64_t)PROCESS_SCAN_MS * 1000) {
        state = -ETIME;
    }
    if (!at->job.under_way) {
        at->done = false;
        at->enough_bytes = enough_bytes;
        at->result.begun_us = death_now_us();
        aside_job_begin(&at->job);
    }
    pthread_mutex_unlock(&at->job.lock);
    return state;
}

void process_scan_forget(struct process_scan *scan)
{
    aside_job_forget((struct aside_job *)scan);
}
