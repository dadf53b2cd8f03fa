/* A replay with every part filled in: a played match, stand-ins, notes and forfeits. */
#ifndef TESTS_REPLAY_SAMPLE_H
#define TESTS_REPLAY_SAMPLE_H

#include "arena/replay/replay.h"

/* A match of three: seat 1 goes out, the others play to the end. Finish it with replay_finish. */
void sample_replay(struct replay *replay);

/* Packed. The caller frees the bytes. */
size_t sample_packed(const struct replay *replay, uint8_t **bytes);

#endif
