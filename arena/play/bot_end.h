/*
 * How a bot ends: found dead, killed, or put out for a fault. For bot.c only.
 */
#ifndef ARENA_PLAY_BOT_END_H
#define ARENA_PLAY_BOT_END_H

#include "arena/play/bot.h"

/* Takes the verdict if the process is dead, or was killed too long ago: GONE then. */
bool bot_end_reap(struct bot *bot);

/* KILLED, until it is found dead. */
void bot_end_kill(struct bot *bot);

/* Puts the bot out: for the reason given, or for a nearer cause; unless it is the arena that
   failed. Calls back. */
void bot_end_fail(struct bot *bot, enum wire_reason reason, const char *words);

/* The arena failed: failure is set. Calls back. */
void bot_end_break(struct bot *bot);

/* Its output ended, or its input cannot be written: wait to see whether it is exiting. */
void bot_end_close(struct bot *bot);

/* True if it used more processor time than all its requests allowed it. */
bool bot_end_is_over_cpu(const struct bot *bot, int64_t cpu_us);

/* Passes on what it wrote to standard error. Returns as channel_read_errors. */
ssize_t bot_end_read_errors(struct bot *bot);

#endif
