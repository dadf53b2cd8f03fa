/* SPDX-License-Identifier: MIT */
/*
 * A replay: everything that is needed to verify a match, and to see why a bot forfeited. Packs a
 * replay to bytes, reads these bytes back, and verifies a replay by playing the match again. Does
 * no I/O.
 *
 * The format is a MessagePack stream: a header (map), each decision (array of seat, by, action, us,
 * cpu_us, delay_us, hash, note), the result (map) and a checksum (bin, the SHA-256 of every byte
 * before it). Positions are not stored: seed and actions determine them.
 */
#ifndef ARENA_REPLAY_REPLAY_H
#define ARENA_REPLAY_REPLAY_H

#include "arena/play/forfeit.h"
#include "arena/play/match.h"

struct source;
struct table;

/* The name of a seat for which the arena chose every decision at random. */
#define REPLAY_CHANCE "chance"

enum replay_limits {
    REPLAY_VERSION = 1,
    REPLAY_HASH_CHARS = 64,      /* length of a package's SHA-256 in hex */
    REPLAY_BYTES_MAX = 16 << 20, /* maximum size of a replay file */
    REPLAY_ERROR_BYTES = 256,    /* room for one line */
    REPLAY_STAYED = -2,          /* value in out_turns: the seat stayed in the match to its end */
};

struct replay_bot {
    char name[WIRE_NAME_BYTES_MAX + 1];
    char version[WIRE_NAME_BYTES_MAX + 1];
    char sha256[REPLAY_HASH_CHARS + 1];
};

struct replay_decision {
    int seat;
    bool by_arena;
    struct action action;
    int64_t us, cpu_us, delay_us;
    uint64_t hash;    /* game_hash of the position after the decision */
    const char *note; /* the bot's note, borrowed from the bytes or the match; or NULL */
    size_t note_bytes;
};

struct replay {
    /* Terms of the match, with all bots' names, even if bots did not receive them. */
    struct match_terms terms;
    struct replay_bot bots[GAME_PLAYERS_MAX];
    uint32_t layers[GAME_PLAYERS_MAX]; /* enum sandbox_layer bits that confined each seat's bot */
    bool names_told;      /* bots received each other's names, which they do not in rated games */
    int64_t memory_bytes; /* memory limit of each bot */
    int64_t started_s;    /* start of the match, seconds since 1970 */
    size_t decision_count;
    struct replay_decision *decisions; /* owned */
    /* Result; replay_verify sets its final state, which replays do not contain. */
    struct wire_end result;
    /* Decision at which each seat went out; -1: before decision 0; or REPLAY_STAYED. */
    int64_t out_turns[GAME_PLAYERS_MAX];
    struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* record of the seat's forfeit, or NULL; owned */
};

/*
 * Makes a replay of the match at a table, as far as it was played. Borrows notes from the match;
 * replay_finish frees everything else. Returns 0, or -1 if memory runs out.
 */
int replay_from_table(struct replay *replay, const struct table *table);

/* Frees the content of a replay. Accepts a zeroed replay. */
void replay_finish(struct replay *replay);

/*
 * Clears what the bot in a seat wrote to standard error, its size and its hash, because only the
 * bot's author may read it; replay_drop_errors: for all seats.
 */
void replay_drop_error(struct replay *replay, int seat);
void replay_drop_errors(struct replay *replay);

/* Packs a replay to *bytes, which the caller frees. Returns the size, or 0 if memory runs out. */
size_t replay_pack(const struct replay *replay, uint8_t **bytes);

/*
 * Reads bytes that replay_pack wrote. Borrows notes from bytes. Returns 0; or -1 after writing to
 * error what is wrong, and at which offset.
 */
int replay_unpack(struct replay *replay, const uint8_t *bytes, size_t size,
                  char error[static REPLAY_ERROR_BYTES]);

/* ---- playing one again: verify.c ---- */

/*
 * Called before each decision, with the position in match->game; and once more after the last
 * decision, with decision NULL.
 */
typedef void replay_step_fn(void *self, struct match *match,
                            const struct replay_decision *decision);

/*
 * Plays the match again from the recorded answers. A bot that forfeited leaves the match at the
 * recorded decision. Compares with the record: the actions of the arena for bots that were out, and
 * all hashes, scores and ranks. step_fn may be NULL. Returns 0 if nothing differs, else -1 after
 * writing the first difference as one line to error.
 */
int replay_verify(const struct replay *replay, replay_step_fn *step_fn, void *self,
                  char error[static REPLAY_ERROR_BYTES]);

/*
 * Returns the seat that had to decide at a turn: of the last turn of a match that ended early, the
 * seat that then went out. GAME_NOBODY if the match has no such turn.
 */
int replay_seat_asked(const struct replay *replay, size_t turn);

/* Marks as out the seats that went out at decision `turn` (-1: before the first decision). */
void replay_take_out(const struct replay *replay, struct match *match, int64_t turn);

/*
 * Plays the recorded answer of the seat that has to decide, and takes the recorded time from the
 * seat's bank. Returns 0, or -1 after writing to error why the rules forbid the answer.
 */
int replay_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES]);

/*
 * Plays one step of a match that goes on: the recorded answer, the decision of a seat that is out,
 * or the end. Returns as replay_answer does.
 */
int replay_play_next(const struct replay *replay, struct match *match,
                     char error[static REPLAY_ERROR_BYTES]);

/*
 * Returns the time that is left in the bank of the next decision's seat after this decision; -1 if
 * the clock has no bank.
 */
int64_t replay_bank_us(const struct match *match, const struct replay_decision *decision);

/*
 * Returns the path at which a folder of replays has a match's, which the caller frees; NULL if
 * memory runs out.
 */
char *replay_file_path(const char *folder, const char *match);

/* Formats one line into error. Returns -1. */
int replay_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
