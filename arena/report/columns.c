#include "arena/report/columns.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "arena/report/csv_field.h"
#include "arena/report/decimals.h"
#include "arena/report/grid.h"

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

void column_set_real(struct column_value *value, double real)
{
    value->kind = isnan(real) ? COLUMN_NOTHING : COLUMN_REAL;
    value->real = real;
}

void column_set_bool(struct column_value *value, bool is_true)
{
    value->kind = COLUMN_BOOL;
    value->is_true = is_true;
}

static void get(const struct column *column, const void *rows, int row, struct column_value *value)
{
    value->kind = COLUMN_NOTHING;
    value->text[0] = '\0';
    column->get_fn(rows, row, column, value);
}

/* ---- text ---- */

/* Formats a value for people, in value->text. */
static const char *text_of(const struct column *column, struct column_value *value)
{
    double scale = strcmp(column->unit, "%") == 0 ? 100 : 1;

    switch (value->kind) {
    case COLUMN_NOTHING:
        return "";
    case COLUMN_TEXT:
        break;
    case COLUMN_INTEGER:
        snprintf(value->text, sizeof value->text, "%lld", (long long)value->integer);
        break;
    case COLUMN_REAL:
        snprintf(value->text, sizeof value->text, column->sign ? "%+.*f" : "%.*f",
                 column->text_decimals, decimals_round(scale * value->real, column->text_decimals));
        break;
    case COLUMN_BOOL:
        return value->is_true ? "yes" : "";
    }
    return value->text;
}

int columns_print_text(FILE *stream, const struct columns *columns, const struct columns_rows *rows,
                       struct columns_layout layout)
{
    struct column_value value;
    struct grid grid;
    int shown[GRID_COLUMNS_MAX], shown_count = 0, error = 0;

    for (int i = 0; i < columns->count && shown_count < GRID_COLUMNS_MAX; i++)
        if (columns->columns[i].forms & COLUMN_IN_TEXT)
            shown[shown_count++] = i;
    grid_init(&grid, shown_count);
    for (int i = 0; i < shown_count; i++) {
        const struct column *column = &columns->columns[shown[i]];

        grid.columns[i] = (struct grid_column){.style = column->style,
                                               .level = column->level,
                                               .least_width = column->least_width,
                                               .left = column->left};
        error |= grid_add(&grid, column->title);
    }
    for (int row = 0; row < rows->count; row++)
        for (int i = 0; i < shown_count; i++) {
            const struct column *column = &columns->columns[shown[i]];

            get(column, rows->rows, row, &value);
            error |= grid_add(&grid, text_of(column, &value));
        }
    if (!error)
        grid_print(&grid, stream, layout.width, layout.color, rows->note_at, rows->note);
    grid_finish(&grid);
    return error;
}

/* ---- CSV ---- */

static void print_csv_value(FILE *stream, const struct column *column,
                            const struct column_value *value)
{
    switch (value->kind) {
    case COLUMN_NOTHING:
        break;
    case COLUMN_TEXT:
        csv_field_write(stream, value->text);
        break;
    case COLUMN_INTEGER:
        fprintf(stream, "%lld", (long long)value->integer);
        break;
    case COLUMN_REAL:
        fprintf(stream, "%.*f", column->decimals, decimals_round(value->real, column->decimals));
        break;
    case COLUMN_BOOL:
        fputs(value->is_true ? "yes" : "", stream);
        break;
    }
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
                get(column, rows->rows, row, &value);
                print_csv_value(stream, column, &value);
            }
        }
        fputc('\n', stream);
    }
}

/* ---- JSON ---- */

static json_t *json_of(const struct column *column, const void *rows, int row)
{
    struct column_value value;

    if (column->json_fn)
        return column->json_fn(rows, row);
    get(column, rows, row, &value);
    switch (value.kind) {
    case COLUMN_NOTHING:
        break;
    case COLUMN_TEXT:
        return json_string(value.text);
    case COLUMN_INTEGER:
        return json_integer(value.integer);
    case COLUMN_REAL:
        return json_real(decimals_round(value.real, column->decimals));
    case COLUMN_BOOL:
        return json_boolean(value.is_true);
    }
    return json_null();
}

json_t *columns_json(const struct columns *columns, const void *rows, int row)
{
    json_t *object = json_object();

    for (int i = 0; i < columns->count && object; i++) {
        const struct column *column = &columns->columns[i];
        json_t *into = object;

        if (!(column->forms & COLUMN_IN_JSON))
            continue;
        if (column->parent) {
            into = json_object_get(object, column->parent);
            if (!into) {
                into = json_object();
                json_object_set_new(object, column->parent, into);
            }
        }
        if (json_object_set_new(into, column->name, json_of(column, rows, row)) < 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
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
