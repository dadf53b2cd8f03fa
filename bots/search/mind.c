/* SPDX-License-Identifier: MIT */
#include "bots/search/mind.h"

#include <string.h>

#include "sdk/steady/tables.h"
#include "engine/board.h"
#include "engine/tiles.h"
#include "engine/word.h"

/*
 * Share of a leaf's worth that comes from a plan (search.plan_percent), by round. The learned
 * weights are averages over all hands; in the last two rounds, a plan for the actual hand is more
 * accurate.
 */
static const uint8_t plan_percent[GAME_ROUNDS + 1] = {0, 0, 0, 0, 0, 80, 45};

/*
 * Values of search.plan_percent if search.play_count is set: in the last round, plan_play is more
 * accurate than plan_make, and takes forty times as long.
 */
static const uint8_t play_percent[GAME_ROUNDS + 1] = {0, 0, 0, 0, 0, 80, 75};

static void set_leaves(struct search *search, bool are_played)
{
    search->play_count = are_played ? MIND_PLAYS : 0;
    search->plan_percent = are_played ? play_percent : plan_percent;
    search->plan_reach = (are_played ? MIND_PLAY_REACH : MIND_PLAN_REACH) * VALUE_POINT;
}

void mind_init(struct mind *mind)
{
    mind->search.set = &mind->set;
    mind->search.lambda = MIND_LAMBDA;
    mind->search.depth_max = SEARCH_DEPTH_MAX;
    mind->search.plan_width = MIND_LEAF_WIDTH;
    set_leaves(&mind->search, false);
    mind->rollout.set = &mind->set;
    mind->rollout.lambda = MIND_LAMBDA;
}

void mind_forget(struct mind *mind)
{
    mind->search.values.weights = NULL;
    mind->rollout.values.weights = NULL;
    /*
     * Writes to all of this memory before the match, so that the kernel allocates no page during a
     * decision.
     */
    memset(mind->search.entries, 0, sizeof mind->search.entries);
    memset(mind->search.plans, 0, sizeof mind->search.plans);
    memset(mind->foretold, 0, sizeof mind->foretold);
}

void mind_begin(struct mind *mind, int player_count, enum board_side side)
{
    const struct net *nets = net_load(player_count, side);

    if (nets)
        memcpy(mind->nets, nets, sizeof mind->nets);
    mind->search.nets = mind->rollout.nets = nets ? mind->nets : NULL;
    tables_load(player_count, side, &mind->set);
    mind_forget(mind);
}

void mind_watch(struct mind *mind, const struct game *game, struct action action)
{
    int *foretold = &mind->foretold[game->player];

    *foretold = search_is_best_look(&mind->search, game, action) ? *foretold + 1 : 0;
}

/* Chooses by rollouts among plans that are nearly as good as the best. Returns the plan's index. */
static int judge_plans(struct mind *mind, const struct game *game, const struct plan *plans,
                       int count)
{
    struct search_line lines[SEARCH_LINES];
    int seat = game->player, near = 0;

    for (; near < count && plans[near].worth > plans[0].worth - MIND_PLACE_MARGIN * VALUE_POINT;
         near++) {
        struct game *last = &lines[near].last;

        *last = *game;
        last->seats[seat] = plans[near].seat;
        last->passed |= (uint8_t)(1u << seat);
        last->bonus = 0;
        lines[near].worth = plans[near].worth;
    }
    return rollout_choose(&mind->rollout, ROLLOUT_PLANS, seat, lines, near);
}

/* False for an action that wastes tiles, or pays with more wild tiles than necessary. */
static bool is_thrifty(const struct game *game, struct action action)
{
    int star = action.number[0], position = action.number[1], color = action.number[2];
    int own, cost;

    if (action.kind != ACTION_PLACE || color == game->round - 1)
        return !value_is_waste(game, action);
    own = tiles_of(game->seats[game->player].tiles, color);
    cost = board_costs[game->board][star][position];
    return action.number[3] == (cost > own ? cost - own : 0);
}

/* Returns the worth of the best plan that begins with an action. */
static int32_t worth_of_first(const struct mind *mind, const struct game *game,
                              struct action action, int width)
{
    struct step step = step_of(game, action);
    struct game after = *game;

    if (action.kind == ACTION_PASS)
        return value_of_action(&mind->set, game, action, MIND_LAMBDA);
    after.seats[game->player] = step.seat;
    after.supply = step.supply;
    return plan_make(&mind->set, &after, game->player, step.bonus, width, true).worth;
}

/*
 * Adds, after the best plan in plans[0], nearly as good plans with other first actions. Many plans
 * have equal worth, because a plan's worth does not depend on the order of its placements. In a
 * rollout the order matters, because the other seat takes tiles from the supply. Returns the number
 * of plans.
 */
