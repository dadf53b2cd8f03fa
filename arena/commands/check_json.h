/* The result of a check as JSON: the output of `check --json` and the report of a submission. */
#ifndef ARENA_COMMANDS_CHECK_JSON_H
#define ARENA_COMMANDS_CHECK_JSON_H

#include <jansson.h>

#include "arena/trial/check.h"

/*
 * Returns a new reference. bot is its name in the JSON. commands has, by step, the command that
 * repeats its forfeit, or NULL; commands may be NULL.
 */
json_t *check_json(const struct check *check, const char *bot, const char *const *commands);

#endif
