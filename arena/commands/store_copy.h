/* `arena store copy`, a subcommand of `arena store`. */
#ifndef ARENA_COMMANDS_STORE_COPY_H
#define ARENA_COMMANDS_STORE_COPY_H

#include <stdbool.h>

/* Copies the store of one URL to another. Returns the command's status. */
int store_copy_run(const char *from, const char *to, bool json);

#endif
