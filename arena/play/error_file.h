/*
 * Writes the standard error of bots to files, one per bot and game. A file has at most what a
 * struct tail keeps.
 */
#ifndef ARENA_PLAY_ERROR_FILE_H
#define ARENA_PLAY_ERROR_FILE_H

#include "arena/play/channel.h"

/*
 * Writes folder/MATCH-SEAT-NAME.log, which replaces an existing file; writes no file if the bot
 * wrote nothing. Leaves out a name that cannot be part of a file name. Between the two parts that
 * were kept, a line says how many bytes are missing. Returns 0 or -errno.
 */
int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors);

#endif
