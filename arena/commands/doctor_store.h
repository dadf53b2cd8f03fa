/* arena doctor --store URL: what an operator should know of a store. */
#ifndef ARENA_COMMANDS_DOCTOR_STORE_H
#define ARENA_COMMANDS_DOCTOR_STORE_H

#include <stdbool.h>

/* Looks at the store that --store names. Returns the command's status. */
int doctor_store_run(bool as_json);

#endif
