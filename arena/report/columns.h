/*
 * Tables as text, CSV and JSON, and their help, all generated from one description of the columns.
 * Knows nothing about the rows: getters read them.
 */
#ifndef ARENA_REPORT_COLUMNS_H
#define ARENA_REPORT_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum columns_limits {
    COLUMNS_TEXT_BYTES = 512, /* limit of one value */
    COLUMNS_WIDTH = 80,       /* of text, if the terminal's width is unknown */
};

/* The forms in which a column appears: bits. */
enum column_form {
    COLUMN_IN_TEXT = 1 << 0,
    COLUMN_IN_JSON = 1 << 1,
    COLUMN_IN_CSV = 1 << 2,
    COLUMN_EVERYWHERE = COLUMN_IN_TEXT | COLUMN_IN_JSON | COLUMN_IN_CSV,
};

enum column_kind {
    COLUMN_NOTHING = 0, /* null in JSON, an empty cell elsewhere */
    COLUMN_TEXT = 1,
    COLUMN_INTEGER = 2,
    COLUMN_REAL = 3,
    COLUMN_BOOL = 4, /* "yes" or an empty cell in text and CSV */
};

struct column_value {
    enum column_kind kind;
    int64_t integer;
    double real; /* a fraction of 1 if the unit is "%"; NAN: no value */
    bool is_true;
    char text[COLUMNS_TEXT_BYTES];
};

struct column;

/* Reads the value of a column in row `row` into *value, which is COLUMN_NOTHING before. */
typedef void column_get_fn(const void *rows, int row, const struct column *column,
                           struct column_value *value);

/* The value as JSON, for a column whose value is more than one number or text. Returns a new
 * reference. */
typedef json_t *column_json_fn(const void *rows, int row);

struct column {
    const char *name;   /* key in JSON and CSV */
    const char *parent; /* JSON object that contains it, or NULL; in CSV a prefix of its name */
    const char *title;  /* heading in a text table */
    const char *unit;   /* "Elo", "%", "ms" or "" */
    const char *explanation; /* for help: one sentence without a period */
    column_get_fn *get_fn;   /* may be NULL for JSON if json_fn is set */
    column_json_fn *json_fn; /* or NULL */
    const char *style;       /* on a terminal: parameter of an SGR sequence, or NULL */
    unsigned forms;          /* enum column_form bits */
    int level;               /* text shows level 0, and as many further levels as fit */
    int decimals;            /* digits after the point, in JSON and CSV */
    int text_decimals;       /* digits after the point, in text */
    int least_width;         /* longer text wraps, at this width or more; 0: never */
    int detail;              /* for get_fn: which of its values */
    bool left;               /* align to the left, as text; else to the right, as numbers */
    bool sign;               /* in text: show a plus sign for positive numbers */
};

struct columns {
    const struct column *columns;
    int count;
};

/* The rows to show. */
struct columns_rows {
    const void *rows; /* passed to the getters */
    int count;
    int note_at;      /* in text: row before which the note is shown; count or -1: no note */
    const char *note; /* unescaped */
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

/* Returns one row as an object: a new reference, NULL if memory runs out. */
json_t *columns_json(const struct columns *columns, const void *rows, int row);

/* Prints "  title  key in JSON: explanation", one line per column. */
void columns_print_help(FILE *stream, const struct columns *columns);

/* Set a value; text is cut to the available room. */
void column_set_text(struct column_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void column_set_integer(struct column_value *value, int64_t integer);
void column_set_real(struct column_value *value, double real);
void column_set_bool(struct column_value *value, bool is_true);

#endif
