/*
 * One bot at a table of its own: a normal game in which the arena, in this process, plays random
 * actions for all other seats. This takes no opponents' processes or thinking time; to the bot, the
 * game looks like any other. Runs on the caller's loop.
 */
#ifndef ARENA_TRIAL_SOLO_H
#define ARENA_TRIAL_SOLO_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

enum solo_stage {
    SOLO_START = 0,   /* waiting for the bot's program to run */
    SOLO_HELLO = 1,   /* waiting for the bot's ready message */
    SOLO_PLAYING = 2, /* waiting for the bot's decisions */
    SOLO_LEAVING = 3, /* the bot's input is closed: waiting for its process to exit */
    SOLO_GONE = 4,
};

enum solo_end {
    SOLO_WHOLE = 0, /* the game is played to its end */
    SOLO_CUT = 1,   /* after stop_after decisions, all other seats are out, and the bot is sent the
                       end of the game */
    SOLO_END_OF_INPUT = 2, /* after stop_after decisions, the bot's input ends without a message */
};

struct solo {
    /* The request, which the caller sets; all pointers are borrowed. */
    const struct source *source;
    const struct table_rules *rules;
    struct match_terms terms;
    int seat; /* the bot's seat */
    enum solo_end end;
    size_t stop_after; /* number of decisions of the bot, for SOLO_CUT and SOLO_END_OF_INPUT */
    bool extra_keys;   /* add unknown keys to every message that the bot gets */
    /* The bot has made a decision, which took us microseconds. */
    void (*decided_fn)(void *owner, int64_t us);
    /* The match continued: the bot answered the hello or made a decision. May be NULL. */
    void (*seen_fn)(void *owner, const struct match *match, int seat);
    /*
     * The match has a result; if the bot was out, the arena has played the game to its end. Called
     * just before ended_fn; not called for matches that are cut or have extra keys. May be NULL.
     */
    void (*over_fn)(void *owner, const struct solo *solo, const struct replay_origin *origin);
    /* The result is set, and the bot's process is gone. */
    void (*ended_fn)(void *owner, struct solo *solo);
    void *owner;
    struct solo_game *game; /* the running game; internal */

    /* The result, complete when ended_fn is called. */
    enum solo_stage stage;   /* the last stage that the game reached */
    enum phase phase;        /* in SOLO_PLAYING: phase of the current decision */
    bool met[PHASE_OVER];    /* by phase: whether the bot made a decision in it */
    struct forfeit *forfeit; /* the bot's forfeit; owned; NULL if the bot was not out */
    bool broken;             /* the arena failed: see failure */
    struct sandbox_failure failure;
    /* How the bot's process ended; set in SOLO_GONE, or if the bot is out. */
    struct sandbox_verdict verdict;
    int64_t leaving_us;    /* in SOLO_GONE: time from the end of the bot's input to its exit */
    struct tail *errors;   /* receives what the bot wrote to standard error; may be NULL */
    uint64_t errors_bytes; /* bytes that the bot wrote to standard error */
};

/*
 * Starts the game. Copies transport, and borrows all that it points to. Calls ended_fn from the
 * loop. Returns 0; or -errno, and then ended_fn is not called.
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
 * Adds keys that no version of the protocol has to the message in buffer[0..size), which is a map
 * of at most 13 pairs: one key before and one after all other keys. A bot must ignore them. Returns
 * the new size, or size if the keys do not fit capacity.
 */
size_t solo_add_keys(uint8_t *buffer, size_t size, size_t capacity);

#endif
