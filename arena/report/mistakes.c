/* SPDX-License-Identifier: MIT */
#include "arena/report/mistakes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arena/base/plain_text.h"
#include "arena/replay/words.h"
#include "arena/report/bot.h"

enum {
    JSON = COLUMN_IN_JSON,
    CENTI = 100, /* units of cost in a point */
    MEAN_BYTES = 64,
    MEAN_COLUMNS = 15,
};

/* ---- one decision ---- */

const char *const mistake_words[] = {[MISTAKE_NONE] = "",
                                     [MISTAKE_WILD] = "Leaves wild tiles",
                                     [MISTAKE_TOKEN] = "Misjudges the start token",
                                     [MISTAKE_DRAFT] = "Takes the wrong tiles",
                                     [MISTAKE_EARLY] = "Passes too early",
                                     [MISTAKE_LATE] = "Passes too late",
                                     [MISTAKE_EARNED] = "Forgoes bonus tiles",
                                     [MISTAKE_PAID] = "Pays with the wrong tiles",
                                     [MISTAKE_PLACE] = "Places the wrong tile",
                                     [MISTAKE_BONUS] = "Takes the wrong bonus tiles",
                                     [MISTAKE_DISCARD] = "Discards too many tiles",
                                     [MISTAKE_KEEP] = "Keeps the wrong tiles",
                                     [MISTAKE_KINDS] = NULL};

static const char *const phase_words[] = {"draft", "place", "bonus", NULL};

static enum phase phase_of(enum mistake_kind kind)
{
    return kind == MISTAKE_BONUS ? PHASE_BONUS : kind <= MISTAKE_DRAFT ? PHASE_DRAFT : PHASE_PLACE;
}

static int count_tiles(const uint8_t tiles[static GAME_COLORS])
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += tiles[color];
    return count;
}

static enum mistake_kind draft_kind(const struct effect *done, const struct effect *better)
{
    return better->moved[done->wild] > done->moved[done->wild] ? MISTAKE_WILD
           : better->token != done->token                      ? MISTAKE_TOKEN
                                                               : MISTAKE_DRAFT;
}

static enum mistake_kind place_kind(const struct effect *done, const struct effect *better)
{
    return better->granted > done->granted ? MISTAKE_EARNED
           : better->action.number[0] == done->action.number[0] &&
                   better->action.number[1] == done->action.number[1]
               ? MISTAKE_PAID
               : MISTAKE_PLACE;
}

enum mistake_kind mistake_kind(const struct judgement *judgement)
{
    const struct effect *done = &judgement->done, *better = &judgement->better;

    if (judgement_lost(judgement) == 0)
        return MISTAKE_NONE;
    if (done->action.kind != better->action.kind)
        return done->action.kind == ACTION_PASS ? MISTAKE_EARLY : MISTAKE_LATE;
    switch (done->action.kind) {
    case ACTION_DRAFT:
        return draft_kind(done, better);
    case ACTION_PLACE:
        return place_kind(done, better);
    case ACTION_BONUS:
        return MISTAKE_BONUS;
    case ACTION_PASS:
        return count_tiles(better->lost) < count_tiles(done->lost) ? MISTAKE_DISCARD : MISTAKE_KEEP;
    }
    return MISTAKE_NONE;
}

int64_t judgement_lost(const struct judgement *judgement)
{
    return judgement->best_expected - judgement->expected;
}

static void get_action(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    const struct effect *effect = (const void *)((const char *)row + column->offset);
    char text[NOTATION_ACTION_BYTES];

    notation_write_action(effect->action, text);
    column_set_text(value, "%s", text);
}

static void get_phase(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct judgement *judgement = row;
    enum action_kind kind = judgement->done.action.kind;

    column_set_text(value, "%s",
                    phase_words[kind == ACTION_DRAFT   ? PHASE_DRAFT
                                : kind == ACTION_BONUS ? PHASE_BONUS
                                                       : PHASE_PLACE]);
}

static void get_kind(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    column_set_text(value, "%s", mistake_words[mistake_kind(row)]);
}

static void set_points(struct column_value *value, int64_t centipoints)
{
    value->kind = COLUMN_REAL;
    value->real = (double)centipoints / CENTI;
}

