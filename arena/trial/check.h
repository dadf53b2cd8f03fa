/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a bot is fit to play. The check takes the bot through every message, setting and
 * ending that can occur in a season, under a season's conditions: the bot does not learn the
 * other bots' names; ids and clocks look as in a season; and the bot is stopped while it is not its
 * turn. Runs on the caller's loop; prints nothing.
 */
#ifndef ARENA_TRIAL_CHECK_H
#define ARENA_TRIAL_CHECK_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

/* The steps, in the order in which they run; users see them numbered from 1. */
enum check_step {
    CHECK_MANIFEST = 0, /* the caller does this step: check_manifest */
    CHECK_BUILD = 1,    /* the caller does this step: source_open */
    CHECK_START = 2,
    CHECK_HELLO = 3,
    CHECK_DRAFT = 4, /* the first of three steps, one for the turns of each phase of the game */
    CHECK_PLACE = 5,
    CHECK_BONUS = 6,
    CHECK_END = 7,
    /* The first of six steps: 2, 3 and 4 players, each on the colored and the gray board. */
    CHECK_SETTINGS = 8,
    CHECK_UNKNOWN_KEYS = 14,
    CHECK_END_OF_INPUT = 15,
    CHECK_EXIT = 16,
    CHECK_SELF_PLAY = 17,
    CHECK_RANDOM = 18,
    CHECK_STEP_COUNT = 19,
};

enum check_limits {
    CHECK_WORDS_BYTES = SOURCE_ERROR_BYTES,
    CHECK_GAMES = 9, /* whole games: one for each number of players and board, and three more */
    CHECK_THINKING_S = 120, /* total thinking time of the bot, unless the caller sets another */
    CHECK_QUICK_S = 5, /* total thinking time of the bot in a quick check after its first game */
    CHECK_TURN_MS_MIN = 20, /* shortest turn time of a shortened clock */
    CHECK_HUNG_MS = 10000,  /* clocks of missed deadlines, in all, that tell a bot that hangs */
    CHECK_REPEATS = 3,      /* games that are played again because the machine was too busy */
    CHECK_WALL_S = 3600,    /* a check that takes so much longer than the bot's thinking time has
                               waited for the machine */
};

enum check_result {
    CHECK_SKIPPED = 0, /* the step was not tried, or there was nothing to try: words says why */
    CHECK_PASSED = 1,
    CHECK_FAILED = 2,
};

struct check_entry {
    enum check_result result;
    char words[CHECK_WORDS_BYTES];    /* the reason or a remark; may be "" */
    struct forfeit *forfeit;          /* the bot's forfeit in a game of this step, or NULL; owned */
    int forfeit_seat;                 /* the bot's seat in the game of the forfeit */
    char match[WIRE_MATCH_BYTES_MAX]; /* id of that game, or "" */
};

struct check {
    /* The request, which the caller sets; all pointers are borrowed. */
    struct sandbox *sandbox; /* the sandbox that check_run uses */
    const struct source *source;
    struct table_rules rules; /* rules of the games; freeze is on, as in seasons */
    struct wire_clock clock;
    uint8_t seed[GAME_SEED_BYTES]; /* seed from which the seeds of all games are derived */
    bool stops_late;               /* end the check when the bot is too slow for the clock */
    bool quick;          /* play only a few decisions of each setting after the first game */
    int game_limit;      /* maximum number of whole games; 0: no limit */
    int64_t until_us;    /* when the check ends as starved; 0: CHECK_WALL_S after the start */
    int64_t thinking_us; /* limit of the bot's total thinking time, see check_next_clock; 0: none */
    char name[WIRE_NAME_BYTES_MAX + 1];
    /* Receives what the bot wrote to standard error in one game. May be NULL. */
    void (*errors_fn)(void *owner, const char *match, int seat, const struct tail *errors);
    /*
     * Called when a game has a result, and all its bots are gone. step is the game's step;
     * CHECK_START stands for all steps up to CHECK_END. May be NULL.
     */
    void (*replay_fn)(void *owner, enum check_step step, const struct replay *replay);
    /* Called when a step has a result. May be NULL. */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    void *owner;
    /* Called when the check has ended. result is 0, or -1 if the arena failed: see failure. */
    void (*ended_fn)(void *ended_owner, struct check *check, int result);
    void *ended_owner;
    struct check_course *course; /* the running check; internal */

