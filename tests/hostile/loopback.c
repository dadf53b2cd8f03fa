/* SPDX-License-Identifier: MIT */
/*
 * Builds that misuse their loopback interface: a row per attack, with what it must print, or the
 * end of one that holds too much. The rows run one after the other in one slot.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/hostile/stage.h"
#include "tests/sandbox/confined.h"

enum {
    MEMORY_BYTES = 96 << 20,
    SCRATCH_BYTES = 1 << 20,
    PROCESSES = 16,
    LIMIT_MS = 60000,
};

/* answers NULL: killed for the memory that its sockets may hold. */
static const struct {
    const char *attack, *answers;
    bool once; /* takes seconds, and is the same in every sandbox */
} rows[] = {
    {"talk-to-itself", "done done done done "},
    {"other-sockets", "EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM "
                      "ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS "},
    {"larger-buffers", "done same done same done same done same "},
    {"full-stream", "done bounded "},
    {"other-options", "ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS ENOSYS "
                      "ENOSYS ENOSYS ENOSYS ENOSYS "},
    {"other-sends", "ENOSYS done EPERM ENOSYS EPERM "},
    {"change-interface", "done ENOSYS ENOSYS ENOSYS ENOSYS "},
    {"reach-out", "ECONNREFUSED ECONNREFUSED ENETUNREACH ENETUNREACH "},
    {"socket-numbers", "done ENOSYS ENOSYS ENOSYS "},
    {"lock-for-ever", "ENOLCK few ", true},
    {"own-session", "done same "},
    {"leave-listeners", "done "},
    {"find-listeners", "empty ECONNREFUSED done done done "},
    {"streams-hold", NULL},
    {"datagrams-hold", NULL},
    {"orphans-hold", NULL},
    {"streams-hold-without-first-thread", NULL},
    {"find-listeners", "empty ECONNREFUSED done done done "},
};

/* What the machine listens on; its builds must not reach it. */
struct listeners {
    int stream_fd, datagram_fd;
};

static struct listeners listen_on_the_machine(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    struct listeners listeners = {.stream_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                                  .datagram_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    char path[128];
    FILE *file;

    cr_assert_eq(bind(listeners.stream_fd, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(listeners.stream_fd, 1), 0);
    cr_assert_eq(getsockname(listeners.stream_fd, (struct sockaddr *)&address, &size), 0);
    cr_assert_eq(bind(listeners.datagram_fd, (struct sockaddr *)&address, sizeof address), 0);
    snprintf(path, sizeof path, "%s/port", stage_folder);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "%d\n", ntohs(address.sin_port));
    fclose(file);
    return listeners;
}

static void expect_silence(const struct listeners *listeners)
{
    struct pollfd heard[] = {{.fd = listeners->stream_fd, .events = POLLIN},
                             {.fd = listeners->datagram_fd, .events = POLLIN}};

    cr_expect_eq(poll(heard, 2, 0), 0, "a build was heard on the machine's interface");
}

static void run_row(struct sandbox *sandbox, const char *attack, const char *answers)
{
    static struct confined_run run;
    const char *const argv[] = {stage_program, attack, NULL};
    const struct sandbox_command command = {.folder = stage_folder,
                                            .argv = argv,
                                            .executable_fd = -1,
                                            .cpu = -1,
                                            .profile = SANDBOX_PROFILE_BUILD,
                                            .limits = {.memory_bytes = MEMORY_BYTES,
                                                       .process_count = PROCESSES,
                                                       .scratch_bytes = SCRATCH_BYTES}};

    confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
    cr_expect_eq(run.spawned, 0, "%s: %s", attack, run.failure.step);
    cr_expect_eq(run.verdict.end, answers ? SANDBOX_END_EXITED : SANDBOX_END_MEMORY,
                 "%s: end %d signal %d '%s'", attack, run.verdict.end, run.verdict.signal,
                 run.output);
    for (char *byte = run.output; *byte; byte++)
        if (*byte == '\n')
            *byte = ' ';
    if (answers)
        cr_expect_str_eq(run.output, answers, "%s: '%s'", attack, run.output);
}

static void run_rows(bool ordinary, enum sandbox_tier at_most)
{
    struct listeners listeners;
    struct sandbox *sandbox;
    int descriptor_count;

    stage_lay(ordinary);
    descriptor_count = confined_count_descriptors();
    listeners = listen_on_the_machine();
    sandbox = confined_open(at_most);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].once || (at_most == SANDBOX_TIER_FULL_CG && !ordinary))
            run_row(sandbox, rows[i].attack, rows[i].answers);
    sandbox_destroy(sandbox);
    expect_silence(&listeners);
    close(listeners.stream_fd);
    close(listeners.datagram_fd);
    cr_expect_eq(confined_count_descriptors(), descriptor_count, "descriptors are left");
    stage_remove();
}

Test(loopback, as_started, .timeout = 300)
{
    run_rows(false, SANDBOX_TIER_FULL_CG);
}

Test(loopback, without_control_groups, .timeout = 300)
{
    run_rows(false, SANDBOX_TIER_FULL);
}

Test(loopback, as_an_ordinary_user, .timeout = 300)
{
    run_rows(true, SANDBOX_TIER_FULL_CG);
}
