/* SPDX-License-Identifier: MIT */
/* What decisions cost: the kind of each mistake, and the means over many games. */
#include <criterion/criterion.h>
#include <math.h>

#include "arena/report/mistakes.h"

struct row {
    const char *rule;
    struct effect done, better;
    enum mistake_kind kind;
};

#define DRAFT(...)                                                                                 \
    {                                                                                              \
        .action.kind = ACTION_DRAFT, .wild = 2, __VA_ARGS__                                        \
    }
#define PLACE(star, position, ...)                                                                 \
    {                                                                                              \
        .action = {ACTION_PLACE, {star, position}}, __VA_ARGS__                                    \
    }
#define PASS(...)                                                                                  \
    {                                                                                              \
        .action.kind = ACTION_PASS, __VA_ARGS__                                                    \
    }

static const struct row rows[] = {
    {"a better draft takes a wild tile along", DRAFT(.moved = {1}), DRAFT(.moved = {1, 0, 1}),
     MISTAKE_WILD},
    {"a better draft leaves the start token", DRAFT(.moved = {1}, .token = true),
     DRAFT(.moved = {2}), MISTAKE_TOKEN},
    {"a better draft takes other tiles", DRAFT(.moved = {1}), DRAFT(.moved = {0, 1}),
     MISTAKE_DRAFT},
    {"placing is better than passing", PASS(.lost = {1}), PLACE(1, 1, .granted = 2), MISTAKE_EARLY},
    {"passing is better than placing", PLACE(1, 1), PASS(.lost = {1}), MISTAKE_LATE},
    {"a better placement earns more bonus tiles", PLACE(1, 1), PLACE(1, 1, .granted = 1),
     MISTAKE_EARNED},
    {"a better payment fills the same space", PLACE(1, 1, .moved = {2}), PLACE(1, 1, .moved = {1}),
     MISTAKE_PAID},
    {"a better placement fills another space of the star", PLACE(1, 1), PLACE(1, 2), MISTAKE_PLACE},
    {"a better choice takes other bonus tiles",
     {.action.kind = ACTION_BONUS},
     {.action.kind = ACTION_BONUS},
     MISTAKE_BONUS},
    {"a better pass discards fewer tiles", PASS(.lost = {2}), PASS(.lost = {0, 1}),
     MISTAKE_DISCARD},
    {"a better pass keeps other tiles", PASS(.lost = {1}), PASS(.lost = {0, 1}), MISTAKE_KEEP},
};

Test(mistakes, kinds)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = {
            .done = rows[i].done, .better = rows[i].better, .best_expected = 1};

        cr_expect_eq(mistake_kind(&judgement), rows[i].kind, "%s", rows[i].rule);
        judgement.best_expected = 0;
        cr_expect_eq(mistake_kind(&judgement), MISTAKE_NONE, "%s, but costs nothing", rows[i].rule);
    }
}

static void play_game(struct mistakes *mistakes, const struct row *row, int64_t lost, int times)
{
    struct judgement judgement = {.done = row->done, .better = row->better, .best_expected = lost};

    judgement.done.round = 3;
    while (times-- > 0)
        mistakes_add(mistakes, &judgement, "game", NULL);
    mistakes_end_game(mistakes);
}

Test(mistakes, means_over_games)
{
    static struct mistakes mistakes;
    enum mistake_kind kinds[MISTAKE_KINDS];
    const struct mistakes_cell *cell = &mistakes.cells[MISTAKE_WILD][3];

    play_game(&mistakes, &rows[0], 400, 1);
    cr_expect(isnan(mistakes_error95(&mistakes, cell)), "one game has no error");
    play_game(&mistakes, &rows[0], 300, 2);
    play_game(&mistakes, &rows[3], 2000, 1);
    cr_expect_float_eq(mistakes_lost(&mistakes, cell), 10. / 3, 1e-9, "points a game");
    cr_expect_float_eq(mistakes_error95(&mistakes, cell), 1.96 * sqrt(28. / 3 / 3), 1e-9,
                       "1.96 standard errors of the mean of 4, 6 and 0");
    cr_expect_eq(cell->count, 3);
    cr_expect_float_eq(mistakes_lost(&mistakes, &mistakes.all), 10., 1e-9);
    cr_expect_eq(mistakes_order(&mistakes, kinds), 2);
    cr_expect_eq(kinds[0], MISTAKE_EARLY, "the costliest kind is first");
    cr_expect_eq(mistakes.worst_count, 4);
    cr_expect_eq(judgement_lost(&mistakes.worst[0]), 2000);
    cr_expect_eq(judgement_lost(&mistakes.worst[3]), 300);
    play_game(&mistakes, &rows[0], 500, 20);
    cr_expect_eq(mistakes.worst_count, MISTAKES_WORST);
    cr_expect_eq(judgement_lost(&mistakes.worst[MISTAKES_WORST - 1]), 500);
}
