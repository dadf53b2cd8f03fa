/* SPDX-License-Identifier: MIT */
/*
 * Challenges: unrated games that an author has one of his bots play on the arena's machine against
 * a reference bot, another bot of his, or the bot of an author if both allow challenges. A daemon
 * plays them behind the rated games. They count for nothing, and only the author of the bot and the
 * organizer see them. Functions return the errors that store.h lists.
 */
#ifndef ARENA_STORE_CHALLENGES_H
#define ARENA_STORE_CHALLENGES_H

#include "arena/store/authors.h"

enum store_challenge_limits {
    STORE_CHALLENGE_GAMES_MAX = 20, /* games of one challenge */
    STORE_CHALLENGES_KEPT = 10,     /* of an author, besides those of the last day; older ones go */
    STORE_CHALLENGES_LISTED = 100,
    STORE_CHALLENGE_REASON_BYTES = 256,
};

/* Stored: never renumber. */
enum store_challenge_state {
    STORE_CHALLENGE_WAITING = 0, /* games are still to be played */
    STORE_CHALLENGE_ENDED = 1,
    STORE_CHALLENGE_FAILED = 2, /* `reason` says why not all games could be played */
};

/* The SQL condition that a challenge waits. */
#define STORE_SQL_WAITS "state = 0"
_Static_assert(STORE_CHALLENGE_WAITING == 0, "STORE_SQL_WAITS");

/* The names of enum store_challenge_state, and NULL. */
extern const char *const store_challenge_states[];

struct store_challenge {
    int64_t id; /* from 1, ascending */
    int64_t bot_id, opponent_id;
    int wanted_count;  /* games */
    int attempt_count; /* how often a daemon began to play since the last game */
    enum store_challenge_state state;
    bool by_organizer;  /* counts for no author's quota */
    int64_t created_us; /* since 1970, as all times here */
    int64_t ended_us;   /* 0: not ended */
    char reason[STORE_CHALLENGE_REASON_BYTES];

    /* Of other tables. A challenge belongs to the author of its bot. */
    char name[STORE_NAME_BYTES_MAX + 1], version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char opponent[STORE_NAME_BYTES_MAX + 1], opponent_version[STORE_TEXT_BYTES_MAX + 1];
    int64_t played_count;
};

/* A game of a challenge. */
struct store_bout {
    int64_t challenge_id;
    int number;           /* from 0; the bot has seat number % 2 */
    const uint8_t *bytes; /* the replay, without the standard error of others; borrowed */
    size_t size;
};

typedef int store_challenge_fn(void *context, const struct store_challenge *challenge);
typedef int store_bout_fn(void *context, const struct store_bout *bout);

/* Sets whether authors who allow it too may challenge the author's bots. */
int store_author_allow(struct store *store, int64_t author_id, bool is_challenged);

/*
 * Adds a challenge between the newest versions of the bots that name and opponent name, with that
 * wanted_count, created_us and by_organizer; sets all other fields. Removes old challenges of the
 * bot's author. `author` is who asks; NULL: an organizer, who may name any bots. Fails with -ENOENT
 * if there is no such bot, or it is not the author's; with -EPERM if a bot may not play; with
 * -EDQUOT if the challenges of the author's bots in the last day would have more than `a_day`
 * games.
 */
int store_challenge_add(struct store *store, const struct store_author *author, int64_t a_day,
                        struct store_challenge *challenge);

int store_challenge_find(struct store *store, int64_t id, struct store_challenge *challenge);

/* Calls each_fn for the newest challenges of an author's bots, NULL: of all bots, newest first. */
int store_challenges_each(struct store *store, const char *author, store_challenge_fn *each_fn,
                          void *context);

/* Finds the challenge that is to be played next; *id is 0 if there is none. */
int store_challenge_next(struct store *store, int64_t *id);

/* Counts an attempt to play a challenge. */
int store_challenge_begin(struct store *store, int64_t id);

/* Stores a game. Fails with -ECANCELED if the challenge was removed or has the game. */
int store_bout_add(struct store *store, const struct store_bout *bout);

/* Calls each_fn for the games of a challenge in order of their numbers. */
int store_bouts_each(struct store *store, int64_t id, store_bout_fn *each_fn, void *context);

/* Reads the replay of a game. The caller frees *replay. */
int store_bout_read(struct store *store, int64_t id, int64_t number, uint8_t **replay,
                    size_t *size);

/* Ends a challenge; reason "": all games were played. */
int store_challenge_end(struct store *store, int64_t id, const char *reason, int64_t now_us);

#endif
