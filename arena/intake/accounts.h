/* SPDX-License-Identifier: MIT */
/*
 * Makes many accounts at once, from a list in CSV. The first line names the columns, of which
 * "author" is needed and "student", the student number, is not; fields are separated by commas,
 * semicolons or tabs, whichever the first line has, and may be quoted as in RFC 4180.
 */
#ifndef ARENA_INTAKE_ACCOUNTS_H
#define ARENA_INTAKE_ACCOUNTS_H

#include "arena/store/authors.h"

enum accounts_limits {
    ACCOUNTS_MAX = 10000,
    ACCOUNTS_BYTES_MAX = 4 << 20, /* of the list */
    ACCOUNTS_ERROR_BYTES = 512,   /* room for one line */
};

struct account {
    struct store_author author;
    int line;                      /* in the list, from 1 */
    char token[STORE_TOKEN_BYTES]; /* drawn by accounts_add */
};

/* A zeroed list is empty. */
struct accounts {
    struct account *list;
    int count;
};

/*
 * Reads the list. Returns 0, -EINVAL after writing what is wrong on which line to error, or
 * -ENOMEM.
 */
int accounts_read(struct accounts *accounts, const char *text, size_t size,
                  char error[static ACCOUNTS_ERROR_BYTES]);

/*
 * In the caller's transaction, adds every account, with a new token that expires at expires_us (0:
 * never). Returns 0; or -errno, after which the caller must roll back, with a line in error.
 */
int accounts_add(struct accounts *accounts, struct store *store, int64_t now_us, int64_t expires_us,
                 char error[static ACCOUNTS_ERROR_BYTES]);

/*
 * Writes the accounts as CSV to a new file that only its owner can read: author, student and token.
 * Returns 0 or -errno; after a failure there is no file, unless it was there before (-EEXIST).
 */
int accounts_write(const struct accounts *accounts, const char *path);

void accounts_finish(struct accounts *accounts);

#endif
