/* SPDX-License-Identifier: MIT */
/*
 * A bot's files as the arena keeps them: copied once, with plain modes, so that their author can no
 * longer change them; and hashed while they are copied, so that the hash is that of the files that
 * are executed.
 *
 * The hash is SHA-256 over every entry in ascending order of its path (bytes): path NUL mode NUL
 * size NUL content, where mode is "040755" for a folder, "120777" for a symbolic link (its content
 * is its target), "100755" for a file with any execute bit and "100644" for any other file, and
 * size is decimal. The hash of a plain executable is that of its bytes, as sha256sum prints it.
 */
#ifndef ARENA_PLAY_PACKAGE_H
#define ARENA_PLAY_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "sdk/wire.h"

/* ---- the manifest, bot.json: the bot's name and how to run it; untrusted text ---- */

enum manifest_limits {
    MANIFEST_BYTES_MAX = 65536,     /* maximum size of bot.json */
    MANIFEST_ARGUMENTS_MAX = 64,    /* maximum number of arguments of run, and of build */
    MANIFEST_PROCESSES_MAX = 64,    /* maximum of the key "processes" */
    MANIFEST_PATH_BYTES_MAX = 1024, /* longest path of a file in a package */
    MANIFEST_ERROR_BYTES = 1024,    /* room for one line that says what is wrong */
};

/* All keys, in the order of docs/bots.md, and NULL. */
extern const char *const manifest_keys[];

struct manifest {
    char name[WIRE_NAME_BYTES_MAX + 1]; /* name of the bot; "" if the manifest has none */
    char version[WIRE_NAME_BYTES_MAX + 1];
    char author[WIRE_NAME_BYTES_MAX + 1];
    char language[WIRE_NAME_BYTES_MAX + 1];
    char **run;        /* argv, ending with NULL; at least one element */
    char **build;      /* argv, ending with NULL; NULL: no build */
    char **keep;       /* paths to keep after the build, ending with NULL; NULL: keep all */
    int process_count; /* the key "processes"; 1 if missing */
};

/*
 * Parses text of size bytes. Returns 0 and fills *manifest, which the caller frees with
 * manifest_finish. Or returns -1 after writing to error what is wrong, without a file name;
 * *manifest is then zeroed.
 */
int manifest_parse(struct manifest *manifest, const char *text, size_t size,
                   char error[static MANIFEST_ERROR_BYTES]);

/* Frees the manifest's texts. Accepts a zeroed manifest. */
void manifest_finish(struct manifest *manifest);

/* ---- the files ---- */

enum package_limits {
    PACKAGE_FILES_MAX = 20000,
    PACKAGE_BYTES_MAX = 512 << 20,
    PACKAGE_HASH_CHARS = 64,    /* length of a SHA-256 in hex */
    PACKAGE_ERROR_BYTES = 1024, /* room for one line that says what is wrong */
};

/* The result of copying a package; 0 if the arena accepts the package. */
enum package_result {
    PACKAGE_REFUSED = -1, /* the bot's author has to fix the package */
    PACKAGE_FAILED = -2,  /* the arena failed: no memory, descriptors or space, or a disk error */
    PACKAGE_STARVED = -3, /* the machine was too busy for the build */
};

/* True if this errno, from reading a bot's files, is the arena's fault and not the bot's. */
bool package_is_arenas_error(int error);

/*
 * Copies the folder source to target, which must not exist; if target is NULL, only computes the
 * hash. Folders get mode 0755, files 0644 or 0755. Copies symbolic links as they are; refuses other
 * special files and names that are not UTF-8. Writes the hash in hex. Returns 0, or another
 * package_result after writing one line to error; the incomplete copy then stays, for tree_remove
 * (tree.h).
 */
int package_copy(const char *source, const char *target, char hash[static PACKAGE_HASH_CHARS + 1],
                 char error[static PACKAGE_ERROR_BYTES]);

/*
 * Hashes a folder without its bot.json, so that copies of a bot with different names have one hash.
 * Returns the same as package_copy.
 */
int package_hash_content(const char *source, char hash[static PACKAGE_HASH_CHARS + 1],
                         char error[static PACKAGE_ERROR_BYTES]);

/* Copies a single file to the path target, with mode 0755; otherwise like package_copy. */
int package_copy_file(const char *source, const char *target,
                      char hash[static PACKAGE_HASH_CHARS + 1],
                      char error[static PACKAGE_ERROR_BYTES]);

#endif
