#include "sandbox/calls.h"

#include <stdlib.h>

#include <seccomp.h>

/* One call per line. */
/* clang-format off */
#define ALLOWED(call, reason)    {#call, SCMP_SYS(call), CALL_ALLOWED, reason}
#define TESTED(call, reason)     {#call, SCMP_SYS(call), CALL_TESTED, reason}
#define WRITES(call, reason)     {#call, SCMP_SYS(call), CALL_WRITES, reason}
#define PROCESSES(call, reason)  {#call, SCMP_SYS(call), CALL_PROCESSES, reason}
#define BUILDS(call, reason)     {#call, SCMP_SYS(call), CALL_BUILDS, reason}
#define LOOPBACK(call, reason)   {#call, SCMP_SYS(call), CALL_LOOPBACK, reason}
#define LOCKS(call, reason)      {#call, SCMP_SYS(call), CALL_LOCKS, reason}
#define IGNORED(call, reason)    {#call, SCMP_SYS(call), CALL_IGNORED, reason}
#define ANSWERED(call, reason)   {#call, SCMP_SYS(call), CALL_ANSWERED, reason}
#define UNSUPPORTED(call, reason) {#call, SCMP_SYS(call), CALL_UNSUPPORTED, reason}
#define REFUSED(call, reason)    {#call, SCMP_SYS(call), CALL_REFUSED, reason}
#define FORBIDDEN(call, reason)  {#call, SCMP_SYS(call), CALL_FORBIDDEN, reason}

