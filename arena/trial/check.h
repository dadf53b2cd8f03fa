/*
 * Is a bot fit to play? Takes it through every message, setting and end that a season can
 * bring, under terms that look like a season's: no names, such ids and clocks, stopped
 * while it is not its turn. Runs on a loop that is passed in; prints nothing.
 */
#ifndef ARENA_TRIAL_CHECK_H
#define ARENA_TRIAL_CHECK_H

#include "arena/play/forfeit.h"
#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/replay/replay.h"

/* In the order in which they are tried; told from 1 on. */
enum check_step {
    CHECK_MANIFEST = 0, /* the caller's: check_manifest */
    CHECK_BUILD = 1,    /* the caller's: source_open */
    CHECK_START = 2,
    CHECK_HELLO = 3,
    CHECK_DRAFT = 4, /* turns of each phase */
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
    CHECK_GAMES = 9,       /* whole ones at most: one of each setting and three more */
    CHECK_EVERY_SEAT = -1, /* of a game of the bot against itself */
};

enum check_result {
    CHECK_SKIPPED = 0, /* not tried, or nothing to try: words say why */
    CHECK_PASSED = 1,
    CHECK_FAILED = 2,
};

struct check_entry {
    enum check_result result;
    char words[CHECK_WORDS_BYTES];    /* why, or a remark; may be "" */
    struct forfeit *forfeit;          /* owned; what went wrong in a game, or NULL */
    int forfeit_seat;                 /* where it sat there */
    char match[WIRE_MATCH_BYTES_MAX]; /* that game's id, "" without a forfeit */
};

struct check {
    /* What is asked for; borrowed. */
    struct sandbox *sandbox; /* of check_run */
    const struct source *source;
    struct table_rules rules; /* freeze is on in seasons */
    struct wire_clock clock;
    uint8_t seed[GAME_SEED_BYTES]; /* of all games */
    bool quick;          /* other settings are tried for a few decisions, no further games played */
    int game_limit;      /* whole games; 0: CHECK_GAMES */
    int64_t thinking_us; /* that it may think in all, by a shorter clock (budget.h); 0: no bound */
    char name[WIRE_NAME_BYTES_MAX + 1]; /* of the bot, for what is told of it */
    /* What the bot wrote to standard error in a game. May be NULL. */
    void (*errors_fn)(void *owner, const char *match, int seat, const struct tail *errors);
    /* A game goes on: look at it, change nothing. seat is the bot's, or CHECK_EVERY_SEAT. May be
       NULL. */
    void (*game_fn)(void *owner, const struct match *match, int seat);
    /* A game has its result, and every bot is gone. May be NULL. */
    void (*replay_fn)(void *owner, const struct replay *replay);
    /* A step has its entry. May be NULL. */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    void *owner;
    /* It has ended, with 0, or with -1 if the arena failed: failure says how. */
    void (*ended_fn)(void *ended_owner, struct check *check, int result);
    void *ended_owner;
    struct check_course *course; /* under way; its own */

    /* What came of it. */
    struct check_entry entries[CHECK_STEP_COUNT];
    struct sandbox_failure failure; /* of the arena, with which it ended */
    int64_t *us;                    /* of every decision; owned. Ascending once it has ended */
    size_t us_count, us_room;
    int64_t memory_peak_bytes;
    uint64_t errors_bytes; /* that it wrote to standard error, in all games */
    int64_t leaving_max_us;
    int game_count;
    int whole_count;              /* of them, those that are played to their end */
    int64_t thought_us;           /* by all decisions */
    bool shortened;               /* the clock of the last game was */
    struct wire_clock last_clock; /* of the last game */
    int leaving_count; /* processes that were told the end of a game and were to leave, ... */
    int stayed_count;  /* ... and those that did not by themselves */
    int status;        /* with which the last of them left that did not leave with 0 */
};

/* "manifest", "2 players, gray", ...; a static string. */
const char *check_step_name(enum check_step step);

/*
 * Whether a season takes such a manifest: returns true, or false after writing to error
 * which key is wrong and what it has to be.
 */
bool check_manifest(const struct manifest *manifest, char error[static MANIFEST_ERROR_BYTES]);

/* Fills in one entry that is the caller's; words may be NULL. Calls step_fn. */
void check_enter(struct check *check, enum check_step step, enum check_result result,
                 const char *words);

/* Sorts the times of decisions: a check does so at its end. */
void check_sort(struct check *check);

/*
 * Tries everything from CHECK_START on; after a failed start or hello the rest is skipped. Copies
 * the transport, borrows what that stands on, and calls ended_fn from the loop, with nothing of the
 * bot left. Returns 0 or -errno: then ended_fn is not called.
 */
int check_start(struct check *check, struct ev_loop *loop, const struct transport *transport);

/* Somebody wants it to end: it fails with EINTR, and ended_fn follows. */
void check_stop(struct check *check);

/*
 * Checks on a loop of its own, in the sandbox, and blocks until it has ended; a stop that is asked
 * for (stop.h) ends it. Uses ended_fn itself. Returns 0, or -1 if the arena failed: failure says
 * how.
 */
int check_run(struct check *check);

/* True if no step failed: a season takes the bot. */
bool check_is_fit(const struct check *check);

/* The time that so many of a thousand decisions (0..1000) took at most; 0 if there were none. */
int64_t check_share_us(const struct check *check, int per_mille);

/* Once it has ended, or before it starts. Takes a zeroed one. */
void check_finish(struct check *check);

#endif
