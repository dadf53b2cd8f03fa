/* Of `arena doctor`: does a stop of a bot hold here? */
#ifndef ARENA_COMMANDS_DOCTOR_STOP_H
#define ARENA_COMMANDS_DOCTOR_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/sandbox.h"

/*
 * Runs command, whose processes burn processor time without end, stops them, and looks whether
 * the first of them used any. True if not; else, or if it cannot be tried, false. What came back
 * goes into words.
 */
bool doctor_stop_holds(struct sandbox *sandbox, const struct sandbox_command *command, char *words,
                       size_t capacity);

#endif
