/*
 * Writes what bots wrote to standard error to files, one per bot and game, bounded as in struct
 * tail.
 */
#ifndef ARENA_PLAY_ERROR_FILE_H
#define ARENA_PLAY_ERROR_FILE_H

#include "arena/play/channel.h"

/*
 * Writes folder/MATCH-SEAT-NAME.log and replaces an existing file; writes none if nothing was
 * written. Leaves a name out that cannot be part of a file name. Between the beginning and the end
 * that were kept, a line says how many bytes are missing. Returns 0 or -errno.
 */
int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors);

#endif
