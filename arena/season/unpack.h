/* Unpacks a stored bot to a folder that can be executed. */
#ifndef ARENA_SEASON_UNPACK_H
#define ARENA_SEASON_UNPACK_H

#include "arena/play/source.h"
#include "arena/store/store.h"

/*
 * Unpacks a bot's built package to stage/number and checks it against its hash. Returns 0 and a
 * source for source_close, with manifest_text set; or another package_result with one line in
 * error: PACKAGE_REFUSED if the package or its manifest is at fault, PACKAGE_FAILED if the arena
 * failed. Blocks, possibly long for a large package; staging.h does not.
 */
int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

#endif
