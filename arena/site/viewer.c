/* SPDX-License-Identifier: MIT */
#include "arena/site/viewer.h"

#include <errno.h>
#include <math.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/json.h"
#include "arena/base/memory.h"
#include "arena/base/place.h"
#include "arena/base/plain_text.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/words.h"
#include "arena/site/page.h"
#include "arena/site/story.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    BASE = 36,
    /* Largest number of characters of a position, see struct course. */
    POSITION_CHARS = 6 + 6 * (GAME_DISPLAYS_MAX + 4) + GAME_PLAYERS_MAX * 57,
    LEGAL_CHARS = 512, /* room for the text of put_legal and its terminating NUL */
    /*
     * The viewer marks a decision as a long thought if the bot used its time bank, or if the
     * decision took at least LONG_US and more than LONG_TIMES the bot's mean.
     */
    LONG_US = 10000,
    LONG_TIMES = 5,
};

/*
 * What the viewer's page shows of a match, made in one pass over the replay: a list that describes
 * each decision in words, and data for the page's script. The data have the positions as text (each
 * decision as the changes of that text), the alternatives of each decision, and times. The rules
 * are applied here, so the script only replaces characters.
 *
 * A position is a line of characters, numbers in base 36:
 *
 *   round phase player start token bonus | displays center supply bag tower, six counts each |
 *   and for each seat: score (2) passed hand (6) corners (6) stars (42, '.' for empty)
 *
 * The line has neither bars nor spaces; '-' is GAME_NOBODY. A change is three characters: the
 * offset in the line (2) and the new character.
 */
struct course {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX]; /* display names, made by words_seat; owned */
    json_t *moves;                 /* the list: rounds, decisions, seats that are out; owned */
    json_t *data;                  /* for the page's script; owned */
    struct position last;          /* the final position */
    struct game_story story;

    /* The state of the pass. */
    struct json_words words;           /* of one decision */
    char position[POSITION_CHARS + 1]; /* text of the position before the current decision */
    int round;
    int last_seat; /* seat of the previous decision */
};

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static char *put_digit(char *text, int number)
{
    *text++ = number < 0 ? '-' : digits[number % BASE];
    return text;
}

static char *put_two(char *text, int number)
{
    return put_digit(put_digit(text, number / BASE), number % BASE);
}

static char *put_tiles(char *text, const uint8_t tiles[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        text = put_digit(text, tiles[color]);
    return text;
}

static char *put_seat(char *text, const struct position_seat *seat)
{
    text = put_digit(put_two(text, seat->score), seat->passed);
    text = put_tiles(put_tiles(text, seat->hand), seat->corners);
    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            if (seat->stars[star][space] == GAME_EMPTY)
                *text++ = '.';
            else
                text = put_digit(text, seat->stars[star][space]);
    return text;
}

/* Writes a position in the format that struct course describes, and a terminating NUL. */
static void put_position(const struct position *position, char text[static POSITION_CHARS + 1])
{
    char *next = text;

    next = put_digit(put_digit(next, position->round), position->phase);
    next = put_digit(put_digit(next, position->player), position->start);
    next = put_digit(put_digit(next, position->token), position->bonus);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        next = put_tiles(next, position->displays[display]);
    next = put_tiles(put_tiles(next, position->center), position->supply);
    next = put_tiles(put_tiles(next, position->bag), position->tower);
    for (int seat = 0; seat < position->player_count; seat++)
        next = put_seat(next, &position->seats[seat]);
    *next = '\0';
}

/*
 * Returns the characters that differ between two positions, in the format that struct course
 * describes. Both texts have the same length.
 */
static json_t *changes_json(const char *before, const char *after)
{
    char changes[3 * POSITION_CHARS];
    char *next = changes;

    for (int i = 0; before[i] && after[i]; i++) {
        if (before[i] == after[i])
            continue;
        next = put_two(next, i);
        *next++ = after[i];
    }
    return json_stringn(changes, (size_t)(next - changes));
}

static char *put_drafts(char *text, const struct game *game, const struct action *actions,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct effect effect;
        int source = actions[i].number[0];
        int color = actions[i].number[1];

        if (!effect_of(game, actions[i], &effect))
            continue;
        *text++ = source == GAME_SOURCE_CENTER ? 'c' : digits[source];
        text = put_digit(put_digit(text, color), effect.moved[color]);
        text = put_digit(text, color == effect.wild ? 0 : effect.moved[effect.wild]);
    }
    return text;
}

