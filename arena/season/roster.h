/*
 * Who takes part in a season: its entries, each one version of one bot, in the order in
 * which they entered. Reads the store; decides nothing about games.
 */
#ifndef ARENA_SEASON_ROSTER_H
#define ARENA_SEASON_ROSTER_H

#include "arena/season/ladder.h"
#include "arena/season/schedule.h"
#include "arena/store/store.h"

struct roster_member {
    struct store_bot bot;
    int batch;      /* the first it can play in */
    int previous;   /* the entry of its nearest older version, or LADDER_NOBODY */
    int name_entry; /* the first entry of its name */
    int author;     /* the first entry of its author */
};

struct roster {
    struct roster_member *members; /* by entry */
    int count, room;
    int stored_count;                       /* those before it are in the store */
    char (*only)[STORE_NAME_BYTES_MAX + 1]; /* names that may take part; NULL: all */
    int only_count;
};

/* Reads the entries of a season. Returns 0 or -errno (store_failure tells). */
int roster_load(struct roster *roster, struct store *store, int64_t season_id);

/* Takes a zeroed one. */
void roster_finish(struct roster *roster);

/*
 * Looks again at all bots: who came since (they enter with `batch`, not yet stored; those of a
 * look before that were never stored are forgotten), who was retired, replaced or banned, who
 * may take part. Returns 0 or -errno (store_failure tells).
 */
int roster_refresh(struct roster *roster, struct store *store, int64_t season_id, int batch);

/*
 * The same of the bots that are known: who was retired, replaced or banned. Nobody enters. Returns
 * 0 or -errno (store_failure tells).
 */
int roster_look_again(struct roster *roster, struct store *store);

/* True for a bot that plays: not retired, replaced, banned or left out of the season. */
bool roster_is_active(const struct roster *roster, int entry);

/* True if a game counts: nobody in it was banned with all its games. */
bool roster_counts(const struct roster *roster, const struct store_game *game);

/*
 * The entries as a ladder wants them; the caller frees. NULL when out of memory. The list of a
 * season that was closed (us since 1970, 0 while open) does not change by what is retired or
 * submitted later.
 */
struct ladder_entry *roster_ladder_entries(const struct roster *roster, int64_t closed_us);

/* Brings the schedule's entries in line with the roster. 0 or -ENOMEM, -E2BIG. */
int roster_tell_schedule(const struct roster *roster, struct schedule *schedule);

#endif
