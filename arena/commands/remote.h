/* What the arena does over HTTP as a client: submit --to, live --from, and webhooks. */
#ifndef ARENA_COMMANDS_REMOTE_H
#define ARENA_COMMANDS_REMOTE_H

#include <jansson.h>
#include <stdbool.h>

#include "arena/store/store.h"

struct submit_to {
    const char *path;       /* the bot's folder */
    const char *url;        /* of the arena, such as https://arena.example */
    const char *token_file; /* NULL: $ARENA_TOKEN */
    bool waits;             /* until the submission has ended, and prints its report */
    bool json;
};

/* Sends the bot. Returns a command's status: COMMAND_FAILED for a bot that was refused. */
int submit_to(const struct submit_to *request);

/*
 * Calls draw_fn with {"playing": [...]} whenever the live games of an arena change, until it
 * returns false. Returns a command's status.
 */
int live_from(const char *url, bool (*draw_fn)(void *context, const json_t *status), void *context);

/* Tells the authors' webhooks of submissions that ended, until the process is killed. */
int tell_webhooks(struct store *store);

#endif
