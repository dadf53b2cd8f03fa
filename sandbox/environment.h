/* The environment that a child starts with. It contains nothing of the arena's own environment. */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

#include "sandbox/sandbox.h"

struct environment {
    char *variables[32]; /* ends with NULL; static strings, or the limits below */
    char go_limit[48], node_limit[64], java_limit[48];
};

/* Do not move *environment afterwards: it points into itself. */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits);

#endif
