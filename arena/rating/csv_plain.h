/*
 * The fast way through rows of seats that are plain, as nearly all are; what is not is
 * left to csv_rows. Only csv_rows.c includes it.
 */
#ifndef ARENA_RATING_CSV_PLAIN_H
#define ARENA_RATING_CSV_PLAIN_H

#include "arena/rating/csv_rows.h"

/*
 * Reads plain rows from *at to the first that is not plain, right or wrong, or is among
 * the last few; *at is there then. The text ends at end, with a line's end if it is not
 * empty. Returns 0, or -EINVAL or -ENOMEM as csv_rows_read.
 */
int csv_plain_read(struct csv_rows *rows, const char **at, const char *end);

#endif