static void get_points(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    set_points(value, *(const int64_t *)(const void *)((const char *)row + column->offset));
}

static void get_lost(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    set_points(value, judgement_lost(row));
}

static json_t *position_json(const void *context, const void *row)
{
    const struct judgement *judgement = row;

    return *judgement->position ? json_string(judgement->position) : json_null();
}

#define OF(field) .offset = offsetof(struct judgement, field)
#define POINTS_BY(getter)                                                                          \
    .kind = COLUMN_REAL, .type = "number", .get_fn = getter, .unit = "points", .decimals = 2

static const struct column decision_array[] = {
    {"match", NULL, JSON, MATCH_WORDS "; null: that of the analysis", COLUMN_TEXT, OF(game),
     .type = "text?"},
    {"turn", NULL, JSON, "number of the decision, from 0", COLUMN_INTEGER, OF(turn)},
    {"seat", NULL, JSON, "seat that decided", COLUMN_INT, OF(done.seat)},
    {"round", NULL, JSON, "round of the game, 1 to 6", COLUMN_INT, OF(done.round)},
    {"phase", NULL, JSON, "phase of the game", WORDS_BY(get_phase, "text"), .words = phase_words},
    {"kind", NULL, JSON, "what is better about the best action; null: nothing better is known",
     WORDS_BY(get_kind, "text?")},
    {"action", NULL, JSON, "action that was played, in the notation of rules.md",
     WORDS_BY(get_action, "text"), OF(done)},
    {"best", NULL, JSON, "action that the analyst would have played", WORDS_BY(get_action, "text"),
     OF(better)},
    {"expected", NULL, JSON, "lead at the end that the analyst expects after the action",
     POINTS_BY(get_points), OF(expected)},
    {"best_expected", NULL, JSON, "lead at the end that the analyst expects after the best action",
     POINTS_BY(get_points), OF(best_expected)},
    {"lost", NULL, JSON, "points of the expected lead that the action cost", POINTS_BY(get_lost)},
    {"position", NULL, JSON,
     "position before the decision, in the notation of rules.md; null: the replay has it",
     .type = "text?", .json_fn = position_json},
};

const struct columns decision_columns = COLUMNS_OF(decision_array);

/* ---- many games of a player ---- */

static void add_cost(struct mistakes_cell *cell, int64_t lost)
{
    cell->game += lost;
    cell->count += lost >= MISTAKE_POINTS * CENTI;
}

void mistakes_add(struct mistakes *mistakes, const struct judgement *judgement, const char *game,
                  const struct game *position)
{
    int64_t lost = judgement_lost(judgement);
    enum mistake_kind kind = mistake_kind(judgement);
    struct position state;
    int at;

    if (lost == 0)
        return;
    add_cost(&mistakes->all, lost);
    add_cost(&mistakes->cells[kind][0], lost);
    add_cost(&mistakes->cells[kind][judgement->done.round], lost);

    for (at = mistakes->worst_count; at > 0 && judgement_lost(&mistakes->worst[at - 1]) < lost;
         at--)
        if (at < MISTAKES_WORST)
            mistakes->worst[at] = mistakes->worst[at - 1];
    if (at == MISTAKES_WORST)
        return;
    if (mistakes->worst_count < MISTAKES_WORST)
        mistakes->worst_count++;
    mistakes->worst[at] = *judgement;
    snprintf(mistakes->worst[at].game, MISTAKE_ID_BYTES, "%s", game);
    if (!position)
        return;
    game_view(position, &state);
    notation_write_position(&state, mistakes->worst[at].position);
}

static void end_game(struct mistakes_cell *cell)
{
    cell->sum += cell->game;
    cell->square += (double)cell->game * (double)cell->game;
    cell->game = 0;
}

void mistakes_end_game(struct mistakes *mistakes)
{
    mistakes->game_count++;
    end_game(&mistakes->all);
    for (int kind = 0; kind < MISTAKE_KINDS; kind++)
        for (int round = 0; round <= GAME_ROUNDS; round++)
            end_game(&mistakes->cells[kind][round]);
}

double mistakes_lost(const struct mistakes *mistakes, const struct mistakes_cell *cell)
{
    return (double)cell->sum / CENTI / fmax(1., mistakes->game_count);
}

