/*
 * The ladder: what a season's games say of its bots. Pure: games go in one by one, in the
 * order of the schedule, and rows come out; nothing is kept between two ladders, so any
 * of them can be made anew from the games. Source: docs/seasons.md.
 */
#ifndef ARENA_SEASON_LADDER_H
#define ARENA_SEASON_LADDER_H

#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/season/latency.h"
#include "arena/season/probation.h"
#include "arena/store/store.h"

enum ladder_limits {
    LADDER_NOBODY = -1,
    LADDER_ANCHOR_ELO = 1500, /* the mean of every ladder */
};

/* One bot as the ladder is told of it, before any game. */
struct ladder_entry {
    int previous;      /* the entry of its older version, or LADDER_NOBODY */
    int name_entry;    /* the first entry of its name: forfeits are counted there */
    int package_entry; /* the first entry of its package, whatever its name */
    bool retired;      /* plays no more */
    bool replaced;     /* a newer version plays */
    bool banned;       /* by the operator: plays no more either */
};

/* How rows are ordered: bits. */
enum ladder_list {
    LADDER_FINAL = 0,         /* by the fit of all games, the list that has errors */
    LADDER_LIVE = 1 << 0,     /* by live Elo instead */
    LADDER_IN_PLACE = 1 << 1, /* versions that play no more stand between the others, not below */
};

/* Flags of a row beside enum fit_flag's. */
enum ladder_flag {
    LADDER_PROBATION = 1 << 16, /* plays a game now and then until it behaves */
    LADDER_RETIRED = 1 << 17,
    LADDER_REPLACED = 1 << 18,
    LADDER_SAME_HASH = 1 << 19, /* another name has the same package */
    LADDER_BANNED = 1 << 21,
    LADDER_RESIDUAL = 1 << 20, /* a score that chance does not explain: rating/residual.h */
};

/* What is counted of one entry. */
struct ladder_count {
    struct latency latency;
    int64_t forfeits[WIRE_REASON_COUNT]; /* by reason; none under WIRE_PLAYED */
    struct probation probation;          /* of its name; at name_entry */
};

struct ladder_row {
    int entry;
    bool ranked;               /* false for versions that were retired, replaced or banned */
    int rank_best, rank_worst; /* among the ranked; by place in a live list; 0 if not ranked */
    double elo;                /* of the final list; the mean of all entries is LADDER_ANCHOR_ELO */
    double error95;            /* 1.96 standard errors of it */
    double los_next;           /* likelihood of being better than the next ranked row, or NAN */
    double live;               /* live Elo, which has no error */
    double change;             /* of its live Elo by its last group */
    double score;              /* mean points taken of an opponent, 0..1 */
    double opponents_elo;      /* mean of those it met, of the final list */
    int64_t game_count, group_count;
    double places[GAME_PLAYERS_MAX]; /* share of games that ended in 1st, 2nd ... place */
    int64_t shared_win_count;
    int64_t us_mean, us_p99, us_max; /* of a decision */
    const int64_t *forfeits;         /* by reason; the ladder's */
    bool provisional;                /* few games, or a large error: "?" */
    unsigned flags;                  /* of enum fit_flag and enum ladder_flag */
};

struct ladder {
    int entry_count;
    struct ladder_entry *entries;
    struct ladder_count *counts;
    struct games games;
    struct fit fit;
    struct elo_bot *live;
    unsigned list; /* enum ladder_list bits that it was settled with */
    struct ladder_row *rows;
};

/* An empty ladder; copies entries. Returns 0 or -errno with nothing to finish. */
int ladder_init(struct ladder *ladder, const struct ladder_entry *entries, int entry_count);

/* Takes a zeroed one. */
void ladder_finish(struct ladder *ladder);

/* Counts a game. 0, or -ENOMEM, or -EBADMSG when what was stored makes no sense. */
int ladder_add(struct ladder *ladder, const struct store_game *game);

/*
 * Makes the rows, best first: one for every entry that played or can play; list is a sum of
 * enum ladder_list. Returns 0 or -errno.
 */
int ladder_settle(struct ladder *ladder, unsigned list, int *row_count);

/* A bot's live Elo after a group that it played. */
typedef int ladder_history_fn(void *context, int64_t group, int entry, double elo);

/*
 * The live ratings as they came, by group, once the ladder is settled. Returns 0, -ENOMEM,
 * or the first result of each_fn that is not 0, which is told nothing after that.
 */
int ladder_history(const struct ladder *ladder, ladder_history_fn *each_fn, void *context);

/* The forfeits of an entry's name: whether it is on probation, and how it gets out. */
const struct probation *ladder_probation(const struct ladder *ladder, int entry);

/* "probation", "unbeaten", ...: the name of one flag; a static string. */
const char *ladder_flag_name(unsigned flag);

#endif