static const struct call calls[] = {
    /* The child's pipes, and the files that the child may read. */
    ALLOWED(read, "reads standard input, and files that Landlock lets the child open"),
    ALLOWED(write, "writes to standard output and standard error"),
    ALLOWED(readv, "reads into several buffers at once"),
    ALLOWED(writev, "writes several buffers at once; musl and Go print with it"),
    ALLOWED(pread64, "the program loader reads ELF headers with this call"),
    ALLOWED(pwrite64, "writes only to files of the child's writable folder; without such a folder no file is open for writing"),
    ALLOWED(lseek, "moves the position in a file that the child opened"),
    ALLOWED(close, "closes descriptors of the child"),
    ALLOWED(close_range, "closes descriptors of the child; the sandbox calls close_range last, before the child's program starts"),
    ALLOWED(dup, "copies the child's own descriptors, at most RLIMIT_NOFILE of them"),
    ALLOWED(dup2, "the same as dup; the sandbox puts the pipes on descriptors 0 to 2 with dup2"),
    ALLOWED(dup3, "the same"),
    ALLOWED(pipe, "makes pipes between the child's own threads: at most RLIMIT_NOFILE descriptors, each pipe of the default size"),
    ALLOWED(pipe2, "the same"),
    ALLOWED(poll, "waits for the child's own descriptors"),
    ALLOWED(ppoll, "the same"),
    ALLOWED(select, "the same"),
    ALLOWED(pselect6, "the same"),
    ALLOWED(epoll_create, "event loops, such as those of Node and asyncio, need this call"),
    ALLOWED(epoll_create1, "the same"),
    ALLOWED(epoll_ctl, "the same"),
    ALLOWED(epoll_wait, "the same"),
    ALLOWED(epoll_pwait, "the same"),
    ALLOWED(epoll_pwait2, "the same"),
    ALLOWED(eventfd, "wakes the child's own event loop"),
    ALLOWED(eventfd2, "the same"),
    ALLOWED(timerfd_create, "event loops need these timers"),
    ALLOWED(timerfd_settime, "the same"),
    ALLOWED(timerfd_gettime, "the same"),
    ALLOWED(fstat, "the C library calls fstat on every file that it opens"),
    ALLOWED(stat, "programs search folders for files; stat tells that a file exists, not what the file contains"),
    ALLOWED(lstat, "the same"),
    ALLOWED(newfstatat, "the same"),
    ALLOWED(statx, "the same"),
    ALLOWED(access, "the same as stat; the program loader looks for ld.so.preload"),
    ALLOWED(faccessat, "the same"),
    ALLOWED(faccessat2, "the same"),
    ALLOWED(readlink, "runtimes find their own program through /proc/self/exe"),
    ALLOWED(readlinkat, "the same"),
    ALLOWED(getcwd, "tells the child's current folder"),
    ALLOWED(statfs, "the JVM and Python ask for the kind of a file system"),
    ALLOWED(fstatfs, "the same"),
    ALLOWED(getdents64, "Python and Ruby list folders to import modules; Landlock allows few folders"),
    ALLOWED(chdir, "changes the child's own current folder"),
    ALLOWED(fchdir, "the same"),
    IGNORED(fadvise64, "has no effect, because advice on reading ahead would change the page cache that all bots share"),
    ALLOWED(fsync, "harmless: no file of the child is on a disk"),
    ALLOWED(fdatasync, "the same"),
    TESTED(open, "opens files for reading; for writing only if the bot has a scratch folder"),
    TESTED(openat, "the same as open"),
    TESTED(fcntl, "duplicates descriptors and sets their flags; refuses locks, leases, signals and pipe sizes, because other processes would notice these; only a build may lock its own files, at most 65,536 times"),
    TESTED(ioctl, "asks whether a descriptor is a terminal, and sets descriptor flags; refuses TIOCSTI and all requests to devices"),

    /* Memory. */
    ALLOWED(brk, "resizes the heap, within RLIMIT_DATA or the limit of the memory cgroup"),
    ALLOWED(munmap, "unmaps the child's own memory"),
    ALLOWED(mremap, "resizes the child's own memory, as realloc does"),
    ALLOWED(mprotect, "changes only the child's own memory; just-in-time compilers need executable pages"),
    TESTED(madvise, "garbage collectors give pages of the child's own memory back with this call; advice about the page cache has no effect, because all bots share that cache"),
    ALLOWED(msync, "writes back the child's own memory"),
    ALLOWED(membarrier, "Go and the JVM order memory accesses of their threads with this call"),
    TESTED(mmap, "maps memory; without a memory cgroup the sandbox refuses shared anonymous mappings and growing mappings, because RLIMIT_DATA does not count their memory"),
    ALLOWED(pkey_alloc, "V8 protects the machine code that V8 generates with this call"),
    ALLOWED(pkey_free, "the same"),
    ALLOWED(pkey_mprotect, "the same"),

    /* Threads. */
    TESTED(clone, "starts threads, and processes if the bot may have several; refuses new namespaces, children of the arena, pidfds, and end signals other than SIGCHLD"),
    TESTED(futex, "locks threads of one process; only a build may wake another process with a futex"),
    BUILDS(futex_waitv, "as for futex; a filter cannot test the flags of futex_waitv, because they are in memory"),
    ALLOWED(set_robust_list, "the C library makes this call when a thread starts"),
    ALLOWED(get_robust_list, "the same"),
    ALLOWED(set_tid_address, "the same"),
    ALLOWED(rseq, "newer C libraries call rseq when a thread starts; programs die if rseq is refused"),
    ALLOWED(arch_prctl, "sets the thread pointer"),
    ALLOWED(sched_yield, "gives the core to another thread"),
    ALLOWED(sched_getaffinity, "runtimes count the cores that they may use"),
    ALLOWED(sched_getparam, "runtimes read scheduling settings; the sandbox refuses to change them"),
    ALLOWED(sched_getscheduler, "the same"),
    TESTED(sched_setscheduler, "Mono sets the ordinary policy, which each thread already has; the sandbox refuses other policies"),
    ALLOWED(sched_get_priority_max, "the same"),
    ALLOWED(sched_get_priority_min, "the same"),
    ALLOWED(sched_rr_get_interval, "the same"),
    ALLOWED(getcpu, "tells on which core the thread runs; rseq tells this, too"),

    /* The child's identity. */
    ALLOWED(gettid, "tells the child's own process or thread number"),
    ALLOWED(getpid, "tells the child's own process or thread number"),
    ALLOWED(getppid, "tells the parent's process number, which is 0 in a PID namespace"),
    ALLOWED(getuid, "tells the child's unprivileged user or group"),
    ALLOWED(geteuid, "the same"),
    ALLOWED(getgid, "the same"),
    ALLOWED(getegid, "the same"),
    ALLOWED(getresuid, "the same"),
    ALLOWED(getresgid, "the same"),
    ALLOWED(getgroups, "the same"),
    ALLOWED(setuid, "GNU make sets the IDs that the process already has; the kernel refuses other IDs, because the child has no capabilities"),
    ALLOWED(setgid, "the same"),
    ALLOWED(setreuid, "the same"),
    ALLOWED(setregid, "the same"),
    ALLOWED(setresuid, "the same"),
    ALLOWED(setresgid, "the same"),
    TESTED(setgroups, "sets an empty list of groups; the child's list is already empty"),
    ALLOWED(getpgrp, "tells the child's own process or thread number"),
    ALLOWED(getpgid, "tells the child's own process or thread number"),
    ALLOWED(getsid, "tells the child's own process or thread number"),
    ALLOWED(getpriority, "tells the child's own priority; the sandbox refuses to change priorities"),
    ALLOWED(capget, "answers that the child has no capabilities"),
    ALLOWED(umask, "sets the permissions of files that the child will create"),
    TESTED(prctl, "names threads and memory of the child, and reads settings; refuses to name a tracer, become a subreaper, allow core dumps or add filters"),
    TESTED(prlimit64, "reads and lowers the child's own limits, but not the limit of core dumps; no limit can be raised"),
    ALLOWED(getrlimit, "reads the child's own limits"),
    TESTED(setrlimit, "lowers the child's own limits; the limit of core dumps stays 1 byte, because with 0 the kernel would still pipe a core dump to a program"),
    TESTED(personality, "tells the execution domain; the sandbox refuses to change the domain"),

    /* The child's own signals and timers. */
    ALLOWED(rt_sigaction, "sets the child's own signal handlers"),
    ALLOWED(rt_sigprocmask, "sets the thread's own signal mask"),
    ALLOWED(rt_sigreturn, "returns from a signal handler"),
    ALLOWED(rt_sigpending, "waits for, or lists, the child's own signals"),
    ALLOWED(rt_sigsuspend, "waits for, or lists, the child's own signals"),
    ALLOWED(rt_sigtimedwait, "waits for, or lists, the child's own signals"),
    ALLOWED(sigaltstack, "Go and the JVM give their signal handlers a stack of their own"),
    ALLOWED(restart_syscall, "after a stop the kernel resumes an interrupted call with this call"),
    ALLOWED(pause, "waits"),
    ALLOWED(alarm, "sends SIGALRM to the child itself"),
    ALLOWED(getitimer, "the same"),
    ALLOWED(setitimer, "the same"),
    TESTED(timer_create, "makes at most RLIMIT_SIGPENDING timers that send SIGALRM to the child itself; only a build may name another event, or use glibc, which always names one; the clocks are those of clock_gettime"),
    ALLOWED(timer_settime, "the same"),
    ALLOWED(timer_gettime, "the same"),
    ALLOWED(timer_getoverrun, "the same"),
    ALLOWED(timer_delete, "the same"),
    TESTED(kill, "signals the process itself, as abort does; in a PID namespace all processes of the child; only a build may send SIGCONT, because SIGCONT would undo the arena's stop"),
    TESTED(tgkill, "signals the child's own threads: Go interrupts its threads with signals, abort raises SIGABRT; refuses SIGCONT"),

    /* Time. */
    ALLOWED(nanosleep, "waits"),
    TESTED(clock_nanosleep, "sleeps; may sleep by the processor time of another process only if the child can see the PID of that process"),
    TESTED(clock_gettime, "tells the time and the child's own processor time; the processor time of another process only if the child can see the PID of that process"),
    TESTED(clock_getres, "the same"),
    ALLOWED(gettimeofday, "tells the time"),
    ALLOWED(time, "tells the time"),
    ALLOWED(times, "tells the child's own processor time"),
    ALLOWED(getrusage, "tells the child's own use of resources"),

    /* The machine. */
    ANSWERED(sysinfo, "runtimes choose the size of their heaps by the answer; the arena answers with the memory limit, one process and no load"),
    ALLOWED(uname, "tells the kernel's version and the machine's name; in a UTS namespace the child sees a name of its own"),
    ALLOWED(getrandom, "gives random numbers"),

    /* Start and end of the child. */
    ALLOWED(execve, "starts the bot's program and programs that Landlock lets the child execute; all run under the same rules"),
    ALLOWED(execveat, "the same as execve; the sandbox starts the bot's program with execveat"),
    ALLOWED(wait4, "waits for the child's own child processes"),
    ALLOWED(waitid, "the same"),
    ALLOWED(exit, "ends a thread"),
    ALLOWED(exit_group, "ends the child"),

    /* The socket pair that asyncio uses as a two-way pipe. */
    TESTED(socketpair, "makes a stream between the child's own threads, with which asyncio wakes itself; refuses datagram sockets, because datagrams can be sent to other processes"),
    TESTED(sendto, "writes to a socket pair; refuses out-of-band bytes; only a build may give an address, on its own loopback interface"),
    TESTED(recvfrom, "reads from a socket pair; refuses out-of-band bytes, because the kernel's code for these bytes had security holes"),
    TESTED(recvmsg, "reads from a socket pair; sendmsg is refused, because it could pass descriptors"),
    ALLOWED(shutdown, "works on a socket pair of the child"),
    ALLOWED(getsockname, "works on a socket pair of the child"),
    ALLOWED(getpeername, "works on a socket pair of the child"),
    TESTED(getsockopt, "tells the kind, state and buffer sizes of a socket; refuses numbers that the kernel counts over all sockets and, in a build, TCP options that move bytes"),

    /*
     * Allowed to a child with a writable folder or /tmp. For other children these calls fail with
     * an errno, which honest programs handle.
     */
    WRITES(mkdir, "makes folders"),
    WRITES(mkdirat, "makes folders"),
    WRITES(rmdir, "removes folders"),
    WRITES(unlink, "removes files"),
    WRITES(unlinkat, "removes files"),
    WRITES(rename, "renames files"),
    WRITES(renameat, "renames files"),
    WRITES(renameat2, "renames files"),
    WRITES(link, "makes links"),
    WRITES(linkat, "makes links"),
    WRITES(symlink, "makes links"),
    WRITES(symlinkat, "makes links"),
    WRITES(chmod, "linkers make programs executable with this call"),
    WRITES(fchmod, "the same"),
    WRITES(fchmodat, "the same"),
    WRITES(creat, "tar makes its archives with this call"),
    WRITES(truncate, "changes the size of files, up to RLIMIT_FSIZE"),
    WRITES(ftruncate, "the same"),
    WRITES(fallocate, "the same"),
    WRITES(utime, "sets the times of files"),
    WRITES(utimes, "the same"),
    WRITES(utimensat, "the same"),
    WRITES(futimesat, "the same"),

    /* Allowed to a child that may have several processes. */
    PROCESSES(fork, "processes of a bot could outlive a match, or exhaust the machine"),
    PROCESSES(vfork, "the same"),

    /* Allowed to a build, which has no opponents. */
    BUILDS(setpgid, "the kernel sends SIGCONT to an orphaned process group, and SIGCONT would undo the arena's stop"),
    TESTED(setsid, "the same as setpgid; has no effect in a build, because some kernels give each session an equal share of the processor"),
    LOCKS(flock, "two bots could signal to each other by a lock on a file that both can open; compilers, which run in builds, lock their caches"),

    /* Allowed to a build with a network of its own, which reaches no other machine. */
    LOOPBACK(socket, "uses the network, and many address families had security holes; a build may use TCP and UDP over IPv4, because Gradle guards its caches with a socket"),
    LOOPBACK(connect, "uses the network; the JVM tries a name service, and goes on if the call is refused"),
    LOOPBACK(bind, "uses the network"),
    LOOPBACK(listen, "uses the network"),
    LOOPBACK(accept, "uses the network"),
    LOOPBACK(accept4, "uses the network"),
    LOOPBACK(setsockopt, "uses the network; a build may set reuse of addresses, timeouts and TCP_NODELAY; buffer sizes have no effect"),

    REFUSED(sendmsg, "can send to any address, and hand descriptors to another process"),
    REFUSED(sendmmsg, "the same"),
    REFUSED(recvmmsg, "uses the network"),
    REFUSED(setfsuid, "the child could become another user"),
    REFUSED(setfsgid, "the same"),
    REFUSED(capset, "the child has no capabilities to drop"),
    REFUSED(setpriority, "the child could take more than its share of a core"),
    REFUSED(sched_setaffinity, "the child could leave the core to which the arena pinned the child"),
    REFUSED(sched_setparam, "the child could take more than its share of a core"),
    REFUSED(sched_setattr, "the same"),
    REFUSED(ioprio_set, "the same"),
    REFUSED(tkill, "the child could signal other processes"),
    REFUSED(rt_sigqueueinfo, "the same"),
    REFUSED(rt_tgsigqueueinfo, "the same"),
    REFUSED(chown, "changes the owner of files"),
    REFUSED(fchown, "changes the owner of files"),
    REFUSED(lchown, "changes the owner of files"),
    REFUSED(fchownat, "changes the owner of files"),
    REFUSED(mknod, "makes device files"),
    REFUSED(mknodat, "makes device files"),
    UNSUPPORTED(getxattr, "fails as on a file system without extended attributes, so that ls, cp -p, install and tar go on"),
    UNSUPPORTED(lgetxattr, "the same"),
    UNSUPPORTED(fgetxattr, "the same"),
    UNSUPPORTED(listxattr, "the same"),
    UNSUPPORTED(llistxattr, "the same"),
    UNSUPPORTED(flistxattr, "the same"),
    UNSUPPORTED(setxattr, "the same"),
    UNSUPPORTED(lsetxattr, "the same"),
    UNSUPPORTED(fsetxattr, "the same"),
    UNSUPPORTED(removexattr, "the same"),
    UNSUPPORTED(lremovexattr, "the same"),
    UNSUPPORTED(fremovexattr, "the same"),
    REFUSED(mincore, "would show which pages of a shared file other processes have read"),
    REFUSED(mlock, "the child could lock memory that the kernel then cannot reclaim"),
    REFUSED(mlock2, "the same"),
    REFUSED(mlockall, "the same"),
    REFUSED(munlock, "the same"),
    REFUSED(munlockall, "the same"),

    FORBIDDEN(ptrace, "reads and changes another process"),
    FORBIDDEN(process_vm_readv, "reads or changes another process's memory"),
    FORBIDDEN(process_vm_writev, "the same"),
    FORBIDDEN(process_madvise, "the same"),
    FORBIDDEN(kcmp, "tells what two processes share in the kernel"),
    FORBIDDEN(pidfd_getfd, "takes another process's descriptors"),
    FORBIDDEN(pidfd_send_signal, "sends signals to which the rule for kill does not apply"),
    FORBIDDEN(mount, "changes which files a process sees"),
    FORBIDDEN(umount2, "the same"),
    FORBIDDEN(pivot_root, "the same"),
    FORBIDDEN(chroot, "the same"),
    FORBIDDEN(move_mount, "the same"),
    FORBIDDEN(open_tree, "the same"),
    FORBIDDEN(fsopen, "the same"),
    FORBIDDEN(fsconfig, "the same"),
    FORBIDDEN(fsmount, "the same"),
    FORBIDDEN(fspick, "the same"),
    FORBIDDEN(mount_setattr, "the same"),
    FORBIDDEN(setns, "joins another namespace"),
    FORBIDDEN(unshare, "makes a namespace in which the child would be root"),
    FORBIDDEN(bpf, "loads programs into the kernel"),
    FORBIDDEN(perf_event_open, "measures other processes; this call had many security holes"),
    FORBIDDEN(userfaultfd, "stops the kernel in the middle of a copy, which attacks on the kernel need"),
    FORBIDDEN(add_key, "changes keyrings, which processes of different namespaces share"),
    FORBIDDEN(request_key, "the same as add_key; also starts a program on the host"),
    FORBIDDEN(keyctl, "the same"),
    FORBIDDEN(init_module, "changes the kernel"),
    FORBIDDEN(finit_module, "changes the kernel"),
    FORBIDDEN(delete_module, "changes the kernel"),
    FORBIDDEN(kexec_load, "changes the kernel"),
    FORBIDDEN(kexec_file_load, "changes the kernel"),
    FORBIDDEN(reboot, "changes the whole machine"),
    FORBIDDEN(swapon, "changes the whole machine"),
    FORBIDDEN(swapoff, "changes the whole machine"),
    FORBIDDEN(acct, "changes the whole machine"),
    FORBIDDEN(quotactl, "changes the whole machine"),
    FORBIDDEN(quotactl_fd, "changes the whole machine"),
    FORBIDDEN(iopl, "reaches the machine's input and output ports"),
    FORBIDDEN(ioperm, "the same"),
    FORBIDDEN(modify_ldt, "changes old memory segments; this call had security holes"),
    FORBIDDEN(settimeofday, "sets the machine's clock"),
    FORBIDDEN(clock_settime, "sets the machine's clock"),
    FORBIDDEN(clock_adjtime, "sets the machine's clock"),
    FORBIDDEN(adjtimex, "sets the machine's clock"),
    FORBIDDEN(sethostname, "changes the machine's name"),
    FORBIDDEN(setdomainname, "the same"),
    FORBIDDEN(syslog, "reads the kernel's log"),
    FORBIDDEN(vhangup, "ends a terminal session"),
    FORBIDDEN(open_by_handle_at, "opens files without a path, which no rule for paths stops"),
    FORBIDDEN(name_to_handle_at, "the same"),
    FORBIDDEN(fanotify_init, "tells which files other processes open"),
    FORBIDDEN(fanotify_mark, "the same"),
    FORBIDDEN(lookup_dcookie, "tells paths of other processes"),
    FORBIDDEN(migrate_pages, "reads or changes another process's memory"),
    FORBIDDEN(move_pages, "the same"),
};
/* clang-format on */

enum {
    CALL_COUNT = sizeof calls / sizeof *calls,
    CALL_NUMBER_MAX = 1024, /* greater than every call number of current kernels */
};

const struct call *call_table(size_t *count)
{
    *count = CALL_COUNT;
    return calls;
}

const struct call *call_find(int number)
{
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

const char *call_name(int number)
{
    static char *names[CALL_NUMBER_MAX]; /* names of calls that are not in the table; never freed */
    const struct call *call = call_find(number);

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
        [CALL_LOCKS] = "carried out by the arena for a build, on the build's own files",
        [CALL_IGNORED] = "without effect",
        [CALL_ANSWERED] = "answered by the arena",
        [CALL_UNSUPPORTED] = "not supported",
        [CALL_REFUSED] = "refused",
        [CALL_FORBIDDEN] = "forbidden",
    };

    return names[ruling];
}
