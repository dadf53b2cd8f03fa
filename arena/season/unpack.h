/*
 * Unpacks a stored bot to a folder that can be executed, and checks it against its hash. Blocks,
 * possibly long for a large package; staging.h has another process do it.
 */
#ifndef ARENA_SEASON_UNPACK_H
#define ARENA_SEASON_UNPACK_H

#include "arena/play/source.h"
#include "arena/store/store.h"

enum unpack_limits {
    UNPACK_ARGUMENTS = 5, /* of the process: number of arguments after the command's name */
};

/* How the process ends: its exit status. */
enum unpack_status {
    UNPACK_DONE = 0,
    UNPACK_FAILED = 1,  /* the arena failed */
    UNPACK_REFUSED = 2, /* the package is damaged */
};

/*
 * Unpacks a bot of the store to stage/number. Returns 0 and a source for source_close, with
 * manifest_text set; or another package_result with one line in error: PACKAGE_REFUSED if the
 * package or its manifest is at fault, PACKAGE_FAILED if the arena failed.
 */
int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

/*
 * The process that unpacks one package, for internal use: `arena unpack FILE SHA256 FOLDER PARENT
 * keep|remove`. It removes the file at the end if told to, and if the file is damaged. Prints one
 * line if it fails. Returns its exit status.
 */
int unpack_run(char **arguments);

#endif
