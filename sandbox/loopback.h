/*
 * The network of one build: a namespace of its own with nothing but a loopback interface. Nothing
 * of the machine can be reached from it, and it ends with the build. Runs in a holder (confine.c).
 */
#ifndef SANDBOX_LOOPBACK_H
#define SANDBOX_LOOPBACK_H

#include "sandbox/confine.h"

/*
 * Sets up the namespace that the process has just entered: bounds the buffers of its sockets,
 * brings the interface up and sets plan->socket_bytes. Ends the process on failure.
 */
void loopback_set_up(struct confine_plan *plan);

#endif
