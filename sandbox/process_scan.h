/* SPDX-License-Identifier: MIT */
/*
 * Reads the memory and processor time of a child's processes from /proc, and writes answers to
 * sysinfo into the child's memory. Threads do both: there may be hundreds of files, and a child can
 * stall each access for seconds by changing its memory map.
 */
#ifndef SANDBOX_PROCESS_SCAN_H
#define SANDBOX_PROCESS_SCAN_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PROCESS_SCAN_MS = 5000,  /* a child whose scan takes longer is stalling the scan */
    PROCESS_SHARES_MS = 250, /* usual maximum of a scan that counts shared pages once */
    PROCESS_FILE_BYTES_MAX = 4096,
};

/*
 * A key that /proc/PID/status has while the process has memory. Keys begin with a newline, so that
 * no process name, which the child chooses, can imitate a key.
 */
#define PROCESS_OWN_PAGES "\nRssAnon:"

/* What all processes of a child do. */
struct process_load {
    int64_t ticks; /* processor time so far of the living ones, and of those that were reaped */
    bool is_ready; /* a thread computes, or waits for a processor */
};

/* Reads the load of the processes of this /proc. Reads a file per thread. */
void process_load_read(int proc_fd, struct process_load *load);

/* A thread that scans the processes of one child again and again. */
struct process_scan;

struct process_scan_result {
    int64_t begun_us; /* start of the scan, CLOCK_MONOTONIC */
    int64_t bytes;    /* memory without sockets; see process_scan_take for shared pages */
    int64_t ticks;    /* processor time that all processes have used, in clock ticks */
};

/*
 * Takes the result of the last scan, and begins the next scan unless one is running or long scans
 * need a pause (at most 250 ms). *scan is NULL before the first call. A scan counts shared pages
 * once per process; if the sum exceeds enough_bytes, the scan counts again, with each shared page
 * counted once. Returns 1 with *result set; 0 if there is no new result; -EBUSY if the running scan
 * counts again, and has taken longer than PROCESS_SHARES_MS; -ETIME if the running scan has taken
 * longer than PROCESS_SCAN_MS. Does not block.
 */
int process_scan_take(struct process_scan **scan, int proc_fd, int64_t enough_bytes,
                      struct process_scan_result *result);

/* Frees the scan after the child's end. Accepts NULL. Does not block. */
void process_scan_forget(struct process_scan *scan);

/*
 * Reads as much of a file of /proc as fits and ends it with a NUL. Returns its length, 0 if the
 * file cannot be read.
 */
size_t process_read(int folder_fd, const char *path, char *text, size_t capacity);

/* Writes a text to the file `name` of /proc/PID. Returns 0 or -errno. */
int process_write(pid_t pid, const char *name, const char *text);

/*
 * Reads /proc/PID/status; if that file has no memory figures, because the first thread has ended,
 * reads the status file of another thread. Returns the length of the text, 0 if no file has the
 * figures.
 */
size_t process_read_status(int proc_fd, int pid, char status[static PROCESS_FILE_BYTES_MAX]);

/* What /proc/PID/stat, or /proc/PID/task/TID/stat, says of a process or thread. */
struct process_stat {
    char state;           /* such as 'R', 'D' or 'Z' */
    bool is_exiting;      /* the thread (of a process: its first thread) is exiting or has exited */
    int64_t ticks;        /* processor time so far, in clock ticks */
    int64_t reaped_ticks; /* processor time of those of its children that it has reaped */
    int64_t begun_ticks;  /* when it began, in clock ticks since the machine's start */
};

/*
 * Parses a text like "PID (NAME) STATE ...", with any bytes in NAME, which the process chooses.
 * Returns false if the text is incomplete.
 */
bool process_parse_stat(const char *text, struct process_stat *stat);

/* Reads and parses a file "stat" of /proc. Returns false if it cannot be read. */
bool process_read_stat(int folder_fd, const char *path, struct process_stat *stat);

/*
 * True if every thread of the process is exiting or has exited: the process no longer runs its own
 * code, but may take long to free its memory. False if its threads cannot be read.
 */
bool process_is_exiting(int proc_fd, int pid);

/*
 * Returns the number after `key` in a text like that of /proc/PID/status, or 0 if the text lacks
 * the key.
 */
int64_t process_figure(const char *text, const char *key);

/*
 * Returns the memory of a process in bytes, from the text of its status file: private pages,
 * resident or swapped, shared memory and page tables, but not pages of files.
 */
int64_t process_resident_bytes(const char *status);

/*
 * ---- answers to sysinfo, for which the kernel would describe the whole machine: its processes,
 * load and free memory ----
 */

/* The sysinfo calls of one child that wait for an answer. */
struct answerer;

/*
 * Creates a thread's state for answering the sysinfo calls that arrive at notify_fd, with
 * memory_bytes as the machine's memory. Duplicates notify_fd. Returns NULL if memory or descriptors
 * have run out.
 */
struct answerer *answerer_create(int notify_fd, int64_t memory_bytes);

/*
 * Answers a sysinfo call: total and free memory are the child's limit, with one process and no
 * load. The kernel answers instead if answerer is NULL or if the machine lets nobody write to the
 * child's memory. Does not block: a thread writes to the child's memory. Returns false if more
 * calls wait than the child can have threads.
 */
bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call);

/* Answers calls that still wait because the system could not start a thread. Accepts NULL. */
void answerer_retry(struct answerer *answerer);

/* Frees an answerer whose child is dead. Accepts NULL. Does not block. */
void answerer_destroy(struct answerer *answerer);

/* Blocks until all scans and answers have ended, at most until deadline_us (CLOCK_MONOTONIC). */
void process_jobs_await(int64_t deadline_us);

#endif
