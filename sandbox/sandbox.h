/*
 * One confined child: starts it, reports how it ended, kills it. Linux and libseccomp only. Knows
 * no game and no event loop: it exposes descriptors for the caller to poll. No call blocks unless
 * its comment says so.
 *
 * Errors on the arena's side are returned as -errno, with a struct sandbox_failure that names the
 * step; what the child did is a struct sandbox_verdict. Theory of operation: spawn.c.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How much of the confinement a machine supports, ascending. */
enum sandbox_tier {
    SANDBOX_TIER_NONE =
        0, /* seccomp and rlimits only: nothing runs unless the caller asks explicitly */
    SANDBOX_TIER_LITE = 1,    /* Landlock and seccomp */
    SANDBOX_TIER_FULL = 2,    /* namespaces, a root of its own, Landlock, seccomp */
    SANDBOX_TIER_FULL_CG = 3, /* the same, and a cgroup that limits memory and processes */
};

/* Layers that were active for a child; a bit mask, stored with each match and never renumbered. */
enum sandbox_layer {
    SANDBOX_LAYER_NO_NEW_PRIVS = 1 << 0,
    SANDBOX_LAYER_SECCOMP = 1 << 1,
    SANDBOX_LAYER_NOTIFY = 1 << 2, /* forbidden calls are reported by name */
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
    SANDBOX_LAYER_ROOT = 1 << 14, /* pivot_root onto read-only binds */
    SANDBOX_LAYER_PROC = 1 << 15, /* /proc with only its own processes */
    SANDBOX_LAYER_CAPS = 1 << 16, /* capabilities dropped */
    SANDBOX_LAYER_CGROUP_MEMORY = 1 << 17,
    SANDBOX_LAYER_CGROUP_PIDS = 1 << 18,
    SANDBOX_LAYER_UID = 1 << 19, /* started as root: switched to an unprivileged UID */
};

/* Returns "no_new_privs", "seccomp", ... for one bit; a static string, NULL if unknown. */
const char *sandbox_layer_name(uint32_t layer);

/* A step on the arena's side that failed. */
struct sandbox_failure {
    const char *step; /* a static string: "clone", "landlock_restrict_self", ... */
    int error;        /* errno */
};

struct sandbox_limits {
    int64_t memory_bytes;  /* 0: SANDBOX_MEMORY_BYTES_DEFAULT */
    int64_t cpu_s;         /* total processor seconds, 0: no limit */
    int process_count;     /* 0 or 1: one process; more need a PID namespace */
    int thread_count;      /* 0: the default */
    int open_file_count;   /* 0: the default */
    int64_t scratch_bytes; /* a writable /tmp of this size, 0: none */
};

enum {
    SANDBOX_MEMORY_BYTES_DEFAULT = 768 << 20,
    SANDBOX_DYING_MS = 10000, /* for a killed child to end; after that it is given up */
    SANDBOX_NAME_BYTES_MAX = 64,
};

enum sandbox_profile {
    SANDBOX_PROFILE_BOT = 0,   /* reads its folder and the runtimes, writes nothing */
    SANDBOX_PROFILE_BUILD = 1, /* may run compilers: several processes, and a writable folder */
};

/* What to run and how. Strings, arrays and descriptors are borrowed for the call. */
struct sandbox_command {
    const char *folder;      /* absolute path of the bot's folder; its working directory */
    const char *const *argv; /* NULL ended; argv[0] is a file in folder if it has a slash, else a
                                program on /usr/local/bin:/usr/bin:/bin */
    int executable_fd;       /* executed in place of argv[0]: a sealed memfd, or -1 */
    enum sandbox_profile profile;
    struct sandbox_limits limits;
    int cpu;            /* the one core it may run on, or -1 */
    bool net_namespace; /* refuse to start without an empty network namespace */
    bool trace;         /* record refused calls: sandbox_child_refused */
    const char *name;   /* for lost_fn, cut to SANDBOX_NAME_BYTES_MAX; NULL: argv[0] */
};

struct sandbox; /* prepared once per arena: filters, rule sets, the probe's results */

/*
 * A child. The caller only reads the fields; the child owns the descriptors until
 * sandbox_child_finish.
 */
