/*
 * A match of a person against bots on the caller's loop: the table with the person at one seat, the
 * hints, and the decisions of an earlier match that the party replays first. Reports events through
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
    /* Programs of the players, by seat; for the person, manifest.run is NULL. */
    const struct source *sources[GAME_PLAYERS_MAX];
    const struct source *hint; /* the bot that gives hints; may be NULL */
    struct table_rules rules;
    struct sandbox *sandbox;
    /* An earlier match whose first decisions the party replays; NULL: none. */
    const struct replay *replay;
    size_t replay_count; /* number of decisions of the earlier match to replay */
    void *owner;
    /* Called after each change of the match; must not change the match. */
    void (*step_fn)(void *owner, const struct match *match);
    void (*asked_fn)(void *owner, const struct wire_turn *turn);
    void (*hint_fn)(void *owner, const struct action *action, const char *words);
    /*
     * Called when the match has ended. The table's state is ENDING; or VOID, if the match was
     * stopped or the arena failed (see error, or table->failure).
     */
    void (*done_fn)(void *owner, const struct table *table, const char *error);
};

struct party;

/*
 * Starts the match. Copies the options, and borrows everything to which the options point. Returns
 * NULL if memory runs out.
 */
struct party *party_start(const struct party_options *options, struct ev_loop *loop);

/* Plays the person's decision. Call it only while the person has to decide. */
void party_answer(struct party *party, struct action action);

/*
 * Asks the hint bot for advice on the current decision. Calls hint_fn with the advice, unless the
 * person decides first.
 */
void party_ask_hint(struct party *party);

/* Ends the match without a result, and then calls done_fn. */
void party_stop(struct party *party);

/*
 * Frees the party, and ends its match if it still runs. Accepts NULL. Must not be called from a
 * callback of the party.
 */
void party_destroy(struct party *party);

#endif
