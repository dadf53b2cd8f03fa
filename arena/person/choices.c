#include "arena/person/choices.h"

#include <stdlib.h>
#include <string.h>

#include "arena/replay/effect.h"
#include "arena/replay/words.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    DEPTHS = GAME_ACTION_NUMBERS + 1,
};

/*
 * Returns the value of an action at a depth. The kind and, for a draft or a placement, the first
 * number are one step, so that "the green star" is an alternative to "pass".
 */
static int value_at(struct action action, int depth)
{
    bool joined = action.kind == ACTION_DRAFT || action.kind == ACTION_PLACE;

    if (depth == 0)
        return 64 * action.kind + (joined ? action.number[0] : 0);
    if (joined)
        return depth < GAME_ACTION_NUMBERS ? action.number[depth] : 0;
    return action.number[depth - 1];
}

/* Returns the first depth at which the actions of a part differ; DEPTHS for a single action. */
static int depth_of(const struct action *actions, struct choices part)
{
    const struct action *first = &actions[part.first];
    int depth = 0;

    /* Actions are sorted, so if any two differ at a depth, the first and the last do. */
    while (depth < DEPTHS && value_at(first[0], depth) == value_at(first[part.count - 1], depth))
        depth++;
    return depth;
}

size_t choices_split(const struct action *actions, struct choices part,
                     struct choices items[static CHOICES_MAX])
{
    int depth = depth_of(actions, part);
    size_t count = 0;

    for (size_t i = part.first; i < part.first + part.count; i++) {
        bool same = count > 0 && part.count > CHOICES_DIRECT &&
                    value_at(actions[i], depth) == value_at(actions[i - 1], depth);

        if (same)
            items[count - 1].count++;
        else
            items[count++] = (struct choices){.first = i, .count = 1};
    }
    return count;
}

/* Writes text with some words replaced. */
static void write_instead(FILE *stream, const char *text)
{
    static const char *const words[][2] = {{"takes ", "take "},
                                           {"places ", "place "},
                                           {"passes", "pass"},
                                           {", keeps ", ", keep "},
                                           {", discards ", ", discard "}};

    while (*text) {
        size_t i = 0;

        while (i < sizeof words / sizeof *words &&
               strncmp(text, words[i][0], strlen(words[i][0])) != 0)
            i++;
        if (i < sizeof words / sizeof *words) {
            fputs(words[i][1], stream);
            text += strlen(words[i][0]);
        } else {
            fputc(*text++, stream);
        }
    }
}

/* True if the star has another space of that cost, which the words do not distinguish. */
static bool has_twin(const struct game *game, struct action action)
{
    int star = action.number[0], space = action.number[1];

    for (int other = 0; other < GAME_SPACES; other++)
        if (other != space &&
            board_costs[game->board][star][other] == board_costs[game->board][star][space])
            return true;
    return false;
}

void choices_write_action(FILE *stream, const struct game *game, struct action action)
{
    struct effect effect;
    char *text = NULL;
    size_t size;
    FILE *words;

    if (!effect_of(game, action, &effect) || !(words = open_memstream(&text, &size)))
        return;
    words_effect(words, &effect);
    fclose(words);
    if (text)
        write_instead(stream, text);
    free(text);
    if (action.kind == ACTION_PLACE && has_twin(game, action))
        fprintf(stream, " (space %d)", action.number[1] + 1);
}

static void write_source(FILE *stream, const struct position *position, int source)
{
    if (source == GAME_SOURCE_CENTER)
        fputs("center: ", stream);
    else
        fprintf(stream, "display %d: ", source);
    words_tiles(stream,
                source == GAME_SOURCE_CENTER ? position->center : position->displays[source],
                WORDS_NO_WILD, position->wild);
}

static void write_placement(FILE *stream, const struct position *position, struct action action,
                            int depth)
{
    enum board_side side = (enum board_side)position->board;
    int star = action.number[0], space = action.number[1];

    switch (depth) {
    case 0:
        fprintf(stream, "place on the %s", words_star(side, star));
        return;
    case 1:
        /* As the board is drawn, from 1. */
        fprintf(stream, "space %d, which costs %d", space + 1, board_costs[side][star][space]);
        return;
    case 2:
        fprintf(stream, "pay in %s", notation_color_names[action.number[2]]);
        return;
    default:
        fprintf(stream, "with %d wild", action.number[3]);
        return;
    }
}

void choices_write(FILE *stream, const struct game *game, const struct action *actions,
                   struct choices part, struct choices item)
{
    struct action action = actions[item.first];
    int depth = depth_of(actions, part);
    struct position position;

    if (item.count == 1) {
        choices_write_action(stream, game, action);
        return;
    }
    game_view(game, &position);
    switch ((enum action_kind)action.kind) {
    case ACTION_DRAFT:
        write_source(stream, &position, action.number[0]);
        return;
    case ACTION_PLACE:
        write_placement(stream, &position, action, depth);
        return;
    case ACTION_BONUS:
    case ACTION_PASS:
        if (depth == 0)
            fputs("pass, and choose what to keep", stream);
        else
            fprintf(stream, "%s %d %s", action.kind == ACTION_PASS ? "keep" : "take",
                    action.number[depth - 1], notation_color_names[depth - 1]);
        return;
    }
}
