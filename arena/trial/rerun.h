/*
 * Repeats one decision of a recorded match: sends the bot exactly the recorded messages up to that
 * decision, plays its recorded answers whatever it answers now, and reports what it does there.
 * Runs on the caller's loop; prints nothing.
 */
#ifndef ARENA_TRIAL_RERUN_H
#define ARENA_TRIAL_RERUN_H

#include "arena/trial/talk.h"
#include "arena/replay/replay.h"

enum rerun_outcome {
    RERUN_ANSWERED = 0, /* with a legal action, or with ready for a hello */
    RERUN_FAULT = 1,    /* it was out at the requested decision */
    RERUN_EARLIER = 2,  /* it was out before that: forfeit->turn */
    RERUN_BROKEN = 3,   /* the arena failed: failure; or the replay is at fault: error */
};

struct rerun {
    /* The request; borrowed. */
    const struct replay *replay;
    const struct source *source;
    int seat;
    int64_t turn;             /* FORFEIT_NOT_KNOWN: the hello */
    int64_t memory_bytes_max; /* maximum for the bot, whatever the replay says */
    bool no_limits;           /* no deadline, and no limit of processor time */
    /* The request of turn is packed and will be sent next. May be NULL. */
    void (*before_fn)(const struct rerun *rerun, const struct talk *talk);
    /* The same as in struct bot. */
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size);
    /* The result is set, and the bot's process is gone. */
    void (*ended_fn)(void *owner, struct rerun *rerun);
    void *owner;
    struct rerun_course *course; /* internal, while it runs */

    /* The result. */
    enum rerun_outcome outcome;
    size_t request_bytes; /* size of the request of turn; 0 if turn was not reached */
    uint8_t request[WIRE_MESSAGE_BYTES_MAX];
    bool actions;                     /* the bot wants the legal actions with each turn */
    size_t answer_count, equal_count; /* answers before turn; those equal to the recorded ones */
    int64_t limit_us, us, cpu_us;     /* limit and times of the decision at turn */
    struct action action;             /* RERUN_ANSWERED to a turn */
    struct forfeit *forfeit;          /* owned: RERUN_FAULT and RERUN_EARLIER */
    struct sandbox_failure failure;   /* RERUN_BROKEN; step NULL: error */
    char error[REPLAY_ERROR_BYTES];
};

/*
 * Returns the seat that was asked at turn; wanted must be that seat or -1. Returns -1, after
 * writing to error why, if there is no such seat.
 */
int rerun_seat(const struct replay *replay, int64_t turn, int wanted,
               char error[static REPLAY_ERROR_BYTES]);

/* Returns the recorded forfeit of seat at turn, or NULL if there was none. */
const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn);

/* Returns the bot's memory limit: as in the recorded match, at most memory_bytes_max. */
int64_t rerun_memory_bytes(const struct rerun *rerun);

/*
 * Starts the rerun. Copies transport and borrows what it points to. Calls ended_fn from the loop.
 * Returns 0, or -errno, and then ended_fn is not called.
 */
int rerun_start(struct rerun *rerun, struct ev_loop *loop, const struct transport *transport);

/* Ends the rerun early as RERUN_BROKEN, with EINTR; ended_fn follows. */
void rerun_stop(struct rerun *rerun);

/*
 * Runs it on a loop of its own and blocks until the end; a stop request (stop.h) ends it early.
 * Does not call ended_fn.
 */
void rerun_run(struct rerun *rerun, struct sandbox *sandbox);

/*
 * Frees what it holds. Ends a running rerun without calling ended_fn, and blocks until the bot is
 * gone. Accepts a zeroed rerun.
 */
void rerun_finish(struct rerun *rerun);

#endif