static int list_firsts(const struct mind *mind, const struct game *game,
                       struct plan plans[static SEARCH_LINES])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t action_count = game_legal_actions(game, actions);
    int32_t best = plans[0].worth;
    int count = 1;

    for (size_t i = 0; i < action_count; i++) {
        struct plan plan = {.first = actions[i]};
        int place;

        if (!is_thrifty(game, plan.first) || word_of(plan.first) == word_of(plans[0].first))
            continue;
        if (mind->rollout.enough_fn && mind->rollout.enough_fn(mind->rollout.context))
            break;
        plan.worth = worth_of_first(mind, game, plan.first, MIND_LEAF_WIDTH);
        if (plan.worth >
            best) /* treats a plan that is better than the best plan of the wider search as equal */
            plan.worth = best;
        if (plan.worth <= best - MIND_PLACE_MARGIN * VALUE_POINT ||
            (count == MIND_FIRSTS && plan.worth <= plans[count - 1].worth))
            continue;
        place = count < MIND_FIRSTS ? count++ : count - 1;
        for (; place > 1 && plans[place - 1].worth < plan.worth; place--)
            plans[place] = plans[place - 1];
        plans[place] = plan;
    }
    return count;
}

static struct action plan(struct mind *mind, const struct game *game, int64_t think_us)
{
    int width = think_us < MIND_PLAN_WIDTH * MIND_PLAN_US ? (int)(think_us / MIND_PLAN_US)
                                                          : MIND_PLAN_WIDTH;
    bool has_rollouts = game->player_count == 2 && think_us >= MIND_PLACE_US;
    bool is_last = game->round == GAME_ROUNDS;
    struct plan plans[SEARCH_LINES];
    int count = plan_list(&mind->set, game, game->player, game->bonus, width > 0 ? width : 1, true,
                          plans, has_rollouts && !is_last ? MIND_LINES : 1);

    mind->worth = plans[0].worth;
    if (has_rollouts && is_last) {
        count = list_firsts(mind, game, plans);
        return plans[rollout_choose_first(&mind->rollout, game, plans, count)].first;
    }
    return plans[count > 1 ? judge_plans(mind, game, plans, count) : 0].first;
}

/* Chooses by rollouts among the best drafts of a search that reached the end of the round. */
static struct action judge_drafts(struct mind *mind, const struct game *game, struct action best)
{
    struct search_line lines[SEARCH_LINES];
    int most = game->round == GAME_ROUNDS ? MIND_LAST_LINES : MIND_LINES;
    int count = search_lines(&mind->search, game, best, mind->worth, MIND_MARGIN * VALUE_POINT,
                             most, lines);

    return lines[rollout_choose(&mind->rollout, ROLLOUT_DRAFTS, game->player, lines, count)].action;
}

struct action mind_choose(struct mind *mind, const struct game *game, int64_t think_us,
                          bool (*enough_fn)(void *context), void *context)
{
    struct search *search = &mind->search;
    struct action best;

    mind->rollout.count = 0;
    search->enough_fn = mind->rollout.enough_fn = enough_fn;
    search->context = mind->rollout.context = context;
    if (game_phase(game) != PHASE_DRAFT)
        return plan(mind, game, think_us);
    for (int seat = 0; seat < game->player_count; seat++)
        search->replies[seat] = mind->foretold[seat] >= MIND_FORETOLD ? 1
                                : game->player_count > 2              ? MIND_REPLIES
                                                                      : 0;
    set_leaves(search, false);
    best = search_draft(search, game, &mind->worth);
    if (game->player_count > 2 || !search->is_exact || think_us < MIND_ROLLOUT_US)
        return best;
    if (game->round == GAME_ROUNDS && think_us >= MIND_PLAY_US) {
        int32_t worth = mind->worth;
        struct action again;

        set_leaves(search, true);
        again = search_draft(search, game, &worth);
        if (!search->is_exact) /* the time is over */
            return best;
        best = again;
        mind->worth = worth;
    }
    return judge_drafts(mind, game, best);
}

/*
 * Sets the worths of all other seats in the place phase: of a seat's plan or, if the seat has
 * passed, of its position.
 */
static void weigh_others(const struct mind *mind, const struct game *game,
                         int32_t worths[static GAME_PLAYERS_MAX])
{
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct game_seat *state = &game->seats[seat];
        struct outlook outlook;

        if (seat == game->player)
            continue;
        if (!(game->passed >> seat & 1)) {
            worths[seat] = plan_make(&mind->set, game, seat, 0, MIND_LEAF_WIDTH, true).worth;
            continue;
        }
        outlook = outlook_of_place(game, state, seat, VALUE_END, 0);
        worths[seat] = VALUE_POINT * state->score + value_of(&mind->set, &outlook);
    }
}

void mind_compare(struct mind *mind, const struct game *game, struct action best,
                  struct action other, int32_t worths[static 2])
{
    struct search *search = &mind->search;
    int32_t by_seat[GAME_PLAYERS_MAX];

    if (game_phase(game) == PHASE_DRAFT) {
        worths[0] = worths[1] = mind->worth;
        /* Depth 0: enough_fn has stopped mind_choose() before it knew a worth. */
        if (search->depth == 0 || (action_compare(best, other) != 0 &&
                                   !search_worth(search, game, other, search->depth, &worths[1]))) {
            search_worth(search, game, best, 1, &worths[0]);
            search_worth(search, game, other, 1, &worths[1]);
        }
        return;
    }
    weigh_others(mind, game, by_seat);
    for (int i = 0; i < 2; i++) {
        by_seat[game->player] = worth_of_first(mind, game, i ? other : best, MIND_PLAN_WIDTH);
        worths[i] = value_relative(game, game->player, MIND_LAMBDA, by_seat);
    }
}
