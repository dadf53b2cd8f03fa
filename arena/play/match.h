/*
 * One match as the referee sees it: who sits where, whose decision is due, what was
 * answered, who is out and why, and the result. Pure: no process, descriptor or
 * clock; times come in as numbers, messages go out as bytes in the caller's buffer.
 *
 *     MATCH_HELLO --match_begin--> MATCH_PLAYING --last decision, or one seat left--> MATCH_OVER
 *
 * While MATCH_HELLO, each seat ends either match_ready or match_out. While
 * MATCH_PLAYING the caller asks match_next for the seat that has to decide (decisions
 * of those who are out are played on the way), sends it match_pack_request, and comes
 * back with match_answer or match_out.
 */
#ifndef ARENA_PLAY_MATCH_H
#define ARENA_PLAY_MATCH_H

#include "arena/play/illegal.h"
#include "engine/game.h"
#include "sdk/wire.h"

enum match_phase {
    MATCH_HELLO = 0,
    MATCH_PLAYING = 1,
    MATCH_OVER = 2,
};

/* What is agreed before a match. Borrows nothing. */
struct match_terms {
    char id[WIRE_MATCH_BYTES_MAX];
    uint8_t seed[GAME_SEED_BYTES]; /* never leaves the arena while the match runs */
    int player_count;
    enum board_side board;
    struct wire_clock clock;
    char names[GAME_PLAYERS_MAX][WIRE_NAME_BYTES_MAX + 1]; /* as bots are told: "" in rated games */
};

/* One decision, as it is journaled. The action is in match->events at the same index. */
struct match_decision {
    bool by_arena;        /* a stand-in moved for a bot that was out */
    int64_t us;           /* the bot took, wall time */
    int64_t cpu_us;       /* the bot took, processor time */
    int64_t delay_us;     /* the arena's own delay in seeing the answer, at most */
    uint64_t hash;        /* of the position after it: game_hash */
    uint32_t note_offset; /* in match->notes */
    uint32_t note_bytes;  /* 0: none */
};

struct match_seat {
    bool actions;            /* wants the legal actions with each turn */
    int64_t bank_us;         /* left */
    size_t told_count;       /* events it has been told */
    enum wire_reason reason; /* WIRE_PLAYED while it is in */
    int64_t out_turn;        /* the decision at which it went out, -1 before the first */
    int64_t us;              /* time to answer, summed */
};

struct match {
    struct match_terms terms;
    enum match_phase phase;
    struct game game;
    struct match_seat seats[GAME_PLAYERS_MAX];
    size_t decision_count; /* and the number of the turn that is due */
    struct match_decision decisions[GAME_DECISIONS_MAX];
    struct wire_event events[GAME_DECISIONS_MAX];
    char *notes; /* one after another */
    size_t note_bytes;
    size_t note_room;
    size_t legal_count; /* of the decision that is due; 0 when not listed yet */
    struct action legal[GAME_ACTIONS_MAX];
    char illegal[ILLEGAL_BYTES]; /* why the last answer was no legal action */
};

/* Deals the game. finish frees what it came to hold; it takes a zeroed one. */
void match_init(struct match *match, const struct match_terms *terms);
void match_finish(struct match *match);

/* The hello of one seat. Returns its bytes; buffer has WIRE_MESSAGE_BYTES_MAX of room. */
size_t match_pack_hello(const struct match *match, int seat, uint8_t *buffer);

/* A seat is ready; actions: it wants the legal ones with each turn. */
void match_ready(struct match *match, int seat, bool actions);

/* A seat is out from the decision that is due on (or before the first). */
void match_out(struct match *match, int seat, enum wire_reason reason);

/* Every seat is ready or out: the first decision may be asked for. */
void match_begin(struct match *match);

/*
 * The one thing that is the arena's to do now: a stand-in's decision for a seat that is
 * out, or the end. Not to be called while a seat that is in has to decide.
 */
void match_step(struct match *match);

/*
 * Plays what the arena has to play and returns the seat whose bot has to decide, or
 * GAME_NOBODY when the match is over.
 */
int match_next(struct match *match);

/* How long the decision that is due may take, in microseconds. */
int64_t match_limit_us(const struct match *match, int seat);

/* The turn message of the seat that has to decide; it counts as told. Returns its bytes. */
size_t match_pack_request(struct match *match, int seat, uint8_t *buffer);

/* What was measured of one answer. */
struct match_times {
    int64_t us;
    int64_t cpu_us;
    int64_t delay_us;
};

/*
 * The legal action that an answer to the decision that is due names, into *action; plays
 * nothing. Returns NULL, or one line that says why it is a fault, with *reason set.
 */
const char *match_find_action(struct match *match, const struct wire_act *act,
                              struct action *action, enum wire_reason *reason);

/*
 * Plays what the seat that has to decide answered. Returns NULL, or one line that says
 * why it is a fault, with *reason set; nothing has changed then and the caller decides on
 * match_out.
 */
const char *match_answer(struct match *match, int seat, const struct wire_act *act,
                         const struct match_times *times, enum wire_reason *reason);

/* How many seats are still in. */
int match_in_count(const struct match *match);

/* The result; the match is over. Fills *end. */
void match_result(const struct match *match, struct wire_end *end);

#endif