    /* The result, complete when ended_fn is called. */
    struct check_entry entries[CHECK_STEP_COUNT];
    char too_slow[128]; /* for which season the bot is too slow, set by the caller; may be "" */
    /*
     * The machine was too busy to check the bot, in every attempt at a step: nothing is known
     * against the bot, but not all steps were tried.
     */
    bool is_starved;
    int repeat_count; /* number of games that were played again because the machine was too busy */
    struct sandbox_failure failure; /* why the arena failed to run the check */
    int64_t *us; /* time of every decision, in order; sorted once the check has ended; owned */
    size_t us_count;
    int64_t memory_peak_bytes;
    uint64_t errors_bytes; /* bytes that the bot wrote to standard error in all games */
    int64_t leaving_max_us;
    int game_count;
    int whole_count;              /* number of games that were played to the end */
    int64_t thought_us;           /* total time of all decisions */
    bool shortened;               /* the latest game had a shortened clock */
    int64_t shortened_turn_ms;    /* turn time of the last shortened clock; 0: none */
    struct wire_clock last_clock; /* clock of the last game */
    int leaving_count;            /* number of processes that had to exit after the end of a game */
    char last_text[64]; /* what a process wrote to standard output after a game, cut; or "" */
    int stayed_count;   /* number of processes that had to exit and did not exit by themselves */
    int status;         /* the last exit status that was not 0; 0 if there was none */
};

/* Returns the name of a step, such as "manifest" or "2 players, gray": a static string. */
const char *check_step_name(enum check_step step);

/*
 * Returns true if a season accepts the manifest. Otherwise writes to error which key is wrong and
 * what its value must be.
 */
bool check_manifest(const struct manifest *manifest, char error[static MANIFEST_ERROR_BYTES]);

/* Sets the result of a step that the caller performs, and calls step_fn. words may be NULL. */
void check_enter(struct check *check, enum check_step step, enum check_result result,
                 const char *words);

/*
 * Returns the clock of the next game. A bot that uses its whole clock takes a second per decision,
 * and a check needs about five hundred decisions. Therefore, once the remaining games, at the pace
 * so far, would exceed the rest of thinking_us, their clock is shortened: no bank, and turns that
 * divide the rest. Sets *shortened to whether the clock is shortened; the hello of such a game
 * states the shortened clock.
 */
struct wire_clock check_next_clock(const struct check *check, bool *shortened);

/*
 * Runs all steps from CHECK_START on; if start or hello fails, skips the other steps. Copies
 * transport, and borrows all that it points to. Calls ended_fn from the loop once all processes of
 * the bot are gone. Returns 0; or -errno, and then ended_fn is not called.
 */
int check_start(struct check *check, struct ev_loop *loop, const struct transport *transport);

/* Ends the check early: the check fails with EINTR, and ended_fn follows. */
void check_stop(struct check *check);

/*
 * Runs the check in the sandbox on a loop of its own, and blocks until the end; a stop request
 * (foreground.h) ends the check early. Uses ended_fn itself. Returns 0, or -1 if the arena failed:
 * see failure.
 */
int check_run(struct check *check);

/*
 * True if the bot is unfit only because it is too slow: in every failed step, it was late by its
 * own fault, or ran out of processor time.
 */
bool check_is_too_slow(const struct check *check);

/*
 * True if the bot missed a deadline in two steps or more, with clocks that come to CHECK_HUNG_MS in
 * all: it is unfit, and if it hangs, each further game would take a whole bank again.
 */
bool check_hangs(const struct check *check);

/* True if no step failed and the check is not starved, so that a season accepts the bot. */
bool check_is_fit(const struct check *check);

/* True if the check has no verdict, because the machine was too busy, and no step failed. */
bool check_is_undecided(const struct check *check);

/* Frees the result of the check, so that it can run again; keeps the request. */
void check_clear(struct check *check);

/*
 * Adds keys that no version of the protocol has to a message, which is a map of at most 13 pairs:
 * one key before and one after all other keys. A bot must ignore them. Returns the new size, or
 * size if the keys do not fit.
 */
size_t check_add_keys(uint8_t *message, size_t size, size_t room);

/* Returns a quantile of the decision times, per_mille 0..1000; 0 if there were no decisions. */
int64_t check_share_us(const struct check *check, int per_mille);

/* Frees all memory of the check. Do not call it while the check runs. Accepts a zeroed check. */
void check_finish(struct check *check);

#endif
