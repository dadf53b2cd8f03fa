/* Decodes a bot's message of the expected type and refuses any other. Pure. */
#ifndef ARENA_PLAY_ANSWER_H
#define ARENA_PLAY_ANSWER_H

#include "sdk/wire.h"

/*
 * Each decodes one complete, scanned message. Returns NULL, or one static line that says why the
 * message is a protocol fault.
 */
const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);
const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act);

#endif
