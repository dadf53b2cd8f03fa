/* SPDX-License-Identifier: MIT */
#include "sandbox/program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/death.h"

enum {
    SECONDS_MAX = 10, /* of processor time; honest work takes milliseconds */
    WAIT_US = 20000000,
    TRIES = 3, /* another thread may have held a lock of the allocator when the process began */
};

/* In the other process: ends with the errno as its status. */
static _Noreturn void compile(uint32_t default_action, program_rules_fn *rules_fn, const void *self,
                              int program_fd)
{
    const struct rlimit no_core = {0, 0};
    struct rlimit processor;
    scmp_filter_ctx context;
    int result = -ENOMEM;

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getrlimit(RLIMIT_CPU, &processor) < 0 ||
        setrlimit(RLIMIT_CORE, &no_core) < 0)
        _exit(errno);
    if (processor.rlim_max > SECONDS_MAX)
        processor.rlim_max = SECONDS_MAX;
    processor.rlim_cur = processor.rlim_max;
    if (setrlimit(RLIMIT_CPU, &processor) < 0)
        _exit(errno);
    context = seccomp_init(default_action);
    errno = 0;
    if (context)
        result = rules_fn(context, self);
    if (result == 0) /* libseccomp 2.5 can export a program only to a descriptor */
        result = seccomp_export_bpf(context, program_fd);
    /* Where it lacks memory, libseccomp may leave out rules without a word, or fail with -EFAULT.
     */
    _exit(errno == ENOMEM ? ENOMEM : -result);
}

/* Returns true if the process ends in time. */
static bool ends(pid_t pid)
{
    const int64_t deadline_us = death_now_us() + WAIT_US;
    struct pollfd process = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    int64_t left_us;
    bool has_ended = process.fd < 0; /* without one it is waited for */

    while (!has_ended && (left_us = deadline_us - death_now_us()) > 0)
        has_ended = poll(&process, 1, (int)(left_us / 1000) + 1) > 0;
    if (process.fd >= 0)
        close(process.fd);
    return has_ended;
}

static int wait_for(pid_t pid)
{
    const bool has_ended = ends(pid);
    int status;

    if (!has_ended)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    if (!has_ended)
        return -ETIMEDOUT;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -ENOMEM;
}

static int read_program(int program_fd, struct sock_filter **code, unsigned short *length)
{
    const off_t size_bytes = lseek(program_fd, 0, SEEK_END);

    if (size_bytes <= 0)
        return -EIO;
    *code = malloc((size_t)size_bytes);
    if (!*code)
        return -ENOMEM;
    *length = (unsigned short)((size_t)size_bytes / sizeof **code);
    if (pread(program_fd, *code, (size_t)size_bytes, 0) == size_bytes)
        return 0;
    free(*code);
    *code = NULL;
    return -EIO;
}

int program_compile(uint32_t default_action, program_rules_fn *rules_fn, const void *self,
                    struct sock_filter **code, unsigned short *length)
{
    const int program_fd = memfd_create("filter", MFD_CLOEXEC);
    int result = -ETIMEDOUT;

    if (program_fd < 0)
        return -errno;
    for (int i = 0; i < TRIES && result == -ETIMEDOUT; i++) {
        pid_t pid;

        /* What a process has written that did not end, and where it stopped: both share the file.
         */
        if (ftruncate(program_fd, 0) < 0 || lseek(program_fd, 0, SEEK_SET) < 0) {
            result = -errno;
            break;
        }
        pid = fork();
        if (pid == 0)
            compile(default_action, rules_fn, self, program_fd);
        result = pid < 0 ? -errno : wait_for(pid);
    }
    if (result == 0)
        result = read_program(program_fd, code, length);
    close(program_fd);
    return result;
}
