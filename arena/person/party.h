/*
 * A match of a person and bots on a loop that is passed in: the table with the person at one seat,
 * the hints, and decisions of an earlier match that are played first. Says what happens by calls;
 * knows no terminal.
 */
#ifndef ARENA_PERSON_PARTY_H
#define ARENA_PERSON_PARTY_H

#include "arena/person/child.h"
#include "arena/person/hint.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

struct party_options {
    struct match_terms terms;
    const struct source *sources[GAME_PLAYERS_MAX]; /* by seat; the person's has no manifest.run */
    const struct source *hint;                      /* the bot to ask, or NULL */
    struct wire_clock hint_clock;
    struct table_rules rules;
    struct sandbox *sandbox;
    const struct replay *replay; /* whose first decisions are played first, or NULL */
    size_t replay_count;         /* how many of them */
    void *owner;
    void (*step_fn)(void *owner, const struct match *match); /* it went on; look at it */
    void (*asked_fn)(void *owner, const struct wire_turn *turn);
    void (*hint_fn)(void *owner, const struct action *action, const char *words);
    /* The table is ENDING, or VOID: stopped, or the arena failed (error, or table->failure). */
    void (*done_fn)(void *owner, const struct table *table, const char *error);
};

struct party;

/* Copies the options; borrows what they point to. Plays at once. NULL when memory is out. */
struct party *party_start(const struct party_options *options, struct ev_loop *loop);

/* The person's decision, while one is asked for. */
void party_answer(struct party *party, struct action action);

/* Asks the bot for a hint: hint_fn follows, unless the person answers before. */
void party_ask_hint(struct party *party);

/* Ends the match without a result: done_fn follows. */
void party_stop(struct party *party);

/* Takes NULL. Not in a call of the party's. */
void party_destroy(struct party *party);

#endif
