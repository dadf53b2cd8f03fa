#include "arena/commands/replay_screen.h"

#include <stdlib.h>
#include <string.h>

#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    /* 80 - 1, because clearing the rest of a row erases a letter in the last column */
    COLUMNS = 79,
    SAID_ROWS = 3, /* rows for the description of the decision */
};

/* The color of a tile: in 24 bits, and the nearest of 16 colors, as SGR parameters. */
static const struct {
    int red, green, blue;
    int sixteen;
} paints[GAME_COLORS] = {
    {204, 121, 167, 45}, {0, 158, 115, 42}, {230, 159, 0, 43},
    {240, 228, 66, 103}, {0, 114, 178, 44}, {213, 94, 0, 41},
};

static void end_row(FILE *stream)
{
    fputs("\033[K\n", stream);
}

static void paint(FILE *stream, const struct screen *screen, int color)
{
    int ink = color == COLOR_BLUE ? 97 : 30; /* white on the dark color, black on the others */

    if (screen->colors == SCREEN_TRUECOLOR)
        fprintf(stream, "\033[%d;48;2;%d;%d;%dm", ink, paints[color].red, paints[color].green,
                paints[color].blue);
    else if (screen->colors == SCREEN_SIXTEEN)
        fprintf(stream, "\033[%d;%dm", ink, paints[color].sixteen);
}

static void style(FILE *stream, const struct screen *screen, const char *codes)
{
    if (screen->colors != SCREEN_PLAIN)
        plain_text_printf(stream, "\033[%sm", codes);
}

/* Draws a tile in two columns. The letter of a wild tile on the table (loose) is a capital. */
static void put_tile(FILE *stream, const struct screen *screen, int color, bool loose)
{
    int letter = notation_colors[color];

    if (loose && color == screen->position->wild)
        letter += 'A' - 'a';
    paint(stream, screen, color);
    fputc(letter, stream);
    style(stream, screen, "0");
    fputc(' ', stream);
}

/* Draws tiles. Returns the number of columns used. */
static int put_tiles(FILE *stream, const struct screen *screen,
                     const uint8_t tiles[static GAME_COLORS])
{
    int columns = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        for (int i = 0; i < tiles[color]; i++, columns += 2)
            put_tile(stream, screen, color, true);
    return columns;
}

static void put_spaces(FILE *stream, int count)
{
    while (count-- > 0)
        fputc(' ', stream);
}

static void draw_head(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    char text[64];

    if (position->phase == PHASE_OVER)
        snprintf(text, sizeof text, "Match over");
    else
        snprintf(text, sizeof text, "Round %d of %d, %s is wild ", position->round, GAME_ROUNDS,
                 notation_color_names[position->wild]);
    style(stream, screen, "1");
    fputs(text, stream);
    style(stream, screen, "0");
    if (position->phase != PHASE_OVER)
        put_tile(stream, screen, position->wild, true);
    /* keeps the last column empty, because clearing the rest of the row would erase it */
    put_spaces(stream, COLUMNS - 1 - (int)strlen(text) - (position->phase != PHASE_OVER ? 2 : 0) -
                           (int)strlen(screen->state));
    fputs(screen->state, stream);
    end_row(stream);
}

static void draw_table(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    int displays = 2 * position->player_count + 1;
    int bag = 0, tower = 0;

    for (int display = 0; display < displays; display++) {
        int columns;

        if (display == 6) /* with three or four players, the displays need a second row */
            end_row(stream);
        fprintf(stream, "%d: ", display);
        columns = put_tiles(stream, screen, position->displays[display]);
        put_spaces(stream, 10 - columns);
    }
    end_row(stream);
    if (displays <= 6)
        end_row(stream);
    fputs("center  ", stream);
    if (position->token == GAME_NOBODY && position->phase == PHASE_DRAFT)
        fputs("token ", stream);
    put_tiles(stream, screen, position->center);
    end_row(stream);
    for (int color = 0; color < GAME_COLORS; color++) {
        bag += position->bag[color];
        tower += position->tower[color];
    }
    fputs("supply  ", stream);
    put_spaces(stream, 2 * GAME_SUPPLY_TILES - put_tiles(stream, screen, position->supply));
    fprintf(stream, "  bag %d, tower %d", bag, tower);
    end_row(stream);
    end_row(stream);
}

