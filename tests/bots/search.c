/* SPDX-License-Identifier: MIT */
/* Compares search and plans with simple implementations of the same. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bots/search/mind.h"
#include "engine/tiles.h"
#include "engine/word.h"
#include "tests/bots/play.h"

static struct weights_set set;
static struct search search;
static struct mind mind;

/* What a draft's end is worth: so much of it by plans, the rest by the weights. */
static int32_t end_worth(const struct game *game, int seat, int plan_percent)
{
    int64_t own = 0, others = 0;

    for (int i = 0; i < game->player_count; i++) {
        struct outlook outlook = outlook_of_draft(game, i);
        int64_t worth = VALUE_POINT * game->seats[i].score + value_of(&set, &outlook);

        if (game->phase != PHASE_DRAFT && plan_percent > 0) {
            int64_t plan = game->round == GAME_ROUNDS && search.play_count > 0
                               ? plan_play(&set, game, i, 2, search.play_count)
                               : plan_make(&set, game, i, 0, 2, false).worth;

            worth += (plan - worth) * plan_percent / 100;
        }
        *(i == seat ? &own : &others) += worth;
    }
    return (int32_t)(own - others / (game->player_count - 1));
}

/* A search without any optimization. */
static int32_t minimax(const struct game *game, int seat, int depth, int plan_percent)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    bool is_own = game->player == seat;
    int32_t best = is_own ? INT32_MIN : INT32_MAX;

    if (depth == 0 || game->phase != PHASE_DRAFT)
        return end_worth(game, seat, plan_percent);
    for (size_t i = 0; i < count; i++) {
        struct game after = *game;
        int32_t worth;

        game_play(&after, actions[i]);
        worth = minimax(&after, seat, depth - 1, plan_percent);
        if (is_own ? worth > best : worth < best)
            best = worth;
    }
    return best;
}

Test(search, finds_what_minimax_finds)
{
    fill_by_chance(&set, 5);
    for (int i = 0; i < SETTINGS; i++)
        for (uint64_t number = 0; number < 6; number++)
            for (int depth = 1; depth <= 4; depth++) {
                struct game game = late_draft(settings[i], number, 1 + (int)number % 6, 9), after;
                int32_t worth;

                search.set = &set;
                search.lambda = 256;
                search.depth_max = depth;
                after = game;
                cr_assert(game_apply(&after, search_draft(&search, &game, &worth)));
                cr_assert_eq(worth, minimax(&game, game.player, depth, 0),
                             "setting %d, game %d, depth %d", i, (int)number, depth);
                cr_assert_eq(worth, minimax(&after, game.player, depth - 1, 0));
            }
}

/* To the end of a draft, where many orders lead to the same position, or to nearly the same. */
Test(search, finds_what_minimax_finds_at_the_end)
{
    fill_by_chance(&set, 5);
    search.set = &set;
    search.lambda = 256;
    search.depth_max = SEARCH_DEPTH_MAX;
    for (uint64_t number = 0; number < 60; number++)
        for (int i = 0; i < SETTINGS; i++) {
            struct game game = late_draft(settings[i], number, 1 + (int)number % 6, 11);
            int32_t worth;

            search.values.weights = NULL; /* prepared for another side */
            search_draft(&search, &game, &worth);
            cr_expect(search.is_exact);
            cr_expect_eq(worth, minimax(&game, game.player, SEARCH_DEPTH_MAX, 0),
                         "setting %d, game %d", i, (int)number);
        }
}

Test(search, knows_when_all_was_seen)
{
    struct game game = late_draft(settings[0], 1, 1, 4);
    int32_t worth;

    fill_by_chance(&set, 5);
    search.set = &set;
    search.lambda = 256;
    search.depth_max = SEARCH_DEPTH_MAX;
    search_draft(&search, &game, &worth);
    cr_assert(search.is_exact);
    cr_assert_leq(search.depth, 4);
    cr_assert_eq(worth, minimax(&game, game.player, SEARCH_DEPTH_MAX, 0));
    game = deal(settings[0], 1);
    search.depth_max = 3;
    search_draft(&search, &game, &worth);
    cr_assert_not(search.is_exact);
}

