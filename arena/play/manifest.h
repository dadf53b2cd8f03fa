/*
 * A bot's manifest, bot.json: the bot's name and how to run it. Parses untrusted text; does no I/O.
 */
#ifndef ARENA_PLAY_MANIFEST_H
#define ARENA_PLAY_MANIFEST_H

#include <stddef.h>

#include "sdk/wire.h"

enum manifest_limits {
    MANIFEST_BYTES_MAX = 65536,  /* limit of bot.json */
    MANIFEST_ARGUMENTS_MAX = 64, /* maximum of arguments of run and of build */
    MANIFEST_PROCESSES_MAX = 64, /* maximum of processes that a bot may request */
    MANIFEST_ERROR_BYTES = 1024, /* room for one line that says what is wrong */
};

struct manifest {
    char name[WIRE_NAME_BYTES_MAX + 1]; /* "" if missing */
    char version[WIRE_NAME_BYTES_MAX + 1];
    char author[WIRE_NAME_BYTES_MAX + 1];
    char language[WIRE_NAME_BYTES_MAX + 1];
    char **run;        /* argv, NULL ended, at least one element */
    char **build;      /* argv, NULL ended; NULL if there is no build */
    int process_count; /* "processes"; 1 if missing */
};

/*
 * Parses text of size bytes. Returns 0 and fills *manifest, which the caller finishes. Returns -1
 * after writing to error what is wrong, without a file name; *manifest is then zeroed.
 */
int manifest_parse(struct manifest *manifest, const char *text, size_t size,
                   char error[static MANIFEST_ERROR_BYTES]);

/* Frees what it holds. Accepts a zeroed manifest. */
void manifest_finish(struct manifest *manifest);

#endif
