/*
 * A submission, from a folder that somebody hands in to a version in the store:
 *
 *     RECEIVED -> PLACED -> BUILT -> CHECKED -> PACKED -> ADMITTED
 *
 * Each step may end it: what the author is to mend, a bot that is not fit, a store that does not
 * take it, or the arena's own trouble. Nothing is kept before the last step, which is one
 * transaction. Prints nothing. Blocks for the build and the check; a stop (stop.h) ends both.
 */
#ifndef ARENA_INTAKE_SUBMISSION_H
#define ARENA_INTAKE_SUBMISSION_H

#include "arena/play/source.h"
#include "arena/store/store.h"
#include "arena/trial/check.h"

enum submission_state {
    SUBMISSION_RECEIVED = 0, /* a folder is named */
    SUBMISSION_PLACED = 1,   /* its manifest is sound, name and version are to be had */
    SUBMISSION_BUILT = 2,    /* copied, hashed and built */
    SUBMISSION_CHECKED = 3,  /* fit to play */
    SUBMISSION_PACKED = 4,   /* as given and as built, one archive each */
    SUBMISSION_ADMITTED = 5, /* in the store */
};

/* Why it went no further; 0: it is admitted. */
enum submission_result {
    SUBMISSION_DONE = 0,
    SUBMISSION_REFUSED = -1,   /* the author is to mend what error says */
    SUBMISSION_FAILED = -2,    /* the arena could not: error */
    SUBMISSION_UNFIT = -3,     /* it does not play: check has the steps */
    SUBMISSION_UNCHECKED = -4, /* the check could not be made: check->failure */
    SUBMISSION_UNKEPT = -5,    /* the store does not take it: store_error, store_failure */
};

struct submission {
    /* What is asked for; borrowed. */
    const char *path; /* the folder, as messages name it */
    struct store *store;
    struct sandbox *sandbox;
    const struct source_options *options; /* how it is built */
    const char *stage;                    /* a folder of the arena's own, for copies */
    struct table_rules rules;             /* how bots are run in a season */
    struct wire_clock clock;              /* of the check's games */
    bool take_over;                       /* its name may be another author's */
    int check_games;                      /* whole games of the check; 0: all */
    int check_thinking_s;                 /* that the bot may think in it; 0: budget.h's */
    int64_t now_us;                       /* since 1970 */
    /* A step of the check has its entry. May be NULL. */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    /* In the transaction that admits it: 0, or -errno that takes it back. May be NULL. */
    int (*kept_fn)(void *owner, const struct submission *submission);
    void *owner;

    /* What came of it. */
    enum submission_state state;
    struct store_bot bot;
    struct source source; /* the built copy */
    struct check check;
    int store_error;
    char error[SOURCE_ERROR_BYTES]; /* one line */
    uint8_t *given, *built;         /* packages; given is NULL where nothing was built */
    size_t given_size, built_size;
};

/* Takes a submission as far as it goes. Returns a submission_result. */
int submission_run(struct submission *submission);

/* Frees what it came to hold, and removes its copies. */
void submission_finish(struct submission *submission);

#endif
