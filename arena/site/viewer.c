#include "arena/site/viewer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/place.h"
#include "arena/replay/effect.h"
#include "arena/replay/forfeit_text.h"
#include "arena/base/plain_text.h"
#include "arena/replay/words.h"
#include "arena/site/folder.h"
#include "arena/site/html.h"
#include "arena/site/page.h"
#include "arena/site/season_data.h"
#include "engine/board.h"
#include "engine/notation.h"
#include "arena/base/json.h"

enum {
    BASE = 36,
    POSITION_CHARS = VIEWER_POSITION_BYTES - 1,
    LEGAL_CHARS = 512, /* room for the text of put_legal and its terminating NUL */
    /*
     * The viewer marks a decision as a long thought if the bot used its time bank, or if the
     * decision took at least LONG_US and more than LONG_TIMES the bot's mean.
     */
    LONG_US = 10000,
    LONG_TIMES = 5,
};

/*
 * The data that the viewer's page shows of a match, made in one pass over the replay: an HTML list
 * that describes each decision in words, and JSON for the page's script. The JSON has the positions
 * as text (each decision as the changes of that text), the alternatives of each decision, and
 * times. The rules are applied here, so the script only replaces characters.
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
    char *list;                    /* HTML list items, one per decision; owned */
    size_t list_bytes;
    json_t *data;         /* JSON for the page's script; owned */
    struct position last; /* the final position */
    struct game_story story;

    /* The state of the pass. */
    FILE *stream;                      /* of `list` */
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

void viewer_position(const struct game *game, char text[static VIEWER_POSITION_BYTES])
{
    struct position position;

    game_view(game, &position);
    put_position(&position, text);
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
        char *words = NULL;
        size_t size;
        FILE *stream;

        if (replay->out_turns[seat] != turn || !(stream = open_memstream(&words, &size)))
            continue;
        words_out(stream, replay, seat);
        fclose(stream);
        fprintf(course->stream, "<li class=\"out\">");
        html_format(course->stream, "%s %s", course->names[seat], words);
        fputs("</li>\n", course->stream);
        add(course, "outs", json_pack("[I, i, s]", (json_int_t)(turn < 0 ? 0 : turn), seat, words));
        free(words);
    }
}

static void list_round(struct course *course, const struct position *state, size_t turn)
{
    if (state->round == course->round)
        return;
    course->round = state->round;
    fprintf(course->stream, "<li class=\"round\">Round %d, wild %s</li>\n", state->round,
            notation_color_names[state->wild]);
    add(course, "rounds", json_integer((json_int_t)turn));
}

static void list_decision(struct course *course, const struct effect *effect,
                          const struct replay_decision *decision, size_t turn)
{
    FILE *list = course->stream;
    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);

    if (!stream)
        return;
    words_effect(stream, effect);
    fclose(stream);
    fprintf(list, "<li class=\"s%d\"><a><b>%zu</b> ", effect->seat, turn);
    html_plain(list, course->names[effect->seat]);
    fputc(' ', list);
    html_plain(list, words);
    if (decision->by_arena)
        fputs(" (stand-in)", list);
    fputs("</a>", list);
    if (decision->note && decision->note_bytes > 0) {
        fputs("<i>", list);
        html_bytes(list, decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX);
        fputs("</i>", list);
    }
    fputs("</li>\n", list);
    free(words);
}

/*
 * Adds the position of match->game: how it differs from the position before, and the time that the
 * last decision took.
 */
static void add_position(struct course *course, const struct match *match)
{
    char text[POSITION_CHARS + 1];

    viewer_position(&match->game, text);
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

/* A replay_step_fn. */
static void add_step(void *context, struct match *match, const struct replay_decision *decision)
{
    struct course *course = context;
    struct effect effect;
    struct position state;
    char legal[LEGAL_CHARS];

    add_position(course, match);
    game_view(&match->game, &state);
    if (!decision) {
        course->last = state;
        list_outs(course, (int64_t)match->decision_count);
        return;
    }
    if (!effect_of(&match->game, decision->action, &effect))
        return; /* replay_verify will report the broken rule at the next step */
    list_round(course, &state, match->decision_count);
    list_outs(course, (int64_t)match->decision_count);
    list_decision(course, &effect, decision, match->decision_count);
    put_legal(&match->game, legal);
    add(course, "legal", json_string(legal));
    if (effect.earned > 0)
        add(course, "bonus", json_pack("[I, i]", (json_int_t)match->decision_count, effect.earned));
    course->last_seat = effect.seat;
    story_step(&course->story, match, decision);
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
            details, json_pack("[o, s]", json_sprintf("%.0f Elo then", viewer->ratings[seat]),
                               "Elo before this game, computed from the games until then"));
    free(version);
    return details;
}

