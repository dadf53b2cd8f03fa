/* SPDX-License-Identifier: MIT */
/* What the arena tells about challenges and their games. Parts of the model (model.h). */
#ifndef ARENA_REPORT_CHALLENGE_H
#define ARENA_REPORT_CHALLENGE_H

#include "arena/report/columns.h"
#include "arena/store/challenges.h"

extern const struct columns challenge_columns; /* rows: struct store_challenge; context: bouts */
extern const struct columns bout_columns;      /* rows: JSON */

/*
 * Reads the games of a challenge that has ended as a new reference; *bouts is NULL if it has not.
 * Returns 0, or an error of the store.
 */
int report_bouts_read(struct store *store, const struct store_challenge *challenge, json_t **bouts);

/* Returns a challenge as a new JSON object; bouts NULL: without its games. */
json_t *report_challenge_json(const struct store_challenge *challenge, json_t *bouts);

#endif
