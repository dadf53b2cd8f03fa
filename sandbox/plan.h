/* What one child has to do, planned by the arena before the clone (confine.h). Internal. */
#ifndef SANDBOX_PLAN_H
#define SANDBOX_PLAN_H

#include "sandbox/prepared.h"

/* Returns the plan of a command without a slot, a namespace or a rule: plan_bot adds them. */
struct confine_plan plan_begin(const struct sandbox *sandbox,
                               const struct sandbox_command *command);

/*
 * Plans what the child has to do, with the slot and the limits in private. program has room for
 * RUNTIME_PATH_BYTES_MAX and must live as long as the plan, which may point to it. Returns 0, or
 * -errno with *failure set. The caller closes folder_fd and ruleset_fd, even then; the plan borrows
 * all other descriptors from the slot, the sandbox or private.
 */
int plan_bot(struct sandbox *sandbox, const struct sandbox_command *command,
             struct sandbox_child_private *private, struct confine_plan *plan, char *program,
             struct sandbox_failure *failure);

#endif
