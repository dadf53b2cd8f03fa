/*
 * One field of a CSV line.
 */
#ifndef ARENA_REPORT_CSV_FIELD_H
#define ARENA_REPORT_CSV_FIELD_H

#include <stdio.h>

/* Writes text as it is, or quoted where a comma, a quote or a line's end is in it (RFC 4180). */
void csv_field_write(FILE *file, const char *text);

#endif
