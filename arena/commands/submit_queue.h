/* `arena submit --queue`: submits a bot for a daemon to build, check and admit. */
#ifndef ARENA_COMMANDS_SUBMIT_QUEUE_H
#define ARENA_COMMANDS_SUBMIT_QUEUE_H

#include <stdbool.h>

/* Stores the folder as submitted and prints its number. Returns a command's status. */
int submit_queue(const char *path, const char *home, bool takes_over, bool as_json);

#endif
