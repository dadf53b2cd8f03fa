/*
 * The ladder: ratings and statistics of a season's bots. Pure: games are added one by one, in the
 * order of the schedule, and rows come out. No state is kept outside the ladder, so it can be
 * recomputed from the games at any time. Source: docs/seasons.md.
 */
#ifndef ARENA_SEASON_LADDER_H
#define ARENA_SEASON_LADDER_H

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/season/latency.h"
#include "arena/season/roster.h"

enum ladder_limits {
    LADDER_NOBODY = -1,
    LADDER_ANCHOR_ELO = 1500, /* the mean of every ladder */
};

/* One bot as given to the ladder, before any game. */
struct ladder_entry {
    int previous;   /* the entry of its older version, or LADDER_NOBODY */
    int name_entry; /* the first entry of the same name; its counts include forfeits of all of them
                     */
    int package_entry; /* the first entry of the same package, under any name */
    bool retired;      /* it no longer plays */
    bool replaced;     /* a newer version plays instead */
    bool banned;       /* by the operator; it no longer plays either */
};

/* The order of rows: bits. */
enum ladder_list {
    LADDER_FINAL = 0,     /* by the fit of all games; only this list has errors */
    LADDER_LIVE = 1 << 0, /* by live Elo instead of the fit */
    /* Versions that no longer play are listed by rating, not below the others. */
    LADDER_IN_PLACE = 1 << 1,
};

/* Flags of a row, in addition to enum fit_flag. */
enum ladder_flag {
    LADDER_PROBATION = 1 << 16, /* plays only a few games until it stops forfeiting */
    LADDER_RETIRED = 1 << 17,
    LADDER_REPLACED = 1 << 18,
    LADDER_SAME_HASH = 1 << 19, /* a bot of another name has the same package */
    LADDER_BANNED = 1 << 21,
    LADDER_RESIDUAL = 1 << 20, /* a score that the ratings do not explain: rating/residual.h */
};

/* The counts of one entry. */
struct ladder_count {
    struct latency latency;
    int64_t forfeits[WIRE_REASON_COUNT]; /* by reason; always 0 for WIRE_PLAYED */
    struct probation probation;          /* of its name; stored at name_entry */
};

struct ladder_row {
    int entry;
    bool ranked; /* false for versions that were retired, replaced or banned */
    /* Among the ranked; both the place in a live list; 0 if not ranked. */
    int rank_best, rank_worst;
    double elo;           /* final rating; the mean of all entries is LADDER_ANCHOR_ELO */
    double error95;       /* 1.96 standard errors of elo */
    double los_next;      /* probability of being better than the next ranked row, or NAN */
    double live;          /* live Elo; has no error */
    double change;        /* change of live Elo by its last group */
    double score;         /* mean score against an opponent, 0..1 */
    double opponents_elo; /* mean final rating of its opponents */
    int64_t game_count, group_count;
    double places[GAME_PLAYERS_MAX]; /* share of games that ended in 1st, 2nd ... place */
    int64_t shared_win_count;
    int64_t us_mean, us_p99, us_max; /* times per decision */
    const int64_t *forfeits;         /* by reason; owned by the ladder */
    bool provisional;                /* few games or a large error: shown as "?" */
    unsigned flags;                  /* enum fit_flag and enum ladder_flag bits */
};

struct ladder {
    int entry_count;
    struct ladder_entry *entries;
    struct ladder_count *counts;
    struct games games;
    struct fit fit;
    struct elo_bot *live;
    unsigned list; /* enum ladder_list bits of the last ladder_settle */
    struct ladder_row *rows;
};

/*
 * Returns the entries in the form that a ladder needs, which the caller frees; NULL if memory runs
 * out. closed_us is when the season was closed (us since 1970, 0 while open): bots retired or
 * submitted after that do not change the list.
 */
struct ladder_entry *ladder_make_entries(const struct roster *roster, int64_t closed_us);

/* Creates an empty ladder. Copies entries. Returns 0, or -errno with nothing to finish. */
int ladder_init(struct ladder *ladder, const struct ladder_entry *entries, int entry_count);

/* Accepts a zeroed ladder. */
void ladder_finish(struct ladder *ladder);

/* Adds a game. Returns 0, -ENOMEM, or -EBADMSG if the stored game is invalid. */
int ladder_add(struct ladder *ladder, const struct store_game *game);

/*
 * Computes the rows, best first: one for every entry that played or can play. list is a combination
 * of enum ladder_list bits. Returns 0 or -errno.
 */
int ladder_settle(struct ladder *ladder, unsigned list, int *row_count);

/* A bot's live Elo after a group that it played. */
typedef int ladder_history_fn(void *context, int64_t group, int entry, double elo);

/*
 * Calls each_fn with the live ratings in order of groups. The ladder must be settled. Stops at the
 * first result of each_fn other than 0 and returns it; else returns 0 or -ENOMEM.
 */
int ladder_history(const struct ladder *ladder, ladder_history_fn *each_fn, void *context);

/*
 * Returns what the ladder knows of the forfeits under an entry's name: whether it is on probation,
 * and until when.
 */
const struct probation *ladder_probation(const struct ladder *ladder, int entry);

/* Returns the name of one flag, "probation", "unbeaten", ...; a static string. */
const char *ladder_flag_name(unsigned flag);

/* The ladders of a stored season: one for all tables and one per table size. */
struct standings {
    struct store_season season;
    struct roster roster;
    struct ladder ladders[GAME_PLAYERS_MAX + 1]; /* by table size; 0: all tables */
    int row_counts[GAME_PLAYERS_MAX + 1];        /* 0 if there is no such ladder */
};

/*
 * Reads all games and computes the ladders. Returns 0 or -errno (see store_failure, except for
 * -ENOMEM).
 */
int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list);

/*
 * The same, and also calls each_fn, as store_games_each does, for each game whose bots entered
 * before the reading began.
 */
int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, store_game_fn *each_fn,
                         void *context);

/* Accepts zeroed standings. */
void standings_finish(struct standings *standings);

/* Limits of the labels that tell versions apart. */
enum standings_limits {
    STANDINGS_LABEL_BYTES = STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX + 2,
};

/*
 * Writes the label of an entry for places without a version column: name, or name@version if the
 * season has several versions of that name.
 */
void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES]);

#endif
