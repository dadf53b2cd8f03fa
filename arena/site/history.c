/* The chart of ratings over a season's groups: parts_history. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/html.h"
#include "arena/site/parts.h"
#include "arena/site/season_index.h"

enum {
    WIDTH = 1000,
    HEIGHT = 320,
    LEFT = 50,   /* margin for the scale */
    RIGHT = 170, /* margin for the names */
};

struct point {
    int64_t group;
    double elo;
    int played; /* groups of this name up to here */
};

/* The line of a name: all its versions, one after another. */
struct line {
    int name; /* first entry of the name */
    double error95;
    struct point *points;
    size_t count;
};

struct chart {
    const struct season_data *data;
    struct line lines[PARTS_HISTORY_MAX];
    int line_count;
    int64_t groups;
    double from, to; /* Elo */
};

/* Collects the points of a name. Returns 0, or -1 if memory runs out. */
static int fill_line(struct line *line, const struct season_data *data)
{
    const struct data_point *points = season_index_points(data, line->name, &line->count);

    line->points = calloc(line->count + 1, sizeof *line->points);
    if (!line->points)
        return -1;
    for (size_t i = 0; i < line->count; i++)
        line->points[i] = (struct point){points[i].group, points[i].elo, (int)i + 1};
    return 0;
}

/* Returns the error at a point: that of the final list, scaled for the smaller number of groups. */
static double error_at(const struct line *line, const struct point *point)
{
    return fmin(line->error95 * sqrt((double)line->count / point->played), 300);
}

static double x_of(const struct chart *chart, int64_t group)
{
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * (double)(group + 1) / (double)chart->groups;
}

static double y_of(const struct chart *chart, double elo)
{
    return 10 + (HEIGHT - 40) * (chart->to - elo) / (chart->to - chart->from);
}

static void choose_lines(struct chart *chart, int name)
{
    const struct standings *standings = &chart->data->standings;

    for (int i = 0; i < standings->row_counts[0] && chart->line_count < PARTS_HISTORY_MAX; i++) {
        const struct ladder_row *row = &standings->ladders[0].rows[i];
        int of = data_name(chart->data, row->entry);
        bool known = false;

        for (int j = 0; j < chart->line_count; j++)
            known = known || chart->lines[j].name == of;
        if (!known && row->group_count > 0 && (name == LADDER_NOBODY || name == of))
            chart->lines[chart->line_count++] = (struct line){.name = of, .error95 = row->error95};
    }
}

static void find_range(struct chart *chart)
{
    chart->from = LADDER_ANCHOR_ELO - 50;
    chart->to = LADDER_ANCHOR_ELO + 50;
    for (int i = 0; i < chart->line_count; i++)
        for (size_t p = 0; p < chart->lines[i].count; p++) {
            const struct point *point = &chart->lines[i].points[p];
            double error = fmin(error_at(&chart->lines[i], point), 100);

            chart->from = fmin(chart->from, point->elo - error);
            chart->to = fmax(chart->to, point->elo + error);
        }
}

static void write_scale(FILE *page, const struct chart *chart)
{
    double step = chart->to - chart->from > 600 ? 200 : chart->to - chart->from > 250 ? 100 : 50;

    for (double elo = ceil(chart->from / step) * step; elo <= chart->to; elo += step)
        fprintf(page,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"4\" y=\"%.1f\">%.0f</text>\n",
                LEFT, y_of(chart, elo), WIDTH - RIGHT, y_of(chart, elo) + 4, elo);
    fprintf(page, "<text x=\"%d\" y=\"%d\">groups of games: %lld</text>\n", LEFT, HEIGHT - 8,
            (long long)chart->groups);
}

/* Returns the next of at most PARTS_POINTS_MAX points, which include the last. */
static size_t next_point(const struct line *line, size_t p)
{
    size_t step = line->count / PARTS_POINTS_MAX + 1;

    return p + 1 == line->count ? line->count : p + step < line->count ? p + step : line->count - 1;
}

static double clipped_y(const struct chart *chart, double elo)
{
    return fmin(fmax(y_of(chart, elo), 10), HEIGHT - 30);
}

static void write_line(FILE *page, const struct chart *chart, int i)
{
    static const char *const dashes[] = {"", " stroke-dasharray=\"8 4\""};
    const struct line *line = &chart->lines[i];

    if (line->count == 0)
        return;
    fprintf(page, "<g class=\"s%d\"><path class=\"band\" d=\"", i % 4);
    for (size_t p = 0; p < line->count; p = next_point(line, p))
        fprintf(page, "%c%.1f %.1f", p ? 'L' : 'M', x_of(chart, line->points[p].group),
                clipped_y(chart, line->points[p].elo + error_at(line, &line->points[p])));
    for (size_t p = line->count; p-- > 0;
         p -= p < line->count / PARTS_POINTS_MAX ? p : line->count / PARTS_POINTS_MAX)
        fprintf(page, "L%.1f %.1f", x_of(chart, line->points[p].group),
                clipped_y(chart, line->points[p].elo - error_at(line, &line->points[p])));
    fprintf(page, "z\"/><path%s d=\"", dashes[i / 4 % 2]);
    for (size_t p = 0; p < line->count; p = next_point(line, p))
        fprintf(page, "%c%.1f %.1f", p ? 'L' : 'M', x_of(chart, line->points[p].group),
                y_of(chart, line->points[p].elo));
    fputs("\"/></g>\n", page);
}

static int compare_ends(const void *a, const void *b)
{
    const struct line *first = a, *second = b;
    double x = first->count ? first->points[first->count - 1].elo : 0;
    double y = second->count ? second->points[second->count - 1].elo : 0;

    return (x < y) - (x > y);
}

/* Writes the names at the right, so that they do not overlap. */
static void write_names(FILE *page, const struct chart *chart)
{
    double last = -INFINITY;

    for (int i = 0; i < chart->line_count; i++) {
        const struct line *line = &chart->lines[i];

        if (line->count == 0)
            continue;
        last = fmax(last + 16, y_of(chart, line->points[line->count - 1].elo) + 4);
        fprintf(page, "<text class=\"end s%d\" x=\"%d\" y=\"%.1f\">", i % 4, WIDTH - RIGHT + 8,
                last);
        html_format(page, "%.20s %.0f", data_bot(chart->data, line->name)->name,
                    line->points[line->count - 1].elo);
        fputs("</text>\n", page);
    }
}

void parts_history(FILE *page, const struct season_data *data, int name)
{
    struct chart chart = {.data = data};
    bool filled = true;

    if (data->point_count > 0)
        chart.groups = data->points[data->point_count - 1].group + 1;
    choose_lines(&chart, name);
    for (int i = 0; i < chart.line_count; i++)
        filled = fill_line(&chart.lines[i], data) == 0 && filled;
    if (chart.line_count > 0 && filled && chart.groups > 0) {
        qsort(chart.lines, (size_t)chart.line_count, sizeof *chart.lines, compare_ends);
        find_range(&chart);
        fprintf(page,
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"History\">"
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
                "aria-label=\"Live Elo over the groups of the season\">\n",
                WIDTH, HEIGHT);
        write_scale(page, &chart);
        for (int i = 0; i < chart.line_count; i++)
            write_line(page, &chart, i);
        write_names(page, &chart);
        fputs("</svg></div>\n<p class=\"quiet\">Live Elo as the groups came. The band is the 95 % "
              "error of the final list, wider where fewer groups had been played.</p>\n",
              page);
    } else {
        fputs("<p>No group is finished yet.</p>\n", page);
    }
    for (int i = 0; i < chart.line_count; i++)
        free(chart.lines[i].points);
}
