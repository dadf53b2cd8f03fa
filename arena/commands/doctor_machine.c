/* `arena doctor`: checks the settings of the service unit, the container and the machine. */
#include "arena/commands/doctor.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

enum {
    LINE_BYTES = 1024,
    FOUND_BYTES = 256,
};

/*
 * Parts of /proc. If a mount covers one of them, the kernel refuses to mount /proc in a user
 * namespace.
 */
static const struct {
    const char *path;
    const char *setting;
} covers[] = {
    {"/proc/kmsg", "ProtectKernelLogs="},
    {"/proc/sys/kernel/hostname", "ProtectHostname="},
    {"/proc/sys/kernel/domainname", "ProtectHostname="},
    {"/proc/sys", "ProtectKernelTunables="},
    {"/proc/acpi", "ProtectKernelTunables="},
    {"/proc/irq", "ProtectKernelTunables="},
    {"/proc/latency_stats", "ProtectKernelTunables="},
    {"/proc/mtrr", "ProtectKernelTunables="},
    {"/proc/timer_stats", "ProtectKernelTunables="},
    {"/proc/apm", "ProtectKernelTunables="},
    {"/proc/asound", "ProtectKernelTunables="},
    {"/proc/bus", "ProtectKernelTunables="},
    {"/proc/fs", "ProtectKernelTunables="},
};

/* Parses the mount point and options of a line of mountinfo. Returns false for an invalid line. */
static bool read_mount(char *line, const char **point, const char **options)
{
    char *save;

    for (int field = 0; field < 4; field++)
        if (!strtok_r(field ? NULL : line, " ", &save))
            return false;
    *point = strtok_r(NULL, " ", &save);
    *options = *point ? strtok_r(NULL, " ", &save) : NULL;
    return *options != NULL;
}

static const char *setting_of_cover(const char *point)
{
    for (size_t i = 0; i < sizeof covers / sizeof *covers; i++)
        if (strcmp(point, covers[i].path) == 0)
            return covers[i].setting;
    return "a container that masks parts of /proc";
}

static bool is_binfmt(const char *point)
{
    return strcmp(point, "/proc/sys/fs/binfmt_misc") == 0; /* this mount exists on every system */
}

static void check_mounts(struct doctor_report *report, uint32_t held)
{
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    char line[LINE_BYTES], cover[FOUND_BYTES] = "", mend[FOUND_BYTES] = "",
                           groups[FOUND_BYTES] = "";

    while (mounts && fgets(line, sizeof line, mounts)) {
        const char *point, *options;

        if (!read_mount(line, &point, &options))
            continue;
        if (strncmp(point, "/proc/", 6) == 0 && !is_binfmt(point) && !*cover) {
            snprintf(cover, sizeof cover, "%.200s is covered", point);
            snprintf(mend, sizeof mend, "leave out %s", setting_of_cover(point));
        }
        if (strncmp(point, "/sys/fs/cgroup", 14) == 0)
            snprintf(groups, sizeof groups, "%s",
                     strncmp(options, "ro", 2) == 0 ? "control groups are read-only" : "");
    }
    if (mounts)
        fclose(mounts);
    if (*cover)
        doctor_report_add(report, held & SANDBOX_LAYER_PROC ? REPORT_NOTE : REPORT_DEGRADED,
                          "service", "see all of /proc, so that a bot can have one of its own",
                          cover, mend);
    if (*groups)
        doctor_report_add(
            report, held & SANDBOX_LAYER_CGROUP_MEMORY ? REPORT_NOTE : REPORT_DEGRADED, "service",
            "write to control groups", groups,
            "leave out ProtectControlGroups=, and set Delegate=memory pids cpu; a container "
            "needs a control group of its own");
}

/* Reads a number from a file. Returns -1 on failure. */
static long read_number(const char *path)
{
    FILE *file = fopen(path, "re");
    char text[32] = "";
    long number = -1;

    if (file && fgets(text, sizeof text, file))
        number = strtol(text, NULL, 10);
    if (file)
        fclose(file);
    return number;
}

/* Returns true if the arena itself runs under a seccomp filter. */
static bool is_filtered(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[LINE_BYTES];
    bool filtered = false;

    while (status && fgets(line, sizeof line, status))
        filtered = filtered || strncmp(line, "Seccomp:\t2", 10) == 0;
    if (status)
        fclose(status);
    return filtered;
}

static bool can_unshare(int flags)
{
    pid_t pid = fork();
    int status = 1;

    if (pid == 0)
        _exit(unshare(flags) == 0 ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_namespaces(struct doctor_report *report)
{
    const char *mend = "";

    if (can_unshare(CLONE_NEWUSER) && can_unshare(CLONE_NEWUSER | CLONE_NEWNET))
        return;
    if (read_number("/proc/sys/user/max_user_namespaces") == 0)
        mend = "sysctl user.max_user_namespaces=10000";
    else if (read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
        mend = "sysctl kernel.unprivileged_userns_clone=1";
    else if (read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
        mend =
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile of AppArmor for "
            "this program with the rule userns";
    else if (is_filtered())
        mend = "leave out RestrictNamespaces= (and a SystemCallFilter= without unshare and clone); "
               "in a container --security-opt seccomp=unconfined";
    doctor_report_add(report, geteuid() == 0 ? REPORT_NOTE : REPORT_DEGRADED, "service",
                      "make a user namespace", "not allowed", mend);
}

static void check_writable_code(struct doctor_report *report)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return;
    if (mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0)
        doctor_report_add(report, REPORT_DEGRADED, "service",
                          "run code that was written at run time", "not allowed",
                          "leave out MemoryDenyWriteExecute=: Java, node and others compile "
                          "while they run");
    munmap(page, 4096);
}

void doctor_machine_check(struct doctor_report *report, uint32_t held)
{
    check_mounts(report, held);
    check_namespaces(report);
    check_writable_code(report);
}

/* ---- notes ---- */

enum {
    VALUE_BYTES_MAX = 512,
};

/* clang-format off */
static const struct {
    const char *path;
    const char *good; /* beginning of a value that needs no note */
    const char *tried;
    const char *mend;
} settings[] = {
    {"/proc/sys/kernel/randomize_va_space", "2", "addresses are randomised", "sysctl kernel.randomize_va_space=2"},
    {"/proc/sys/kernel/unprivileged_bpf_disabled", "2", "only root may load BPF programs into the kernel", "sysctl kernel.unprivileged_bpf_disabled=2"},
    {"/proc/sys/dev/tty/legacy_tiocsti", "0", "nobody types into another's terminal", "sysctl dev.tty.legacy_tiocsti=0"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise]", "huge pages on request only, for even timings", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "the clock of the cores is steady", "cpupower frequency-set -g performance"},
    {"/sys/devices/system/cpu/smt/active", "0", "no two bots share a core's threads", "echo off > /sys/devices/system/cpu/smt/control, or --jobs at half the threads with --pin"},
};
/* clang-format on */

void doctor_machine_note(struct doctor_report *report)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char value[VALUE_BYTES_MAX] = "";
        FILE *file = fopen(settings[i].path, "re");

        if (!file)
            continue;
        if (!fgets(value, sizeof value, file))
            value[0] = '\0';
        fclose(file);
        value[strcspn(value, "\n")] = '\0';
        doctor_report_add(report, REPORT_NOTE, "machine", settings[i].tried, value,
                          strncmp(value, settings[i].good, strlen(settings[i].good)) == 0
                              ? ""
                              : settings[i].mend);
    }
}
