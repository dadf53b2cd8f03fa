/* SPDX-License-Identifier: MIT */
#include "sandbox/calls.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <seccomp.h>

/* Groups of calls that have one ruling and one reason; the names are separated by spaces. */
static const struct {
    enum call_ruling ruling;
    const char *names, *reason;
} groups[] = {
    /* clang-format off */
    /* Calls on the child's pipes, and on the files that the child may read. */
    {CALL_ALLOWED, "read readv", "the child reads standard input, and files that Landlock lets the child open"},
    {CALL_ALLOWED, "write writev", "the child writes to standard output and standard error"},
    {CALL_ALLOWED, "pread64", "the program loader reads ELF headers with this call"},
    {CALL_ALLOWED, "pwrite64", "the child writes files of its writable folder; a child without this folder has no file open for writing"},
    {CALL_ALLOWED, "lseek", "the child moves its read and write position in a file that the child has opened"},
    {CALL_ALLOWED, "close close_range", "the child closes its own descriptors"},
    {CALL_ALLOWED, "dup dup2 dup3", "the child copies its own descriptors, up to RLIMIT_NOFILE"},
    {CALL_ALLOWED, "pipe pipe2", "the child makes pipes between its own threads; RLIMIT_NOFILE limits their number, and each pipe has the default size"},
    {CALL_ALLOWED, "poll ppoll select pselect6", "the child waits until its own descriptors are ready"},
    {CALL_ALLOWED, "epoll_create epoll_create1 epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime", "the event loops of Node and asyncio need this call"},
    {CALL_TESTED, "epoll_ctl", "the event loops of Node and asyncio need this call; the arena counts the descriptors that the child adds, at most 16,384, because the kernel counts them only for a whole account"},
    {CALL_ALLOWED, "fstat stat lstat newfstatat statx access faccessat faccessat2", "programs search folders for files with this call; the call reveals that a file exists, not what the file contains"},
    {CALL_ALLOWED, "readlink readlinkat", "runtimes find their own program through /proc/self/exe"},
    {CALL_ALLOWED, "getcwd chdir fchdir", "the child reads or changes its own current folder"},
    {CALL_ALLOWED, "statfs fstatfs", "the JVM and Python ask for the type of a file system with this call"},
    {CALL_ALLOWED, "getdents64", "Python and Ruby list folders to import modules; Landlock lets the child list only a few folders"},
    {CALL_IGNORED, "fadvise64", "the sandbox ignores advice on reading ahead, because the advice would change the page cache that all bots share"},
    {CALL_IGNORED, "fsync fdatasync", "the sandbox ignores the call: no file of the child must survive a crash, and the time of a real call would tell a child what others write"},
    {CALL_TESTED, "open openat", "the child opens files for reading; for writing only if the child has a scratch folder"},
    {CALL_TESTED, "fcntl", "the child copies descriptors and sets their flags; the sandbox refuses locks, leases, signals and pipe sizes, because other processes would notice them; only a build may lock its own files, at most 65,536 times"},
    {CALL_TESTED, "ioctl", "the child asks whether a descriptor is a terminal, and sets descriptor flags; the sandbox refuses TIOCSTI and all requests to devices"},
    /* Memory. */
    {CALL_ALLOWED, "brk", "the child resizes its heap, up to RLIMIT_DATA or the limit of the memory cgroup"},
    {CALL_ALLOWED, "munmap mremap mprotect msync", "the child changes its own memory; just-in-time compilers need executable pages"},
    {CALL_TESTED, "madvise", "garbage collectors return unused memory with this call; the sandbox ignores advice about the page cache, because all bots share the page cache"},
    {CALL_TESTED, "membarrier", "Go and the JVM order the memory accesses of their own threads with this call; the sandbox refuses the commands that interrupt other processes or wait for them, because other bots would notice"},
    {CALL_TESTED, "mmap", "the child maps memory; without a memory cgroup the sandbox refuses shared anonymous mappings and growing mappings, because RLIMIT_DATA does not count their memory, and always mappings of huge pages, because all programs of the machine share the few huge pages"},
    {CALL_ALLOWED, "pkey_alloc pkey_free pkey_mprotect", "V8 write-protects the machine code that V8 has generated with this call"},
    /* Threads. */
    {CALL_TESTED, "clone", "the child starts threads, and processes if the bot may have several; the sandbox refuses new namespaces, CLONE_PARENT, pidfds, and exit signals other than SIGCHLD"},
    {CALL_TESTED, "futex", "threads of one process lock each other with a futex; only a build may use a futex between processes"},
    {CALL_BUILDS, "futex_waitv", "the child could wait for another process; a seccomp filter cannot test the flags of futex_waitv, because the flags are in memory"},
    {CALL_ALLOWED, "set_robust_list get_robust_list set_tid_address rseq", "the C library makes this call when a thread starts"},
    {CALL_ALLOWED, "arch_prctl", "the C library sets the thread pointer"},
    {CALL_ALLOWED, "sched_yield", "a thread of the child gives the core to another thread"},
    {CALL_ALLOWED, "sched_getaffinity", "runtimes count the cores that they may use"},
    {CALL_ALLOWED, "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min", "runtimes read scheduling settings; the sandbox refuses to change them"},
    {CALL_TESTED, "sched_setscheduler", "Mono sets the default scheduling policy, which each thread already has: the sandbox ignores this call, which could name a thread of another process, and refuses other policies"},
    {CALL_ALLOWED, "getcpu", "a thread reads the number of its core, which rseq also reveals"},
    /* The child's identity. */
    {CALL_ALLOWED, "gettid getpid getpgrp getpgid getsid", "the child reads its own process or thread number"},
    {CALL_ALLOWED, "getppid", "the child reads its parent's process number, which is 0 in a PID namespace"},
    {CALL_ALLOWED, "getuid geteuid getgid getegid getresuid getresgid getgroups", "the child reads its own user and group IDs, which have no privileges"},
    {CALL_ALLOWED, "setuid setgid setreuid setregid setresuid setresgid", "GNU make sets the IDs that the process already has; the kernel refuses other IDs, because the child has no capabilities"},
    {CALL_TESTED, "setgroups", "the child may only set an empty list of groups; the child's list is already empty"},
    {CALL_TESTED, "getpriority", "the child reads the priority of a process; the sandbox refuses to read that of a user or group, because the time of such a call tells how many processes the machine has"},
    {CALL_ALLOWED, "capget", "the kernel answers that the child has no capabilities"},
    {CALL_ALLOWED, "umask", "the child chooses the permissions of files that the child will create"},
    {CALL_TESTED, "prctl", "the child names its threads and memory, and reads settings; the sandbox refuses to let the child name a tracer, become a subreaper, allow core dumps or add filters"},
    {CALL_ALLOWED, "getrlimit", "the child reads its own limits"},
    {CALL_TESTED, "prlimit64 setrlimit", "the child lowers its own limits; the sandbox ignores a new core limit, because at 0 the kernel would still pipe a core dump to a program; the arena notes a bot's own limit of processor time, at which the kernel sends SIGKILL"},
    {CALL_TESTED, "personality", "the child reads its execution domain; the sandbox refuses to change the domain"},
    /* Calls on the child's own signals and timers. */
    {CALL_ALLOWED, "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait", "the child handles, blocks or awaits its own signals"},
    {CALL_ALLOWED, "sigaltstack", "Go and the JVM give their signal handlers a separate stack"},
    {CALL_ALLOWED, "restart_syscall", "after SIGCONT the kernel resumes an interrupted call with this call"},
    {CALL_ALLOWED, "pause nanosleep", "the child waits"},
    {CALL_ALLOWED, "alarm getitimer setitimer timer_settime timer_gettime timer_getoverrun timer_delete", "the child sets or reads a timer that sends SIGALRM to the child"},
    {CALL_TESTED, "timer_create", "the child makes up to RLIMIT_SIGPENDING timers that send SIGALRM to the child; only a build may pass a sigevent, as glibc's timer_create always does; the clocks are those of clock_gettime"},
    {CALL_TESTED, "kill", "a process signals itself, as abort does, and in a PID namespace also the child's other processes; only a build may send SIGCONT, because SIGCONT would undo the arena's SIGSTOP; the arena notes SIGKILL, so that it does not take the bot's end for the kernel's doing"},
    {CALL_TESTED, "tgkill", "the child signals its own threads: Go interrupts threads with signals, and abort raises SIGABRT; the sandbox refuses SIGCONT, and the arena notes SIGKILL"},
    /* Time. */
    {CALL_TESTED, "clock_nanosleep", "the child sleeps; the child may use the processor-time clock of another process only if the child can see the PID of that process"},
    {CALL_TESTED, "clock_gettime clock_getres", "the child reads the time and its own processor time; the child may read the processor time of another process only if the child can see the PID of that process"},
    {CALL_ALLOWED, "gettimeofday time", "the child reads the time"},
    {CALL_ALLOWED, "times getrusage", "the child reads its own use of resources"},
    /* The machine. */
    {CALL_ANSWERED, "sysinfo", "runtimes choose their heap size by the answer; the arena answers with the memory limit, one process and no load"},
    {CALL_ALLOWED, "uname", "the child reads the kernel's version and the machine's name; in a UTS namespace the arena gives the child another machine name"},
    {CALL_ALLOWED, "getrandom", "the child reads random numbers"},
    /* Calls that start and end the child. */
    {CALL_ALLOWED, "execve execveat", "the child starts the bot's program and programs that Landlock lets the child execute; the sandbox's rules hold for each of them"},
    {CALL_ALLOWED, "wait4 waitid", "the child waits for processes that the child has started"},
    {CALL_ALLOWED, "exit exit_group", "the child ends, or ends a thread"},
    /* Calls on the socket pair that asyncio uses as a two-way pipe. */
    {CALL_TESTED, "socketpair", "the child makes a stream between its own threads, with which asyncio wakes its event loop; the sandbox refuses datagram sockets, because they can send datagrams to other processes"},
    {CALL_TESTED, "sendto", "the child writes to a socket pair; the sandbox refuses out-of-band bytes; only a build may give an address, on its own loopback interface"},
    {CALL_TESTED, "recvfrom recvmsg", "the child reads from a socket pair; the sandbox refuses out-of-band bytes, because the kernel's code for these bytes had security holes"},
    {CALL_ALLOWED, "shutdown getsockname getpeername", "the child uses its own socket pairs with this call"},
    {CALL_TESTED, "getsockopt", "the child reads the type, state and buffer sizes of a socket; the sandbox refuses numbers that the kernel counts over all sockets and, in a build, TCP options that move bytes"},
    /*
     * Calls for a child with a writable folder or /tmp. For other children the calls fail with an
     * errno, which honest programs handle.
     */
    {CALL_WRITES, "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat", "the child makes, renames or removes files, folders and links"},
    {CALL_WRITES, "chmod fchmod fchmodat", "linkers make programs executable with this call"},
    {CALL_WRITES, "creat", "tar makes its archives with this call"},
    {CALL_WRITES, "truncate ftruncate", "the child changes the size of files, up to RLIMIT_FSIZE"},
    {CALL_WRITES, "utime utimes utimensat futimesat", "the child sets the times of files"},
    /* Calls for a child that may have several processes. */
    {CALL_PROCESSES, "fork vfork", "processes that the bot starts could outlive the match, or exhaust the machine"},
    /* Calls for a build, which has no opponents. */
    {CALL_BUILDS, "setpgid", "the child could orphan a process group, to which the kernel sends SIGCONT; SIGCONT would undo the arena's SIGSTOP"},
    {CALL_TESTED, "setsid", "the child could orphan a process group, to which the kernel sends SIGCONT; in a build, the call does nothing, because some kernels give each session an equal share of the processor"},
    {CALL_TESTED, "flock", "two bots could send each other bits by locking a file that both can open; the sandbox ignores the call in a build, where compilers lock their caches"},
    /* Calls for a build with a private network, which reaches no other machine. */
    {CALL_LOOPBACK, "socket", "the child could use the network, and many address families had security holes; a build may use TCP and UDP over IPv4, because Gradle locks its caches through a socket"},
    {CALL_LOOPBACK, "connect", "the child could use the network; the JVM tries to connect to a name service, and continues if the sandbox refuses the call"},
    {CALL_LOOPBACK, "bind listen accept accept4", "the child could use the network"},
    {CALL_LOOPBACK, "setsockopt", "the child could use the network; a build may set reuse of addresses, timeouts and TCP_NODELAY; the sandbox ignores buffer sizes"},
    /*
     * Calls that every child is refused; honest programs try these calls and continue without them.
     */
    {CALL_REFUSED, "sendmsg sendmmsg", "the child could send to any address, and pass descriptors to another process"},
    {CALL_REFUSED, "recvmmsg", "the child could use the network"},
    {CALL_REFUSED, "setfsuid setfsgid", "the child could become another user"},
    {CALL_REFUSED, "capset", "the child has no capabilities to drop"},
    {CALL_REFUSED, "setpriority sched_setparam sched_setattr ioprio_set", "the child could take more than its share of a core or disk"},
    {CALL_REFUSED, "sched_rr_get_interval", "older kernels give an answer that reveals how many processes of the machine are ready to run"},
    {CALL_REFUSED, "sched_setaffinity", "the child could leave the core to which the arena has pinned the child"},
    {CALL_REFUSED, "tkill rt_sigqueueinfo rt_tgsigqueueinfo", "the child could signal other processes"},
    {CALL_REFUSED, "chown fchown lchown fchownat", "the child could change the owner of files"},
    {CALL_REFUSED, "mknod mknodat", "the child could make device files"},
    {CALL_UNSUPPORTED, "fallocate", "the child could fill the disk in a moment, before the arena sees it; the C library's posix_fallocate then writes to the file instead"},
    {CALL_UNSUPPORTED, "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr", "the sandbox answers like a file system without extended attributes, so that ls, cp -p, install and tar continue"},
    {CALL_REFUSED, "mincore", "the child could see which pages of a shared file other processes have read"},
    {CALL_REFUSED, "mlock mlock2 mlockall munlock munlockall", "the child could lock memory, which the kernel then cannot reclaim"},
    /* Calls that no honest program makes. */
    {CALL_FORBIDDEN, "ptrace process_vm_readv process_vm_writev process_madvise migrate_pages move_pages", "the child could read or change another process's memory"},
    {CALL_FORBIDDEN, "kcmp", "the child could see which kernel resources two processes share"},
    {CALL_FORBIDDEN, "pidfd_getfd", "the child could take another process's descriptors"},
    {CALL_FORBIDDEN, "pidfd_send_signal", "the child could signal other processes and bypass the rule for kill"},
    {CALL_FORBIDDEN, "mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr", "the child could change which files a process sees"},
    {CALL_FORBIDDEN, "setns unshare", "the child could join or make a namespace, in which the child could be root"},
    {CALL_FORBIDDEN, "bpf", "the child could load programs into the kernel"},
    {CALL_FORBIDDEN, "perf_event_open", "the child could measure other processes; the kernel's code for this call had many security holes"},
    {CALL_FORBIDDEN, "userfaultfd", "the child could pause the kernel while the kernel copies memory, as many attacks on the kernel do"},
    {CALL_FORBIDDEN, "add_key request_key keyctl", "the child could change keyrings, which processes of different namespaces share"},
    {CALL_FORBIDDEN, "init_module finit_module delete_module kexec_load kexec_file_load", "the child could change the kernel"},
    {CALL_FORBIDDEN, "reboot swapon swapoff acct quotactl quotactl_fd", "the child could change the whole machine"},
    {CALL_FORBIDDEN, "iopl ioperm", "the child could use the machine's input and output ports"},
    {CALL_FORBIDDEN, "modify_ldt", "the child could change x86 memory segments; the kernel's code for this call had security holes"},
    {CALL_FORBIDDEN, "settimeofday clock_settime clock_adjtime adjtimex", "the child could set the machine's clock"},
    {CALL_FORBIDDEN, "sethostname setdomainname", "the child could change the machine's name"},
    {CALL_FORBIDDEN, "syslog", "the child could read the kernel's log"},
    {CALL_FORBIDDEN, "vhangup", "the child could end a terminal session"},
    {CALL_FORBIDDEN, "open_by_handle_at name_to_handle_at", "the child could open files without a path, so that no rule for paths applies"},
    {CALL_FORBIDDEN, "fanotify_init fanotify_mark", "the child could see which files other processes open"},
    {CALL_FORBIDDEN, "lookup_dcookie", "the child could see paths of files that other processes use"},
    /* clang-format on */
};

