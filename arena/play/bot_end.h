/* How a bot ends: it died, was killed, or was ended for a fault. For bot.c only. */
#ifndef ARENA_PLAY_BOT_END_H
#define ARENA_PLAY_BOT_END_H

#include "arena/play/bot.h"

/*
 * Makes the bot GONE, with its verdict, if its process is dead, was given up or is still being
 * started. Returns whether the bot is GONE.
 */
bool bot_end_reap(struct bot *bot);

/* Kills the bot: KILLED until its process is dead. */
void bot_end_kill(struct bot *bot);

/*
 * Ends the bot with a fault: the given reason or, if known, the more direct cause. If the arena
 * itself failed, reports that instead. Calls back.
 */
void bot_end_fail(struct bot *bot, enum wire_reason reason, const char *words);

/* Reports that the arena failed; failure is set. Calls back. */
void bot_end_break(struct bot *bot);

/*
 * Handles the end of its output, or an input that cannot be written: waits to see whether it exits.
 */
void bot_end_close(struct bot *bot);

/* True if cpu_us is more processor time than all its requests together allowed. */
bool bot_end_is_over_cpu(const struct bot *bot, int64_t cpu_us);

/* Passes its standard error on to errors_fn. Returns the same as channel_read_errors. */
ssize_t bot_end_read_errors(struct bot *bot);

#endif
