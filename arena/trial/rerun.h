/*
 * One decision of a recorded match put to a bot again: brings the bot to it by the very
 * bytes of then, its recorded answers played whatever it says now, and tells what it
 * does there. Runs on a loop that is passed in; prints nothing.
 */
#ifndef ARENA_TRIAL_RERUN_H
#define ARENA_TRIAL_RERUN_H

#include "arena/trial/talk.h"
#include "arena/replay/replay.h"

enum rerun_outcome {
    RERUN_ANSWERED = 0, /* with a legal action, or with ready to a hello */
    RERUN_FAULT = 1,    /* it went out at the decision that was asked for */
    RERUN_EARLIER = 2,  /* it went out before: forfeit->turn */
    RERUN_BROKEN = 3,   /* the arena failed: failure, or error for the replay's own fault */
};

struct rerun {
    /* What is asked for; borrowed. */
    const struct replay *replay;
    const struct source *source;
    int seat;
    int64_t turn;             /* FORFEIT_NOT_KNOWN: the hello */
    int64_t memory_bytes_max; /* given to the bot at most, whatever the replay says */
    bool no_limits;           /* no deadline and no account of processor time */
    /* The request of turn is packed and comes next. May be NULL. */
    void (*before_fn)(const struct rerun *rerun, const struct talk *talk);
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size); /* as struct bot's */
    /* What came of it is filled in, and nothing of the bot is left. */
    void (*ended_fn)(void *owner, struct rerun *rerun);
    void *owner;
    struct rerun_course *course; /* under way; its own */

    /* What came of it. */
    enum rerun_outcome outcome;
    size_t request_bytes; /* of the request of turn; 0 if it was not come to */
    uint8_t request[WIRE_MESSAGE_BYTES_MAX];
    bool actions;                     /* it wants them with each turn */
    size_t answer_count, equal_count; /* before turn; and those equal to the recorded ones */
    int64_t limit_us, us, cpu_us;     /* of turn */
    struct action action;             /* RERUN_ANSWERED to a turn */
    struct forfeit *forfeit;          /* owned: RERUN_FAULT and RERUN_EARLIER */
    struct sandbox_failure failure;   /* RERUN_BROKEN; step NULL: error */
    char error[REPLAY_ERROR_BYTES];
};

/*
 * The seat that was asked at turn, if wanted is -1, or wanted if it was that one. Returns
 * a seat, or -1 after writing to error why there is none.
 */
int rerun_seat(const struct replay *replay, int64_t turn, int wanted,
               char error[static REPLAY_ERROR_BYTES]);

/* The record of seat's forfeit at turn, or NULL if it had none there. */
const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn);

/* What the bot may use: as in the recorded match, up to memory_bytes_max. */
int64_t rerun_memory_bytes(const struct rerun *rerun);

/*
 * Goes through it; copies the transport, borrows what that stands on, and calls ended_fn from the
 * loop. Returns 0 or -errno: then ended_fn is not called.
 */
int rerun_start(struct rerun *rerun, struct ev_loop *loop, const struct transport *transport);

/* Somebody wants it to end: broken, with EINTR; ended_fn follows. */
void rerun_stop(struct rerun *rerun);

/*
 * Goes through it on a loop of its own, and blocks until it has ended; a stop that is asked for
 * (stop.h) ends it. ended_fn is not called.
 */
void rerun_run(struct rerun *rerun, struct sandbox *sandbox);

/* Frees what it holds; ends what is under way without a call of ended_fn, blocking until the bot
   is gone. Takes a zeroed one. */
void rerun_finish(struct rerun *rerun);

#endif
