/*
 * The two things a bot needs that hold a loop for milliseconds, done by the thread of
 * transport->errands: its start and its end.
 */
#ifndef ARENA_PLAY_BOT_ERRAND_H
#define ARENA_PLAY_BOT_ERRAND_H

#include "arena/play/bot.h"

struct bot_errand;

/*
 * Has the bot's process started; bot->starting is set until then. Copies the command. spawned_fn is
 * called on the loop with 0, or with -errno and bot->failure set. Returns 0 or -ENOMEM.
 */
int bot_errand_start(struct bot *bot, const struct sandbox_command *command,
                     void (*spawned_fn)(struct bot *bot, int error));

/* The bot is not wanted any more while it is being started: what comes of that is ended without a
   call of spawned_fn. */
void bot_errand_abandon(struct bot *bot);

/* Has the bot's process ended and its child finished, which is not the bot's any more. */
void bot_errand_finish(struct bot *bot);

#endif
