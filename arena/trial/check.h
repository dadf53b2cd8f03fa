/*
 * Checks whether a bot is fit to play. Takes it through every message, setting and ending that can
 * occur in a season, under a season's conditions: no names, the same kinds of ids and clocks, and
 * stopped while it is not its turn. Runs on the caller's loop; prints nothing.
 */
#ifndef ARENA_TRIAL_CHECK_H
#define ARENA_TRIAL_CHECK_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

/* In the order in which they run; shown to users from 1 on. */
enum check_step {
    CHECK_MANIFEST = 0, /* done by the caller: check_manifest */
    CHECK_BUILD = 1,    /* done by the caller: source_open */
    CHECK_START = 2,
    CHECK_HELLO = 3,
    CHECK_DRAFT = 4, /* turns of each phase of the game */
    CHECK_PLACE = 5,
    CHECK_BONUS = 6,
    CHECK_END = 7,
    CHECK_SETTINGS = 8, /* the first of six: 2, 3 and 4 players, colored and gray each */
    CHECK_UNKNOWN_KEYS = 14,
    CHECK_END_OF_INPUT = 15,
    CHECK_EXIT = 16,
    CHECK_SELF_PLAY = 17,
    CHECK_RANDOM = 18,
    CHECK_STEP_COUNT = 19,
};

enum check_limits {
    CHECK_WORDS_BYTES = SOURCE_ERROR_BYTES,
    CHECK_SETTING_COUNT = 6,
    CHECK_GAMES = 9,        /* maximum of whole games: one per setting and three more */
    CHECK_EVERY_SEAT = -1,  /* for the game of the bot against itself */
    CHECK_THINKING_S = 120, /* of the bot in all, unless set otherwise */
    CHECK_QUICK_S = 5,      /* the same for a quick check */
    CHECK_TURN_MS_MIN = 20, /* the shortest turn of a shortened clock */
};

enum check_result {
    CHECK_SKIPPED = 0, /* not tried, or nothing to try: words says why */
    CHECK_PASSED = 1,
    CHECK_FAILED = 2,
};

struct check_entry {
    enum check_result result;
    char words[CHECK_WORDS_BYTES];    /* the reason, or a remark; may be "" */
    struct forfeit *forfeit;          /* owned; the forfeit in a game, or NULL */
    int forfeit_seat;                 /* the bot's seat in that game */
    char match[WIRE_MATCH_BYTES_MAX]; /* that game's id, "" if there was no forfeit */
};

struct check {
    /* The request; borrowed. */
    struct sandbox *sandbox; /* the sandbox that check_run uses */
    const struct source *source;
    struct table_rules rules; /* freeze is on in seasons */
    struct wire_clock clock;
    uint8_t seed[GAME_SEED_BYTES]; /* seed of all games */
    bool quick;          /* play only a few decisions of the other settings, and no further games */
    int game_limit;      /* limit of whole games; 0: CHECK_GAMES */
    int64_t thinking_us; /* limit of its total thinking time: see check_next_clock; 0: none */
    char name[WIRE_NAME_BYTES_MAX + 1]; /* the bot's name, for output about it */
    /* Receives what the bot wrote to standard error in a game. May be NULL. */
    void (*errors_fn)(void *owner, const char *match, int seat, const struct tail *errors);
    /* A game continued; must not change it. seat is the bot's, or CHECK_EVERY_SEAT. May be NULL. */
    void (*game_fn)(void *owner, const struct match *match, int seat);
    /* A game of that step has a result, and every bot is gone; CHECK_START stands for the first
       steps, up to the end of a game. May be NULL. */
    void (*replay_fn)(void *owner, enum check_step step, const struct replay *replay);
    /* The entry of a step was set. May be NULL. */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    void *owner;
    /* The check has ended, with 0, or with -1 if the arena failed: see failure. */
    void (*ended_fn)(void *ended_owner, struct check *check, int result);
    void *ended_owner;
    struct check_course *course; /* internal, while it runs */

    /* The result. */
    struct check_entry entries[CHECK_STEP_COUNT];
    struct sandbox_failure failure; /* why the arena failed */
    int64_t *us; /* time of every decision; owned. Sorted once the check has ended */
    size_t us_count, us_room;
    int64_t memory_peak_bytes;
    uint64_t errors_bytes; /* bytes it wrote to standard error in all games */
    int64_t leaving_max_us;
    int game_count;
    int whole_count;              /* games that were played to the end */
    int64_t thought_us;           /* total time of all decisions */
    bool shortened;               /* the last game had a shortened clock */
    int64_t shortened_turn_ms;    /* turn time of the last shortened clock; 0: none was shortened */
    struct wire_clock last_clock; /* clock of the last game */
    int leaving_count;            /* processes that were to exit after the end of a game, ... */
    int stayed_count;             /* ... and those that did not exit by themselves */
    int status;                   /* the last exit status that was not 0 */
};

/* Returns "manifest", "2 players, gray", ...; a static string. */
const char *check_step_name(enum check_step step);

/*
 * Returns true if a season accepts such a manifest; else writes to error which key is wrong and
 * what it must be.
 */
bool check_manifest(const struct manifest *manifest, char error[static MANIFEST_ERROR_BYTES]);

/* Sets an entry that the caller determines; words may be NULL. Calls step_fn. */
void check_enter(struct check *check, enum check_step step, enum check_result result,
                 const char *words);

/*
 * Returns the clock of the next game. A bot that uses its whole clock takes a second a decision,
 * and a check needs some five hundred: once the remaining games, at the pace so far, would take
 * more than what is left of thinking_us, they get a clock without a bank whose turns divide what is
 * left. *shortened says so; their hello states that clock.
 */
struct wire_clock check_next_clock(const struct check *check, bool *shortened);

/*
 * Runs all steps from CHECK_START on; a failed start or hello skips the rest. Copies transport and
 * borrows what it points to. Calls ended_fn from the loop once all the bot's processes are gone.
 * Returns 0, or -errno, and then ended_fn is not called.
 */
int check_start(struct check *check, struct ev_loop *loop, const struct transport *transport);

/* Ends the check early: it fails with EINTR, and ended_fn follows. */
void check_stop(struct check *check);

/*
 * Checks on a loop of its own, in the sandbox, and blocks until the end; a stop request (stop.h)
 * ends it early. Sets ended_fn itself. Returns 0, or -1 if the arena failed: see failure.
 */
int check_run(struct check *check);

/* A season that the bot would enter, and its clock; borrowed. */
struct check_season {
    const char *name;
    struct wire_clock clock;
};

/*
 * The same with the clock of the season that has the tightest: a bot that is too slow for one
 * season forfeits its games there. If it is too slow, and nothing else is wrong with it, it is
 * checked again with the next looser clock, until it keeps one. The entries are those of the first
 * check, the last that failed names the seasons that it is too slow for and those that it fits.
 * Sorts the seasons, tightest first; without seasons the clock is check->clock.
 */
int check_run_for_seasons(struct check *check, struct check_season *seasons, size_t count);

/*
 * True if the bot is unfit only because it is too slow: all steps that failed are time-outs, or ran
 * out of processor time.
 */
bool check_is_too_slow(const struct check *check);

/* True if no step failed, so that a season accepts the bot. */
bool check_is_fit(const struct check *check);

/* Returns a quantile of the decision times, per_mille 0..1000; 0 if there were no decisions. */
int64_t check_share_us(const struct check *check, int per_mille);

/* Frees what it holds. Call before it starts or after its end. Accepts a zeroed check. */
void check_finish(struct check *check);

#endif
