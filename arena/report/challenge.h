/* SPDX-License-Identifier: MIT */
/* What the arena tells about challenges and their games. Parts of the model (model.h). */
#ifndef ARENA_REPORT_CHALLENGE_H
#define ARENA_REPORT_CHALLENGE_H

#include "arena/report/columns.h"
#include "arena/store/challenges.h"

enum {
    REPORT_BOUT_KEY_CHARS = 32
};

extern const struct columns challenge_columns; /* rows: struct store_challenge; context: bouts */
extern const struct columns bout_columns;      /* rows: JSON */

/*
 * Writes the key in the address of a game's page: a hash of the replay. Only those can name it who
 * may read the replay, since the replay has the seed of the game.
 */
void report_bout_key(const uint8_t *bytes, size_t size, char key[static REPORT_BOUT_KEY_CHARS + 1]);

/*
 * Reads the games of a challenge that has ended as a new reference; *bouts is NULL if it has not.
 * Returns 0, or an error of the store.
 */
int report_bouts_read(struct store *store, const struct store_challenge *challenge, json_t **bouts);

/* Returns a challenge as a new JSON object; bouts NULL: without its games. */
json_t *report_challenge_json(const struct store_challenge *challenge, json_t *bouts);

#endif
