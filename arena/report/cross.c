#include "arena/report/cross.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/replay/plain_text.h"
#include "arena/report/decimals.h"
#include "arena/report/grid.h"

enum {
    CELL_COLUMNS = 12, /* "100.0/10000" and a space */
    LABEL_COLUMNS_MAX = 24,
};

static const struct ladder *ladder_of(const struct report_ladder *report)
{
    return &report->standings->ladders[report->player_count];
}

static int row_count_of(const struct report_ladder *report)
{
    return report->standings->row_counts[report->player_count];
}

static void label_of(const struct report_ladder *report, int row,
                     char label[static STANDINGS_LABEL_BYTES])
{
    standings_label(&report->standings->roster, ladder_of(report)->rows[row].entry, label);
}

static struct residual cell_of(const struct report_ladder *report, int a, int b)
{
    const struct ladder *ladder = ladder_of(report);

    if (a == b)
        return (struct residual){.game_count = 0};
    return residual_of(&ladder->games, &ladder->fit, ladder->rows[a].entry, ladder->rows[b].entry);
}

/* ---- text ---- */

static int add_cell(struct grid *grid, const struct report_ladder *report, int a, int b,
                    bool residuals)
{
    struct residual cell = cell_of(report, a, b);
    char text[64] = "";

    if (a == b)
        strcpy(text, "-");
    else if (cell.game_count && residuals)
        snprintf(text, sizeof text, "%+.1f", decimals_round(100 * (cell.score - cell.expected), 1));
    else if (cell.game_count)
        snprintf(text, sizeof text, "%.1f/%lld", decimals_round(100 * cell.score, 1),
                 (long long)cell.game_count);
    return grid_add(grid, text);
}

/* Prints one table of the columns from..to. */
static int print_block(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout, bool residuals, int from, int to)
{
    char text[STANDINGS_LABEL_BYTES];
    struct grid grid;
    int error = 0;

    grid_init(&grid, 2 + to - from);
    grid.columns[1] =
        (struct grid_column){.left = true, .least_width = layout.width ? LABEL_COLUMNS_MAX : 0};
    error |= grid_add(&grid, "") | grid_add(&grid, "bot");
    for (int j = from; j < to; j++) {
        snprintf(text, sizeof text, "%d", j + 1);
        error |= grid_add(&grid, text);
    }
    for (int i = 0; i < row_count_of(report); i++) {
        snprintf(text, sizeof text, "%d", i + 1);
        error |= grid_add(&grid, text);
        label_of(report, i, text);
        error |= grid_add(&grid, text);
        for (int j = from; j < to; j++)
            error |= add_cell(&grid, report, i, j, residuals);
    }
    if (!error)
        grid_print(&grid, stream, layout.width, layout.color, -1, NULL);
    grid_finish(&grid);
    return error;
}

static int print_table(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout, bool residuals)
{
    int fits =
        layout.width ? (layout.width - LABEL_COLUMNS_MAX - 6) / CELL_COLUMNS : GRID_COLUMNS_MAX;
    int error = 0;

    if (fits < 1)
        fits = 1;
    if (fits > GRID_COLUMNS_MAX - 2)
        fits = GRID_COLUMNS_MAX - 2;
    for (int from = 0; from < row_count_of(report) && !error; from += fits) {
        int to = from + fits < row_count_of(report) ? from + fits : row_count_of(report);

        fputs(from ? "\n" : "", stream);
        error = print_block(stream, report, layout, residuals, from, to);
    }
    return error;
}

/*
 * Calls each_fn for the pairs with a statistically significant difference, with the better scorer
 * passed as `a`.
 */
static int each_beyond(const struct report_ladder *report,
                       void (*each_fn)(void *context, const struct report_ladder *report, int a,
                                       int b, struct residual residual),
                       void *context)
{
    double bound = residual_bound(&ladder_of(report)->games);
    int count = 0;

    for (int i = 0; i < row_count_of(report); i++)
        for (int j = 0; j < row_count_of(report); j++) {
            struct residual cell = cell_of(report, i, j);

            if (cell.evidence <= bound || cell.score < cell.expected)
                continue;
            each_fn(context, report, i, j, cell);
            count++;
        }
    return count;
}

static void print_beyond(void *context, const struct report_ladder *report, int a, int b,
                         struct residual residual)
{
    char first[STANDINGS_LABEL_BYTES], second[STANDINGS_LABEL_BYTES];

    label_of(report, a, first);
    label_of(report, b, second);
    plain_text_printf(context,
                      "  %s scored %.1f %% in %lld games against %s; %.1f %% was expected\n", first,
                      decimals_round(100 * residual.score, 1), (long long)residual.game_count,
                      second, decimals_round(100 * residual.expected, 1));
}

int report_cross_print(FILE *stream, const struct report_ladder *report,
                       struct columns_layout layout)
{
    int error;

    fputs("score in percent of the row's bot against the column's / games\n\n", stream);
    error = print_table(stream, report, layout, false);
    fputs("\nresidual: score minus the score that the ratings predict, in percent\n\n", stream);
    if (!error)
        error = print_table(stream, report, layout, true);
    fputs("\nresiduals that chance does not explain:\n", stream);
    if (each_beyond(report, print_beyond, stream) == 0)
        fputs("  none\n", stream);
    return error;
}

/* ---- JSON ---- */

static void add_beyond(void *context, const struct report_ladder *report, int a, int b,
                       struct residual residual)
{
    char first[STANDINGS_LABEL_BYTES], second[STANDINGS_LABEL_BYTES];

    label_of(report, a, first);
    label_of(report, b, second);
    json_array_append_new(context, json_pack("{s:s, s:s, s:I, s:f, s:f}", "bot", first, "opponent",
                                             second, "games", (json_int_t)residual.game_count,
                                             "score", decimals_round(residual.score, 6), "expected",
                                             decimals_round(residual.expected, 6)));
}

static json_t *cell_json(struct residual cell)
{
    return cell.game_count ? json_pack("{s:I, s:f, s:f}", "games", (json_int_t)cell.game_count,
                                       "score", decimals_round(cell.score, 6), "residual",
                                       decimals_round(cell.score - cell.expected, 6))
                           : json_null();
}

json_t *report_cross_json(const struct report_ladder *report)
{
    json_t *names = json_array(), *rows = json_array(), *beyond = json_array();

    for (int i = 0; i < row_count_of(report); i++) {
        char label[STANDINGS_LABEL_BYTES];
        json_t *cells = json_array();

        label_of(report, i, label);
        json_array_append_new(names, json_string(label));
        for (int j = 0; j < row_count_of(report); j++)
            json_array_append_new(cells, cell_json(cell_of(report, i, j)));
        json_array_append_new(rows, cells);
    }
    each_beyond(report, add_beyond, beyond);
    return json_pack("{s:s, s:o, s:o, s:o}", "season", report->standings->season.name, "bots",
                     names, "cross", rows, "residuals", beyond);
}