/* Returns the data of the page before the first decision: board, players, empty arrays. */
static json_t *describe(const struct course *course, const struct viewer_page *viewer)
{
    static const char *const arrays[] = {"steps",  "times", "banks", "bonus",
                                         "rounds", "outs",  "legal", "longs"};
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
    if (links)
        json_object_set_new(data, "links", links);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        json_object_set_new(data, arrays[i], json_array());
    free(id);
    return data;
}

/* Fills course by playing the match again. Returns 0, or -1 after writing one line to error. */
static int course_play(struct course *course, const struct viewer_page *viewer,
                       char error[static REPLAY_ERROR_BYTES])
{
    int result = 0;

    *course = (struct course){.replay = viewer->replay};
    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        course->names[seat] = words_seat(course->replay, seat);
        if (!course->names[seat])
            result = -1;
    }
    course->stream = open_memstream(&course->list, &course->list_bytes);
    if (!course->stream || result < 0) {
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        result = -1;
    } else {
        course->data = describe(course, viewer);
        list_outs(course, -1);
        add_long_thoughts(course);
        result = replay_verify(course->replay, add_step, course, error);
    }
    if (course->stream)
        fclose(course->stream);
    return result;
}

static void course_finish(struct course *course)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(course->names[seat]);
    free(course->list);
    json_decref(course->data);
}

/* ---- the picture ---- */

enum {
    BOARD_WIDTH = 220,  /* a board of radius 105, as in viewer/draw.js */
    BOARD_HEIGHT = 260, /* board, and above it a line for the name and the score */
    REACH = 64,         /* distance from the board's center to the center of an outer star */
};

static const double pi = 3.14159265358979;

/* Writes a rhombus; the rhombi of all colors have one form. */
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

/* Writes the final position as an SVG file, which other sites show beside a link to the page. */
static void write_picture(FILE *svg, const struct course *course)
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

/* ---- the page ---- */

extern const char site_viewer_css[];
extern const char site_viewer_js[];
extern const char site_analysis_css[], site_analysis_js[]; /* for pages with an analysis */

extern const char site_controls_html[];

/* Writes the preview that other sites show for a link to the page: the result, and the picture. */
static void write_preview(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;

    fputs("<meta property=\"og:title\" content=\"", page);
    for (int seat = 0; seat < terms->player_count; seat++) {
        fputs(seat ? ", " : "", page);
        html_plain(page, course->names[seat]);
        fprintf(page, " %d", viewer->replay->result.scores[seat]);
    }
    fputs("\">\n<meta property=\"og:description\" content=\"A match of Azul: Summer Pavilion\">\n",
          page);
    if (viewer->picture_link) {
        fputs("<meta property=\"og:image\" content=\"", page);
        html_text(page, viewer->picture_link);
        fputs("\">\n", page);
    }
}

static void write_names(FILE *page, const struct course *course, const char *separator)
{
    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        fputs(seat ? separator : "", page);
        html_plain(page, course->names[seat]);
    }
}

static void write_head(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    page_write(page, "top",
               json_pack("{s:o}", "code",
                         viewer->analysis ? page_code(site_analysis_js, site_analysis_css, false)
                                          : page_code(site_viewer_js, site_viewer_css, false)));
    fputs("<title>", page);
    write_names(page, course, " – ");
    fputs(", match ", page);
    html_text(page, viewer->replay->terms.id);
    fputs("</title>\n", page);
    write_preview(page, viewer, course);
    fprintf(page, "<style>%s</style>\n</head>\n",
            viewer->analysis ? site_analysis_css : site_viewer_css);
}

