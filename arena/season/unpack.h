/*
 * Unpacks a stored bot to a folder that can be executed, and checks the package against its hash.
 * Blocks, for a long time if the package is large; staging.h has another process do this.
 */
#ifndef ARENA_SEASON_UNPACK_H
#define ARENA_SEASON_UNPACK_H

#include "arena/play/source.h"
#include "arena/store/store.h"

enum unpack_limits {
    UNPACK_ARGUMENTS = 5, /* number of arguments of `arena unpack` */
};

/* Exit status of the unpacking process. */
enum unpack_status {
    UNPACK_DONE = 0,
    UNPACK_FAILED = 1,  /* the arena failed */
    UNPACK_REFUSED = 2, /* the package is damaged */
};

/*
 * Unpacks a bot from the store to stage/number. Returns 0 and a source, which the caller passes to
 * source_close and which has manifest_text set. Otherwise returns a package_result with one line in
 * error: PACKAGE_REFUSED if the package or its manifest is at fault, PACKAGE_FAILED if the arena
 * failed.
 */
int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

/*
 * The main function of the process that unpacks one package, which only staging starts: `arena
 * unpack FILE SHA256 FOLDER PARENT keep|remove`. Removes FILE at the end if the last argument is
 * "remove", and always if FILE is damaged. Prints one line if it fails. Returns the exit status.
 */
int unpack_run(char **arguments);

#endif
