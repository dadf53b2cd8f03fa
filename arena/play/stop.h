/*
 * Stop requests: SIGINT or SIGTERM while bots are taken in, checked or inspected. The signals are
 * blocked and stay pending; every wait for a bot notices them and ends, and the command then
 * removes what it created and exits. A runner handles the signals itself while it runs.
 */
#ifndef ARENA_PLAY_STOP_H
#define ARENA_PLAY_STOP_H

#include <signal.h>
#include <stdbool.h>

/* Blocks these signals from now on, except those that are ignored. */
void stop_hold(void);

/* True if a signal arrived since stop_hold. Always false before stop_hold. */
bool stop_is_asked(void);

/* Unblocks the signals for a runner, which has handlers for them. Sets *before. */
void stop_hand_over(sigset_t *before);

/* Restores the signal mask. Call while the handlers are still installed. */
void stop_take_back(const sigset_t *before);

/*
 * Returns a descriptor that is readable once a signal has arrived, which the caller closes, or
 * -errno.
 */
int stop_open(void);

#endif
