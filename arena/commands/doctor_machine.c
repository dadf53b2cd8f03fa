#include "arena/commands/doctor_machine.h"

#include <stdio.h>
#include <string.h>

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
    {"/proc/sys/kernel/unprivileged_bpf_disabled", "2", "kernel programs are for root only", "sysctl kernel.unprivileged_bpf_disabled=2"},
    {"/proc/sys/dev/tty/legacy_tiocsti", "0", "nobody types into another's terminal", "sysctl dev.tty.legacy_tiocsti=0"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise]", "huge pages on request only, for even timings", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "the clock of the cores is steady", "cpupower frequency-set -g performance"},
    {"/sys/devices/system/cpu/smt/active", "0", "no two bots share a core's threads", "echo off > /sys/devices/system/cpu/smt/control, or --jobs at half the threads with --pin"},
};
/* clang-format on */

void doctor_machine_tell(struct report *report)
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
        report_add(report, REPORT_NOTE, "machine", settings[i].tried, value,
                   strncmp(value, settings[i].good, strlen(settings[i].good)) == 0
                       ? ""
                       : settings[i].mend);
    }
}
