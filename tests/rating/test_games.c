/* SPDX-License-Identifier: MIT */
/* The contents of a set of games. */
#include <criterion/criterion.h>

#include "tests/rating/files.h"

static const char tables[] = "game,group,player,seat,rank\n"
                             "1,0,a,0,1\n1,0,b,1,1\n1,0,c,2,3\n" /* a and b share it */
                             "2,0,b,0,1\n2,0,c,1,2\n2,0,a,2,3\n"
                             "3,4,c,0,1\n3,4,a,1,2\n"
                             "4,4,a,0,1\n4,4,c,1,1\n"
                             "5,9,d,0,4\n5,9,c,1,2\n5,9,b,2,2\n5,9,a,3,1\n";

Test(games, bots_pairs_and_places_add_up)
{
    struct csv csv = files_parse(tables);
    const struct games *games = &csv.games;
    const struct games_bot *a = &games->bots[files_bot(&csv, "a")];
    const struct games_bot *c = &games->bots[files_bot(&csv, "c")];

    cr_expect_eq(games->game_count, 5);
    cr_expect_eq(games->group_count, 3);
    cr_expect_eq(games->pair_count, 3 + 3 + 1 + 1 + 6);
    cr_expect_eq(games->tie_halves, 2 * 3);
    cr_expect_eq(games->table_count, 3);
    cr_expect_eq(a->game_count, 5);
    cr_expect_eq(a->group_count, 3);
    cr_expect_eq(a->pair_count, 2 + 2 + 1 + 1 + 3);
    cr_expect_eq(a->halves, 3 + 0 + 0 + 1 + 6);
    cr_expect_eq(a->information_tenths, 15 + 15 + 10 + 10 + 18);
    cr_expect_arr_eq(a->place_counts, ((int64_t[]){3, 1, 1, 0}), sizeof a->place_counts);
    cr_expect_eq(a->shared_win_count, 2);
    cr_expect_arr_eq(c->place_counts, ((int64_t[]){2, 2, 1, 0}), sizeof c->place_counts);
    csv_finish(&csv);
}

Test(games, pairs_keep_points_and_weights)
{
    struct csv csv = files_parse(tables);
    const struct games_pair *pair =
        games_pair_of(&csv.games, files_bot(&csv, "a"), files_bot(&csv, "c"));

    /* Two games of three, two of two, one of four; a took 1, 0, 0, 1/2, 1. */
    cr_expect_eq(pair->game_count, 5);
    cr_expect_eq(pair->halves, 2 + 0 + 0 + 1 + 2);
    cr_expect_eq(pair->weight, 15 + 15 + 20 + 20 + 12);
    cr_expect_eq(pair->points, 15 * 2 + 20 * 1 + 12 * 2);
    cr_expect_eq(games_halves(&csv.games, files_bot(&csv, "c"), files_bot(&csv, "a")), 5);
    csv_finish(&csv);
}

Test(games, seats_keep_their_scores)
{
    struct csv csv = files_parse(tables);
    const struct games_seat *first = &csv.games.seats[2][0];
    const struct games_seat *last = &csv.games.seats[3][2];

    /* Two games of two: a win and a tie. Two games of three: last in both. */
    cr_expect_eq(first->game_count, 2);
    cr_expect_eq(first->halves, 2 + 1);
    cr_expect_eq(first->halves_squared, 4 + 1);
    cr_expect_eq(last->game_count, 2);
    cr_expect_eq(last->halves, 0);
    csv_finish(&csv);
}

Test(games, settling_twice_changes_nothing)
{
    struct csv csv = files_parse(tables);
    struct games_bot a = csv.games.bots[0];

    cr_assert_eq(games_settle(&csv.games), 0);
    cr_expect_arr_eq(&csv.games.bots[0], &a, sizeof a);
    csv_finish(&csv);
}

Test(games, a_set_of_too_many_bots_is_refused)
{
    struct games games;

    cr_expect_lt(games_init(&games, GAMES_BOTS_MAX + 1), 0);
    cr_expect_lt(games_init(&games, -1), 0);
}
