/*
 * Rollouts: choose among drafts that the search finds nearly equal, or among plans, by playing each
 * on with the same draws. A rollout starts where the search expects the round's draft to end, or
 * where a plan ends for a seat that has then passed. In rounds 1 to 5 seats that have not passed
 * then place by plans, the next round is dealt, every seat takes the draft that looks best one
 * draft ahead, and plans and weights value the end of that draft. In round 6 seats place, draw by
 * draw, to the end of the game; there rollouts also choose among first placements. Knows no clock:
 * the caller says when to stop.
 */
#ifndef BOTS_SEARCH_ROLLOUT_H
#define BOTS_SEARCH_ROLLOUT_H

#include "bots/search/search.h"

enum {
    ROLLOUT_MAX = 400,      /* rollouts of one line */
    ROLLOUT_POINT = 256,    /* one point in the units of struct rollout_line */
    ROLLOUT_DOUBT = 3,      /* points: how far the search is off (standard deviation) when it says
                               how much better one draft is than another */
    ROLLOUT_PLAN_DOUBT = 3, /* half points: the same for plans of the last round */
    ROLLOUT_WIDTH = 2,      /* width of plans where a rollout ends */
    ROLLOUT_PLAN_PERCENT = 60, /* share of the worth there that comes from a plan, the rest coming
                                  from the weights */
    ROLLOUT_PLACE_WIDTH = 4,   /* width of plans by which seats place */
};

/* A line under comparison. Leads are over the first line, in 1/ROLLOUT_POINT points. */
struct rollout_line {
    struct game game;     /* start of its rollouts */
    uint64_t first;       /* word of the action that they begin with; 0: none */
    int64_t before;       /* lead by the search */
    int64_t sum, squares; /* sums over rollouts of the lead and of its square */
    bool is_out;          /* dropped: no longer played */
};

struct rollout {
    /* parameters: set these before */
    const struct weights_set *set;
    int lambda;                       /* for value_of_draft, 256 means 1 */
    bool (*enough_fn)(void *context); /* called before each draft or plan; NULL: never stop */
    void *context;

    /* result */
    int count; /* rollouts of each line */

    /* internal */
    int seat;
    int64_t doubt; /* variance of the search's leads */
    bool is_stopped;
    struct drafting_values values;
    struct rollout_line lines[SEARCH_LINES];
};

/* Chooses for a seat among 1 or more lines, the search's best first. Returns the index. */
int rollout_choose(struct rollout *rollout, int seat, const struct search_line *lines, int count);

/*
 * The same for the seat to act in phase 2 of the last round, among the first actions of 1 or more
 * plans, the best first. The action is played with the draws of the rollout, then both seats place
 * to the end: what the supply still brings, and what the other seat takes from it, counts.
 */
int rollout_choose_first(struct rollout *rollout, const struct game *game, const struct plan *plans,
                         int count);

#endif
