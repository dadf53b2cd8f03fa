/* SPDX-License-Identifier: MIT */
/*
 * Code that a child process runs between clone and exec. The code runs in the arena's memory while
 * the arena waits (vfork), so the code allocates nothing, takes no lock and writes its results to
 * the plan.
 */
#include "sandbox/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"

enum {
    KERNEL_SIGSET_BYTES = 8,
    FIRST_FD_CLOSED = 3,
    SIGRTMIN_KERNEL = 32, /* first real-time signal; the arena handles and ignores none of them */
    NICE_OF_BUILD = 10,   /* a tenth of a bot's weight where the kernel counts each process */
    NICE_BASE = 20,       /* the system call getpriority returns 20 minus the nice value */
    IOPRIO_WHO_PROCESS = 1,
    IOPRIO_DEFAULT = 0, /* disk priority with which the kernel follows the nice value */
};

/*
 * Returns `result` if it is not negative; else records the step and errno in the plan and ends the
 * process. The code of this file calls the kernel directly, because the C library's functions for
 * UIDs and signals would change the arena's threads.
 */
static long check(struct confine_plan *plan, const char *step, long result)
{
    if (result >= 0)
        return result;
    plan->failure = (struct sandbox_failure){.step = step, .error = errno};
    syscall(SYS_exit_group, 127);
    __builtin_unreachable();
}

/*
 * ---- the files that a bot sees: a small root with read-only bind mounts of the runtimes, the
 * bot's folder at /bot, a few devices, the bot's processes under /proc, and perhaps a writable /tmp
 * ----
 */

/* Paths in the bot's root: the bot's folder, and the folder of /proc for process 2, the bot. */
#define ROOT_FOLDER "/bot"
#define BOT_PROC    "proc/2"

/* Constants of linux/mount.h, which cannot be included together with sys/mount.h. */
enum {
    MOUNT_READ_ONLY = 1 << 0,
    MOUNT_NO_SUID = 1 << 1,
    MOUNT_NO_DEVICES = 1 << 2,
    MOUNT_NO_EXEC = 1 << 3,
    MOUNT_BIND = 1 << 12,
    MOUNT_RECURSIVE = 1 << 14,
    MOUNT_PRIVATE = 1 << 18,
    MOUNT_SLAVE = 1 << 19,
    UMOUNT_DETACH = 1 << 1,
    PATH_RECURSIVE = 0x8000, /* AT_RECURSIVE */
    PATH_HERE = -100,        /* AT_FDCWD */
    UMASK =
        0022, /* of bots and of their root's folders, whatever umask the arena was started with */
};

/*
 * The folder over which the arena mounts the new root: every machine has /proc, and the child needs
 * no file of /proc before it has left the old root.
 */
static const char SITE[] = "/proc";

static void mount_or_end(struct confine_plan *plan, const char *step, const char *source,
                         const char *target, const char *type, unsigned long flags,
                         const char *options)
{
    check(plan, step, syscall(SYS_mount, source, target, type, flags, options));
}

static void make_parents(struct confine_plan *plan, const char *path)
{
    char folder[RUNTIME_PATH_BYTES_MAX];

    for (size_t i = 0; path[i] && i < sizeof folder - 1; i++) {
        folder[i] = path[i];
        if (path[i + 1] != '/')
            continue;
        folder[i + 1] = '\0';
        if (syscall(SYS_mkdirat, PATH_HERE, folder, 0755) < 0 && errno != EEXIST)
            check(plan, "mkdir in the root", -1);
    }
}

/* Creates the mount point of a runtime path, or the symlink if the path is a symlink. */
static void make_place(struct confine_plan *plan, const struct runtime_path *path)
{
    const char *place = path->path + 1;

    make_parents(plan, place);
    if (path->is_link)
        check(plan, "symlink in the root",
              syscall(SYS_symlinkat, path->link_target, PATH_HERE, place));
    else if (path->is_folder)
        check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, place, 0755));
    else
        check(plan, "mknod in the root", syscall(SYS_mknodat, PATH_HERE, place, S_IFREG | 0444, 0));
}

/*
 * Makes a mount and all mounts below it read-only, and keeps later mounts of the machine out of
 * them. A bot can still write to a device, but cannot change the device's timestamps.
 */
