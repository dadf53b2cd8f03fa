/* The page of a match, for `arena replay GAME --html FILE`. */
#ifndef ARENA_COMMANDS_REPLAY_HTML_H
#define ARENA_COMMANDS_REPLAY_HTML_H

#include <stddef.h>
#include <stdint.h>

#include "arena/replay/replay.h"

/*
 * Writes the page to file, "-" for standard output. bytes is the stored replay; path is its name on
 * the command line. Returns a command's status.
 */
int replay_html_write(const struct replay *replay, const uint8_t *bytes, size_t size,
                      const char *path, const char *file);

#endif
