/*
 * The recorded course of a match, played again decision by decision: what a replay's
 * verification and a bot's re-run have in common. Pure.
 */
#ifndef ARENA_REPLAY_COURSE_H
#define ARENA_REPLAY_COURSE_H

#include "arena/replay/replay.h"

/* Takes out whoever went out at the decision that is due (turn -1: before the first). */
void course_take_out(const struct replay *replay, struct match *match, int64_t turn);

/*
 * Plays the recorded answer of seat, which has to decide now; its time is taken from its
 * bank as it was. Returns 0, or -1 after writing to error why the rules forbid it.
 */
int course_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES]);

/* Writes one line to error; returns -1. */
int course_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
