/* SPDX-License-Identifier: MIT */
/*
 * Confines the arena's own web server, which reads bytes from strangers. Landlock leaves the
 * process a few folders, and seccomp leaves it the system calls listed here. Other calls fail with
 * EPERM, so that a C library may try a newer call first; calls that only an attacker would make
 * kill the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"
#include "sandbox/program.h"
#include "sandbox/sandbox.h"

/*
 * UID of the confined process. No distribution assigns this UID, so no account can signal the
 * process.
 */
static const uid_t UID_OWN = 1899999999;
static const uid_t UID_NOBODY = 65534;

static const char allowed_calls[] =
    /* files */
    "read write readv writev pread64 pwrite64 close fstat newfstatat statx lseek openat "
    "openat2 unlinkat ftruncate fcntl sendfile readlink readlinkat getcwd "
    /* memory and threads */
    "munmap mremap madvise brk futex set_robust_list rseq sched_yield sched_getaffinity "
    "set_tid_address membarrier exit exit_group getpid gettid getrandom sysinfo uname "
    "getuid geteuid getgid getegid getrlimit "
    /* time and signals */
    "nanosleep clock_nanosleep clock_gettime gettimeofday restart_syscall rt_sigaction "
    "rt_sigprocmask rt_sigreturn rt_sigtimedwait sigaltstack "
    /* polling and sockets */
    "epoll_create1 epoll_ctl epoll_wait epoll_pwait poll ppoll select pselect6 eventfd2 "
    "pipe2 connect accept accept4 sendto recvfrom sendmsg recvmsg shutdown getsockopt "
    "getsockname getpeername listen ";

static const char deadly_calls[] =
    "execve execveat fork vfork ptrace mount unshare setns bpf kexec_load init_module "
    "io_uring_setup process_vm_readv process_vm_writev pidfd_getfd userfaultfd ";

/* Adds a rule without tests for each of the names, which are separated by spaces. */
static int add_calls(scmp_filter_ctx filter, uint32_t action, const char *names)
{
    char name[32];
    int length, error = 0;

    for (; !error && sscanf(names, "%31s%n", name, &length) == 1; names += length)
        error = seccomp_rule_add(filter, action, seccomp_syscall_resolve_name(name), 0);
    return error;
}

/* Adds the calls that are allowed only with some arguments. */
static int allow_in_part(scmp_filter_ctx filter, pid_t own_pid)
{
    const struct {
        int call;
        struct scmp_arg_cmp argument;
    } rules[] = {
        {SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_UNIX)},
        {SCMP_SYS(socketpair), SCMP_A0(SCMP_CMP_EQ, AF_UNIX)},
        /* No SO_LINGER: whoever is sent such a socket and closes it waits as long as that says. */
        {SCMP_SYS(setsockopt), SCMP_A1(SCMP_CMP_EQ, IPPROTO_TCP)},
        {SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)},
        {SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
        {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)own_pid)},
        {SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0)}, /* reading only */
    };
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    if (!error)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(setsockopt), 2,
                                 SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET), SCMP_A2(SCMP_CMP_EQ, SO_SNDBUF));
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !error; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, rules[i].call, 1, rules[i].argument);
    return error;
}

static int add_all(scmp_filter_ctx filter, const void *own_pid)
{
    int error = allow_in_part(filter, *(const pid_t *)own_pid);

    if (!error)
        error = add_calls(filter, SCMP_ACT_ALLOW, allowed_calls);
    if (!error)
        error = add_calls(filter, SCMP_ACT_KILL_PROCESS, deadly_calls);
    return error;
}

static int load_filter(void)
{
    const pid_t own_pid = getpid();
    struct sock_fprog program = {0};
    int error =
        program_compile(SCMP_ACT_ERRNO(EPERM), add_all, &own_pid, &program.filter, &program.len);

    if (!error && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        error = -errno;
    free(program.filter);
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
 * Switches from root to UID_OWN, or to nobody in a container with too few UIDs. Then asks again for
 * the signal at the parent's death, because the switch clears that setting.
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

bool sandbox_is_own_user(uid_t uid)
{
    return uid == UID_OWN || uid == UID_NOBODY;
}