/* Which spaces the seat to act can fill now, for how many points, and with which payments. */
struct placing {
    char spaces[GAME_STARS * GAME_SPACES];
    int colors[GAME_STARS];
    /* Fewest and most wild tiles paid, by color and cost. */
    int fewest[GAME_COLORS][GAME_SPACES + 1], most[GAME_COLORS][GAME_SPACES + 1];
    bool paid[GAME_COLORS][GAME_SPACES + 1];
    int passes;
};

static void add_placement(struct placing *placing, const struct effect *effect)
{
    const int8_t *number = effect->action.number;
    int star = number[0], color = number[2], wilds = number[3], cost = effect->cost;

    placing->spaces[star * GAME_SPACES + number[1]] = digits[effect->run * 4 + effect->granted];
    placing->colors[star] |= 1 << color;
    if (!placing->paid[color][cost] || wilds < placing->fewest[color][cost])
        placing->fewest[color][cost] = wilds;
    if (!placing->paid[color][cost] || wilds > placing->most[color][cost])
        placing->most[color][cost] = wilds;
    placing->paid[color][cost] = true;
}

static char *put_placing(char *text, const struct game *game, const struct action *actions,
                         size_t count)
{
    struct placing placing = {0};

    memset(placing.spaces, '-', sizeof placing.spaces);
    for (size_t i = 0; i < count; i++) {
        struct effect effect;

        if (actions[i].kind == ACTION_PASS)
            placing.passes++;
        else if (effect_of(game, actions[i], &effect))
            add_placement(&placing, &effect);
    }
    memcpy(text, placing.spaces, sizeof placing.spaces);
    text += sizeof placing.spaces;
    for (int star = 0; star < GAME_STARS; star++)
        text = put_two(text, placing.colors[star]);
    text = put_two(text, placing.passes);
    for (int color = 0; color < GAME_COLORS; color++)
        for (int cost = 1; cost <= GAME_SPACES; cost++) {
            if (!placing.paid[color][cost])
                continue;
            text = put_digit(put_digit(text, color), cost);
            text = put_digit(text, placing.fewest[color][cost]);
            text = put_digit(text, placing.most[color][cost]);
        }
    return text;
}

/*
 * Writes the choices of the seat to act, and a terminating NUL. The first character is the phase:
 *
 *   D, then for each draft: source ('c' for the center, or the display's digit), color, number of
 *      tiles of that color, number of wild tiles taken with them
 *   P, then 42 spaces (4 * points of the run + bonus tiles; '-' if the space cannot be filled),
 *      the colors possible on each star (bits, 2 characters a star), number of ways to pass (2
 *      characters), and for each color and cost that can be paid: color, cost, fewest and most
 *      wild tiles
 *   B, then the number of tiles to take and the number of ways to take them (2 characters)
 */
static void put_legal(const struct game *game, char text[static LEGAL_CHARS])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    char *next = text;

    switch (game_phase(game)) {
    case PHASE_DRAFT:
        *next++ = 'D';
        next = put_drafts(next, game, actions, count);
        break;
    case PHASE_PLACE:
        *next++ = 'P';
        next = put_placing(next, game, actions, count);
        break;
    case PHASE_BONUS:
        *next++ = 'B';
        next = put_two(put_digit(next, game->bonus), (int)count);
        break;
    case PHASE_OVER:
        break;
    }
    *next = '\0';
}

/* ---- the match ---- */

/* Adds a value to one of the arrays of the page's data. */
static void add(struct course *course, const char *key, json_t *value)
{
    json_array_append_new(json_object_get(course->data, key), value);
}

/* Adds the seats that are out at a decision; turn -1: before decision 0. */
static void list_outs(struct course *course, int64_t turn)
{
    const struct replay *replay = course->replay;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        json_t *out;

        if (replay->out_turns[seat] != turn)
            continue;
        words_out(course->words.stream, replay, seat);
        out = json_words_take(&course->words);
        json_array_append_new(course->moves, json_pack("{s:s%, s:O?}", "out", &"ABCD"[seat],
                                                       (size_t)1, "words", out));
        add(course, "outs", json_pack("[I, i, o?]", (json_int_t)(turn < 0 ? 0 : turn), seat, out));
    }
}