static void set_read_only(struct confine_plan *plan, const char *place, bool device)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
                                                (device ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_NODEV),
                                    .propagation = MOUNT_PRIVATE};

    check(plan, "mount_setattr",
          syscall(SYS_mount_setattr, PATH_HERE, place, PATH_RECURSIVE, &attributes,
                  sizeof attributes));
}

static void bind_runtimes(struct confine_plan *plan, bool devices)
{
    for (size_t i = 0; i < plan->runtime->path_count; i++) {
        const struct runtime_path *path = &plan->runtime->paths[i];

        if (path->is_link || path->is_device != devices)
            continue;
        mount_or_end(plan, "bind a runtime", path->path, path->path + 1, NULL,
                     MOUNT_BIND | MOUNT_RECURSIVE, NULL);
        if (devices)
            set_read_only(plan, path->path + 1, true);
    }
}

/*
 * Builds the root that every bot sees, in a new mount namespace. The arena does this once per slot;
 * each child gets a copy of the namespace.
 */
static void root_build(struct confine_plan *plan)
{
    mount_or_end(plan, "mounts of our own", NULL, "/", NULL, MOUNT_SLAVE | MOUNT_RECURSIVE, NULL);
    mount_or_end(plan, "mount the root", "root", SITE, "tmpfs", MOUNT_NO_SUID | MOUNT_NO_DEVICES,
                 "size=1m,nr_inodes=4096,mode=755");
    if (plan->trims_mounts) /* /sys has some fifteen mounts, which slow down every copy of the
                               namespace */
        syscall(SYS_umount2, "/sys", UMOUNT_DETACH);
    check(plan, "chdir to the root", syscall(SYS_chdir, SITE));
    for (size_t i = 0; i < plan->runtime->path_count; i++)
        make_place(plan, &plan->runtime->paths[i]);
    check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, &ROOT_FOLDER[1], 0755));
    check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, "proc", 0555));
    check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, BOT_PROC, 0555));
    check(plan, "symlink in the root",
          syscall(SYS_symlinkat, &BOT_PROC[sizeof "proc"], PATH_HERE, "proc/self"));
    check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, "tmp", 0755));
    bind_runtimes(plan, false);
    set_read_only(plan, ".", false);
    bind_runtimes(plan, true);
}

/* Adds the bot's folder, and a /tmp if the plan has one, to the child's copy of the root. */
static void root_furnish(struct confine_plan *plan)
{
    check(plan, "chdir to the root", syscall(SYS_chdir, SITE));
    mount_or_end(plan, "bind the bot's folder", plan->folder, &ROOT_FOLDER[1], NULL,
                 MOUNT_BIND | MOUNT_RECURSIVE, NULL);
    if (!plan->writable_folder)
        set_read_only(plan, &ROOT_FOLDER[1], false);
    if (plan->scratch_options)
        mount_or_end(plan, "mount the scratch", "scratch", "tmp", "tmpfs",
                     MOUNT_NO_SUID | MOUNT_NO_DEVICES | (plan->writable_folder ? 0 : MOUNT_NO_EXEC),
                     plan->scratch_options);
}

/* Allows a path of the bot's root in the rule set that the arena has created. */
static void allow(struct confine_plan *plan, const char *path, enum landlock_rights rights)
{
    int result;

    plan->passing_fd = (int)check(plan, "open in the root",
                                  syscall(SYS_openat, PATH_HERE, path, O_PATH | O_CLOEXEC));
    result = landlock_allow(plan->ruleset_fd, plan->landlock_abi, plan->passing_fd, rights);
    errno = -result;
    check(plan, "landlock_add_rule", result);
    syscall(SYS_close, plan->passing_fd);
    plan->passing_fd = -1;
}

/*
 * The files of /proc that runtimes read; Landlock hides all others. For example, pagemap, smaps and
 * numa_maps reveal whether another process has mapped the same page of a file.
 */
static const char *const proc_files[] = {
    "proc/self/auxv",    "proc/self/cgroup", "proc/self/cmdline",
    "proc/self/environ", "proc/self/maps",   "proc/self/mountinfo",
    "proc/self/stat",    "proc/self/statm",  "proc/self/status"};

/*
 * Keeps the Landlock rules for proc_files valid. A rule applies to an inode, and the kernel makes a
 * new inode for a file of /proc once the file's name has left its cache. A bind mount keeps the
 * name in the cache.
 */
