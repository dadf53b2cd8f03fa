/*
 * A stop that somebody asks for by SIGINT or SIGTERM while bots are taken in, checked or
 * looked at. Held back, the signal stays pending in this process, where every wait for a bot
 * sees it and ends; the command then removes what it made and leaves. A runner takes the
 * signals over for as long as it runs.
 */
#ifndef ARENA_PLAY_STOP_H
#define ARENA_PLAY_STOP_H

#include <signal.h>
#include <stdbool.h>

/* From now on these signals are held back; one that is ignored stays ignored. */
void stop_hold(void);

/* Did one come since? Never true before stop_hold. */
bool stop_is_asked(void);

/* For a runner, which has handlers for these signals: they come from now on. Sets *before. */
void stop_hand_over(sigset_t *before);

/* As they were before; to be called while the handlers are there. */
void stop_take_back(const sigset_t *before);

/* A descriptor that is readable once one came, for the caller to close; or -errno. */
int stop_open(void);

#endif
