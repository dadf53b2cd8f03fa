/*
 * The entries of a season, each one version of one bot, in the order in which they entered. Reads
 * the store; decides nothing about games.
 */
#ifndef ARENA_SEASON_ROSTER_H
#define ARENA_SEASON_ROSTER_H

#include "arena/season/schedule.h"
#include "arena/store/games.h"

struct roster_member {
    struct store_bot bot;
    int batch;      /* the first batch in which it can play */
    int previous;   /* the entry of its nearest older version, or SCHEDULE_NOBODY */
    int name_entry; /* the first entry of the same name */
    int author;     /* the first entry of the same author */
};

struct roster {
    struct roster_member *members; /* by entry */
    int count, room;
    int stored_count;                       /* entries before this one are in the store */
    char (*only)[STORE_NAME_BYTES_MAX + 1]; /* names that may take part; NULL: all may */
    int only_count;
};

/* Reads the entries of a season. Returns 0 or -errno (see store_failure). */
int roster_load(struct roster *roster, struct store *store, int64_t season_id);

/* Accepts a zeroed roster. */
void roster_finish(struct roster *roster);

/*
 * Reads all bots again: adds new ones (as entries of `batch`, not yet stored; entries of an earlier
 * call that were never stored are dropped), and updates who was retired, replaced or banned, and
 * who may take part. Returns 0 or -errno (see store_failure).
 */
int roster_refresh(struct roster *roster, struct store *store, int64_t season_id, int batch);

/*
 * Updates the known bots only: who was retired, replaced or banned. Adds no entry. Returns 0 or
 * -errno (see store_failure).
 */
int roster_look_again(struct roster *roster, struct store *store);

/* True if a bot plays: not retired, replaced, banned or excluded from the season. */
bool roster_is_active(const struct roster *roster, int entry);

/*
 * True if a season has more entries and groups than *rows, which is set to their number. Who reads
 * a season while it is played may find a row of a batch that was added meanwhile: it is damaged
 * only if it does not fit once more, with *rows as the time before.
 */
bool roster_has_grown(struct store *store, int64_t season_id, int64_t *rows);

/* True if all bots of a game had entered when the roster was read. */
bool roster_has_players(const struct roster *roster, const struct store_game *game);

/* True if a game counts: no bot in it was banned together with its games. */
bool roster_counts(const struct roster *roster, const struct store_game *game);

/* Updates the schedule's entries from the roster. Returns 0, -ENOMEM or -E2BIG. */
int roster_tell_schedule(const struct roster *roster, struct schedule *schedule);

#endif
