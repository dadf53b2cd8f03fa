#include "arena/person/dialog.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation.h"

static void say(struct dialog *dialog, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct dialog *dialog, const char *format, ...)
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
    dialog->page_first = 0;
}

void dialog_begin(struct dialog *dialog, const struct game *game)
{
    size_t page_items = dialog->page_items;

    dialog->game = *game;
    dialog->steps[0] =
        (struct choices){.first = 0, .count = game_legal_actions(game, dialog->actions)};
    dialog->step_count = 1;
    dialog->page_items = page_items > 0 ? page_items : CHOICES_MAX;
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
        say(dialog, "There is nothing to undo: a choice that was sent has been played.");
    }
    return DIALOG_AGAIN;
}

static enum dialog_outcome turn_page(struct dialog *dialog)
{
    dialog->page_first += dialog->page_items;
    if (dialog->page_first >= dialog->item_count)
        dialog->page_first = 0;
    return DIALOG_AGAIN;
}

/* Parses notation such as "draft 3 b". Returns false if the line is something else. */
static bool take_notation(struct dialog *dialog, const char *line)
{
    struct action action;

    if (notation_read_action(&action, line) != NULL)
        return false;
    for (size_t i = 0; i < dialog->steps[0].count; i++)
        if (action_compare(dialog->actions[i], action) == 0) {
            dialog->chosen = true;
            dialog->action = action;
            return true;
        }
    say(dialog, "'%.40s' is not legal here: choose a number from 1 to %zu.", line,
        dialog->item_count);
    return true;
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
 * Copies a line without leading and trailing spaces, and only its printable ASCII, because it may
 * be shown again.
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
    if (strcmp(text, "m") == 0 || strcmp(text, "more") == 0)
        return turn_page(dialog);
    if (!take_notation(dialog, text))
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
        say(dialog, "Enter plays this choice, u takes it back.");
        return DIALOG_AGAIN;
    }
    return isdigit((unsigned char)*text) ? take_number(dialog, text) : take_command(dialog, text);
}

size_t dialog_page_count(const struct dialog *dialog)
{
    size_t left = dialog->item_count - dialog->page_first;

    return left < dialog->page_items ? left : dialog->page_items;
}

void dialog_write_item(FILE *stream, const struct dialog *dialog, size_t item)
{
    choices_write(stream, &dialog->game, dialog->actions, dialog->steps[dialog->step_count - 1],
                  dialog->items[item]);
}

void dialog_write_prompt(FILE *stream, const struct dialog *dialog, bool offers_boards)
{
    if (dialog->chosen) {
        fputs("Enter: play it   u: undo   ?: hint   q: quit", stream);
        return;
    }
    fprintf(stream, "Choose 1 to %zu", dialog->item_count);
    if (dialog->page_items < dialog->item_count)
        fputs("   m: more", stream);
    if (dialog->step_count > 1)
        fputs("   u: undo", stream);
    fputs("   ?: hint", stream);
    if (offers_boards)
        fputs("   b: boards", stream);
    fputs("   q: quit", stream);
}
