/* The monotonic clock of play: what alarm_now_us returns. */
#ifndef TESTS_PLAY_FAULTS_CLOCK_H
#define TESTS_PLAY_FAULTS_CLOCK_H

#include <stdint.h>

extern int64_t clock_us; /* 0: the real one */

#endif