static void list_round(struct course *course, const struct position *state, size_t turn)
{
    if (state->round == course->round)
        return;
    course->round = state->round;
    json_array_append_new(course->moves, json_pack("{s:i, s:s}", "round", state->round, "wild",
                                                   notation_color_names[state->wild]));
    add(course, "rounds", json_integer((json_int_t)turn));
}

static void list_decision(struct course *course, const struct effect *effect,
                          const struct replay_decision *decision, size_t turn)
{
    json_t *move;

    words_effect(course->words.stream, effect);
    move = json_pack("{s:i, s:I, s:s%, s:o, s:b}", "seat", effect->seat, "turn", (json_int_t)turn,
                     "by", &"ABCD"[effect->seat], (size_t)1, "words",
                     json_words_take(&course->words), "is_stand_in", decision->by_arena);
    if (decision->note && decision->note_bytes > 0)
        json_object_set_new(move, "note",
                            page_text(decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX));
    json_array_append_new(course->moves, move);
}

/*
 * Adds the position of match->game: how it differs from the position before, and the time that the
 * last decision took.
 */
static void add_position(struct course *course, const struct match *match,
                         const struct position *state)
{
    char text[POSITION_CHARS + 1];

    put_position(state, text);
    if (match->decision_count == 0) {
        json_object_set_new(course->data, "first", json_string(text));
    } else {
        const struct match_decision *last = &match->decisions[match->decision_count - 1];
        int64_t bank_us = match->seats[course->last_seat].bank_us;

        add(course, "steps", changes_json(course->position, text));
        /* As precise as the page shows these times, because each digit makes the page larger. */
        add(course, "times", json_integer(last->by_arena ? -1 : (last->us + 50) / 100));
        add(course, "banks", json_integer((bank_us + 50000) / 100000));
    }
    memcpy(course->position, text, sizeof text);
}

/* Returns which of the legal actions an action is, counted from 0. */
static json_t *index_json(const struct game *game, struct action action)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions), index = 0;

    while (index < count && action_compare(actions[index], action) != 0)
        index++;
    return json_integer((json_int_t)index);
}

/* Adds a decision that is about to be played, and the choices that it had. */
static void add_decision(struct course *course, const struct match *match,
                         const struct replay_decision *decision, const struct position *state)
{
    struct effect effect;
    char legal[LEGAL_CHARS];

    if (!effect_of(&match->game, decision->action, &effect))
        return; /* replay_verify will report the broken rule at the next step */
    list_round(course, state, match->decision_count);
    list_outs(course, (int64_t)match->decision_count);
    list_decision(course, &effect, decision, match->decision_count);
    put_legal(&match->game, legal);
    add(course, "legal", json_string(legal));
    add(course, "indexes", index_json(&match->game, decision->action));
    if (effect.earned > 0)
        add(course, "bonus", json_pack("[I, i]", (json_int_t)match->decision_count, effect.earned));
    course->last_seat = effect.seat;
}

/*
 * Adds the choices of the seat whose fault ended the match early, if it was that seat's turn: the
 * page then shows them at the end.
 */
static void add_last_choices(struct course *course, const struct match *match)
{
    int seat = game_turn(&match->game);
    char legal[LEGAL_CHARS];

    if (seat == GAME_NOBODY || course->replay->out_turns[seat] != (int64_t)match->decision_count)
        return;
    put_legal(&match->game, legal);
    add(course, "legal", json_string(legal));
}

/* A replay_step_fn. */
static void add_step(void *context, struct match *match, const struct replay_decision *decision)
{
    struct course *course = context;
    struct position state;

    game_view(&match->game, &state);
    add_position(course, match, &state);
    if (decision) {
        add_decision(course, match, decision, &state);
        story_step(&course->story, match, decision);
    } else {
        course->last = state;
        list_outs(course, (int64_t)match->decision_count);
        add_last_choices(course, match);
    }
}

/* Adds the numbers of the decisions that are long thoughts. */
static void add_long_thoughts(struct course *course)
{
    const struct replay *replay = course->replay;
    int64_t sum_us[GAME_PLAYERS_MAX] = {0}, count[GAME_PLAYERS_MAX] = {0};

    for (size_t i = 0; i < replay->decision_count; i++) {
        sum_us[replay->decisions[i].seat] += replay->decisions[i].us;
        count[replay->decisions[i].seat]++;
    }
    for (size_t i = 0; i < replay->decision_count; i++) {
        const struct replay_decision *decision = &replay->decisions[i];
        int seat = decision->seat;

        if (!decision->by_arena &&
            (decision->us > replay->terms.clock.turn_ms * 1000 ||
             (decision->us >= LONG_US &&
              decision->us > LONG_TIMES * sum_us[seat] / (count[seat] ? count[seat] : 1))))
            add(course, "longs", json_integer((json_int_t)i));
    }
}

