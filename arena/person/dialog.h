/*
 * The dialog with a person about one decision: what was typed leads step by step to an action,
 * which is sent only once it is confirmed. Pure: lines come in, items and messages are there to be
 * shown.
 */
#ifndef ARENA_PERSON_DIALOG_H
#define ARENA_PERSON_DIALOG_H

#include "arena/person/choices.h"

enum dialog_limits {
    DIALOG_STEPS_MAX = 16,
    DIALOG_MESSAGE_BYTES = 160,
    DIALOG_LINE_BYTES = 256, /* of what is typed; the rest is left out */
};

/* What a line asks for. */
enum dialog_outcome {
    DIALOG_AGAIN = 0, /* show the items or the message, and read on */
    DIALOG_SEND = 1,  /* action is confirmed */
    DIALOG_HINT = 2,
    DIALOG_BOARDS = 3, /* tell the boards */
    DIALOG_QUIT = 4,
};

struct dialog {
    struct game game; /* its draws are not those of the match */
    struct action actions[GAME_ACTIONS_MAX];
    struct choices steps[DIALOG_STEPS_MAX]; /* the last one is what there is to choose from now */
    int step_count;
    struct choices items[CHOICES_MAX]; /* of the last step */
    size_t item_count;
    size_t page_items; /* shown at a time; the owner sets it whenever it likes */
    size_t page_first; /* item */
    bool chosen;       /* action waits to be confirmed */
    struct action action;
    char message[DIALOG_MESSAGE_BYTES]; /* to be shown once, "" for none */
};

/* A decision is due in that position. Its legal actions are listed here. */
void dialog_begin(struct dialog *dialog, const struct game *game);

/* Takes a line without its end. */
enum dialog_outcome dialog_take(struct dialog *dialog, const char *line);

/* How many items the page has that is shown: page_first and those after it. */
size_t dialog_page_count(const struct dialog *dialog);

/* "2  take 2 blue from display 3" without the number, for item 0..item_count - 1. */
void dialog_write_item(FILE *stream, const struct dialog *dialog, size_t item);

/* What may be typed: "1-4 of 9 (m: more, u: undo, ?: hint, q: quit)". */
void dialog_write_prompt(FILE *stream, const struct dialog *dialog);

#endif
