/* The final position of a match as a small SVG file, which links to the match show elsewhere. */
#include <math.h>
#include <string.h>

#include "arena/site/course.h"
#include "arena/site/html.h"
#include "engine/board.h"

enum {
    BOARD_WIDTH = 220,  /* a board of radius 105, as in viewer/draw.js */
    BOARD_HEIGHT = 260, /* with a line for the name and the score above it */
    REACH = 64,         /* from the board's center to that of an outer star */
};

static const double pi = 3.14159265358979;

/* Writes a rhombus, of which all colors share the form. */
static void write_space(FILE *svg, int star, int space)
{
    double star_angle = (-120 + 60 * star) * pi / 180;
    double angle = (star == GAME_STAR_CENTER ? -90 + 60 * space : -90 + 60 * (space + star - 5));
    double x = star == GAME_STAR_CENTER ? 0 : REACH * cos(star_angle);
    double y = star == GAME_STAR_CENTER ? 0 : REACH * sin(star_angle);
    double turn = angle * pi / 180;
    double forth_x = 16.6 * cos(turn), forth_y = 16.6 * sin(turn);
    double side_x = -9.6 * sin(turn), side_y = 9.6 * cos(turn);

    x += 17.3 * cos(turn);
    y += 17.3 * sin(turn);
    fprintf(svg, "M%.1f %.1fL%.1f %.1f %.1f %.1f %.1f %.1fz", x + forth_x, y + forth_y, x + side_x,
            y + side_y, x - forth_x, y - forth_y, x - side_x, y - side_y);
}

/* Writes the spaces of a board that have this color, or the empty ones, as one path. */
static void write_color(FILE *svg, const struct position_seat *seat, int color)
{
    static const char *const fills[] = {"#cc79a7", "#009e73", "#e69f00",
                                        "#f0e442", "#0072b2", "#d55e00"};

    fprintf(svg, "<path fill=\"%s\" d=\"M0 0", color == GAME_EMPTY ? "#fffefb" : fills[color]);
    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            if (seat->stars[star][space] == color)
                write_space(svg, star, space);
    fputs("\"/>", svg);
}

void course_picture(FILE *svg, const struct course *course)
{
    int seats = course->replay->terms.player_count;
    int columns = seats == 3 ? 3 : 2, rows = seats == 4 ? 2 : 1;

    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"system-ui, sans-serif\"><rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fbf8f3\"/>\n",
            2 * columns * BOARD_WIDTH, 2 * rows * BOARD_HEIGHT, columns * BOARD_WIDTH,
            rows * BOARD_HEIGHT);
    for (int seat = 0; seat < seats; seat++) {
        fprintf(svg,
                "<g transform=\"translate(%d %d)\"><text x=\"-102\" y=\"-116\" font-size=\"15\" "
                "font-weight=\"600\">",
                seat % columns * BOARD_WIDTH + BOARD_WIDTH / 2,
                seat / columns * BOARD_HEIGHT + BOARD_HEIGHT - 110);
        html_bytes(svg, course->names[seat], strlen(course->names[seat]), 20);
        fprintf(svg,
                "</text><text x=\"102\" y=\"-116\" font-size=\"18\" font-weight=\"700\" "
                "text-anchor=\"end\">%d</text><circle r=\"105\" fill=\"#f1ebe0\"/><g "
                "stroke=\"#62605a\" stroke-opacity=\".5\">",
                course->replay->result.scores[seat]);
        for (int color = GAME_EMPTY; color < GAME_COLORS; color++)
            write_color(svg, &course->last.seats[seat], color);
        fputs("</g></g>\n", svg);
    }
    fputs("</svg>\n", svg);
}
