/* The environment that a child starts with. Nothing of the arena's own is in it. */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

#include "sandbox/sandbox.h"

struct environment {
    char *variables[32]; /* ends in NULL; static strings, or one of the limits below */
    char go_limit[48], node_limit[64], java_limit[48];
};

/* Must stay where it is: it points into itself. */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits);

#endif
