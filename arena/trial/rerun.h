/* SPDX-License-Identifier: MIT */
/*
 * Asks a bot about the decisions of a seat in a recorded match: sends the bot the recorded messages
 * up to one turn, plays the recorded answers whatever the bot answers now, and reports what the bot
 * does at that turn. Prints nothing.
 */
#ifndef ARENA_TRIAL_RERUN_H
#define ARENA_TRIAL_RERUN_H

#include "arena/trial/talk.h"
#include "arena/replay/replay.h"

enum rerun_outcome {
    RERUN_ANSWERED = 0, /* the bot answered with a legal action, or with ready to a hello */
    RERUN_FAULT = 1,    /* the bot was out at the requested decision */
    RERUN_EARLIER = 2,  /* the bot was out before the requested decision: see forfeit->turn */
    RERUN_BROKEN = 3,   /* the arena failed (see failure), or the replay is at fault (see error) */
};

struct rerun {
    /* The request, which the caller sets; all pointers are borrowed. */
    const struct replay *replay;
    const struct source *source;
    int seat;
    int64_t turn;             /* the last decision to ask for; FORFEIT_NOT_KNOWN: the hello */
    int64_t memory_bytes_max; /* maximum memory limit of the bot, whatever the replay says */
    struct wire_clock clock;  /* the clock that the bot is told */
    int patience;      /* multiple of the clock's limits that the bot may take; 0: no limit */
    bool tells_played; /* each request has the action that was played: for an analysis */
    /* Receives the bot's answer to each request. May be NULL. */
    void (*answer_fn)(void *context, int64_t turn, struct action action,
                      const struct wire_act *act);
    void *answer_context;
    /* The request of `turn` is packed and will be sent next. May be NULL. */
    void (*before_fn)(const struct rerun *rerun, const struct talk *talk);
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size); /* as in struct bot */

    /* The result. */
    enum rerun_outcome outcome;
    size_t request_bytes; /* size of the request of `turn`; 0 if the rerun did not reach it */
    uint8_t request[WIRE_MESSAGE_BYTES_MAX];
    /*
     * The same request for a bot that wants the legal actions, if this bot does not want them;
     * without them, if this bot wants them. 0 bytes for the hello.
     */
    size_t other_bytes;
    uint8_t other[WIRE_MESSAGE_BYTES_MAX];
    size_t answer_count, equal_count; /* answers before `turn`, and those equal to the recorded */
    int64_t limit_us, us;             /* time limit and time of the decision at `turn` */
    struct action action;             /* the bot's action, for RERUN_ANSWERED at a turn */
    struct game game;                 /* position in which the bot decided at `turn` */
    char note[WIRE_TEXT_BYTES_MAX];   /* the bot's note on the action */
    size_t note_bytes;                /* 0: no note */
    struct forfeit *forfeit; /* the bot's forfeit, set for RERUN_FAULT and RERUN_EARLIER; owned */
    /* Why the arena failed; step is NULL if the replay is at fault. */
    struct sandbox_failure failure;
    char error[REPLAY_ERROR_BYTES];
};

/*
 * Returns the seat that had to decide at `turn`; wanted must be that seat or -1. At the hello,
 * every seat had to answer: if wanted is -1, returns the only seat at which the bot (source; may be
 * NULL) played, or else the only seat that went out at the hello. If there is no such seat, writes
 * to error why and returns -1.
 */
int rerun_seat(const struct replay *replay, int64_t turn, int wanted, const struct source *source,
               char error[static REPLAY_ERROR_BYTES]);

/* Returns the recorded forfeit of the seat at `turn`, or NULL if there is none. */
const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn);

/* Returns the bot's memory limit: that of the recorded match, but at most memory_bytes_max. */
int64_t rerun_memory_bytes(const struct rerun *rerun);

/*
 * Runs the rerun on a loop of its own, and blocks until the bot's process is gone; a stop request
 * (foreground.h) ends the rerun early as RERUN_BROKEN, with EINTR.
 */
void rerun_run(struct rerun *rerun, struct sandbox *sandbox);

/* Frees all memory of the rerun. Accepts a zeroed rerun. */
void rerun_finish(struct rerun *rerun);

#endif
