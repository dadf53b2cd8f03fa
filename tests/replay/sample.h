/* A replay with every part filled in: a played match, stand-ins, notes and forfeits. */
#ifndef TESTS_REPLAY_SAMPLE_H
#define TESTS_REPLAY_SAMPLE_H

#include "arena/replay/replay.h"

/* Makes a match of three: seat 1 is out, the others play to the end. Call replay_finish. */
void sample_replay(struct replay *replay);

/* Returns the sample packed. The caller frees the bytes. */
size_t sample_packed(const struct replay *replay, uint8_t **bytes);

#endif
