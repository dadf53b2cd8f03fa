/*
 * A match of a person against bots on the caller's loop: the table with the person at one seat, the
 * hints, and the decisions of an earlier match that are replayed first. Reports events through
 * callbacks; knows no terminal.
 */
#ifndef ARENA_PERSON_PARTY_H
#define ARENA_PERSON_PARTY_H

#include <ev.h>

#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

struct party_options {
    struct match_terms terms;
    /* By seat; the manifest.run of the person's source is NULL. */
    const struct source *sources[GAME_PLAYERS_MAX];
    const struct source *hint; /* the bot that gives hints; may be NULL */
    struct wire_clock hint_clock;
    struct table_rules rules;
    struct sandbox *sandbox;
    /* An earlier match whose first decisions are played first; may be NULL. */
    const struct replay *replay;
    size_t replay_count; /* number of decisions of the earlier match to play */
    void *owner;
    /* The match continued; the callback must not change it. */
    void (*step_fn)(void *owner, const struct match *match);
    void (*asked_fn)(void *owner, const struct wire_turn *turn);
    void (*hint_fn)(void *owner, const struct action *action, const char *words);
    /*
     * The match has ended. The table is ENDING, or VOID if the match was stopped or the arena
     * failed (see error, or table->failure).
     */
    void (*done_fn)(void *owner, const struct table *table, const char *error);
};

struct party;

/*
 * Starts to play. Copies the options, and borrows all that the options point to. Returns NULL if
 * memory runs out.
 */
struct party *party_start(const struct party_options *options, struct ev_loop *loop);

/* Plays the person's decision. Call it only while the person has to decide. */
void party_answer(struct party *party, struct action action);

/*
 * Asks the hint bot for advice on the current decision; hint_fn follows, unless the person decides
 * first.
 */
void party_ask_hint(struct party *party);

/* Ends the match without a result; done_fn follows. */
void party_stop(struct party *party);

/*
 * Frees the party, and ends its match if it still runs. Accepts NULL. Must not be called from a
 * callback of the party.
 */
void party_destroy(struct party *party);

#endif
