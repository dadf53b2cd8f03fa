/* SPDX-License-Identifier: MIT */
/*
 * The queue of submissions for a daemon. An author's command adds a folder to the queue, and
 * neither builds nor runs it; a process of the daemon takes the folder from the queue, builds and
 * checks the bot, and admits or refuses it, within the organizer's bounds.
 */
#ifndef ARENA_INTAKE_QUEUE_H
#define ARENA_INTAKE_QUEUE_H

#include "arena/intake/submission.h"
#include "arena/store/submissions.h"

/* What an author submits over the network, under the name of an account. */
struct queue_offer {
    /*
     * Set by the caller. The manifest must have this name, and must not name another account as
     * author.
     */
    const char *author, *name;
    int64_t author_id; /* of the account, whose name may change meanwhile */
    int64_t packages_a_day;
    bool is_check; /* the author asks for the report of the check alone */
    /* The result. */
    bool existed; /* the newest submission of the bot already has this package */
    int error;    /* why the offer is refused, as store_submission_offer returns it; or -errno */
    int64_t retry_us; /* time from which the author may submit again; set with -EDQUOT */
};

/*
 * Adds the folder at path to the queue. The caller sets takes_over, reference and received_us of
 * *submission; the function sets all other fields. The folder of an offer is the arena's own, where
 * nobody else can change it; any other folder is copied first. offer is NULL for an organizer's
 * submission. Returns 0, or another package_result after writing one line to error.
 */
int queue_submission(struct store *store, const char *path, struct queue_offer *offer,
                     struct store_submission *submission, char error[static SOURCE_ERROR_BYTES]);

/* The organizer's limits on what authors may do. */
struct queue_bounds {
    int64_t packages_a_day; /* submissions of one author in a day */
    int64_t package_bytes;  /* of a submitted package as an uncompressed tar */
    int64_t built_bytes;    /* size of the built package, packed */
    int64_t bots_an_author; /* active bots of one author, with different names */
    int64_t build_seconds;
    int64_t check_seconds;   /* thinking time of the bot in the check */
    int64_t versions;        /* newest versions of each bot that keep their packages; 0: all */
    int64_t challenge_games; /* games of one author's challenges in a day; 0: none are played */
};

#define QUEUE_BOUNDS_DEFAULT                                                                       \
    {                                                                                              \
        .packages_a_day = 20, .package_bytes = STORE_PACKAGE_BYTES_MAX,                            \
        .built_bytes = SUBMISSION_BUILT_BYTES, .bots_an_author = 10, .build_seconds = 600,         \
        .check_seconds = CHECK_THINKING_S, .challenge_games = 40,                                  \
    }

enum queue_waits {
    QUEUE_WAIT_S_MAX = 86400, /* longest that a submission waits for a quiet machine */
    QUEUE_RETRY_S = 10,       /* shortest pause between two attempts meanwhile, */
    QUEUE_RETRY_S_MAX = 600,  /* and the longest */
};

struct queue_admission {
    /*
     * The request; borrowed. Of submission, the caller sets store, sandbox, options, stage (the
     * temporary folder), rules and clock. printed is the text that those options fill with the
     * build's output.
     */
    int64_t id;
    struct queue_bounds bounds;
    struct submission submission;
    char *const *printed;
    int64_t (*now_fn)(void); /* returns the time in microseconds since 1970 */

    /* The result, set by queue_admit. */
    struct store_submission queued;
    bool may_retry; /* a limit or the machine caused the refusal: the same package may come again */
    char words[2 * SOURCE_ERROR_BYTES]; /* the outcome, or why the arena failed */
};

enum queue_result {
    /* Admitted or refused, or it waits for a quiet machine; words is "" if so it was before. */
    QUEUE_ENDED = 0,
    QUEUE_FAILED = -1,  /* the arena failed, and the submission stays in the queue */
    QUEUE_UNKNOWN = -2, /* the store has no submission with this id */
};

/*
 * Takes a submission from the queue, and admits or refuses it; one that asks for the check alone
 * ends with its report, and nothing is admitted. The caller then calls
 * submission_finish(&admission->submission).
 */
enum queue_result queue_admit(struct queue_admission *admission);

#endif
