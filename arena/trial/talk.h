/* SPDX-License-Identifier: MIT */
/*
 * A conversation with one bot on the caller's loop. Each call requests one operation, and done_fn
 * is called from the loop when the operation has succeeded or failed. Only one operation may be
 * under way. For code that uses one bot by itself (a rerun, hints); matches and checks use tables.
 */
#ifndef ARENA_TRIAL_TALK_H
#define ARENA_TRIAL_TALK_H

#include "arena/play/bot.h"
#include "arena/play/table.h"

enum talk_outcome {
    TALK_WAITING = 0, /* an operation is under way; never passed to done_fn */
    TALK_DONE = 1,    /* the operation succeeded */
    TALK_FAULT = 2,   /* the bot is out, and its process is dead: see bot.fault */
    TALK_BROKEN = 3,  /* the arena failed, or was stopped (EINTR): see bot.failure */
};

struct talk {
    enum talk_outcome outcome;
    struct ev_loop *loop;
    struct pace pace;
    ev_timer watch;   /* checks the bot's memory */
    ev_timer settled; /* calls done_fn from the loop */
    ev_timer rest;
    struct transport transport;
    bool ends;      /* talk_end was called */
    struct bot bot; /* bot.channel holds the request and the answer */
    void *owner;
    void (*done_fn)(void *owner, enum talk_outcome outcome);
};

/* Copies transport, and borrows all that it points to. Returns NULL with errno set. */
struct talk *talk_create(struct ev_loop *loop, const struct transport *transport, void *owner,
                         void (*done_fn)(void *owner, enum talk_outcome outcome));

/*
 * Kills the bot if it is alive, and blocks until its process is gone; does not block after talk_end
 * is done. done_fn is not called any more. Accepts NULL.
 */
void talk_destroy(struct talk *talk);

/* Starts the program of source. If needed, set bot.errors_fn and bot.freeze before the call. */
void talk_start(struct talk *talk, const struct source *source, const struct table_rules *rules);

/* Sends bot.channel.request[0..size), and waits for one complete message as bot_ask does. */
void talk_ask(struct talk *talk, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Waits rest_ms without sending the bot a request. */
void talk_rest(struct talk *talk, int rest_ms);

/* Kills the bot if it is alive, and frees its resources; TALK_DONE follows. */
void talk_end(struct talk *talk);

/* Ends the current operation as TALK_BROKEN, with EINTR. Does not affect talk_end. */
void talk_stop(struct talk *talk);

#endif
