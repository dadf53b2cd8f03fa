#include "arena/play/fault.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    enum wire_reason reason;
    const char *words;
} ends[] = {
    [SANDBOX_END_EXITED] = {WIRE_EXIT, "it exited"},
    [SANDBOX_END_SIGNALED] = {WIRE_CRASH, "it was killed by a signal"},
    [SANDBOX_END_FORBIDDEN] = {WIRE_FORBIDDEN, "it made a forbidden system call"},
    [SANDBOX_END_MEMORY] = {WIRE_MEMORY, "it ran out of memory"},
    [SANDBOX_END_CPU] = {WIRE_CPU, "it ran out of processor time"},
    /* The arena kills a bot only after it has declared it out. */
    [SANDBOX_END_KILLED] = {WIRE_CRASH, "it was killed"},
    /* The arena's fault: such a match is void. */
    [SANDBOX_END_KEEPER] = {WIRE_CRASH, "its keeper was killed"},
};

enum wire_reason fault_reason(const struct sandbox_verdict *verdict)
{
    return ends[verdict->end].reason;
}

const char *fault_words(const struct sandbox_verdict *verdict)
{
    return ends[verdict->end].words;
}

void fault_tell_memory(const struct sandbox_verdict *verdict, char *words, size_t room)
{
    snprintf(words, room,
             "it ran out of memory: limit %" PRId64 " MiB, peak %" PRId64
             " MiB: let it use less, or try more with --memory MIB",
             verdict->memory_limit_bytes >> 20, verdict->memory_peak_bytes >> 20);
}

void fault_tell_late(const struct bot_fault *fault, size_t reply_bytes, char *words, size_t room)
{
    if (reply_bytes > 0)
        snprintf(words, room, "no complete answer by the deadline: %zu bytes of one came",
                 reply_bytes);
    else if (fault->cpu_us < 0 || fault->wall_us <= 0)
        snprintf(words, room, "no answer by the deadline");
    else if (fault->cpu_us < fault->wall_us / 20)
        snprintf(words, room,
                 "no answer by the deadline: it waited and hardly computed: was the answer "
                 "flushed?");
    else
        snprintf(
            words, room,
            "no answer by the deadline: it computed for %d %% of the time: too slow, or a loop "
            "without end",
            (int)(100 * fault->cpu_us / fault->wall_us));
}
