/* `arena doctor --store URL`: checks a store for its operator. */
#ifndef ARENA_COMMANDS_DOCTOR_STORE_H
#define ARENA_COMMANDS_DOCTOR_STORE_H

#include <stdbool.h>

/* Checks the store of --store. Returns the command's status. */
int doctor_store_run(bool as_json);

#endif
