/* SPDX-License-Identifier: MIT */
/* Ladders of few or unusual games: always a list, always finite, with correct flags. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/season/ladder.h"

enum {
    ENTRIES = 4,
};

static const struct ladder_entry entries[ENTRIES] = {
    {.previous = LADDER_NOBODY, .name_entry = 0},
    {.previous = LADDER_NOBODY, .name_entry = 1},
    {.previous = LADDER_NOBODY, .name_entry = 2},
    {.previous = 2, .name_entry = 2}, /* a later version of the third */
};

/* Returns a game of two; reasons as given. */
static struct store_game game(int group, int rotation, int winner, int loser, bool shared,
                              enum wire_reason loser_reason)
{
    return (struct store_game){
        .group = group,
        .rotation = rotation,
        .player_count = 2,
        .seats = {{.entry = winner, .rank = 1, .score = 10},
                  {.entry = loser, .rank = shared ? 1 : 2, .score = 10, .reason = loser_reason}}};
}

static const struct ladder_row *row_of(const struct ladder *ladder, int rows, int entry)
{
    for (int i = 0; i < rows; i++)
        if (ladder->rows[i].entry == entry)
            return &ladder->rows[i];
    cr_assert_fail("entry %d has no row", entry);
    return NULL;
}

static void expect_finite(const struct ladder *ladder, int rows)
{
    for (int i = 0; i < rows; i++) {
        const struct ladder_row *row = &ladder->rows[i];

        cr_expect(isfinite(row->elo) && isfinite(row->error95) && isfinite(row->score) &&
                  isfinite(row->opponents_elo) && isfinite(row->change));
        cr_expect_eq(isnan(row->los_next), i == rows - 1);
        cr_expect(row->rank_best >= 1 && row->rank_best <= row->rank_worst &&
                  row->rank_worst <= rows);
    }
}

/* Checks the list after 0, 1, ... games of a sequence. */
static void expect_lists(const struct store_game *games, int count)
{
    for (int played = 0; played <= count; played++)
        for (unsigned list = LADDER_FINAL; list <= LADDER_LIVE; list++) {
            struct ladder ladder;
            int rows;

            cr_assert_eq(ladder_init(&ladder, entries, ENTRIES), 0);
            for (int i = 0; i < played; i++)
                cr_assert_eq(ladder_add(&ladder, &games[i]), 0);
            cr_assert_eq(ladder_settle(&ladder, list, &rows), 0);
            cr_expect_eq(rows, ENTRIES);
            expect_finite(&ladder, rows);
            ladder_finish(&ladder);
        }
}

Test(ladder, few_games_give_a_finite_list)
{
    const struct store_game unbeaten[] = {game(0, 0, 0, 1, false, WIRE_PLAYED),
                                          game(0, 1, 0, 1, false, WIRE_PLAYED),
                                          game(1, 0, 0, 2, false, WIRE_PLAYED)};
    const struct store_game tied[] = {game(0, 0, 0, 1, true, WIRE_PLAYED),
                                      game(0, 1, 1, 0, true, WIRE_PLAYED),
                                      game(1, 0, 2, 3, true, WIRE_PLAYED)};

    expect_lists(unbeaten, 3);
    expect_lists(tied, 3);
}

Test(ladder, no_entry_is_no_row)
{
    struct ladder ladder;
    int rows = -1;

    cr_assert_eq(ladder_init(&ladder, NULL, 0), 0);
    cr_assert_eq(ladder_settle(&ladder, LADDER_LIVE, &rows), 0);
    cr_expect_eq(rows, 0);
    ladder_finish(&ladder);
}

