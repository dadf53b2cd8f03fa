/*
 * Replays and their parts as JSON, as defined by docs/protocol.md. Every function returns a new
 * reference, or NULL if memory runs out.
 */
#ifndef ARENA_REPLAY_JSON_H
#define ARENA_REPLAY_JSON_H

#include <jansson.h>

#include "arena/replay/replay.h"

json_t *replay_json_action(struct action action);
json_t *replay_json_clock(const struct wire_clock *clock);

/* Converts any bytes to text: invalid UTF-8 becomes U+FFFD. */
json_t *replay_json_text(const char *text, size_t size);

/* Bytes as lower-case hex. */
json_t *replay_json_hex(const uint8_t *bytes, size_t size);

/* A time of day as RFC 3339, UTC. */
json_t *replay_json_time(int64_t seconds);

/* An array of count integers. */
json_t *replay_json_ints(const int *numbers, int count);

/* The reasons by seat. */
json_t *replay_json_reasons(const struct wire_end *result);

/* One forfeit, or null for NULL; command may be NULL. */
json_t *replay_json_forfeit(const struct forfeit *forfeit, const char *command);

/* The lines of a replay. */
json_t *replay_json_header(const struct replay *replay);
json_t *replay_json_decision(const struct replay_decision *decision, const struct match *match,
                             bool legal);
json_t *replay_json_end(const struct replay *replay, const struct match *match,
                        const char *const *commands);

#endif