/* A plan depends on who starts the next round: the same hands are planned for with either. */
Test(search, plans_at_the_end_of_a_draft)
{
    static const uint8_t percent[GAME_ROUNDS + 1] = {0, 100, 100, 80, 100, 100, 45};

    fill_by_chance(&set, 5);
    for (uint64_t number = 0; number < 12; number++)
        for (int holder = 0; holder < 2; holder++) {
            struct game game = late_draft(settings[0], number, 1 + (int)number % 6, 7);

            game.token = (int8_t)holder;
            search.set = &set;
            search.lambda = 256;
            search.depth_max = SEARCH_DEPTH_MAX;
            search.plan_percent = percent;
            search.plan_width = 2;
            for (search.play_count = 0; search.play_count <= 2; search.play_count += 2) {
                int32_t worth;

                search_draft(&search, &game, &worth);
                cr_expect_eq(worth,
                             minimax(&game, game.player, SEARCH_DEPTH_MAX, percent[game.round]),
                             "game %d, seat %d has the token, %d plays", (int)number, holder,
                             search.play_count);
            }
        }
    search.plan_percent = NULL;
    search.play_count = 0;
}

/* Only the seat's own final score counts: with nothing to place, what it has and keeps. */
Test(plan, plays_the_last_round_to_its_end)
{
    struct game game = deal(settings[0], 6), after;
    uint64_t random = 6;
    int32_t worth;

    tables_load(2, BOARD_COLORED, &set);
    while (game.round < GAME_ROUNDS || game.phase != PHASE_PLACE)
        game_play(&game, game_draw_action(&game, draw_next(&random)));
    worth = plan_play(&set, &game, 1, 4, 8);
    cr_assert_eq(worth, plan_play(&set, &game, 1, 4, 8), "the same draws each time");
    cr_assert_gt(worth, VALUE_POINT * game.seats[1].score);
    game.seats[1].tiles = 0;
    after = game;
    after.seats[1].score += 10;
    worth = plan_play(&set, &game, 1, 4, 8);
    cr_assert_eq(plan_play(&set, &after, 1, 4, 8), worth + 10 * VALUE_POINT);
}

static int asked_count;

static bool is_always_enough(void *context)
{
    (void)context;
    asked_count++;
    return true;
}

/* Whole games of maestro, stopped at once: each action is legal, and better than none. */
Test(mind, plays_in_no_time)
{
    mind_init(&mind);
    for (int i = 0; i < SETTINGS; i++) {
        struct game game = deal(settings[i], 9);
        int decisions = 0;

        mind_begin(&mind, settings[i].player_count, settings[i].side);
        for (; !game_is_over(&game); decisions++)
            cr_assert(game_apply(&game, mind_choose(&mind, &game, 0, is_always_enough, NULL)));
        cr_assert_gt(decisions, 50);
        for (int seat = 0; seat < game.player_count; seat++)
            cr_assert_gt(game_score(&game, seat), 50, "setting %d", i);
    }
}

/* Whatever it had begun, with time for all that it can do. */
Test(mind, stops_when_it_is_enough)
{
    struct game game = deal(settings[0], 9);

    mind_init(&mind);
    mind_begin(&mind, settings[0].player_count, settings[0].side);
    while (!game_is_over(&game)) {
        struct action action;

        asked_count = 0;
        action = mind_choose(&mind, &game, MIND_PLAY_US, is_always_enough, NULL);
        cr_expect_leq(asked_count, 3, "round %d: asked %d times", game.round, asked_count);
        game_play(&game, action);
    }
}

/* Of the last draft, too: the search may be stopped while it plans for the end, before it has a
 * worth. */
Test(mind, compares_in_no_time)
{
    struct game game = deal(settings[0], 9);

    mind_init(&mind);
    mind_begin(&mind, settings[0].player_count, settings[0].side);
    while (!game_is_over(&game)) {
        struct action actions[GAME_ACTIONS_MAX], best;
        int32_t worths[2];

        mind_forget(&mind); /* the plans of other decisions */
        mind.worth = INT32_MAX;
        best = mind_choose(&mind, &game, 0, is_always_enough, NULL);
        game_legal_actions(&game, actions);
        mind_compare(&mind, &game, best, actions[0], worths);
        for (int i = 0; i < 2; i++)
            cr_assert_lt(abs(worths[i]), 200 * VALUE_POINT, "%s, %d of 2",
                         game.phase == PHASE_DRAFT ? "draft" : "place", i);
        game_play(&game, best);
    }
}

