/* SPDX-License-Identifier: MIT */
/*
 * Kits: templates for a new bot, one per language. They are in sdk/kits/LANGUAGE/ and built into
 * the program; kit.txt in that folder describes the kit, a line for each field of struct kit.
 * @NAME@ and @AUTHOR@ in a file are replaced by the bot's name and its author,
 * @VERSION@ by the version of the program. Every kit also gets the files of sdk/kits/shared/, and
 * those of C and C++ get the SDK twice: as a library, which makes a build fast, and as sources, for
 * machines where that library does not link.
 */
#ifndef ARENA_KITS_KITS_H
#define ARENA_KITS_KITS_H

#include <stddef.h>
#include <stdint.h>

/* A file of a kit; the list ends with place NULL. */
struct kit_file {
    const char *place; /* KIT/PATH */
    const uint8_t *bytes;
    size_t size;
};

extern const struct kit_file kit_files[];

/* A language with a kit; the list ends with language NULL. */
struct kit {
    const char *language; /* as in file names */
    const char *title;    /* as people write it */
    const char *needs;    /* Debian's packages that must be installed, as a list for people */
    const char *names;    /* what else the language is called, with spaces between, or NULL */
    const char *sources;  /* another folder whose files it gets, or NULL */
    const char *prepare;  /* a command to run in it before the first check, or NULL */
    const char *test;     /* the command that tests it without an arena */
};

extern const struct kit kits[];

/* Returns the kit of a language, by its name or another one ("c++", "JS"), or NULL. */
const struct kit *kit_find(const char *name);

/* Takes a file of a kit. Returns 0, or -errno to stop. */
typedef int kit_file_fn(void *context, const char *path, const uint8_t *bytes, size_t size);

/*
 * Passes each file of a kit, for a bot of this name and author, to file_fn. Returns how many, or
 * -errno.
 */
int kit_each(const struct kit *kit, const char *name, const char *author, kit_file_fn *file_fn,
             void *context);

/*
 * Creates folder, which must not exist yet, and writes a kit into it. Returns how many files it
 * wrote, or -errno; on failure *path names what could not be written (the caller frees it; may be
 * NULL), and files already written stay.
 */
int kit_write(const struct kit *kit, const char *folder, const char *name, const char *author,
              char **path);

#endif
