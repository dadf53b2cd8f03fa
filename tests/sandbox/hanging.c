/* SPDX-License-Identifier: MIT */
/*
 * A start that hangs in the kernel: the bot's program has a lease, which the kernel asks back
 * before it executes the file, and waits for (/proc/sys/fs/lease-break-time, 45 s).
 */
#include "sandbox/sandbox.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/death.h"

enum {
    SOON_MS = 20000, /* half of what the kernel would wait */
    ASIDE_US = 300000,
};

struct start {
    struct sandbox *sandbox;
    struct sandbox_command command;
    struct sandbox_child child;
    struct sandbox_failure failure;
    int result;
    atomic_bool returned;
};

static void *start(void *owner)
{
    struct start *at = owner;

    at->result = sandbox_spawn(at->sandbox, &at->command, &at->child, &at->failure);
    atomic_store(&at->returned, true);
    return NULL;
}

/* Makes a program with a lease. Returns its descriptor, or -1 where there are no leases. */
static int make_program(const char *folder)
{
    char path[128], command[512];
    int fd;

    snprintf(path, sizeof path, "%s/program", folder);
    snprintf(command, sizeof command, "cp /bin/true %s && chmod 755 %s %s", path, folder, path);
    cr_assert_eq(system(command), 0);
    signal(SIGIO, SIG_IGN);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
        return fd;
    close(fd);
    return -1;
}

static void try_start(enum sandbox_tier most, const char *folder)
{
    static const char *const argv[] = {"./program", NULL};
    struct start at = {.command = {.folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1}};
    struct sandbox_failure failure;
    int64_t begun_us;
    pthread_t thread;

    cr_assert_eq(
        sandbox_create(&at.sandbox,
                       &(struct sandbox_options){.require = SANDBOX_TIER_LITE, .at_most = most},
                       &failure),
        0);
    begun_us = death_now_us();
    pthread_create(&thread, NULL, start, &at);
    usleep(ASIDE_US);
    cr_expect(!atomic_load(&at.returned), "it did not hang: this shows nothing");
    while (!atomic_load(&at.returned) && death_now_us() - begun_us < (int64_t)SOON_MS * 1000) {
        sandbox_spawn_abort(at.sandbox);
        usleep(1000);
    }
    cr_expect(atomic_load(&at.returned), "it still hangs");
    pthread_join(thread, NULL);
    cr_expect_eq(at.result, -ETIME, "%s: %s", at.failure.step, strerror(-at.result));
    sandbox_destroy(at.sandbox);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a child is left");
}

Test(hanging, a_start_is_aborted_in_every_tier, .timeout = 120)
{
    char folder[] = "/tmp/hanging-XXXXXX", command[64];
    int fd;

    cr_assert_not_null(mkdtemp(folder));
    fd = make_program(folder);
    if (fd < 0)
        cr_skip("no leases on the file system of /tmp");
    try_start(SANDBOX_TIER_LITE, folder);
    try_start(SANDBOX_TIER_FULL, folder);
    close(fd);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}
