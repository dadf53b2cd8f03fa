#include "arena/play/illegal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/board.h"
#include "engine/notation.h"

/* A line being built, cut to its room. */
struct line {
    char *text;
    size_t used;
};

static void say(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct line *line, const char *format, ...)
{
    va_list arguments;
    int length;

    if (line->used >= ILLEGAL_BYTES - 1)
        return;
    va_start(arguments, format);
    length = vsnprintf(line->text + line->used, ILLEGAL_BYTES - line->used, format, arguments);
    va_end(arguments);
    line->used += length > 0 ? (size_t)length : 0;
}

static bool is_color(int color)
{
    return color >= 0 && color < GAME_COLORS;
}

/* ---- why not, by kind ---- */

static void explain_draft(struct line *line, const struct position *position,
                          const struct action *action)
{
    const int source = action->number[0], color = action->number[1];
    const int displays = 2 * position->player_count + 1;
    const uint8_t *tiles;

    if (source < GAME_SOURCE_CENTER || source >= displays) {
        say(line, "there is no display %d: they are 0 to %d, and -1 is the center", source,
            displays - 1);
    } else if (!is_color(color)) {
        say(line, "there is no color %d: they are 0 to %d", color, GAME_COLORS - 1);
    } else {
        tiles = source == GAME_SOURCE_CENTER ? position->center : position->displays[source];
        if (source == GAME_SOURCE_CENTER)
            say(line, "the center ");
        else
            say(line, "display %d ", source);
        if (tiles[color] == 0)
            say(line, "has no %s tile", notation_color_names[color]);
        else /* the only other rule */
            say(line, "has other colors: the wild one, %s, is chosen only where it is alone",
                notation_color_names[color]);
    }
}

static void explain_place(struct line *line, const struct position *position,
                          const struct action *action)
{
    const int star = action->number[0], place = action->number[1];
    const int color = action->number[2], wilds = action->number[3];
    const struct position_seat *seat = &position->seats[position->player];
    int cost, own;

    if (star < 0 || star >= GAME_STARS || place < 0 || place >= GAME_SPACES) {
        say(line, "there is no star %d with a position %d: stars are 0 to %d, positions 0 to %d",
            star, place, GAME_STARS - 1, GAME_SPACES - 1);
        return;
    }
    if (!is_color(color)) {
        say(line, "there is no color %d: they are 0 to %d", color, GAME_COLORS - 1);
        return;
    }
    if (seat->stars[star][place] != GAME_EMPTY) {
        say(line, "star %d, position %d is filled", star, place);
        return;
    }
    cost = board_costs[position->board][star][place];
    own = cost - wilds;
    if (own < 1 || wilds < 0)
        say(line, "star %d, position %d costs %d tiles, of which at least one is %s: %d wild", star,
            place, cost, notation_color_names[color], wilds);
    else if (own > seat->hand[color])
        say(line, "it costs %d tiles, %d of them wild: %d %s needed, the hand has %d", cost, wilds,
            own, notation_color_names[color], seat->hand[color]);
    else if (wilds > 0 && color == position->wild)
        say(line, "%s is the wild color itself: none of it is paid as wild",
            notation_color_names[color]);
    else if (wilds > seat->hand[position->wild])
        say(line, "%d wild tiles needed, the hand has %d %s", wilds, seat->hand[position->wild],
            notation_color_names[position->wild]);
    else
        say(line, "star %d takes no %s tile now", star, notation_color_names[color]);
}

/* Checks an action's counts of tiles against those available. */
static bool explain_tiles(struct line *line, const struct action *action, const uint8_t *from,
                          const char *what, int *total)
{
    *total = 0;
    for (int color = 0; color < GAME_COLORS; color++) {
        const int count = action->number[color];

        if (count < 0 || count > from[color]) {
            say(line, "%d %s asked for, the %s has %d", count, notation_color_names[color], what,
                from[color]);
            return true;
        }
        *total += count;
    }
    return false;
}

static void explain_action(struct line *line, const struct position *position,
                           const struct action *action)
{
    int total;

    if (position->phase == PHASE_DRAFT && action->kind == ACTION_DRAFT) {
        explain_draft(line, position, action);
    } else if (position->phase == PHASE_PLACE && action->kind == ACTION_PLACE) {
        explain_place(line, position, action);
    } else if (position->phase == PHASE_PLACE && action->kind == ACTION_PASS) {
        if (!explain_tiles(line, action, position->seats[position->player].hand, "hand", &total))
            say(line, "%d tiles kept, at most %d may be", total, GAME_CORNERS);
    } else if (position->phase == PHASE_BONUS && action->kind == ACTION_BONUS) {
        if (!explain_tiles(line, action, position->supply, "supply", &total))
            say(line, "%d bonus tiles taken, %d are due", total, position->bonus);
    } else {
        say(line, "a %s is due", notation_phases[position->phase]);
        if (action->kind <= ACTION_PASS)
            say(line, ", not a %s", notation_kinds[action->kind]);
    }
}

/* ---- the most similar legal action ---- */

static long distance(const struct action *a, const struct action *b)
{
    long sum = a->kind == b->kind ? 0 : 1000000;

    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        sum = 3 * sum / 2 + labs((long)a->number[i] - b->number[i]);
    return sum;
}

static void say_nearest(struct line *line, const struct action *action, const struct action *legal,
                        size_t legal_count)
{
    char text[NOTATION_ACTION_BYTES];
    size_t nearest = 0;

    for (size_t i = 1; i < legal_count; i++)
        if (distance(action, &legal[i]) < distance(action, &legal[nearest]))
            nearest = i;
    notation_write_action(legal[nearest], text);
    say(line, "; nearest: %s", text);
}

void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count)
{
    struct line line = {.text = words};
    char text[NOTATION_ACTION_BYTES];
    struct position position;

    *words = '\0';
    switch (act->kind) {
    case WIRE_ACT_INDEX:
        if (act->index < 0)
            say(&line, "action %" PRId64 " of %zu: the first is 0", act->index, legal_count);
        else
            say(&line, "action %" PRId64 " of %zu: the last is %zu", act->index, legal_count,
                legal_count - 1);
        notation_write_action(legal[act->index < 0 ? 0 : legal_count - 1], text);
        say(&line, ", %s", text);
        return;
    case WIRE_ACT_ACTION:
        notation_write_action(act->action, text);
        say(&line, "%s: ", text);
        game_view(game, &position);
        explain_action(&line, &position, &act->action);
        say_nearest(&line, &act->action, legal, legal_count);
        return;
    case WIRE_ACT_OTHER:
        say(&line, "its action is neither an index, 0 to %zu, nor an action", legal_count - 1);
        return;
    }
}