static void write_header(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;
    json_t *started = json_time(viewer->replay->started_s * 1000000);

    fputs("<header>\n", page);
    if (viewer->home_link) {
        fputs("<a class=\"home\" href=\"", page);
        html_text(page, viewer->home_link);
        fputs("\">Ladder</a>\n", page);
        if (viewer->links_live)
            fputs("<a href=\"/live\">Live games</a>\n", page);
    }
    fputs("<h1>", page);
    for (int seat = 0; seat < terms->player_count; seat++) {
        fprintf(page,
                "<button type=\"button\" class=\"s%d\" title=\"Why this result?\">"
                "<span class=\"letter\">%c</span> ",
                seat, 'A' + seat);
        html_plain(page, course->names[seat]);
        fprintf(page, " <b>%d</b></button>\n", viewer->replay->result.scores[seat]);
    }
    fputs("</h1>\n<p id=\"terms\">", page);
    html_text(page, terms->id);
    fprintf(page, "<span>, %s side</span>", notation_boards[terms->board]);
    if (json_is_string(started)) {
        fputs(", <time datetime=\"", page);
        html_text(page, json_string_value(started));
        fprintf(page, "\">%.10s</time>", json_string_value(started));
    }
    json_decref(started);
    fputs("<span>, ", page);
    html_ms(page, terms->clock.turn_ms);
    fputs(" a turn, bank ", page);
    html_ms(page, terms->clock.bank_ms);
    if (terms->clock.gain_ms > 0) {
        fputs(", gain ", page);
        html_ms(page, terms->clock.gain_ms);
    }
    fputs("</span></p>\n<button id=\"theme\" type=\"button\">Dark</button>\n"
          "<button id=\"link\" type=\"button\" title=\"Link to this moment\">Link</button>\n"
          "<button id=\"save\" type=\"button\">Save replay</button>\n"
          "<section id=\"why\" aria-label=\"What decided the match\">\n",
          page);
    for (int seat = 0; seat < terms->player_count; seat++) {
        fputs("<p>", page);
        story_why(page, viewer->replay, &course->story, (const char *const *)course->names, seat);
        fputs("</p>\n", page);
    }
    fputs("</section>\n</header>\n", page);
}

/* ---- the final scoring ---- */

/*
 * Writes a row of the final scoring: the numbers of all seats, which are stride apart. A row of
 * zeros is left out, unless it is always shown.
 */
static void write_row(FILE *page, const struct course *course, const char *label, const int *first,
                      size_t stride, bool always)
{
    int seats = course->replay->terms.player_count;
    bool any = always;

    for (int seat = 0; seat < seats; seat++)
        any = any || first[(size_t)seat * stride] != 0;
    if (!any)
        return;
    fprintf(page, "<tr><th scope=\"row\">%s</th>", label);
    for (int seat = 0; seat < seats; seat++) {
        int points = first[(size_t)seat * stride];

        if (!always && points == 0)
            fputs("<td>·</td>", page);
        else
            fprintf(page, always ? "<td>%d</td>" : "<td>%+d</td>", points);
    }
    fputs("</tr>\n", page);
}

/*
 * Writes a star's row of the final scoring: for each seat, the points of a full star, or how many
 * spaces of the star are covered.
 */
static void write_star(FILE *page, const struct course *course, int star)
{
    fprintf(page, "<tr><th scope=\"row\">%s</th>", words_star(course->replay->terms.board, star));
    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        const struct effect_final *final = &course->story.finals[seat];

        if (final->stars[star] > 0)
            fprintf(page, "<td>%+d</td>", final->stars[star]);
        else
            fprintf(page, "<td class=\"part\">%d of 6</td>", final->covered[star]);
    }
    fputs("</tr>\n", page);
}

static void write_final(FILE *page, const struct course *course)
{
    const int *numbers = course->story.seats[0];
    const struct effect_final *finals = course->story.finals;
    const size_t stride = sizeof *finals / sizeof(int);
    int seats = course->replay->terms.player_count;
    char label[40];

    fputs("<details id=\"final\"><summary>Final scoring</summary>\n", page);
    if (!course->story.is_whole) {
        fputs("<p>The match ended early, without final scoring: fewer than two bots were left.</p>"
              "\n</details>\n",
              page);
        return;
    }
    fputs("<section class=\"wide\" tabindex=\"0\" aria-label=\"Final scoring\">"
          "<table>\n<tr><td></td>",
          page);
    for (int seat = 0; seat < seats; seat++) {
        fprintf(page, "<th scope=\"col\"><span class=\"letter s%d\">%c</span> ", seat, 'A' + seat);
        html_plain(page, course->names[seat]);
        fputs("</th>", page);
    }
    fputs("</tr>\n", page);
    write_row(page, course, "At the start", numbers + STORY_SCORES, STORY_NUMBERS, true);
    write_row(page, course, "Runs of tiles", numbers + STORY_RUNS, STORY_NUMBERS, false);
    write_row(page, course, "Start token", numbers + STORY_TOKEN, STORY_NUMBERS, false);
    write_row(page, course, "Tiles discarded", numbers + STORY_LOST, STORY_NUMBERS, false);
    write_row(page, course, "After round 6", &finals->before, stride, true);
    for (int star = 0; star < GAME_STARS; star++)
        write_star(page, course, star);
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "Every %d covered", cost);
        write_row(page, course, label, &finals->costs[cost - 1], stride, false);
    }
    write_row(page, course, "Left on corners", numbers + STORY_CORNERS, STORY_NUMBERS, false);
    write_row(page, course, "Final score", &finals->after, stride, true);
    write_row(page, course, "Rank", course->replay->result.ranks, 1, true);
    fputs("</table></section>\n</details>\n", page);
}