/* What the other seat has more is lost, in every phase. */
Test(mind, compares_leads)
{
    struct game game = deal(settings[0], 9);

    mind_init(&mind);
    mind_begin(&mind, settings[0].player_count, settings[0].side);
    for (int decision = 0; !game_is_over(&game); decision++) {
        struct game behind = game;
        struct action best;
        int32_t worths[2], less[2];

        best = mind_choose(&mind, &game, 0, is_always_enough, NULL);
        if (decision % 8 == 0) {
            mind_compare(&mind, &game, best, best, worths);
            behind.seats[1 - game.player].score += 10;
            mind_choose(&mind, &behind, 0, is_always_enough, NULL);
            mind_compare(&mind, &behind, best, best, less);
            cr_expect_eq(less[0], worths[0] - 10 * VALUE_POINT, "decision %d", decision);
            cr_expect_eq(less[1], worths[1] - 10 * VALUE_POINT, "decision %d", decision);
        }
        game_play(&game, best);
    }
}

/* A seat that plays what looks best is predictable; one that does anything else is not. */
Test(mind, learns_whom_it_can_foretell)
{
    struct game game = deal(settings[2], 11);
    int watched = 0;

    mind_init(&mind);
    mind_begin(&mind, settings[2].player_count, settings[2].side);
    for (; game.phase == PHASE_DRAFT; watched++) {
        struct action actions[GAME_ACTIONS_MAX], best = {0};
        size_t count = game_legal_actions(&game, actions);
        int32_t low = INT32_MAX, high = INT32_MIN;

        for (size_t i = 0; i < count; i++) {
            int32_t value = value_of_action(&mind.set, &game, actions[i], MIND_LAMBDA);

            if (game.player == 1 ? value > high : value < low)
                best = actions[i];
            high = value > high ? value : high;
            low = value < low ? value : low;
        }
        mind_watch(&mind, &game, best); /* seat 1 takes the best, the others the worst */
        if (game.player != 1 && low < high)
            cr_assert_eq(mind.foretold[game.player], 0);
        game_play(&game, best);
    }
    cr_assert_gt(watched, 15);
    cr_assert_geq(mind.foretold[1], watched / 3 - 1);
}

/* A plan's first step is legal wherever the seat may act, and its worth is no less than passing at
 * once. */
Test(plan, begins_with_a_legal_action)
{
    long planned = 0;

    for (int i = 0; i < SETTINGS; i++) {
        struct game game = deal(settings[i], 4);
        uint64_t random = 4;

        tables_load(settings[i].player_count, settings[i].side, &set);
        while (!game_is_over(&game)) {
            struct action action = game_draw_action(&game, draw_next(&random));

            if (game.phase != PHASE_DRAFT) {
                struct plan plan =
                    plan_make(&set, &game, game.player, game.bonus, 3, planned % 2 == 0);
                struct game after = game;

                cr_assert(game_apply(&after, plan.first), "setting %d", i);
                planned++;
                if (draw_next(&random) % 2)
                    action = plan.first;
            }
            game_play(&game, action);
        }
    }
    cr_assert_gt(planned, 200);
}

/* The best of a list is the plan that is made alone; the others are worse and end differently. */
Test(plan, lists_the_best_that_end_differently)
{
    struct game game = deal(settings[0], 6);
    uint64_t random = 6;
    long listed = 0;

    tables_load(settings[0].player_count, settings[0].side, &set);
    while (!game_is_over(&game)) {
        struct action action = game_draw_action(&game, draw_next(&random));
        struct plan alone, plans[4];
        int count;

        if (game.phase != PHASE_DRAFT) {
            alone = plan_make(&set, &game, game.player, game.bonus, 8, true);
            count = plan_list(&set, &game, game.player, game.bonus, 8, true, plans, 4);
            cr_assert_geq(count, 1);
            cr_assert_eq(plans[0].worth, alone.worth);
            cr_assert_eq(word_of(plans[0].first), word_of(alone.first));
            for (int i = 1; i < count; i++) {
                struct game after = game;

                cr_assert_leq(plans[i].worth, plans[i - 1].worth);
                cr_assert(game_apply(&after, plans[i].first));
                for (int j = 0; j < i; j++)
                    cr_assert(plans[i].seat.tiles != plans[j].seat.tiles ||
                              plans[i].seat.filled != plans[j].seat.filled ||
                              memcmp(plans[i].seat.colors, plans[j].seat.colors,
                                     sizeof plans[i].seat.colors) != 0);
            }
            listed += count == 4;
            action = plans[0].first;
        }
        game_play(&game, action);
    }
    cr_assert_gt(listed, 40);
}
