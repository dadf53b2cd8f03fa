#include "arena/play/build.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/build_log.h"
#include "arena/play/stop.h"
#include "sandbox/sandbox.h"

enum {
    KILLED_LOOK_MS = 100, /* between looks at a build that was killed */
};

/* What it was killed for, by us. */
enum build_kill {
    BUILD_NOT_KILLED = 0,
    BUILD_LATE = 1,
    BUILD_STOPPED = 2,
};

/* One build under way. */
struct build {
    struct sandbox_child child;
    struct sandbox_verdict verdict;
    struct sandbox_failure failure;
    enum sandbox_setup setup;
    enum build_kill kill;
    size_t output_bytes;             /* in output */
    char output[BUILD_OUTPUT_BYTES]; /* the last part of what it printed */
};

/* Takes what there is to read; forgets the older half when there is no room left. */
static void read_output(struct build *build, int *fd)
{
    ssize_t got;

    if (build->output_bytes == sizeof build->output) {
        memmove(build->output, build->output + sizeof build->output / 2, sizeof build->output / 2);
        build->output_bytes = sizeof build->output / 2;
    }
    got =
        read(*fd, build->output + build->output_bytes, sizeof build->output - build->output_bytes);
    if (got > 0)
        build->output_bytes += (size_t)got;
    else if (got == 0 || errno != EAGAIN)
        *fd = -1;
}

static void kill_build(struct build *build, enum build_kill kill)
{
    build->kill = kill;
    sandbox_child_kill(&build->child);
}

/* Waits for the end of the child; kills it at the deadline, and waits no longer than the sandbox.
 */
static void wait_for_end(struct build *build, int64_t deadline_us, int stop_fd)
{
    struct pollfd waits[] = {{.fd = build->child.stdout_fd, .events = POLLIN},
                             {.fd = build->child.stderr_fd, .events = POLLIN},
                             {.fd = build->child.setup_fd, .events = POLLIN},
                             {.fd = build->child.notify_fd, .events = POLLIN},
                             {.fd = build->child.pid_fd, .events = POLLIN},
                             {.fd = stop_fd, .events = POLLIN}};

    for (;;) {
        int64_t left_us = deadline_us - alarm_now_us();

        if (left_us <= 0 && !build->kill)
            kill_build(build, BUILD_LATE);
        poll(waits, sizeof waits / sizeof *waits,
             build->kill ? KILLED_LOOK_MS : (int)(left_us / 1000 + 1));
        if (waits[0].revents)
            read_output(build, &waits[0].fd);
        if (waits[1].revents)
            read_output(build, &waits[1].fd);
        if (waits[2].revents) {
            build->setup = sandbox_child_setup(&build->child, &build->failure);
            if (build->setup != SANDBOX_SETUP_PENDING)
                waits[2].fd = -1;
        }
        if (waits[3].revents && !sandbox_child_notified(&build->child))
            waits[3].fd = -1;
        if (waits[5].revents) {
            kill_build(build, BUILD_STOPPED);
            waits[5].fd = -1;
        }
        if ((waits[4].revents || build->kill) && sandbox_child_reap(&build->child, &build->verdict))
            return;
    }
}

/* Copies the last line of the output that says anything. */
static void last_line(const struct build *build, char *line, size_t room)
{
    size_t end = build->output_bytes;
    size_t start;

    while (end > 0 && (build->output[end - 1] == '\n' || build->output[end - 1] == ' '))
        end--;
    for (start = end; start > 0 && build->output[start - 1] != '\n';)
        start--;
    snprintf(line, room, "%.*s", (int)(end - start), build->output + start);
    for (char *byte = line; *byte; byte++)
        if ((unsigned char)*byte < 0x20)
            *byte = ' ';
}

static int fail_to_confine(const struct sandbox_failure *failure,
                           char error[static MANIFEST_ERROR_BYTES])
{
    snprintf(error, MANIFEST_ERROR_BYTES, "the arena could not confine it: %s: %s", failure->step,
             strerror(failure->error));
    return PACKAGE_FAILED;
}

