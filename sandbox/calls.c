#include "sandbox/calls.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <seccomp.h>

/* Calls with the same ruling for the same reason; the names are separated by spaces. */
static const struct {
    enum call_ruling ruling;
    const char *names, *reason;
} groups[] = {
    /* clang-format off */
    /* The child's pipes, and the files that the child may read. */
    {CALL_ALLOWED, "read readv", "reads standard input, and files that Landlock lets the child open"},
    {CALL_ALLOWED, "write writev", "writes to standard output and standard error"},
    {CALL_ALLOWED, "pread64", "the program loader reads ELF headers with this call"},
    {CALL_ALLOWED, "pwrite64", "writes only to files of the child's writable folder; without such a folder no file is open for writing"},
    {CALL_ALLOWED, "lseek", "moves the position in a file that the child opened"},
    {CALL_ALLOWED, "close close_range", "closes descriptors of the child"},
    {CALL_ALLOWED, "dup dup2 dup3", "copies the child's own descriptors, at most RLIMIT_NOFILE of them"},
    {CALL_ALLOWED, "pipe pipe2", "makes pipes between the child's own threads: at most RLIMIT_NOFILE descriptors, each pipe of the default size"},
    {CALL_ALLOWED, "poll ppoll select pselect6", "waits for the child's own descriptors"},
    {CALL_ALLOWED, "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime", "event loops, such as those of Node and asyncio, need this call"},
    {CALL_ALLOWED, "fstat stat lstat newfstatat statx access faccessat faccessat2", "programs search folders for files with this call, which tells that a file exists, not what the file contains"},
    {CALL_ALLOWED, "readlink readlinkat", "runtimes find their own program through /proc/self/exe"},
    {CALL_ALLOWED, "getcwd chdir fchdir", "tells or changes the child's own current folder"},
    {CALL_ALLOWED, "statfs fstatfs", "the JVM and Python ask for the kind of a file system"},
    {CALL_ALLOWED, "getdents64", "Python and Ruby list folders to import modules; Landlock allows few folders"},
    {CALL_IGNORED, "fadvise64", "has no effect, because advice on reading ahead would change the page cache that all bots share"},
    {CALL_ALLOWED, "fsync fdatasync", "harmless: no file of the child is on a disk"},
    {CALL_TESTED, "open openat", "opens files for reading; for writing only if the bot has a scratch folder"},
    {CALL_TESTED, "fcntl", "duplicates descriptors and sets their flags; refuses locks, leases, signals and pipe sizes, because other processes would notice these; only a build may lock its own files, at most 65,536 times"},
    {CALL_TESTED, "ioctl", "asks whether a descriptor is a terminal, and sets descriptor flags; refuses TIOCSTI and all requests to devices"},
    /* Memory. */
    {CALL_ALLOWED, "brk", "resizes the heap, within RLIMIT_DATA or the limit of the memory cgroup"},
    {CALL_ALLOWED, "munmap mremap mprotect msync", "changes only the child's own memory; just-in-time compilers need executable pages"},
    {CALL_TESTED, "madvise", "garbage collectors give pages of the child's own memory back with this call; advice about the page cache has no effect, because all bots share that cache"},
    {CALL_ALLOWED, "membarrier", "Go and the JVM order memory accesses of their threads with this call"},
    {CALL_TESTED, "mmap", "maps memory; without a memory cgroup the sandbox refuses shared anonymous mappings and growing mappings, because RLIMIT_DATA does not count their memory"},
    {CALL_ALLOWED, "pkey_alloc pkey_free pkey_mprotect", "V8 protects the machine code that V8 generates with this call"},
    /* Threads. */
    {CALL_TESTED, "clone", "starts threads, and processes if the bot may have several; refuses new namespaces, children of the arena, pidfds, and end signals other than SIGCHLD"},
    {CALL_TESTED, "futex", "locks threads of one process; only a build may wake another process with a futex"},
    {CALL_BUILDS, "futex_waitv", "could wait for another process; a filter cannot test the flags of futex_waitv, because they are in memory"},
    {CALL_ALLOWED, "set_robust_list get_robust_list set_tid_address rseq", "the C library makes this call when a thread starts"},
    {CALL_ALLOWED, "arch_prctl", "sets the thread pointer"},
    {CALL_ALLOWED, "sched_yield", "gives the core to another thread"},
    {CALL_ALLOWED, "sched_getaffinity", "runtimes count the cores that they may use"},
    {CALL_ALLOWED, "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min", "runtimes read scheduling settings; the sandbox refuses to change them"},
    {CALL_TESTED, "sched_setscheduler", "Mono sets the ordinary policy, which each thread already has; the sandbox refuses other policies"},
    {CALL_ALLOWED, "getcpu", "tells on which core the thread runs; rseq tells this, too"},
    /* The child's identity. */
    {CALL_ALLOWED, "gettid getpid getpgrp getpgid getsid", "tells the child's own process or thread number"},
    {CALL_ALLOWED, "getppid", "tells the parent's process number, which is 0 in a PID namespace"},
    {CALL_ALLOWED, "getuid geteuid getgid getegid getresuid getresgid getgroups", "tells the child's unprivileged user or group"},
    {CALL_ALLOWED, "setuid setgid setreuid setregid setresuid setresgid", "GNU make sets the IDs that the process already has; the kernel refuses other IDs, because the child has no capabilities"},
    {CALL_TESTED, "setgroups", "sets an empty list of groups; the child's list is already empty"},
    {CALL_ALLOWED, "getpriority", "tells the child's own priority; the sandbox refuses to change priorities"},
    {CALL_ALLOWED, "capget", "answers that the child has no capabilities"},
    {CALL_ALLOWED, "umask", "sets the permissions of files that the child will create"},
    {CALL_TESTED, "prctl", "names threads and memory of the child, and reads settings; refuses to name a tracer, become a subreaper, allow core dumps or add filters"},
    {CALL_ALLOWED, "getrlimit", "reads the child's own limits"},
    {CALL_TESTED, "prlimit64 setrlimit", "lowers the child's own limits; the limit of core dumps stays 1 byte, because with 0 the kernel would still pipe a core dump to a program"},
    {CALL_TESTED, "personality", "tells the execution domain; the sandbox refuses to change the domain"},
    /* The child's own signals and timers. */
    {CALL_ALLOWED, "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait", "handles, blocks or awaits the child's own signals"},
    {CALL_ALLOWED, "sigaltstack", "Go and the JVM give their signal handlers a stack of their own"},
    {CALL_ALLOWED, "restart_syscall", "after a stop the kernel resumes an interrupted call with this call"},
    {CALL_ALLOWED, "pause nanosleep", "waits"},
    {CALL_ALLOWED, "alarm getitimer setitimer timer_settime timer_gettime timer_getoverrun timer_delete", "sets or reads a timer that sends SIGALRM to the child itself"},
    {CALL_TESTED, "timer_create", "makes at most RLIMIT_SIGPENDING timers that send SIGALRM to the child itself; only a build may name another event, or use glibc, which always names one; the clocks are those of clock_gettime"},
    {CALL_TESTED, "kill", "signals the process itself, as abort does; in a PID namespace all processes of the child; only a build may send SIGCONT, because SIGCONT would undo the arena's stop"},
    {CALL_TESTED, "tgkill", "signals the child's own threads: Go interrupts its threads with signals, abort raises SIGABRT; refuses SIGCONT"},
    /* Time. */
    {CALL_TESTED, "clock_nanosleep", "sleeps; may sleep by the processor time of another process only if the child can see the PID of that process"},
    {CALL_TESTED, "clock_gettime clock_getres", "tells the time and the child's own processor time; the processor time of another process only if the child can see the PID of that process"},
    {CALL_ALLOWED, "gettimeofday time", "tells the time"},
    {CALL_ALLOWED, "times getrusage", "tells the child's own use of resources"},
    /* The machine. */
    {CALL_ANSWERED, "sysinfo", "runtimes choose the size of their heaps by the answer; the arena answers with the memory limit, one process and no load"},
    {CALL_ALLOWED, "uname", "tells the kernel's version and the machine's name; in a UTS namespace the child sees a name of its own"},
    {CALL_ALLOWED, "getrandom", "gives random numbers"},
    /* Start and end of the child. */
    {CALL_ALLOWED, "execve execveat", "starts the bot's program and programs that Landlock lets the child execute; all run under the same rules"},
    {CALL_ALLOWED, "wait4 waitid", "waits for the child's own child processes"},
    {CALL_ALLOWED, "exit exit_group", "ends a thread or the child"},
    /* The socket pair that asyncio uses as a two-way pipe. */
    {CALL_TESTED, "socketpair", "makes a stream between the child's own threads, with which asyncio wakes itself; refuses datagram sockets, because datagrams can be sent to other processes"},
    {CALL_TESTED, "sendto", "writes to a socket pair; refuses out-of-band bytes; only a build may give an address, on its own loopback interface"},
    {CALL_TESTED, "recvfrom recvmsg", "reads from a socket pair; refuses out-of-band bytes, because the kernel's code for these bytes had security holes"},
    {CALL_ALLOWED, "shutdown getsockname getpeername", "works on a socket pair of the child"},
    {CALL_TESTED, "getsockopt", "tells the kind, state and buffer sizes of a socket; refuses numbers that the kernel counts over all sockets and, in a build, TCP options that move bytes"},
    /* For a child with a writable folder or /tmp. For other children these calls fail with an errno, which honest programs handle. */
    {CALL_WRITES, "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat", "makes, renames or removes files, folders and links"},
    {CALL_WRITES, "chmod fchmod fchmodat", "linkers make programs executable with this call"},
    {CALL_WRITES, "creat", "tar makes its archives with this call"},
    {CALL_WRITES, "truncate ftruncate fallocate", "changes the size of files, up to RLIMIT_FSIZE"},
    {CALL_WRITES, "utime utimes utimensat futimesat", "sets the times of files"},
    /* For a child that may have several processes. */
    {CALL_PROCESSES, "fork vfork", "processes of a bot could outlive a match, or exhaust the machine"},
    /* For a build, which has no opponents. */
    {CALL_BUILDS, "setpgid", "the kernel sends SIGCONT to an orphaned process group, and SIGCONT would undo the arena's stop"},
    {CALL_TESTED, "setsid", "would orphan a process group, to which the kernel sends SIGCONT; has no effect in a build, because some kernels give each session an equal share of the processor"},
    {CALL_TESTED, "flock", "two bots could signal to each other by a lock on a file that both can open; has no effect in a build, where compilers lock their caches"},
    /* For a build with a network of its own, which reaches no other machine. */
    {CALL_LOOPBACK, "socket", "uses the network, and many address families had security holes; a build may use TCP and UDP over IPv4, because Gradle guards its caches with a socket"},
    {CALL_LOOPBACK, "connect", "uses the network; the JVM tries a name service, and goes on if the call is refused"},
    {CALL_LOOPBACK, "bind listen accept accept4", "uses the network"},
    {CALL_LOOPBACK, "setsockopt", "uses the network; a build may set reuse of addresses, timeouts and TCP_NODELAY; buffer sizes have no effect"},
    /* For no child; honest programs try these calls and go on. */
    {CALL_REFUSED, "sendmsg sendmmsg", "can send to any address, and hand descriptors to another process"},
    {CALL_REFUSED, "recvmmsg", "uses the network"},
    {CALL_REFUSED, "setfsuid setfsgid", "the child could become another user"},
    {CALL_REFUSED, "capset", "the child has no capabilities to drop"},
    {CALL_REFUSED, "setpriority sched_setparam sched_setattr ioprio_set", "the child could take more than its share of a core or disk"},
    {CALL_REFUSED, "sched_rr_get_interval", "older kernels answer with a number that depends on how many processes of the machine are ready to run"},
    {CALL_REFUSED, "sched_setaffinity", "the child could leave the core to which the arena pinned the child"},
    {CALL_REFUSED, "tkill rt_sigqueueinfo rt_tgsigqueueinfo", "the child could signal other processes"},
    {CALL_REFUSED, "chown fchown lchown fchownat", "changes the owner of files"},
    {CALL_REFUSED, "mknod mknodat", "makes device files"},
    {CALL_UNSUPPORTED, "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr", "fails as on a file system without extended attributes, so that ls, cp -p, install and tar go on"},
    {CALL_REFUSED, "mincore", "would show which pages of a shared file other processes have read"},
    {CALL_REFUSED, "mlock mlock2 mlockall munlock munlockall", "the child could lock memory that the kernel then cannot reclaim"},
    /* No honest program makes these calls. */
    {CALL_FORBIDDEN, "ptrace process_vm_readv process_vm_writev process_madvise migrate_pages move_pages", "reads or changes another process's memory"},
    {CALL_FORBIDDEN, "kcmp", "tells what two processes share in the kernel"},
    {CALL_FORBIDDEN, "pidfd_getfd", "takes another process's descriptors"},
    {CALL_FORBIDDEN, "pidfd_send_signal", "sends signals to which the rule for kill does not apply"},
    {CALL_FORBIDDEN, "mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr", "changes which files a process sees"},
    {CALL_FORBIDDEN, "setns unshare", "joins or makes a namespace, in which the child could be root"},
    {CALL_FORBIDDEN, "bpf", "loads programs into the kernel"},
    {CALL_FORBIDDEN, "perf_event_open", "measures other processes; this call had many security holes"},
    {CALL_FORBIDDEN, "userfaultfd", "lets a program hold up the kernel while the kernel copies memory, which attacks on the kernel need"},
    {CALL_FORBIDDEN, "add_key request_key keyctl", "changes keyrings, which processes of different namespaces share"},
    {CALL_FORBIDDEN, "init_module finit_module delete_module kexec_load kexec_file_load", "changes the kernel"},
    {CALL_FORBIDDEN, "reboot swapon swapoff acct quotactl quotactl_fd", "changes the whole machine"},
    {CALL_FORBIDDEN, "iopl ioperm", "reaches the machine's input and output ports"},
    {CALL_FORBIDDEN, "modify_ldt", "changes old memory segments; this call had security holes"},
    {CALL_FORBIDDEN, "settimeofday clock_settime clock_adjtime adjtimex", "sets the machine's clock"},
    {CALL_FORBIDDEN, "sethostname setdomainname", "changes the machine's name"},
    {CALL_FORBIDDEN, "syslog", "reads the kernel's log"},
    {CALL_FORBIDDEN, "vhangup", "ends a terminal session"},
    {CALL_FORBIDDEN, "open_by_handle_at name_to_handle_at", "opens files without a path, which no rule for paths stops"},
    {CALL_FORBIDDEN, "fanotify_init fanotify_mark", "tells which files other processes open"},
    {CALL_FORBIDDEN, "lookup_dcookie", "tells paths of other processes"},
    /* clang-format on */
};

enum {
    CALLS_MAX = 320,
    CALL_NUMBER_MAX = 1024, /* greater than every call number of current kernels */
};

static struct call calls[CALLS_MAX]; /* `groups`, an entry per call */
static size_t call_count;

static void list_calls(void)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char *rest = strdup(groups[i].names); /* never freed: the names point into the copy */

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
        [CALL_LOOPBACK] = "allowed in a build that has a loopback interface, with some arguments",
        [CALL_IGNORED] = "without effect",
        [CALL_ANSWERED] = "answered by the arena",
        [CALL_UNSUPPORTED] = "not supported",
        [CALL_REFUSED] = "refused",
        [CALL_FORBIDDEN] = "forbidden",
    };

    return names[ruling];
}
