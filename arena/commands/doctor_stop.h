/* For `arena doctor`: tests whether a stopped bot stays stopped here. */
#ifndef ARENA_COMMANDS_DOCTOR_STOP_H
#define ARENA_COMMANDS_DOCTOR_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/sandbox.h"

/*
 * Runs command, whose processes use processor time without end, stops them, and checks whether the
 * first of them still uses any. Returns true if it does not; false if it does or the test failed.
 * Writes the result to words.
 */
bool doctor_stop_holds(struct sandbox *sandbox, const struct sandbox_command *command, char *words,
                       size_t capacity);

#endif
