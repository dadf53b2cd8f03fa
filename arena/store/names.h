/* SPDX-License-Identifier: MIT */
/*
 * Names of authors. Names that look alike are the same name: in another case, composed otherwise
 * (NFC, NFD), or with letters that Unicode's list of confusables calls alike, such as a Cyrillic
 * `a`. Two such names have the same key. libicu reads the names.
 */
#ifndef ARENA_STORE_NAMES_H
#define ARENA_STORE_NAMES_H

#include "arena/store/store.h"

enum names_limits {
    NAME_FAULT_BYTES = 160,
};

/*
 * Checks a name that somebody chooses: valid text, letters of one script (Chinese, Japanese and
 * Korean may stand with Latin ones), single blanks, none at its ends. Writes the name in NFC.
 * Returns false with the fault in words.
 */
bool store_author_name_read(const char *text, char name[static STORE_TEXT_BYTES_MAX + 1],
                            char fault[static NAME_FAULT_BYTES]);

/* Writes the key of any text. Returns false if libicu is not installed, or cannot read the text. */
bool store_author_key(const char *text, char key[static STORE_HASH_DIGITS + 1]);

/*
 * True if two names look alike in the case in which they stand. Their keys may differ: pauI looks
 * like paul, but is paui in another case.
 */
bool store_author_names_match(const char *name, const char *other);

/*
 * Replaces a name by the spelling of an author, or of a bot's author, if that looks alike. Returns
 * 0 or an error.
 */
int store_author_adopt(struct store *store, char name[static STORE_TEXT_BYTES_MAX + 1]);

#endif
