/*
 * Brains for fake children, on a loop: ready to every hello, the first action to every turn, and
 * an exit at the end of the input.
 */
#ifndef TESTS_PLAY_FAKE_BRAIN_H
#define TESTS_PLAY_FAKE_BRAIN_H

#include <ev.h>

/* From now on every fake child that is started has one. */
void fake_brain_start(struct ev_loop *loop);

#endif
