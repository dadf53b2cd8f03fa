/*
 * The start and the end of a bot's process. Both would hold the loop for milliseconds, so the
 * thread of transport->errands does them.
 */
#ifndef ARENA_PLAY_BOT_ERRAND_H
#define ARENA_PLAY_BOT_ERRAND_H

#include "arena/play/bot.h"

struct bot_errand;

/*
 * Requests the start of the bot's process; bot->starting is set until it is done. Copies the
 * command. spawned_fn is called on the loop with 0, or with -errno and bot->failure set. Returns 0
 * or -ENOMEM.
 */
int bot_errand_start(struct bot *bot, const struct sandbox_command *command,
                     void (*spawned_fn)(struct bot *bot, int error));

/*
 * True if the start under way has taken longer than BOT_STARTING_MS since its turn came; starts and
 * ends of other bots before it do not count. Else sets the bot's alarm to when that will be.
 */
bool bot_errand_is_late(struct bot *bot);

/*
 * Drops a bot whose start is under way: its process is ended once started, and spawned_fn is not
 * called.
 */
void bot_errand_abandon(struct bot *bot);

/*
 * Requests the end of the bot's process and the finishing of its child; both belong to the errand
 * from now on.
 */
void bot_errand_finish(struct bot *bot);

#endif
