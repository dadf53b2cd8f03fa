/*
 * How bots are started, watched and ended: a table of functions, behind which stands the sandbox
 * or, in a test, a socketpair. What passes between a bot and the arena goes over the descriptors
 * of struct sandbox_child. The functions are those of sandbox.h and promise the same.
 */
#ifndef ARENA_PLAY_TRANSPORT_H
#define ARENA_PLAY_TRANSPORT_H

#include "sandbox/sandbox.h"

struct errands;

struct transport {
    void *context;           /* of spawn_fn: the sandbox */
    bool watches;            /* watch_fn is to be called every 50 ms: nothing else counts memory */
    bool blocks;             /* spawn_fn and finish_fn take longer than a loop may be held */
    struct errands *errands; /* whose thread calls these two; NULL: they are called on the loop */
    int (*spawn_fn)(void *context, const struct sandbox_command *command,
                    struct sandbox_child *child, struct sandbox_failure *failure);
    enum sandbox_setup (*setup_fn)(struct sandbox_child *child, struct sandbox_failure *failure);
    bool (*notified_fn)(struct sandbox_child *child);
    int64_t (*cpu_us_fn)(const struct sandbox_child *child);
    bool (*watch_fn)(struct sandbox_child *child);
    int (*freeze_fn)(struct sandbox_child *child, bool frozen);
    void (*kill_fn)(struct sandbox_child *child);
    bool (*reap_fn)(struct sandbox_child *child, struct sandbox_verdict *verdict);
    void (*finish_fn)(struct sandbox_child *child);
};

/* Bots in the sandbox, which is borrowed. */
struct transport transport_of_sandbox(struct sandbox *sandbox);

#endif