static void pin_proc_files(struct confine_plan *plan)
{
    for (size_t i = 0; i < sizeof proc_files / sizeof *proc_files; i++)
        mount_or_end(plan, "bind a file of /proc", proc_files[i], proc_files[i], NULL, MOUNT_BIND,
                     NULL);
}

static void allow_proc(struct confine_plan *plan)
{
    if (plan->writable_folder) {
        allow(plan, "/proc", LANDLOCK_READ);
        return;
    }
    allow(plan, "/proc", LANDLOCK_LIST);
    check(plan, "chdir to the root", syscall(SYS_chdir, "/"));
    for (size_t i = 0; i < sizeof proc_files / sizeof *proc_files; i++)
        allow(plan, proc_files[i], LANDLOCK_READ);
}

/*
 * Mounts /proc. A bot of one process sees only the folder of that process: the link count of the
 * whole /proc is the number of processes of the machine, through which two bots could communicate.
 */
static void mount_proc(struct confine_plan *plan)
{
    const char *place = plan->opens_proc ? "proc" : "tmp";

    mount_or_end(plan, "mount /proc", "proc", place, "proc",
                 MOUNT_NO_SUID | MOUNT_NO_DEVICES | MOUNT_NO_EXEC | MOUNT_READ_ONLY, "subset=pid");
    if (plan->opens_proc)
        return;
    mount_or_end(plan, "bind the bot's part of /proc", "tmp/2", BOT_PROC, NULL, MOUNT_BIND, NULL);
    check(plan, "unmount /proc", syscall(SYS_umount2, "tmp", UMOUNT_DETACH));
}

/*
 * Mounts /proc, enters the new root and detaches the machine's root. The calling process must be in
 * the PID namespace, but not be PID 1.
 */
static void root_enter(struct confine_plan *plan)
{
    /*
     * Mounts /proc before pivot_root, because a user namespace may mount /proc only while another
     * /proc is visible.
     */
    if (plan->proc)
        mount_proc(plan);
    if (plan->proc && !plan->writable_folder)
        pin_proc_files(plan);
    check(plan, "pivot_root", syscall(SYS_pivot_root, ".", "."));
    check(plan, "leave the old root", syscall(SYS_umount2, ".", UMOUNT_DETACH));
    if (plan->proc)
        allow_proc(plan);
    if (plan->opens_proc)
        plan->proc_fd =
            (int)check(plan, "open /proc",
                       syscall(SYS_openat, PATH_HERE, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    check(plan, "chdir to its folder", syscall(SYS_chdir, ROOT_FOLDER));
    if (plan->scratch_options)
        allow(plan, "/tmp", plan->writable_folder ? LANDLOCK_BUILD : LANDLOCK_WRITE);
}

/*
 * ---- the network of one build: a namespace with nothing but a loopback interface, from which the
 * build reaches nothing of the machine ----
 */

enum {
    TCP_BUFFER_BYTES = 65536, /* size of each TCP buffer, which `settings` sets */
    /*
     * Memory that a full socket may use beyond its two buffers: one queued byte keeps alive the
     * block of 32 KiB in which the kernel stored it, and the kernel does not count that block. In a
     * test, two sockets whose bytes were sent one by one used 10 MiB.
     */
    KEPT_BYTES = 12 << 20,
};

/*
 * Settings of the child's network namespace. Without the first two, a TCP buffer would grow to
 * megabytes. The others bound connections that the kernel counts as no socket: connections that are
 * not yet accepted or already closed.
 */
static const struct {
    const char *path, *text;
} settings[] = {
    {"/proc/sys/net/ipv4/tcp_rmem", "4096 65536 65536"},
    {"/proc/sys/net/ipv4/tcp_wmem", "4096 65536 65536"},
    {"/proc/sys/net/core/somaxconn", "128"},
    {"/proc/sys/net/ipv4/tcp_max_syn_backlog", "128"},
    {"/proc/sys/net/ipv4/tcp_max_tw_buckets", "1024"},
    {"/proc/sys/net/ipv4/tcp_no_metrics_save", "1"},
};

static void write_setting(struct confine_plan *plan, const char *path, const char *text)
{
    int fd = (int)check(plan, "bound the buffers of a network",
                        syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC));

    check(plan, "bound the buffers of a network", syscall(SYS_write, fd, text, strlen(text)));
    syscall(SYS_close, fd);
}

static int64_t buffer_bytes(struct confine_plan *plan, int fd, int option)
{
    socklen_t size = sizeof(int);
    int bytes = 0;

    check(plan, "ask for the size of a buffer",
          syscall(SYS_getsockopt, fd, SOL_SOCKET, option, &bytes, &size));
    return bytes;
}

static void bring_up(struct confine_plan *plan, int fd)
{
    struct ifreq interface = {.ifr_name = "lo"};

    check(plan, "bring the loopback interface up",
          syscall(SYS_ioctl, fd, SIOCGIFFLAGS, &interface));
    interface.ifr_flags = (short)(interface.ifr_flags | IFF_UP);
    check(plan, "bring the loopback interface up",
          syscall(SYS_ioctl, fd, SIOCSIFFLAGS, &interface));
}

/*
 * Sets up the network namespace of this process: bounds the buffers of sockets, brings up the
 * loopback interface and sets plan->socket_bytes. UDP sockets and socket pairs have buffers of the
 * machine's default size, which is larger than the TCP buffers that `settings` allows.
 */
static void loopback_set_up(struct confine_plan *plan)
{
    int fd;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        write_setting(plan, settings[i].path, settings[i].text);
    fd = (int)check(plan, "open a socket", syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0));
    bring_up(plan, fd);
    plan->socket_bytes =
        buffer_bytes(plan, fd, SO_RCVBUF) + buffer_bytes(plan, fd, SO_SNDBUF) + KEPT_BYTES;
    if (plan->socket_bytes < 2 * (int64_t)TCP_BUFFER_BYTES + KEPT_BYTES)
        plan->socket_bytes = 2 * (int64_t)TCP_BUFFER_BYTES + KEPT_BYTES;
    syscall(SYS_close, fd);
}

