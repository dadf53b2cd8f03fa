/* SPDX-License-Identifier: MIT */
/*
 * The ladder: ratings and statistics of a season's bots. Pure: the caller adds games one by one, in
 * the order of the schedule, and the ladder computes its rows. A ladder depends on nothing but its
 * bots and games, so it can be recomputed at any time. Source: docs/seasons.md.
 */
#ifndef ARENA_SEASON_LADDER_H
#define ARENA_SEASON_LADDER_H

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/season/latency.h"
#include "arena/season/roster.h"

enum ladder_limits {
    LADDER_NOBODY = -1,
    LADDER_ANCHOR_ELO = 1500, /* mean rating of every ladder */
};

/* What the ladder must know of each bot before the caller adds games. */
struct ladder_entry {
    int previous;   /* number of the bot's older version, or LADDER_NOBODY */
    int name_entry; /* number of the first version that has this bot's name */
    bool retired, banned, reference;
    bool replaced; /* a newer version of the bot plays instead */
};

/* How rows are ordered: bits that may be combined. */
enum ladder_list {
    LADDER_FINAL = 0,         /* sorted by the fit of all games; only this list has errors */
    LADDER_LIVE = 1 << 0,     /* sorted by live Elo instead of the fit */
    LADDER_IN_PLACE = 1 << 1, /* versions that no longer play are not listed last */
};

/* Flags of a row, in addition to enum fit_flag. */
enum ladder_flag {
    LADDER_PROBATION = 1 << 16, /* the bot plays only a few games until it stops forfeiting */
    LADDER_RETIRED = 1 << 17,
    LADDER_REPLACED = 1 << 18,
    LADDER_BANNED = 1 << 21,
    LADDER_REFERENCE = 1 << 22, /* others are measured against the bot, which holds no rank */
    LADDER_RESIDUAL = 1 << 20,  /* a score that the ratings do not explain; see rating/fit.h */
};

/* What the ladder counts for one version of a bot. */
struct ladder_count {
    struct latency latency;
    int64_t forfeits[WIRE_REASON_COUNT]; /* by reason; always 0 for WIRE_PLAYED */
    struct probation probation;          /* of the bot's name; only in name_entry */
};

struct ladder_row {
    int entry;
    bool plays;                /* false for retired, replaced and banned versions */
    bool ranked;               /* the bot plays and is no reference bot */
    int rank_best, rank_worst; /* range; in a live list, both are the bot's place; 0: no rank */
    double elo;                /* final rating; the mean over all bots is LADDER_ANCHOR_ELO */
    double error95;            /* half width of the 95 % interval: 1.96 standard errors of elo */
    int place;                 /* place in the list, the official order; 0: no rank */
    double los_next; /* probability that the bot is better than the next ranked row, or NAN */
    /*
     * Of the bot's name a day before the newest game of the season began: the final rating of the
     * version that played then, NAN if none had; its place among the names with a rank, or 0.
     */
    double day_elo;
    int day_place;
    /* Final rating above that of the version before, with its 95 % error; NAN: no such version. */
    double gain, gain_error95;
    double live;          /* live Elo; has no error */
    double change;        /* change of live Elo by the bot's last group */
    double score;         /* mean score against one opponent, 0..1 */
    double opponents_elo; /* mean final rating of the bot's opponents */
    int64_t game_count, group_count;
    double places[GAME_PLAYERS_MAX]; /* shares of games that the bot ended in 1st, 2nd ... place */
    int64_t shared_win_count;
    int64_t us_mean, us_p99, us_max; /* time per decision: mean, 99th percentile, maximum */
    const int64_t *forfeits;         /* number of forfeits by reason; owned by the ladder */
    bool provisional;                /* the bot has few games or a large error; shown as "?" */
    unsigned flags;                  /* enum fit_flag and enum ladder_flag bits */
};

/* When the first game of a group began, since 1970. */
struct ladder_start {
    int64_t group, started_us;
};

struct ladder {
    int entry_count;
    struct ladder_entry *entries;
    struct ladder_count *counts;
    struct games games;
    struct fit fit;
    struct elo_bot *live;
    struct ladder_start *starts; /* by group */
    int start_count;
    int64_t newest_us; /* when the newest game began, since 1970 */
    unsigned list;     /* argument `list` of the last ladder_settle call */
    struct ladder_row *rows;
};

