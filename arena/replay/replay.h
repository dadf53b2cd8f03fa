/*
 * A replay: all that is needed to verify a match, and to see why a bot was out. Packs a replay to
 * bytes, reads it back, and verifies it by playing it again. Does no I/O.
 *
 * The format is a MessagePack stream: a header (map), each decision (array of seat, by, action, us,
 * cpu_us, delay_us, hash, note), the result (map) and a checksum (bin, the SHA-256 of every byte
 * before it). Positions are not stored: they follow from seed and actions.
 */
#ifndef ARENA_REPLAY_REPLAY_H
#define ARENA_REPLAY_REPLAY_H

#include "arena/play/forfeit.h"
#include "arena/play/match.h"

struct source;
struct table;

/* The name of a seat that the arena played at random. */
#define REPLAY_CHANCE "chance"

enum replay_limits {
    REPLAY_VERSION = 1,
    REPLAY_HASH_CHARS = 64,      /* length of a package's SHA-256 in hex */
    REPLAY_BYTES_MAX = 16 << 20, /* limit of a file */
    REPLAY_ERROR_BYTES = 256,    /* room for one line */
    REPLAY_STAYED = -2,          /* in out_turns: not out until the end */
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
    uint64_t hash;    /* game_hash of the position after it */
    const char *note; /* borrowed from the bytes or the match; NULL: none */
    size_t note_bytes;
};

struct replay {
    struct match_terms terms; /* names are those in bots[], not those sent to bots */
    struct replay_bot bots[GAME_PLAYERS_MAX];
    uint32_t layers[GAME_PLAYERS_MAX]; /* enum sandbox_layer bits that held */
    bool names_told;                   /* names were sent to bots; in rated games they are not */
    int64_t memory_bytes;              /* limit of each bot */
    int64_t started_s;                 /* time of day, seconds since 1970 */
    size_t decision_count;
    struct replay_decision *decisions;   /* owned */
    struct wire_end result;              /* its final state is set by replay_verify only */
    int64_t out_turns[GAME_PLAYERS_MAX]; /* -1: before the first decision; or REPLAY_STAYED */
    struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* owned; NULL if there was none */
};

/* The sources of a replay; all borrowed; arrays are by seat. */
struct replay_origin {
    const struct match *match; /* must be over */
    const struct wire_end *result;
    const struct source *sources[GAME_PLAYERS_MAX]; /* NULL: the arena plays at random */
    uint32_t layers[GAME_PLAYERS_MAX];
    const struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* NULL if there was none */
    int64_t memory_bytes;
    int64_t started_s;
};

/*
 * Makes a replay of a match that is over. Borrows its notes; replay_finish frees the rest. Returns
 * 0, or -1 if memory runs out.
 */
int replay_from_match(struct replay *replay, const struct replay_origin *origin);

/* The same for the match that has just ended at a table. */
int replay_from_table(struct replay *replay, const struct table *table);

/* Accepts a zeroed replay. */
void replay_finish(struct replay *replay);

/* Packs to *bytes, which the caller frees. Returns the size, or 0 if memory runs out. */
size_t replay_pack(const struct replay *replay, uint8_t **bytes);

/*
 * Reads the output of replay_pack. Borrows notes from bytes. Returns 0, or -1 after writing one
 * line to error that says what is wrong and at which offset.
 */
int replay_unpack(struct replay *replay, const uint8_t *bytes, size_t size,
                  char error[static REPLAY_ERROR_BYTES]);

/* ---- playing one again: verify.c ---- */

/*
 * Called with each decision before it is played; match->game is the position. Called again after
 * the last decision, with decision NULL.
 */
typedef void replay_step_fn(void *self, struct match *match,
                            const struct replay_decision *decision);

/*
 * Plays the match again from the recorded answers. A bot that forfeited leaves the match at the
 * recorded turn. Compares with the record the actions that the arena chose in a bot's place, and
 * all hashes, scores and ranks. step_fn may be NULL. Returns 0 if nothing differs, else -1 after
 * writing the first difference as one line to error.
 */
int replay_verify(const struct replay *replay, replay_step_fn *step_fn, void *self,
                  char error[static REPLAY_ERROR_BYTES]);

/* Marks seats as out that were out at decision turn (-1: before the first). */
void replay_take_out(const struct replay *replay, struct match *match, int64_t turn);

/*
 * Plays the recorded answer of seat, which has to decide now, and charges the recorded time to its
 * bank. Returns 0, or -1 after writing to error why the rules forbid the answer.
 */
int replay_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES]);

/* Formats one line into error. Returns -1. */
int replay_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
