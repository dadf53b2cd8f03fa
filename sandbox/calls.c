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
    ALLOWED(write, "standard output and standard error"),
    ALLOWED(readv, "reads into several buffers at once"),
    ALLOWED(writev, "writes several buffers at once; musl and Go print with it"),
    ALLOWED(pread64, "loaders read ELF headers with this call"),
    ALLOWED(pwrite64, "no file is open for writing, unless the child has a writable folder"),
    ALLOWED(lseek, "position in files of its own"),
    ALLOWED(close, "its own descriptors"),
    ALLOWED(close_range, "its own descriptors; the last step before its program starts"),
    ALLOWED(dup, "copies of its own descriptors, within RLIMIT_NOFILE"),
    ALLOWED(dup2, "the same; the sandbox puts the pipes on descriptors 0 to 2 with this call"),
    ALLOWED(dup3, "the same"),
    ALLOWED(pipe, "pipes between the child's own threads; at most RLIMIT_NOFILE of them, of the default size"),
    ALLOWED(pipe2, "the same"),
    ALLOWED(poll, "waits on its own descriptors"),
    ALLOWED(ppoll, "the same"),
    ALLOWED(select, "the same"),
    ALLOWED(pselect6, "the same"),
    ALLOWED(epoll_create, "event loops: Node, asyncio"),
    ALLOWED(epoll_create1, "the same"),
    ALLOWED(epoll_ctl, "the same"),
    ALLOWED(epoll_wait, "the same"),
    ALLOWED(epoll_pwait, "the same"),
    ALLOWED(epoll_pwait2, "the same"),
    ALLOWED(eventfd, "wakes an event loop of its own"),
    ALLOWED(eventfd2, "the same"),
    ALLOWED(timerfd_create, "timers of an event loop"),
    ALLOWED(timerfd_settime, "the same"),
    ALLOWED(timerfd_gettime, "the same"),
    ALLOWED(fstat, "the C library looks at every file it opens"),
    ALLOWED(stat, "search paths; tells that a file exists, not what is in it"),
    ALLOWED(lstat, "the same"),
    ALLOWED(newfstatat, "the same"),
    ALLOWED(statx, "the same"),
    ALLOWED(access, "the same: the loader asks for ld.so.preload"),
    ALLOWED(faccessat, "the same"),
    ALLOWED(faccessat2, "the same"),
    ALLOWED(readlink, "runtimes look for themselves through /proc/self/exe"),
    ALLOWED(readlinkat, "the same"),
    ALLOWED(getcwd, "its folder"),
    ALLOWED(statfs, "the kind of a file system; the JVM and Python ask"),
    ALLOWED(fstatfs, "the same"),
    ALLOWED(getdents64, "Python and Ruby list folders to import modules, only those that Landlock allows"),
    ALLOWED(chdir, "a folder of its own"),
    ALLOWED(fchdir, "the same"),
    IGNORED(fadvise64, "advice on reading ahead, which would change the page cache that all bots share"),
    ALLOWED(fsync, "has no effect on others: the child has no file on a disk"),
    ALLOWED(fdatasync, "the same"),
    TESTED(open, "reading only: no write, create, truncate or append, unless the bot has a scratch folder"),
    TESTED(openat, "reading only, as open"),
    TESTED(fcntl, "duplicates descriptors and sets their flags; no locks, leases, signals or pipe sizes: other processes would notice those; a build may lock its files 65,536 times"),
    TESTED(ioctl, "asks about a terminal, sets descriptor flags; no TIOCSTI, no device"),

    /* Memory. */
    ALLOWED(brk, "the heap, within RLIMIT_DATA or the memory cgroup"),
    ALLOWED(munmap, "unmaps the child's own memory"),
    ALLOWED(mremap, "resizes the child's own memory, as realloc does"),
    ALLOWED(mprotect, "changes only the child's own memory; just-in-time compilers need executable pages"),
    TESTED(madvise, "garbage collectors give back pages of the child's own memory; advice about the page cache, which all bots share, has no effect"),
    ALLOWED(msync, "writes back the child's own memory"),
    ALLOWED(membarrier, "memory barriers between its own threads: Go, the JVM"),
    TESTED(mmap, "maps memory; without a memory cgroup not as shared anonymous or growing mappings, because RLIMIT_DATA does not count those"),
    ALLOWED(pkey_alloc, "V8 guards the code it makes"),
    ALLOWED(pkey_free, "the same"),
    ALLOWED(pkey_mprotect, "the same"),

    /* Threads. */
    TESTED(clone, "starts threads, and processes if several are allowed; never in a new namespace or as a child of the arena, never with a descriptor of the process, and with no other signal than SIGCHLD at the end"),
    TESTED(futex, "locks between the child's own threads; only a build may wake another process with a futex"),
    BUILDS(futex_waitv, "as for futex; a filter cannot test the flags of futex_waitv, because they are in memory"),
    ALLOWED(set_robust_list, "the C library makes this call when a thread starts"),
    ALLOWED(get_robust_list, "the same"),
    ALLOWED(set_tid_address, "the same"),
    ALLOWED(rseq, "the same; refusing it kills programs of newer C libraries"),
    ALLOWED(arch_prctl, "the thread pointer"),
    ALLOWED(sched_yield, "lets its other threads run"),
    ALLOWED(sched_getaffinity, "runtimes count the cores they have"),
    ALLOWED(sched_getparam, "runtimes ask; setting them is refused"),
    ALLOWED(sched_getscheduler, "the same"),
    TESTED(sched_setscheduler, "sets only the ordinary policy, which each thread already has: Mono does so"),
    ALLOWED(sched_get_priority_max, "the same"),
    ALLOWED(sched_get_priority_min, "the same"),
    ALLOWED(sched_rr_get_interval, "the same"),
    ALLOWED(getcpu, "tells on which core the thread runs, as rseq does"),

    /* The child's identity. */
    ALLOWED(gettid, "its own number"),
    ALLOWED(getpid, "its own number"),
    ALLOWED(getppid, "0 in a PID namespace"),
    ALLOWED(getuid, "an unprivileged id"),
    ALLOWED(geteuid, "the same"),
    ALLOWED(getgid, "the same"),
    ALLOWED(getegid, "the same"),
    ALLOWED(getresuid, "the same"),
    ALLOWED(getresgid, "the same"),
    ALLOWED(getgroups, "the same"),
    ALLOWED(setuid, "sets ids that the process already has, as GNU make does; the kernel refuses all others to a process without capabilities"),
    ALLOWED(setgid, "the same"),
    ALLOWED(setreuid, "the same"),
    ALLOWED(setregid, "the same"),
    ALLOWED(setresuid, "the same"),
    ALLOWED(setresgid, "the same"),
    TESTED(setgroups, "sets an empty list, which it already has"),
    ALLOWED(getpgrp, "its own number"),
    ALLOWED(getpgid, "its own number"),
    ALLOWED(getsid, "its own number"),
    ALLOWED(getpriority, "its own priority; setting it is refused"),
    ALLOWED(capget, "answers that the child has no capabilities"),
    ALLOWED(umask, "the mode of new files, which it cannot create"),
    TESTED(prctl, "names threads and memory of the child, and reads settings; cannot name a tracer, become a subreaper, allow core dumps or add filters"),
    TESTED(prlimit64, "reads and lowers the child's own limits, but not the limit of core dumps; no limit can be raised"),
    ALLOWED(getrlimit, "reads the child's own limits"),
    TESTED(setrlimit, "lowers the child's own limits; the limit of core dumps stays 1 byte, because with 0 the kernel would still pipe a core dump to a program"),
    TESTED(personality, "queries only"),

    /* The child's own signals and timers. */
    ALLOWED(rt_sigaction, "its own handlers"),
    ALLOWED(rt_sigprocmask, "its own mask"),
    ALLOWED(rt_sigreturn, "the end of a handler"),
    ALLOWED(rt_sigpending, "its own"),
    ALLOWED(rt_sigsuspend, "its own"),
    ALLOWED(rt_sigtimedwait, "its own"),
    ALLOWED(sigaltstack, "its own: Go, the JVM"),
    ALLOWED(restart_syscall, "the kernel uses this call to go on with another one after a stop"),
    ALLOWED(pause, "waits"),
    ALLOWED(alarm, "signals itself"),
    ALLOWED(getitimer, "the same"),
    ALLOWED(setitimer, "the same"),
    TESTED(timer_create, "without an event (SIGALRM to itself), at most RLIMIT_SIGPENDING of them; with one, also the one that glibc makes of NULL, only in a build; clocks as for clock_gettime"),
    ALLOWED(timer_settime, "the same"),
    ALLOWED(timer_gettime, "the same"),
    ALLOWED(timer_getoverrun, "the same"),
    ALLOWED(timer_delete, "the same"),
    TESTED(kill, "signals to the process itself, as abort sends them; in a PID namespace, to all processes of the child; SIGCONT only in a build, because SIGCONT would undo the arena's stop"),
    TESTED(tgkill, "signals to its own threads: Go preempts them this way, abort raises SIGABRT; never SIGCONT"),

    /* Time. */
    ALLOWED(nanosleep, "waits"),
    TESTED(clock_nanosleep, "sleeps; by the processor time of another process only if the child can see the PID of that process"),
    TESTED(clock_gettime, "the time, and its own processor time; another process's only if it can see that PID"),
    TESTED(clock_getres, "the same"),
    ALLOWED(gettimeofday, "the time"),
    ALLOWED(time, "the time"),
    ALLOWED(times, "its own processor time"),
    ALLOWED(getrusage, "its own use"),

    /* The machine. */
    ANSWERED(sysinfo, "runtimes choose the size of their heaps by the answer; the arena answers with the memory limit, one process and no load"),
    ALLOWED(uname, "a name of its own in a UTS namespace"),
    ALLOWED(getrandom, "random numbers"),

    /* Start and end of the child. */
    ALLOWED(execve, "starts the bot's program, and others that Landlock lets the child execute, all under the same rules"),
    ALLOWED(execveat, "for the same reason as execve; the sandbox starts the program with execveat"),
    ALLOWED(wait4, "waits for its own children, which it has only if several processes are allowed"),
    ALLOWED(waitid, "the same"),
    ALLOWED(exit, "a thread's end"),
    ALLOWED(exit_group, "its end"),

    /* The socket pair that asyncio uses as a two-way pipe. */
    TESTED(socketpair, "a stream between its own threads: asyncio wakes itself; no datagrams, which can be addressed"),
    TESTED(sendto, "writes to a socket pair; no out-of-band bytes, and no address except in a build, on its loopback interface"),
    TESTED(recvfrom, "reads from a socket pair; no out-of-band bytes, because the kernel's code for them had security holes"),
    TESTED(recvmsg, "reads from a socket pair; sendmsg is refused, because it could pass descriptors"),
    ALLOWED(shutdown, "of a socket pair"),
    ALLOWED(getsockname, "of a socket pair"),
    ALLOWED(getpeername, "of a socket pair"),
    TESTED(getsockopt, "of a socket pair: its kind, state and buffers; no numbers that the kernel counts for all sockets; in a build no TCP options that move bytes"),

    /*
     * Allowed to a child with a writable folder or /tmp. For other children these calls fail with
     * an errno, which honest programs handle.
     */
    WRITES(mkdir, "folders"),
    WRITES(mkdirat, "folders"),
    WRITES(rmdir, "folders"),
    WRITES(unlink, "files"),
    WRITES(unlinkat, "files"),
    WRITES(rename, "files"),
    WRITES(renameat, "files"),
    WRITES(renameat2, "files"),
    WRITES(link, "files"),
    WRITES(linkat, "files"),
    WRITES(symlink, "files"),
    WRITES(symlinkat, "files"),
    WRITES(chmod, "linkers set the run bit"),
    WRITES(fchmod, "the same"),
    WRITES(fchmodat, "the same"),
    WRITES(creat, "files: tar makes archives with it"),
    WRITES(truncate, "files, within RLIMIT_FSIZE"),
    WRITES(ftruncate, "the same"),
    WRITES(fallocate, "the same"),
    WRITES(utime, "times of files"),
    WRITES(utimes, "the same"),
    WRITES(utimensat, "the same"),
    WRITES(futimesat, "the same"),

    /* Allowed to a child that may have several processes. */
    PROCESSES(fork, "processes that outlive a match, or exhaust the machine"),
    PROCESSES(vfork, "the same"),

    /* Allowed to a build, which has no opponents. */
    BUILDS(setpgid, "a process group that becomes orphaned gets SIGCONT from the kernel"),
    TESTED(setsid, "the same; without effect in a build: each session would be a group of full weight where the kernel shares out the processor by session"),
    LOCKS(flock, "two bots could signal to each other by a lock on a file that both can open; in a build compilers lock their caches"),

    /* Allowed to a build with a network of its own, which reaches no other machine. */
    LOOPBACK(socket, "the network, and the security holes of each address family; a build has TCP and UDP over IPv4, because Gradle guards its caches with a socket"),
    LOOPBACK(connect, "the network; the JVM asks a name service and goes on without"),
    LOOPBACK(bind, "the network"),
    LOOPBACK(listen, "the network"),
    LOOPBACK(accept, "the network"),
    LOOPBACK(accept4, "the network"),
    LOOPBACK(setsockopt, "the network; a build may reuse addresses, set timeouts and no delay; sizes of buffers have no effect"),

    REFUSED(sendmsg, "addresses, and descriptors handed to another process"),
    REFUSED(sendmmsg, "the same"),
    REFUSED(recvmmsg, "the network"),
    REFUSED(setfsuid, "becoming somebody else"),
    REFUSED(setfsgid, "the same"),
    REFUSED(capset, "it has nothing to drop"),
    REFUSED(setpriority, "more than its share of a core"),
    REFUSED(sched_setaffinity, "leaving the core it was pinned to"),
    REFUSED(sched_setparam, "more than its share of a core"),
    REFUSED(sched_setattr, "the same"),
    REFUSED(ioprio_set, "the same"),
    REFUSED(tkill, "signals to others"),
    REFUSED(rt_sigqueueinfo, "the same"),
    REFUSED(rt_tgsigqueueinfo, "the same"),
    REFUSED(chown, "files"),
    REFUSED(fchown, "files"),
    REFUSED(lchown, "files"),
    REFUSED(fchownat, "files"),
    REFUSED(mknod, "files"),
    REFUSED(mknodat, "files"),
    UNSUPPORTED(getxattr, "extended attributes: as on a file system without them, so that ls, cp -p, install and tar go on"),
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
    REFUSED(mincore, "which pages of a shared file others have read"),
    REFUSED(mlock, "memory that cannot be given back"),
    REFUSED(mlock2, "the same"),
    REFUSED(mlockall, "the same"),
    REFUSED(munlock, "the same"),
    REFUSED(munlockall, "the same"),

    FORBIDDEN(ptrace, "another process's memory and calls"),
    FORBIDDEN(process_vm_readv, "another process's memory"),
    FORBIDDEN(process_vm_writev, "the same"),
    FORBIDDEN(process_madvise, "the same"),
    FORBIDDEN(kcmp, "compares the insides of processes"),
    FORBIDDEN(pidfd_getfd, "another process's descriptors"),
    FORBIDDEN(pidfd_send_signal, "signals past the rule for kill"),
    FORBIDDEN(mount, "another view of the files"),
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
    FORBIDDEN(setns, "another namespace"),
    FORBIDDEN(unshare, "a namespace of its own, where it would be root"),
    FORBIDDEN(bpf, "programs in the kernel"),
    FORBIDDEN(perf_event_open, "measures other processes; a long record of holes"),
    FORBIDDEN(userfaultfd, "holds the kernel in the middle of a copy"),
    FORBIDDEN(add_key, "keyrings are shared beyond namespaces"),
    FORBIDDEN(request_key, "the same, and starts a helper of the host"),
    FORBIDDEN(keyctl, "the same"),
    FORBIDDEN(init_module, "the kernel"),
    FORBIDDEN(finit_module, "the kernel"),
    FORBIDDEN(delete_module, "the kernel"),
    FORBIDDEN(kexec_load, "the kernel"),
    FORBIDDEN(kexec_file_load, "the kernel"),
    FORBIDDEN(reboot, "the machine"),
    FORBIDDEN(swapon, "the machine"),
    FORBIDDEN(swapoff, "the machine"),
    FORBIDDEN(acct, "the machine"),
    FORBIDDEN(quotactl, "the machine"),
    FORBIDDEN(quotactl_fd, "the machine"),
    FORBIDDEN(iopl, "ports of the machine"),
    FORBIDDEN(ioperm, "the same"),
    FORBIDDEN(modify_ldt, "old segments, with a record of holes"),
    FORBIDDEN(settimeofday, "the clock"),
    FORBIDDEN(clock_settime, "the clock"),
    FORBIDDEN(clock_adjtime, "the clock"),
    FORBIDDEN(adjtimex, "the clock"),
    FORBIDDEN(sethostname, "the machine's name"),
    FORBIDDEN(setdomainname, "the same"),
    FORBIDDEN(syslog, "the kernel's log"),
    FORBIDDEN(vhangup, "terminals"),
    FORBIDDEN(open_by_handle_at, "files past every path"),
    FORBIDDEN(name_to_handle_at, "the same"),
    FORBIDDEN(fanotify_init, "watches what others open"),
    FORBIDDEN(fanotify_mark, "the same"),
    FORBIDDEN(lookup_dcookie, "paths of others"),
    FORBIDDEN(migrate_pages, "another process's memory"),
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
        [CALL_WRITES] = "allowed with a writable folder",
        [CALL_PROCESSES] = "allowed with several processes",
        [CALL_BUILDS] = "allowed in a build",
        [CALL_LOOPBACK] = "allowed with some arguments in a build that has a loopback interface",
        [CALL_LOCKS] = "made by the arena on behalf of a build, on the build's own files",
        [CALL_IGNORED] = "without effect",
        [CALL_ANSWERED] = "answered by the arena",
        [CALL_UNSUPPORTED] = "not supported",
        [CALL_REFUSED] = "refused",
        [CALL_FORBIDDEN] = "forbidden",
    };

    return names[ruling];
}
