#include "arena/site/viewer_course.h"

#include <stdlib.h>
#include <string.h>

#include "arena/replay/words.h"
#include "arena/site/html.h"
#include "engine/notation.h"

/*
 * A decision is marked as a long thought if it used the bank, or took at least LONG_US and
 * LONG_TIMES the mean of its bot.
 */
enum {
    LONG_US = 10000,
    LONG_TIMES = 5,
};

/* The pass over the replay. */
struct pass {
    struct viewer_course *course;
    FILE *list;
    char position[COURSE_POSITION_CHARS + 1]; /* the position before the current decision */
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

/* Adds the position match->game: what changed, and what the last decision cost. */
static void add_position(struct pass *pass, const struct match *match)
{
    char text[COURSE_POSITION_CHARS + 1];
    struct position state;

    game_view(&match->game, &state);
    course_position(&state, text);
    if (match->decision_count == 0) {
        json_object_set_new(pass->course->data, "first", json_string(text));
    } else {
        const struct match_decision *last = &match->decisions[match->decision_count - 1];
        int64_t bank_us = match->seats[pass->last_seat].bank_us;

        json_array_append_new(pass->steps, course_changes(pass->position, text));
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
    char legal[COURSE_LEGAL_CHARS];

    add_position(pass, match);
    if (!decision) {
        list_outs(pass, (int64_t)match->decision_count);
        return;
    }
    if (!effect_of(&match->game, decision->action, &effect))
        return; /* the next step reports the broken rule */
    game_view(&match->game, &state);
    list_round(pass, &state, match->decision_count);
    list_outs(pass, (int64_t)match->decision_count);
    list_decision(pass, &effect, decision, match->decision_count);
    course_legal(&match->game, legal);
    json_array_append_new(pass->legal, json_string(legal));
    json_array_append_new(pass->seats, json_integer(effect.seat));
    json_array_append_new(pass->bonus, json_integer(effect.earned));
    pass->last_seat = effect.seat;
    if (effect.game_ended) {
        pass->course->scored = true;
        effect_final(&match->game, decision->action, pass->course->finals);
    }
}

/* Lists the decisions that took long, by number. */
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

/* Returns what the script needs to know about the board, and the names of things. */
static json_t *describe(const struct viewer_course *course)
{
    enum board_side side = course->replay->terms.board;
    json_t *names = json_array(), *colors = json_array(), *stars = json_array();
    json_t *star_colors = json_array();

    for (int seat = 0; seat < course->replay->terms.player_count; seat++)
        json_array_append_new(names, json_string(course->names[seat]));
    for (int color = 0; color < GAME_COLORS; color++)
        json_array_append_new(colors, json_string(notation_color_names[color]));
    for (int star = 0; star < GAME_STARS; star++) {
        json_array_append_new(stars, json_string(words_star(side, star)));
        json_array_append_new(star_colors,
                              json_integer(side == BOARD_GRAY || star == GAME_STAR_CENTER
                                               ? -1
                                               : board_star_colors[star]));
    }
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "players",
                     course->replay->terms.player_count, "names", names, "colors", colors, "stars",
                     stars, "starColors", star_colors, "costs", costs_json(side), "features",
                     features_json());
}

static int play(struct viewer_course *course, struct pass *pass,
                char error[static REPLAY_ERROR_BYTES])
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

int viewer_course_play(struct viewer_course *course, const struct replay *replay,
                       char error[static REPLAY_ERROR_BYTES])
{
    struct pass pass = {.course = course};
    int result = 0;

    *course = (struct viewer_course){.replay = replay};
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

void viewer_course_finish(struct viewer_course *course)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(course->names[seat]);
    free(course->list);
    json_decref(course->data);
}