/* ---- the bot, its keeper and the stage ---- */

/*
 * Resets the signal handlers and the ignored signals that the child has inherited from the arena.
 */
static void reset_signals(struct confine_plan *plan)
{
    const struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } by_default = {0};

    for (int number = 1; number < SIGRTMIN_KERNEL; number++)
        if (number != SIGKILL && number != SIGSTOP)
            check(plan, "rt_sigaction",
                  syscall(SYS_rt_sigaction, number, &by_default, NULL, KERNEL_SIGSET_BYTES));
}

/*
 * Sets the limit of open files, or all other limits. That of open files comes later, because it
 * would already forbid the filter's listener: the child still shares the arena's large descriptor
 * table.
 */
static void set_limits(struct confine_plan *plan, bool of_files)
{
    for (int i = 0; i < plan->limits.count; i++) {
        const struct limit *limit = &plan->limits.entries[i];

        if ((limit->resource == RLIMIT_NOFILE) == of_files)
            check(plan, "setrlimit",
                  syscall(SYS_prlimit64, 0, limit->resource, &limit->values, NULL));
    }
}

static void stay_on_core(struct confine_plan *plan)
{
    cpu_set_t cores;

    if (plan->cpu < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((size_t)plan->cpu, &cores);
    check(plan, "sched_setaffinity", syscall(SYS_sched_setaffinity, 0, sizeof cores, &cores));
}

/*
 * Resets the priorities that the arena has from its caller (chrt, nice, ionice): with them a child
 * would keep the processor or the disk from other programs. Leaves lower priorities than usual.
 */
static void reset_priority(struct confine_plan *plan)
{
    const struct sched_param none = {0};
    const long policy = syscall(SYS_sched_getscheduler, 0);
    const long lowest = plan->writable_folder ? NICE_OF_BUILD : 0;

    if (policy != SCHED_BATCH && policy != SCHED_IDLE)
        check(plan, "sched_setscheduler", syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &none));
    if (NICE_BASE - syscall(SYS_getpriority, PRIO_PROCESS, 0) < lowest)
        check(plan, "setpriority", syscall(SYS_setpriority, PRIO_PROCESS, 0, lowest));
    syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_DEFAULT); /* fails without disks */
}

/*
 * Makes the kernel kill the child rather than the arena when the machine's memory runs out. Only
 * root may do this before exec; for an ordinary user, the arena does it after exec (spawn.c).
 */
