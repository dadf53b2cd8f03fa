/*
 * Tables as text, CSV and JSON, and their help, all generated from one description of the columns:
 * a column names a field of a row, or a function that computes its value.
 */
#ifndef ARENA_REPORT_COLUMNS_H
#define ARENA_REPORT_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum columns_limits {
    COLUMNS_TEXT_BYTES = 512, /* limit of one value */
    COLUMNS_WIDTH = 80,       /* of text, if the terminal's width is unknown */
    GRID_COLUMNS_MAX = 40,
};

/* ---- columns ---- */

/* The forms in which a column appears: bits. */
enum column_form {
    COLUMN_IN_TEXT = 1 << 0,
    COLUMN_IN_JSON = 1 << 1,
    COLUMN_IN_CSV = 1 << 2,
    COLUMN_IN_DATA = COLUMN_IN_JSON | COLUMN_IN_CSV,
    COLUMN_EVERYWHERE = COLUMN_IN_TEXT | COLUMN_IN_DATA,
};

enum column_kind {
    COLUMN_NOTHING = 0, /* null in JSON, an empty cell elsewhere */
    COLUMN_TEXT = 1,    /* of a field: an array of char */
    COLUMN_INTEGER = 2, /* int64_t */
    COLUMN_REAL = 3,    /* double; NAN: nothing */
    COLUMN_BOOL = 4,    /* "yes" or an empty cell in text and CSV */
    /* Only of fields; their values have one of the kinds above. */
    COLUMN_INT = 5,    /* int: an integer */
    COLUMN_MS = 6,     /* int64_t in microseconds: a real number of milliseconds */
    COLUMN_MOMENT = 7, /* int64_t in microseconds since 1970, 0: never; for JSON only */
};

struct column_value {
    enum column_kind kind;
    int64_t integer;
    double real; /* a fraction of 1 if the unit is "%" */
    bool is_true;
    char text[COLUMNS_TEXT_BYTES];
};

struct column;

/* Computes a column's value in a row into *value, which is COLUMN_NOTHING before. */
typedef void column_get_fn(const void *context, const void *row, const struct column *column,
                           struct column_value *value);

/* The same as JSON, of a value that is more than one number or text. Returns a new reference. */
typedef json_t *column_json_fn(const void *context, const void *row);

struct column {
    const char *name;        /* key in JSON and CSV */
    const char *title;       /* heading in a text table */
    unsigned forms;          /* enum column_form bits */
    const char *explanation; /* for help: one sentence without a period */
    enum column_kind kind;   /* of the field; COLUMN_NOTHING: get_fn computes the value */
    size_t offset;           /* of the field in a row; a get_fn may use it as it likes */
    column_get_fn *get_fn;
    column_json_fn *json_fn; /* or NULL */
    unsigned only;           /* the lists that have it; 0: all. For who chooses columns */
    const char *parent; /* JSON object that contains it, or NULL; in CSV a prefix of its name */
    const char *unit;   /* "Elo", "%", "ms" or NULL */
    const char *style;  /* on a terminal: parameter of an SGR sequence, or NULL */
    int level;          /* text shows level 0, and as many further levels as fit */
    int decimals;       /* digits after the point, in JSON and CSV */
    int text_decimals;  /* digits after the point, in text */
    int least_width;    /* longer text wraps, at this width or more; 0: never */
    bool left;          /* align to the left, as text; else to the right, as numbers */
    bool sign;          /* in text: show a plus sign for positive numbers */
};

struct columns {
    const struct column *columns;
    int count;
};

/* The rows to show: an array of structs. */
struct columns_rows {
    const void *rows;
    size_t row_bytes;
    int count;
    const void *context; /* passed to the getters */
    const char *note;    /* in text: an unescaped line before row note_at; NULL: none */
    int note_at;
};

/* The layout of text. */
struct columns_layout {
    int width;  /* terminal columns; 0: unlimited */
    bool color; /* may use SGR sequences */
};

/* Prints a heading and one line per row, more if a cell wraps. Returns 0 or -ENOMEM. */
int columns_print_text(FILE *stream, const struct columns *columns, const struct columns_rows *rows,
                       struct columns_layout layout);

/* Prints a line of names and one line per row (RFC 4180, but with line feeds). */
void columns_print_csv(FILE *stream, const struct columns *columns,
                       const struct columns_rows *rows);

/* Returns an array with an object per row: a new reference, NULL if memory runs out. */
json_t *columns_json(const struct columns *columns, const struct columns_rows *rows);

/* Prints "  title  key in JSON: explanation", one line per column. */
void columns_print_help(FILE *stream, const struct columns *columns);

/* Reads one value, and returns it as text for people: "" for nothing; valid as long as *value. */
const char *column_text(const struct column *column, const struct columns_rows *rows, int row,
                        struct column_value *value);

/* Set a value; text is cut to the available room. */
void column_set_text(struct column_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void column_set_integer(struct column_value *value, int64_t integer);

/* ---- numbers and fields of CSV ---- */

/* Returns value rounded to 0..9 decimals; a zero is never negative. */
double decimals_round(double value, int decimals);

/* Writes text unchanged, or quoted if it contains a comma, a quote or a line end (RFC 4180). */
void csv_field_write(FILE *file, const char *text);

/* ---- grids: cells of text in columns that fit a width ---- */

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
    char **cells; /* escaped, so that no name can control a terminal */
    size_t cell_count, cell_room;
};

/*
 * Starts an empty grid of column_count columns (at most GRID_COLUMNS_MAX). The caller then sets the
 * fields of columns[].
 */
void grid_init(struct grid *grid, int column_count);
void grid_finish(struct grid *grid);

/* Adds the next cell, left to right and row by row. Copies text. Returns 0 or -ENOMEM. */
int grid_add(struct grid *grid, const char *text);

/*
 * Prints the grid within layout.width. If note is not NULL, prints it on a line of its own before
 * row note_at, the headings not counted.
 */
void grid_print(struct grid *grid, FILE *stream, struct columns_layout layout, int note_at,
                const char *note);

#endif
