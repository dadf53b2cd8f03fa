/* SPDX-License-Identifier: MIT */
/* Who may enter a stage. */
#include "arena/play/source.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

/* Who has no root of its own runs under another user, and passes through the stage. */
Test(stage, may_be_passed_through_where_bots_have_no_root)
{
    static const enum sandbox_tier tiers[] = {SANDBOX_TIER_LITE, SANDBOX_TIER_FULL};

    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        const struct sandbox_options at_most = {.require = SANDBOX_TIER_LITE, .at_most = tiers[i]};
        struct sandbox_failure failure = {0};
        struct sandbox *lesser;
        struct stage *another;
        struct stat status;

        cr_assert_eq(sandbox_create(&lesser, &at_most, &failure), 0, "%s", failure.step);
        another = stage_create(lesser);
        cr_assert_not_null(another);
        cr_assert_eq(stat(another->path, &status), 0);
        cr_expect_eq(status.st_mode & 07777,
                     geteuid() == 0 && sandbox_tier(lesser) == SANDBOX_TIER_LITE ? 0711 : 0700,
                     "tier %d: %o", (int)sandbox_tier(lesser), status.st_mode);
        stage_destroy(another);
        sandbox_destroy(lesser);
    }
}

static char room[] = "/tmp/taken-XXXXXX";

/* Somebody who may write to the temporary folder, too, takes every name that a stage might get. */
static void *take_names(void *context)
{
    const int watch = inotify_init1(IN_CLOEXEC);
    char bytes[4096] __attribute__((aligned(8))), path[512];
    ssize_t size;

    inotify_add_watch(watch, room, IN_CREATE);
    sem_post(context);
    while ((size = read(watch, bytes, sizeof bytes)) > 0)
        for (const char *at = bytes; at < bytes + size;) {
            const struct inotify_event *event = (const void *)at;

            if (strcmp(event->name, "end") == 0)
                return NULL;
            snprintf(path, sizeof path, "%s/arena-stage-%s", room, strrchr(event->name, '-') + 1);
            if (mkdir(path, 0755) == 0 && symlinkat("x", AT_FDCWD, strcat(path, "/taken")) < 0)
                return NULL;
            at += sizeof *event + event->len;
        }
    return NULL;
}

Test(stage, gets_a_name_that_nobody_could_take_before)
{
    char command[64];
    pthread_t taker;
    int made = 0;
    sem_t ready;

    cr_assert_not_null(mkdtemp(room));
    setenv("TMPDIR", room, 1);
    sem_init(&ready, 0, 0);
    cr_assert_eq(pthread_create(&taker, NULL, take_names, &ready), 0);
    sem_wait(&ready);
    for (int i = 0; i < 200; i++) {
        struct stage *stage = stage_create(NULL);

        made += stage != NULL;
        stage_destroy(stage);
    }
    snprintf(command, sizeof command, "touch %s/end", room);
    cr_assert_eq(system(command), 0);
    pthread_join(taker, NULL);
    snprintf(command, sizeof command, "rm -r %s", room);
    cr_assert_eq(system(command), 0);
    cr_expect_eq(made, 200);
}

/* Each bot with a program of its own lost its games at the start, where /tmp is mounted noexec. */
Test(stage, where_nothing_runs_is_no_fault_of_the_bot)
{
    static char noexec[] = "/tmp/noexec-XXXXXX";
    const struct source_options options = {.sandbox = NULL};
    char error[SOURCE_ERROR_BYTES] = "", stage[64];
    struct source source;

    cr_assert_not_null(mkdtemp(noexec));
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tmpfs", noexec, "tmpfs", MS_NOEXEC, "size=8m") < 0) {
        rmdir(noexec);
        cr_skip_test("only root may mount");
    }
    snprintf(stage, sizeof stage, "%s/stage", noexec);
    cr_assert_eq(mkdir(stage, 0700), 0);
    cr_expect_eq(source_open(&source, "/bin/true", stage, 0, &options, error), PACKAGE_FAILED);
    cr_expect(strstr(error, "noexec"), "%s", error);
    source_close(&source);
    umount2(noexec, MNT_DETACH);
    rmdir(noexec);
}
