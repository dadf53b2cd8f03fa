/* SPDX-License-Identifier: MIT */
#include "arena/person/dialog.h"

#include <ctype.h>
#include <stdarg.h>
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
 * Returns what the person chooses about an action in step `depth`. In step 0 the person chooses the
 * kind of action and, for a draft or a placement, also the first number, so that the list offers
 * "the green star" beside "pass".
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

/*
 * Returns the first step in which the actions from `part` differ, or DEPTHS if there is only one
 * action.
 */
static int depth_of(const struct action *actions, struct choices part)
{
    const struct action *first = &actions[part.first];
    int depth = 0;

    /* The actions are sorted: if any two of them differ in a step, so do the first and the last. */
    while (depth < DEPTHS && value_at(first[0], depth) == value_at(first[part.count - 1], depth))
        depth++;
    return depth;
}

/*
 * Splits the actions of `part` into the items of the next step. Returns the number of items, at
 * least one.
 */
static size_t choices_split(const struct action *actions, struct choices part,
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

    if (!effect_of(game, action, &effect))
        return;
    words_advice(stream, &effect);
    if (action.kind == ACTION_PLACE && has_twin(game, action))
        fprintf(stream, " (space %d)", action.number[1] + 1);
}

static void write_source(FILE *stream, const struct position *position, int source)
{
    if (source == GAME_SOURCE_CENTER)
        fputs("center: ", stream);
    else
        fprintf(stream, "factory %d: ", source);
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
        /* Spaces are numbered from 1, as on the drawn board. */
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

/*
 * Writes an item, such as "take 2 blue from factory 3"; for an item with several actions, what they
 * have in common, such as "place on the green star ...". choices_split has made the item from
 * `part`.
 */
static void choices_write(FILE *stream, const struct game *game, const struct action *actions,
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

/* ---- reading typed lines ---- */

__attribute__((format(printf, 2, 3))) static void say(struct dialog *dialog, const char *format,
                                                      ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(dialog->message, sizeof dialog->message, format, list);
    va_end(list);
}

static void show_step(struct dialog *dialog)
{
    dialog->item_count =
        choices_split(dialog->actions, dialog->steps[dialog->step_count - 1], dialog->items);
}

void dialog_begin(struct dialog *dialog, const struct game *game)
{
    dialog->game = *game;
    dialog->steps[0] =
        (struct choices){.first = 0, .count = game_legal_actions(game, dialog->actions)};
    dialog->step_count = 1;
    dialog->chosen = false;
    dialog->message[0] = '\0';
    show_step(dialog);
}

static enum dialog_outcome choose(struct dialog *dialog, struct choices item)
{
    if (item.count == 1) {
        dialog->chosen = true;
        dialog->action = dialog->actions[item.first];
    } else if (dialog->step_count < DIALOG_STEPS_MAX) {
        dialog->steps[dialog->step_count++] = item;
        show_step(dialog);
    }
    return DIALOG_AGAIN;
}

static enum dialog_outcome undo(struct dialog *dialog)
{
    if (dialog->chosen) {
        dialog->chosen = false;
    } else if (dialog->step_count > 1) {
        dialog->step_count--;
        show_step(dialog);
    } else {
        say(dialog,
            "There is nothing to undo: you cannot take back an action that has been played.");
    }
    return DIALOG_AGAIN;
}

static enum dialog_outcome take_number(struct dialog *dialog, const char *line)
{
    char *end;
    unsigned long number = strtoul(line, &end, 10);

    if (!*end && number >= 1 && number <= dialog->item_count) {
        dialog->chosen = false;
        return choose(dialog, dialog->items[number - 1]);
    }
    say(dialog, "'%.40s' is not on the list: choose a number from 1 to %zu.", line,
        dialog->item_count);
    return DIALOG_AGAIN;
}

/*
 * Copies the printable ASCII of a line, without spaces around it. Replaces other bytes by '?',
 * because the dialog may show the line on the terminal.
 */
static void trim(const char *line, char text[static DIALOG_LINE_BYTES])
{
    size_t size = 0;

    while (isspace((unsigned char)*line))
        line++;
    for (; *line && size < DIALOG_LINE_BYTES - 1; line++)
        text[size++] = isascii((unsigned char)*line) && isprint((unsigned char)*line) ? *line : '?';
    while (size > 0 && text[size - 1] == ' ')
        size--;
    text[size] = '\0';
}

static enum dialog_outcome take_command(struct dialog *dialog, const char *text)
{
    static const struct {
        const char *letter, *word;
        enum dialog_outcome outcome;
    } commands[] = {
        {"?", "hint", DIALOG_HINT}, {"b", "boards", DIALOG_BOARDS}, {"q", "quit", DIALOG_QUIT}};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(text, commands[i].letter) == 0 || strcmp(text, commands[i].word) == 0)
            return commands[i].outcome;
    if (strcmp(text, "u") == 0 || strcmp(text, "undo") == 0)
        return undo(dialog);
    say(dialog, "'%.40s' is not understood: choose a number from 1 to %zu.", text,
        dialog->item_count);
    return DIALOG_AGAIN;
}

enum dialog_outcome dialog_take(struct dialog *dialog, const char *line)
{
    char text[DIALOG_LINE_BYTES];

    trim(line, text);
    dialog->message[0] = '\0';
    if (!*text && dialog->chosen)
        return DIALOG_SEND;
    if (!*text) {
        say(dialog, "Nothing is chosen yet: choose a number from 1 to %zu.", dialog->item_count);
        return DIALOG_AGAIN;
    }
    if (dialog->chosen && isdigit((unsigned char)*text)) {
        say(dialog, "Enter plays this choice, u takes the choice back.");
        return DIALOG_AGAIN;
    }
    return isdigit((unsigned char)*text) ? take_number(dialog, text) : take_command(dialog, text);
}

void dialog_write_item(FILE *stream, const struct dialog *dialog, size_t item)
{
    choices_write(stream, &dialog->game, dialog->actions, dialog->steps[dialog->step_count - 1],
                  dialog->items[item]);
}

void dialog_write_prompt(FILE *stream, const struct dialog *dialog)
{
    if (dialog->chosen) {
        fputs("Enter: play this choice   u: undo   ?: hint   q: quit", stream);
        return;
    }
    fprintf(stream, "Choose 1 to %zu", dialog->item_count);
    if (dialog->step_count > 1)
        fputs("   u: undo", stream);
    fputs("   ?: hint   b: boards   q: quit", stream);
}
