/* `arena submit --to`: sends a bot to an arena on another machine. */
#ifndef ARENA_COMMANDS_REMOTE_H
#define ARENA_COMMANDS_REMOTE_H

#include <stdbool.h>

struct submit_to {
    const char *path;       /* the bot's folder */
    const char *url;        /* address of the arena, such as https://arena.example */
    const char *token_file; /* NULL: $ARENA_TOKEN */
    bool waits;             /* wait until the submission has ended, and print its report */
};

/* Sends the bot. Returns a command's status: COMMAND_FAILED for a bot that was refused. */
int submit_to(const struct submit_to *request);

#endif
