/* Stops a child and checks that it stays stopped. */
#ifndef SANDBOX_FREEZE_H
#define SANDBOX_FREEZE_H

#include "sandbox/sandbox.h"

/*
 * Checks the processor time of a stopped child's processes; sandbox_child_freeze reports the
 * result. Cheap if the child runs, or has a single process. Does not block.
 */
void freeze_look(struct sandbox_child *child);

#endif
