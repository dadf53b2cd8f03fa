/* SPDX-License-Identifier: MIT */
/*
 * Takes a submission from a folder to a version in the store, in five steps: the name and version
 * are checked, the bot is built and checked, its packages are packed, and the store admits the bot.
 *
 * The submission may end at each step: the author must fix something, the bot is not fit, the store
 * refuses the bot, or the arena fails. Nothing is stored before the last step, which is one
 * transaction. Prints nothing. Blocks during the build and the check; a stop request (foreground.h)
 * ends both.
 */
#ifndef ARENA_INTAKE_SUBMISSION_H
#define ARENA_INTAKE_SUBMISSION_H

#include "arena/play/source.h"
#include "arena/store/store.h"
#include "arena/trial/check.h"

/* What a report says before the reason why no open season has games for the bot. */
#define SUBMISSION_WAITS "but the bot waits for games: "

enum submission_limits {
    SUBMISSION_BUILT_BYTES = 128 << 20,
    SUBMISSION_WAITS_BYTES = 128 + STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX,
    SUBMISSION_FITS_BYTES = 1024,
    SUBMISSION_CLOCKS_MAX = 8, /* most clocks for which a slow bot is checked, one after another */
};

/* Why the submission ended; 0: the bot was admitted. */
enum submission_result {
    SUBMISSION_DONE = 0,
    SUBMISSION_REFUSED = -1,   /* the author must fix what error says */
    SUBMISSION_FAILED = -2,    /* the arena failed: see error */
    SUBMISSION_UNFIT = -3,     /* the bot does not play correctly: see the steps in `check` */
    SUBMISSION_UNCHECKED = -4, /* the check failed to run: see check->failure */
    SUBMISSION_UNKEPT = -5,    /* the store refused the bot: see store_error and store_failure */
    SUBMISSION_STARVED = -6,   /* the machine was too busy to build or check the bot: see error */
};

struct submission {
    /* The request, which the caller sets; all pointers are borrowed. */
    const char *path; /* path of the folder, which messages also name */
    struct store *store;
    struct sandbox *sandbox;
    const struct source_options *options; /* how to build the bot */
    const char *stage;                    /* temporary folder for copies of the bot */
    struct table_rules rules;             /* rules by which seasons run bots */
    struct wire_clock clock; /* clock of the check's games if the bot enters no open season */
    const char *author;      /* the bot's author; NULL: the manifest names the author */
    bool take_over;          /* the bot's name may belong to another author */
    bool reference;          /* the bot is to be a reference bot (store.h) */
    bool only_checks;        /* the submission ends before the last step: nothing is stored */
    /* Maximum size of the built package, packed; 0: SUBMISSION_BUILT_BYTES. */
    int64_t built_bytes_max;
    int check_games;      /* maximum number of whole games in the check; 0: all */
    int check_thinking_s; /* maximum thinking time in the check; 0: CHECK_THINKING_S */
    int64_t now_us;       /* when the bot was submitted, since 1970 */
    /* The functions below may be NULL. */
    void (*checking_fn)(void *owner); /* the bot is built, and its check begins */
    void (*step_fn)(void *owner, const struct check *check, enum check_step step);
    /* Called in the transaction that admits the bot. Returns 0, or -errno to roll back. */
    int (*kept_fn)(void *owner, const struct submission *submission);
    void *owner;

    /* The result, set by submission_run. */
    struct store_bot bot;
    struct source source; /* the bot's built copy */
    struct check check;
    char waits[SUBMISSION_WAITS_BYTES]; /* why no open season has games for the bot, or "" */
    /* Which open seasons the bot enters, and for which it is too slow or too late; or "". */
    char fits[SUBMISSION_FITS_BYTES];
    int store_error;
    char error[SOURCE_ERROR_BYTES]; /* one line: why the submission ended, or "" */
    /* Packages as submitted and as built; given is NULL if the bot has no build step. */
    uint8_t *given, *built;
    size_t given_size, built_size;
};

/* Takes the submission through all steps until the bot is admitted or the submission ends. */
enum submission_result submission_run(struct submission *submission);

/* Frees all memory of the submission and removes its copies of the folder. */
void submission_finish(struct submission *submission);

#endif
