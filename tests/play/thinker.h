/*
 * Real bots for tests that need them: folders with bench_zero, which thinks for a given time and
 * measures that time itself.
 */
#ifndef TESTS_PLAY_THINKER_H
#define TESTS_PLAY_THINKER_H

#include "arena/play/source.h"

struct thinker {
    char folder[64];
    struct source source;
};

/* Takes in a bot that thinks for think_us, as stage/number. */
void thinker_open(struct thinker *thinker, const char *think_us, const char *stage, int number);

void thinker_close(struct thinker *thinker);

#endif
