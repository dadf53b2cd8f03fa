#include "arena/commands/doctor_build.h"

#include <stdio.h>
#include <string.h>

#include "arena/commands/probe.h"

enum {
    LIMIT_MS = 20000,
    PROCESSES = 2,
    TEXT_BYTES_MAX = 256,
};

void doctor_build_check(struct report *report, struct sandbox *sandbox, const char *folder,
                        int attempt_fd)
{
    static const char layer[] = "loopback", tried[] = "talk to itself over TCP in a build";
    const char *const argv[] = {"attempt", "loopback", NULL};
    const struct sandbox_command command = {.folder = folder,
                                            .argv = argv,
                                            .executable_fd = attempt_fd,
                                            .cpu = -1,
                                            .profile = SANDBOX_PROFILE_BUILD,
                                            .limits = {.process_count = PROCESSES}};
    char came_back[TEXT_BYTES_MAX] = "done";
    struct probe probe;
    bool held;

    if (sandbox_tier(sandbox) < SANDBOX_TIER_FULL) {
        report_add(report, REPORT_DEGRADED, layer, tried, "nothing is built in this tier",
                   "the full tier: see user_ns and root");
        return;
    }
    held = probe_run(sandbox, &command, NULL, 0, LIMIT_MS, &probe) == 0;
    if (!held)
        snprintf(came_back, sizeof came_back, "%s: %s", probe.failure.step,
                 strerror(probe.failure.error));
    held = held && probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status == 0;
    if (!held && probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status != 0)
        snprintf(came_back, sizeof came_back, "%s", strerrorname_np(probe.verdict.status));
    report_add(report, held ? REPORT_PASS : REPORT_DEGRADED, layer, tried, came_back,
               "as for net_ns, and a /proc/sys/net that can be written (a container may mount it "
               "read-only); without it Gradle does not run in a build");
}
