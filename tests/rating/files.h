/* SPDX-License-Identifier: MIT */
/* Files for the rating tests, read as a whole. */
#ifndef TESTS_RATING_FILES_H
#define TESTS_RATING_FILES_H

#include <stddef.h>

#include "arena/rating/csv.h"

/* Returns the text of tests/golden/ratings/NAME, NUL-terminated; the caller frees it. */
char *files_read(const char *name);

/* Returns the games of such a file. The caller calls csv_finish. */
struct csv files_read_games(const char *name);

/* Returns the games of a text, which must be valid. The caller calls csv_finish. */
struct csv files_parse(const char *text);

/* Returns the number of the bot with that name; the test fails if there is none. */
int files_bot(const struct csv *csv, const char *name);

#endif