struct sandbox_child {
    pid_t pid;     /* PID in the arena's PID namespace */
    int pid_fd;    /* readable once the child is dead, and from then on: call sandbox_child_reap */
    int stdin_fd;  /* write end, non-blocking; -1 once closed by the caller */
    int stdout_fd; /* read end, non-blocking */
    int stderr_fd; /* read end, non-blocking */
    int setup_fd;  /* readable once set-up has ended: call sandbox_child_setup */
    int notify_fd; /* readable when a call waits for the arena: call sandbox_child_notified; or -1
                    */
    uint32_t layers;                       /* enum sandbox_layer bits that are active */
    struct sandbox_child_private *private; /* the sandbox's own */
};

enum sandbox_setup {
    SANDBOX_SETUP_PENDING = 0, /* set-up has not ended yet */
    SANDBOX_SETUP_RUNNING = 1, /* the bot's program runs: its time counts from here */
    SANDBOX_SETUP_REFUSED =
        2, /* the program could not be executed, failure->error: the bot's fault */
    SANDBOX_SETUP_FAILED = 3, /* a step of the arena failed; the bot never ran */
};

enum sandbox_end {
    SANDBOX_END_EXITED = 0,    /* exited by itself: see status */
    SANDBOX_END_SIGNALED = 1,  /* died of a signal that the sandbox did not send: see signal */
    SANDBOX_END_FORBIDDEN = 2, /* killed for a forbidden system call: see call */
    SANDBOX_END_MEMORY = 3,    /* proven to be out of memory */
    SANDBOX_END_CPU = 4,       /* it used up its processor seconds */
    SANDBOX_END_KILLED = 5,    /* killed by sandbox_child_kill */
    SANDBOX_END_KEEPER = 6,    /* its keeper was killed by somebody else: not the child's fault */
};

struct sandbox_verdict {
    enum sandbox_end end;
    int status;                 /* exit status, else 0 */
    int signal;                 /* signal number, else 0 */
    const char *call;           /* name of the forbidden call or NULL; a static string */
    int64_t cpu_us;             /* total processor time used */
    int64_t memory_peak_bytes;  /* peak resident memory */
    int64_t memory_limit_bytes; /* the limit it ran under */
};

struct sandbox_options {
    enum sandbox_tier require; /* refuse lower tiers; TIER_NONE must be asked for explicitly */
    enum sandbox_tier
        at_most; /* use no higher tier, to try out what a lesser machine offers; 0: no bound */
    /*
     * Called once per child, with its name, if a process of it was killed but the kernel does not
     * let it end. The process is given up, and reaped if it ends later. Called in whatever thread
     * starts or ends children, also while others wait to start theirs. May be NULL.
     */
    void (*lost_fn)(const char *name, pid_t pid);
};

/*
 * Probes the machine, makes this process non-dumpable and raises its limit of open descriptors as
 * far as allowed. Call once, early, from a single thread; keeps descriptors open until
 * sandbox_destroy. NULL options require SANDBOX_TIER_LITE. Returns 0, or -errno with *failure set
 * (also if the machine supports less than required).
 *
 * The sandbox reaps its children: nothing else in the process may do so, as libev's default loop
 * would. SIGCHLD is set to its default action, because the kernel reaps children itself while it is
 * ignored.
 */
int sandbox_create(struct sandbox **sandbox, const struct sandbox_options *options,
                   struct sandbox_failure *failure);

/*
 * Accepts NULL. All children must be finished. Blocks up to SANDBOX_DYING_MS for killed processes
 * that have not ended.
 */
void sandbox_destroy(struct sandbox *sandbox);

/* The tier in use. */
enum sandbox_tier sandbox_tier(const struct sandbox *sandbox);

/* Why the next higher tier is not available; step is NULL at the highest. */
struct sandbox_failure sandbox_shortfall(const struct sandbox *sandbox);

/*
 * Starts a child, in about a millisecond. Returns 0, or -errno with *failure set and nothing left
 * behind. The child is then set up: wait for setup_fd. Any thread may start children and any may
 * finish them, but only one thread at a time may use a child; children die with the thread that
 * started them.
 */
