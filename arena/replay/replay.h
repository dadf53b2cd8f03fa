/*
 * A replay: all that is needed to check a match, and to see why a bot went out. Packs
 * to bytes and reads them back; plays it again to verify. Does no I/O.
 *
 * The form is a MessagePack stream: a header (map), each decision (array of seat, by,
 * action, us, cpu_us, delay_us, hash, note), the result (map) and a checksum (bin, the
 * SHA-256 of every byte before it). Positions are not stored: seed and actions give them.
 */
#ifndef ARENA_REPLAY_REPLAY_H
#define ARENA_REPLAY_REPLAY_H

#include "arena/play/forfeit.h"
#include "arena/play/match.h"

struct source;
struct table;

/* What a replay calls a seat that the arena itself played. */
#define REPLAY_CHANCE "chance"

enum replay_limits {
    REPLAY_VERSION = 2,          /* 1 kept texts of forfeits whole, and is read still */
    REPLAY_HASH_CHARS = 64,      /* of a package's SHA-256 in hex */
    REPLAY_BYTES_MAX = 16 << 20, /* of a file */
    REPLAY_ERROR_BYTES = 256,    /* of one line */
    REPLAY_STAYED = -2,          /* in out_turns: in the match to its end */
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
    const char *note; /* borrowed from the bytes or the match; NULL without one */
    size_t note_bytes;
};

struct replay {
    struct match_terms terms; /* names are those of bots[], not what bots were told */
    struct replay_bot bots[GAME_PLAYERS_MAX];
    uint32_t layers[GAME_PLAYERS_MAX]; /* enum sandbox_layer bits that held */
    bool names_told;                   /* bots were told names; in rated games they are not */
    int64_t memory_bytes;              /* each bot was given */
    int64_t started_s;                 /* time of day, seconds since 1970 */
    size_t decision_count;
    struct replay_decision *decisions;          /* owned */
    struct wire_end result;                     /* its state is filled in by replay_verify only */
    int64_t out_turns[GAME_PLAYERS_MAX];        /* -1 before the first decision; REPLAY_STAYED */
    struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* owned; NULL for who played */
};

/* What a replay is made from; all borrowed, and by seat. */
struct replay_origin {
    const struct match *match; /* over */
    const struct wire_end *result;
    const struct source *sources[GAME_PLAYERS_MAX]; /* NULL: the arena plays, by chance */
    uint32_t layers[GAME_PLAYERS_MAX];
    const struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* NULL for who played */
    int64_t memory_bytes;
    int64_t started_s;
};

/* A match that is over. Borrows its notes; finish frees the rest. Returns 0, or -1 when memory is
   out. */
int replay_from_match(struct replay *replay, const struct replay_origin *origin);

/* The match that a table has just ended. Borrows its notes; finish frees the rest. Returns
   0, or -1 when memory is out. */
int replay_from_table(struct replay *replay, const struct table *table);

/* Takes a zeroed one. */
void replay_finish(struct replay *replay);

/* Packs to *bytes, which the caller frees. Returns the size, or 0 when memory is out. */
size_t replay_pack(const struct replay *replay, uint8_t **bytes);

/*
 * Reads what replay_pack wrote; notes are borrowed from bytes. Returns 0, or -1 after
 * writing one line to error that says what is wrong and at which offset.
 */
int replay_unpack(struct replay *replay, const uint8_t *bytes, size_t size,
                  char error[static REPLAY_ERROR_BYTES]);

/*
 * Called with each decision before it is played: match->game is the position, NULL stops.
 * After the last decision it is called once more with decision NULL.
 */
typedef void replay_step_fn(void *self, struct match *match,
                            const struct replay_decision *decision);

/*
 * Plays the match again by the rules, the recorded answers and the recorded ends of
 * bots, and compares every stand-in, hash, score and rank. step_fn may be NULL. Returns 0
 * if all agree, else -1 after writing the first difference as one line to error.
 */
int replay_verify(const struct replay *replay, replay_step_fn *step_fn, void *self,
                  char error[static REPLAY_ERROR_BYTES]);

#endif
