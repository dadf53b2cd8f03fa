/* SPDX-License-Identifier: MIT */
/* A slot whose namespaces cannot be opened yet: nothing is lost, and its child has them later. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sandbox/prepared.h"

enum {
    DESCRIPTORS_MAX = 100, /* more than a start needs */
};

static void limit_descriptors(rlim_t count)
{
    struct rlimit limit;

    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = count;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Leaves no number free below those in use. Returns the lowest free one. */
static int fill_descriptors(void)
{
    int after = 0;

    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            after = fd + 1;
    limit_descriptors((rlim_t)after);
    while (fcntl(0, F_DUPFD_CLOEXEC, 0) >= 0)
        ; /* held until the end of the test */
    cr_assert_eq(errno, EMFILE);
    return after;
}

/* The arena may have used up its descriptors at any of the steps. */
Test(slot, without_descriptors_its_namespaces_are_opened_later, .timeout = 120)
{
    static const char *const argv[] = {"cat", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE,
                                            .at_most = SANDBOX_TIER_FULL};
    struct sandbox_failure failure = {0};
    struct sandbox_child first, second;
    struct sandbox *sandbox;
    int failed_count = 0, result = -1, begin;

    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    if (sandbox_tier(sandbox) < SANDBOX_TIER_FULL)
        cr_skip_test("this machine gives no namespaces");
    cr_assert_eq(sandbox_spawn(sandbox, &command, &first, &failure), 0, "%s", failure.step);
    begin = fill_descriptors();
    for (int more = 0; more < DESCRIPTORS_MAX && result < 0; more++) {
        limit_descriptors((rlim_t)(begin + more));
        result = sandbox_spawn(sandbox, &command, &second, &failure);
        if (result == 0)
            break;
        cr_expect_eq(result, -EMFILE, "%d more: %s: %s", more, failure.step, strerror(-result));
        sandbox_child_finish(&second);
        failed_count++;
    }
    cr_expect_gt(failed_count, 5, "%d: this shows nothing", failed_count);
    cr_assert_eq(result, 0);
    sandbox_child_finish(&second);
    limit_descriptors(1024);
    cr_assert_eq(sandbox_spawn(sandbox, &command, &second, &failure), 0, "%s", failure.step);
    cr_expect_eq(second.layers, first.layers, "%x, not %x", second.layers, first.layers);
    sandbox_child_finish(&second);
    sandbox_child_finish(&first);
    sandbox_destroy(sandbox);
}
