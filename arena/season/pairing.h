/*
 * Chooses who plays whom next. A pure function: the same field gives the same groups on every
 * machine, and no state is kept between calls. A season calls it once per batch with the results
 * known before its last batch began, so that a schedule depends on results and never on timing.
 * Source: docs/ratings.md.
 *
 * No group has a bot twice. Unless the season allows it, two bots of one author never share a table
 * of three or four seats, nor any table if three or more authors play.
 */
#ifndef ARENA_SEASON_PAIRING_H
#define ARENA_SEASON_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pairing_limits {
    PAIRING_PLAYERS_MIN = 2,
    PAIRING_PLAYERS_MAX = 4,
    PAIRING_ROUND_ROBIN_MAX = 12,  /* up to this many bots, all pairs meet in the opening stage */
    PAIRING_OPENING_MEETS = 10,    /* opponents of each bot there if there are more bots */
    PAIRING_NEWCOMER_MEETS = 5,    /* first opponents of a new bot */
    PAIRING_RANKS_NEAR = 3,        /* how many ranks away the least-played bot's opponents may be */
    PAIRING_PROBATION_BATCHES = 4, /* a bot on probation plays one group per this many batches */
};

enum pairing_role {
    PAIRING_ACTIVE = 0,    /* plays */
    PAIRING_NEW = 1,       /* plays, and has not been in any group yet */
    PAIRING_PROBATION = 2, /* plays a group now and then */
    PAIRING_AWAY = 3,      /* does not play: retired */
};

/* What pairing knows of one bot. */
struct pairing_bot {
    enum pairing_role role;
    int author; /* the same for all bots of one author */
    double elo; /* fitted rating; for a new bot that of its previous version, or the mean */
    int64_t group_count; /* groups that were chosen with it, played or not */
};

struct pairing_field {
    int player_count; /* seats of a table, PAIRING_PLAYERS_MIN..PAIRING_PLAYERS_MAX */
    int bot_count;
    const struct pairing_bot *bots;
    const double *pair_se_elo; /* bot_count x bot_count as in struct fit; NULL: no results */
    const bool *met; /* bot_count x bot_count: have met at a table of that size; NULL: none have */
    size_t group_limit; /* limit for the opening stage, or for an ordinary batch; 0: no limit in the
                           opening stage, as many groups as bots play in others */
    bool opening;       /* opening stage: first meetings only */
    bool authors_free;  /* bots of one author may meet */
    uint32_t batch;     /* number of the batch, from 0 */
    uint64_t seed;      /* breaks ties; the same for all batches of a season */
};

/* The player_count bots of a group, as indexes into the field, in the base order of its seats. */
struct pairing_group {
    uint16_t bots[PAIRING_PLAYERS_MAX];
};

struct pairing_list {
    struct pairing_group *groups;
    size_t group_count;
    bool complete; /* opening stage: all pairs that should meet have met */
};

/*
 * True if a table can be filled. If not, pairing_choose chooses no group. Bots on probation count
 * only if there are too few others.
 */
bool pairing_can_seat(const struct pairing_field *field);

/*
 * Chooses the groups of a batch, in the order in which to play them.
 *
 * In the opening stage: groups of bots that should meet and have not, up to the limit, with the
 * least-played bots first; none once all have met. With up to PAIRING_ROUND_ROBIN_MAX bots, all
 * pairs should meet. With more, the bots form a circle in random order, and each should meet those
 * nearest to it, until it has met PAIRING_OPENING_MEETS others or all that it may.
 *
 * Otherwise: as many groups as bots play, or group_limit, newcomers' groups first; at least one if
 * a table can be filled. Returns 0, or -ENOMEM with nothing to free. The caller calls
 * pairing_finish.
 */
int pairing_choose(const struct pairing_field *field, struct pairing_list *list);

/* Frees the groups. Accepts a zeroed list. */
void pairing_finish(struct pairing_list *list);

#endif
