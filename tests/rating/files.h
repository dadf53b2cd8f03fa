/* Files the rating tests read, each whole. */
#ifndef TESTS_RATING_FILES_H
#define TESTS_RATING_FILES_H

#include <stddef.h>

#include "arena/rating/csv.h"

/* The text of tests/golden/ratings/NAME, NUL-terminated; the caller frees it. */
char *files_read(const char *name);

/* The games of such a file. The caller calls csv_finish. */
struct csv files_read_games(const char *name);

/* The games of a text that must be right. The caller calls csv_finish. */
struct csv files_parse(const char *text);

/* The number of a bot by name; the test fails if there is none. */
int files_bot(const struct csv *csv, const char *name);

#endif
