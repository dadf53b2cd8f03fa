#include "arena/commands/play_options.h"

#include <string.h>
#include <sys/resource.h>

#include "arena/commands/commands.h"
#include "arena/play/clock.h"
#include "arena/play/stop.h"

enum {
    FILES_MIN = 144, /* descriptors for a game of four bots, and for the arena itself */
};

const char *const play_options_boards[] = {
    [BOARD_COLORED] = "colored", [BOARD_GRAY] = "gray", NULL};
const char *const play_options_tiers[] = {
    [SANDBOX_TIER_NONE] = "none", [SANDBOX_TIER_LITE] = "lite", [SANDBOX_TIER_FULL] = "full", NULL};

const struct play_options play_options_default = {
    .board = BOARD_COLORED,
    .clock = CLOCK_DEFAULT,
    .job_count = 1,
    .require = SANDBOX_TIER_LITE,
    .rules = {.memory_bytes = SANDBOX_MEMORY_BYTES_DEFAULT},
};

int play_options_take_clock(void *options, const char *parts)
{
    const char *fault = clock_parse(parts, &((struct play_options *)options)->clock);

    return fault ? command_refuse("--clock %s: %s", parts, fault) : COMMAND_DONE;
}

int play_options_take_no_freeze(void *options, const char *nothing)
{
    ((struct play_options *)options)->rules.freeze = false;
    return COMMAND_DONE;
}

int play_options_open_sandbox(const struct play_options *options, struct sandbox **sandbox)
{
    struct sandbox_options wanted = {.require = options->require, .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    struct rlimit files;

    /*
     * With fewer descriptors, libev aborts. With only just enough, the runner plays fewer games at
     * a time.
     */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < FILES_MIN)
        return command_fail("the limit on open files (ulimit -n) is %llu: raise it to %d at least",
                            (unsigned long long)files.rlim_max, FILES_MIN);
    stop_hold();
    if (sandbox_create(sandbox, &wanted, &failure) == 0)
        return COMMAND_DONE;
    return command_fail("bots cannot be confined on this machine: %s: %s: `arena doctor` says more",
                        failure.step, strerror(failure.error));
}
