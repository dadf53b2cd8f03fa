#include "arena/report/grid.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/plain_text.h"

static const char bold[] = "1";

void grid_init(struct grid *grid, int column_count)
{
    memset(grid, 0, sizeof *grid);
    grid->column_count = column_count;
}

void grid_finish(struct grid *grid)
{
    for (size_t i = 0; i < grid->cell_count; i++)
        free(grid->cells[i]);
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
}

int grid_add(struct grid *grid, const char *text)
{
    char *plain = plain_text(text);

    if (plain && grid->cell_count == grid->cell_room) {
        size_t room = grid->cell_room ? 2 * grid->cell_room : 256;
        char **moved = realloc(grid->cells, room * sizeof *moved);

        if (moved) {
            grid->cells = moved;
            grid->cell_room = room;
        } else {
            free(plain);
            plain = NULL;
        }
    }
    if (!plain)
        return -ENOMEM;
    grid->cells[grid->cell_count++] = plain;
    return 0;
}

static int columns_of(const char *text)
{
    return (int)plain_text_columns(text, strlen(text));
}

/* ---- widths ---- */

/* Returns the gap before a column: text needs more distance from a number before it. */
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

/* Makes every column as wide as its widest cell. */
static void measure(struct grid *grid)
{
    for (size_t i = 0; i < grid->cell_count; i++) {
        struct grid_column *column = &grid->columns[i % (size_t)grid->column_count];
        int width = columns_of(grid->cells[i]);

        if (width > column->width)
            column->width = width;
    }
}

/* Shows columns above level 0, lowest levels first, while they fit without wrapping. */
static void choose_columns(struct grid *grid, int width)
{
    int level_max = 0;

    for (int i = 0; i < grid->column_count; i++) {
        grid->columns[i].hidden = grid->columns[i].level > 0;
        if (grid->columns[i].level > level_max)
            level_max = grid->columns[i].level;
    }
    for (int level = 1; level <= level_max; level++)
        for (int i = 0; i < grid->column_count; i++) {
            if (grid->columns[i].level != level)
                continue;
            grid->columns[i].hidden = false;
            if (width_of(grid) > width)
                grid->columns[i].hidden = true;
        }
}

/* Narrows columns that may wrap, the widest first, until all fit or none can be narrower. */
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
 * Returns how many bytes of a cell fit on one line: up to a comma, else a space, else as many as
 * fit.
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

/* Returns the last column that has text left for this line. */
static int last_filled(const struct grid *grid, const char *const *rest)
{
    int last = 0;

    for (int i = 0; i < grid->column_count; i++)
        if (!grid->columns[i].hidden && *rest[i])
            last = i;
    return last;
}

static bool is_empty(const struct grid *grid, const char *const *rest)
{
    for (int i = 0; i < grid->column_count; i++)
        if (!grid->columns[i].hidden && *rest[i])
            return false;
    return true;
}

/* Prints one row, on as many lines as its longest cell needs. */
static void print_row(const struct grid *grid, FILE *stream, char **cells, bool color, bool heading)
{
    const char *rest[GRID_COLUMNS_MAX];

    for (int i = 0; i < grid->column_count; i++)
        rest[i] = cells[i];
    do {
        int last = last_filled(grid, rest);

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
    } while (!is_empty(grid, rest));
}

void grid_print(struct grid *grid, FILE *stream, int width, bool color, int note_at,
                const char *note)
{
    int row_count = (int)(grid->cell_count / (size_t)grid->column_count);

    measure(grid);
    if (width) {
        choose_columns(grid, width);
        narrow(grid, width);
    }
    for (int row = 0; row < row_count; row++) {
        if (row > 0 && row - 1 == note_at)
            fprintf(stream, "%s\n", note);
        print_row(grid, stream, grid->cells + (size_t)row * (size_t)grid->column_count, color,
                  row == 0);
    }
}
