#include "tests/sandbox_steps/recorder.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FD_FIRST = 100, /* descriptors of recorded calls */
    PID_FIRST = 200,
    SEEN_PID = 2,
    DEPTH_MAX = 4,
};

struct recorder recorder = {.fail_at = -1};

static jmp_buf *ends[DEPTH_MAX];
static int depth, next_fd, next_pid;
static char opened[256]; /* path of the last file that was opened */

/*
 * How an argument is written: d number, F a descriptor that is real unless calls are recorded, x
 * hexadecimal, s text, o octal, 0 NULL or not, others by write_pointed.
 */
static const struct {
    long number;
    const char *name, *kinds;
} calls[] = {
    {SYS_rt_sigaction, "rt_sigaction", "da0d"},
    {SYS_rt_sigprocmask, "rt_sigprocmask", "dw0d"},
    {SYS_prlimit64, "prlimit64", "ddl0"},
    {SYS_sched_setaffinity, "sched_setaffinity", "ddc"},
    {SYS_sched_yield, "sched_yield", ""},
    {SYS_write, "write", "dtd"},
    {SYS_setresgid, "setresgid", "ddd"},
    {SYS_setresuid, "setresuid", "ddd"},
    {SYS_setgroups, "setgroups", "d0"},
    {SYS_setns, "setns", "dx"},
    {SYS_unshare, "unshare", "x"},
    {SYS_prctl, "prctl", "ddddd"},
    {SYS_getppid, "getppid", ""},
    {SYS_getpid, "getpid", ""},
    {SYS_capset, "capset", "hk"},
    {SYS_seccomp, "seccomp", "dxf"},
    {SYS_close_range, "close_range", "dxx"},
    {SYS_close, "close", "d"},
    {SYS_dup3, "dup3", "ddd"},
    {SYS_execve, "execve", "svv"},
    {SYS_execveat, "execveat", "dsvvx"},
    {SYS_setsid, "setsid", ""},
    {SYS_fchdir, "fchdir", "d"},
    {SYS_chdir, "chdir", "s"},
    {SYS_sethostname, "sethostname", "td"},
    {SYS_mount, "mount", "sssxs"},
    {SYS_umount2, "umount2", "sx"},
    {SYS_mount_setattr, "mount_setattr", "dsxmd"},
    {SYS_pivot_root, "pivot_root", "ss"},
    {SYS_mkdirat, "mkdirat", "dso"},
    {SYS_mknodat, "mknodat", "dsod"},
    {SYS_symlinkat, "symlinkat", "sds"},
    {SYS_openat, "openat", "dsx"},
    {SYS_landlock_create_ruleset, "landlock_create_ruleset", "rdd"},
    {SYS_landlock_add_rule, "landlock_add_rule", "Fdbd"},
    {SYS_landlock_restrict_self, "landlock_restrict_self", "dd"},
    {SYS_exit_group, "exit_group", "d"},
};

static const int call_count = sizeof calls / sizeof *calls;

static int find_call(long number)
{
    for (int i = 0; i < call_count; i++)
        if (calls[i].number == number)
            return i;
    cr_assert_fail("an unknown call: %ld", number);
    return 0;
}

static void write_cores(FILE *file, const cpu_set_t *cores)
{
    fputs("cores", file);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, cores))
            fprintf(file, " %zu", core);
}

static void write_rule(FILE *file, const struct landlock_path_beneath_attr *rule)
{
    char link[64], path[256] = "";

    snprintf(link, sizeof link, "/proc/self/fd/%d", rule->parent_fd);
    if (readlink(link, path, sizeof path - 1) < 0)
        snprintf(path, sizeof path, "descriptor %d", rule->parent_fd);
    fprintf(file, "{%#llx of %s}", (unsigned long long)rule->allowed_access, path);
}

