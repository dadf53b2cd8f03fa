/*
 * A dialog with one bot on the caller's loop: each call requests one operation, and done_fn is
 * called from the loop when it has succeeded or failed. One operation at a time. For code that uses
 * one bot at a time (a check, a rerun); matches use tables.
 */
#ifndef ARENA_TRIAL_TALK_H
#define ARENA_TRIAL_TALK_H

#include "arena/play/bot.h"
#include "arena/play/table.h"

enum talk_outcome {
    TALK_WAITING = 0, /* never passed to done_fn */
    TALK_DONE = 1,    /* the requested operation succeeded */
    TALK_FAULT = 2,   /* the bot is out and dead: see bot.fault */
    TALK_BROKEN = 3,  /* the arena failed or was stopped (EINTR): see bot.failure */
};

struct talk {
    enum talk_outcome outcome;
    struct ev_loop *loop;
    struct pace pace;
    ev_timer watch;   /* checks its memory */
    ev_timer settled; /* calls done_fn from the loop */
    ev_timer rest;
    struct transport transport;
    bool ends;      /* talk_end was called */
    struct bot bot; /* bot.channel holds the requests and the answers */
    void *owner;
    void (*done_fn)(void *owner, enum talk_outcome outcome);
};

/* Copies transport and borrows what it points to. Returns NULL with errno set. */
struct talk *talk_create(struct ev_loop *loop, const struct transport *transport, void *owner,
                         void (*done_fn)(void *owner, enum talk_outcome outcome));

/*
 * Kills the bot if it still lives, and blocks until it is gone; after talk_end it is gone already.
 * done_fn is not called any more. Accepts NULL.
 */
void talk_destroy(struct talk *talk);

/* Starts the source's program. Set bot.errors_fn and bot.freeze first if needed. */
void talk_start(struct talk *talk, const struct source *source, const struct table_rules *rules);

/* Sends bot.channel.request[0..size) and waits for one complete message, as bot_ask does. */
void talk_ask(struct talk *talk, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Waits for rest_ms without a request to the bot. */
void talk_rest(struct talk *talk, int rest_ms);

/*
 * Declares the bot at fault for what it answered, and waits until it is dead: TALK_FAULT or
 * TALK_BROKEN.
 */
void talk_fail(struct talk *talk, enum wire_reason reason, const char *words);

/*
 * Sends bot.channel.request[0..size) (nothing if 0), closes the bot's input and waits until it is
 * gone. bot.verdict says how it ended; SANDBOX_END_KILLED: it did not exit by itself.
 */
void talk_leave(struct talk *talk, size_t size);

/* Kills the bot if it lives and frees what it had; TALK_DONE follows. */
void talk_end(struct talk *talk);

/* Ends the current operation as TALK_BROKEN, with EINTR. Has no effect on talk_end. */
void talk_stop(struct talk *talk);

#endif
