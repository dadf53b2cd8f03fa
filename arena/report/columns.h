/* SPDX-License-Identifier: MIT */
/*
 * Prints tables as text, CSV and JSON, and help on them, all from one description of the columns.
 * Each column names a field of the rows, or a function that computes its value from a row. model.h
 * lists the tables of all that the arena tells.
 */
#ifndef ARENA_REPORT_COLUMNS_H
#define ARENA_REPORT_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum columns_limits {
    COLUMNS_TEXT_BYTES = 512, /* maximum size of one value */
    COLUMNS_TYPE_BYTES = 32,  /* room for the text of a type */
    COLUMNS_WIDTH = 80,       /* width of text if the terminal's width is unknown */
    GRID_COLUMNS_MAX = 40,
};

/* ---- columns ---- */

/* The forms of a table in which a column appears, as bits. */
enum column_form {
    COLUMN_IN_TEXT = 1 << 0,
    COLUMN_IN_JSON = 1 << 1,
    COLUMN_IN_CSV = 1 << 2,
    COLUMN_IN_CARD = 1 << 3, /* text about a single row, one line per column */
    COLUMN_IN_DATA = COLUMN_IN_JSON | COLUMN_IN_CSV,
    COLUMN_EVERYWHERE = COLUMN_IN_TEXT | COLUMN_IN_DATA,
};

enum column_kind {
    COLUMN_NOTHING = 0, /* no value: null in JSON, an empty cell elsewhere */
    COLUMN_TEXT = 1, /* text; the field is an array of char; "": null in JSON if it may be null */
    COLUMN_INTEGER = 2, /* an int64_t */
    COLUMN_REAL = 3,    /* a double; NAN: the cell is empty */
    COLUMN_BOOL = 4,    /* a bool; "yes" or an empty cell in text and CSV */
    /* Kinds of fields only; column_get_fn and column_text give values of the kinds above. */
    COLUMN_INT = 5,     /* an int, shown as an integer */
    COLUMN_MS = 6,      /* an int64_t in microseconds, shown as a real number of milliseconds */
    COLUMN_MOMENT = 7,  /* an int64_t in microseconds since 1970, 0: never; local time in text */
    COLUMN_WORD = 8,    /* an enum, shown as that element of the column's words */
    COLUMN_FLAG = 9,    /* a bool, shown as the column's first or second word */
    COLUMN_MEMBER = 10, /* the row is a json_t, and the value its member of the column's name */
};

/* Who may see a column; each also sees what those before may see. */
enum column_reader {
    READER_PUBLIC = 0,
    READER_AUTHOR = 1,    /* the author of the bot or submission that the row is about */
    READER_ORGANIZER = 2, /* whoever may use the store by commands */
};

struct column_value {
    enum column_kind kind;
    int64_t integer;
    double real; /* a fraction of 1 if the column's unit is "%" */
    bool is_true;
    char text[COLUMNS_TEXT_BYTES];
};

struct column;

/*
 * Computes a column's value in a row. *value is COLUMN_NOTHING before the call, so a function
 * without a value for this row does nothing.
 */
typedef void column_get_fn(const void *context, const void *row, const struct column *column,
                           struct column_value *value);

/*
 * Returns a column's value in a row as JSON, for values that are more than one number or text; a
 * new reference.
 */
typedef json_t *column_json_fn(const void *context, const void *row);

struct column {
    const char *name;        /* key in JSON, heading in CSV */
    const char *title;       /* heading in a text table */
    unsigned forms;          /* enum column_form bits */
    const char *explanation; /* what it means: one sentence without a period */
    enum column_kind kind;   /* kind of the field, or of the value that get_fn computes */
    size_t offset; /* offset of the field in a row; a get_fn may use it for another purpose */
    column_get_fn *get_fn;   /* computes the value; NULL: the field has it */
    column_json_fn *json_fn; /* makes the value in JSON; NULL: made from the value in text */
    /* Finds the struct with the field from context and row; NULL: the row itself. */
    const void *(*of_fn)(const void *context, const void *row);
    /*
     * Type in JSON, NULL if the kind says it: "text", "integer", "number", "boolean", "time",
     * "object", or the name of a thing (model.h); then "[]" for an array of these, "?" if it may be
     * null. "text?": an empty text is null.
     */
    const char *type;
    const char *const *words;  /* of COLUMN_WORD and COLUMN_FLAG; NULL-terminated */
    enum column_reader reader; /* the least that a reader must be to see the column */
    /* Lists in which the column appears, as bits that the caller defines; 0: all lists. */
    unsigned only;
    const char *parent; /* JSON object around the key, and prefix of the CSV heading; or NULL */
    const char *unit;   /* "Elo", "%", "ms", "s" or NULL */
    const char *style;  /* parameter of an SGR sequence for terminals, or NULL */
    int level;          /* text shows the columns of level 0, and of as many higher levels as fit */
    int decimals;       /* digits after the point, in JSON and CSV */
    int text_decimals;  /* digits after the point, in text */
    int least_width;    /* minimum width of wrapped text; 0: the text never wraps */
    bool left;          /* align to the left, as text; otherwise to the right, as numbers */
    bool sign;          /* in text: show a plus sign for positive numbers */
};

