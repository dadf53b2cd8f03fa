/*
 * Sums up the memory and processor time of all processes of a child, read from the /proc of the
 * child's PID namespace. A separate thread reads these files, because there may be hundreds of them
 * and the child can delay whoever reads them.
 */
#ifndef SANDBOX_PROCESS_SCAN_H
#define SANDBOX_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PROCESS_SCAN_MS = 5000, /* if a scan takes longer, the child is delaying it */
    PROCESS_FILE_BYTES_MAX = 4096,
};

/*
 * A key of /proc/PID/status that is present while the process has memory. Keys begin with a
 * newline, so that they cannot match inside the process name, which the child chooses.
 */
#define PROCESS_OWN_PAGES "\nRssAnon:"

/* The repeated scan of one child. */
struct process_scan;

struct process_scan_result {
    int64_t begun_us; /* start of the scan, CLOCK_MONOTONIC */
    int64_t bytes;    /* memory without sockets; see process_scan_take for shared pages */
    int64_t ticks;    /* processor time that all processes have used, in clock ticks */
};

/*
 * Takes the result of the last scan, and begins another scan unless one is running. *scan is NULL
 * before the first call. A scan counts shared pages once per process and, only if that sum exceeds
 * enough_bytes, counts again with each shared page counted once. Returns 1 with *result set; 0 if
 * no scan has ended since the last call or no scan can begin; -ETIME if the running scan has taken
 * longer than PROCESS_SCAN_MS. Does not block.
 */
int process_scan_take(struct process_scan **scan, int proc_fd, int64_t enough_bytes,
                      struct process_scan_result *result);

/* Frees the scan after the child's end. Accepts NULL. Does not block. */
void process_scan_forget(struct process_scan *scan);

/*
 * True if a thread of the process waits in vfork (or clone with CLONE_VFORK) until a new process,
 * which shares its memory, calls exec or exits.
 */
bool process_shares_memory(int proc_fd, int pid);

/*
 * Reads as much of a file of /proc as fits and ends it with a NUL. Returns its length, 0 if the
 * file cannot be read.
 */
size_t process_read(int folder_fd, const char *path, char *text, size_t capacity);

/* Writes a text to the file `name` of /proc/PID. Returns 0 or -errno. */
int process_write(pid_t pid, const char *name, const char *text);

/*
 * Reads /proc/PID/status. If the first thread of the process has ended, that file lacks the memory
 * figures; then reads the status file of another thread. Returns the length of the text, 0 if no
 * file has the figures.
 */
size_t process_read_status(int proc_fd, int pid, char status[static PROCESS_FILE_BYTES_MAX]);

/* Returns the figure after `key` in a text like that of /proc/PID/status, or 0 if it is missing. */
int64_t process_figure(const char *text, const char *key);

/*
 * Returns the memory of a process in bytes, from the text of its status file: private pages,
 * resident or swapped, shared memory and page tables, but not pages of files.
 */
int64_t process_resident_bytes(const char *status);

#endif
