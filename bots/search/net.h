/* SPDX-License-Identifier: MIT */
/*
 * A small neural network that values the end of a draft phase with two players on the colored side.
 * It corrects the blend of learned weights and plan, which is a sum over features and cannot know
 * what two features are worth together. bots/training/fit.c makes the networks, one per round. Only
 * integers: the same result on every machine.
 *
 * The worth of a seat is base + the sum over columns of output * max(0, sum of inputs * weights).
 * Inputs describe a seat with its plan; some of them also influence the other seat's worth. So what
 * a seat contributes to both sums (struct net_half) is computed once for each of its hands.
 */
#ifndef BOTS_SEARCH_NET_H
#define BOTS_SEARCH_NET_H

#include "sdk/steady/plan.h"

enum {
    NET_COLUMNS = 32,           /* the last column is added without the limit at 0 */
    NET_LINE = NET_COLUMNS - 1, /* number of the last column */
    NET_OWN = 354,              /* inputs for the worth of the seat itself */
    NET_OTHER = 32,             /* inputs for the worth of the other seat */
    NET_INPUTS = NET_OWN + NET_OTHER,
    NET_UNIT = 4096,       /* units of weights and outputs per 1 */
    NET_PLAN_PERCENT = 80, /* share of the base that a plan gives */
    NET_PLAN_WIDTH = 4,    /* beam width of the plans */
};

struct net {
    int16_t weights[NET_INPUTS][NET_COLUMNS];
    int16_t outputs[NET_COLUMNS]; /* that of the last column is not used */
};

/* The inputs of a seat that are not 0. Those from own_count on are for the other seat's worth. */
struct net_inputs {
    int count, own_count;
    uint16_t index[NET_INPUTS];
    int16_t value[NET_INPUTS];
};

/* The end of a draft phase, as a seat sees it. Pointers are borrowed. */
struct net_view {
    const struct game_seat *seat;
    const struct plan *plan; /* plan_make without bonus tiles, supply not depleted */
    int32_t linear;          /* score plus value by the weights */
    uint64_t supply, bag;    /* tiles */
    bool is_start;           /* the seat drafts first in the next round */
};

/* What a seat contributes to its own worth and to the other's. */
struct net_half {
    int32_t own[NET_COLUMNS];
    int32_t other[NET_COLUMNS];
    int32_t base; /* the blend minus the seat's score */
};

/* Returns the networks of rounds 1 to GAME_ROUNDS, or NULL if there are none for such games. */
const struct net *net_load(int player_count, enum board_side side);

/* Returns the view of a seat at the end of a draft phase. */
struct net_view net_view_of(const struct game *game, int seat, const struct plan *plan,
                            int32_t linear);

/* Lists the inputs of a seat. */
void net_list(const struct net_view *view, struct net_inputs *inputs);

/* Returns the blend of weights and plan that a network corrects. */
int32_t net_base(const struct net_view *view);

/* Sets what a seat contributes; *half does not depend on the seat's score. */
void net_halve(const struct net *net, const struct net_view *view, struct net_half *half);

/* Returns the worth of a seat minus its score. */
int32_t net_worth(const struct net *net, const struct net_half *own, const struct net_half *other);

#endif
