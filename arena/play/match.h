/* SPDX-License-Identifier: MIT */
/*
 * One match as the referee sees it: which bot sits where, who has to decide, what each bot
 * answered, which bots are out and why, and the result. Pure: no process, descriptor or clock; the
 * caller passes times as numbers, and the referee writes messages to the caller's buffer. While
 * phase is MATCH_HELLO, the caller calls match_ready or match_out for each seat, then match_begin.
 * While phase is MATCH_PLAYING, the caller gets from match_next the seat that has to decide
 * (match_next also plays for seats that are out), sends the seat the message of match_pack_request,
 * and calls match_answer or match_out. MATCH_OVER follows the last decision, or the moment when
 * only one seat is not out.
 */
#ifndef ARENA_PLAY_MATCH_H
#define ARENA_PLAY_MATCH_H

#include "engine/game.h"
#include "sdk/wire.h"

enum illegal_limits {
    ILLEGAL_BYTES = 192, /* room for illegal_explain, NUL included */
};

/* ---- the clock of a seat: arithmetic on microseconds, which never reads the time ---- */

enum clock_limits {
    CLOCK_MS_MAX = 1000 * 60 * 60 * 24, /* maximum of each part of a clock: a day */
};

/* The default clock of a match. */
#define CLOCK_DEFAULT                                                                              \
    ((struct wire_clock){.turn_ms = 1000, .bank_ms = 10000, .gain_ms = 0, .start_ms = 5000})

/*
 * Parses "turn=MS,bank=MS,gain=MS,start=MS", with the parts in any order; a missing part keeps its
 * value in *clock. Returns NULL; or a static line that names the fault, with *clock unchanged.
 */
const char *clock_parse(const char *text, struct wire_clock *clock);

/* Returns the bank after an answer that took used_us, with the gain added, in microseconds. */
int64_t clock_spend(const struct wire_clock *clock, int64_t bank_us, int64_t used_us);

/* ---- the match ---- */

enum match_phase {
    MATCH_HELLO = 0,
    MATCH_PLAYING = 1,
    MATCH_OVER = 2,
};

/* The terms of a match. Has no pointers. */
struct match_terms {
    char id[WIRE_MATCH_BYTES_MAX];
    uint8_t seed[GAME_SEED_BYTES]; /* secret until the match has ended */
    int player_count;
    enum board_side board;
    struct wire_clock clock;
    char names[GAME_PLAYERS_MAX]
              [WIRE_NAME_BYTES_MAX + 1]; /* names that bots receive: "" in a rated match */
};

/* The record of one decision; its action is match->events[] at the same index. */
struct match_decision {
    bool by_arena;        /* the arena played the decision, because the seat's bot was out */
    int64_t us;           /* wall time that the bot took */
    int64_t cpu_us;       /* processor time that the bot took */
    int64_t delay_us;     /* most time that the arena itself took to notice the answer */
    uint64_t hash;        /* game_hash of the position after the decision */
    uint32_t note_offset; /* offset of the note in match->notes */
    uint32_t note_bytes;  /* size of the note; 0: no note */
};

struct match_seat {
    bool actions;            /* the bot wants the list of legal actions with each turn */
    int64_t bank_us;         /* time left in the seat's bank */
    size_t told_count;       /* number of events that the bot has received */
    enum wire_reason reason; /* why the seat is out; WIRE_PLAYED: not out */
    int64_t out_turn; /* decision at which the seat went out; -1: before the first decision */
    int64_t us;       /* total time of the bot's answers */
};

struct match {
    struct match_terms terms;
    enum match_phase phase;
    struct game game;
    struct match_seat seats[GAME_PLAYERS_MAX];
    size_t decision_count; /* number of decisions so far, which is the number of the current turn */
    struct match_decision decisions[GAME_DECISIONS_MAX];
    struct wire_event events[GAME_DECISIONS_MAX];
    char *notes; /* notes of all decisions, one after another */
    size_t note_bytes;
    size_t legal_count; /* number of legal actions of the current decision; 0: `legal` is not filled
                           yet */
    struct action legal[GAME_ACTIONS_MAX];
    char illegal[ILLEGAL_BYTES]; /* explanation of the last answer that named no legal action */
};

/*
 * match_init deals the game of a new match. match_finish frees what the match allocated; accepts a
 * zeroed match.
 */
void match_init(struct match *match, const struct match_terms *terms);
void match_finish(struct match *match);

/*
 * Packs the hello message of one seat. Returns its size; buffer has room for
 * WIRE_MESSAGE_BYTES_MAX.
 */
size_t match_pack_hello(const struct match *match, int seat, uint8_t *buffer);

/* Marks a seat as ready. actions: the bot wants the list of legal actions with each turn. */
void match_ready(struct match *match, int seat, bool actions);

/*
 * Marks a seat as out, from the current decision on; during the hello, from the first decision on.
 */
void match_out(struct match *match, int seat, enum wire_reason reason);

/* Starts the game, once every seat is ready or out. */
void match_begin(struct match *match);

/*
 * Plays the decision of a seat that is out, or ends the match if the game is over. The seat to act
 * must be out.
 */
void match_step(struct match *match);

/*
 * Plays the decisions of seats that are out. Returns the seat whose bot has to decide, or
 * GAME_NOBODY if the match is over.
 */
int match_next(struct match *match);

/* Returns how long the current decision of a seat may take, in microseconds. */
int64_t match_limit_us(const struct match *match, int seat);

/*
 * Packs the turn message for the seat that has to decide. Records that the seat has received all
 * events. For an analysis, played is the action that was played in the match; else NULL. Returns
 * the message's size.
 */
size_t match_pack_request(struct match *match, int seat, const struct action *played,
                          uint8_t *buffer);

/* The times measured for one answer. */
struct match_times {
    int64_t us;
    int64_t cpu_us;
    int64_t delay_us;
};

/*
 * Finds the legal action that an answer to the current decision names, and copies it to *action.
 * Plays nothing. Returns NULL; or one line that says why the answer is a fault, with *reason set.
 */
const char *match_find_action(struct match *match, const struct wire_act *act,
                              struct action *action, enum wire_reason *reason);

/*
 * Plays the answer of the seat that has to decide. Returns NULL; or one line that says why the
 * answer is a fault, with *reason set. In this case the match is unchanged, and the caller may call
 * match_out.
 */
const char *match_answer(struct match *match, int seat, const struct wire_act *act,
                         const struct match_times *times, enum wire_reason *reason);

/* Returns how many seats are not out. */
int match_in_count(const struct match *match);

/* Fills *end with the result of a match that is over. */
void match_result(const struct match *match, struct wire_end *end);

/*
 * Writes to words, for the bot's author, why act names none of the legal actions of the current
 * decision. legal_count is at least 1. game_apply, not this function, decides whether an action is
 * legal.
 */
void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count);

#endif
