/* Stops a child, and finds out whether that holds. */
#ifndef SANDBOX_FREEZE_H
#define SANDBOX_FREEZE_H

#include "sandbox/sandbox.h"

/*
 * Looks at what the processes of a stopped child have used; sandbox_child_freeze tells what was
 * found. Cheap where nothing is stopped, or one process. Does not block.
 */
void freeze_look(struct sandbox_child *child);

#endif