/* Draws one star of a player's board as one row of text. Returns the number of columns used. */
static int put_star(FILE *stream, const struct screen *screen, int seat, int star)
{
    static const char *const places[GAME_STARS] = {"top l", "top r", "right", "bot r",
                                                   "bot l", "left",  "center"};
    enum board_side side = (enum board_side)screen->position->board;
    const int8_t *spaces = screen->position->seats[seat].stars[star];

    plain_text_printf(stream, "%-7s",
                      side == BOARD_GRAY || star == GAME_STAR_CENTER
                          ? places[star]
                          : notation_color_names[board_star_colors[star]]);
    for (int space = 0; space < GAME_SPACES; space++)
        if (spaces[space] == GAME_EMPTY)
            fprintf(stream, "%d ", board_costs[side][star][space]);
        else
            put_tile(stream, screen, spaces[space], false);
    return 7 + 2 * GAME_SPACES;
}

/* Draws a hand as counts, such as "hand p2g3", because a hand can be long. */
static int put_hand(FILE *stream, const struct screen *screen, const char *label,
                    const uint8_t tiles[static GAME_COLORS])
{
    int columns = (int)strlen(label);

    fputs(label, stream);
    for (int color = 0; color < GAME_COLORS; color++) {
        if (tiles[color] == 0)
            continue;
        paint(stream, screen, color);
        columns += fprintf(stream, "%c%d", notation_colors[color], tiles[color]);
        style(stream, screen, "0");
    }
    return columns;
}

static int put_seat_head(FILE *stream, const struct screen *screen, int seat, int width)
{
    const struct position *position = screen->position;
    char score[16];
    int name_columns;

    snprintf(score, sizeof score, "%s%d", position->token == seat ? "token " : "",
             position->seats[seat].score);
    name_columns = width - 4 - (int)strlen(score) - 1;
    style(stream, screen, position->player == seat ? "1;7" : "1");
    fprintf(stream, "%c ", position->player == seat ? '>' : ' ');
    plain_text_printf(stream, "%-*.*s %s", name_columns, name_columns, screen->names[seat], score);
    style(stream, screen, "0");
    return 2 + name_columns + 1 + (int)strlen(score);
}

static void draw_boards(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    int width = COLUMNS / position->player_count;

    for (int row = 0; row < GAME_STARS + 2; row++) {
        for (int seat = 0; seat < position->player_count; seat++) {
            const struct position_seat *shown = &position->seats[seat];
            int columns;

            if (row == 0)
                columns = put_seat_head(stream, screen, seat, width);
            else if (row <= GAME_STARS)
                columns = put_star(stream, screen, seat, row - 1);
            else
                columns = shown->passed ? put_hand(stream, screen, "keeps ", shown->corners)
                                        : put_hand(stream, screen, "hand ", shown->hand);
            put_spaces(stream, width - columns);
        }
        end_row(stream);
    }
}

/* Draws text, wrapped at spaces to at most `rows` rows. Cuts the last row. */
static void draw_text(FILE *stream, const char *text, int rows)
{
    for (int row = 0; row < rows; row++) {
        size_t size = strlen(text);
        size_t end = size < COLUMNS ? size : COLUMNS;

        if (size > COLUMNS && row < rows - 1) {
            while (end > 0 && text[end] != ' ')
                end--;
            if (end == 0)
                end = COLUMNS;
        }
        while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
            end--; /* does not split a UTF-8 character */
        fwrite(text, 1, end, stream);
        text += end;
        while (*text == ' ')
            text++;
        end_row(stream);
    }
}

enum screen_colors screen_find_colors(void)
{
    const char *none = getenv("NO_COLOR");
    const char *deep = getenv("COLORTERM");
    const char *term = getenv("TERM");

    if ((none && *none) || (term && strcmp(term, "dumb") == 0))
        return SCREEN_PLAIN;
    if (deep && (strcmp(deep, "truecolor") == 0 || strcmp(deep, "24bit") == 0))
        return SCREEN_TRUECOLOR;
    return SCREEN_SIXTEEN;
}

void screen_draw_boards(FILE *stream, const struct screen *screen)
{
    fputs("\033[H", stream);
    draw_head(stream, screen);
    draw_table(stream, screen);
    draw_boards(stream, screen);
}

void screen_draw(FILE *stream, const struct screen *screen)
{
    screen_draw_boards(stream, screen);
    end_row(stream);
    draw_text(stream, screen->said, SAID_ROWS);
    style(stream, screen, "2");
    draw_text(stream, screen->note, 1);
    fputs("left, right: step   [ ]: round   Home, End   space: play   + -: speed   q: quit\033[K",
          stream);
    style(stream, screen, "0");
    fputs("\033[J", stream);
}