struct columns {
    const struct column *columns;
    int count;
};

/* Columns whose value a function computes, and columns of rows that are JSON objects. */
#define WORDS_BY(getter, its_type)  .kind = COLUMN_TEXT, .type = its_type, .get_fn = getter
#define NUMBER_BY(getter, its_type) .kind = COLUMN_INTEGER, .type = its_type, .get_fn = getter
#define MEMBER(its_type)            .kind = COLUMN_MEMBER, .type = its_type

#define COLUMNS_OF(array)                                                                          \
    {                                                                                              \
        array, (int)(sizeof(array) / sizeof *(array))                                              \
    }

/* The rows of a table: an array of structs. */
struct columns_rows {
    const void *rows;
    size_t row_bytes;
    int count;
    const void *context; /* passed to each get_fn and json_fn */
    const char *note;    /* line before row note_at in text output, printed as it is; NULL: none */
    int note_at;
};

/* The layout of text. */
struct columns_layout {
    int width;  /* terminal columns; 0: unlimited */
    bool color; /* the output may have SGR sequences */
};

/*
 * Prints a table: a line of headings, then each row in one line, or in several if a cell wraps.
 * Returns 0 or -ENOMEM.
 */
int columns_print_text(FILE *stream, const struct columns *columns, const struct columns_rows *rows,
                       struct columns_layout layout);

/* Prints a table as CSV: a line of names, then one line per row (RFC 4180, but with line feeds). */
void columns_print_csv(FILE *stream, const struct columns *columns,
                       const struct columns_rows *rows);

/*
 * Returns a table as JSON: an array with one object per row, of what the reader may see: a
 * new reference.
 */
json_t *columns_json(const struct columns *columns, const struct columns_rows *rows,
                     enum column_reader reader);

/* Returns one row as a JSON object, like columns_json. */
json_t *columns_row_json(const struct columns *columns, const void *row, const void *context,
                         enum column_reader reader);

/* Returns what the reader may see of an object that columns_row_json made for another reader. */
json_t *columns_cut(const struct columns *columns, const json_t *object, enum column_reader reader);

/* Prints a card of one row: a line "title  value" per column that has a value. */
void columns_print_card(FILE *stream, const struct columns *columns, const void *row,
                        const void *context);

/* Prints the help: one line "  title  key in JSON: explanation" per column. */
void columns_print_help(FILE *stream, const struct columns *columns);

/*
 * Returns one cell as text for people, "" if it has no value. Uses *value as memory: the text is
 * valid as long as *value.
 */
const char *column_text(const struct column *column, const struct columns_rows *rows, int row,
                        struct column_value *value);

/* Writes a column's type in JSON, as struct column says. */
void column_type(const struct column *column, char text[static COLUMNS_TYPE_BYTES]);

/* Writes a moment as local time; "" for 0. */
void column_write_moment(int64_t us, char text[static COLUMNS_TEXT_BYTES]);

/* Set a value, for use in a column_get_fn. column_set_text cuts text that is too long. */
void column_set_text(struct column_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void column_set_integer(struct column_value *value, int64_t integer);

/* ---- numbers and fields of CSV ---- */

/* Returns value rounded to 0..9 decimals. Never returns a negative zero. */
double decimals_round(double value, int decimals);

/*
 * Writes a field of CSV: unchanged, or quoted if it contains a comma, a quote or a line end (RFC
 * 4180).
 */
void csv_field_write(FILE *file, const char *text);

/* ---- grids: cells of text in columns that fit a width ---- */

struct grid_column {
    const char *style; /* parameter of an SGR sequence for the column's cells, or NULL */
    int level; /* a column of level 0 is always shown; those of higher levels, lowest first, while
                  they fit; none behind one of its level that does not */
    int least_width; /* minimum width of a cell that wraps; 0: cells never wrap */
    bool left;       /* aligned to the left */
    bool hidden;     /* not shown; set by grid_print */
    int width;       /* width in terminal columns; set by grid_print */
};

/* Cells of text, row by row; the first row has the headings. */
struct grid {
    struct grid_column columns[GRID_COLUMNS_MAX];
    int column_count;
    char **cells; /* text of the cells, escaped so that no name can control a terminal */
    int cell_count;
};

/*
 * Starts an empty grid of column_count columns (at most GRID_COLUMNS_MAX). The caller then sets the
 * fields of columns[].
 */
void grid_init(struct grid *grid, int column_count);
void grid_finish(struct grid *grid);

/*
 * Adds the next cell: cells come from left to right, row by row. Copies text. Returns 0 or -ENOMEM.
 */
int grid_add(struct grid *grid, const char *text);

/*
 * Prints the grid within layout.width. If note is not NULL, prints it on a line of its own before
 * row note_at; row 0 is the row below the headings.
 */
void grid_print(struct grid *grid, FILE *stream, struct columns_layout layout, int note_at,
                const char *note);

#endif
