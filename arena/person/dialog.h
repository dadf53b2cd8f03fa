/*
 * The dialog with a person about one decision: typed lines lead step by step to an action, which is
 * sent only once it is confirmed. Legal actions, if there are many, are split into steps (a star, a
 * space, a payment). Pure: takes lines, and provides items and messages to be shown.
 */
#ifndef ARENA_PERSON_DIALOG_H
#define ARENA_PERSON_DIALOG_H

#include <stdio.h>

#include "engine/game.h"

enum choices_limits {
    CHOICES_MAX = 16,   /* items per step; no step has more */
    CHOICES_DIRECT = 8, /* up to this many actions are listed directly, without steps */
};

/* Actions first..first + count - 1 of the list: one item, or the choices left after a step. */
struct choices {
    size_t first;
    size_t count;
};

enum dialog_limits {
    DIALOG_STEPS_MAX = 16,
    DIALOG_MESSAGE_BYTES = 160,
    DIALOG_LINE_BYTES = 256, /* of a typed line; the rest is ignored */
};

/* What the owner has to do after a line. */
enum dialog_outcome {
    DIALOG_AGAIN = 0, /* show the items or the message, then read the next line */
    DIALOG_SEND = 1,  /* send action, which is confirmed */
    DIALOG_HINT = 2,
    DIALOG_BOARDS = 3, /* show the boards */
    DIALOG_QUIT = 4,
};

struct dialog {
    struct game game; /* its future draws differ from those of the match */
    struct action actions[GAME_ACTIONS_MAX];
    struct choices steps[DIALOG_STEPS_MAX]; /* the last one holds the current choices */
    int step_count;
    struct choices items[CHOICES_MAX]; /* the choices of the last step */
    size_t item_count;
    size_t page_items; /* items per page; the owner may change it at any time */
    size_t page_first; /* first item of the current page */
    bool chosen;       /* action waits for confirmation */
    struct action action;
    char message[DIALOG_MESSAGE_BYTES]; /* to be shown once, "": none */
};

/* Begins a decision in this position, and lists its legal actions. */
void dialog_begin(struct dialog *dialog, const struct game *game);

/* Handles a typed line, without its line end. */
enum dialog_outcome dialog_take(struct dialog *dialog, const char *line);

/* Returns how many items the current page has, from page_first on. */
size_t dialog_page_count(const struct dialog *dialog);

/* Writes item 0..item_count - 1 without its number: "take 2 blue from display 3". */
void dialog_write_item(FILE *stream, const struct dialog *dialog, size_t item);

/*
 * Writes what may be typed: "Choose 1 to 9   m: more   ?: hint   q: quit", and "b: boards" where
 * they are not drawn.
 */
void dialog_write_prompt(FILE *stream, const struct dialog *dialog, bool offers_boards);

/* Describes one action as advice: "take 2 blue from display 3". */
void choices_write_action(FILE *stream, const struct game *game, struct action action);

#endif
