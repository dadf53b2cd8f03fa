/* Inside the sandbox: what is prepared once per arena, and what is kept of each child. */
#ifndef SANDBOX_PREPARED_H
#define SANDBOX_PREPARED_H

#include "sandbox/filter.h"
#include "sandbox/runtime.h"
#include "sandbox/sandbox.h"

enum {
    SLOTS_MAX = 256,
    FILTER_VARIANTS = 1 << 6,
    CALLS_TRACED_MAX = 1024,
};

/* What one child at a time holds: an id that no other child has. */
struct slot {
    bool taken;
    uid_t uid; /* 0: the arena's own, which is no root then */
};

/* What was found to work on this machine. */
struct machine {
    int landlock_abi;
    bool seccomp_notify;
    bool root;       /* started as root: children take the uid of their slot */
    bool uid_shared; /* one id for all children: this machine maps few */
};

struct sandbox {
    enum sandbox_tier tier;
    struct machine machine;
    struct runtime runtime;
    struct filter filters[FILTER_VARIANTS]; /* code NULL: not built yet */
    struct slot slots[SLOTS_MAX];
    void *stack; /* of the child until it executes; one starts at a time */
};

/* Why a child was killed by us. */
enum kill_cause {
    KILL_CAUSE_NONE,
    KILL_CAUSE_ARENA,     /* sandbox_child_kill */
    KILL_CAUSE_FORBIDDEN, /* a system call */
    KILL_CAUSE_MEMORY,    /* the watch saw more resident than it may have */
};

struct sandbox_child_private {
    struct sandbox *sandbox;
    struct slot *slot;
    struct sandbox_limits limits;   /* resolved */
    struct sandbox_failure failure; /* of its set-up; step NULL: none */
    bool executed;                  /* all was set up, the program was reached for */
    bool reaped;
    bool trace;
    enum kill_cause kill_cause;
    const char *forbidden_call;
    int64_t memory_peak_bytes;
    struct sandbox_verdict verdict;            /* once reaped */
    uint32_t refused_counts[CALLS_TRACED_MAX]; /* by number of the call, when traced */
};

/* Finds out what the machine offers. Returns 0 or -errno with *failure set. */
int machine_probe(struct machine *machine, struct sandbox_failure *failure);

/* The unprivileged id of a slot, 0 when children keep the arena's own. */
uid_t machine_slot_uid(const struct machine *machine, int slot_index);

/* A free slot, or NULL when all are taken. Given back with slot_release. */
struct slot *slot_acquire(struct sandbox *sandbox);

void slot_release(struct slot *slot);

#endif
