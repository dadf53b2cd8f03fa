/* Of `arena doctor`: settings of the machine that are worth a word. */
#ifndef ARENA_COMMANDS_DOCTOR_MACHINE_H
#define ARENA_COMMANDS_DOCTOR_MACHINE_H

#include "arena/commands/report.h"

/* Adds a note for each that is there. */
void doctor_machine_tell(struct report *report);

#endif
