/*
 * Asks a bot what it would play in a person's place: starts it in the sandbox, sends it the same
 * hello and turn that the person received, and kills it once it has answered. Runs on the caller's
 * loop without blocking it.
 */
#ifndef ARENA_PERSON_HINT_H
#define ARENA_PERSON_HINT_H

#include "arena/person/child.h"
#include "arena/play/bot.h"
#include "arena/play/source.h"
#include "arena/play/table.h"

enum {
    HINT_WORDS_BYTES = 160,
};

struct hint {
    struct ev_loop *loop;
    struct pace *pace;
    const struct table_rules *rules;
    const struct source *source; /* the bot; NULL: no bot to ask */
    struct wire_clock clock;
    void *owner;
    /* Receives the answer, or in words why there is none (action is then NULL). */
    void (*told_fn)(void *owner, const struct action *action, const char *words);
    /* ---- */
    struct transport transport;
    const struct person_child *person;
    bool asked;   /* told_fn has not been called yet */
    bool greeted; /* the bot is ready */
    struct bot bot;
};

/* Asks about the person's last turn. Continues a request that is already running. */
void hint_ask(struct hint *hint, const struct person_child *person, struct sandbox *sandbox);

/* Cancels the request: told_fn is not called. */
void hint_drop(struct hint *hint);

/* Kills a bot that still runs. Accepts a zeroed hint. */
void hint_finish(struct hint *hint);

#endif
