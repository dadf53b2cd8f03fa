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

/* Returns any bytes as a string: invalid UTF-8 becomes U+FFFD. */
json_t *replay_json_text(const char *text, size_t size);

/* Returns bytes as lower-case hex. */
json_t *replay_json_hex(const uint8_t *bytes, size_t size);

/* Returns a time (microseconds since 1970) as RFC 3339 in UTC. */
json_t *replay_json_time(int64_t us);

/* Returns a time like replay_json_time, but null for 0. */
json_t *replay_json_time_or_null(int64_t us);

/* Returns an array of integers. */
json_t *replay_json_ints(const int *numbers, int count);

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

#endif
