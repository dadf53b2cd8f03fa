/*
 * One confined child: starts it, names what became of it, kills it. Linux and
 * libseccomp only; knows no game and no event loop: descriptors are handed out for
 * the caller to wait on, and no call here blocks but where it says so.
 *
 * Errors of the arena's side are -errno and a struct sandbox_failure that names the
 * step; what the child did is a struct sandbox_verdict. Theory of operation: spawn.c.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How much of the confinement a machine can hold, ascending. */
enum sandbox_tier {
    SANDBOX_TIER_NONE =
        0, /* seccomp and rlimits only: nothing runs unless asked in so many words */
    SANDBOX_TIER_LITE = 1,    /* Landlock and seccomp */
    SANDBOX_TIER_FULL = 2,    /* namespaces, a root of its own, Landlock, seccomp */
    SANDBOX_TIER_FULL_CG = 3, /* the same, and memory and processes counted by a cgroup */
};

/* Layers that held for a child; a bit mask, stored with each match and never renumbered. */
enum sandbox_layer {
    SANDBOX_LAYER_NO_NEW_PRIVS = 1 << 0,
    SANDBOX_LAYER_SECCOMP = 1 << 1,
    SANDBOX_LAYER_NOTIFY = 1 << 2, /* forbidden calls are named */
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
    SANDBOX_LAYER_PROC = 1 << 15, /* /proc of its own processes only */
    SANDBOX_LAYER_CAPS = 1 << 16, /* capabilities dropped */
    SANDBOX_LAYER_CGROUP_MEMORY = 1 << 17,
    SANDBOX_LAYER_CGROUP_PIDS = 1 << 18,
    SANDBOX_LAYER_UID = 1 << 19, /* started as root: an unprivileged id */
};

/* "no_new_privs", "seccomp", ... for one bit; a static string, NULL if unknown. */
const char *sandbox_layer_name(uint32_t layer);

/* A step of the arena's side that failed. */
struct sandbox_failure {
    const char *step; /* a static string: "clone", "landlock_restrict_self", ... */
    int error;        /* errno */
};

struct sandbox_limits {
    int64_t memory_bytes;  /* 0: SANDBOX_MEMORY_BYTES_DEFAULT */
    int64_t cpu_s;         /* processor seconds in all, 0: no limit */
    int process_count;     /* 0 or 1: one process; more need a PID namespace */
    int thread_count;      /* 0: the default */
    int open_file_count;   /* 0: the default */
    int64_t scratch_bytes; /* a writable /tmp of this size, 0: none */
};

enum {
    SANDBOX_MEMORY_BYTES_DEFAULT = 768 << 20,
    SANDBOX_DYING_MS = 10000, /* from a kill to the death; a child that lives on is given up */
    SANDBOX_NAME_BYTES_MAX = 64,
};

enum sandbox_profile {
    SANDBOX_PROFILE_BOT = 0,   /* reads its folder and the runtimes, writes nothing */
    SANDBOX_PROFILE_BUILD = 1, /* compilers allowed: processes, and a writable folder */
};

/* What to run and how. Strings, arrays and descriptors are borrowed for the call. */
struct sandbox_command {
    const char *folder;      /* absolute path of the bot's folder; its working directory */
    const char *const *argv; /* NULL ended; argv[0] with a slash: a file below folder, without
                                one: a program on /usr/local/bin:/usr/bin:/bin */
    int executable_fd;       /* what to execute in place of argv[0]: a sealed memfd, or -1 */
    enum sandbox_profile profile;
    struct sandbox_limits limits;
    int cpu;            /* the one core it may run on, or -1 */
    bool net_namespace; /* refuse to start it without an empty network of its own */
    bool trace;         /* record refused calls: sandbox_child_refused */
    const char *name;   /* for lost_fn, cut after SANDBOX_NAME_BYTES_MAX; NULL: argv[0] */
};

struct sandbox; /* what is prepared once per arena: filters, rule sets, the probe's findings */

/* A child. Fields are for reading; descriptors are the child's until sandbox_child_finish. */
struct sandbox_child {
    pid_t pid;     /* as the arena sees it */
    int pid_fd;    /* readable when the child is dead: then sandbox_child_reap, and stays so */
    int stdin_fd;  /* write end, non-blocking; -1 once closed by the caller */
    int stdout_fd; /* read end, non-blocking */
    int stderr_fd; /* read end, non-blocking */
    int setup_fd;  /* readable once set-up has ended: then sandbox_child_setup */
    int notify_fd; /* readable when a forbidden call was made: then sandbox_child_notified; or -1 */
    uint32_t layers;                       /* enum sandbox_layer bits that hold */
    struct sandbox_child_private *private; /* the sandbox's own */
};

enum sandbox_setup {
    SANDBOX_SETUP_PENDING = 0, /* not ended yet */
    SANDBOX_SETUP_RUNNING = 1, /* the bot's program runs: its clock starts */
    SANDBOX_SETUP_REFUSED =
        2, /* the program could not be executed: the bot's fault, failure->error */
    SANDBOX_SETUP_FAILED = 3, /* a step of ours failed, and the bot never ran */
};

