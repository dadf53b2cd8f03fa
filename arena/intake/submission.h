/*
 * A submission, from a folder that an author submits to a version in the store:
 *
 *   RECEIVED -> PLACED -> BUILT -> CHECKED -> PACKED -> ADMITTED
 *
 * Each step may end it: the author has to fix something, the bot is not fit, the store refuses it,
 * or the arena fails. Nothing is stored before the last step, which is one transaction. Prints
 * nothing. Blocks during the build and the check; a stop (stop.h) ends both.
 */
#ifndef ARENA_INTAKE_SUBMISSION_H
#define ARENA_INTAKE_SUBMISSION_H

#include "arena/play/source.h"
#include "arena/store/store.h"
#include "arena/trial/check.h"

enum submission_limits {
    SUBMISSION_BUILT_BYTES = 128 << 20,
};

enum submission_state {
    SUBMISSION_RECEIVED = 0, /* its folder is known */
    SUBMISSION_PLACED = 1,   /* its manifest is valid, its name and version are available */
    SUBMISSION_BUILT = 2,    /* copied, hashed and built */
    SUBMISSION_CHECKED = 3,  /* fit to play */
    SUBMISSION_PACKED = 4,   /* one archive of the submitted folder, one of the built one */
    SUBMISSION_ADMITTED = 5, /* in the store */
};

/* Why it ended; 0: it was admitted. */
enum submission_result {
    SUBMISSION_DONE = 0,
    SUBMISSION_REFUSED = -1,   /* the author has to fix what error says */
    SUBMISSION_FAILED = -2,    /* the arena failed: error */
    SUBMISSION_UNFIT = -3,     /* it does not play correctly: see check's entries */
    SUBMISSION_UNCHECKED = -4, /* the check failed to run: check->failure */
    SUBMISSION_UNKEPT = -5,    /* the store refused it: store_error, store_failure */
};

struct submission {
    /* The request; borrowed. */
    const char *path; /* the folder, also its name in messages */
    struct store *store;
    struct sandbox *sandbox;
    const struct source_options *options; /* how to build it */
    const char *stage;                    /* a folder of the arena's, for copies */
    struct table_rules rules;             /* how a season runs bots */
    struct wire_clock clock; /* of the check's games, where no open season takes the bot */
    bool take_over;          /* its name may belong to another author */
    int64_t built_bytes_max; /* of what its build made, packed; 0: SUBMISSION_BUILT_BYTES */
    int check_games;         /* limit of whole games in the check; 0: all */
    int check_thinking_s;    /* thinking time in the check; 0: CHECK_THINKING_S */
    int64_t now_us;          /* current time, since 1970 */
    /* The entry of a step of the check was set. May be NULL. */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    /* Called in the transaction that admits it. Returns 0, or -errno to roll back. May be NULL. */
    int (*kept_fn)(void *owner, const struct submission *submission);
    void *owner;

    /* The result. */
    enum submission_state state;
    struct store_bot bot;
    struct source source; /* the built copy */
    struct check check;
    char spent[STORE_NAME_BYTES_MAX + 1]; /* a season that it enters, if no such season has games
                                             left to play; else "" */
    int store_error;
    char error[SOURCE_ERROR_BYTES]; /* one line */
    uint8_t *given, *built;         /* packages; given is NULL if there was no build */
    size_t given_size, built_size;
};

/* Runs a submission until it is admitted or ends. Returns a submission_result. */
int submission_run(struct submission *submission);

/* Frees what it holds and removes its copies. */
void submission_finish(struct submission *submission);

#endif
