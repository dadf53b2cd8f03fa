/* SPDX-License-Identifier: MIT */
#include "arena/report/columns.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/base/array.h"
#include "arena/base/plain_text.h"
#include "arena/base/json.h"

/* ---- values ---- */

void column_set_text(struct column_value *value, const char *format, ...)
{
    va_list arguments;

    value->kind = COLUMN_TEXT;
    va_start(arguments, format);
    vsnprintf(value->text, sizeof value->text, format, arguments);
    va_end(arguments);
}

void column_set_integer(struct column_value *value, int64_t integer)
{
    value->kind = COLUMN_INTEGER;
    value->integer = integer;
}

static void set_real(struct column_value *value, double real)
{
    value->kind = isnan(real) ? COLUMN_NOTHING : COLUMN_REAL;
    value->real = real;
}

static const void *row_at(const struct columns_rows *rows, int row)
{
    return (const char *)rows->rows + (size_t)row * rows->row_bytes;
}

void column_write_moment(int64_t us, char text[static COLUMNS_TEXT_BYTES])
{
    const time_t seconds = (time_t)(us / 1000000);
    struct tm local;

    if (!us || !localtime_r(&seconds, &local) ||
        strftime(text, COLUMNS_TEXT_BYTES, "%Y-%m-%d %H:%M:%S %Z", &local) == 0)
        text[0] = '\0';
}

static const void *struct_of(const struct column *column, const struct columns_rows *rows, int row)
{
    return column->of_fn ? column->of_fn(rows->context, row_at(rows, row)) : row_at(rows, row);
}

static void get(const struct column *column, const struct columns_rows *rows, int row,
                struct column_value *value)
{
    const void *of = struct_of(column, rows, row);
    const void *field = (const char *)of + column->offset;

    value->kind = COLUMN_NOTHING;
    value->text[0] = '\0';
    if (column->get_fn) {
        column->get_fn(rows->context, of, column, value);
        return;
    }
    switch (column->kind) {
    case COLUMN_NOTHING:
    case COLUMN_MEMBER:
        break;
    case COLUMN_TEXT:
        column_set_text(value, "%s", (const char *)field);
        break;
    case COLUMN_INTEGER:
        column_set_integer(value, *(const int64_t *)field);
        break;
    case COLUMN_INT:
        column_set_integer(value, *(const int *)field);
        break;
    case COLUMN_REAL:
        set_real(value, *(const double *)field);
        break;
    case COLUMN_MS:
        set_real(value, (double)*(const int64_t *)field / 1000);
        break;
    case COLUMN_BOOL:
        value->kind = COLUMN_BOOL;
        value->is_true = *(const bool *)field;
        break;
    case COLUMN_MOMENT:
        value->kind = COLUMN_TEXT;
        column_write_moment(*(const int64_t *)field, value->text);
        break;
    case COLUMN_WORD:
        column_set_text(value, "%s", column->words[*(const int *)field]);
        break;
    case COLUMN_FLAG:
        column_set_text(value, "%s", column->words[*(const bool *)field]);
        break;
    }
}

/* Returns a value as text for people; the text is in value->text. */
static const char *text_of(const struct column *column, struct column_value *value)
{
    double scale = column->unit && strcmp(column->unit, "%") == 0 ? 100 : 1;

    if (value->kind == COLUMN_INTEGER)
        snprintf(value->text, sizeof value->text, "%lld", (long long)value->integer);
    else if (value->kind == COLUMN_REAL)
        snprintf(value->text, sizeof value->text, column->sign ? "%+.*f" : "%.*f",
                 column->text_decimals, decimals_round(scale * value->real, column->text_decimals));
    else if (value->kind == COLUMN_BOOL)
        snprintf(value->text, sizeof value->text, "%s", value->is_true ? "yes" : "");
    return value->text;
}

const char *column_text(const struct column *column, const struct columns_rows *rows, int row,
                        struct column_value *value)
{
    get(column, rows, row, value);
    return text_of(column, value);
}

/* ---- text ---- */

int columns_print_text(FILE *stream, const struct columns *columns, const struct columns_rows *rows,
                       struct columns_layout layout)
{
    const struct column *shown[GRID_COLUMNS_MAX];
    struct column_value value;
    struct grid grid;
    int count = 0, error = 0;

