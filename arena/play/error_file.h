/*
 * What bots wrote to standard error, as files: one a bot a game, bounded as struct tail is.
 */
#ifndef ARENA_PLAY_ERROR_FILE_H
#define ARENA_PLAY_ERROR_FILE_H

#include "arena/play/tail.h"

/*
 * Writes folder/MATCH-SEAT-NAME.log, over what is there; none if nothing was written. A name that
 * is no file's name is left out. Between the beginning and the end that are kept, a line says how
 * much is missing. Returns 0 or -errno.
 */
int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors);

#endif
