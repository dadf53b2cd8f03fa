/*
 * Stop requests: SIGINT or SIGTERM while the arena takes in, checks or inspects bots. The signals
 * are blocked and stay pending. Every wait for a bot notices them and ends; the command then
 * removes what it created, and exits. While a run plays games, foreground.h handles the signals.
 */
#ifndef ARENA_PLAY_STOP_H
#define ARENA_PLAY_STOP_H

#include <signal.h>
#include <stdbool.h>

/* Blocks SIGINT and SIGTERM from now on, unless they are ignored. */
void stop_hold(void);

/* True if one of the signals arrived since stop_hold. Always false before stop_hold. */
bool stop_is_asked(void);

/* Sets *signals to SIGINT and SIGTERM. */
void stop_signals(sigset_t *signals);

/*
 * Returns a descriptor that becomes readable when a signal arrives, or -errno. The caller closes
 * the descriptor.
 */
int stop_open(void);

#endif
