/* SPDX-License-Identifier: MIT */
/*
 * What the arena tells about bots, submissions, authors and forfeits. The tables of columns here
 * are part of the model (model.h).
 */
#ifndef ARENA_REPORT_BOT_H
#define ARENA_REPORT_BOT_H

#include "arena/report/columns.h"
#include "arena/store/authors.h"

enum {
    COLUMN_IN_LADDER = 1 << 4, /* form: the column of a bot is a column of ladders, too */
};

/* Rows: struct store_bot; context: the store, which text and columns of the organizer read; else
 * NULL. */
extern const struct columns bot_columns;
extern const struct columns author_columns; /* rows: struct store_author; context: tokens as JSON */
extern const struct columns token_columns;  /* rows: struct store_token; context: int64_t now_us */
extern const struct columns quota_columns;  /* rows: struct store_quota */
extern const struct columns submission_columns;

extern const struct columns entrance_columns; /* rows: json_t of report_entrances_read */

/*
 * Reads the open seasons that a bot plays in or waits for: a new reference; NULL if bot_id is 0.
 * Returns 0 or -errno (see store_failure); the caller frees *entrances even then.
 */
int report_entrances_read(struct store *store, int64_t bot_id, json_t **entrances);

/*
 * place is the submission's place in the queue, and estimate_s the seconds until it will have
 * ended; 0: unknown. entrances (NULL: not told) is borrowed.
 */
json_t *report_submission_json(const struct store_submission *submission, int place,
                               int64_t estimate_s, json_t *entrances, enum column_reader reader);

/* For a column of quotas, which the answer that has them sets: returns null. */
json_t *report_no_quotas(const void *context, const void *row);

/* Returns "valid", "expired" or "revoked". */
const char *report_token_state(const struct store_token *token, int64_t now_us);

extern const struct columns forfeit_columns;   /* rows: json_t of replay_json_forfeit */
extern const struct columns forfeited_columns; /* rows: struct store_forfeit */

/* Meanings of keys that several tables have. */
#define BOT_WORDS     "name of the bot"
#define AUTHOR_WORDS  "name of the author"
#define VERSION_WORDS "version of the bot, as submitted"
#define MATCH_WORDS   "id of the game"
#define STARTED_WORDS "when the game began"
#define BOARD_WORDS   "side of the player boards"
#define SEATED_WORDS  "names of the bots by seat, with versions if several played"
#define SCORES_WORDS  "points by seat"
#define RANKS_WORDS   "ranks by seat, 1 for a winner"
#define QUOTAS_WORDS                                                                               \
    "what the author may still ask for; null: this is not the answer to an upload or a new "       \
    "challenge"
#define REASONS_WORDS "how each seat left the game: a reason that the protocol lists"

#endif
