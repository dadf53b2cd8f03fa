/*
 * The settings of a service or container that `arena doctor` names, each made in a process with
 * namespaces of its own.
 */
#include "arena/commands/doctor.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    NOT_HERE = 77,
    ALL_LAYERS = 0x7fffffff,
};

/* Makes the setting. Returns 0, or -1 if this machine does not allow it. */
typedef int (*set_fn)(const char *argument);

static int own_mounts(void)
{
    return unshare(CLONE_NEWNS) < 0 ? -1 : mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int cover(const char *path)
{
    return own_mounts() < 0 ? -1 : mount("tmpfs", path, "tmpfs", MS_RDONLY, NULL);
}

static int protect_groups(const char *path)
{
    if (own_mounts() < 0 || mount(path, path, NULL, MS_BIND, NULL) < 0)
        return -1;
    return mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL);
}

static int put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int result = fd < 0 || write(fd, text, strlen(text)) < 0 ? -1 : 0;

    if (fd >= 0)
        close(fd);
    return result;
}

static int no_user_namespaces(const char *argument)
{
    (void)argument;
    if (unshare(CLONE_NEWUSER) < 0 || put("/proc/self/uid_map", "0 0 1\n") < 0)
        return -1;
    return put("/proc/sys/user/max_user_namespaces", "0");
}

static int refuse(int call, const struct scmp_arg_cmp *test)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), call, test ? 1 : 0, test);

    if (result == 0)
        result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}

static int no_unshare(const char *argument)
{
    (void)argument;
    return refuse(SCMP_SYS(unshare), NULL);
}

/* User namespaces can be made, networks cannot. */
static int no_networks(const char *argument)
{
    (void)argument;
    return refuse(SCMP_SYS(unshare), &SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNET, CLONE_NEWNET));
}

static int no_new_code(const char *argument)
{
    (void)argument;
    return refuse(SCMP_SYS(mprotect), &SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
}

static const struct {
    const char *name;
    set_fn set_fn;
    const char *argument;
    uint32_t held;
    const char *result, *tried, *came_back, *mend; /* the line wanted; NULL: none like the rest */
} rows[] = {
    {"a part of /proc is covered", cover, "/proc/acpi", 0, "DEGRADED", NULL,
     "/proc/acpi is covered", "leave out ProtectKernelTunables="},
    {"another", cover, "/proc/sys", 0, "DEGRADED", NULL, "/proc/sys is covered",
     "leave out ProtectKernelTunables="},
    {"one that no unit covers", cover, "/proc/driver", 0, "DEGRADED", NULL,
     "/proc/driver is covered", "leave out a container that masks parts of /proc"},
    {"covered, but bots have a /proc", cover, "/proc/acpi", ALL_LAYERS, "NOTE", NULL,
     "/proc/acpi is covered", "leave out ProtectKernelTunables="},
    {"groups are mounted read-only", protect_groups, "/sys/fs/cgroup", 0, "DEGRADED",
     "write to control groups", "control groups are read-only", NULL},
    {"groups are read-only, but bots have them", protect_groups, "/sys/fs/cgroup", ALL_LAYERS,
     "NOTE", "write to control groups", "control groups are read-only", NULL},
    {"no user namespaces", no_user_namespaces, NULL, 0, "NOTE", "make a user namespace",
     "not allowed", "sysctl user.max_user_namespaces=10000"},
    {"a filter without unshare", no_unshare, NULL, 0, "NOTE", "make a user namespace",
     "not allowed",
     "leave out RestrictNamespaces= (and a SystemCallFilter= without unshare and clone); in a "
     "container --security-opt seccomp=unconfined"},
    {"a filter without networks", no_networks, NULL, 0, "NOTE", "make a user namespace",
     "not allowed", NULL},
    {"no code that was written at run time", no_new_code, NULL, 0, "DEGRADED",
     "run code that was written at run time", "not allowed",
     "leave out MemoryDenyWriteExecute=: Java, node and others compile while they run"},
};

static bool fits(const json_t *check, const char *key, const char *wanted)
{
    const char *found = json_string_value(json_object_get(check, key));

    return !wanted || (found && strcmp(found, wanted) == 0);
}

/* Returns how many lines of the report are the row's. */
static int count(const struct doctor_report *report, size_t row)
{
    const json_t *check;
    size_t index;
    int found = 0;

    json_array_foreach(report->checks, index, check)
    {
        if (fits(check, "layer", "service") && fits(check, "result", rows[row].result) &&
            fits(check, "tried", rows[row].tried) &&
            fits(check, "came_back", rows[row].came_back) && fits(check, "mend", rows[row].mend))
            found++;
    }
    return found;
}

/* Reports twice, without the setting and with it. The exit status: 0, or what is wrong. */
static void look(size_t row)
{
    struct doctor_report before, after;

    before = (struct doctor_report){.checks = json_array()};
    doctor_machine_check(&before, rows[row].held);
    if (rows[row].set_fn(rows[row].argument) != 0)
        _exit(NOT_HERE);
    after = (struct doctor_report){.checks = json_array()};
    doctor_machine_check(&after, rows[row].held);
    if (count(&after, row) != count(&before, row) + 1) {
        char *text = json_dumps(after.checks, JSON_INDENT(1));

        fprintf(stderr, "%s: %s\n", rows[row].name, text);
        _exit(1);
    }
    _exit(0);
}

Test(doctor_machine, names_each_setting)
{
    if (geteuid() != 0)
        cr_skip_test("only root can make these settings");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pid_t pid = fork();
        int status;

        cr_assert_geq(pid, 0);
        if (pid == 0)
            look(i);
        cr_assert_eq(waitpid(pid, &status, 0), pid);
        cr_expect(WIFEXITED(status) &&
                      (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == NOT_HERE),
                  "%s: %d", rows[i].name, status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE)
            cr_log_info("%s: cannot be made here", rows[i].name);
    }
}
