/*
 * A process confines itself: for a server of the arena that reads what strangers send. Landlock
 * leaves it a few folders, seccomp the system calls below. What is not listed fails with EPERM, so
 * that a C library may try something newer first; what only an attacker would call kills.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"
#include "sandbox/sandbox.h"

/* Below the ids of bots: no distribution gives it away, so no account can signal the process. */
static const uid_t UID_OWN = 1899999999;
static const uid_t UID_NOBODY = 65534;

static const int allowed_calls[] = {
    /* files */
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(lseek),
    SCMP_SYS(openat),
    SCMP_SYS(openat2),
    SCMP_SYS(unlinkat),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fcntl),
    SCMP_SYS(sendfile),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    /* memory and threads */
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(membarrier),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrlimit),
    /* time and signals */
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    /* polling and sockets */
    SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(eventfd2),
    SCMP_SYS(pipe2),
    SCMP_SYS(connect),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(shutdown),
    SCMP_SYS(getsockopt),
    SCMP_SYS(setsockopt),
    SCMP_SYS(getsockname),
    SCMP_SYS(getpeername),
    SCMP_SYS(listen),
};

static const int deadly_calls[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(mount),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(userfaultfd),
};

/* Adds the calls that are allowed with some arguments only. */
static int allow_in_part(scmp_filter_ctx filter)
{
    const struct {
        int call;
        struct scmp_arg_cmp argument;
    } rules[] = {
        {SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_UNIX)},
        {SCMP_SYS(socketpair), SCMP_A0(SCMP_CMP_EQ, AF_UNIX)},
        {SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)},
        {SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
        {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())},
        {SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0)}, /* reading only */
    };
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    for (size_t i = 0; i < sizeof rules / sizeof *rules && !error; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, rules[i].call, 1, rules[i].argument);
    return error;
}

static int load_filter(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int error = filter ? allow_in_part(filter) : -ENOMEM;

    for (size_t i = 0; i < sizeof allowed_calls / sizeof *allowed_calls && !error; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed_calls[i], 0);
    for (size_t i = 0; i < sizeof deadly_calls / sizeof *deadly_calls && !error; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly_calls[i], 0);
    if (!error)
        error = seccomp_load(filter);
    seccomp_release(filter);
    return error;
}

static int restrict_files(const int *read_fds, int read_count, int write_fd)
{
    const int abi = landlock_abi();
    int ruleset_fd = abi ? landlock_open(abi, false) : -ENOSYS;
    int error = ruleset_fd < 0 ? ruleset_fd : 0;

    for (int i = 0; i < read_count && !error; i++)
        if (read_fds[i] >= 0)
            error = landlock_allow(ruleset_fd, abi, read_fds[i], LANDLOCK_READ);
    if (!error && write_fd >= 0)
        error = landlock_allow(ruleset_fd, abi, write_fd, LANDLOCK_WRITE);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset_fd, 0) < 0)
        error = -errno;
    if (ruleset_fd >= 0)
        close(ruleset_fd);
    return error;
}

static int become(uid_t uid)
{
    return setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0 ? -errno : 0;
}

/*
 * Becomes an ordinary user, nobody where a container maps few ids, and still dies with the parent
 * if it did before: the kernel forgets that here.
 */
static int give_up_root(void)
{
    int death_signal = 0, error;

    if (geteuid() != 0)
        return 0;
    prctl(PR_GET_PDEATHSIG, &death_signal);
    if (setgroups(0, NULL) < 0)
        return -errno;
    error = become(UID_OWN);
    if (error == -EINVAL)
        error = become(UID_NOBODY);
    if (error)
        return error;
    return prctl(PR_SET_PDEATHSIG, death_signal) < 0 ? -errno : 0;
}

int sandbox_confine_self(const int *read_fds, int read_count, int write_fd,
                         struct sandbox_failure *failure)
{
    const struct rlimit no_core = {0, 0};
    int error = give_up_root();

    failure->step = "setresuid";
    if (!error) {
        failure->step = "no_new_privs";
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0) < 0 ||
            setrlimit(RLIMIT_CORE, &no_core) < 0)
            error = -errno;
    }
    if (!error) {
        failure->step = "landlock_restrict_self";
        error = restrict_files(read_fds, read_count, write_fd);
    }
    if (!error) {
        failure->step = "seccomp_load";
        error = load_filter();
    }
    failure->error = -error;
    return error;
}
