/* For `arena doctor`: notes on settings of the machine. */
#ifndef ARENA_COMMANDS_DOCTOR_MACHINE_H
#define ARENA_COMMANDS_DOCTOR_MACHINE_H

#include "arena/commands/report.h"

/* Adds a note for each setting found. */
void doctor_machine_tell(struct report *report);

#endif
