/*
 * One bot at a table of its own: a game by the match's rules in which the arena plays all
 * other seats by chance, in this process. Neither opponents' processes nor their time are
 * needed, and to the bot it looks like any other game. Runs on a loop that is passed in.
 */
#ifndef ARENA_TRIAL_SOLO_H
#define ARENA_TRIAL_SOLO_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

enum solo_stage {
    SOLO_START = 0,   /* its program is to run */
    SOLO_HELLO = 1,   /* it is to be ready */
    SOLO_PLAYING = 2, /* it is to decide */
    SOLO_LEAVING = 3, /* its input is closed: it is to leave */
    SOLO_GONE = 4,
};

enum solo_end {
    SOLO_WHOLE = 0, /* the game is played to its end */
    SOLO_CUT = 1,   /* after stop_after decisions the others are out, and it is told the end */
    SOLO_END_OF_INPUT = 2, /* after stop_after decisions its input just ends */
};

struct solo {
    /* What is played; borrowed. */
    const struct source *source;
    const struct table_rules *rules;
    struct match_terms terms;
    int seat; /* the bot's */
    enum solo_end end;
    size_t stop_after; /* decisions of the bot */
    bool extra_keys;   /* in every message of the arena's */
    /* After each decision of the bot. */
    void (*decided_fn)(void *owner, int64_t us);
    /* The match goes on: after the hello and whenever the bot has decided. May be NULL. */
    void (*seen_fn)(void *owner, const struct match *match, int seat);
    /* The match has a result: for a bot that went out the arena plays on. Not of matches that are
       cut, or of those with extra keys. Just before ended_fn; may be NULL. */
    void (*over_fn)(void *owner, const struct solo *solo, const struct replay_origin *origin);
    /* What came of it is filled in, and nothing of the bot is left. */
    void (*ended_fn)(void *owner, struct solo *solo);
    void *owner;
    struct solo_game *game; /* under way; its own */

    /* What came of it. */
    enum solo_stage stage;   /* that it came to */
    enum phase phase;        /* PLAYING: of the decision that is due */
    bool met[PHASE_OVER];    /* by phase: the bot decided one */
    struct forfeit *forfeit; /* owned; NULL unless it went out */
    bool broken;             /* the arena failed: failure */
    struct sandbox_failure failure;
    struct sandbox_verdict verdict; /* GONE, or out: how its process ended */
    int64_t leaving_us;             /* GONE: from the end of its input to its exit */
    struct tail *errors;            /* set to what it wrote to standard error; may be NULL */
    uint64_t errors_bytes;          /* that it wrote to standard error */
};

/*
 * Plays it; copies the transport, borrows what that stands on, and calls ended_fn from the loop.
 * Returns 0 or -errno: then ended_fn is not called.
 */
int solo_start(struct solo *solo, struct ev_loop *loop, const struct transport *transport);

/* Somebody wants it to end: broken, with EINTR; ended_fn follows. */
void solo_stop(struct solo *solo);

/* Ends what is under way without a call of ended_fn, blocking until the bot is gone. Takes a
   zeroed one. */
void solo_finish(struct solo *solo);

#endif
