/* SPDX-License-Identifier: MIT */
/*
 * The dialog in which a person chooses one action by typing lines. If many actions are legal, the
 * person chooses in steps: a star, a space, a payment. The dialog ends once the person has
 * confirmed the action. Pure: takes lines, and provides items and messages to show.
 */
#ifndef ARENA_PERSON_DIALOG_H
#define ARENA_PERSON_DIALOG_H

#include <stdio.h>

#include "engine/game.h"

enum choices_limits {
    CHOICES_MAX = 16,   /* maximum of items in a list */
    CHOICES_DIRECT = 8, /* a list of up to this many actions offers each action as an item */
};

/*
 * Actions first..first + count - 1 of the list of legal actions: one item, or the actions left
 * after a step.
 */
struct choices {
    size_t first;
    size_t count;
};

enum dialog_limits {
    DIALOG_STEPS_MAX = 16,
    DIALOG_MESSAGE_BYTES = 160,
    DIALOG_LINE_BYTES = 256, /* size of a typed line; the dialog cuts a longer line */
};

/* What the caller must do after a typed line. */
enum dialog_outcome {
    DIALOG_AGAIN = 0, /* show the items or the message, then read the next line */
    DIALOG_SEND = 1,  /* send `action` to the match: the person has confirmed it */
    DIALOG_HINT = 2,
    DIALOG_BOARDS = 3, /* show the boards */
    DIALOG_QUIT = 4,
};

struct dialog {
    struct game game; /* the position in which the person decides; its future draws are not those of
                         the match */
    struct action actions[GAME_ACTIONS_MAX];
    struct choices steps[DIALOG_STEPS_MAX]; /* the actions left after each step; the last element is
                                               the current step */
    int step_count;
    struct choices items[CHOICES_MAX]; /* the items of the current step */
    size_t item_count;
    bool chosen; /* the person has chosen `action`, but not confirmed it */
    struct action action;
    char message[DIALOG_MESSAGE_BYTES]; /* text to show once; "": none */
};

/* Begins a decision in a position, and lists its legal actions. */
void dialog_begin(struct dialog *dialog, const struct game *game);

/* Handles a typed line, without its line end. */
enum dialog_outcome dialog_take(struct dialog *dialog, const char *line);

/* Writes item 0..item_count - 1 without a number, such as "take 2 blue from factory 3". */
void dialog_write_item(FILE *stream, const struct dialog *dialog, size_t item);

/* Writes what the person may type: "Choose 1 to 9   ?: hint   b: boards   q: quit". */
void dialog_write_prompt(FILE *stream, const struct dialog *dialog);

/* Writes one action as advice, such as "take 2 blue from factory 3". */
void choices_write_action(FILE *stream, const struct game *game, struct action action);

#endif
