/* SPDX-License-Identifier: MIT */
/*
 * Starts a confined child process, kills it, and reports how it ended. Linux and libseccomp only.
 * The sandbox knows nothing of games and has no event loop: it gives the caller descriptors to
 * poll. A function blocks only if its comment says so.
 *
 * Functions return errors of the arena as -errno and name the failed step in a struct
 * sandbox_failure. How the child ended is a struct sandbox_verdict. Theory of operation: spawn.c.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How much confinement a machine supports; a higher number means more. */
enum sandbox_tier {
    SANDBOX_TIER_NONE = 0,    /* seccomp and rlimits only; sandbox_create refuses this tier unless
                                 options->require is 0 */
    SANDBOX_TIER_LITE = 1,    /* Landlock and seccomp */
    SANDBOX_TIER_FULL = 2,    /* Landlock, seccomp, namespaces and a private root folder */
    SANDBOX_TIER_FULL_CG = 3, /* SANDBOX_TIER_FULL, and a cgroup that limits memory and processes */
};

/*
 * Layers of confinement, as bits. The arena stores them with each match: never renumber the bits.
 */
enum sandbox_layer {
    SANDBOX_LAYER_NO_NEW_PRIVS = 1 << 0,
    SANDBOX_LAYER_SECCOMP = 1 << 1,
    SANDBOX_LAYER_NOTIFY = 1 << 2, /* the kernel reports forbidden calls to the arena */
    SANDBOX_LAYER_RLIMITS = 1 << 3,
    SANDBOX_LAYER_LANDLOCK_FS = 1 << 4,
    SANDBOX_LAYER_LANDLOCK_NET = 1 << 5,
    SANDBOX_LAYER_LANDLOCK_SCOPE = 1 << 6,
    SANDBOX_LAYER_USER_NS = 1 << 7,
    SANDBOX_LAYER_PID_NS = 1 << 8,
    SANDBOX_LAYER_MOUNT_NS = 1 << 9,
    SANDBOX_LAYER_IPC_NS = 1 << 10,
    SANDBOX_LAYER_UTS_NS = 1 << 11,
    SANDBOX_LAYER_CGROUP_NS = 1 << 12,
    SANDBOX_LAYER_NET_NS = 1 << 13,
    SANDBOX_LAYER_ROOT = 1 << 14, /* a root folder that consists of read-only bind mounts */
    SANDBOX_LAYER_PROC = 1 << 15, /* a /proc that shows only the child's processes */
    SANDBOX_LAYER_CAPS = 1 << 16, /* the child has dropped its capabilities */
    SANDBOX_LAYER_CGROUP_MEMORY = 1 << 17,
    SANDBOX_LAYER_CGROUP_PIDS = 1 << 18,
    SANDBOX_LAYER_UID = 1 << 19, /* an arena that runs as root gave the child an unprivileged UID */
};

/* The names of SANDBOX_TIER_NONE, _LITE and _FULL, and NULL. */
extern const char *const sandbox_tiers[];

/* Returns the name of one layer, such as "seccomp": a static string, or NULL if unknown. */
const char *sandbox_layer_name(uint32_t layer);

/* A step of the arena's own work that failed. */
struct sandbox_failure {
    const char *step; /* a static string: "clone", "landlock_restrict_self", ... */
    int error;        /* errno */
};

struct sandbox_limits {
    int64_t memory_bytes; /* memory; 0: SANDBOX_MEMORY_BYTES_DEFAULT */
    int64_t cpu_s;        /* total processor seconds; 0: no limit */
    int process_count; /* maximum of processes; 0: one; several processes need SANDBOX_TIER_FULL */
    int thread_count;  /* maximum of threads; 0: LIMITS_THREADS_DEFAULT */
    int open_file_count;   /* maximum of open files; 0: LIMITS_OPEN_FILES_DEFAULT */
    int64_t scratch_bytes; /* size of a writable /tmp; 0: the child has no writable /tmp */
};

enum {
    SANDBOX_MEMORY_BYTES_DEFAULT = 768 << 20,
    SANDBOX_DYING_MS = 10000, /* time after which the sandbox gives up a killed child */
    SANDBOX_NAME_BYTES_MAX = 64,
};