int sandbox_spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                  struct sandbox_child *child, struct sandbox_failure *failure);

/*
 * Kills what another thread is starting just now, so that its sandbox_spawn fails with ETIME: for a
 * start that hangs, as on a file system that does not answer. Does not block.
 */
void sandbox_spawn_abort(struct sandbox *sandbox);

/*
 * Returns the state of set-up. Does not block. Sets *failure for SANDBOX_SETUP_REFUSED and
 * SANDBOX_SETUP_FAILED.
 */
enum sandbox_setup sandbox_child_setup(struct sandbox_child *child,
                                       struct sandbox_failure *failure);

/* A system call that was refused to a traced child. */
struct sandbox_refusal {
    const char *call; /* its name, or NULL if the number has none; a static string */
    int number;
    int error;      /* the errno it failed with */
    unsigned count; /* number of times */
};

/*
 * Writes the calls refused so far to a child that was spawned with trace, by call number, at most
 * capacity of them. Returns how many there are.
 */
size_t sandbox_child_refused(const struct sandbox_child *child, struct sandbox_refusal *refusals,
                             size_t capacity);

/*
 * Handles up to 64 calls that wait on notify_fd; if more wait, it stays readable. A forbidden call
 * is recorded and the child killed; a query about the machine is answered with the child's limits.
 * Does not block. Returns false once no process is left to make calls: notify_fd then stays
 * readable for ever, so stop polling it.
 */
bool sandbox_child_notified(struct sandbox_child *child);

/*
 * Returns the processor time used so far in microseconds, or -errno. Counts only the first process
 * of a bot that has several. Makes one system call.
 */
int64_t sandbox_child_cpu_us(const struct sandbox_child *child);

/*
 * Returns how long the threads of the child's first process, those that live, were ready to run but
 * waited for a processor, in microseconds; or -errno. Makes four system calls a thread.
 */
int64_t sandbox_child_queued_us(const struct sandbox_child *child);

/*
 * Kills the child and returns true if it is over its memory limit, where no cgroup limits the
 * resident memory of all its processes. Also checks that a stopped child stays stopped. Call each
 * turn and every 50 ms.
 */
bool sandbox_child_watch(struct sandbox_child *child);

/* True if a signal has stopped a process of a build. */
bool sandbox_child_is_stopped(const struct sandbox_child *child);

/*
 * Stops all processes of the child (true) or resumes them (false), with the freezer of a version 2
 * control group if there is one, else with SIGSTOP; nothing that a child may do wakes it. Returns 0
 * or -errno. Returns -EBUSY, on this and all later calls, if the processes used processor time
 * while they were stopped (for processes other than the first, only if sandbox_child_watch was
 * called twice meanwhile).
 */
int sandbox_child_freeze(struct sandbox_child *child, bool frozen);

/* What becomes of a child that closed its pipes. */
enum sandbox_departure {
    SANDBOX_STAYS = 0,         /* it still runs */
    SANDBOX_LEAVES = 1,        /* its first thread is exiting; freeing its memory takes a while */
    SANDBOX_OUT_OF_MEMORY = 2, /* the kernel killed it, or a process of it, for its memory */
};

/* Returns which of these holds for a child that has not been reaped. Does not block. */
enum sandbox_departure sandbox_child_departure(const struct sandbox_child *child);

/* Kills the child and all its processes. It must still be reaped. */
void sandbox_child_kill(struct sandbox_child *child);

/*
 * Returns true and sets *verdict if the child is dead; false while it lives. Does not block. The
 * process is not freed before sandbox_child_finish. A child that still lives SANDBOX_DYING_MS after
 * it was killed is given up: the result is true as well, and the verdict says why it was killed.
 */
bool sandbox_child_reap(struct sandbox_child *child, struct sandbox_verdict *verdict);

/*
 * Closes every descriptor and removes what the child had. Kills and reaps the child first if
 * necessary, and then blocks until its death, at most SANDBOX_DYING_MS. Accepts a zeroed child.
 */
void sandbox_child_finish(struct sandbox_child *child);

/*
 * Returns a sealed close-on-exec memfd with the program of attempt.c, which the caller closes, or
 * -errno.
 */
int sandbox_attempt_program(void);

#endif