/* Returns the spaces around each pillar, statue and window, as pairs of star and position. */
static json_t *features_json(void)
{
    json_t *features = json_array();

    for (int feature = 0; feature < BOARD_FEATURES; feature++) {
        json_t *spaces = json_array();

        for (int star = 0; star < GAME_STARS; star++)
            for (int position = 0; position < GAME_SPACES; position++)
                if (board_features[feature].spaces & board_space(star, position))
                    json_array_append_new(spaces, json_pack("[i, i]", star, position));
        json_array_append_new(features, spaces);
    }
    return features;
}

json_t *viewer_board(enum board_side side)
{
    json_t *colors = json_array(), *stars = json_array(), *star_colors = json_array();
    json_t *costs = json_array();

    for (int color = 0; color < GAME_COLORS; color++)
        json_array_append_new(colors, json_string(notation_color_names[color]));
    for (int star = 0; star < GAME_STARS; star++) {
        const uint8_t *cost = board_costs[side][star];

        json_array_append_new(costs, json_pack("[i, i, i, i, i, i]", cost[0], cost[1], cost[2],
                                               cost[3], cost[4], cost[5]));
        json_array_append_new(stars, json_string(words_star(side, star)));
        json_array_append_new(star_colors,
                              json_integer(side == BOARD_GRAY || star == GAME_STAR_CENTER
                                               ? -1
                                               : board_star_colors[star]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "colors", colors, "stars", stars, "starColors",
                     star_colors, "costs", costs, "features", features_json());
}

/* Returns the short texts beside a seat's name, as pairs of text and explanation. */
static json_t *details_json(const struct viewer_page *viewer, int seat)
{
    char *version = plain_text(viewer->replay->bots[seat].version);
    json_t *details = json_array();

    if (version && *version) /* "v1.2", but a version that does not begin with a digit unchanged */
        json_array_append_new(
            details, json_pack("[s+, s]", strchr("0123456789", *version) ? "v" : "", version, ""));
    if (viewer->ratings && !isnan(viewer->ratings[seat]))
        json_array_append_new(
            details, json_pack("[o, s]", json_sprintf("live Elo %.0f", viewer->ratings[seat]),
                               "as it stood before this game; it changes with each group of games, "
                               "and is not the Elo of the ladder"));
    free(version);
    return details;
}

/* What grows with each decision, in the data of a page. */
static const char *const arrays[] = {"steps", "times", "banks", "bonus",  "rounds",
                                     "outs",  "legal", "longs", "indexes"};

/* Returns the data of the page before the first decision: board, players, empty arrays. */
static json_t *describe(const struct course *course, const struct viewer_page *viewer)
{
    json_t *data = viewer_board(course->replay->terms.board);
    json_t *names = json_array(), *details = json_array(), *ranks = json_array();
    json_t *links = viewer->bot_links ? json_array() : NULL;
    char *id = plain_text(course->replay->terms.id);

    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        json_array_append_new(names, json_string(course->names[seat]));
        json_array_append_new(details, details_json(viewer, seat));
        json_array_append_new(ranks, json_integer(course->replay->result.ranks[seat]));
        if (links)
            json_array_append_new(links, json_string(viewer->bot_links[seat]));
    }
    json_object_set_new(data, "id", json_string(id ? id : ""));
    json_object_set_new(data, "players", json_integer(course->replay->terms.player_count));
    json_object_set_new(data, "names", names);
    json_object_set_new(data, "details", details);
    json_object_set_new(data, "ranks", ranks);
    if (viewer->live)
        json_object_set_new(data, "live", json_string(viewer->live));
    if (viewer->play_link && !viewer->live) { /* the seed of a match that is over is public */
        json_object_set_new(data, "play", json_string(viewer->play_link));
        json_object_set_new(
            data, "seed", json_hex(course->replay->terms.seed, sizeof course->replay->terms.seed));
    }
    if (links)
        json_object_set_new(data, "links", links);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        json_object_set_new(data, arrays[i], json_array());
    free(id);
    return data;
}

/* Fills course up to the first decision. Returns 0, or -ENOMEM after writing one line to error. */
static int course_begin(struct course *course, const struct viewer_page *viewer,
                        char error[static REPLAY_ERROR_BYTES])
{
    bool has_names = true;

    *course = (struct course){.replay = viewer->replay};
    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        course->names[seat] = words_seat(course->replay, seat);
        has_names = has_names && course->names[seat];
    }
    json_words_begin(&course->words);
    if (!has_names) {
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        return -ENOMEM;
    }
    course->moves = json_array();
    course->data = describe(course, viewer);
    list_outs(course, -1);
    return 0;
}