    for (int i = 0; i < columns->count && count < GRID_COLUMNS_MAX; i++)
        if (columns->columns[i].forms & COLUMN_IN_TEXT)
            shown[count++] = &columns->columns[i];
    grid_init(&grid, count);
    for (int i = 0; i < count; i++) {
        grid.columns[i] = (struct grid_column){.style = shown[i]->style,
                                               .level = shown[i]->level,
                                               .least_width = shown[i]->least_width,
                                               .left = shown[i]->left};
        error |= grid_add(&grid, shown[i]->title);
    }
    for (int row = 0; row < rows->count; row++)
        for (int i = 0; i < count; i++)
            error |= grid_add(&grid, column_text(shown[i], rows, row, &value));
    if (!error)
        grid_print(&grid, stream, layout, rows->note_at, rows->note);
    grid_finish(&grid);
    return error;
}

/* ---- CSV ---- */

void csv_field_write(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

double decimals_round(double value, int decimals)
{
    double scale = pow(10, decimals);
    double rounded = round(value * scale) / scale;

    return rounded == 0 ? 0 : rounded;
}

static void print_csv_value(FILE *stream, const struct column *column, struct column_value *value)
{
    const char *text;
    char *quoted = NULL;

    if (value->kind == COLUMN_REAL) {
        fprintf(stream, "%.*f", column->decimals, decimals_round(value->real, column->decimals));
        return;
    }
    text = text_of(column, value);
    /*
     * A spreadsheet takes a text that begins in this way for a formula, and authors choose the
     * versions of their bots: with an apostrophe before it, the formula stays text.
     */
    if (value->kind == COLUMN_TEXT && *text && strchr("=+-@", *text) &&
        asprintf(&quoted, "'%s", text) >= 0)
        text = quoted;
    csv_field_write(stream, text);
    free(quoted);
}

void columns_print_csv(FILE *stream, const struct columns *columns, const struct columns_rows *rows)
{
    struct column_value value;

    for (int row = -1; row < rows->count; row++) {
        const char *before = "";

        for (int i = 0; i < columns->count; i++) {
            const struct column *column = &columns->columns[i];

            if (!(column->forms & COLUMN_IN_CSV))
                continue;
            fputs(before, stream);
            before = ",";
            if (row < 0) {
                fprintf(stream, "%s%s%s", column->parent ? column->parent : "",
                        column->parent ? "_" : "", column->name);
            } else {
                get(column, rows, row, &value);
                print_csv_value(stream, column, &value);
            }
        }
        fputc('\n', stream);
    }
}

/* ---- JSON ---- */

static bool may_be_null(const struct column *column)
{
    return column->type && strchr(column->type, '?');
}

static json_t *value_json(const struct column *column, const struct columns_rows *rows, int row)
{
    const void *of = struct_of(column, rows, row);
    struct column_value value;

    if (column->json_fn)
        return column->json_fn(rows->context, of);
    if (column->kind == COLUMN_MEMBER)
        return json_incref(json_object_get(of, column->name)) ?: json_null();
    if (column->kind == COLUMN_MOMENT && !column->get_fn)
        return json_time_or_null(*(const int64_t *)((const char *)of + column->offset));
    get(column, rows, row, &value);
    if (value.kind == COLUMN_TEXT && (*value.text || !may_be_null(column)))
        return json_text(value.text, strlen(value.text));
    return value.kind == COLUMN_INTEGER ? json_integer(value.integer)
           : value.kind == COLUMN_BOOL  ? json_boolean(value.is_true)
           : value.kind == COLUMN_REAL  ? json_real(decimals_round(value.real, column->decimals))
                                        : json_null();
}

static json_t *row_json(const struct columns *columns, const struct columns_rows *rows, int row,
                        enum column_reader reader)
{
    json_t *object = json_object();

    for (int i = 0; i < columns->count; i++) {
        const struct column *column = &columns->columns[i];
        json_t *into = object;

        if (!(column->forms & COLUMN_IN_JSON) || column->reader > reader)
            continue;
        if (column->parent) {
            if (!json_object_get(object, column->parent))
                json_object_set_new(object, column->parent, json_object());
            into = json_object_get(object, column->parent);
        }
        json_object_set_new(into, column->name, value_json(column, rows, row));
    }
    return object;
}

json_t *columns_json(const struct columns *columns, const struct columns_rows *rows,
                     enum column_reader reader)
{
    json_t *array = json_array();

    for (int row = 0; row < rows->count; row++)
        json_array_append_new(array, row_json(columns, rows, row, reader));
    return array;
}

json_t *columns_row_json(const struct columns *columns, const void *row, const void *context,
                         enum column_reader reader)
{
    return row_json(columns, &(struct columns_rows){.rows = row, .context = context}, 0, reader);
}

json_t *columns_cut(const struct columns *columns, const json_t *object, enum column_reader reader)
{
    json_t *seen = json_object();

    for (const struct column *column = columns->columns; column < columns->columns + columns->count;
         column++)
        if (column->forms & COLUMN_IN_JSON && column->reader <= reader)
            json_object_set(seen, column->name, json_object_get(object, column->name));
    return seen;
}

void column_type(const struct column *column, char text[static COLUMNS_TYPE_BYTES])
{
    static const char *const types[] = {
        [COLUMN_NOTHING] = "",     [COLUMN_TEXT] = "text",    [COLUMN_INTEGER] = "integer",
        [COLUMN_REAL] = "number?", [COLUMN_BOOL] = "boolean", [COLUMN_INT] = "integer",
        [COLUMN_MS] = "number",    [COLUMN_MOMENT] = "time?", [COLUMN_WORD] = "text",
        [COLUMN_FLAG] = "text",    [COLUMN_MEMBER] = "",
    };

    snprintf(text, COLUMNS_TYPE_BYTES, "%s", column->type ? column->type : types[column->kind]);
}

/* ---- cards ---- */

void columns_print_card(FILE *stream, const struct columns *columns, const void *row,
                        const void *context)
{
    const struct columns_rows rows = {.rows = row, .context = context};
    struct column_value value;

    for (int i = 0; i < columns->count; i++) {
        const struct column *column = &columns->columns[i];

        if (column->forms & COLUMN_IN_CARD && *column_text(column, &rows, 0, &value))
            plain_text_printf(stream, "%-11s %s%s%s\n", column->title, value.text,
                              column->unit ? " " : "", column->unit ? column->unit : "");
    }
}

/* ---- help ---- */

void columns_print_help(FILE *stream, const struct columns *columns)
{
    for (int i = 0; i < columns->count; i++) {
        const struct column *column = &columns->columns[i];
        char key[64];

        if (!column->explanation)
            continue;
        snprintf(key, sizeof key, "%s%s%s", column->parent ? column->parent : "",
                 column->parent ? "." : "", column->name ? column->name : "");
        fprintf(stream, "  %-9s %-16s %s\n", column->title ? column->title : "", key,
                column->explanation);
    }
}

/* ---- grids ---- */

static const char bold[] = "1";

void grid_init(struct grid *grid, int column_count)
{
    memset(grid, 0, sizeof *grid);
    grid->column_count = column_count;
}

void grid_finish(struct grid *grid)
{
    for (int i = 0; i < grid->cell_count; i++)
        free(grid->cells[i]);
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
}

int grid_add(struct grid *grid, const char *text)
{
    char *plain = plain_text(text);
    int error = plain ? array_add(&grid->cells, &grid->cell_count, &plain, sizeof plain) : -ENOMEM;

    if (error)
        free(plain);
    return error;
}

static int columns_of(const char *text)
{
    return (int)plain_text_columns(text, strlen(text));
}

/* ---- widths ---- */

/*
 * Returns the gap before a column: 2 before text, which is hard to tell from a number close to it;
 * else 1.
 */
static int gap_before(const struct grid *grid, int column)
{
    return column == 0 ? 0 : grid->columns[column].left ? 2 : 1;
}

static int width_of(const struct grid *grid)
{
    int width = 0;

    for (int i = 0; i < grid->column_count; i++)
        if (!grid->columns[i].hidden)
            width += gap_before(grid, i) + grid->columns[i].width;
    return width;
}

static void measure(struct grid *grid)
{
    for (int i = 0; i < grid->cell_count; i++) {
        struct grid_column *column = &grid->columns[i % grid->column_count];
        int width = columns_of(grid->cells[i]);

        if (width > column->width)
            column->width = width;
    }
}

/*
 * Shows the columns of level 0, and those of higher levels, lowest first, while the table fits
 * without wrapping. Within a level none is shown behind one that does not fit.
 */
static void choose_columns(struct grid *grid, int width)
{
    int level_max = 0;

    for (int i = 0; i < grid->column_count; i++) {
        grid->columns[i].hidden = grid->columns[i].level > 0;
        if (grid->columns[i].level > level_max)
            level_max = grid->columns[i].level;
    }
    for (int level = 1; level <= level_max; level++) {
        bool fits = true;

        for (int i = 0; i < grid->column_count && fits; i++) {
            if (grid->columns[i].level != level)
                continue;
            grid->columns[i].hidden = false;
            fits = width_of(grid) <= width;
            grid->columns[i].hidden = !fits;
        }
    }
}

/*
 * Narrows the columns that may wrap, always the widest, until the table fits or no column can be
 * narrower.
 */
static void narrow(struct grid *grid, int width)
{
    while (width_of(grid) > width) {
        struct grid_column *widest = NULL;

        for (int i = 0; i < grid->column_count; i++) {
            struct grid_column *column = &grid->columns[i];

            if (column->hidden || !column->least_width || column->width <= column->least_width)
                continue;
            if (!widest || column->width > widest->width)
                widest = column;
        }
        if (!widest)
            return;
        widest->width--;
    }
}

/* ---- printing ---- */

/* Returns the size in bytes of at most the first `columns` characters of a text. */
static size_t bytes_of(const char *text, int columns)
{
    size_t size = 0;

    while (text[size] && (columns > 0 || ((uint8_t)text[size] & 0xc0) == 0x80)) {
        columns -= ((uint8_t)text[size] & 0xc0) != 0x80;
        size++;
    }
    while (((uint8_t)text[size] & 0xc0) == 0x80)
        size++;
    return size;
}

/*
 * Returns how many bytes of a cell to print on the next line of this width: up to a comma, else up
 * to a space, else as many as fit.
 */
static size_t piece_of(const char *text, int width)
{
    size_t fits = bytes_of(text, width);
    size_t at_space = 0, at_comma = 0;

    if (text[fits] == '\0')
        return fits;
    for (size_t i = 1; i <= fits; i++) {
        if (text[i] != ' ')
            continue;
        at_space = i;
        if (text[i - 1] == ',')
            at_comma = i;
    }
    return at_comma ? at_comma : at_space ? at_space : fits;
}

static void print_cell(FILE *stream, const struct grid_column *column, const char *text,
                       size_t size, const char *style, bool last)
{
    int pad = column->width - (int)plain_text_columns(text, size);

    if (!column->left)
        fprintf(stream, "%*s", pad, "");
    if (style && size)
        fprintf(stream, "\033[%sm%.*s\033[m", style, (int)size, text);
    else
        fprintf(stream, "%.*s", (int)size, text);
    if (column->left && !last)
        fprintf(stream, "%*s", pad, "");
}

static int last_filled(const struct grid *grid, const char *const *rest)
{
    for (int i = grid->column_count; i-- > 0;)
        if (!grid->columns[i].hidden && *rest[i])
            return i;
    return -1;
}

static void print_row(const struct grid *grid, FILE *stream, char **cells, bool color, bool heading)
{
    const char *rest[GRID_COLUMNS_MAX];
    int last;

    for (int i = 0; i < grid->column_count; i++)
        rest[i] = cells[i];
    last = last_filled(grid, rest);
    do {
        for (int i = 0; i <= last; i++) {
            const struct grid_column *column = &grid->columns[i];
            size_t size;

            if (column->hidden)
                continue;
            size = piece_of(rest[i], column->width);
            fprintf(stream, "%*s", gap_before(grid, i), "");
            print_cell(stream, column, rest[i], size,
                       !color    ? NULL
                       : heading ? bold
                                 : column->style,
                       i == last);
            rest[i] += size;
            rest[i] += strspn(rest[i], " ");
        }
        fputc('\n', stream);
        last = last_filled(grid, rest);
    } while (last >= 0);
}

void grid_print(struct grid *grid, FILE *stream, struct columns_layout layout, int note_at,
                const char *note)
{
    int row_count = grid->cell_count / grid->column_count;

    measure(grid);
    if (layout.width) {
        choose_columns(grid, layout.width);
        narrow(grid, layout.width);
    }
    for (int row = 0; row < row_count; row++) {
        if (note && row > 0 && row - 1 == note_at)
            fprintf(stream, "%s\n", note);
        print_row(grid, stream, grid->cells + (size_t)row * (size_t)grid->column_count,
                  layout.color, row == 0);
    }
}
