/*
 * The queue of submissions for a daemon. An author's command puts a folder into it, and builds and
 * runs nothing; a process of the daemon takes it out, builds and checks it, and admits or refuses
 * it, within the organizer's bounds.
 */
#ifndef ARENA_INTAKE_QUEUE_H
#define ARENA_INTAKE_QUEUE_H

#include "arena/intake/submission.h"
#include "arena/store/submissions.h"

/*
 * Queues the folder at path. The caller sets takes_over and received_us of *submission; the rest is
 * filled in. Returns 0, or another package_result after writing one line to error.
 */
int queue_submission(struct store *store, const char *path, struct store_submission *submission,
                     char error[static SOURCE_ERROR_BYTES]);

/* The organizer's bounds on submissions. */
struct queue_bounds {
    int64_t packages_a_day; /* of one author */
    int64_t package_bytes;  /* as submitted, packed */
    int64_t built_bytes;    /* of what its build made, packed */
    int64_t bots_an_author; /* in play, with different names */
    int64_t build_seconds;
    int64_t check_seconds; /* thinking time */
};

extern const struct queue_bounds queue_bounds_default;

struct queue_admission {
    /* The request; borrowed. The caller sets store, sandbox, options, stage, rules and clock of
     * submission, and printed, which its options fill. */
    int64_t id;
    struct queue_bounds bounds;
    struct submission submission;
    char *const *printed;
    int64_t (*now_fn)(void); /* returns microseconds since 1970 */

    /* The result. */
    struct store_submission queued;
    char words[2 * SOURCE_ERROR_BYTES]; /* what came of it, or why the arena failed */
};

enum queue_result {
    QUEUE_ENDED = 0,    /* admitted or refused: words says which; "" if that was so before */
    QUEUE_FAILED = -1,  /* the arena failed; the submission stays in the queue */
    QUEUE_UNKNOWN = -2, /* there is no submission of that number */
};

/* Takes a submission out of the queue. Finish with submission_finish(&admission->submission). */
enum queue_result queue_admit(struct queue_admission *admission);

#endif