/*
 * Returns the array of bots that ladder_init takes, or NULL if memory runs out. The caller frees
 * the array. A bot that was retired or submitted after closed_us (since 1970; 0: never) does not
 * change the list.
 */
struct ladder_entry *ladder_make_entries(const struct roster *roster, int64_t closed_us);

/*
 * Creates an empty ladder. Copies `entries`, the season's bots. Returns 0, or -errno with nothing
 * to finish.
 */
int ladder_init(struct ladder *ladder, const struct ladder_entry *entries, int entry_count);

/* Frees the memory of a ladder, which may be zeroed. */
void ladder_finish(struct ladder *ladder);

/*
 * Adds a game of the store, all of whose bots are in the ladder. Returns 0, -ENOMEM, or -EBADMSG if
 * its packed decision times are malformed.
 */
int ladder_add(struct ladder *ladder, const struct store_game *game);

/*
 * Computes the rows, best first: one for every bot version that played or can play. list is a
 * combination of enum ladder_list bits. Returns 0 or -errno.
 */
int ladder_settle(struct ladder *ladder, unsigned list, int *row_count);

/* Returns the last group that was over a day before the newest game began; -1: none was. */
int64_t ladder_day_group(const struct ladder *ladder);

/*
 * Returns a bot's version before `entry` of those that have played, or LADDER_NOBODY. played tells
 * of each entry whether it has; NULL: by the games of the ladder.
 */
int ladder_version_before(const struct ladder *ladder, int entry, const bool *played);

/* Receives a bot's live Elo after a group that the bot played. */
typedef int ladder_history_fn(void *context, int64_t group, int entry, double elo);

/*
 * Calls each_fn with the live ratings of a settled ladder, in order of groups. Returns the first
 * value of each_fn that is not 0, which ends the calls; else 0 or -ENOMEM.
 */
int ladder_history(const struct ladder *ladder, ladder_history_fn *each_fn, void *context);

/* Returns the recent games of the bot's name; owned by the ladder. */
const struct probation *ladder_probation(const struct ladder *ladder, int entry);

/* Returns the name of one flag, such as "probation" or "unbeaten": a static string. */
const char *ladder_flag_name(unsigned flag);

/* The ladders of a stored season: one for all tables and one per table size. */
struct standings {
    struct store_season season;
    struct roster roster;
    struct ladder ladders[GAME_PLAYERS_MAX + 1]; /* by table size; [0] is for all tables */
    int row_counts[GAME_PLAYERS_MAX + 1];        /* 0 if there is no such ladder */
};

/*
 * Read all games of the season and compute its ladders; standings_load_games also calls each_fn, as
 * store_games_each does, for each game all of whose bots had entered before the reading began.
 * Return 0, -ENOMEM, or another -errno that store_failure explains.
 */
int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list);
int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, store_game_fn *each_fn,
                         void *context);

/* Frees the memory of standings, which may be zeroed. */
void standings_finish(struct standings *standings);

/*
 * Returns a bot's row in the ladder of all tables: of its newest version that has one, or NULL if
 * none has.
 */
const struct ladder_row *standings_newest(const struct standings *standings, const char *bot);

/* Returns how many rows of the ladder of all tables have a rank. */
int standings_ranked(const struct standings *standings);

/* The names of bots for a season's roster. */
struct standings_choice {
    const char *names[SCHEDULE_ENTRIES_MAX]; /* the names in the order of the list, each once */
    char texts[SCHEDULE_ENTRIES_MAX][STORE_NAME_BYTES_MAX + 1];
    size_t count;
};

/*
 * Reads a list for a roster, such as "ant,bee,winter:1..8": names of bots, and ranks on the final
 * ladders of closed seasons. Returns 0, -EINVAL if the list is not written like that or names
 * nobody, or another -errno; store_failure explains all of them.
 */
int standings_choose(struct standings_choice *choice, struct store *store, const char *list);

/* Adds a bot to a choice, as a list that names it does. Returns 0, -EINVAL or another -errno. */
int standings_choose_bot(struct standings_choice *choice, struct store *store, const char *name);

enum standings_limits {
    STANDINGS_LABEL_BYTES = STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX + 2,
};

/*
 * Writes the name under which output without a version column shows a bot: name, or name@version if
 * the season has several versions of that name.
 */
void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES]);

#endif
