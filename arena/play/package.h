/*
 * A bot's files as the arena keeps them: copied once, so that their author can no longer change
 * them, with plain modes, and hashed while they are copied, so that the hash is that of what is
 * executed.
 *
 * The hash is SHA-256 over every entry in ascending order of its path (bytes): path NUL mode NUL
 * size NUL content, where mode is "040755" for a folder, "120777" for a symbolic link (its content
 * is its target), "100755" for a file with any execute bit and "100644" for any other, and size is
 * decimal. The hash of a plain executable is that of its bytes, as sha256sum prints it.
 */
#ifndef ARENA_PLAY_PACKAGE_H
#define ARENA_PLAY_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "sdk/wire.h"

/* ---- the manifest, bot.json: the bot's name and how to run it; untrusted text ---- */

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
    char **keep;       /* paths of what the build made that is kept, NULL ended; NULL: all of it */
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

/* ---- the files ---- */

enum package_limits {
    PACKAGE_FILES_MAX = 20000,
    PACKAGE_BYTES_MAX = 512 << 20,
    PACKAGE_HASH_CHARS = 64,    /* length of a SHA-256 in hex */
    PACKAGE_ERROR_BYTES = 1024, /* room for one line that says what is wrong */
};

/* Why a package was not accepted; 0 if it was. */
enum package_result {
    PACKAGE_REFUSED = -1, /* its author has to fix it */
    PACKAGE_FAILED = -2, /* the arena could not: no memory, descriptors or space, or a disk error */
};

/* True if an errno from reading a bot's files means a failure of the arena. */
bool package_is_arenas_error(int error);

/*
 * Copies the folder source to target, which must not exist; if target is NULL, only computes the
 * hash. Folders become 0755, files 0644 or 0755. Copies symbolic links as they are; refuses other
 * special files and names that are not UTF-8. Writes the hash in hex. Returns 0, or another
 * package_result after writing one line to error; what was copied so far then stays for tree_remove
 * (tree.h).
 */
int package_copy(const char *source, const char *target, char hash[static PACKAGE_HASH_CHARS + 1],
                 char error[static PACKAGE_ERROR_BYTES]);

/*
 * Hashes a folder without its bot.json, so that one bot under several names has one hash. Returns
 * the same as package_copy.
 */
int package_hash_content(const char *source, char hash[static PACKAGE_HASH_CHARS + 1],
                         char error[static PACKAGE_ERROR_BYTES]);

/*
 * The same as package_copy for a single file: target is the path of the copy, whose mode is 0755.
 */
int package_copy_file(const char *source, const char *target,
                      char hash[static PACKAGE_HASH_CHARS + 1],
                      char error[static PACKAGE_ERROR_BYTES]);

#endif
