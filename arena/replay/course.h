/*
 * Replays the recorded course of a match, decision by decision. Shared by the verification of a
 * replay and the rerun of a bot. Pure.
 */
#ifndef ARENA_REPLAY_COURSE_H
#define ARENA_REPLAY_COURSE_H

#include "arena/replay/replay.h"

/* Marks seats as out that were out at decision turn (-1: before the first). */
void course_take_out(const struct replay *replay, struct match *match, int64_t turn);

/*
 * Plays the recorded answer of seat, which has to decide now, and charges the recorded time to its
 * bank. Returns 0, or -1 after writing to error why the rules forbid the answer.
 */
int course_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES]);

/* Formats one line into error. Returns -1. */
int course_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