/* ---- forfeits ---- */

static void write_forfeit(FILE *page, const struct viewer_page *viewer, int seat)
{
    const struct forfeit *forfeit = viewer->replay->forfeits[seat];
    struct rerun_command again = {.program = "arena", .replay = viewer->path, .bot = "BOT"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream) {
        forfeit_text_print(stream, forfeit, seat, viewer->replay->bots[seat].name, &again, NULL);
        fclose(stream);
        /* forfeit_text_print has escaped all characters that need it except line ends */
        html_plain(page, text);
    }
    free(text);
}

static void write_forfeits(FILE *page, const struct viewer_page *viewer)
{
    bool any = false;

    for (int seat = 0; seat < viewer->replay->terms.player_count; seat++) {
        if (!viewer->replay->forfeits[seat])
            continue;
        if (!any)
            fputs("<details id=\"forfeits\"><summary>Forfeits</summary>\n"
                  "<section tabindex=\"0\" aria-label=\"Forfeits\"><pre>",
                  page);
        any = true;
        write_forfeit(page, viewer, seat);
    }
    if (any)
        fputs("</pre></section></details>\n", page);
}

/* ---- the rest of the page ---- */

static void write_story(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    fputs("<section id=\"story\" aria-label=\"Decisions\">\n"
          "<div id=\"now\"><label>Go to decision <input id=\"at\" inputmode=\"numeric\" "
          "enterkeyhint=\"go\" size=\"4\" autocomplete=\"off\"> <span id=\"of\"></span></label>\n"
          "<div aria-live=\"polite\"><p id=\"said\"></p></div><div id=\"times\"></div></div>\n"
          "<details id=\"choices\"><summary>All choices</summary><ul></ul></details>\n",
          page);
    write_forfeits(page, viewer);
    if (!viewer->analysis) {
        fputs("<details id=\"analyst\"><summary>How to ask maestro</summary>\n<p>Save the "
              "replay. Then <code>arena analyse ",
              page);
        html_text(page, viewer->path);
        fputs(" --html match.html</code> asks maestro, the strongest bundled bot, about each "
              "decision, and writes this page with its answers.</p></details>\n",
              page);
    }
    fputs("<ol id=\"moves\" tabindex=\"0\" aria-label=\"All decisions\">\n", page);
    fwrite(course->list, 1, course->list_bytes, page);
    fputs("</ol>\n</section>\n", page);
}

static void write_data(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    fputs("<script type=\"application/json\" id=\"match\">", page);
    html_json(page, course->data);
    if (viewer->analysis) {
        fputs("</script>\n<script type=\"application/json\" id=\"analysis\">", page);
        html_json(page, viewer->analysis);
    }
    fputs("</script>\n<script type=\"application/octet-stream\" id=\"replay\">", page);
    html_base64(page, viewer->bytes, viewer->size);
    fprintf(page, "</script>\n<script>%s</script>\n",
            viewer->analysis ? site_analysis_js : site_viewer_js);
}

int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES])
{
    struct course course;
    int result = course_play(&course, viewer, error);

    if (result == 0) {
        int players = viewer->replay->terms.player_count;

        write_head(page, viewer, &course);
        fprintf(page, "<body class=\"p%d match\">\n", players);
        write_header(page, viewer, &course);
        fputs("<main>\n<section id=\"table\" aria-label=\"Table\"></section>\n", page);
        write_final(page, &course);
        write_story(page, viewer, &course);
        fputs("</main>\n", page);
        fputs(site_controls_html, page);
        write_data(page, viewer, &course);
        if (viewer->picture)
            write_picture(viewer->picture, &course);
        fputs("</body>\n</html>\n", page);
    }
    if (result == 0 && page_failure()) {
        snprintf(error, REPLAY_ERROR_BYTES, "%s", page_failure());
        result = -1;
    }
    course_finish(&course);
    return result;
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