enum sandbox_profile {
    SANDBOX_PROFILE_BOT = 0,   /* the child reads its folder and the runtimes, and writes nothing */
    SANDBOX_PROFILE_BUILD = 1, /* the child may start compilers and write to its folder */
};

/* What to run and how. sandbox_spawn borrows strings, arrays and descriptors until it returns. */
struct sandbox_command {
    const char *folder;      /* absolute path of the bot's folder, its working directory */
    const char *const *argv; /* arguments, ending with NULL; argv[0] is a file in `folder` if it has
                                a slash, else a program in /usr/local/bin:/usr/bin:/bin */
    int executable_fd;       /* sealed memfd to execute in place of argv[0], or -1 */
    enum sandbox_profile profile;
    struct sandbox_limits limits;
    int cpu;            /* number of the only core that the child may run on; -1: any core */
    bool net_namespace; /* fail if the machine cannot give the child an empty network namespace */
    bool trace;         /* count refused system calls for sandbox_child_refused */
    bool must_fit;      /* fail if all children may then take more than sandbox_room */
    const char *name; /* the child's name in calls of lost_fn, cut to SANDBOX_NAME_BYTES_MAX; NULL:
                         argv[0] */
};

struct sandbox; /* filters, rule sets and what the machine supports; created once per arena */

/*
 * A running child. The caller only reads the fields. The sandbox owns the descriptors;
 * sandbox_child_finish closes them.
 */
struct sandbox_child {
    pid_t pid;             /* PID in the arena's PID namespace */
    int pid_fd;            /* readable once the child is dead; then call sandbox_child_reap */
    int stdin_fd;          /* write end, non-blocking; -1 once the caller has closed it */
    int stdout_fd;         /* read end, non-blocking */
    int stderr_fd;         /* read end, non-blocking */
    int setup_fd;          /* readable after the set-up; then call sandbox_child_setup */
    int notify_fd;         /* readable while a system call waits for the arena; then call
                              sandbox_child_notified; -1: none */
    uint32_t layers;       /* set of enum sandbox_layer bits that confine the child */
    const char *exhausted; /* a bound that the child has used up, so that a call of it failed or the
                              arena has killed it: a static string for its author; NULL: none */
    struct sandbox_child_private *private; /* data that only the sandbox uses */
};

enum sandbox_setup {
    SANDBOX_SETUP_PENDING = 0, /* set-up has not ended yet */
    SANDBOX_SETUP_RUNNING = 1, /* the bot's program runs: from now on the arena charges its time */
    SANDBOX_SETUP_REFUSED = 2, /* exec failed with failure->error, which is the bot's fault */
    SANDBOX_SETUP_FAILED = 3,  /* a step of the arena failed, and the bot never ran */
};

enum sandbox_end {
    SANDBOX_END_EXITED = 0,    /* the child exited by itself; see `status` */
    SANDBOX_END_SIGNALED = 1,  /* a signal of somebody else killed the child; see `signal` */
    SANDBOX_END_FORBIDDEN = 2, /* the child was killed for a forbidden system call; see `call` */
    SANDBOX_END_MEMORY = 3,    /* the child was killed because it exceeded its memory limit */
    SANDBOX_END_CPU = 4,       /* the child used up its processor seconds */
    SANDBOX_END_KILLED = 5,    /* sandbox_child_kill killed the child */
    SANDBOX_END_KEEPER = 6,    /* another process killed the keeper; not the child's fault */
    SANDBOX_END_STARVED = 7,   /* the kernel killed the child, which was within its memory limit, to
                                  free memory of the machine or of the arena's own control group;
                                  not the child's fault */
};

struct sandbox_verdict {
    enum sandbox_end end;
    int status;                 /* exit status, else 0 */
    int signal;                 /* signal number, else 0 */
    const char *call;           /* name of the forbidden call or NULL; a static string */
    int64_t cpu_us;             /* total processor time that the child used */
    int64_t memory_peak_bytes;  /* peak resident memory */
    int64_t memory_limit_bytes; /* memory limit of the child */
};