double mistakes_error95(const struct mistakes *mistakes, const struct mistakes_cell *cell)
{
    double n = mistakes->game_count, mean = (double)cell->sum / n;

    if (n < 2)
        return NAN;
    return 1.96 * sqrt(fmax(0., cell->square / n - mean * mean) / (n - 1)) / CENTI;
}

int mistakes_order(const struct mistakes *mistakes, enum mistake_kind kinds[static MISTAKE_KINDS])
{
    int count = 0;

    for (int kind = MISTAKE_NONE + 1; kind < MISTAKE_KINDS; kind++) {
        int64_t sum = mistakes->cells[kind][0].sum;
        int at = count;

        if (sum == 0)
            continue;
        for (; at > 0 && mistakes->cells[kinds[at - 1]][0].sum < sum; at--)
            kinds[at] = kinds[at - 1];
        kinds[at] = (enum mistake_kind)kind;
        count++;
    }
    return count;
}

/* A row of mistake_columns. */
struct row {
    const struct mistakes *mistakes;
    const struct mistakes_cell *cell;
    enum mistake_kind kind;
    int round; /* 0: all */
};

static void get_row_kind(const void *context, const void *self, const struct column *column,
                         struct column_value *value)
{
    const struct row *row = self;

    column_set_text(value, "%s", mistake_words[row->kind]);
}

static void get_row_phase(const void *context, const void *self, const struct column *column,
                          struct column_value *value)
{
    const struct row *row = self;

    column_set_text(value, "%s", phase_words[phase_of(row->kind)]);
}

static void get_row_round(const void *context, const void *self, const struct column *column,
                          struct column_value *value)
{
    const struct row *row = self;

    if (row->round > 0)
        column_set_integer(value, row->round);
}

static void get_row_count(const void *context, const void *self, const struct column *column,
                          struct column_value *value)
{
    const struct row *row = self;

    column_set_integer(value, row->cell->count);
}

static void set_real(struct column_value *value, double real)
{
    if (isnan(real))
        return;
    value->kind = COLUMN_REAL;
    value->real = real;
}

static void get_row_lost(const void *context, const void *self, const struct column *column,
                         struct column_value *value)
{
    const struct row *row = self;

    set_real(value, mistakes_lost(row->mistakes, row->cell));
}

static void get_row_error(const void *context, const void *self, const struct column *column,
                          struct column_value *value)
{
    const struct row *row = self;

    set_real(value, mistakes_error95(row->mistakes, row->cell));
}

#define LOST_WORDS  "points of the expected lead lost a game"
#define ERROR_WORDS "half width of the 95 % interval of points_a_game; null: fewer than two games"

static const struct column mistake_array[] = {
    {"kind", NULL, JSON, "what would have been better", WORDS_BY(get_row_kind, "text")},
    {"phase", NULL, JSON, "phase of the game", WORDS_BY(get_row_phase, "text"),
     .words = phase_words},
    {"round", NULL, JSON, "round of the game, 1 to 6; null: all of them",
     NUMBER_BY(get_row_round, "integer?")},
    {"count", NULL, JSON, "such decisions that cost 3 points or more",
     NUMBER_BY(get_row_count, "integer")},
    {"points_a_game", NULL, JSON, LOST_WORDS, POINTS_BY(get_row_lost)},
    {"points_error95", NULL, JSON, ERROR_WORDS, .kind = COLUMN_REAL, .type = "number?",
     .get_fn = get_row_error, .unit = "points", .decimals = 2},
};

const struct columns mistake_columns = COLUMNS_OF(mistake_array);

static void get_all_lost(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    const struct mistakes *mistakes = row;

    set_real(value, mistakes_lost(mistakes, &mistakes->all));
}

static void get_all_error(const void *context, const void *row, const struct column *column,
                          struct column_value *value)
{
    const struct mistakes *mistakes = row;

    set_real(value, mistakes_error95(mistakes, &mistakes->all));
}

static void get_player(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    const struct mistakes *mistakes = row;

    column_set_text(value, "%s", mistakes->player);
}

