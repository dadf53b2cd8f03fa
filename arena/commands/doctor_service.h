/*
 * What stands around the arena itself, set by a service unit, a container or the system, and keeps
 * bots from being confined: each is named as it is called where it was set.
 */
#ifndef ARENA_COMMANDS_DOCTOR_SERVICE_H
#define ARENA_COMMANDS_DOCTOR_SERVICE_H

#include "arena/commands/report.h"

/* Adds a line for each that is found; held: layers (enum sandbox_layer bits) that bots do have. */
void doctor_service_check(struct report *report, uint32_t held);

#endif