struct sandbox_options {
    enum sandbox_tier require; /* lowest tier to accept */
    /* Highest tier to use, to imitate a machine that supports less; 0: no bound. */
    enum sandbox_tier at_most;
    /*
     * Called with the name of a child, at most once per child, when a killed process of the child
     * does not end. The sandbox then gives the process up, and reaps it if it ends later. Any
     * thread that starts or ends a child may call lost_fn; other threads that start a child may
     * wait for its return. May be NULL.
     */
    void (*lost_fn)(const char *name, pid_t pid);
};

/*
 * Finds out what the machine supports, makes this process non-dumpable and raises its limit of open
 * descriptors as far as allowed. Call once, early, before the process has other threads; the
 * sandbox keeps descriptors open until sandbox_destroy. If options is NULL, requires
 * SANDBOX_TIER_LITE. Returns 0, or -errno with *failure set (also if the machine supports less than
 * options->require). The sandbox reaps its children; no other code of the process may reap them, as
 * libev's default loop would. sandbox_create sets SIGCHLD to its default action, because the kernel
 * itself reaps the children of a process that ignores SIGCHLD.
 */
int sandbox_create(struct sandbox **sandbox, const struct sandbox_options *options,
                   struct sandbox_failure *failure);

/*
 * Frees the sandbox. Accepts NULL. The caller must have finished all children before. Blocks up to
 * SANDBOX_DYING_MS for killed processes that have not ended.
 */
void sandbox_destroy(struct sandbox *sandbox);

/* Returns the tier in use. */
enum sandbox_tier sandbox_tier(const struct sandbox *sandbox);

/* What a child, or all children together, may take at most. */
struct sandbox_share {
    int64_t memory_bytes; /* with what the kernel keeps and no control group of the child counts */
    int64_t task_count;   /* processes and threads, the keeper included */
};

/* Returns what a child with these limits may take. */
struct sandbox_share sandbox_need(const struct sandbox *sandbox,
                                  const struct sandbox_limits *limits);

/*
 * Returns what is left for all children: by the limits of the control group in which the arena was
 * started and, if children count as the arena's user, by that user's RLIMIT_NPROC. About INT64_MAX
 * where there is no limit.
 */
struct sandbox_share sandbox_room(const struct sandbox *sandbox);

/*
 * Returns the step that failed when the sandbox tried the next higher tier; step is NULL at the
 * highest tier.
 */
struct sandbox_failure sandbox_shortfall(const struct sandbox *sandbox);

/*
 * Starts a child, in about a millisecond. Returns 0, or -errno with *failure set and every resource
 * freed. After 0, wait until child->setup_fd is readable. Different threads may start and finish a
 * child, but only one thread at a time may use the child. The kernel kills a child when the thread
 * that started it ends.
 */
int sandbox_spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                  struct sandbox_child *child, struct sandbox_failure *failure);

/*
 * Kills the child that another thread is starting, so that the sandbox_spawn of that thread fails
 * with ETIME. Call this function if a start hangs, for example on a file system that does not
 * answer. Does not block.
 */
void sandbox_spawn_abort(struct sandbox *sandbox);

/*
 * Returns the state of the child's set-up. Does not block. Sets *failure if the state is
 * SANDBOX_SETUP_REFUSED or SANDBOX_SETUP_FAILED.
 */
enum sandbox_setup sandbox_child_setup(struct sandbox_child *child,
                                       struct sandbox_failure *failure);

/* A system call that the filter refused to a traced child. */
struct sandbox_refusal {
    const char *call; /* name of the call, a static string; NULL if the number has no name */
    int number;
    int error;      /* errno with which the call failed */
    unsigned count; /* number of refused calls */
};

/*
 * Writes the system calls refused so far, at most `capacity`, ordered by call number. The child
 * must have been started with command.trace. Returns the number of refused calls, written or not.
 */
size_t sandbox_child_refused(const struct sandbox_child *child, struct sandbox_refusal *refusals,
                             size_t capacity);

/*
 * Handles up to 64 system calls that wait on notify_fd; if more calls wait, notify_fd stays
 * readable. Records a forbidden call and kills the child; answers a query about the machine with
 * the child's limits. Does not block. Returns false once every process of the child has ended:
 * notify_fd then stays readable for ever, so stop polling it.
 */
