/*
 * Whom to play next. A pure function: the same field gives the same groups on every
 * machine, and nothing is remembered between calls. A season calls it once a batch,
 * with what was known before its last batch began, so that a schedule depends on
 * results and never on timing. Source: docs/ratings.md.
 *
 * No group has a bot twice; none of three or four seats has two bots of one author.
 */
#ifndef ARENA_SEASON_PAIRING_H
#define ARENA_SEASON_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pairing_limits {
    PAIRING_PLAYERS_MIN = 2,
    PAIRING_PLAYERS_MAX = 4,
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
    uint32_t batch;            /* from 0; batch 0 is the round robin a season begins with */
    uint64_t seed;             /* decides between equals; the same for all batches of a season */
};

/* Who plays: player_count numbers of bots, in the base order of the group's seats. */
struct pairing_group {
    uint16_t bots[PAIRING_PLAYERS_MAX];
};

struct pairing_list {
    struct pairing_group *groups;
    size_t group_count;
};

/*
 * True if some table can be seated. If not, pairing_choose gives no group. A bot on
 * probation counts only where there are too few others.
 */
bool pairing_can_seat(const struct pairing_field *field);

/*
 * Chooses the groups of a batch, in the order to play them. Batch 0: every two bots
 * that may share a table meet at one at least (exactly once with two players). Any
 * other: as many groups as bots play, newcomers' first. At least one group if a table
 * can be seated. Returns 0, or -ENOMEM with nothing to free. The caller calls
 * pairing_finish.
 */
int pairing_choose(const struct pairing_field *field, struct pairing_list *list);

/* Frees the groups. A zeroed list is fine. */
void pairing_finish(struct pairing_list *list);

#endif
