/*
 * Submissions that wait for a daemon, and what became of them. Errors are those of store.h.
 */
#ifndef ARENA_STORE_SUBMISSIONS_H
#define ARENA_STORE_SUBMISSIONS_H

#include "arena/store/store.h"

enum store_submission_state {
    STORE_RECEIVED = 0, /* its package is stored as submitted */
    STORE_BUILDING = 1,
    STORE_CHECKING = 2,
    STORE_ADMITTED = 3, /* it is a bot of the store */
    STORE_REFUSED = 4,  /* its report says why */
};

struct store_submission {
    int64_t id; /* ascending in order of arrival, from 1 */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1]; /* hash of the package as submitted */
    enum store_submission_state state;
    bool takes_over;     /* the operator allows it a name that belongs to another author */
    int64_t received_us; /* since 1970, as all times here; 0: not yet */
    int64_t building_us;
    int64_t checking_us;
    int64_t ended_us;
    int64_t bot_id;     /* STORE_ADMITTED: the bot; else 0 */
    const char *report; /* a JSON object with the results of build and check; NULL before the end.
                           Borrowed */
};

typedef int store_submission_fn(void *context, const struct store_submission *submission);

/*
 * Stores a received package. Sets id and state. Fails with -EPERM if its name or its author is
 * banned.
 */
int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package);

/* All submissions, in order of id. */
int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context);

/* Submissions that have not ended, and whose name and author are not banned, in order of id. */
int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context);

/* Sets STORE_BUILDING (again after a crash) or STORE_CHECKING. -ECANCELED if it has ended. */
int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us);

/*
 * Records that a submission was admitted as a bot, or refused (bot_id 0); its package is then
 * removed, unless a bot or another submission needs it. Fails with -ECANCELED if the submission has
 * already ended. Use one transaction with store_bot_add.
 */
int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us);

#endif