Test(ladder, forfeits_in_a_row_are_counted_by_name)
{
    struct ladder ladder;
    int rows;

    cr_assert_eq(ladder_init(&ladder, entries, ENTRIES), 0);
    for (int i = 0; i < 2; i++) {
        struct store_game lost = game(i, 0, 0, 2, false, WIRE_CRASH);

        cr_assert_eq(ladder_add(&ladder, &lost), 0);
        cr_expect_not(probation_holds(ladder_probation(&ladder, 2)));
    }
    {
        struct store_game lost = game(2, 0, 0, 3, false, WIRE_TIMEOUT); /* the new version */

        cr_assert_eq(ladder_add(&ladder, &lost), 0);
    }
    cr_expect(probation_holds(ladder_probation(&ladder, 2)));
    cr_expect(probation_holds(ladder_probation(&ladder, 3)));
    cr_assert_eq(ladder_settle(&ladder, LADDER_LIVE, &rows), 0);
    cr_expect(row_of(&ladder, rows, 3)->flags & LADDER_PROBATION);
    cr_expect_eq(row_of(&ladder, rows, 2)->forfeits[WIRE_CRASH], 2);
    cr_expect_eq(row_of(&ladder, rows, 3)->forfeits[WIRE_TIMEOUT], 1);
    {
        struct store_game behaved = game(3, 0, 0, 3, false, WIRE_PLAYED);

        cr_assert_eq(ladder_add(&ladder, &behaved), 0);
    }
    cr_expect_not(probation_holds(ladder_probation(&ladder, 3)));
    ladder_finish(&ladder);
}

Test(ladder, who_left_without_a_game_has_no_row)
{
    struct ladder_entry left[ENTRIES];
    struct store_game played = game(0, 0, 1, 2, false, WIRE_PLAYED);
    struct ladder ladder;
    int rows;

    for (int i = 0; i < ENTRIES; i++)
        left[i] = entries[i];
    left[0].banned = left[1].retired = left[2].replaced = true;
    cr_assert_eq(ladder_init(&ladder, left, ENTRIES), 0);
    cr_assert_eq(ladder_add(&ladder, &played), 0);
    cr_assert_eq(ladder_settle(&ladder, LADDER_FINAL, &rows), 0);
    cr_expect_eq(rows, 3);
    cr_expect(row_of(&ladder, rows, 1)->flags & LADDER_RETIRED);
    cr_expect(row_of(&ladder, rows, 2)->flags & LADDER_REPLACED);
    ladder_finish(&ladder);
}

Test(ladder, torn_times_are_refused)
{
    struct store_game torn = game(0, 0, 0, 1, false, WIRE_PLAYED);
    struct ladder ladder;

    torn.seats[1].times = (const uint8_t *)"\x01";
    torn.seats[1].times_bytes = 1;
    cr_assert_eq(ladder_init(&ladder, entries, ENTRIES), 0);
    cr_expect_eq(ladder_add(&ladder, &torn), -EBADMSG);
    ladder_finish(&ladder);
}

/* Groups 0 to 3: two a day and more before the newest game, two of the last hour. */
Test(ladder, tells_where_a_name_stood_a_day_before)
{
    struct ladder_entry replaced[ENTRIES];
    struct store_game games[] = {
        game(0, 0, 1, 0, false, WIRE_PLAYED), game(1, 0, 1, 2, false, WIRE_PLAYED),
        game(2, 0, 3, 1, false, WIRE_PLAYED), game(3, 0, 3, 0, false, WIRE_PLAYED)};
    struct ladder ladder;
    const struct ladder_row *newer, *older;
    int rows;

    memcpy(replaced, entries, sizeof replaced);
    replaced[2].replaced = true;
    cr_assert_eq(ladder_init(&ladder, replaced, ENTRIES), 0);
    for (int i = 0; i < 4; i++) {
        games[i].started_us = (i < 2 ? 1 : 3) * CLOCK_DAY_US + i;
        cr_assert_eq(ladder_add(&ladder, &games[i]), 0);
    }
    cr_assert_eq(ladder_settle(&ladder, LADDER_FINAL, &rows), 0);
    cr_expect_eq(ladder_day_group(&ladder), 1);
    newer = row_of(&ladder, rows, 3);
    older = row_of(&ladder, rows, 2);
    cr_expect_eq(newer->place, 1);
    cr_expect_eq(row_of(&ladder, rows, 1)->day_place, 1);
    cr_expect_eq(newer->day_place, 2, "its older version shared the last place then");
    cr_expect_float_eq(newer->day_elo, older->day_elo, 1e-9);
    cr_expect_float_eq(newer->gain, newer->elo - older->elo, 1e-9);
    cr_expect_gt(newer->gain_error95, 0);
    cr_expect(isnan(older->gain) && isnan(row_of(&ladder, rows, 1)->gain));
    ladder_finish(&ladder);
}