static void write_words(FILE *file, const uint64_t *words, size_t count)
{
    fputc('{', file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%#llx", i ? " " : "", (unsigned long long)words[i]);
    fputc('}', file);
}

static void write_texts(FILE *file, const char *const *texts)
{
    fputc('{', file);
    for (int i = 0; texts[i]; i++)
        fprintf(file, "%s%s", i ? " " : "", texts[i]);
    fputc('}', file);
}

/* Writes what an argument points to; next is the argument after it, often a size. */
static void write_pointed(FILE *file, char kind, const void *at, long next)
{
    const struct __user_cap_header_struct *header = at;
    const struct sock_fprog *program = at;
    const struct mount_attr *mount = at;
    const struct rlimit *limit = at;

    switch (kind) {
    case 'a': /* a signal's action */
        write_words(file, at, 4);
        return;
    case 'w':
        write_words(file, at, 1);
        return;
    case 'l':
        fprintf(file, "{%llu %llu}", (unsigned long long)limit->rlim_cur,
                (unsigned long long)limit->rlim_max);
        return;
    case 'c':
        write_cores(file, at);
        return;
    case 't':
        fprintf(file, "\"%.*s\"", (int)next, (const char *)at);
        return;
    case 'h':
        fprintf(file, "{%#x %d}", header->version, header->pid);
        return;
    case 'k':
        write_words(file, at, _LINUX_CAPABILITY_U32S_3 * 12 / sizeof(uint64_t));
        return;
    case 'f':
        fprintf(file, "{%u steps, the third of %u}", program->len, program->filter[2].k);
        return;
    case 'v':
        write_texts(file, at);
        return;
    case 'm':
        fprintf(file, "{+%#llx -%#llx %#llx %llu}", (unsigned long long)mount->attr_set,
                (unsigned long long)mount->attr_clr, (unsigned long long)mount->propagation,
                (unsigned long long)mount->userns_fd);
        return;
    case 'r':
        write_words(file, at, (size_t)next / sizeof(uint64_t));
        return;
    case 'b':
        write_rule(file, at);
        return;
    default:
        cr_assert_fail("no argument is written as %c", kind);
    }
}

static void write_argument(FILE *file, char kind, long value, long next)
{
    if (kind == 'F' && !recorder.records)
        fputs("rules", file);
    else if (kind == 'd' || kind == 'F')
        fprintf(file, "%d", (int)value);
    else if (kind == 'x')
        fprintf(file, "%#x", (unsigned)value);
    else if (kind == 'o')
        fprintf(file, "%#o", (unsigned)value);
    else if (!value)
        fputs("NULL", file);
    else if (kind == 's')
        fprintf(file, "\"%s\"", (const char *)value);
    else if (kind == '0')
        fputs("not NULL", file);
    else
        write_pointed(file, kind, (const void *)value, next);
}

static void write_call(const char *name, const char *kinds, const long *arguments)
{
    FILE *file;

    cr_assert_lt(recorder.count, RECORDER_LINES_MAX);
    file = fmemopen(recorder.lines[recorder.count++], RECORDER_LINE_BYTES_MAX, "w");
    fprintf(file, "%s(", name);
    for (int i = 0; kinds[i]; i++) {
        fputs(i ? ", " : "", file);
        write_argument(file, kinds[i], arguments[i], kinds[i + 1] ? arguments[i + 1] : 0);
    }
    fputc(')', file);
    fclose(file);
}

static long result_of(long number, const long *arguments)
{
    switch (number) {
    case SYS_getpid:
        return SEEN_PID;
    case SYS_getppid:
        return recorder.parent;
    case SYS_openat:
        snprintf(opened, sizeof opened, "%s", (const char *)arguments[1]);
        return next_fd++;
    case SYS_seccomp:
        return arguments[1] ? next_fd++ : 0;
    case SYS_landlock_create_ruleset: /* which the arena closes */
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    default:
        return 0;
    }
}

static bool is_of_landlock(long number)
{
    return number == SYS_landlock_create_ruleset || number == SYS_landlock_add_rule;
}

/* The names that the linker gives to what stands in for a function of the C library. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
long __real_syscall(long number, ...);
int __real_fstat(int fd, struct stat *status);
long __wrap_syscall(long number, long a, long b, long c, long d, long e);
int __wrap_clone(int (*child_fn)(void *), void *stack, int flags, void *argument, ...);
int __wrap_fstat(int fd, struct stat *status);
int __wrap_getrlimit(int resource, struct rlimit *limit);
int __wrap_sched_getscheduler(pid_t pid);

long recorder_make(long number, long first, long second, long third, long fourth)
{
    return __real_syscall(number, first, second, third, fourth);
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e)
{
    const long arguments[] = {a, b, c, d, e};
    int call;

    if (!recorder.records && !is_of_landlock(number))
        return __real_syscall(number, a, b, c, d, e);
    call = find_call(number);
    write_call(calls[call].name, calls[call].kinds, arguments);
    if (recorder.count - 1 == recorder.fail_at && number != SYS_exit_group) {
        errno = recorder.fail_error;
        return -1;
    }
    if (number == SYS_exit_group || number == SYS_execve || number == SYS_execveat)
        longjmp(*ends[depth - 1], 1);
    return result_of(number, arguments);
}

int __wrap_clone(int (*child_fn)(void *), void *stack, int flags, void *argument, ...)
{
    const long arguments[] = {(unsigned)flags};
    va_list rest;
    int *pid_fd, pid = next_pid++;

    va_start(rest, argument);
    pid_fd = va_arg(rest, int *);
    va_end(rest);
    cr_assert(stack);
    if (!recorder.records)
        return recorder.clone_fn(child_fn, flags, argument, pid_fd);
    write_call("clone", "x", arguments);
    if (recorder.count - 1 == recorder.fail_at) {
        errno = recorder.fail_error;
        return -1;
    }
    *pid_fd = next_fd++;
    recorder_run(child_fn, argument);
    return pid;
}

int __wrap_fstat(int fd, struct stat *status)
{
    if (!recorder.records)
        return __real_fstat(fd, status);
    *status = (struct stat){.st_mode = strstr(opened, "/self/") ? S_IFREG : S_IFDIR};
    return 0;
}

int __wrap_getrlimit(int resource, struct rlimit *limit)
{
    (void)resource;
    *limit = (struct rlimit){.rlim_cur = recorder.own_limit, .rlim_max = recorder.own_limit};
    return 0;
}

int __wrap_sched_getscheduler(pid_t pid)
{
    (void)pid;
    return recorder.policy;
}
/* NOLINTEND(bugprone-reserved-identifier) */

void recorder_run(int (*child_fn)(void *), struct confine_plan *plan)
{
    jmp_buf end;

    cr_assert_lt(depth, DEPTH_MAX);
    if (depth == 0) {
        next_fd = FD_FIRST;
        next_pid = PID_FIRST;
    }
    ends[depth++] = &end;
    if (setjmp(end) == 0)
        child_fn(plan);
    depth--;
}

void expect_golden(const char *name, const char *text)
{
    char golden_path[512], made_path[512], *golden = NULL;
    size_t room = 0;
    FILE *file;

    snprintf(golden_path, sizeof golden_path, TEST_SOURCE_DIR "/tests/golden/%s", name);
    snprintf(made_path, sizeof made_path, TEST_BINARY_DIR "/%s", name);
    file = fopen(made_path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    file = fopen(golden_path, "r");
    cr_assert(file, "no tests/golden/%s: what came is in %s", name, made_path);
    cr_assert_gt(getdelim(&golden, &room, '\0', file), 0);
    fclose(file);
    cr_expect(strcmp(golden, text) == 0, "differs from tests/golden/%s: what came is in %s", name,
              made_path);
    free(golden);
}
