/*
 * A bot's manifest, bot.json: what the bot is called and how it is run. Reads text
 * that strangers wrote; does no I/O.
 */
#ifndef ARENA_PLAY_MANIFEST_H
#define ARENA_PLAY_MANIFEST_H

#include <stddef.h>

#include "sdk/wire.h"

enum manifest_limits {
    MANIFEST_BYTES_MAX = 65536,  /* of bot.json */
    MANIFEST_ARGUMENTS_MAX = 64, /* of run and of build */
    MANIFEST_PROCESSES_MAX = 64, /* that a bot may ask for */
    MANIFEST_ERROR_BYTES = 1024, /* of one line that says what is wrong */
};

struct manifest {
    char name[WIRE_NAME_BYTES_MAX + 1]; /* "" if not told */
    char version[WIRE_NAME_BYTES_MAX + 1];
    char author[WIRE_NAME_BYTES_MAX + 1];
    char language[WIRE_NAME_BYTES_MAX + 1];
    char **run;        /* argv, NULL ended, at least one */
    char **build;      /* argv, NULL ended, or NULL without a build */
    int process_count; /* "processes"; 1 unless asked for */
};

/*
 * Reads text of size bytes. Returns 0 and a manifest to be finished, or -1 after
 * writing to error what is wrong, without a file name; *manifest is then zeroed.
 */
int manifest_parse(struct manifest *manifest, const char *text, size_t size,
                   char error[static MANIFEST_ERROR_BYTES]);

/* Frees what it holds. Takes a zeroed one. */
void manifest_finish(struct manifest *manifest);

#endif
