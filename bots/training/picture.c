/* Draws learned weights: line charts as SVG, readable on light and dark pages. */
#include "bots/training/training.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum {
    PICTURE_LINES_MAX = 8,
    PICTURE_PLACES_MAX = 8,
};

struct picture {
    const char *title;
    const char *x_title;
    int place_count; /* number of positions along the x axis */
    const char *places[PICTURE_PLACES_MAX];
    int line_count;
    const char *lines[PICTURE_LINES_MAX];
    double points[PICTURE_LINES_MAX][PICTURE_PLACES_MAX];
};

enum {
    WIDTH = 640,
    HEIGHT = 320,
    LEFT = 48,
    RIGHT = 520, /* x coordinate at which lines end; the names of the lines are to the right */
    TOP = 40,
    BOTTOM = 272,
    GRID_LINES = 6, /* approximate maximum of horizontal grid lines */
};

/* Colors of lines that people with red-green blindness can tell apart, too. */
static const char *const colors[PICTURE_LINES_MAX] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"};

struct scale {
    double low, high, step;
};

static struct scale scale_of(const struct picture *picture)
{
    struct scale scale = {.low = 0, .high = 0, .step = 1};

    for (int line = 0; line < picture->line_count; line++)
        for (int place = 0; place < picture->place_count; place++) {
            scale.low = fmin(scale.low, picture->points[line][place]);
            scale.high = fmax(scale.high, picture->points[line][place]);
        }
    for (int i = 0; (scale.high - scale.low) / scale.step > GRID_LINES; i++)
        scale.step *= i % 3 == 1 ? 2.5 : 2; /* steps are 1, 2, 5, 10, 20, ... */
    scale.low = floor(scale.low / scale.step) * scale.step;
    scale.high = ceil(scale.high / scale.step) * scale.step;
    return scale;
}

static double x_of(const struct picture *picture, int place)
{
    return LEFT + (double)(RIGHT - LEFT) * place / (picture->place_count - 1);
}

static double y_of(const struct scale *scale, double points)
{
    return BOTTOM - (BOTTOM - TOP) * (points - scale->low) / (scale->high - scale->low);
}

static void write_axes(FILE *file, const struct picture *picture, const struct scale *scale)
{
    for (double points = scale->low; points < scale->high + scale->step / 2;
         points += scale->step) {
        double y = y_of(scale, points);

        fprintf(file,
                "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#888' "
                "stroke-opacity='%s'/>\n",
                LEFT, y, RIGHT, y, fabs(points) < scale->step / 2 ? "0.9" : "0.25");
        fprintf(file, "<text x='%d' y='%.1f' text-anchor='end'>%g</text>\n", LEFT - 6, y + 4,
                points);
    }
    for (int place = 0; place < picture->place_count; place++)
        fprintf(file, "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n",
                x_of(picture, place), BOTTOM + 18, picture->places[place]);
    fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 38, picture->x_title);
}

/* Writes the names beside the ends of their lines, moved apart where they would overlap. */
static void write_names(FILE *file, const struct picture *picture, const struct scale *scale)
{
    double ys[PICTURE_LINES_MAX], last = -1e9;
    int order[PICTURE_LINES_MAX];

    for (int line = 0; line < picture->line_count; line++) {
        int place = line;

        ys[line] = y_of(scale, picture->points[line][picture->place_count - 1]) + 4;
        for (; place > 0 && ys[order[place - 1]] > ys[line]; place--)
            order[place] = order[place - 1];
        order[place] = line;
    }
    for (int i = 0; i < picture->line_count; i++) {
        int line = order[i];

        last = fmax(ys[line], last + 15);
        fprintf(file, "<text x='%d' y='%.1f' fill='%s'>%s</text>\n", RIGHT + 8, last, colors[line],
                picture->lines[line]);
    }
}

