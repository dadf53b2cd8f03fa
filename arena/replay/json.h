/* SPDX-License-Identifier: MIT */
/*
 * Replays and their parts as JSON, in the form that docs/protocol.md defines. Every function
 * returns a new reference, or NULL if memory runs out.
 */
#ifndef ARENA_REPLAY_JSON_H
#define ARENA_REPLAY_JSON_H

#include <jansson.h>

#include "arena/replay/replay.h"

json_t *replay_json_action(struct action action);
json_t *replay_json_clock(const struct wire_clock *clock);

/* Returns the reasons why seats are out, by seat. */
json_t *replay_json_reasons(const struct wire_end *result);

/* Returns a forfeit, or null if forfeit is NULL. command repeats the forfeit; it may be NULL. */
json_t *replay_json_forfeit(const struct forfeit *forfeit, const char *command);

/* Returns an array of the legal actions. */
json_t *replay_json_legal(const struct game *game);

/* Return the lines of a replay: the header, the next decision, the result. */
json_t *replay_json_header(const struct replay *replay);
json_t *replay_json_decision(const struct replay_decision *decision, const struct match *match);
json_t *replay_json_end(const struct replay *replay, const struct match *match);

/*
 * Returns the line of a decision with all legal actions and the forfeit of the seat to act, if it
 * went out then, else null. decision NULL: the match ended with that forfeit; what a decision has
 * is null.
 */
json_t *replay_json_turn(const struct replay *replay, const struct replay_decision *decision,
                         const struct match *match);

/*
 * Writes all lines of a replay; has_legal: with the legal actions at each decision. Returns 0, or
 * -1 after writing one line to error, if the replay breaks the rules; the lines are then
 * incomplete.
 */
int replay_json_write(FILE *lines, const struct replay *replay, bool has_legal,
                      char error[static REPLAY_ERROR_BYTES]);

#endif
