/*
 * A dialog with one bot: each call asks and waits until the bot has answered, failed or
 * gone. For what looks at one bot at a time (a check, a re-run); matches have tables. A loop
 * of its own, so that it blocks nobody else's.
 */
#ifndef ARENA_TRIAL_TALK_H
#define ARENA_TRIAL_TALK_H

#include "arena/play/bot.h"
#include "arena/play/table.h"

enum talk_outcome {
    TALK_WAITING = 0, /* never returned */
    TALK_DONE = 1,    /* started, answered or gone, as was asked */
    TALK_FAULT = 2,   /* the bot is out: bot.fault says why */
    TALK_BROKEN = 3,  /* the arena failed or was stopped (EINTR): bot.failure says why */
};

struct talk {
    enum talk_outcome outcome;
    struct ev_loop *loop;
    struct pace pace;
    ev_timer watch; /* on its memory */
    ev_io stop;     /* asked for: stop.h */
    struct transport transport;
    struct bot bot; /* requests are written to, and answers stand in, bot.channel */
};

/* Borrows the sandbox. NULL when memory or descriptors are out. */
struct talk *talk_create(struct sandbox *sandbox);

/* Kills the bot if it lives. Takes NULL. */
void talk_destroy(struct talk *talk);

/* Starts the source's program; bot.errors_fn and bot.freeze may be set beforehand. */
enum talk_outcome talk_start(struct talk *talk, const struct source *source,
                             const struct table_rules *rules);

/* Sends bot.channel.request[0..size) and waits for one whole message: bot_ask says how. */
enum talk_outcome talk_ask(struct talk *talk, size_t size, int64_t limit_us,
                           enum wire_reason late_reason);

/* Lets the bot be for so long: nothing is asked of it. */
void talk_rest(struct talk *talk, int rest_ms);

/* Puts the bot out for what it answered, and waits until it is dead. Returns TALK_FAULT or
   TALK_BROKEN. */
enum talk_outcome talk_fail(struct talk *talk, enum wire_reason reason, const char *words);

/* Sends bot.channel.request[0..size) (none if 0), closes the bot's input and waits until it is
   gone: bot.verdict says how, SANDBOX_END_KILLED that it stayed. */
enum talk_outcome talk_leave(struct talk *talk, size_t size);

#endif