static void course_finish(struct course *course)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(course->names[seat]);
    json_decref(json_words_end(&course->words));
    json_decref(course->moves);
    json_decref(course->data);
}

/* ---- the picture ---- */

enum {
    BOARD_WIDTH = 220,      /* a board of radius 105, as in board/board.js */
    BOARD_HEIGHT = 260,     /* board, and above it a line for the name and the score */
    CARD_BOARD_WIDTH = 244, /* on a card */
    CARD_BOARDS_WIDTH = 1200,
    CARD_BOARDS_HEIGHT = 540,
    REACH = 64, /* distance from the board's center to the center of an outer star */
};

static const double pi = 3.14159265358979;

/* Half a pixel of the picture, in which its paths count. */
static int halves(double pixels)
{
    return (int)lround(2 * pixels);
}

/* Writes a rhombus; the rhombi of all colors have one form. */
static void write_space(FILE *path, int star, int space)
{
    double star_angle = (-120 + 60 * star) * pi / 180;
    double angle = (star == GAME_STAR_CENTER ? -90 + 60 * space : -90 + 60 * (space + star - 5));
    double reach = star == GAME_STAR_CENTER ? 0 : REACH, turn = angle * pi / 180;
    double forth_x = 16.6 * cos(turn), forth_y = 16.6 * sin(turn);
    double side_x = -9.6 * sin(turn), side_y = 9.6 * cos(turn);
    int right_x = halves(side_x - forth_x), right_y = halves(side_y - forth_y);

    fprintf(path, "M%d %dl%d %d %d %d %d %dz",
            halves(reach * cos(star_angle) + 17.3 * cos(turn) + forth_x),
            halves(reach * sin(star_angle) + 17.3 * sin(turn) + forth_y), right_x, right_y,
            halves(-side_x - forth_x), halves(-side_y - forth_y), -right_x, -right_y);
}

/* Returns the spaces of a board that have this color, or the empty ones, as one path. */
static json_t *spaces_json(const struct position_seat *seat, int color)
{
    static const char *const fills[] = {"#cc79a7", "#009e73", "#e69f00",
                                        "#f0e442", "#0072b2", "#d55e00"};
    struct json_words path;

    json_words_begin(&path);
    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            if (seat->stars[star][space] == color)
                write_space(path.stream, star, space);
    return json_pack("{s:s, s:o}", "fill", color == GAME_EMPTY ? "#fffefb" : fills[color], "d",
                     json_words_end(&path));
}

json_t *viewer_spaces(const struct position_seat *seat)
{
    json_t *paths = json_array();

    for (int color = GAME_EMPTY; color < GAME_COLORS; color++)
        json_array_append_new(paths, spaces_json(seat, color));
    return paths;
}

/*
 * Returns the final position for the template picture, with so many boards beside each other, each
 * in a column of that width.
 */
static json_t *picture_json(const struct course *course, int columns, int width)
{
    int count = course->replay->terms.player_count, rows = (count + columns - 1) / columns;
    json_t *seats = json_array();

    for (int seat = 0; seat < count; seat++) {
        const char *name = course->names[seat];
        json_array_append_new(seats, json_pack("{s:i, s:i, s:o, s:i, s:o}", "x",
                                               seat % columns * width + width / 2, "y",
                                               seat / columns * BOARD_HEIGHT + BOARD_HEIGHT - 110,
                                               "name", page_text(name, strlen(name), 20), "score",
                                               course->replay->result.scores[seat], "paths",
                                               viewer_spaces(&course->last.seats[seat])));
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:o}", "width", 2 * columns * width, "height",
                     2 * rows * BOARD_HEIGHT, "view_width", columns * width, "view_height",
                     rows * BOARD_HEIGHT, "seats", seats);
}

