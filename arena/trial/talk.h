/*
 * A dialog with one bot, on a loop that is passed in: each call asks for one thing, and done_fn
 * tells from the loop when the bot has answered, failed or gone. One thing at a time. For what
 * looks at one bot at a time (a check, a re-run); matches have tables.
 */
#ifndef ARENA_TRIAL_TALK_H
#define ARENA_TRIAL_TALK_H

#include "arena/play/bot.h"
#include "arena/play/table.h"

enum talk_outcome {
    TALK_WAITING = 0, /* never told */
    TALK_DONE = 1,    /* started, answered, rested, gone or ended, as was asked */
    TALK_FAULT = 2,   /* the bot is out and dead: bot.fault says why */
    TALK_BROKEN = 3,  /* the arena failed or was stopped (EINTR): bot.failure says why */
};

struct talk {
    enum talk_outcome outcome;
    struct ev_loop *loop;
    struct pace pace;
    ev_timer watch;   /* on its memory */
    ev_timer settled; /* tells the outcome from a stack of its own */
    ev_timer rest;
    struct transport transport;
    bool ends;      /* talk_end was called */
    struct bot bot; /* requests are written to, and answers stand in, bot.channel */
    void *owner;
    void (*done_fn)(void *owner, enum talk_outcome outcome);
};

/* Copies the transport, borrows what that stands on. NULL with errno set. */
struct talk *talk_create(struct ev_loop *loop, const struct transport *transport, void *owner,
                         void (*done_fn)(void *owner, enum talk_outcome outcome));

/* Kills the bot if it lives, and blocks until it is gone; after talk_end it does neither. done_fn
   is not called any more. Takes NULL. */
void talk_destroy(struct talk *talk);

/* Starts the source's program; bot.errors_fn and bot.freeze may be set beforehand. */
void talk_start(struct talk *talk, const struct source *source, const struct table_rules *rules);

/* Sends bot.channel.request[0..size) and waits for one whole message: bot_ask says how. */
void talk_ask(struct talk *talk, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Lets the bot be for so long: nothing is asked of it. */
void talk_rest(struct talk *talk, int rest_ms);

/* Puts the bot out for what it answered, and waits until it is dead: TALK_FAULT or TALK_BROKEN. */
void talk_fail(struct talk *talk, enum wire_reason reason, const char *words);

/* Sends bot.channel.request[0..size) (none if 0), closes the bot's input and waits until it is
   gone: bot.verdict says how, SANDBOX_END_KILLED that it stayed. */
void talk_leave(struct talk *talk, size_t size);

/* Kills the bot if it lives and frees what it had: TALK_DONE once that is done. */
void talk_end(struct talk *talk);

/* Somebody wants it to end: whatever was asked for is TALK_BROKEN, with EINTR. No effect on
   talk_end. */
void talk_stop(struct talk *talk);

#endif
