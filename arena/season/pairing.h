/*
 * Whom to play next. A pure function: the same field gives the same groups on every
 * machine, and nothing is remembered between calls. A season calls it once a batch,
 * with what was known before its last batch began, so that a schedule depends on
 * results and never on timing. Source: docs/ratings.md.
 *
 * No group has a bot twice. Two bots of one author share no table of three or four seats, and
 * no table at all where three or more authors play, unless the season lets them.
 */
#ifndef ARENA_SEASON_PAIRING_H
#define ARENA_SEASON_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pairing_limits {
    PAIRING_PLAYERS_MIN = 2,
    PAIRING_PLAYERS_MAX = 4,
    PAIRING_ROUND_ROBIN_MAX = 12,  /* bots of whom all meet in the opening stage */
    PAIRING_OPENING_MEETS = 10,    /* bots that each meets there if there are more */
    PAIRING_NEWCOMER_MEETS = 5,    /* bots that a new one meets first */
    PAIRING_RANKS_NEAR = 3,        /* how far off the least-played bot looks */
    PAIRING_PROBATION_BATCHES = 4, /* a bot on probation plays one group in so many batches */
};

enum pairing_role {
    PAIRING_ACTIVE = 0,    /* plays */
    PAIRING_NEW = 1,       /* plays, and has not been in any group yet */
    PAIRING_PROBATION = 2, /* a group now and then */
    PAIRING_AWAY = 3,      /* retired: none */
};

/* What is known of one bot. */
struct pairing_bot {
    enum pairing_role role;
    int author;          /* equal for bots of one author */
    double elo;          /* fitted; of a new bot its version before, or the mean */
    int64_t group_count; /* groups it was ever chosen for, those not yet played included */
};

struct pairing_field {
    int player_count; /* PAIRING_PLAYERS_MIN..PAIRING_PLAYERS_MAX, seats of a table */
    int bot_count;
    const struct pairing_bot *bots;
    const double *pair_se_elo; /* bot_count x bot_count as in struct fit; NULL: no results */
    const bool *met;           /* bot_count x bot_count: met at a table of that size; NULL: none */
    size_t group_limit;        /* of the opening stage, or of an ordinary batch; 0: no limit, or as
                                  many groups as bots play */
    bool opening;              /* first meetings only */
    bool authors_free;         /* bots of one author may meet */
    uint32_t batch;            /* from 0 */
    uint64_t seed;             /* decides between equals; the same for all batches of a season */
};

/* Who plays: player_count numbers of bots, in the base order of the group's seats. */
struct pairing_group {
    uint16_t bots[PAIRING_PLAYERS_MAX];
};

struct pairing_list {
    struct pairing_group *groups;
    size_t group_count;
    bool complete; /* of the opening stage: nobody is left to meet */
};

/*
 * True if some table can be seated. If not, pairing_choose gives no group. A bot on
 * probation counts only where there are too few others.
 */
bool pairing_can_seat(const struct pairing_field *field);

/*
 * Chooses the groups of a batch, in the order to play them.
 *
 * In the opening stage: groups of bots that are to meet and have not, those of the least
 * played first, up to the limit; none when all have met. Of up to PAIRING_ROUND_ROBIN_MAX bots
 * any two are to meet; of more, each and those nearest to it on a circle in random order, so
 * that it meets PAIRING_OPENING_MEETS others or all it may.
 *
 * Else as many groups as bots play, or group_limit, newcomers' first; one at least if a
 * table can be seated. Returns 0, or -ENOMEM with nothing to free. The caller calls
 * pairing_finish.
 */
int pairing_choose(const struct pairing_field *field, struct pairing_list *list);

/* Frees the groups. A zeroed list is fine. */
void pairing_finish(struct pairing_list *list);

#endif
