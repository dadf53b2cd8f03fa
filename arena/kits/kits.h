/*
 * Kits: what a new bot of a language begins with. They lie in sdk/kits/LANGUAGE/ and are part of
 * the program. @NAME@ and @AUTHOR@ in a file stand for the bot's name and its author. A kit also
 * gets the files of sdk/kits/shared/, and those of C and C++ the sources of the SDK.
 */
#ifndef ARENA_KITS_KITS_H
#define ARENA_KITS_KITS_H

#include <stddef.h>
#include <stdint.h>

/* A file of a kit; the list ends with a place of NULL. */
struct kit_file {
    const char *place; /* KIT/PATH */
    const uint8_t *bytes;
    size_t size;
};

extern const struct kit_file kit_files[];

/* A language that there is a kit for; the list ends with a language of NULL. */
struct kit {
    const char *language;
    const char *needs;   /* what has to be installed, in words */
    const char *sources; /* a further folder of files, or NULL */
};

extern const struct kit kits[];

/* The kit of a language, or NULL. */
const struct kit *kit_find(const char *language);

/*
 * Writes a kit into folder, which is made and must not exist. Returns how many files it wrote,
 * or -errno; *path (NULL, or for the caller to free) is then what could not be written. What was
 * written before stays.
 */
int kit_write(const struct kit *kit, const char *folder, const char *name, const char *author,
              char **path);

#endif
