/* SPDX-License-Identifier: MIT */
/*
 * Brains for fake children, on a loop: they answer every hello with ready, every turn with the
 * first action, and exit at the end of the input.
 */
#ifndef TESTS_PLAY_FAKE_BRAIN_H
#define TESTS_PLAY_FAKE_BRAIN_H

#include <ev.h>

/* Gives a brain to every fake child started from now on. */
void fake_brain_start(struct ev_loop *loop);

#endif
