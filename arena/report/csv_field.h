/*
 * One field of a CSV line.
 */
#ifndef ARENA_REPORT_CSV_FIELD_H
#define ARENA_REPORT_CSV_FIELD_H

#include <stdio.h>

/* Writes text unchanged, or quoted if it contains a comma, a quote or a line end (RFC 4180). */
void csv_field_write(FILE *file, const char *text);

#endif
