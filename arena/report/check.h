/* SPDX-License-Identifier: MIT */
/*
 * The result of a check, as JSON and as text: for `arena check`, and for the report of an
 * admission.
 */
#ifndef ARENA_REPORT_CHECK_H
#define ARENA_REPORT_CHECK_H

#include <jansson.h>
#include <stdio.h>

#include "arena/replay/forfeit_text.h"
#include "arena/trial/check.h"

/*
 * Returns a new reference. bot is the bot's name in the JSON. commands[step] is the command that
 * repeats the forfeit of that step, or NULL; commands itself may be NULL.
 */
json_t *report_check_json(const struct check *check, const char *bot, const char *const *commands);

/* Prints two lines: whether the bot is fit, and how many steps passed, failed and were skipped. */
void report_check_summary(FILE *stream, const struct check *check);

/*
 * Prints one step: its number, name and result, and below them a description of its forfeit. again
 * is the command that repeats the forfeit, or NULL. Several steps in a row of which the same is to
 * be said have one line. Returns the number of steps that were printed.
 */
int report_check_step(FILE *stream, const struct check *check, enum check_step step,
                      const struct rerun_command *again);

/* Prints decision times, memory, the size of standard error, and how to repeat the games. */
void report_check_figures(FILE *stream, const struct check *check);

/* Prints a whole check of which no replays were kept: the summary, each step and the figures. */
void report_check_print(FILE *stream, const struct check *check);

#endif
