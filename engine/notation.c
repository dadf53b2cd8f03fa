#include "engine/notation.h"

#include <string.h>

const char notation_colors[] = "pgoybr";
const char *const notation_color_names[] = {"purple", "green", "orange", "yellow",
                                            "blue",   "red",   NULL};
const char *const notation_boards[] = {"colored", "gray", NULL};
const char *const notation_phases[] = {"draft", "place", "bonus", "over", NULL};
const char *const notation_kinds[] = {"draft", "place", "bonus", "pass", NULL};

/* Each of these writes at text, with a NUL, and returns the position of that NUL. */
static char *put(char *text, const char *word)
{
    while (*word)
        *text++ = *word++;
    *text = '\0';
    return text;
}

static char *put_number(char *text, int number)
{
    char digits[12];
    char *digit = digits + sizeof digits - 1;

    *digit = '\0';
    do
        *--digit = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return put(text, digit);
}

/* Writes a number from 0 to most, or "?" for any other. */
static char *put_small(char *text, int number, int most)
{
    return number >= 0 && number <= most ? put_number(text, number) : put(text, "?");
}

static char *put_color(char *text, int color)
{
    char letter[2] = {color >= 0 && color < GAME_COLORS ? notation_colors[color] : '?', '\0'};

    return put(text, letter);
}

/* Writes a seat, or "-" for GAME_NOBODY. */
static char *put_seat(char *text, int seat)
{
    return seat == GAME_NOBODY ? put(text, "-") : put_number(text, seat);
}

/* Writes counts by color: "p2g" is two purple and one green; "-" is none. */
static char *put_tiles(char *text, const uint8_t counts[static GAME_COLORS])
{
    const char *start = text;

    for (int color = 0; color < GAME_COLORS; color++) {
        if (counts[color] == 0)
            continue;
        text = put_color(text, color);
        if (counts[color] > 1)
            text = put_number(text, counts[color]);
    }
    return text == start ? put(text, "-") : text;
}

size_t notation_write_action(struct action action, char text[static NOTATION_ACTION_BYTES])
{
    const int8_t *number = action.number;
    uint8_t counts[GAME_COLORS];
    char *next = text;

    if (action.kind > ACTION_PASS)
        return (size_t)(put(next, "?") - text);
    next = put(put(next, notation_kinds[action.kind]), " ");
    if (action.kind == ACTION_DRAFT) {
        next = number[0] == GAME_SOURCE_CENTER ? put(next, "center")
                                               : put_small(next, number[0], GAME_DISPLAYS_MAX - 1);
        next = put_color(put(next, " "), number[1]);
    } else if (action.kind == ACTION_PLACE) {
        next = put(put_small(next, number[0], GAME_STARS - 1), " ");
        next = put(put_small(next, number[1], GAME_SPACES - 1), " ");
        next = put(put_color(next, number[2]), " ");
        next = put_small(next, number[3], GAME_SPACES - 1);
    } else {
        memcpy(counts, number, sizeof counts);
        next = put_tiles(next, counts);
    }
    return (size_t)(next - text);
}

static char *put_player(char *text, const struct position_seat *seat)
{
    text = put_number(put(text, " | score:"), seat->score);
    text = put_tiles(put(text, " hand:"), seat->hand);
    text = put_tiles(put(text, " corners:"), seat->corners);
    text = put(put(text, " passed:"), seat->passed ? "yes" : "no");
    for (int star = 0; star < GAME_STARS; star++) {
        text = put(text, star == 0 ? " stars:" : "/");
        for (int space = 0; space < GAME_SPACES; space++)
            text = seat->stars[star][space] == GAME_EMPTY
                       ? put(text, ".")
                       : put_color(text, seat->stars[star][space]);
    }
    return text;
}

size_t notation_write_position(const struct position *position,
                               char text[static NOTATION_POSITION_BYTES])
{
    char *next = put(put(text, "board:"), notation_boards[position->board]);

    next = put_number(put(next, " round:"), position->round);
    next = put(put(next, " phase:"), notation_phases[position->phase]);
    next = put_seat(put(next, " player:"), position->player);
    next = put_number(put(next, " start:"), position->start);
    next = put_seat(put(next, " token:"), position->token);
    next = put_number(put(next, " bonus:"), position->bonus);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        next = put_tiles(put(next, display == 0 ? " displays:" : "/"), position->displays[display]);
    next = put_tiles(put(next, " center:"), position->center);
    next = put_tiles(put(next, " supply:"), position->supply);
    next = put_tiles(put(next, " bag:"), position->bag);
    next = put_tiles(put(next, " tower:"), position->tower);
    for (int seat = 0; seat < position->player_count; seat++)
        next = put_player(next, &position->seats[seat]);
    return (size_t)(next - text);
}
