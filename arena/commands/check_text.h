/* The result of a check as text: a line per step, and the figures at the end. */
#ifndef ARENA_COMMANDS_CHECK_TEXT_H
#define ARENA_COMMANDS_CHECK_TEXT_H

#include <stdio.h>

#include "arena/trial/check.h"

/* Prints two lines: whether the bot is fit, and how many steps passed, failed and were skipped. */
void check_text_print_summary(FILE *stream, const struct check *check);

/*
 * Prints one step: its number, name and result, and below that what went wrong. again says how to
 * repeat the failure, or is NULL.
 */
void check_text_print_step(FILE *stream, const struct check *check, enum check_step step,
                           const char *again);

/* Prints decision times, memory, standard error and the seed. */
void check_text_print_figures(FILE *stream, const struct check *check);

/* Prints why check_run failed because of the arena. Returns COMMAND_FAILED. */
int check_text_fail(const struct check *check);

#endif
