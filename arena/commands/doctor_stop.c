#include "arena/commands/doctor_stop.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum {
    PATIENCE_MS = 10000, /* for it to use any processor time, on a busy machine */
    SETTLE_MS = 100,     /* for the stop to reach another core */
    STOPPED_MS = 300,
    USED_US_MAX = 1000,
};

static void rest(struct sandbox_child *child, int ms)
{
    sandbox_child_notified(child);
    sandbox_child_watch(child);
    poll(NULL, 0, ms);
}

bool doctor_stop_holds(struct sandbox *sandbox, const struct sandbox_command *command, char *words,
                       size_t capacity)
{
    struct sandbox_failure failure = {0};
    struct sandbox_child child;
    int64_t used_us = 0;
    int result = sandbox_spawn(sandbox, command, &child, &failure);

    if (result < 0) {
        snprintf(words, capacity, "%s: %s", failure.step, strerror(failure.error));
        return false;
    }
    for (int waited_ms = 0; waited_ms < PATIENCE_MS && sandbox_child_cpu_us(&child) < USED_US_MAX;
         waited_ms++)
        rest(&child, 1);
    result = sandbox_child_freeze(&child, true);
    rest(&child, SETTLE_MS);
    used_us = -sandbox_child_cpu_us(&child);
    for (int waited_ms = 0; waited_ms < STOPPED_MS; waited_ms += SETTLE_MS / 2)
        rest(&child, SETTLE_MS / 2);
    used_us += sandbox_child_cpu_us(&child);
    if (result == 0)
        result = sandbox_child_freeze(&child, false);
    sandbox_child_finish(&child);
    if (result < 0)
        snprintf(words, capacity, "%s", strerror(-result));
    else
        snprintf(words, capacity, "it used %" PRId64 " us", used_us);
    return result == 0 && used_us < USED_US_MAX;
}
