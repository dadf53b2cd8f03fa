/* SPDX-License-Identifier: MIT */
/*
 * Submissions: bots that were sent in and wait for a daemon to build and check them, and the
 * outcome. Functions return the errors that store.h lists.
 */
#ifndef ARENA_STORE_SUBMISSIONS_H
#define ARENA_STORE_SUBMISSIONS_H

#include "arena/store/store.h"

enum store_submission_state {
    STORE_RECEIVED = 0, /* the store has the package as it was submitted */
    /*
     * An attempt had no outcome, not by the package's fault: see retry_us. As functions read
     * submissions, also one that a ban holds back, whatever was stored.
     */
    STORE_WAITING = 1,
    STORE_BUILDING = 2,
    STORE_CHECKING = 3,
    STORE_ADMITTED = 4, /* the submission became a bot of the store */
    STORE_REFUSED = 5,  /* the submission was refused: its report says why */
    STORE_CHECKED = 6,  /* the author asked for the check alone, and the bot has passed it */
};

/* SQL conditions on the column `state`, which may have a table's name and a dot before it. */
#define STORE_SQL_UNBUILT "state < 2"
#define STORE_SQL_OPEN    "state < 4" /* no outcome yet */
#define STORE_SQL_ENDED   "state > 3"
#define STORE_SQL_REFUSED "5"
_Static_assert(STORE_WAITING < 2 && STORE_BUILDING == 2, "STORE_SQL_UNBUILT");
_Static_assert(STORE_CHECKING == 3 && STORE_ADMITTED == 4, "STORE_SQL_OPEN, STORE_SQL_ENDED");
_Static_assert(STORE_REFUSED == 5 && STORE_CHECKED > 3, "STORE_SQL_REFUSED, STORE_SQL_ENDED");

/* The names of enum store_submission_state, and NULL. */
extern const char *const store_submission_states[];

/* Returns the state of that name (which may be NULL), or -1. */
int store_submission_state_of(const char *name);

/* True if no state follows; false for -1. */
static inline bool store_submission_has_ended(int state)
{
    return state >= STORE_ADMITTED;
}

struct store_submission {
    int64_t id; /* id of the submission, from 1, ascending in order of arrival */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1]; /* SHA-256 of the package as it was submitted */
    enum store_submission_state state;
    bool takes_over;     /* the organizer lets the author take the name over from another author */
    bool reference;      /* the bot is to be a reference bot (store.h) */
    bool is_check;       /* the author asks for the report alone: nothing is admitted */
    int64_t received_us; /* time of arrival, since 1970, as all times here; 0: not yet */
    int64_t building_us;
    int64_t checking_us;
    int64_t ended_us;
    int failure_count; /* number of attempts that the arena failed */
    int64_t since_us;  /* end of the first attempt without an outcome; 0: there was none */
    int64_t retry_us;  /* of STORE_WAITING: when the daemon tries again, unless banned; else 0 */
    bool is_alone;     /* the machine was too busy: nothing else may run beside the next attempt */
    int64_t bot_id;    /* id of the bot that the submission became; 0 unless STORE_ADMITTED */
    /*
     * A JSON object with the results of build and check, or, of STORE_WAITING, the reason; else
     * NULL; borrowed.
     */
    const char *report;
};

/*
 * A member of the report of a refused submission: the cause was not the package, so the author may
 * offer the same package again.
 */
#define STORE_MAY_RETRY "\"may_retry\":true"

typedef int store_submission_fn(void *context, const struct store_submission *submission);

/*
 * Stores a submission with its package. Sets id and state. Fails with -EPERM if the name or the
 * author is banned, or if no bot has the name yet and another author's submission of it waits.
 */
int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package);

/*
 * Stores a submission as store_submission_add does, unless the newest submission of that name and
 * author has the same package and was not refused for a cause other than its package
 * (STORE_MAY_RETRY): *submission then becomes that newest submission, and *existed is set. Replaces
 * a submission of that name and author that still waits (store_submissions_replace). The author is
 * the account author_id, by the name that it has by then; fails with -EKEYREVOKED if it was erased.
 * A submission that asks for the check alone is compared with its like, and replaces its like.
 * Fails with -EDQUOT if the author has added `a_day` submissions in the day before received_us;
 * *retry_us is then the time when the author may add one more.
 */
