/* SPDX-License-Identifier: MIT */
/*
 * The bots of a season, in the order in which they entered; each entry is one version of one bot.
 * Reads bots from the store; chooses no games.
 */
#ifndef ARENA_SEASON_ROSTER_H
#define ARENA_SEASON_ROSTER_H

#include "arena/season/schedule.h"
#include "arena/store/games.h"

struct roster_member {
    struct store_bot bot;
    int batch;      /* number of the first batch in which the bot can play */
    int previous;   /* number of the nearest older version of the bot, or SCHEDULE_NOBODY */
    int name_entry; /* number of the first version that has this bot's name */
    int author;     /* number of the first bot by this bot's author; a reference bot is its own */
};

struct roster {
    int64_t season_id;
    struct wire_clock clock;       /* the season's: a bot that is too slow for it does not enter */
    struct roster_member *members; /* indexed by entry number */
    int count;
    int stored_count; /* number of bots that the store has, which come first */
    char (*only)[STORE_NAME_BYTES_MAX + 1]; /* the names that may take part; NULL: all */
    int only_count;
};

/* Reads the bots of a season. Returns 0 or -errno (see store_failure). */
int roster_load(struct roster *roster, struct store *store, const struct store_season *season);

/* Frees the memory of a roster, which may be zeroed. */
void roster_finish(struct roster *roster);

/*
 * Reads all bots again. Adds new bots, which play from `batch` on, and which the caller stores
 * later; first drops bots that an earlier call added and nobody stored. Updates which bots are
 * retired, replaced or banned, and which names may take part. Returns 0 or -errno (see
 * store_failure).
 */
int roster_refresh(struct roster *roster, struct store *store, int batch);

/* Reads again which of the known bots are retired, replaced or banned. Returns 0 or -errno. */
int roster_look_again(struct roster *roster, struct store *store);

/*
 * Reads the names that may take part and nothing else; needs only season_id. Returns 0 or -errno
 * (see store_failure).
 */
int roster_read_names(struct roster *roster, struct store *store);

/* True if bots of this name may take part. */
bool roster_takes_name(const struct roster *roster, const char *name);

/* The bots that may play a season, whether or not they have entered it. */
struct roster_counts {
    int bot_count;
    /* Number of their different authors, a reference bot being its own; up to GAME_PLAYERS_MAX. */
    int author_count;
    int64_t
        too_slow_count; /* number of bots that might play but are too slow for the season's clock */
};

/* Counts the bots that may play a season. Returns 0 or -errno (see store_failure). */
int roster_count(struct store *store, const struct store_season *season,
                 struct roster_counts *counts);

/*
 * Calls each_fn for each bot that may play the season and has not entered it, so that the roster
 * does not have it. Returns 0 or -errno (see store_failure); -EINTR if each_fn ended it.
 */
int roster_each_waiting(const struct roster *roster, struct store *store, store_bot_fn *each_fn,
                        void *context);

/* True if all bots of a game were in the store when the roster was read. */
bool roster_has_players(const struct roster *roster, const struct store_game *game);

/* True if a game counts: none of its bots was banned together with its games. */
bool roster_counts(const struct roster *roster, const struct store_game *game);

/* Copies the roster's bots to the schedule. Returns 0, -ENOMEM or -E2BIG. */
int roster_tell_schedule(const struct roster *roster, struct schedule *schedule);

#endif
