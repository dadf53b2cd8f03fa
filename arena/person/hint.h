/*
 * What a bot would play in a person's place: it is started in the sandbox, told the hello and the
 * turn that the person was told, and killed once it has answered. On the loop that is passed in;
 * nothing waits for it.
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
    const struct source *source; /* the bot; NULL: there is none to ask */
    struct wire_clock clock;
    void *owner;
    /* The answer, or in words why there is none (action is NULL then). */
    void (*told_fn)(void *owner, const struct action *action, const char *words);
    /* ---- */
    struct transport transport;
    const struct person_child *person;
    bool asked;   /* told_fn is still to be called */
    bool greeted; /* it is ready */
    struct bot bot;
};

/* Asks about the turn that the person was told last. A question that is under way goes on. */
void hint_ask(struct hint *hint, const struct person_child *person, struct sandbox *sandbox);

/* The owner does not want to know any more. */
void hint_drop(struct hint *hint);

/* Kills what still runs. Takes a zeroed one. */
void hint_finish(struct hint *hint);

#endif
