/*
 * Rollouts choose among drafts that the search finds nearly equal, or among plans: they play on
 * from each of these lines, with the same random draws of tiles. A rollout starts at the end of the
 * draft phase that the search expects, or at the end of a plan, when the seat has passed. In rounds
 * 1 to 5, seats that have not passed place by plans, the engine deals the next round, every seat
 * takes the draft that looks best one draft ahead, and plans and weights value the end of that
 * draft phase. In round 6, seats place until the end of the game, with real draws for the supply;
 * in this round, rollouts also choose among first placements. Reads no clock: enough_fn says when
 * to stop.
 */
#ifndef BOTS_SEARCH_ROLLOUT_H
#define BOTS_SEARCH_ROLLOUT_H

#include "bots/search/search.h"

enum {
    ROLLOUT_MAX = 400,      /* largest number of rollouts of one line */
    ROLLOUT_POINT = 256,    /* units of struct rollout_line per point */
    ROLLOUT_DOUBT = 3,      /* points: standard deviation of the search's error for two drafts */
    ROLLOUT_PLAN_DOUBT = 3, /* half points: standard deviation of the error when plans of the last
                               round are compared */
    ROLLOUT_WIDTH = 2,      /* width of plans that value the end of a rollout */
    ROLLOUT_PLAN_PERCENT =
        60, /* share of a rollout's worth that a plan gives; the weights give the rest */
    ROLLOUT_PLACE_WIDTH = 4, /* width of plans by which seats place during a rollout */
};

/*
 * A line of play that rollouts compare with others. A lead is the worth of the line minus the worth
 * of the first line, in 1/ROLLOUT_POINT points.
 */
struct rollout_line {
    struct game game;     /* game from which the line's rollouts start */
    uint64_t first;       /* first action of every rollout of the line, as a word; 0: any */
    int64_t before;       /* lead as the search estimated it, before any rollout */
    int64_t sum, squares; /* sum of the leads in all rollouts, and sum of their squares */
    bool is_out;          /* sort_out has dropped the line */
};

struct rollout {
    /* Parameters, which the caller sets before the first call. */
    const struct weights_set *set;
    int lambda;                       /* argument lambda of value_of_draft; 256 means 1 */
    bool (*enough_fn)(void *context); /* called before each draft or plan; returns true to stop;
                                         NULL: never stop */
    void *context;

    /* result */
    int count; /* number of rollouts of each line */

    /* internal */
    int seat;
    int64_t doubt; /* variance of the error of rollout_line.before */
    bool is_stopped;
    struct drafting_values values;
    struct rollout_line lines[SEARCH_LINES];
};

/*
 * Chooses the best of `count` lines for a seat, count >= 1. lines[0] is the best line of the
 * search. Returns the index of the best line.
 */
int rollout_choose(struct rollout *rollout, int seat, const struct search_line *lines, int count);

/*
 * Chooses, for the seat to act in the place phase of the last round with two players, among the
 * first actions of `count` plans (at least 1, the best plan first). A rollout plays the first
 * action, then both seats place to the end of the game; so it takes into account which tiles come
 * to the supply, and which of them the other seat takes. Returns the index of the best plan.
 */
int rollout_choose_first(struct rollout *rollout, const struct game *game, const struct plan *plans,
                         int count);

#endif
