/* What a check found, for people: a line a step, and the figures at the end. */
#ifndef ARENA_COMMANDS_CHECK_TEXT_H
#define ARENA_COMMANDS_CHECK_TEXT_H

#include <stdio.h>

#include "arena/trial/check.h"

/* Whether the bot is fit, and how many steps passed, failed and were not tried: two lines. */
void check_text_print_summary(FILE *stream, const struct check *check);

/* One step: its number, name and result, with what went wrong below it. again says how to see that
   once more, or is NULL. */
void check_text_print_step(FILE *stream, const struct check *check, enum check_step step,
                           const char *again);

/* Time to answer, memory, standard error, and the seed. */
void check_text_print_figures(FILE *stream, const struct check *check);

/* Why check_run failed, as the arena's trouble. Returns COMMAND_FAILED. */
int check_text_fail(const struct check *check);

#endif