static int tell_end(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    char line[512];

    if (build->kill == BUILD_STOPPED) {
        snprintf(error, MANIFEST_ERROR_BYTES, "it was stopped");
        return PACKAGE_FAILED;
    }
    if (build->setup == SANDBOX_SETUP_FAILED)
        return fail_to_confine(&build->failure, error);
    last_line(build, line, sizeof line);
    if (build->setup == SANDBOX_SETUP_REFUSED)
        snprintf(error, MANIFEST_ERROR_BYTES, "it cannot be executed: %s",
                 strerror(build->failure.error));
    else if (build->kill == BUILD_LATE)
        snprintf(error, MANIFEST_ERROR_BYTES, "it took longer than %d s", BUILD_WALL_MS / 1000);
    else if (build->verdict.end == SANDBOX_END_FORBIDDEN)
        snprintf(error, MANIFEST_ERROR_BYTES, "it made the forbidden call %s", build->verdict.call);
    else if (build->verdict.end == SANDBOX_END_MEMORY)
        snprintf(error, MANIFEST_ERROR_BYTES, "it ran out of memory");
    else if (build->verdict.end == SANDBOX_END_CPU)
        snprintf(error, MANIFEST_ERROR_BYTES, "it used more than %d s of processor time",
                 BUILD_CPU_S);
    else if (build->verdict.end == SANDBOX_END_SIGNALED)
        snprintf(error, MANIFEST_ERROR_BYTES, "it died of signal %d: %s", build->verdict.signal,
                 line);
    else if (build->verdict.status != 0)
        snprintf(error, MANIFEST_ERROR_BYTES, "it exited with %d: %s", build->verdict.status, line);
    else
        return 0;
    return PACKAGE_REFUSED;
}

/* In a file, and not on the terminal: strangers wrote it. Adds the file's name to error. */
static void keep_output(const struct build *build, char error[static MANIFEST_ERROR_BYTES])
{
    size_t used = strlen(error);
    char *path =
        build->output_bytes > 0 ? build_log_keep(build->output, build->output_bytes) : NULL;

    if (path)
        snprintf(error + used, MANIFEST_ERROR_BYTES - used,
                 ": all that it printed is kept for a day in %s", path);
    free(path);
}

int build_run(const struct manifest *manifest, const char *folder, struct sandbox *sandbox,
              char error[static MANIFEST_ERROR_BYTES])
{
    struct build *build = calloc(1, sizeof *build);
    struct sandbox_command command = {
        .folder = folder,
        .argv = (const char *const *)manifest->build,
        .executable_fd = -1,
        .profile = SANDBOX_PROFILE_BUILD,
        .limits = {.memory_bytes = (int64_t)2 << 30,
                   .cpu_s = BUILD_CPU_S,
                   .process_count = BUILD_PROCESSES,
                   .scratch_bytes = 256 << 20},
        .cpu = -1,
        .name = manifest->name,
    };
    int stop_fd = stop_open();
    int result;

    if (!build || stop_fd < 0) {
        snprintf(error, MANIFEST_ERROR_BYTES, "it cannot be waited for: %s",
                 strerror(build ? -stop_fd : ENOMEM));
        result = PACKAGE_FAILED;
    } else if (sandbox_spawn(sandbox, &command, &build->child, &build->failure) < 0) {
        result = fail_to_confine(&build->failure, error);
    } else {
        close(build->child.stdin_fd);
        build->child.stdin_fd = -1;
        wait_for_end(build, alarm_now_us() + (int64_t)BUILD_WALL_MS * 1000, stop_fd);
        result = tell_end(build, error);
        sandbox_child_finish(&build->child);
        if (result == PACKAGE_REFUSED)
            keep_output(build, error);
    }
    if (stop_fd >= 0)
        close(stop_fd);
    free(build);
    return result;
}
