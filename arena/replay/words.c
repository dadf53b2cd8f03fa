/* SPDX-License-Identifier: MIT */
#include "arena/replay/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/plain_text.h"
#include "engine/notation.h"

const char *words_star(enum board_side side, int star)
{
    static const char *const places[GAME_STARS] = {
        "top left star",    "top right star", "right star", "bottom right star",
        "bottom left star", "left star",      "center star"};
    static const char *const colors[GAME_COLORS] = {"purple star", "green star", "orange star",
                                                    "yellow star", "blue star",  "red star"};

    if (side == BOARD_GRAY || star == GAME_STAR_CENTER)
        return places[star];
    return colors[board_star_colors[star]];
}

static void write_points(FILE *stream, int points)
{
    fprintf(stream, "%d point%s", points, points == 1 ? "" : "s");
}

static int count_colors(const uint8_t tiles[static GAME_COLORS])
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += tiles[color] > 0;
    return count;
}

void words_tiles(FILE *stream, const uint8_t tiles[static GAME_COLORS], int first, int wild)
{
    int left = count_colors(tiles);
    bool begun = false;

    if (left == 0)
        fputs("nothing", stream);
    for (int i = -1; i < GAME_COLORS; i++) {
        int color = i < 0 ? first : i;

        if (color < 0 || (i >= 0 && color == first) || tiles[color] == 0)
            continue;
        left--;
        fputs(!begun ? "" : left == 0 ? " and " : ", ", stream);
        fprintf(stream, "%d %s%s", tiles[color], color == wild ? "wild " : "",
                notation_color_names[color]);
        begun = true;
    }
}

/* Writes the change of the score and the new score, ": -2, 13 points", if the decision changed it.
 */
static void write_score(FILE *stream, const struct effect *effect)
{
    if (effect->penalty == 0 && effect->points == 0)
        return;
    fprintf(stream, ": %+d", effect->points);
    if (effect->penalty > -effect->points && effect->points <= 0)
        fprintf(stream, " (not %d, because a score never falls below %d)", -effect->penalty,
                GAME_SCORE_MIN);
    fputs(", ", stream);
    write_points(stream, effect->score);
}

static void write_draft(FILE *stream, const struct effect *effect)
{
    const int8_t *number = effect->action.number;
    int color = number[1], wild = effect->wild;

    if (color == wild)
        fprintf(stream, " 1 wild %s", notation_color_names[color]);
    else
        fprintf(stream, " %d %s", effect->moved[color], notation_color_names[color]);
    if (color != wild && effect->moved[wild] > 0)
        fprintf(stream, " and the wild %s", notation_color_names[wild]);
    if (number[0] == GAME_SOURCE_CENTER)
        fputs(" from the center", stream);
    else
        fprintf(stream, " from factory %d", number[0]);
    if (effect->token)
        fputs(" with the start token", stream);
}

static void write_features(FILE *stream, const struct effect *effect)
{
    static const char *const names[] = {"pillar", "statue", "window"};
    int left = __builtin_popcount(effect->features);
    bool begun = false;

    if (left == 0)
        return;
    fputs("; joins ", stream);
    for (int kind = 0; kind < 3; kind++) {
        int count = __builtin_popcount(effect->features >> (6 * kind) & 0x3f);

        if (count == 0)
            continue;
        left -= count;
        fputs(!begun ? "" : left == 0 ? " and " : ", ", stream);
        if (count == 1)
            fprintf(stream, "a %s", names[kind]);
        else
            fprintf(stream, "%d %ss", count, names[kind]);
        begun = true;
    }
    if (effect->granted == effect->earned)
        fprintf(stream, ": %d bonus tile%s", effect->earned, effect->earned == 1 ? "" : "s");
    else
        fprintf(stream, ": %d of %d bonus tiles, because the supply holds no more", effect->granted,
                effect->earned);
}

static void write_placement(FILE *stream, const struct effect *effect)
{
    const char *star = words_star(effect->board, effect->action.number[0]);
    int color = effect->action.number[2];

    fprintf(stream, " %d on the %s, ", effect->cost, star);
    words_tiles(stream, effect->moved, color, color == effect->wild ? WORDS_NO_WILD : effect->wild);
}

static void write_pass(FILE *stream, const struct effect *effect, enum words_tense tense)
{
    static const char *const keeps[] = {", keeps ", ", keep "};
    static const char *const discards[] = {", discards ", ", discard "};

    if (count_colors(effect->moved) > 0) {
        fputs(keeps[tense], stream);
        words_tiles(stream, effect->moved, -1, WORDS_NO_WILD);
    }
    if (count_colors(effect->lost) > 0) {
        fputs(discards[tense], stream);
        words_tiles(stream, effect->lost, -1, WORDS_NO_WILD);
    }
}

void words_action(FILE *stream, const struct effect *effect, enum words_tense tense)
{
    static const char *const verbs[][2] = {[ACTION_DRAFT] = {"takes", "take"},
                                           [ACTION_PLACE] = {"places", "place"},
                                           [ACTION_BONUS] = {"takes", "take"},
                                           [ACTION_PASS] = {"passes", "pass"}};

    fputs(verbs[effect->action.kind][tense], stream);
    switch ((enum action_kind)effect->action.kind) {
    case ACTION_DRAFT:
        write_draft(stream, effect);
        return;
    case ACTION_PLACE:
        write_placement(stream, effect);
        return;
    case ACTION_BONUS:
        fputs(" ", stream);
        words_tiles(stream, effect->moved, -1, effect->wild);
        fputs(" from the supply", stream);
        return;
    case ACTION_PASS:
        write_pass(stream, effect, tense);
        return;
    }
}

