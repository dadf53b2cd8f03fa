/*
 * A bot's files as the arena keeps them: copied once from where their author can
 * change them, with plain modes, and hashed as they are copied, so that what is
 * hashed is what is executed.
 *
 * The hash is SHA-256 over every entry in ascending order of its path (bytes):
 * path NUL mode NUL size NUL content, where mode is "040755" for a folder, "120777"
 * for a symbolic link (its content is its target), "100755" for a file with any
 * execute bit and "100644" for any other, and size is decimal. A plain executable has
 * the hash of its bytes, as sha256sum prints it.
 */
#ifndef ARENA_PLAY_PACKAGE_H
#define ARENA_PLAY_PACKAGE_H

#include <stdbool.h>

enum package_limits {
    PACKAGE_FILES_MAX = 20000,
    PACKAGE_BYTES_MAX = 512 << 20,
    PACKAGE_HASH_CHARS = 64,    /* of a SHA-256 in hex */
    PACKAGE_ERROR_BYTES = 1024, /* of one line that says what is wrong */
};

/* Why a package was not taken; 0 when it was. */
enum package_result {
    PACKAGE_REFUSED = -1, /* its author is to mend it */
    PACKAGE_FAILED = -2,  /* the arena could not: no memory, descriptors or room, a disk's error */
};

/* An errno met in reading a bot's files: is it the arena's own trouble? */
bool package_is_arenas_error(int error);

/*
 * Copies the folder source to target, which must not exist; with target NULL only hashes.
 * Folders become 0755, files 0644 or 0755. Symbolic links are copied as they are, other
 * special files and names that are not UTF-8 are refused. Writes the hash in hex. Returns 0, or
 * another package_result after writing one line to error; what was copied so far then stays for
 * tree_remove (tree.h).
 */
int package_copy(const char *source, const char *target, char hash[static PACKAGE_HASH_CHARS + 1],
                 char error[static PACKAGE_ERROR_BYTES]);

/*
 * The hash of a folder without its bot.json: the same for one bot under several names. Returns as
 * package_copy.
 */
int package_hash_content(const char *source, char hash[static PACKAGE_HASH_CHARS + 1],
                         char error[static PACKAGE_ERROR_BYTES]);

/* As package_copy for one file: target is the path of the copy, 0755. */
int package_copy_file(const char *source, const char *target,
                      char hash[static PACKAGE_HASH_CHARS + 1],
                      char error[static PACKAGE_ERROR_BYTES]);

#endif