static json_t *rows_json(const void *context, const void *self)
{
    const struct mistakes *mistakes = self;
    enum mistake_kind kinds[MISTAKE_KINDS];
    int count = mistakes_order(mistakes, kinds);
    json_t *rows = json_array();

    for (int i = 0; i < count; i++)
        for (int round = 0; round <= GAME_ROUNDS; round++) {
            const struct mistakes_cell *cell = &mistakes->cells[kinds[i]][round];
            const struct row row = {mistakes, cell, kinds[i], round};

            if (cell->sum > 0)
                json_array_append_new(
                    rows, columns_row_json(&mistake_columns, &row, NULL, READER_ORGANIZER));
        }
    return rows;
}

static json_t *worst_json(const void *context, const void *self)
{
    const struct mistakes *mistakes = self;

    return columns_json(&decision_columns,
                        &(struct columns_rows){.rows = mistakes->worst,
                                               .row_bytes = sizeof *mistakes->worst,
                                               .count = mistakes->worst_count},
                        READER_ORGANIZER);
}

static const struct column mistakes_array[] = {
    {"player", NULL, JSON, "name of the player", WORDS_BY(get_player, "text")},
    {"games", NULL, JSON, "games of the player that were analysed, a game once a seat", COLUMN_INT,
     offsetof(struct mistakes, game_count)},
    {"points_a_game", NULL, JSON, LOST_WORDS, POINTS_BY(get_all_lost)},
    {"points_error95", NULL, JSON, ERROR_WORDS, .kind = COLUMN_REAL, .type = "number?",
     .get_fn = get_all_error, .unit = "points", .decimals = 2},
    {"mistakes", NULL, JSON, "what each kind of mistake costs, the costliest kind first",
     .type = "mistake[]", .json_fn = rows_json},
    {"worst", NULL, JSON, "the decisions that cost most, at most 10", .type = "decision[]",
     .json_fn = worst_json},
};

const struct columns mistakes_columns = COLUMNS_OF(mistakes_array);

/* ---- text ---- */

/* Writes "4.2 ± 0.9"; the error only if it is known. */
static void write_mean(const struct mistakes *mistakes, const struct mistakes_cell *cell,
                       char text[static MEAN_BYTES])
{
    double error = mistakes_error95(mistakes, cell);
    int length = snprintf(text, MEAN_BYTES, "%.1f", mistakes_lost(mistakes, cell));

    if (!isnan(error))
        snprintf(text + length, MEAN_BYTES - (size_t)length, " ± %.1f", error);
}

static void print_worst(FILE *stream, const struct judgement *worst)
{
    plain_text_printf(stream, "%s decision %lld, round %d: -%.1f points: ", worst->game,
                      (long long)worst->turn, worst->done.round,
                      (double)judgement_lost(worst) / CENTI);
    words_effect(stream, &worst->done);
    fputs("\n  better: ", stream);
    words_effect(stream, &worst->better);
    fprintf(stream, "\n  position: %s\n", worst->position);
}

void mistakes_print(FILE *stream, const struct mistakes *mistakes)
{
    enum mistake_kind kinds[MISTAKE_KINDS];
    int count = mistakes_order(mistakes, kinds);
    char mean[MEAN_BYTES];

    write_mean(mistakes, &mistakes->all, mean);
    plain_text_printf(stream, "%s: %d game%s, %s points lost a game\n\n", mistakes->player,
                      mistakes->game_count, plain_text_s(mistakes->game_count), mean);
    fputs("  kind                         points a game  mistakes  "
          "round 1     2     3     4     5     6\n",
          stream);
    for (int i = 0; i < count; i++) {
        const struct mistakes_cell *cells = mistakes->cells[kinds[i]];
        bool is_wide;

        write_mean(mistakes, &cells[0], mean);
        is_wide = strchr(mean, ' ') != NULL; /* then there is a "±", two bytes and one column */
        fprintf(stream, "  %-28s %-*s %7d ", mistake_words[kinds[i]], MEAN_COLUMNS - !is_wide, mean,
                cells[0].count);
        for (int round = 1; round <= GAME_ROUNDS; round++)
            fprintf(stream, round == 1 ? " %7.1f" : " %5.1f",
                    mistakes_lost(mistakes, &cells[round]));
        fputc('\n', stream);
    }
    if (mistakes->worst_count > 0)
        fputs("\nthe worst decisions:\n", stream);
    for (int i = 0; i < mistakes->worst_count; i++)
        print_worst(stream, &mistakes->worst[i]);
}