int store_submission_offer(struct store *store, int64_t author_id,
                           struct store_submission *submission, struct store_package package,
                           int64_t a_day, bool *existed, int64_t *retry_us);

int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context);

int store_submission_find(struct store *store, int64_t id, store_submission_fn *each_fn,
                          void *context);

/* Calls each_fn for the newest submissions of an author, newest first, at most `count`. */
int store_submissions_of(struct store *store, const char *author, int count,
                         store_submission_fn *each_fn, void *context);

/* Calls each_fn for the first 16 submissions that ended after after_us, in order of their ends. */
int store_submissions_ended(struct store *store, int64_t after_us, store_submission_fn *each_fn,
                            void *context);

/* Counts the author's submissions before this one, among those received after since_us. */
int store_submissions_count(struct store *store, const struct store_submission *submission,
                            int64_t since_us, int64_t *count);

/*
 * Calls each_fn for the submissions that have not ended, and whose name and author are not banned,
 * in the order of their turns: authors take turns, and the author whose last submission began
 * longest ago comes first. Leaves out a submission while an older one of the same name and author
 * is open that it cannot replace (store_submissions_replace): the older one is admitted first.
 */
int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context);

/*
 * Ends, as refused, the submissions of that name and author that arrived before received_us, if
 * their state is before before_state, and removes their packages: those that ask for the check
 * alone if is_check, else the others. Leaves a submission that came
 * before the deadline of an open season, if received_us is after that deadline: the newer upload
 * cannot take its place there. Call it in a transaction with locks_control.
 */
int store_submissions_replace(struct store *store, const char *name, const char *author,
                              enum store_submission_state before_state, int64_t received_us,
                              bool is_check);

/*
 * Sets the state to STORE_BUILDING (also again, after a crash of the daemon) or STORE_CHECKING.
 * Fails with -ECANCELED if the submission has ended.
 */
int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us);

/*
 * Makes a submission wait until retry_us, after an attempt without an outcome; is_alone: because
 * the machine was too busy. Fails with -ECANCELED if the submission has ended.
 */
int store_submission_wait(struct store *store, int64_t id, const char *report, int64_t retry_us,
                          bool is_alone, int64_t now_us);

/*
 * Lets the daemon judge a refused or waiting submission again, at once, as if it had just been
 * received (received_us stays). If the store no longer has the package, only permits the author to
 * offer the same package again (STORE_MAY_RETRY), and sets *needs_upload. Fails with -EEXIST if it
 * was admitted, is being built or checked, or if a newer submission of that bot has taken its
 * place; with -ENOENT if there is no such submission.
 */
int store_submission_retry(struct store *store, int64_t id, bool *needs_upload);

/*
 * Ends a submission, for its author, who may then submit the same package again, or for the
 * organizer. The daemon kills a build or check that runs. Fails with -ECANCELED if it has ended.
 */
int store_submission_cancel(struct store *store, int64_t id, bool by_author, int64_t now_us);

/*
 * Ends a submission: it was admitted as the bot bot_id, or refused (bot_id 0). Removes its package,
 * unless a bot or an open submission needs the package, or it is refused and among the three newest
 * submissions of its author: these can be retried. Fails with -ECANCELED if the submission has
 * already ended, or if its author was renamed while the bot was checked: the bot has the old name.
 * Call it in one transaction with store_bot_add.
 */
int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us);

/* Ends a submission that asked for the check alone, and has passed it. Fails as the above does. */
int store_submission_pass(struct store *store, int64_t id, const char *report, int64_t now_us);

/*
 * Reads how long an admission takes: the mean time from the beginning to the end of the newest
 * submissions that ended, or, if that is longer, the mean time since the submissions that are being
 * built or checked began; 0 if none has ended.
 */
int store_submissions_pace(struct store *store, int64_t now_us, int64_t *mean_us);

#endif
