/*
 * The files that a bot sees: a small root with read-only binds of the runtimes, its folder at /bot,
 * a few devices, its own processes under /proc and, if it has one, a scratch at /tmp. Runs in the
 * child, as confine.c does.
 */
#ifndef SANDBOX_ROOT_H
#define SANDBOX_ROOT_H

#include "sandbox/confine.h"

/* Where the bot's folder is in its root. */
#define ROOT_FOLDER "/bot"

/*
 * Builds what every bot sees, beside the old root, in a mount namespace of the sandbox's own.
 * Called once per slot; each child gets a copy. Ends the process on failure, as do the functions
 * below.
 */
void root_build(struct confine_plan *plan);

/* Adds to a copy what is specific to this bot: its folder and its scratch. */
void root_furnish(struct confine_plan *plan);

/*
 * Mounts /proc and detaches the old root. Call it in the PID namespace, from any process but PID 1.
 */
void root_enter(struct confine_plan *plan);

#endif