bool sandbox_child_notified(struct sandbox_child *child);

/*
 * Returns the processor time, in microseconds, that the child's first process has used so far, or
 * -errno. Does not count the child's other processes. Makes one system call.
 */
int64_t sandbox_child_cpu_us(const struct sandbox_child *child);

/*
 * Returns for how many microseconds in all other programs have kept the child from a processor: a
 * thread of the child was ready to run, and none of its own computed; or one waited in the kernel,
 * for a lock of another program or for a disk, at several calls of sandbox_child_watch. The figure
 * may be too low if several threads compute; it is never raised by threads that wait for each
 * other. since_us (CLOCK_MONOTONIC) is when the child was last given work; it waited for nothing
 * shortly before. Returns -errno if it is not known, as for a child of several processes. Makes
 * eight system calls per thread.
 */
int64_t sandbox_child_queued_us(struct sandbox_child *child, int64_t since_us);

/*
 * Returns the processor time, in microseconds, of all processes that the child has had (without a
 * control group that counts: without those that nobody waited for); or -errno if it is not known,
 * as without a PID namespace, or for a child of one process. Sets *is_ready: one of them computes
 * now, or waits for a processor. Reads a file per thread.
 */
int64_t sandbox_child_load_us(const struct sandbox_child *child, bool *is_ready);

/*
 * If no cgroup limits the child's memory: kills the child and returns true if its processes
 * together exceed its memory limit. Also checks that a frozen child stays frozen. Call every 50 ms,
 * and before a child leaves.
 */
bool sandbox_child_watch(struct sandbox_child *child);

/*
 * Stops all processes of the child (frozen is true) or resumes them (false), with the freezer of a
 * version 2 control group if there is one, else with SIGSTOP. No system call that the child may
 * make resumes it. Returns 0 or -errno. Returns -EBUSY, now and on all later calls, if somebody
 * else resumed the first process, or if several calls of sandbox_child_watch found that the
 * processes had used processor time while they were stopped.
 */
int sandbox_child_freeze(struct sandbox_child *child, bool frozen);

/* The state of a child that has closed its pipes or does not answer. */
enum sandbox_departure {
    SANDBOX_STAYS = 0,         /* the child still runs */
    SANDBOX_LEAVES = 1,        /* every thread of the child is exiting, which may take a while */
    SANDBOX_OUT_OF_MEMORY = 2, /* the kernel killed a process of the child at its memory limit */
};

/* Returns the state of a child that has not been reaped. Does not block. */
enum sandbox_departure sandbox_child_departure(const struct sandbox_child *child);

/* Kills all processes of the child. The caller must still reap the child. */
void sandbox_child_kill(struct sandbox_child *child);

/*
 * Returns true and sets *verdict if the child is dead; false while it lives. Does not block. The
 * child stays a zombie until sandbox_child_finish. The sandbox gives up a child that still lives
 * SANDBOX_DYING_MS after it was killed: the function then returns true too, and *verdict says why
 * the sandbox killed the child.
 */
bool sandbox_child_reap(struct sandbox_child *child, struct sandbox_verdict *verdict);

/*
 * Closes every descriptor of the child and frees its resources. First kills and reaps a child that
 * still runs; in this case, blocks until the child is dead, at most SANDBOX_DYING_MS. Accepts a
 * zeroed child.
 */
void sandbox_child_finish(struct sandbox_child *child);

/*
 * Confines this process itself for good, before it has threads: the process then reads only the
 * folders read_fds, writes only to the folder write_fd, and speaks over sockets that it accepts and
 * Unix sockets that it connects. It starts no process and executes nothing. A process that runs as
 * root switches to another UID. Descriptors of -1 are left out. Returns 0, or -errno with *failure
 * set, also if the kernel has no Landlock.
 */
int sandbox_confine_self(const int *read_fds, int read_count, int write_fd,
                         struct sandbox_failure *failure);

/* True if root's processes that call sandbox_confine_self may switch to this UID. */
bool sandbox_is_own_user(uid_t uid);

/*
 * Returns a sealed close-on-exec memfd that contains the program of attempt.c, or -errno. The
 * caller closes the memfd.
 */
int sandbox_attempt_program(void);

#endif