/* ---- the final scoring ---- */

/*
 * Adds a row of the final scoring: the numbers of all seats, which are stride apart. A row of zeros
 * is left out, unless it is always shown.
 */
static void add_row(json_t *rows, const struct course *course, const char *label, const int *first,
                    size_t stride, bool always)
{
    json_t *cells = json_array();
    bool any = always;

    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        int points = first[(size_t)seat * stride];

        any = any || points != 0;
        json_array_append_new(
            cells, !always && points == 0
                       ? json_pack("{s:s}", "text", "·")
                       : json_pack("{s:o}", "text", json_sprintf(always ? "%d" : "%+d", points)));
    }
    if (any)
        json_array_append_new(rows, json_pack("{s:s, s:O}", "label", label, "cells", cells));
    json_decref(cells);
}

/*
 * Adds a star's row of the final scoring: for each seat, the points of a full star, or how many
 * spaces of the star are covered.
 */
static void add_star(json_t *rows, const struct course *course, int star)
{
    json_t *cells = json_array();

    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        const struct effect_final *final = &course->story.finals[seat];

        json_array_append_new(
            cells, final->stars[star] > 0
                       ? json_pack("{s:o}", "text", json_sprintf("%+d", final->stars[star]))
                       : json_pack("{s:i}", "covered", final->covered[star]));
    }
    json_array_append_new(rows,
                          json_pack("{s:s, s:o}", "label",
                                    words_star(course->replay->terms.board, star), "cells", cells));
}

/* Returns the rows of the final scoring; none if the match ended without one. */
static json_t *final_json(const struct course *course)
{
    const int *numbers = course->story.seats[0];
    const struct effect_final *finals = course->story.finals;
    const size_t stride = sizeof *finals / sizeof(int);
    json_t *rows = json_array();
    char label[40];

    if (!course->story.is_whole)
        return rows;
    add_row(rows, course, "At the start", numbers + STORY_SCORES, STORY_NUMBERS, true);
    add_row(rows, course, "Runs of tiles", numbers + STORY_RUNS, STORY_NUMBERS, false);
    add_row(rows, course, "Start token", numbers + STORY_TOKEN, STORY_NUMBERS, false);
    add_row(rows, course, "Tiles discarded", numbers + STORY_LOST, STORY_NUMBERS, false);
    add_row(rows, course, "After round 6", &finals->before, stride, true);
    for (int star = 0; star < GAME_STARS; star++)
        add_star(rows, course, star);
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "Every %d covered", cost);
        add_row(rows, course, label, &finals->costs[cost - 1], stride, false);
    }
    add_row(rows, course, "Left on corners", numbers + STORY_CORNERS, STORY_NUMBERS, false);
    add_row(rows, course, "Final score", &finals->after, stride, true);
    add_row(rows, course, "Rank", course->replay->result.ranks, 1, true);
    return rows;
}

/* ---- the page ---- */

extern const char site_viewer_css[], site_viewer_js[];
extern const char site_watch_js[];                         /* for matches under way */
extern const char site_analysis_css[], site_analysis_js[]; /* show an analysis */

/* Returns the seats; of a match that is over, with their results. */
static json_t *seats_json(const struct course *course, bool is_over)
{
    json_t *seats = json_array();

    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        json_t *told = json_pack("{s:i, s:s%, s:s}", "seat", seat, "letter", &"ABCD"[seat],
                                 (size_t)1, "name", course->names[seat]);

        if (is_over) {
            json_object_set_new(told, "score", json_integer(course->replay->result.scores[seat]));
            json_object_set_new(told, "why",
                                story_why(course->replay, &course->story,
                                          (const char *const *)course->names, seat));
        }
        json_array_append_new(seats, told);
    }
    return seats;
}

/* Returns the lines that tell of all forfeits; NULL if there is none. */
static json_t *forfeits_json(const struct viewer_page *viewer)
{
    const struct replay *replay = viewer->replay;
    struct rerun_command again = {.program = "arena", .replay = viewer->path, .bot = "BOT"};
    struct json_words words;
    json_t *lines = json_array();

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        if (!replay->forfeits[seat])
            continue;
        json_words_begin(&words);
        forfeit_text_print(words.stream, replay->forfeits[seat], seat, replay->bots[seat].name,
                           &again, NULL);
        memory_stream_flush(words.stream);
        for (const char *line = words.text, *end; *line; line = end + (*end == '\n')) {
            end = line + strcspn(line, "\n");
            json_array_append_new(lines, json_stringn(line, (size_t)(end - line)));
        }
        json_decref(json_words_end(&words));
    }
    if (json_array_size(lines) > 0)
        return json_pack("{s:o}", "lines", lines);
    json_decref(lines);
    return NULL;
}