static void write_effect(FILE *stream, const struct effect *effect, enum words_tense tense)
{
    words_action(stream, effect, tense);
    write_score(stream, effect);
    if (effect->action.kind == ACTION_PLACE && effect->run > 1)
        fprintf(stream, "; a run of %d", effect->run);
    write_features(stream, effect);
}

void words_effect(FILE *stream, const struct effect *effect)
{
    write_effect(stream, effect, WORDS_PRESENT);
}

void words_advice(FILE *stream, const struct effect *effect)
{
    write_effect(stream, effect, WORDS_ADVICE);
}

void words_time(FILE *stream, bool by_arena, int64_t us, int64_t bank_us)
{
    if (by_arena) {
        fputs(" (stand-in)", stream);
        return;
    }
    fprintf(stream, "; %" PRId64 ".%" PRId64 " ms", us / 1000, us / 100 % 10);
    if (bank_us >= 0)
        fprintf(stream, ", bank %" PRId64 ".%" PRId64 " s", bank_us / 1000000,
                bank_us / 100000 % 10);
}

static bool has_namesake(const struct replay *replay, int seat)
{
    for (int other = 0; other < replay->terms.player_count; other++)
        if (other != seat && strcmp(replay->bots[other].name, replay->bots[seat].name) == 0)
            return true;
    return false;
}

char *words_seat(const struct replay *replay, int seat)
{
    char *plain = plain_text(replay->bots[seat].name);
    char *name = NULL;
    int written;

    if (!plain || (*plain && !has_namesake(replay, seat)))
        return plain;
    written =
        *plain ? asprintf(&name, "%s (seat %d)", plain, seat) : asprintf(&name, "seat %d", seat);
    free(plain);
    return written < 0 ? NULL : name;
}

/* ---- positions ---- */

static void write_pile(FILE *stream, const char *what, const uint8_t tiles[static GAME_COLORS],
                       int wild)
{
    fputs(what, stream);
    words_tiles(stream, tiles, WORDS_NO_WILD, wild);
    fputs(".\n", stream);
}

static void write_seat(FILE *stream, const struct position *position, int seat, const char *name)
{
    const struct position_seat *shown = &position->seats[seat];

    plain_text_printf(stream, "%s: %d point%s%s, ", name, shown->score, plain_text_s(shown->score),
                      position->token == seat ? ", the start token" : "");
    write_pile(stream, shown->passed ? "keeps " : "in hand ",
               shown->passed ? shown->corners : shown->hand, position->wild);
}

void words_table(FILE *stream, const struct position *position, char *const names[])
{
    static const uint8_t none[GAME_COLORS];
    int displays = position->phase == PHASE_DRAFT ? 2 * position->player_count + 1 : 0;
    char label[32];

    plain_text_printf(stream, "Round %d of %d, %s is wild.\n", position->round, GAME_ROUNDS,
                      notation_color_names[position->wild]);
    for (int display = 0; display < displays; display++) {
        snprintf(label, sizeof label, "Factory %d: ", display);
        write_pile(stream, label, position->displays[display], position->wild);
    }
    if (displays && position->token != GAME_NOBODY)
        write_pile(stream, "Center: ", position->center, position->wild);
    else if (displays && memcmp(position->center, none, sizeof none) == 0)
        fputs("Center: the start token.\n", stream);
    else if (displays)
        write_pile(stream, "Center: the start token and ", position->center, position->wild);
    write_pile(stream, "Supply: ", position->supply, position->wild);
    for (int seat = 0; seat < position->player_count; seat++)
        write_seat(stream, position, seat, names[seat]);
}

static void write_star(FILE *stream, const struct position *position, int seat, int star)
{
    enum board_side side = (enum board_side)position->board;
    const int8_t *spaces = position->seats[seat].stars[star];

    plain_text_printf(stream, "  %s: ", words_star(side, star));
    for (int space = 0; space < GAME_SPACES; space++)
        plain_text_printf(stream, "%s%d %s", space > 0 ? ", " : "", board_costs[side][star][space],
                          spaces[space] == GAME_EMPTY ? "empty"
                                                      : notation_color_names[spaces[space]]);
    fputs(".\n", stream);
}

void words_boards(FILE *stream, const struct position *position, char *const names[])
{
    fputs("Boards: each space with its cost, and with the tile on the space, if any.\n", stream);
    for (int seat = 0; seat < position->player_count; seat++) {
        plain_text_printf(stream, "%s:\n", names[seat]);
        for (int star = 0; star < GAME_STARS; star++)
            write_star(stream, position, seat, star);
    }
}

void words_out(FILE *stream, const struct replay *replay, int seat)
{
    const struct forfeit *forfeit = replay->forfeits[seat];

    fprintf(stream, "is out: %s", wire_reason_name(replay->result.reasons[seat]));
    if (!forfeit)
        return;
    fputs(": ", stream);
    plain_text_print(stream, forfeit->words, strlen(forfeit->words), FORFEIT_WORDS_BYTES);
}
