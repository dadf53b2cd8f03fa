/*
 * Reads the memory and processor time of a child's processes from /proc, and writes the answers to
 * sysinfo to their memory. Separate threads do both, because there may be hundreds of files, and
 * another thread of the child can stall the access for seconds by changing the child's memory map.
 */
#ifndef SANDBOX_PROCESS_SCAN_H
#define SANDBOX_PROCESS_SCAN_H

#include <linux/seccomp.h>
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

/*
 * ---- answers to sysinfo, for which the kernel would describe the whole machine: its processes,
 * load and free memory ----
 */

/* The sysinfo calls of one child that wait for an answer. */
struct answerer;

/*
 * Creates what answers the sysinfo calls that arrive at notify_fd, with the child's limit of memory
 * as the machine's memory. Duplicates notify_fd. Returns NULL if memory or descriptors have run
 * out.
 */
struct answerer *answerer_create(int notify_fd, int64_t memory_bytes);

/*
 * Answers a sysinfo call: total and free memory are the child's limit, with one process and no
 * load. The kernel answers instead if answerer is NULL or if the arena cannot write to the child's
 * memory (some machines forbid that to every process). Does not block: a separate thread writes to
 * the child's memory. Returns false if more calls wait than the child can have threads.
 */
bool answer_sysinfo(struct answerer *answerer, int notify_fd, const struct seccomp_notif *call);

/* Answers calls that still wait because no thread could be started earlier. Accepts NULL. */
void answerer_retry(struct answerer *answerer);

/* Frees an answerer whose child is dead. Accepts NULL. Does not block. */
void answerer_destroy(struct answerer *answerer);

/* Blocks until all scans and answers have ended, at most until deadline_us (CLOCK_MONOTONIC). */
void process_jobs_await(int64_t deadline_us);

#endif
