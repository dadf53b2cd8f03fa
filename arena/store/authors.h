/* SPDX-License-Identifier: MIT */
/*
 * Authors: the accounts of those who submit over the network, and their tokens. An account's name
 * is the author of its bots and submissions. The store has only the SHA-256 of a token, so nobody
 * who reads the store can use one. Functions return the errors that store.h lists.
 */
#ifndef ARENA_STORE_AUTHORS_H
#define ARENA_STORE_AUTHORS_H

#include "arena/store/submissions.h"

enum store_author_limits {
    STORE_TOKEN_BYTES = 72, /* room for the text of a token, NUL included */
};

struct store_author {
    int64_t id; /* id of the author, from 1, ascending in order of creation */
    char name[STORE_TEXT_BYTES_MAX + 1];
    char key[STORE_HASH_DIGITS + 1]; /* the same for all names that look alike (names.h) */
    /* Number in the organizer's own lists, such as a student's; private: only marks have it. */
    char student[STORE_TEXT_BYTES_MAX + 1];
    int64_t created_us; /* since 1970, as all times here; 0: never */
    int64_t erased_us;
    bool is_challenged; /* allows challenges of authors who allow them too (challenges.h) */
    int64_t uploads_us; /* time from which the author has all uploads of a day again */
};

/* What a token may do. Stored: never renumber. */
enum store_scope {
    STORE_SCOPE_AUTHOR = 0,
    STORE_SCOPE_READ = 1,      /* reads what the author may read, and changes nothing */
    STORE_SCOPE_ORGANIZER = 2, /* may also read and end submissions and bots of all authors */
};

/* The names of enum store_scope, and NULL. */
extern const char *const store_scopes[];

struct store_token {
    char sha256[STORE_HASH_DIGITS + 1]; /* commands name a token by the first 8 digits */
    int64_t author_id;
    enum store_scope scope;
    int64_t created_us;
    int64_t used_us; /* time of the last use of the token, exact to an hour */
    int64_t expires_us;
    int64_t revoked_us;
};

typedef int store_author_fn(void *context, const struct store_author *author);
typedef int store_token_fn(void *context, const struct store_token *token);

/*
 * Adds an author. Sets author->id, and author->name in NFC. Fails with -EINVAL if the name is none
 * that an author may have, with -EEXIST if an author has a name that looks alike, or the same
 * student number.
 */
int store_author_add(struct store *store, struct store_author *author);

/* Finds an author by a name that may look alike. */
int store_author_find(struct store *store, const char *name, struct store_author *author);
int store_authors_each(struct store *store, store_author_fn *each_fn, void *context);

/* Renames an author, with all bots, submissions and bans. Fails as store_author_add does. */
int store_author_rename(struct store *store, const char *name, const char *to);

/*
 * Sets the student number of an author; "": none. Fails with -EINVAL for a text that is too long or
 * has control characters, with -EEXIST if another author has the number.
 */
int store_author_set_student(struct store *store, const char *name, const char *student);

/*
 * Erases an author: the account and everything submitted get the name author-N, tokens and reports
 * are removed, open submissions end, and the bots are retired. Removes the packages and manifests
 * of bots that are in no open season now; those of the other bots are removed when their last open
 * season closes. Games and ranks stay.
 */
int store_author_erase(struct store *store, const char *name, int64_t now_us);

/*
 * In the caller's transaction, removes the packages and manifests of erased authors and, if
 * versions is not 0, the packages of all but the newest `versions` versions of each bot. Keeps
 * every package that an open season needs.
 */
int store_packages_drop(struct store *store, int64_t versions);

/*
 * Counts an upload of an author, whatever will come of it. Fails with -EDQUOT if the author has
 * begun `a_day` uploads in a day; *retry_us is then the time when the author may begin one more.
 */
int store_author_upload(struct store *store, int64_t author_id, int64_t now_us, int64_t a_day,
                        int64_t *retry_us);

/* Draws a new token, "arena_" and 256 random bits in hex. Returns 0 or -errno. */
int store_token_draw(char text[static STORE_TOKEN_BYTES]);

/* Writes the SHA-256 of a token's text in hex. */
void store_token_hash(const char *text, size_t size, char sha256[static STORE_HASH_DIGITS + 1]);

int store_token_add(struct store *store, const struct store_token *token);

/*
 * Finds the author and the scope of a token that is valid at now_us. Notes that the token was used,
 * if the store can be written, and at once. Fails with -ENOENT if there is no such token, or it was
 * revoked or has expired.
 */
int store_token_find(struct store *store, const char *sha256, int64_t now_us,
                     struct store_author *author, enum store_scope *scope);
int store_tokens_each(struct store *store, int64_t author_id, store_token_fn *each_fn,
                      void *context);

/*
 * Revokes the author's tokens whose SHA-256 begins with `digits`; "": all tokens. Fails with
 * -ENOENT if no such token is left to revoke.
 */
int store_token_revoke(struct store *store, int64_t author_id, const char *digits, int64_t now_us);

/* A game that a bot of an author forfeited. */
struct store_forfeit {
    char game[STORE_GAME_ID_BYTES];
    char bot[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    int seat;
    int64_t started_us;
    const char *forfeits; /* of the whole game: JSON array, an element per seat; borrowed */
};

typedef int store_forfeit_fn(void *context, const struct store_forfeit *forfeit);

/* Calls each_fn for the newest forfeits of an author's bots, newest first, at most `count`. */
int store_forfeits_of(struct store *store, const char *author, int count, store_forfeit_fn *each_fn,
                      void *context);

#endif
