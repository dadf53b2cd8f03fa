/* SPDX-License-Identifier: MIT */
/*
 * How the bot maestro decides: it searches for drafts and plans placements; with two players,
 * rollouts compare the best drafts or placements. Reads no clock: enough_fn says when to stop.
 */
#ifndef BOTS_SEARCH_MIND_H
#define BOTS_SEARCH_MIND_H

#include "bots/search/search.h"

/* ---- rollouts (rollout.c) ---- */

enum {
    ROLLOUT_MAX = 400,   /* largest number of rollouts of one line */
    ROLLOUT_POINT = 256, /* units of struct rollout_line per point */
    ROLLOUT_WIDTH = 2,   /* beam width of plans that value the end of a rollout */
    /* Share of a rollout's worth that a plan gives; the weights give the rest. */
    ROLLOUT_PLAN_PERCENT = 60,
    ROLLOUT_PLACE_WIDTH = 4, /* beam width of plans by which seats place during a rollout */
};

/* What rollouts compare. */
enum rollout_kind {
    ROLLOUT_DRAFTS,
    ROLLOUT_PLANS,
};

/*
 * A line of play that rollouts compare with others. A lead is the worth of the line minus the worth
 * of the first line, in 1/ROLLOUT_POINT points.
 */
struct rollout_line {
    struct game game; /* game from which the line's rollouts start */
    uint64_t first;   /* first action of every rollout of the line, as a word; 0: any */
    int64_t before;   /* the line's lead over the first line as the search estimated it, before any
                         rollout */
    int64_t sum, squares; /* sum of the leads in all rollouts, and sum of their squares */
    bool is_out; /* the rollouts play this line no more: it is worse, or as good as another */
};

struct rollout {
    /* Parameters, which the caller sets before the first call. */
    const struct weights_set *set;
    int lambda; /* weight of other seats' points (lambda of value_of_draft); 256 means 1 */
    bool (*enough_fn)(void *context); /* called before each draft or plan; returns true to stop;
                                         NULL: never stop */
    void *context;
    const struct net *nets; /* as in struct search: they value the ends of rollouts */

    /* result */
    int count; /* number of rollouts of each line */

    /* internal */
    int seat;
    int64_t doubt;  /* variance of the error of rollout_line.before */
    int64_t bias;   /* variance of the error of the mean of endlessly many rollouts */
    bool is_to_end; /* rollouts go on to the end of the game */
    bool is_stopped;
    struct drafting_values values;
    struct rollout_line lines[SEARCH_LINES];
};

/*
 * Chooses the best of `count` lines for a seat, count >= 1: of drafts, with their searched ends, or
 * of plans. lines[0] is the best line of the search. Returns the index of the best line.
 */
int rollout_choose(struct rollout *rollout, enum rollout_kind kind, int seat,
                   const struct search_line *lines, int count);

/*
 * Chooses, for the seat to act in the place phase of the last round with two players, among the
 * first actions of `count` plans (at least 1, the best plan first). A rollout plays the first
 * action, then both seats place to the end of the game; so it takes into account which tiles come
 * to the supply, and which of them the other seat takes. Returns the index of the best plan.
 */
int rollout_choose_first(struct rollout *rollout, const struct game *game, const struct plan *plans,
                         int count);

/*
 * Plays a draft phase in which every seat takes the draft that looks best two drafts ahead, as in a
 * rollout; or, with a probability of random_permille, one of those that look best one draft ahead.
 * *random is the state of draw_next.
 */
void rollout_draft(struct rollout *rollout, struct game *game, uint32_t random_permille,
                   uint64_t *random);

/* ---- decisions (mind.c) ---- */

enum {
    MIND_LAMBDA = 256,   /* weight of other seats' points: as much as the bot's own (lambda of
                            value_of_draft) */
    MIND_PLAN_WIDTH = 8, /* maximum beam width of the plan by which the bot places */
    MIND_PLAN_US = 200,  /* estimated time of plan_list, divided by its beam width */
    MIND_LEAF_WIDTH = 4, /* maximum beam width of the plan that values a leaf of the search */
    MIND_PLAN_REACH = 6, /* value of search.plan_reach, in points, while search.play_count is 0 */
    MIND_LINES = 8,      /* largest number of drafts or plans that rollouts compare */
    MIND_LAST_LINES = 4, /* largest number of drafts in the last round, whose rollouts are long */
    MIND_FIRSTS = 16, /* largest number of first actions that rollouts of the last round compare */
    MIND_MARGIN = 4,  /* points: rollouts compare only drafts this close to the best one */
    MIND_PLAYS = 4,   /* value of search.play_count if the bot has at least MIND_PLAY_US to think */
    /* Value of search.plan_reach, in points, while search.play_count is MIND_PLAYS. */
    MIND_PLAY_REACH = 9,
    MIND_PLAY_US = 100000, /* minimum thinking time for a search with MIND_PLAYS */
    MIND_PLACE_US = 20000, /* minimum thinking time for rollouts of placements */
    MIND_PLACE_MARGIN = 4, /* points: rollouts compare only placements this close to the best one */
    MIND_ROLLOUT_US = 5000, /* minimum thinking time for rollouts of drafts and plans */
    MIND_REPLIES = 3, /* number of drafts that the search considers for each other seat, with three
                         or four players */
    /* Correctly predicted drafts in a row after which a seat counts as predictable. */
    MIND_FORETOLD = 8,
};

/* A mind has about 12 MiB, too much for the stack. */
struct mind {
    struct weights_set set; /* weights for the current match, from tables_load() */
    /* Networks for the current match: a copy, so that no decision waits for the program's file. */
    struct net nets[GAME_ROUNDS];
    struct search search;
    struct rollout rollout;
    int32_t worth;                  /* worth of the last decided action to the seat that made it */
    int foretold[GAME_PLAYERS_MAX]; /* by seat: number of its latest drafts in a row that a search
                                       of one draft would have chosen, too */
};

/* Initializes a mind without networks, except its weights, which the caller must set before the
 * first decision. */
void mind_init(struct mind *mind);

/* Begins a match with the weights that mind->set has. */
void mind_forget(struct mind *mind);

/* Begins a match: loads the built-in weights and networks for this kind of game. */
void mind_begin(struct mind *mind, int player_count, enum board_side side);

/*
 * Looks at another seat's draft, to learn whether that seat is predictable. `game` is the game
 * before the draft.
 */
void mind_watch(struct mind *mind, const struct game *game, struct action action);

/*
 * Decides for the seat to act. Calls enough_fn (NULL: never stop) at least every tenth of a
 * millisecond during a search, and after each plan, which takes a millisecond or two; stops
 * searching when enough_fn returns true. The beam width of the plan depends on think_us, the
 * thinking time.
 */
struct action mind_choose(struct mind *mind, const struct game *game, int64_t think_us,
                          bool (*enough_fn)(void *context), void *context);

/*
 * Call after mind_choose() has chosen `best` in this game with think_us below MIND_ROLLOUT_US. Sets
 * worths[0] and worths[1] to the expected lead of the seat to act over the mean of the other seats
 * at the end of the match (units of VALUE_POINT): after `best`, and after another action. Calls
 * enough_fn as mind_choose() does; if enough_fn stops the search, compares only one draft ahead.
 */
void mind_compare(struct mind *mind, const struct game *game, struct action best,
                  struct action other, int32_t worths[static 2]);

#endif
