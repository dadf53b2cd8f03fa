#include "arena/site/course.h"

#include <stdlib.h>
#include <string.h>

#include "arena/replay/words.h"
#include "arena/site/html.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    BASE = 36,
    POSITION_CHARS = 6 + 6 * (GAME_DISPLAYS_MAX + 4) + GAME_PLAYERS_MAX * 57,
    LEGAL_CHARS = 512, /* room for the text of put_legal and its terminating NUL */
    /*
     * The viewer marks a decision as a long thought if the bot used its time bank, or if the
     * decision took at least LONG_US and more than LONG_TIMES the bot's mean.
     */
    LONG_US = 10000,
    LONG_TIMES = 5,
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

/* Writes a position as course.h describes it, and a terminating NUL. */
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
 * Returns the characters that differ between two positions (format: see course.h). Both texts have
 * the same length.
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

/* What the placements that are possible now have in common: spaces, points, colors and payments. */
struct placing {
    char spaces[GAME_STARS * GAME_SPACES];
    int colors[GAME_STARS];
    /* number of wild tiles paid, by color and cost */
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

/* The state of one pass over the replay. */
struct pass {
    struct course *course;
    FILE *list;
    char position[POSITION_CHARS + 1]; /* text of the position before the current decision */
    int round;
    int last_seat; /* seat of the previous decision */
    json_t *steps, *seats, *us, *banks, *bonus, *rounds, *outs, *legal, *longs;
};

static void list_outs(struct pass *pass, int64_t turn)
{
    const struct replay *replay = pass->course->replay;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        char *words = NULL;
        size_t size;
        FILE *stream;

        if (replay->out_turns[seat] != turn || !(stream = open_memstream(&words, &size)))
            continue;
        words_out(stream, replay, seat);
        fclose(stream);
        fprintf(pass->list, "<li class=\"out\">");
        html_format(pass->list, "%s %s", pass->course->names[seat], words);
        fputs("</li>\n", pass->list);
        free(words);
        json_array_append_new(pass->outs,
                              json_pack("[I, i]", (json_int_t)(turn < 0 ? 0 : turn), seat));
    }
}

static void list_round(struct pass *pass, const struct position *state, size_t turn)
{
    if (state->round == pass->round)
        return;
    pass->round = state->round;
    fprintf(pass->list, "<li class=\"round\">Round %d, wild %s</li>\n", state->round,
            notation_color_names[state->wild]);
    json_array_append_new(pass->rounds, json_integer((json_int_t)turn));
}

static void list_decision(struct pass *pass, const struct effect *effect,
                          const struct replay_decision *decision, size_t turn)
{
    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);

    if (!stream)
        return;
    words_effect(stream, effect);
    fclose(stream);
    fprintf(pass->list, "<li class=\"s%d\"><a href=\"#t=%zu\"><b>%zu</b> ", effect->seat, turn + 1,
            turn);
    html_plain(pass->list, pass->course->names[effect->seat]);
    fputc(' ', pass->list);
    html_plain(pass->list, words);
    if (decision->by_arena)
        fputs(" (stand-in)", pass->list);
    fputs("</a>", pass->list);
    if (decision->note && decision->note_bytes > 0) {
        fputs("<i>", pass->list);
        html_bytes(pass->list, decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX);
        fputs("</i>", pass->list);
    }
    fputs("</li>\n", pass->list);
    free(words);
}

/*
 * Adds the position of match->game: how it differs from the position before, and the time that the
 * last decision took.
 */
static void add_position(struct pass *pass, const struct match *match)
{
    char text[POSITION_CHARS + 1];
    struct position state;

    game_view(&match->game, &state);
    put_position(&state, text);
    if (match->decision_count == 0) {
        json_object_set_new(pass->course->data, "first", json_string(text));
    } else {
        const struct match_decision *last = &match->decisions[match->decision_count - 1];
        int64_t bank_us = match->seats[pass->last_seat].bank_us;

        json_array_append_new(pass->steps, changes_json(pass->position, text));
        json_array_append_new(pass->us, json_integer(last->by_arena ? -1 : last->us));
        json_array_append_new(pass->banks, json_integer(last->by_arena ? -1 : bank_us / 1000));
    }
    memcpy(pass->position, text, sizeof text);
}