enum sandbox_end {
    SANDBOX_END_EXITED = 0,    /* by itself: status */
    SANDBOX_END_SIGNALED = 1,  /* by a signal that was not ours: signal */
    SANDBOX_END_FORBIDDEN = 2, /* killed for a system call: call */
    SANDBOX_END_MEMORY = 3,    /* out of memory, proven */
    SANDBOX_END_CPU = 4,       /* over its processor seconds */
    SANDBOX_END_KILLED = 5,    /* by sandbox_child_kill */
    SANDBOX_END_KEEPER = 6,    /* with its keeper, which somebody else killed: nothing it did */
};

struct sandbox_verdict {
    enum sandbox_end end;
    int status;                 /* exit status, else 0 */
    int signal;                 /* signal number, else 0 */
    const char *call;           /* name of the forbidden call or NULL; a static string */
    int64_t cpu_us;             /* processor time used in all */
    int64_t memory_peak_bytes;  /* most memory resident */
    int64_t memory_limit_bytes; /* that it had */
};

struct sandbox_options {
    enum sandbox_tier require; /* refuse less; TIER_NONE must be asked for in so many words */
    enum sandbox_tier
        at_most; /* use no more, to try what a lesser machine holds; 0: all there is */
    /* A process of the child of that name was killed, and the kernel does not let it end: it is
       given up, and reaped whenever it ends after all. Once a child. May be NULL. */
    void (*lost_fn)(const char *name, pid_t pid);
};

/*
 * Probes the machine, makes this process not dumpable and lets it open as many descriptors
 * as it may. Call once, early, from a single thread; keeps descriptors until
 * sandbox_destroy. NULL options require LITE. Returns 0, or -errno with *failure set (also
 * when the machine holds less than required).
 *
 * Children are the caller's: nothing else in the process may reap them, as libev's default
 * loop would. SIGCHLD gets its default action, since the kernel reaps where it is ignored.
 */
int sandbox_create(struct sandbox **sandbox, const struct sandbox_options *options,
                   struct sandbox_failure *failure);

/*
 * Takes NULL. Children must be finished. Blocks up to SANDBOX_DYING_MS for processes that were
 * killed and do not end.
 */
void sandbox_destroy(struct sandbox *sandbox);

/* The tier that was chosen. */
enum sandbox_tier sandbox_tier(const struct sandbox *sandbox);

/* What stood in the way of the next higher tier; step NULL at the highest. */
struct sandbox_failure sandbox_shortfall(const struct sandbox *sandbox);

/*
 * Starts a child. Takes about a millisecond. Returns 0, or -errno with *failure set
 * and nothing left behind. The child is then set up: wait for setup_fd. Any thread may start
 * children and any may finish them, a child being one thread's at a time; they die with the
 * thread that started them.
 */
int sandbox_spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                  struct sandbox_child *child, struct sandbox_failure *failure);

/* How set-up stands. Does not block. *failure is set for REFUSED and FAILED. */
enum sandbox_setup sandbox_child_setup(struct sandbox_child *child,
                                       struct sandbox_failure *failure);

/* A system call that a traced child was refused. */
struct sandbox_refusal {
    const char *call; /* its name, or NULL for a number without one; a static string */
    int number;
    int error;      /* the errno it got */
    unsigned count; /* how often */
};

/*
 * The calls that a child spawned with trace was refused so far, by number. Writes up to
 * capacity of them and returns how many there are.
 */
size_t sandbox_child_refused(const struct sandbox_child *child, struct sandbox_refusal *refusals,
                             size_t capacity);

/*
 * Answers notify_fd: a forbidden call is recorded and the child killed; a question about the
 * machine is answered with the child's limits, and the child waits for that. Takes 64 calls at
 * most; the descriptor stays readable if there are more. Does not block. Returns false once nobody
 * is left who could make one: the descriptor then stays readable, so stop waiting.
 */
bool sandbox_child_notified(struct sandbox_child *child);

/*
 * Processor time used so far, microseconds, or -errno. One system call. Of the bot's first
 * process only, where it has several.
 */
int64_t sandbox_child_cpu_us(const struct sandbox_child *child);

/*
 * Looks at the resident memory of all its processes where no cgroup does; kills the child when it
 * is over its limit and returns true. Looks whether a stopped child stays so as well. Call each
 * turn and every 50 ms.
 */
bool sandbox_child_watch(struct sandbox_child *child);

/*
 * Stops all processes of the child (true) or lets them run on (false): by the freezer of a control
 * group of version 2, else by SIGSTOP, and nothing that a child may do wakes it. Returns 0 or
 * -errno; -EBUSY, now and later, if its processes used processor time while they were stopped (for
 * others than the first, sandbox_child_watch must have been called meanwhile).
 */
int sandbox_child_freeze(struct sandbox_child *child, bool frozen);

/* Kills the child and all it started. It is still to be reaped. */
void sandbox_child_kill(struct sandbox_child *child);

/*
 * Judges a dead child: true, with *verdict; false while it lives. Does not block; what is left of
 * the process stays until the child is finished.
 * A child that lives on SANDBOX_DYING_MS after it was killed is given up: that is true as well,
 * with what it was killed for.
 */
bool sandbox_child_reap(struct sandbox_child *child, struct sandbox_verdict *verdict);

/*
 * Closes every descriptor and removes what the child had; kills and reaps it first, if that has
 * not happened, blocking up to its death or SANDBOX_DYING_MS. Takes a zeroed child.
 */
void sandbox_child_finish(struct sandbox_child *child);

#endif