static void raise_oom_score(struct confine_plan *plan)
{
    const int fd =
        (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    syscall(SYS_write, fd, plan->oom_score, strlen(plan->oom_score));
    syscall(SYS_close, fd);
}

static void join_cgroups(struct confine_plan *plan)
{
    for (int i = 0; i < CONFINE_CGROUPS_MAX && plan->cgroup_fds[i] >= 0; i++)
        check(plan, "join the control group", syscall(SYS_write, plan->cgroup_fds[i], "0", 1));
}

static void become(struct confine_plan *plan, uid_t uid)
{
    check(plan, "setresgid", syscall(SYS_setresgid, uid, uid, uid));
    check(plan, "setresuid", syscall(SYS_setresuid, uid, uid, uid));
}

/*
 * If the arena is root: joins the slot's user namespace, if there is one, and switches to the
 * slot's UID. The bot joins as late as here, so that it has no privileges over its other
 * namespaces. If the arena is not root, the stage has joined the user namespace first, to get the
 * rights for its steps.
 */
static void become_unprivileged(struct confine_plan *plan)
{
    if (plan->uid == 0)
        return;
    check(plan, "setgroups", syscall(SYS_setgroups, 0, NULL));
    if (plan->user_namespace_fd >= 0)
        check(plan, "join the user namespace",
              syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
    become(plan, plan->user_namespace_fd >= 0 ? CONFINE_UID : plan->uid);
}

/*
 * Makes the kernel kill this process when the arena dies. Must follow the change of UID, which
 * clears this setting.
 */
static void die_with_arena(struct confine_plan *plan)
{
    check(plan, "pdeathsig", syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    /*
     * Ends this process if the arena is already dead. In a PID namespace, where the arena's PID is
     * not visible, the keeper notices the arena's death.
     */
    if (!plan->namespace_flags && syscall(SYS_getppid) != plan->arena_pid) {
        errno = ESRCH;
        check(plan, "pdeathsig", -1);
    }
}

/*
 * Drops all capabilities. Leaves the bounding set as it is: no_new_privs already keeps programs
 * from gaining capabilities, and clearing the set takes one system call per capability.
 */
static void drop_capabilities(struct confine_plan *plan)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

    check(plan, "capset", syscall(SYS_capset, &header, none));
}

static void load_filter(struct confine_plan *plan)
{
    struct sock_fprog program = {.len = plan->filter->length, .filter = plan->filter->code};
    unsigned flags = plan->notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long result;

    filter_set_pid(plan->filter, (pid_t)syscall(SYS_getpid));
    result = check(plan, "seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
    if (plan->notify)
        plan->notify_fd = (int)result;
}

/*
 * Gives this process its own descriptor table, with its pipes on 0 to 2. The other descriptors
 * close at exec.
 */
static void lay_descriptors(struct confine_plan *plan)
{
    check(
        plan, "close_range",
        syscall(SYS_close_range, FIRST_FD_CLOSED, ~0u, CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC));
    check(plan, "dup3", syscall(SYS_dup3, plan->stdin_fd, STDIN_FILENO, 0));
    check(plan, "dup3", syscall(SYS_dup3, plan->stdout_fd, STDOUT_FILENO, 0));
    check(plan, "dup3", syscall(SYS_dup3, plan->stderr_fd, STDERR_FILENO, 0));
}

static void execute(struct confine_plan *plan)
{
    static const unsigned long no_signals;

    check(plan, "rt_sigprocmask",
          syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGSET_BYTES));
    plan->executing = true;
    if (plan->path)
        syscall(SYS_execve, plan->path, plan->argv, plan->environment);
    else
        syscall(SYS_execveat, plan->executable_fd, "", plan->argv, plan->environment,
                AT_EMPTY_PATH);
    check(plan, "execve", -1);
}

int confine_bot(void *argument)
{
    struct confine_plan *plan = argument;

    reset_signals(plan);
    syscall(SYS_umask, UMASK);
    if (plan->namespace_flags) {
        root_enter(plan);
    } else {
        reset_priority(plan);
        raise_oom_score(plan);
        check(plan, "setsid", syscall(SYS_setsid));
        join_cgroups(plan);
        check(plan, "fchdir", syscall(SYS_fchdir, plan->folder_fd));
    }
    stay_on_core(plan);
    become_unprivileged(plan);
    set_limits(plan, false);
    die_with_arena(plan);
    drop_capabilities(plan);
    check(plan, "no_new_privs", syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (plan->ruleset_fd >= 0)
        check(plan, "landlock_restrict_self",
              syscall(SYS_landlock_restrict_self, plan->ruleset_fd, 0));
    load_filter(plan);
    lay_descriptors(plan);
    set_limits(plan, true);
    execute(plan);
    return 127;
}

int confine_hold(void *argument)
{
    static char name[] = "keeper", hold[] = "hold";
    static char *const argv[] = {name, hold, NULL};
    struct confine_plan *plan = argument;

    syscall(SYS_umask, UMASK);
    if (plan->namespace_flags) {
        if (plan->user_namespace_fd >= 0)
            check(plan, "join the user namespace",
                  syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
        check(plan, "unshare", syscall(SYS_unshare, plan->namespace_flags));
    }
    if (plan->loopback)
        loopback_set_up(plan);
    if (plan->runtime)
        root_build(plan);
    check(plan, "dup3", syscall(SYS_dup3, plan->life_fd, STDIN_FILENO, 0));
    check(plan, "dup3", syscall(SYS_dup3, plan->stdout_fd, STDOUT_FILENO, 0));
    check(plan, "execute the keeper",
          syscall(SYS_execveat, plan->keeper_fd, "", argv, NULL, AT_EMPTY_PATH));
    return 127;
}

/* Main function of the keeper, PID 1 of the namespace. Does not share the arena's descriptors. */
static int start_keeper(void *argument)
{
    static char name[] = "keeper";
    static char *const argv[] = {name, NULL};
    struct confine_plan *plan = argument;

    if (plan->uid != 0) {
        check(plan, "setgroups", syscall(SYS_setgroups, 0, NULL));
        become(plan, plan->uid);
    }
    check(plan, "pdeathsig", syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    check(plan, "dup3", syscall(SYS_dup3, plan->life_fd, STDIN_FILENO, 0));
    /*
     * Closes the descriptors now: the stage goes on before exec has closed the last one. The setup
     * pipe could then still be open when a quick bot has already ended.
     */
    check(plan, "close_range",
          syscall(SYS_close_range, STDOUT_FILENO, (unsigned)plan->keeper_fd - 1, 0));
    check(plan, "close_range", syscall(SYS_close_range, (unsigned)plan->keeper_fd + 1, ~0u, 0));
    check(plan, "execute the keeper",
          syscall(SYS_execveat, plan->keeper_fd, "", argv, NULL, AT_EMPTY_PATH));
    return 127;
}

int confine_stage(void *argument)
{
    static const char host_name[] = "bot";
    struct confine_plan *plan = argument;

    reset_priority(plan);
    raise_oom_score(plan);
    /*
     * Keeper and bot share this session, because for a second session the kernel would wait until
     * the scheduler has made another group.
     */
    check(plan, "setsid", syscall(SYS_setsid));
    join_cgroups(plan); /* joins before unshare, because a new cgroup namespace has the process's
                           current groups as its roots */
    if (plan->uid == 0)
        check(plan, "join the user namespace",
              syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
    check(plan, "join the mount namespace",
          syscall(SYS_setns, plan->mount_namespace_fd, CLONE_NEWNS));
    if (plan->net_namespace_fd >= 0)
        check(plan, "join the network namespace",
              syscall(SYS_setns, plan->net_namespace_fd, CLONE_NEWNET));
    check(plan, "unshare", syscall(SYS_unshare, plan->namespace_flags));
    check(plan, "sethostname", syscall(SYS_sethostname, host_name, sizeof host_name - 1));
    root_furnish(plan);
    plan->keeper_pid =
        (pid_t)check(plan, "clone the keeper",
                     clone(start_keeper, plan->inner_stack_top,
                           CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PIDFD | SIGCHLD, plan,
                           &plan->keeper_pid_fd));
    if (!plan->failure.step)
        plan->bot_pid = (pid_t)check(
            plan, "clone the bot",
            clone(confine_bot, plan->inner_stack_top,
                  CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_FILES | CLONE_PIDFD | SIGCHLD, plan,
                  &plan->bot_pid_fd));
    syscall(SYS_exit_group, 0);
    return 0;
}
