/*
 * Prints cells of text in columns that fit a width. Escapes all text (replay/plain_text.h), so that
 * no name can control a terminal.
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
    const char *style; /* parameter of an SGR sequence for its cells, or NULL */
    int level;         /* 0: always shown; others only if they and all lower levels fit */
    int least_width;   /* a cell may wrap at this width or more; 0: never */
    bool left;         /* aligned to the left */
    bool hidden;       /* set by grid_print */
    int width;         /* set by grid_print: terminal columns */
};

/* Cells, row by row; the first row has the headings. */
struct grid {
    struct grid_column columns[GRID_COLUMNS_MAX];
    int column_count;
    char **cells; /* escaped */
    size_t cell_count, cell_room;
};

/*
 * Starts an empty grid of column_count columns (at most GRID_COLUMNS_MAX). The caller then sets the
 * fields of columns[].
 */
void grid_init(struct grid *grid, int column_count);

/* Accepts a zeroed grid. */
void grid_finish(struct grid *grid);

/* Adds the next cell, left to right and row by row. Copies text. Returns 0 or -ENOMEM. */
int grid_add(struct grid *grid, const char *text);

/*
 * Prints the grid within width terminal columns; 0: no limit, with every column. If note_at is the
 * index of a row, not counting the headings, prints note on a line of its own before that row.
 */
void grid_print(struct grid *grid, FILE *stream, int width, bool color, int note_at,
                const char *note);

#endif
