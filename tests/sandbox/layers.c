/* SPDX-License-Identifier: MIT */
/*
 * The layers that this kernel supports are active and reported, and the root contains what it
 * should.
 */
#include <criterion/criterion.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "sandbox/landlock.h"
#include "tests/sandbox/confined.h"

enum {
    LIMIT_MS = 10000,
    CALLS_MAX = 1024,
};

static void run_at(enum sandbox_tier tier, const char *const *argv, struct confined_run *run)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE, .at_most = tier};
    struct sandbox_command command = {.argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox_failure failure = {0};
    char above[] = "/tmp/arena-XXXXXX", folder[32];
    struct sandbox *sandbox;

    cr_assert_not_null(mkdtemp(above));
    snprintf(folder, sizeof folder, "%s/bot", above);
    cr_assert_eq(mkdir(folder, 0755), 0);
    command.folder = folder;
    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    confined_run(sandbox, &command, NULL, LIMIT_MS, run);
    cr_assert_eq(run->spawned, 0, "%s", run->failure.step);
    sandbox_destroy(sandbox);
    rmdir(folder);
    rmdir(above);
}

/* Returns what this kernel supports, as reported by the kernel and not by the code under test. */
static uint32_t offered_by_landlock(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return (abi >= 1 ? SANDBOX_LAYER_LANDLOCK_FS : 0) |
           (abi >= 4 ? SANDBOX_LAYER_LANDLOCK_NET : 0) |
           (abi >= 6 ? SANDBOX_LAYER_LANDLOCK_SCOPE : 0);
}

/* Version numbers as in the kernel's documentation; this kernel supports one of them. */
Test(layers, of_each_landlock_version)
{
    enum {
        FS = SANDBOX_LAYER_LANDLOCK_FS,
        NET = SANDBOX_LAYER_LANDLOCK_NET,
        SCOPE = SANDBOX_LAYER_LANDLOCK_SCOPE,
    };
    static const uint32_t by_abi[] = {
        0, FS, FS, FS, FS | NET, FS | NET, FS | NET | SCOPE, FS | NET | SCOPE};

    for (int abi = 0; abi < (int)(sizeof by_abi / sizeof *by_abi); abi++)
        cr_expect_eq(landlock_layers(abi), by_abi[abi], "version %d: %x", abi,
                     landlock_layers(abi));
}

Test(layers, each_that_the_kernel_offers_is_held)
{
    static const uint32_t always = SANDBOX_LAYER_NO_NEW_PRIVS | SANDBOX_LAYER_SECCOMP |
                                   SANDBOX_LAYER_RLIMITS | SANDBOX_LAYER_CAPS;
    static const uint32_t full = SANDBOX_LAYER_USER_NS | SANDBOX_LAYER_PID_NS |
                                 SANDBOX_LAYER_MOUNT_NS | SANDBOX_LAYER_IPC_NS |
                                 SANDBOX_LAYER_UTS_NS | SANDBOX_LAYER_CGROUP_NS |
                                 SANDBOX_LAYER_NET_NS | SANDBOX_LAYER_ROOT | SANDBOX_LAYER_PROC;
    static const uint32_t counted = SANDBOX_LAYER_CGROUP_MEMORY | SANDBOX_LAYER_CGROUP_PIDS;
    static const char *const argv[] = {"true", NULL};
    static struct confined_run run;

    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL_CG; tier++) {
        struct sandbox_options options = {.require = tier, .at_most = tier};
        struct sandbox_failure failure = {0};
        struct sandbox *sandbox;
        uint32_t expected = always | offered_by_landlock();

        if (sandbox_create(&sandbox, &options, &failure) < 0)
            continue; /* this machine does not hold that tier */
        sandbox_destroy(sandbox);
        expected |= tier >= SANDBOX_TIER_FULL ? full : 0;
        expected |= tier >= SANDBOX_TIER_FULL_CG ? counted : 0;
        expected |= geteuid() == 0 ? SANDBOX_LAYER_UID : 0;
        run_at(tier, argv, &run);
        cr_expect_eq(run.layers & ~(uint32_t)SANDBOX_LAYER_NOTIFY, expected,
                     "tier %d: %x is not %x", tier, run.layers, expected);
    }
}

static bool has_option(const char *options, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = options; (at = strstr(at, name)); at += length)
        if ((at == options || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* One line per mount: "36 35 98:0 /of/it /here ro,nosuid - ext4 /dev/sda1 rw" */
static void expect_mount(const char *line)
{
    char place[256], options[256], tags[256];
    bool is_device;

    cr_assert_eq(sscanf(line, "%*d %*d %*s %*s %255s %255s %255s", place, options, tags), 3, "%s",
                 line);
    is_device = strncmp(place, "/dev/", 5) == 0;
    cr_expect(is_device || has_option(options, "ro"), "can be written: %s", line);
    cr_expect(is_device || has_option(options, "nodev"), "has devices: %s", line);
    cr_expect(is_device || has_option(options, "nosuid"), "has set-user-id: %s", line);
    cr_expect_str_eq(tags, "-", "mounts spread: %s", line);
}

Test(layers, every_mount_of_a_live_bot_is_read_only_without_devices_and_set_user_id)
{
    static const char *const argv[] = {"cat", "/proc/self/mountinfo", NULL};
    static struct confined_run run;
    char *rest = run.output;
    int count = 0;

    run_at(SANDBOX_TIER_FULL_CG, argv, &run);
    if (!(run.layers & SANDBOX_LAYER_ROOT))
        cr_skip_test("no root of its own here");
    cr_assert_not_null(strstr(run.output, " /usr ro"), "%s", run.output);
    cr_assert_not_null(strstr(run.output, " /bot ro"), "%s", run.output);
    for (char *line; (line = strsep(&rest, "\n")) && *line; count++)
        expect_mount(line);
    cr_expect_gt(count, 5);
}

Test(layers, calls_outside_the_table_have_their_names)
{
    int count = 0;

    for (int number = 0; number < CALLS_MAX; number++) {
        char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);

        if (name) {
            cr_expect_not_null(call_name(number), "%d: %s", number, name);
            cr_expect_str_eq(call_name(number), name);
            count += !call_find(number);
        }
        free(name);
    }
    cr_expect_gt(count, 20, "the table has all but %d", count);
    cr_expect_null(call_name(-1));
    cr_expect_null(call_name(CALLS_MAX));
}
