/* SPDX-License-Identifier: MIT */
/*
 * Chooses who plays whom next. A pure function: the same field gives the same groups on every
 * machine, and no state is kept between calls. A season calls it once per batch, with the results
 * of all batches except the last: a schedule depends on results and never on timing. Source:
 * docs/ratings.md.
 *
 * No bot is twice in a group. Unless the season allows it, two bots of one author never share a
 * table of three or four seats, nor any table if three or more authors play. Each reference bot has
 * an author number of its own.
 */
#ifndef ARENA_SEASON_PAIRING_H
#define ARENA_SEASON_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pairing_limits {
    PAIRING_PLAYERS_MIN = 2,
    PAIRING_PLAYERS_MAX = 4,
    PAIRING_ROUND_ROBIN_MAX = 12,  /* if at most this many bots play, all pairs meet */
    PAIRING_FIRST_MEETS = 10,      /* if more bots play, each first meets this many opponents */
    PAIRING_NEWCOMER_MEETS = 5,    /* number of opponents of a new bot in its first batch */
    PAIRING_RANKS_NEAR = 3,        /* most ranks between the least-played bot and opponents */
    PAIRING_PROBATION_BATCHES = 4, /* a bot on probation plays one group in this many batches */
};

enum pairing_role {
    PAIRING_ACTIVE = 0,    /* the bot plays */
    PAIRING_NEW = 1,       /* the bot plays, and has not been in any group yet */
    PAIRING_PROBATION = 2, /* the bot is on probation: it plays a group now and then */
    PAIRING_AWAY = 3,      /* the bot does not play: it was retired */
};

/* What pairing knows of one bot. */
struct pairing_bot {
    enum pairing_role role;
    int author; /* number shared by all bots of one author */
    double elo; /* fitted rating; for a new bot, the rating of its previous version or the mean */
    /* What was chosen with the bot, played or not: groups; in an even field, their games. */
    int64_t share;
};

/* The bots from which pairing_choose chooses groups for one table size, and the rules. */
struct pairing_field {
    int player_count; /* seats of a table, PAIRING_PLAYERS_MIN..PAIRING_PLAYERS_MAX */
    int bot_count;
    const struct pairing_bot *bots;
    /* The next two have bot_count x bot_count elements, or are NULL if there are no results. */
    const double *pair_se_elo; /* as in struct fit */
    const int32_t *met;        /* in how many groups of player_count seats two bots were */
    size_t group_limit; /* maximum number of groups; 0: all first meetings, or as many groups as
                           bots play */
    bool only_first;    /* the batch has only first meetings */
    bool in_rounds;     /* up to PAIRING_ROUND_ROBIN_MAX bots play rounds: see pairing_choose */
    bool authors_free;  /* bots of one author may meet */
    bool is_even;       /* every group is for the least-played bot: see pairing_choose */
    uint32_t batch;     /* number of the batch, from 0 */
    uint64_t seed;      /* breaks ties; equal for all batches of a season */
};

/*
 * The player_count bots of a group, as indexes into the field's bots. The schedule seats them in
 * this order or in reverse, and moves every bot by one seat from game to game.
 */
struct pairing_group {
    uint16_t bots[PAIRING_PLAYERS_MAX];
};

struct pairing_list {
    struct pairing_group *groups;
    size_t group_count;
    bool complete; /* all pairs of bots that should meet have met; set if only_first is set */
};

/* True if the bots can fill a table. If not, pairing_choose chooses no group. */
bool pairing_can_seat(const struct pairing_field *field);

/*
 * Chooses the groups of a batch, in the order in which to play them.
 *
 * With only_first, each group has bots that should meet and have not. There are at most
 * group_limit groups, those of the least-played bots first, and none once all such bots have met.
 * With up to PAIRING_ROUND_ROBIN_MAX bots, all pairs should meet. With more, the bots form a circle
 * in random order, and each bot should meet its nearest neighbors there, until it has met
 * PAIRING_FIRST_MEETS bots or all that it may meet.
 *
 * With in_rounds, up to PAIRING_ROUND_ROBIN_MAX bots play one round robin after the other: the
 * next group is for the least-played bot of a pair that has met least. At tables of two all pairs
 * that were there from the start have met equally often at the end of a round. A bot that comes
 * late plays until it has met the others as often; two late bots meet twice in each round.
 *
 * In other later batches, there are group_limit groups, or as many as bots play; newcomers' groups
 * come first, and there is at least one group if a table can be filled.
 *
 * With is_even, if more bots play, each of these groups is for the bot with the fewest games,
 * against the bots nearest on the ladder among the three quarters that have played least. So bots
 * that come late catch up, against the whole field, and nobody runs ahead meanwhile.
 *
 * Returns 0, or -ENOMEM with nothing to free. The caller calls pairing_finish.
 */
int pairing_choose(const struct pairing_field *field, struct pairing_list *list);

/* Frees the groups. Accepts a zeroed list. */
void pairing_finish(struct pairing_list *list);

#endif
