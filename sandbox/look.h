/*
 * A look at all processes of a child, by a thread beside the arena: a child of many processes has
 * hundreds of files in its /proc, and may hold up whoever reads them.
 */
#ifndef SANDBOX_LOOK_H
#define SANDBOX_LOOK_H

#include <stdint.h>

enum {
    LOOK_MS = 5000, /* a look that takes longer is the child's doing */
};

/* What a look found. */
struct look_result {
    int64_t begun_us; /* of the monotonic clock */
    int64_t bytes;    /* of memory, without sockets; shared pages count once if they decide */
    int64_t ticks;    /* of processor time that the processes have used, in all */
};

/* One child's. */
struct look;

/*
 * Takes what the last look found, and begins another one unless one is under way. *look is NULL at
 * first. The child may hold enough_bytes: shared pages are counted once if it seems to hold more.
 * Returns 1 with *result; 0 if no look has ended since the last call, or none can begin; -ETIME if
 * one has taken longer than LOOK_MS. Does not block.
 */
int look_take(struct look **look, int proc_fd, int64_t enough_bytes, struct look_result *result);

/* Call once the child is gone. Accepts NULL. Does not block. */
void look_forget(struct look *look);

#endif