static void pass_step(void *self, struct match *match, const struct replay_decision *decision)
{
    struct pass *pass = self;
    struct effect effect;
    struct position state;
    char legal[LEGAL_CHARS];

    add_position(pass, match);
    if (!decision) {
        game_view(&match->game, &pass->course->last);
        list_outs(pass, (int64_t)match->decision_count);
        return;
    }
    if (!effect_of(&match->game, decision->action, &effect))
        return; /* replay_verify reports the broken rule at the next step */
    game_view(&match->game, &state);
    list_round(pass, &state, match->decision_count);
    list_outs(pass, (int64_t)match->decision_count);
    list_decision(pass, &effect, decision, match->decision_count);
    put_legal(&match->game, legal);
    json_array_append_new(pass->legal, json_string(legal));
    json_array_append_new(pass->seats, json_integer(effect.seat));
    json_array_append_new(pass->bonus, json_integer(effect.earned));
    pass->last_seat = effect.seat;
    if (effect.game_ended) {
        pass->course->scored = true;
        effect_final(&match->game, decision->action, pass->course->finals);
    }
}

/* Adds the numbers of the decisions that are long thoughts. */
static void add_long_thoughts(struct pass *pass, const struct replay *replay)
{
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
            json_array_append_new(pass->longs, json_integer((json_int_t)i));
    }
}

static json_t *costs_json(enum board_side side)
{
    json_t *stars = json_array();

    for (int star = 0; star < GAME_STARS; star++) {
        json_t *costs = json_array();

        for (int space = 0; space < GAME_SPACES; space++)
            json_array_append_new(costs, json_integer(board_costs[side][star][space]));
        json_array_append_new(stars, costs);
    }
    return stars;
}

/* Returns the spaces that each feature touches, as pairs of star and position. */
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

json_t *course_board(enum board_side side)
{
    json_t *colors = json_array(), *stars = json_array(), *star_colors = json_array();

    for (int color = 0; color < GAME_COLORS; color++)
        json_array_append_new(colors, json_string(notation_color_names[color]));
    for (int star = 0; star < GAME_STARS; star++) {
        json_array_append_new(stars, json_string(words_star(side, star)));
        json_array_append_new(star_colors,
                              json_integer(side == BOARD_GRAY || star == GAME_STAR_CENTER
                                               ? -1
                                               : board_star_colors[star]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "colors", colors, "stars", stars, "starColors",
                     star_colors, "costs", costs_json(side), "features", features_json());
}

/* Returns what the viewer's script needs to know of the board and the players. */
static json_t *describe(const struct course *course)
{
    json_t *data = course_board(course->replay->terms.board), *names = json_array();

    for (int seat = 0; seat < course->replay->terms.player_count; seat++)
        json_array_append_new(names, json_string(course->names[seat]));
    json_object_set_new(data, "players", json_integer(course->replay->terms.player_count));
    json_object_set_new(data, "names", names);
    return data;
}

static int play(struct course *course, struct pass *pass, char error[static REPLAY_ERROR_BYTES])
{
    struct {
        const char *key;
        json_t **array;
    } arrays[] = {
        {"steps", &pass->steps}, {"seats", &pass->seats}, {"us", &pass->us},
        {"banks", &pass->banks}, {"bonus", &pass->bonus}, {"rounds", &pass->rounds},
        {"outs", &pass->outs},   {"legal", &pass->legal}, {"longs", &pass->longs},
    };

    course->data = describe(course);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].array = json_array();
        json_object_set_new(course->data, arrays[i].key, *arrays[i].array);
    }
    list_outs(pass, -1);
    add_long_thoughts(pass, course->replay);
    return replay_verify(course->replay, pass_step, pass, error);
}

int course_play(struct course *course, const struct replay *replay,
                char error[static REPLAY_ERROR_BYTES])
{
    struct pass pass = {.course = course};
    int result = 0;

    *course = (struct course){.replay = replay};
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        course->names[seat] = words_seat(replay, seat);
        if (!course->names[seat])
            result = -1;
    }
    pass.list = open_memstream(&course->list, &course->list_bytes);
    if (!pass.list || result < 0) {
        if (pass.list)
            fclose(pass.list);
        snprintf(error, REPLAY_ERROR_BYTES, "out of memory");
        return -1;
    }
    result = play(course, &pass, error);
    fclose(pass.list);
    return result;
}

void course_finish(struct course *course)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(course->names[seat]);
    free(course->list);
    json_decref(course->data);
}
