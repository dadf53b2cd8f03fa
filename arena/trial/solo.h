/*
 * One bot at a table of its own: a normal game in which the arena plays all other seats at random,
 * in this process. No opponents' processes or thinking time are needed; to the bot it looks like
 * any other game. Runs on the caller's loop.
 */
#ifndef ARENA_TRIAL_SOLO_H
#define ARENA_TRIAL_SOLO_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

enum solo_stage {
    SOLO_START = 0,   /* waiting for its program to run */
    SOLO_HELLO = 1,   /* waiting for its ready message */
    SOLO_PLAYING = 2, /* waiting for its decisions */
    SOLO_LEAVING = 3, /* its input is closed: waiting for its exit */
    SOLO_GONE = 4,
};

enum solo_end {
    SOLO_WHOLE = 0, /* the game is played to its end */
    SOLO_CUT = 1,   /* after stop_after decisions the others are out, and it is sent the end */
    SOLO_END_OF_INPUT = 2, /* after stop_after decisions its input ends without a message */
};

struct solo {
    /* The game to play; borrowed. */
    const struct source *source;
    const struct table_rules *rules;
    struct match_terms terms;
    int seat; /* the bot's */
    enum solo_end end;
    size_t stop_after; /* decisions of the bot */
    bool extra_keys;   /* add unknown keys to every message of the arena */
    /* Called after each decision of the bot. */
    void (*decided_fn)(void *owner, int64_t us);
    /* The match continued: after the hello and after each decision of the bot. May be NULL. */
    void (*seen_fn)(void *owner, const struct match *match, int seat);
    /*
     * The match has a result; if the bot was out, the arena has played on. Not called for matches
     * that are cut or have extra keys. Called just before ended_fn; may be NULL.
     */
    void (*over_fn)(void *owner, const struct solo *solo, const struct replay_origin *origin);
    /* The result is set, and the bot's process is gone. */
    void (*ended_fn)(void *owner, struct solo *solo);
    void *owner;
    struct solo_game *game; /* internal, while it runs */

    /* The result. */
    enum solo_stage stage;   /* the last stage that it reached */
    enum phase phase;        /* PLAYING: phase of the current decision */
    bool met[PHASE_OVER];    /* by phase: the bot made such a decision */
    struct forfeit *forfeit; /* owned; NULL unless the bot was out */
    bool broken;             /* the arena failed: see failure */
    struct sandbox_failure failure;
    struct sandbox_verdict verdict; /* GONE, or the bot is out: how its process ended */
    int64_t leaving_us;             /* GONE: from the end of its input to its exit */
    struct tail *errors;            /* if not NULL, receives what it wrote to standard error */
    uint64_t errors_bytes;          /* bytes it wrote to standard error */
};

/*
 * Starts the game. Copies transport and borrows what it points to. Calls ended_fn from the loop.
 * Returns 0, or -errno, and then ended_fn is not called.
 */
int solo_start(struct solo *solo, struct ev_loop *loop, const struct transport *transport);

/* Ends the game early as broken, with EINTR; ended_fn follows. */
void solo_stop(struct solo *solo);

/*
 * Ends a running game without calling ended_fn, and blocks until the bot is gone. Accepts a zeroed
 * solo.
 */
void solo_finish(struct solo *solo);

/*
 * Adds keys that no version of the protocol has yet, one before and one after all others, to the
 * message in buffer[0..size), a map of at most 13 pairs: a bot has to ignore them. Returns the new
 * size, or size if they do not fit capacity.
 */
size_t solo_add_keys(uint8_t *buffer, size_t size, size_t capacity);

#endif
