/*
 * Cells of text in columns that fit a width: the one column writer. Text comes in as it
 * is and goes out escaped (replay/plain_text.h), so no name can act on a terminal.
 */
#ifndef ARENA_REPORT_GRID_H
#define ARENA_REPORT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum grid_limits {
    GRID_COLUMNS_MAX = 40,
};

struct grid_column {
    const char *style; /* the number of an SGR sequence for its cells, or NULL */
    int level;         /* 0: always shown; others only while all before them fit */
    int least_width;   /* a cell wraps within this much or more; 0: never */
    bool left;         /* aligned at the left */
    bool hidden;       /* set by grid_print */
    int width;         /* likewise: terminal columns */
};

/* Cells row by row; the first row are the headings. */
struct grid {
    struct grid_column columns[GRID_COLUMNS_MAX];
    int column_count;
    char **cells; /* escaped */
    size_t cell_count, cell_room;
};

/* An empty grid of so many columns (GRID_COLUMNS_MAX at most), for the caller to describe. */
void grid_init(struct grid *grid, int column_count);

/* Takes a zeroed one. */
void grid_finish(struct grid *grid);

/* Adds the next cell, from left to right and row by row; copies it. 0 or -ENOMEM. */
int grid_add(struct grid *grid, const char *text);

/*
 * Prints it within so many terminal columns; 0: as wide as it comes, with every column. A
 * note of its own line stands before row note_at, counted without the headings, if there is
 * such a row.
 */
void grid_print(struct grid *grid, FILE *stream, int width, bool color, int note_at,
                const char *note);

#endif
