/* SPDX-License-Identifier: MIT */
/* Compares the networks with a simple implementation, and with the outcomes of games. */
#include <criterion/criterion.h>
#include <string.h>

#include "bots/search/mind.h"
#include "bots/training/fit.h"
#include "tests/bots/play.h"

static struct mind mind;

static struct net_view view_of(const struct game *game, int seat, struct plan *plan)
{
    struct outlook outlook = outlook_of_draft(game, seat);

    *plan = plan_make(&mind.set, game, seat, 0, NET_PLAN_WIDTH, false);
    return net_view_of(game, seat, plan,
                       VALUE_POINT * game->seats[seat].score + value_of(&mind.set, &outlook));
}

/* Returns the worth of a seat by one network, from all inputs and weights. */
static int32_t simple_worth(const struct net *net, const struct game *game, int seat)
{
    int64_t sums[NET_COLUMNS] = {0}, sum = 0;
    struct net_view view;

    for (int i = 0; i < 2; i++) {
        struct net_inputs inputs;
        struct plan plan;

        view = view_of(game, i == 0 ? 1 - seat : seat, &plan);
        net_list(&view, &inputs);
        for (int k = 0; k < inputs.count; k++)
            if ((inputs.index[k] < NET_OWN) == (i == 1))
                for (int column = 0; column < NET_COLUMNS; column++)
                    sums[column] += inputs.value[k] * net->weights[inputs.index[k]][column];
        if (i == 1)
            sum = net_base(&view);
    }
    for (int column = 0; column < NET_LINE; column++)
        sums[column] = sums[column] > 0 ? sums[column] * net->outputs[column] : 0;
    sums[NET_LINE] *= NET_UNIT;
    for (int column = 1; column < NET_COLUMNS; column++)
        sums[0] += sums[column];
    return (int32_t)(sum + sums[0] / (NET_UNIT * NET_UNIT / VALUE_POINT));
}

static int32_t minimax(const struct game *game, int seat)
{
    bool is_own = game->player == seat;
    int32_t best = is_own ? INT32_MIN : INT32_MAX;
    struct action actions[GAME_ACTIONS_MAX];
    size_t count;

    if (game->phase != PHASE_DRAFT)
        return simple_worth(&mind.search.nets[game->round - 1], game, seat) -
               simple_worth(&mind.search.nets[game->round - 1], game, 1 - seat);
    count = game_legal_actions(game, actions);
    for (size_t i = 0; i < count; i++) {
        struct game after = *game;
        int32_t worth;

        game_play(&after, actions[i]);
        worth = minimax(&after, seat);
        if (is_own ? worth > best : worth < best)
            best = worth;
    }
    return best;
}

Test(net, is_what_a_search_sees_at_the_end_of_a_draft)
{
    mind_init(&mind);
    mind_begin(&mind, 2, BOARD_COLORED);
    cr_assert_not_null(mind.search.nets);
    mind.search.plan_reach = 0;
    for (uint64_t number = 0; number < 24; number++) {
        struct game game = late_draft(settings[0], number, 1 + (int)number % 6, 7);
        int32_t worth;

        search_draft(&mind.search, &game, &worth);
        cr_assert(mind.search.is_exact);
        cr_expect_eq(worth, minimax(&game, game.player), "game %d", (int)number);
    }
}

Test(net, is_for_two_players_on_the_colored_side)
{
    mind_init(&mind);
    for (int i = 0; i < SETTINGS; i++) {
        mind_begin(&mind, settings[i].player_count, settings[i].side);
        cr_expect_eq(mind.search.nets != NULL, i == 0);
        cr_expect_eq(mind.rollout.nets != NULL, i == 0);
    }
}

static double errors[GAME_ROUNDS + 1][2];

static void keep_errors(uint32_t played, int round, double before, double after)
{
    (void)played;
    errors[round][0] = before;
    errors[round][1] = after;
}

/* Few games teach little, but the same each time; and more than nothing about round 6. */
Test(fit, learns_from_games)
{
    static struct net nets[GAME_ROUNDS], again[GAME_ROUNDS];
    struct fit fit = {.set = &mind.set, .game_count = 100, .epoch_count = 2, .seed = 3};

    fit.report_fn = keep_errors;
    tables_load(2, BOARD_COLORED, &mind.set);
    cr_assert(fit_make(&fit, nets));
    for (int round = 1; round <= GAME_ROUNDS; round++)
        cr_expect_gt(errors[round][0], 0);
    cr_assert(fit_make(&fit, again));
    cr_expect_eq(memcmp(nets, again, sizeof nets), 0);
    fit.seed = 4;
    cr_assert(fit_make(&fit, again));
    cr_expect_neq(memcmp(nets, again, sizeof nets), 0);
}
