/*
 * The files that a bot sees: a small root of read-only binds of the runtimes, its own
 * folder at /bot, a few devices, its own processes under /proc, and a scratch at /tmp
 * when it is given one. Runs in the child, as confine.c does.
 */
#ifndef SANDBOX_ROOT_H
#define SANDBOX_ROOT_H

#include "sandbox/confine.h"

/* Where the bot's folder lies in its root. */
#define ROOT_FOLDER "/bot"

/*
 * Lays out what every bot sees, beside the old root, in a mount namespace of our own.
 * Done once a slot; children start from a copy. Ends the process on failure, as all here.
 */
void root_build(struct confine_plan *plan);

/* Adds to a copy what is this bot's: its folder and its scratch. */
void root_furnish(struct confine_plan *plan);

/* From process 2 of the PID namespace on: adds /proc, and leaves the old root for good. */
void root_enter(struct confine_plan *plan);

#endif
