/* What a check found, as JSON: what `check --json` prints and the report of a submission. */
#ifndef ARENA_COMMANDS_CHECK_JSON_H
#define ARENA_COMMANDS_CHECK_JSON_H

#include <jansson.h>

#include "arena/trial/check.h"

/* A new reference. bot: what it is called in it. commands: by step, what shows its forfeit again;
   NULL, or NULL in it, for none. */
json_t *check_json(const struct check *check, const char *bot, const char *const *commands);

#endif
