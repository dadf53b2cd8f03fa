/* SPDX-License-Identifier: MIT */
/* A replay with every part filled in: a played match, stand-ins, notes and forfeits. */
#ifndef TESTS_REPLAY_SAMPLE_H
#define TESTS_REPLAY_SAMPLE_H

#include "arena/replay/replay.h"

/* Makes a match of three: seat 1 is out, the others play to the end. Call replay_finish. */
void sample_replay(struct replay *replay);

/* Makes a match that is played to its end, with a note of that length at every decision. */
void sample_long(struct replay *replay, int players, size_t note_bytes);

/* Returns the sample packed. The caller frees the bytes. */
size_t sample_packed(const struct replay *replay, uint8_t **bytes);

#endif
