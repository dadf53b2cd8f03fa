/* SPDX-License-Identifier: MIT */
#include "sandbox/process_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

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

bool process_parse_stat(const char *text, struct process_stat *stat)
{
    const char *rest = strrchr(text, ')'); /* the name may contain ')' and all that follows it */
    unsigned long user, system;
    long reaped_user, reaped_system;
    unsigned long long begun;
    unsigned flags;

    if (!rest ||
        sscanf(rest,
               ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %*d "
               "%*d %llu",
               &stat->state, &flags, &user, &system, &reaped_user, &reaped_system, &begun) != 7)
        return false;
    stat->is_exiting = flags & EXITING;
    stat->ticks = (int64_t)(user + system);
    stat->reaped_ticks = reaped_user + reaped_system;
    stat->begun_ticks = (int64_t)begun;
    return true;
}

bool process_read_stat(int folder_fd, const char *path, struct process_stat *stat)
{
    char text[PROCESS_FILE_BYTES_MAX];

    return process_read(folder_fd, path, text, sizeof text) > 0 && process_parse_stat(text, stat);
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

bool process_is_exiting(int proc_fd, int pid)
{
    char path[128];
    const struct dirent *entry;
    struct process_stat stat;
    bool is_exiting = false;
    DIR *threads;

    snprintf(path, sizeof path, "%d/stat", pid); /* the first thread alone settles most cases */
    if (!process_read_stat(proc_fd, path, &stat) || !stat.is_exiting)
        return false;
    snprintf(path, sizeof path, "%d/task", pid);
    threads = open_folder(proc_fd, path);
    is_exiting = threads != NULL;
    while (is_exiting && (entry = readdir(threads))) {
        const int thread = atoi(entry->d_name);

        snprintf(path, sizeof path, "%d/task/%d/stat", pid, thread);
        is_exiting =
            thread <= 0 || !process_read_stat(proc_fd, path, &stat) || stat.is_exiting; /* gone */
    }
    if (threads)
        closedir(threads);
    return is_exiting;
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
 * True if a thread waits in vfork. `call` is the content of /proc/PID/task/TID/syscall: the number
 * and arguments of the system call in which the thread waits, or "running".
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

/* True if is_fn is true for a thread of the process; it gets the thread's folder, PID/task/TID. */
static bool has_thread(int proc_fd, int pid, bool (*is_fn)(int proc_fd, const char *thread))
{
    char path[64];
    const struct dirent *entry;
    bool has = false;
    DIR *threads;

    snprintf(path, sizeof path, "%d/task", pid);
    threads = open_folder(proc_fd, path);
    while (threads && !has && (entry = readdir(threads))) {
        if (*entry->d_name == '.')
            continue;
        snprintf(path, sizeof path, "%d/task/%d", pid, atoi(entry->d_name));
        has = is_fn(proc_fd, path);
    }
    if (threads)
        closedir(threads);
    return has;
}

static bool is_in_state(int proc_fd, const char *thread, char state)
{
    struct process_stat stat;
    char path[128];

    snprintf(path, sizeof path, "%s/stat", thread);
    return process_read_stat(proc_fd, path, &stat) && stat.state == state;
}

/*
 * True if a thread waits in vfork (or clone with CLONE_VFORK), so that a new process uses its
 * memory until that process calls exec or exits. The thread must be in state D: after vfork the
 * file "syscall" may show vfork for a while, although the memory is no longer shared.
 */
static bool shares_memory(int proc_fd, const char *thread)
{
    char path[128], call[256];

    snprintf(path, sizeof path, "%s/syscall", thread);
    return process_read(proc_fd, path, call, sizeof call) > 0 && is_vfork(call) &&
           is_in_state(proc_fd, thread, 'D');
}

/* True if a thread computes, or waits for a processor. */
static bool is_ready(int proc_fd, const char *thread)
{
    return is_in_state(proc_fd, thread, 'R');
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
 * Adds the processor time of one process, in ticks. Ignores an exiting process, which no longer
 * runs its own code; but a process whose first thread alone has ended counts.
 */
static void add_ticks(int proc_fd, int pid, void *owner)
{
    struct process_stat stat;
    int64_t *ticks = owner;
    char path[64];

    snprintf(path, sizeof path, "%d/stat", pid);
    if (process_read_stat(proc_fd, path, &stat) &&
        (!stat.is_exiting || !process_is_exiting(proc_fd, pid)))
        *ticks += stat.ticks;
}

static void add_load(int proc_fd, int pid, void *owner)
{
    struct process_load *load = owner;
    struct process_stat stat;
    char path[64];

    snprintf(path, sizeof path, "%d/stat", pid);
    if (!process_read_stat(proc_fd, path, &stat))
        return;
    load->ticks += stat.ticks + stat.reaped_ticks;
    load->is_ready = load->is_ready || stat.state == 'R' || has_thread(proc_fd, pid, is_ready);
}

void process_load_read(int proc_fd, struct process_load *load)
{
    struct process_stat keeper;
    char path[64];

    *load = (struct process_load){.ticks = 0};
    snprintf(path, sizeof path, "%d/stat", KEEPER_PID); /* reaps what lost its parent */
    if (process_read_stat(proc_fd, path, &keeper))
        load->ticks = keeper.reaped_ticks;
    each_process(proc_fd, add_load, load);
}

/* Adds the memory of one process; shared pages count in full for each process. */
static void add_resident(int proc_fd, int pid, void *owner)
{
    char status[PROCESS_FILE_BYTES_MAX];

    if (process_read_status(proc_fd, pid, status) > 0)
        *(int64_t *)owner += process_resident_bytes(status);
}

/* A sum over processes, which is complete once it exceeds enough_bytes. */
struct own_sum {
    int64_t bytes, enough_bytes;
};

/*
 * Adds the memory of one process, with 1/n of each page that n processes share. If the kernel does
 * not report such shares, adds as much as add_resident.
 */
static void add_own(int proc_fd, int pid, void *owner)
{
    char path[64], pages[PROCESS_FILE_BYTES_MAX], status[PROCESS_FILE_BYTES_MAX];
    struct own_sum *sum = owner;

    if (sum->bytes > sum->enough_bytes)
        return;
    /* A vfork child uses this memory, and each_process counts it there. */
    if (has_thread(proc_fd, pid, shares_memory))
        return;
    snprintf(path, sizeof path, "%d/smaps_rollup", pid);
    if (process_read(proc_fd, path, pages, sizeof pages) == 0 || !strstr(pages, "\nPss_Anon:") ||
        process_read_status(proc_fd, pid, status) == 0) {
        add_resident(proc_fd, pid, &sum->bytes);
        return;
    }
    sum->bytes += figure_bytes(pages, "\nPss_Anon:") + figure_bytes(pages, "\nPss_Shmem:") +
                  figure_bytes(pages, "\nSwapPss:") + figure_bytes(status, PAGE_TABLES);
}

/* ---- work on a thread of its own: a child can stall whoever reads or writes its memory ---- */

enum {
    STACK_BYTES = 256 << 10,
};

/* Number of running jobs. jobs_lock protects this number, and jobs_changed signals a change. */
static int job_count;
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t jobs_changed = PTHREAD_COND_INITIALIZER;

static void count_jobs(int change)
{
    pthread_mutex_lock(&jobs_lock);
    job_count += change;
    pthread_cond_broadcast(&jobs_changed);
    pthread_mutex_unlock(&jobs_lock);
}

void process_jobs_await(int64_t deadline_us)
{
    const struct timespec deadline = {.tv_sec = deadline_us / 1000000,
                                      .tv_nsec = deadline_us % 1000000 * 1000};
    int error = 0;

    pthread_mutex_lock(&jobs_lock);
    while (job_count > 0 && !error)
        error = pthread_cond_clockwait(&jobs_changed, &jobs_lock, CLOCK_MONOTONIC, &deadline);
    pthread_mutex_unlock(&jobs_lock);
}

/*
 * Work that an owner repeats, in at most one thread at a time. When the owner forgets the job, a
 * thread that still works frees the job. A job is the first member of a struct with the work's
 * data.
 */
struct job {
    pthread_mutex_t lock; /* protects the whole struct */
    int fd;               /* duplicate of the owner's descriptor; owned */
    bool under_way;       /* a thread works */
    bool forgotten;
    /* Does the work. The caller holds the lock, which work_fn may release while it works. */
    void (*work_fn)(struct job *job);
};

/* Creates a zeroed struct of size_bytes that begins with a job. Returns NULL on failure. */
static void *job_create(size_t size_bytes, int fd, void (*work_fn)(struct job *job))
{
    struct job *job = calloc(1, size_bytes);

    if (!job)
        return NULL;
    job->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (job->fd < 0) {
        free(job);
        return NULL;
    }
    job->work_fn = work_fn;
    pthread_mutex_init(&job->lock, NULL);
    return job;
}

static void job_destroy(struct job *job)
{
    pthread_mutex_destroy(&job->lock);
    close(job->fd);
    free(job);
}

static void *job_run(void *argument)
{
    struct job *job = argument;
    bool forgotten;

    pthread_mutex_lock(&job->lock);
    job->work_fn(job);
    job->under_way = false;
    forgotten = job->forgotten;
    pthread_mutex_unlock(&job->lock);
    if (forgotten)
        job_destroy(job);
    count_jobs(-1);
    return NULL;
}

/*
 * Starts a thread for the job, unless the job has one. If the system cannot create a thread, a
 * later call tries again. The caller holds the lock.
 */
static void job_begin(struct job *job)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;

    if (job->under_way)
        return;
    count_jobs(1);
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    job->under_way = pthread_create(&thread, &attributes, job_run, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!job->under_way)
        count_jobs(-1);
}

/* Frees the job, now or once the thread has ended. Accepts NULL. Does not block. */
static void job_forget(struct job *job)
{
    bool under_way;

    if (!job)
        return;
    pthread_mutex_lock(&job->lock);
    job->forgotten = true;
    under_way = job->under_way;
    pthread_mutex_unlock(&job->lock);
    if (!under_way)
        job_destroy(job);
}

/* ---- the scan of all processes ---- */

enum {
    PAUSE_SHARE = 10, /* divisor: scans take at most 1/10 of the time */
    /* Longest pause between two scans, even if they then take more of the time. */
    PAUSE_US_MAX = 250000,
};

struct process_scan {
    struct job job; /* the scan's thread; its descriptor is the child's /proc */
    bool done;      /* process_scan_take has not taken the result yet */
    bool is_over;   /* the sum with shared pages counted repeatedly exceeds enough_bytes */
    int64_t enough_bytes;
    int64_t next_us; /* earliest start of the next scan, so that scans take a tenth of the time */
    struct process_scan_result result;
};

static void scan_all(struct job *job)
{
    struct process_scan *scan = (struct process_scan *)job;
    struct own_sum own = {.enough_bytes = scan->enough_bytes};
    int64_t bytes = 0, ticks = 0, pause_us;

    pthread_mutex_unlock(&job->lock);
    each_process(job->fd, add_ticks, &ticks);
    each_process(job->fd, add_resident, &bytes);
    pthread_mutex_lock(&job->lock);
    scan->is_over = bytes > scan->enough_bytes;
    if (scan->is_over) {
        pthread_mutex_unlock(&job->lock);
        each_process(job->fd, add_own, &own);
        pthread_mutex_lock(&job->lock);
        bytes = own.bytes;
    }
    scan->result.bytes = bytes;
    scan->result.ticks = ticks;
    pause_us = (PAUSE_SHARE - 1) * (death_now_us() - scan->result.begun_us);
    scan->next_us = death_now_us() + (pause_us < PAUSE_US_MAX ? pause_us : PAUSE_US_MAX);
    scan->is_over = false;
    scan->done = true;
}

int process_scan_take(struct process_scan **scan, int proc_fd, int64_t enough_bytes,
                      struct process_scan_result *result)
{
    struct process_scan *at = *scan ? *scan : (*scan = job_create(sizeof *at, proc_fd, scan_all));
    const int64_t now_us = death_now_us();
    int state = 0;

    if (!at)
        return 0;
    pthread_mutex_lock(&at->job.lock);
    if (at->done) {
        *result = at->result;
        at->done = false;
        state = 1;
    } else if (at->job.under_way) {
        const int64_t passed_us = now_us - at->result.begun_us;

        if (passed_us > (int64_t)PROCESS_SCAN_MS * 1000)
            state = -ETIME;
        else if (at->is_over && passed_us > (int64_t)PROCESS_SHARES_MS * 1000)
            state = -EBUSY;
    }
    if (!at->job.under_way && now_us >= at->next_us) {
        at->enough_bytes = enough_bytes;
        at->result.begun_us = now_us;
        job_begin(&at->job);
    }
    pthread_mutex_unlock(&at->job.lock);
    return state;
}

void process_scan_forget(struct process_scan *scan)
{
    job_forget((struct job *)scan);
}

/* ---- answers to sysinfo ---- */

enum {
    WAITING_MAX = 512,
};

struct answerer {
    struct job job; /* the thread that answers; its descriptor is the child's notify_fd */
    int64_t memory_bytes;
    size_t first, waiting_count; /* start and number of entries of the ring buffer `waiting` */
    struct {
        uint64_t id, address;
        uint32_t pid;
    } waiting[WAITING_MAX];
};

/*
 * Opens the memory of the process that made the system call. Checks afterwards that the call still
 * waits: if so, the PID belongs to no later process. Returns -1 on failure.
 */
static int open_memory(int notify_fd, uint32_t pid, uint64_t id)
{
    char path[64];
    int memory_fd;

    snprintf(path, sizeof path, "/proc/%u/mem", pid);
    memory_fd = open(path, O_WRONLY | O_CLOEXEC);
    if (memory_fd >= 0 && ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) < 0) {
        close(memory_fd);
        return -1;
    }
    return memory_fd;
}

static void answer(const struct answerer *answerer, uint32_t pid, uint64_t id, uint64_t address)
{
    struct seccomp_notif_resp response = {.id = id};
    struct sysinfo told = {.totalram = (unsigned long)answerer->memory_bytes,
                           .freeram = (unsigned long)answerer->memory_bytes,
                           .procs = 1,
                           .mem_unit = 1};
    struct timespec since_boot;
    int memory_fd = open_memory(answerer->job.fd, pid, id);

    if (clock_gettime(CLOCK_BOOTTIME, &since_boot) == 0)
        told.uptime = since_boot.tv_sec;
    if (memory_fd < 0)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else if (pwrite(memory_fd, &told, sizeof told, (off_t)address) != (ssize_t)sizeof told)
        response.error = -EFAULT;
    if (memory_fd >= 0)
        close(memory_fd);
    /* ignore a failure: the child has died */
    ioctl(answerer->job.fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Answers waiting sysinfo calls until no call waits. */
static void answer_all(struct job *job)
{
    struct answerer *answerer = (struct answerer *)job;

    while (answerer->waiting_count > 0 && !job->forgotten) {
        const uint64_t id = answerer->waiting[answerer->first].id;
        const uint64_t address = answerer->waiting[answerer->first].address;
        const uint32_t pid = answerer->waiting[answerer->first].pid;

        answerer->first = (answerer->first + 1) % WAITING_MAX;
        answerer->waiting_count--;
        pthread_mutex_unlock(&job->lock);
        answer(answerer, pid, id, address);
        pthread_mutex_lock(&job->lock);
    }
}

struct answerer *answerer_create(int notify_fd, int64_t memory_bytes)
{
    struct answerer *answerer = job_create(sizeof *answerer, notify_fd, answer_all);

    if (answerer)
        answerer->memory_bytes = memory_bytes;
    return answerer;
}

bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call)
{
    struct seccomp_notif_resp by_kernel = {.id = call->id,
                                           .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    bool room;
    size_t last;

    if (!answerer) {
        ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &by_kernel);
        return true;
    }
    pthread_mutex_lock(&answerer->job.lock);
    room = answerer->waiting_count < WAITING_MAX;
    if (room) {
        last = (answerer->first + answerer->waiting_count++) % WAITING_MAX;
        answerer->waiting[last].id = call->id;
        answerer->waiting[last].address = call->data.args[0];
        answerer->waiting[last].pid = call->pid;
    }
    job_begin(&answerer->job);
    pthread_mutex_unlock(&answerer->job.lock);
    return room;
}

void answerer_retry(struct answerer *answerer)
{
    if (!answerer)
        return;
    pthread_mutex_lock(&answerer->job.lock);
    if (answerer->waiting_count > 0)
        job_begin(&answerer->job);
    pthread_mutex_unlock(&answerer->job.lock);
}

void answerer_destroy(struct answerer *answerer)
{
    job_forget((struct job *)answerer);
}
