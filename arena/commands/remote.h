/* SPDX-License-Identifier: MIT */
/*
 * The arena on another machine, as --to and --token-file name it; and `arena --to URL COMMAND ...`,
 * with which an organizer has that arena run a command:
 *
 *   this machine   reads the command's options as ever, and sends the command with the files that
 *                  it reads
 *   the desk       checks the token, and runs `arena order PID WHO COMMAND ...` (web/order.h) in a
 *                  folder with these files
 *   that process   reads the same tables, which say what may be sent: is_remote of a command,
 *                  `path` of an option
 *
 * What the command prints, its exit status and the files that it makes come back.
 */
#ifndef ARENA_COMMANDS_REMOTE_H
#define ARENA_COMMANDS_REMOTE_H

#include <jansson.h>

#include "arena/commands/client.h"
#include "arena/commands/options.h"
#include "arena/store/quotas.h"

/* The values of --to and --token-file; NULL if not given. */
extern const char *remote_url, *remote_token_file;

/* The options --to and --token-file of a command that itself talks to the other arena. */
#define REMOTE_OPTIONS(about, excluded)                                                            \
    {"to", "URL", about, .text = &remote_url, .excludes = excluded},                               \
    {                                                                                              \
        "token-file", "FILE", "with --to: a file with your token ($ARENA_TOKEN)",                  \
            .text = &remote_token_file, .needs = "to"                                              \
    }

/* Takes --to or --token-file before the command. Returns false if the name is neither. */
bool remote_take(const char *name, const char *value);

/* This process is one of the desk, and runs a command that an organizer sent: checks its words. */
void remote_obey(void);

/* ---- requests ---- */

/* The answer to the last request. */
extern struct client_answer remote_answer;

/*
 * Reads the token, and checks that it may go to the address. Returns a command's status. Call
 * remote_close in any case.
 */
int remote_open(void);
void remote_close(void);

/*
 * Sends a request, a POST if bytes is not NULL, again and again while the server answers 429; if
 * the request may_repeat, also while it answers 503 or not at all. Returns a command's status;
 * prints a message only if there is no answer.
 */
int remote_ask(const char *path, const void *bytes, size_t size, bool may_repeat);

/* Returns the last answer as JSON, a new reference, or NULL if it is none. */
json_t *remote_json(void);

/*
 * Prints how many more of the kind the author may ask for, and from when one more than that;
 * nothing if the answer does not say.
 */
void remote_print_quota(const json_t *answer, enum store_quota_kind kind);

/* Prints why the server refused the last request. Returns a command's status. */
int remote_refused(void);

#endif