static json_t *base64_json(const uint8_t *bytes, size_t size)
{
    size_t text_size = BASE64_ENCODE_RAW_LENGTH(size);
    char *text = malloc(text_size + 1);
    json_t *json = NULL;

    if (text) {
        base64_encode_raw(text, size, bytes);
        json = json_stringn_nocheck(text, text_size);
    }
    free(text);
    return json;
}

static json_t *match_json(const struct viewer_page *viewer, struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;
    const struct wire_clock *clock = &terms->clock;
    const char *link = viewer->card_link;
    json_t *started = json_time(viewer->replay->started_s * 1000000);
    const bool is_over = !viewer->live;

    return json_pack(
        "{s:s*, s:o, s:o*, s:b, s:o, s:i, s:s, s:o, s:o, s:{s:I, s:I, s:I}, s:s*, s:b, s:s*, s:o, "
        "s:o, "
        "s:o*, "
        "s:o*, "
        "s:O, s:O, s:O*, s:o*, s:o*}",
        "rules", viewer->rules_link, "code",
        page_code(viewer->pages, is_over ? site_viewer_js : site_watch_js, site_viewer_css, false),
        "shows",
        is_over ? page_code(viewer->pages, site_analysis_js, site_analysis_css, false) : NULL,
        "live", !is_over, "id", page_text(terms->id, strlen(terms->id), SIZE_MAX), "players",
        terms->player_count, "board", notation_boards[terms->board], "started", started, "day",
        json_sprintf("%.10s", json_is_string(started) ? json_string_value(started) : ""), "clock",
        "turn_ms", (json_int_t)clock->turn_ms, "bank_ms", (json_int_t)clock->bank_ms, "gain_ms",
        (json_int_t)clock->gain_ms, "home", viewer->home_link, "is_listed", !viewer->is_unlisted,
        "card_link", link, "path", page_text(viewer->path, strlen(viewer->path), SIZE_MAX), "seats",
        seats_json(course, is_over), "final", is_over ? final_json(course) : NULL, "forfeits",
        forfeits_json(viewer), "moves", course->moves, "data", course->data, "analysis",
        viewer->analysis, "picture",
        is_over ? picture_json(course, terms->player_count == 3 ? 3 : 2, BOARD_WIDTH) : NULL,
        "replay", is_over ? base64_json(viewer->bytes, viewer->size) : NULL);
}

/* Returns what the card of a match shows: its boards in one row, as large as there is room. */
static json_t *card_json(const struct viewer_page *viewer, const struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;
    const int columns = terms->player_count, width = columns * CARD_BOARD_WIDTH;
    const double scale =
        fmin((double)CARD_BOARDS_WIDTH / width, (double)CARD_BOARDS_HEIGHT / BOARD_HEIGHT);

    return json_pack("{s:f, s:f, s:f, s:o, s:s, s:o}", "scale", scale, "x",
                     (CARD_BOARDS_WIDTH - width * scale) / 2, "y",
                     (CARD_BOARDS_HEIGHT - BOARD_HEIGHT * scale) / 2, "id",
                     page_text(terms->id, strlen(terms->id), SIZE_MAX), "board",
                     notation_boards[terms->board], "picture",
                     picture_json(course, columns, CARD_BOARD_WIDTH));
}

/* Writes page and card. Returns 0 or -errno after writing one line to error. */
static int write_page(FILE *page, const struct viewer_page *viewer, struct course *course,
                      char error[static REPLAY_ERROR_BYTES])
{
    int result = 0;

    if (page)
        result = page_write(viewer->pages, page, "match", match_json(viewer, course), error);
    if (result == 0 && viewer->card)
        result =
            page_write(viewer->pages, viewer->card, "match_card", card_json(viewer, course), error);
    return result;
}

int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES])
{
    struct course course;
    int result = course_begin(&course, viewer, error);

    if (result == 0) {
        add_long_thoughts(&course);
        result = replay_verify(viewer->replay, add_step, &course, error) < 0 ? -EBADMSG : 0;
    }
    if (result == 0)
        result = write_page(page, viewer, &course, error);
    course_finish(&course);
    return result;
}

