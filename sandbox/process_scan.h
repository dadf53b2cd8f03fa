/*
 * The processes of a child that may have several, read from the /proc of its PID namespace. A child
 * of many processes has hundreds of files there, and may hold up whoever reads them, so a thread
 * beside the arena adds them up.
 */
#ifndef SANDBOX_PROCESS_SCAN_H
#define SANDBOX_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROCESS_SCAN_MS = 5000, /* a scan that takes longer is the child's doing */
    PROCESS_FILE_BYTES_MAX = 4096,
};

/*
 * The line of /proc/PID/status that a process has while it has memory. Keys are matched at the
 * start of a line, because the file also contains the process name, which the child chooses.
 */
#define PROCESS_OWN_PAGES "\nRssAnon:"

/* One child's scans. */
struct process_scan;

struct process_scan_result {
    int64_t begun_us; /* of the monotonic clock */
    int64_t bytes;    /* of memory, without sockets; shared pages count once if they decide */
    int64_t ticks;    /* of processor time that the processes have used, in all */
};

/*
 * Takes what the last scan found, and begins another one unless one is under way. *scan is NULL at
 * first. The child may hold enough_bytes: shared pages are counted once if it seems to hold more.
 * Returns 1 with *result; 0 if no scan has ended since the last call, or none can begin; -ETIME if
 * one has taken longer than PROCESS_SCAN_MS. Does not block.
 */
int process_scan_take(struct process_scan **scan, int proc_fd, int64_t enough_bytes,
                      struct process_scan_result *result);

/* Call once the child is gone. Accepts NULL. Does not block. */
void process_scan_forget(struct process_scan *scan);

/* True if a signal has stopped one of the processes. */
bool process_scan_finds_stopped(int proc_fd);

/*
 * True if the process waits, as after vfork, until a child that shares its memory calls exec or
 * exits.
 */
bool process_shares_memory(int proc_fd, int pid);

/*
 * Reads as much of a file of /proc as fits and ends it with a NUL. Returns its length, 0 if the
 * file cannot be read.
 */
size_t process_read(int folder_fd, const char *path, char *text, size_t capacity);

/*
 * Reads the status of a process. If its first thread has ended, that thread's file lacks the memory
 * figures, but the files of the others have them. Returns the length, 0 if no file has them.
 */
size_t process_read_status(int proc_fd, int pid, char status[static PROCESS_FILE_BYTES_MAX]);

/* Reads one figure of a file like /proc/PID/status; 0 if it is missing. */
int64_t process_figure(const char *text, const char *key);

/* The memory of a process by its status. Private pages count, resident or swapped, and shared
 * memory; pages of files do not. */
int64_t process_resident_bytes(const char *status);

#endif