enum {
    CALLS_MAX = 320,
    CALL_NUMBER_MAX = 1024, /* greater than every call number of current kernels */
    NAMES_BYTES = 8192,     /* room for the names of all groups */
};

static struct call calls[CALLS_MAX]; /* the table, one entry per call */
static size_t call_count;

static void list_calls(void)
{
    static char names[NAMES_BYTES]; /* a copy of those of the groups, into which the table points */
    size_t used = 0;

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const size_t size = strlen(groups[i].names) + 1;
        char *rest = names + used;

        assert(used + size <= sizeof names);
        memcpy(rest, groups[i].names, size);
        used += size;
        for (char *name; (name = strsep(&rest, " "));) {
            assert(call_count < CALLS_MAX);
            calls[call_count++] = (struct call){.name = name,
                                                .number = seccomp_syscall_resolve_name(name),
                                                .ruling = groups[i].ruling,
                                                .reason = groups[i].reason};
        }
    }
}

const struct call *call_table(size_t *count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, list_calls);
    *count = call_count;
    return calls;
}

const struct call *call_find(int number)
{
    size_t count;
    const struct call *table = call_table(&count);

    for (size_t i = 0; i < count; i++)
        if (table[i].number == number)
            return &table[i];
    return NULL;
}

const char *call_name(int number)
{
    static char *names[CALL_NUMBER_MAX]; /* names of calls that are not in the table; never freed */
    const struct call *call = number < 0 ? NULL : call_find(number);

    if (call)
        return call->name;
    if (number < 0 || number >= CALL_NUMBER_MAX)
        return NULL;
    if (!names[number])
        names[number] = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    return names[number];
}

const char *call_ruling_name(enum call_ruling ruling)
{
    static const char *const names[] = {
        [CALL_ALLOWED] = "allowed",
        [CALL_TESTED] = "allowed with some arguments",
        [CALL_WRITES] = "allowed if the child has a writable folder",
        [CALL_PROCESSES] = "allowed if the child may have several processes",
        [CALL_BUILDS] = "allowed in a build",
        [CALL_LOOPBACK] = "allowed with some arguments, in a build that has a loopback interface",
        [CALL_IGNORED] = "without effect",
        [CALL_ANSWERED] = "answered by the arena",
        [CALL_UNSUPPORTED] = "not supported",
        [CALL_REFUSED] = "refused",
        [CALL_FORBIDDEN] = "forbidden",
    };

    return names[ruling];
}
