/* Who may enter a stage. */
#include "arena/play/source.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Each bot with a program of its own lost its games at the start, where /tmp is mounted noexec. */
Test(stage, where_nothing_runs_is_no_fault_of_the_bot)
{
    static char room[] = "/tmp/noexec-XXXXXX";
    const struct source_options options = {.sandbox = NULL};
    char error[SOURCE_ERROR_BYTES] = "", stage[64];
    struct source source;

    cr_assert_not_null(mkdtemp(room));
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tmpfs", room, "tmpfs", MS_NOEXEC, "size=8m") < 0) {
        rmdir(room);
        cr_skip_test("only root may mount");
    }
    snprintf(stage, sizeof stage, "%s/stage", room);
    cr_assert_eq(mkdir(stage, 0700), 0);
    cr_expect_eq(source_open(&source, "/bin/true", stage, 0, &options, error), PACKAGE_FAILED);
    cr_expect(strstr(error, "noexec"), "%s", error);
    source_close(&source);
    umount2(room, MNT_DETACH);
    rmdir(room);
}