/* ---- a match under way ---- */

struct viewer_live {
    struct pages *pages;
    struct course course;
    struct match match;
};

/* Returns what the course has collected since the last call; NULL after writing one line to error.
 */
static json_t *take_part(struct viewer_live *live, char error[static REPLAY_ERROR_BYTES])
{
    struct course *course = &live->course;
    json_t *part = json_object();
    struct json_words list;
    int result = 0;

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        json_t *array = json_object_get(course->data, arrays[i]);

        if (json_array_size(array) > 0)
            json_object_set_new(part, arrays[i], json_copy(array));
        json_array_clear(array);
    }
    if (json_array_size(course->moves) > 0) {
        json_words_begin(&list);
        result = page_write(live->pages, list.stream, "moves",
                            json_pack("{s:O}", "moves", course->moves), error);
        json_object_set_new(part, "list", json_words_end(&list));
        json_decref(course->moves);
        course->moves = json_array();
    }
    if (result == 0)
        return part;
    json_decref(part);
    return NULL;
}

struct viewer_live *viewer_live_begin(FILE *page, const struct viewer_page *viewer, json_t **head,
                                      char error[static REPLAY_ERROR_BYTES])
{
    struct viewer_live *live = calloc(1, sizeof *live);
    struct course *course = &live->course;
    struct position state;
    json_t *part;
    int result;

    if (!live) {
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        return NULL;
    }
    live->pages = viewer->pages;
    result = course_begin(course, viewer, error);
    if (result == 0) {
        match_init(&live->match, &viewer->replay->terms);
        replay_take_out(viewer->replay, &live->match, -1);
        match_begin(&live->match);
        game_view(&live->match.game, &state);
        add_position(course, &live->match, &state);
        result = write_page(page, viewer, course, error);
    }
    *head = result == 0 ? json_deep_copy(course->data) : NULL;
    part = result == 0 ? take_part(live, error) : NULL; /* the page and the head have it */
    json_decref(part);
    if (part)
        return live;
    json_decref(*head);
    viewer_live_end(live);
    return NULL;
}

/* Plays the decisions of the replay that were not played yet. Returns 0 or -1, as replay_answer. */
static int play_on(struct viewer_live *live, char error[static REPLAY_ERROR_BYTES])
{
    const struct replay *replay = live->course.replay;
    struct match *match = &live->match;
    struct position state;

    game_view(&match->game, &state);
    while (match->phase == MATCH_PLAYING && match->decision_count < replay->decision_count) {
        const size_t turn = match->decision_count;

        replay_take_out(replay, match, (int64_t)turn);
        if (match->phase == MATCH_OVER)
            break;
        add_decision(&live->course, match, &replay->decisions[turn], &state);
        if (replay_play_next(replay, match, error) < 0)
            return -1;
        game_view(&match->game, &state);
        add_position(&live->course, match, &state);
    }
    return 0;
}

json_t *viewer_live_take(struct viewer_live *live, bool is_over,
                         char error[static REPLAY_ERROR_BYTES])
{
    const struct replay *replay = live->course.replay;
    const int count = replay->terms.player_count;
    json_t *part;

    if (play_on(live, error) < 0)
        return NULL;
    if (is_over) {
        list_outs(&live->course, (int64_t)live->match.decision_count);
        add_last_choices(&live->course, &live->match);
    }
    part = take_part(live, error);
    if (part && is_over)
        json_object_set_new(part, "result",
                            json_pack("{s:o, s:o}", "scores",
                                      json_ints(replay->result.scores, count), "ranks",
                                      json_ints(replay->result.ranks, count)));
    return part;
}

const struct game *viewer_live_game(const struct viewer_live *live)
{
    return &live->match.game;
}

void viewer_live_end(struct viewer_live *live)
{
    if (!live)
        return;
    course_finish(&live->course);
    match_finish(&live->match);
    free(live);
}

/* ---- a page as a file ---- */

static bool is_page(int fd)
{
    static const char start[] = "<!DOCTYPE html>";
    char text[sizeof start - 1];

    return read(fd, text, sizeof text) == (ssize_t)sizeof text &&
           memcmp(text, start, sizeof text) == 0;
}

int viewer_put(const char *path, const char *page, size_t size)
{
    return place_write_over(path, page, size, is_page);
}
