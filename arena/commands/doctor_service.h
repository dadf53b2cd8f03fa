/*
 * Finds settings of a service unit, a container or the system that prevent bots from being
 * confined, and reports each under its name in the place where it was set.
 */
#ifndef ARENA_COMMANDS_DOCTOR_SERVICE_H
#define ARENA_COMMANDS_DOCTOR_SERVICE_H

#include "arena/commands/report.h"

/*
 * Adds a line for each setting found. held: the layers (enum sandbox_layer bits) that bots do get.
 */
void doctor_service_check(struct report *report, uint32_t held);

#endif
