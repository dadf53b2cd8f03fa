/* SPDX-License-Identifier: MIT */
/*
 * What an author may ask of the arena within a day, and how much of that is left. Functions return
 * the errors that store.h lists.
 */
#ifndef ARENA_STORE_QUOTAS_H
#define ARENA_STORE_QUOTAS_H

#include "arena/store/store.h"

enum store_quota_kind {
    STORE_QUOTA_PACKAGES = 0, /* packages that were submitted */
    STORE_QUOTA_UPLOADS = 1,  /* uploads that were begun, whatever came of them */
    STORE_QUOTA_GAMES = 2,    /* games of challenges, but of those that the arena failed */
    STORE_QUOTAS = 3,         /* their number */
};

/* The SQL condition that a challenge counts. */
#define STORE_SQL_CHALLENGE_COUNTS "state <> 2 AND NOT by_organizer"

/* The names of enum store_quota_kind, and NULL. */
extern const char *const store_quota_kinds[];

struct store_quota {
    enum store_quota_kind kind;
    int64_t a_day;   /* the limit of any 24 hours */
    int64_t left;    /* how many of them the author may still ask for now */
    int64_t more_us; /* from when as many as wanted are left, since 1970; 0: they are, or never */
};

/*
 * Reads what is left of the quota whose kind and a_day are set, and when an author may ask for
 * `wanted`; 0, or more than a_day: for one more than are left.
 */
int store_quota_read(struct store *store, const char *author, int64_t now_us, int64_t wanted,
                     struct store_quota *quota);

#endif
