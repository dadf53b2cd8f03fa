/*
 * One match as the referee sees it: who sits where, who has to decide, what was answered, who is
 * out and why, and the result. Pure: no process, descriptor or clock; times are passed in as
 * numbers, messages are written to the caller's buffer.
 *
 *   MATCH_HELLO --match_begin--> MATCH_PLAYING --last decision, or one seat left--> MATCH_OVER
 *
 * During MATCH_HELLO, the caller reports match_ready or match_out for each seat. During
 * MATCH_PLAYING the caller calls match_next for the seat that has to decide (which plays the
 * decisions of seats that are out), sends it match_pack_request, and reports match_answer or
 * match_out.
 */
#ifndef ARENA_PLAY_MATCH_H
#define ARENA_PLAY_MATCH_H

#include "engine/game.h"
#include "sdk/wire.h"

enum illegal_limits {
    ILLEGAL_BYTES = 192, /* room for illegal_explain, NUL included */
};

enum match_phase {
    MATCH_HELLO = 0,
    MATCH_PLAYING = 1,
    MATCH_OVER = 2,
};

/* The terms of a match. Borrows nothing. */
struct match_terms {
    char id[WIRE_MATCH_BYTES_MAX];
    uint8_t seed[GAME_SEED_BYTES]; /* never leaves the arena while the match runs */
    int player_count;
    enum board_side board;
    struct wire_clock clock;
    char names[GAME_PLAYERS_MAX][WIRE_NAME_BYTES_MAX + 1]; /* as sent to bots: "" in rated games */
};

/* One decision, as recorded. The action is in match->events at the same index. */
struct match_decision {
    bool by_arena;        /* a stand-in played it, for a bot that was out */
    int64_t us;           /* wall time the bot took */
    int64_t cpu_us;       /* processor time the bot took */
    int64_t delay_us;     /* the arena's own delay in receiving the answer, at most */
    uint64_t hash;        /* game_hash of the position after it */
    uint32_t note_offset; /* offset in match->notes */
    uint32_t note_bytes;  /* 0: none */
};

struct match_seat {
    bool actions;            /* wants the legal actions with each turn */
    int64_t bank_us;         /* time left in the bank */
    size_t told_count;       /* events that it has been sent */
    enum wire_reason reason; /* WIRE_PLAYED while it is not out */
    int64_t out_turn;        /* the decision at which it was out, -1 before the first */
    int64_t us;              /* total time of its answers */
};

struct match {
    struct match_terms terms;
    enum match_phase phase;
    struct game game;
    struct match_seat seats[GAME_PLAYERS_MAX];
    size_t decision_count; /* also the number of the current turn */
    struct match_decision decisions[GAME_DECISIONS_MAX];
    struct wire_event events[GAME_DECISIONS_MAX];
    char *notes; /* concatenated */
    size_t note_bytes;
    size_t note_room;
    size_t legal_count; /* of the current decision; 0 if not computed yet */
    struct action legal[GAME_ACTIONS_MAX];
    char illegal[ILLEGAL_BYTES]; /* why the last answer was not a legal action */
};

/*
 * match_init deals the game. match_finish frees what the match allocated; it accepts a zeroed
 * match.
 */
void match_init(struct match *match, const struct match_terms *terms);
void match_finish(struct match *match);

/* Packs the hello of one seat. Returns its size; buffer holds WIRE_MESSAGE_BYTES_MAX. */
size_t match_pack_hello(const struct match *match, int seat, uint8_t *buffer);

/* Marks a seat as ready. actions: it wants the legal actions with each turn. */
void match_ready(struct match *match, int seat, bool actions);

/* Marks a seat as out, from the current decision on (or before the first). */
void match_out(struct match *match, int seat, enum wire_reason reason);

/* Starts the play, once every seat is ready or out. */
void match_begin(struct match *match);

/*
 * Does the arena's next step: plays the stand-in's decision for a seat that is out, or ends the
 * match. Must not be called while a seat that is not out has to decide.
 */
void match_step(struct match *match);

/*
 * Plays the arena's steps. Returns the seat whose bot has to decide, or GAME_NOBODY if the match is
 * over.
 */
int match_next(struct match *match);

/* Returns how long the current decision may take, in microseconds. */
int64_t match_limit_us(const struct match *match, int seat);

/*
 * Packs the turn message of the seat that has to decide, and counts its events as sent. Returns its
 * size.
 */
size_t match_pack_request(struct match *match, int seat, uint8_t *buffer);

/* The measurements of one answer. */
struct match_times {
    int64_t us;
    int64_t cpu_us;
    int64_t delay_us;
};

/*
 * Finds the legal action that an answer to the current decision names and copies it to *action;
 * plays nothing. Returns NULL, or one line that says why the answer is a fault, with *reason set.
 */
const char *match_find_action(struct match *match, const struct wire_act *act,
                              struct action *action, enum wire_reason *reason);

/*
 * Plays the answer of the seat that has to decide. Returns NULL, or one line that says why the
 * answer is a fault, with *reason set; nothing has changed then, and the caller decides whether to
 * call match_out.
 */
const char *match_answer(struct match *match, int seat, const struct wire_act *act,
                         const struct match_times *times, enum wire_reason *reason);

/* Returns how many seats are not out. */
int match_in_count(const struct match *match);

/* Fills *end with the result of a match that is over. */
void match_result(const struct match *match, struct wire_end *end);

/*
 * Writes to words, for the bot's author, why act is none of the legal actions of the game's current
 * decision. legal_count is at least 1. Does not decide: game_apply does.
 */
void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count);

#endif
