/*
 * How bots are started, watched and ended: a table of functions, implemented by the sandbox or, in
 * a test, by a socketpair. A bot and the arena communicate over the descriptors of struct
 * sandbox_child. The functions have the contracts of those in sandbox.h.
 */
#ifndef ARENA_PLAY_TRANSPORT_H
#define ARENA_PLAY_TRANSPORT_H

#include "sandbox/sandbox.h"

struct mailbox;

struct transport {
    void *context; /* passed to spawn_fn: the sandbox */
    bool watches;  /* watch_fn must be called every 50 ms, since nothing else limits memory */
    bool blocks;   /* spawn_fn and finish_fn take too long to run on a loop */
    struct mailbox *errands; /* whose thread calls these two; NULL: they run on the loop */
    int (*spawn_fn)(void *context, const struct sandbox_command *command,
                    struct sandbox_child *child, struct sandbox_failure *failure);
    void (*abort_fn)(void *context); /* makes a spawn_fn that hangs return; may be NULL */
    enum sandbox_setup (*setup_fn)(struct sandbox_child *child, struct sandbox_failure *failure);
    bool (*notified_fn)(struct sandbox_child *child);
    int64_t (*cpu_us_fn)(const struct sandbox_child *child);
    bool (*watch_fn)(struct sandbox_child *child);
    int (*freeze_fn)(struct sandbox_child *child, bool frozen);
    void (*kill_fn)(struct sandbox_child *child);
    bool (*reap_fn)(struct sandbox_child *child, struct sandbox_verdict *verdict);
    void (*finish_fn)(struct sandbox_child *child);
};

/* Returns the transport of a sandbox, which it borrows. */
struct transport transport_of_sandbox(struct sandbox *sandbox);

#endif
