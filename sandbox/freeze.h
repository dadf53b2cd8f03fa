/* Stops a child and checks that it stays stopped. */
#ifndef SANDBOX_FREEZE_H
#define SANDBOX_FREEZE_H

#include "sandbox/sandbox.h"

/* For processes_each: adds the processor time of a process to the int64_t of owner, in ticks. */
void freeze_add_ticks(int proc_fd, int number, void *owner);

/*
 * Checks what the processes of a stopped child had used, in ticks, at a look that began at
 * begun_us; sandbox_child_freeze reports the result.
 */
void freeze_see(struct sandbox_child *child, int64_t begun_us, int64_t ticks);

#endif
