/*
 * What a bot wrote, as the message that is due and no other. Pure.
 */
#ifndef ARENA_PLAY_ANSWER_H
#define ARENA_PLAY_ANSWER_H

#include "sdk/wire.h"

/* Each reads one scanned, whole message and returns NULL, or one static line that says why
   it is a protocol fault. */
const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);
const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act);

#endif
