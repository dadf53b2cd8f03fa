/* For `arena doctor`: tests what only builds have. */
#ifndef ARENA_COMMANDS_DOCTOR_BUILD_H
#define ARENA_COMMANDS_DOCTOR_BUILD_H

#include "arena/commands/report.h"
#include "sandbox/sandbox.h"

/*
 * Reports whether a build can talk over a loopback interface of its own. The folder is that of the
 * build; attempt_fd is the program attempt.c. In the lite tier there are no builds, and it reports
 * that.
 */
void doctor_build_check(struct report *report, struct sandbox *sandbox, const char *folder,
                        int attempt_fd);

#endif