/* Writes a chart. Returns 0 or -errno. */
static int write_chart(const struct picture *picture, const char *path)
{
    struct scale scale = scale_of(picture);
    FILE *file = fopen(path, "w");

    if (!file)
        return -errno;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12' fill='#777'>\n"
            "<text x='%d' y='20' font-size='14'>%s</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, picture->title);
    write_axes(file, picture, &scale);
    for (int line = 0; line < picture->line_count; line++) {
        fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='2' points='", colors[line]);
        for (int place = 0; place < picture->place_count; place++)
            fprintf(file, "%s%.1f,%.1f", place > 0 ? " " : "", x_of(picture, place),
                    y_of(&scale, picture->points[line][place]));
        fputs("'/>\n", file);
    }
    write_names(file, picture, &scale);
    fputs("</svg>\n", file);
    return fclose(file) == 0 ? 0 : -errno;
}

static double points_of(int32_t weight)
{
    return (double)weight / VALUE_POINT;
}

/* Draws the value of holding the token during the draft phase, by round. */
static void draw_token(const struct weights_set *set, struct picture *picture)
{
    for (int round = 0; round < GAME_ROUNDS; round++) {
        const struct weights *weights = &set->of[round][VALUE_DRAFT];

        for (int until = 0; until < 2; until++)
            picture->points[0][round] +=
                points_of(weights->token[until][0] - weights->token[until][1]) / 2;
    }
}

/* Draws the value of the first tiles of the wild color, kept for the next round. */
static void draw_wild(const struct weights_set *set, struct picture *picture)
{
    for (int round = 0; round < GAME_ROUNDS - 1; round++) {
        const struct weights *weights = &set->of[round][VALUE_END];

        for (int count = 1; count <= 4; count++)
            picture->points[count - 1][round] =
                points_of(weights->wild[count] - weights->wild[count - 1]);
    }
}

/*
 * Draws the value of an outer star by the number of filled spaces, from cost 1 up, as the mean of
 * all six, by round.
 */
static void draw_stars(const struct weights_set *set, struct picture *picture)
{
    for (int round = 0; round < GAME_ROUNDS; round++) {
        const struct weights *weights = &set->of[round][VALUE_DRAFT];

        for (int fill = 0; fill <= 6; fill++)
            for (int star = 0; star < 6; star++) {
                int64_t worth = weights->star_mask[star][(1 << fill) - 1][0] +
                                weights->star_wild[star][fill][0][0];

                worth -= weights->star_mask[star][0][0] + weights->star_wild[star][0][0][0];
                picture->points[round][fill] += (double)worth / VALUE_POINT / 6;
            }
    }
}

int picture_write_weights(const struct weights_set *set, const char *folder)
{
    struct picture token = {.title = "What holding the token is worth, in points",
                            .x_title = "round",
                            .place_count = 6,
                            .places = {"1", "2", "3", "4", "5", "6"},
                            .line_count = 1,
                            .lines = {"token"}};
    struct picture wild = {.title = "What keeping tiles of the next wild color is worth, in points",
                           .x_title = "kept at the end of round",
                           .place_count = 5,
                           .places = {"1", "2", "3", "4", "5"},
                           .line_count = 4,
                           .lines = {"first tile", "second", "third", "fourth"}};
    struct picture stars = {
        .title = "What an outer star brings yet, against an empty one, in points",
        .x_title = "costs covered, from 1 up",
        .place_count = 7,
        .places = {"0", "1", "2", "3", "4", "5", "6"},
        .line_count = 6,
        .lines = {"round 1", "round 2", "round 3", "round 4", "round 5", "round 6"}};
    const struct {
        struct picture *picture;
        void (*draw_fn)(const struct weights_set *set, struct picture *picture);
        const char *name;
    } pictures[] = {
        {&token, draw_token, "token"}, {&wild, draw_wild, "wild"}, {&stars, draw_stars, "stars"}};

    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        char path[4096];
        int status;

        pictures[i].draw_fn(set, pictures[i].picture);
        if ((size_t)snprintf(path, sizeof path, "%s/%s.svg", folder, pictures[i].name) >=
            sizeof path)
            return -ENAMETOOLONG;
        status = write_chart(pictures[i].picture, path);
        if (status != 0)
            return status;
    }
    return 0;
}
