/*
 * Tables as text, CSV and JSON, and the help that explains them, all from one description
 * of their columns. Knows nothing of what the rows are: a getter reads them.
 */
#ifndef ARENA_REPORT_COLUMNS_H
#define ARENA_REPORT_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum columns_limits {
    COLUMNS_TEXT_BYTES = 512, /* of one value */
    COLUMNS_WIDTH = 80,       /* of text where nothing else is known */
};

/* Where a column appears: bits. */
enum column_form {
    COLUMN_IN_TEXT = 1 << 0,
    COLUMN_IN_JSON = 1 << 1,
    COLUMN_IN_CSV = 1 << 2,
    COLUMN_EVERYWHERE = COLUMN_IN_TEXT | COLUMN_IN_JSON | COLUMN_IN_CSV,
};

enum column_kind {
    COLUMN_NOTHING = 0, /* null, or an empty cell */
    COLUMN_TEXT = 1,
    COLUMN_INTEGER = 2,
    COLUMN_REAL = 3,
    COLUMN_BOOL = 4, /* in text and CSV "yes", or an empty cell */
};

struct column_value {
    enum column_kind kind;
    int64_t integer;
    double real; /* a share of 1 where the unit is "%"; NAN is nothing */
    bool is_true;
    char text[COLUMNS_TEXT_BYTES];
};

struct column;

/* Reads a cell of row number `row`, which is COLUMN_NOTHING before. */
typedef void column_get_fn(const void *rows, int row, const struct column *column,
                           struct column_value *value);

/* The same as JSON, where a value is more than one number or text; a new reference. */
typedef json_t *column_json_fn(const void *rows, int row);

struct column {
    const char *name;        /* key in JSON and CSV */
    const char *parent;      /* the JSON object that holds it, or NULL; in CSV before its name */
    const char *title;       /* heading in text */
    const char *unit;        /* "Elo", "%", "ms" or "" */
    const char *explanation; /* for help: one sentence without a full stop */
    column_get_fn *get_fn;   /* NULL in JSON where json_fn is not */
    column_json_fn *json_fn; /* or NULL */
    const char *style;       /* on a terminal: the number of an SGR sequence, or NULL */
    unsigned forms;          /* enum column_form bits */
    int level;         /* text has all of level 0, of the others as many as fit, lowest first */
    int decimals;      /* of a real number in JSON and CSV */
    int text_decimals; /* and in text */
    int least_width;   /* text that is too long wraps within it; 0: it never does */
    int detail;        /* for get_fn: which of several */
    bool left;         /* text stands at the left, numbers at the right */
    bool sign;         /* a plus before a positive number, in text */
};

struct columns {
    const struct column *columns;
    int count;
};

/* What there is to show. */
struct columns_rows {
    const void *rows; /* for the getters */
    int count;
    int note_at;      /* before this row stands a note, in text; count or -1: none */
    const char *note; /* plain */
};

/* How text is laid out. */
struct columns_layout {
    int width;  /* terminal columns; 0: as many as it takes */
    bool color; /* may use SGR sequences */
};

/* A heading and a line a row, or several where a cell wraps. 0 or -ENOMEM. */
int columns_print_text(FILE *stream, const struct columns *columns, const struct columns_rows *rows,
                       struct columns_layout layout);

/* A line of names and a line a row (RFC 4180, with line feeds). */
void columns_print_csv(FILE *stream, const struct columns *columns,
                       const struct columns_rows *rows);

/* One row as an object; a new reference, NULL when memory is out. */
json_t *columns_json(const struct columns *columns, const void *rows, int row);

/* "  title  key in JSON: explanation", a line a column. */
void columns_print_help(FILE *stream, const struct columns *columns);

/* Sets a value; text is cut at its room. */
void column_set_text(struct column_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void column_set_integer(struct column_value *value, int64_t integer);
void column_set_real(struct column_value *value, double real);
void column_set_bool(struct column_value *value, bool is_true);

#endif
