/* SPDX-License-Identifier: MIT */
/* Probation, and the first meetings of whole seasons. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/season/pairing.h"
#include "arena/season/schedule.h"
#include "tests/season/fake.h"

/* ---- probation: games in, "x" for a forfeit and "." for a game to the end ---- */

static const struct {
    const char *rule;
    const char *games;
    bool holds;
    int row, count, games_left;
} cases[] = {
    {"nothing played", "", false, 0, 0, 0},
    {"two in a row are no probation", "xx", false, 2, 2, 0},
    {"exactly three in a row are", "xxx", true, 3, 3, 1},
    {"one game to the end lifts a row", "xxx.", false, 0, 3, 0},
    {"four of the last ten are too few", "x.x.x.x...", false, 0, 4, 0},
    {"five of the last ten are half", ".x.x.x.x.x", true, 1, 5, 2},
    {"five of the first five, too", "x.x.x.xx", true, 2, 5, 3},
    {"a forfeit of eleven games ago is forgotten", "x.x.x.x.x..", false, 0, 4, 0},
    {"ten forfeits take six games to the end", "xxxxxxxxxx", true, 10, 10, 6},
    {"twenty take no more", "xxxxxxxxxxxxxxxxxxxx", true, 10, 10, 6},
};

Test(probation, is_three_in_a_row_or_half_of_the_last_ten)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probation probation = {0};

        for (const char *game = cases[i].games; *game; game++)
            probation_add(&probation, *game == 'x');
        cr_expect_eq(probation_holds(&probation), cases[i].holds, "%s", cases[i].rule);
        cr_expect_eq(probation_row(&probation), cases[i].row, "%s", cases[i].rule);
        cr_expect_eq(probation_count(&probation), cases[i].count, "%s", cases[i].rule);
        cr_expect_eq(probation_games_left(&probation), cases[i].games_left, "%s: %d", cases[i].rule,
                     probation_games_left(&probation));
    }
}

/* ---- first meetings: limited, and with a share for every bot, size and board ---- */

enum {
    BOTS = 34,
};

static struct fake_bot bots[BOTS];
static char names[BOTS][16];
static struct fake fake;

static void create(void)
{
    for (int i = 0; i < BOTS; i++) {
        snprintf(names[i], sizeof names[i], "bot-%02d", i);
        bots[i] = (struct fake_bot){names[i], "1", names[i], i % 17, FAKE_HONEST};
    }
    fake_create(&fake, bots, BOTS);
}

static void finish(void)
{
    fake_remove(&fake);
}

TestSuite(first_meetings, .init = create, .fini = finish);

static const struct store_season terms = {.player_counts = {2, 3, 4},
                                          .player_count_count = 3,
                                          .board = STORE_BOARD_BOTH,
                                          .budget_games = 1000};

/* Counts the groups of a size, on a board (-1: either), with a bot (-1: any), before a group. */
static int count(const struct season *season, int size, int board, int bot, int before)
{
    int groups = 0;

    for (int i = 0; i < before; i++) {
        const struct schedule_group *group = &season->schedule.groups[i];
        bool seated = bot < 0;

        for (int seat = 0; seat < group->player_count; seat++)
            seated |= group->base[seat] == bot;
        groups +=
            seated && group->player_count == size && (board < 0 || (int)group->board == board);
    }
    return groups;
}

Test(first_meetings, sizes_and_boards_take_turns_by_group)
{
    struct season season;

    fake_season(&fake, "spring", &terms);
    cr_expect_eq(fake_run(&fake, "spring", (struct fake_drive){.jobs = 4}), SEASON_SPENT);
    cr_assert_eq(season_load(&season, fake.store, "spring"), 0);
    for (int before = 1; before <= season.schedule.group_count; before++)
        for (int size = 2; size <= 4; size++) {
            int groups = count(&season, size, -1, -1, before);
            int colored = count(&season, size, BOARD_COLORED, -1, before);

            cr_expect(abs(3 * groups - before) <= 3, "%d of %d groups of %d", groups, before, size);
            cr_expect(abs(2 * colored - groups) <= 4, "%d of %d on the colored side", colored,
                      groups);
        }
    for (int bot = 0; bot < BOTS; bot++) /* two batches let everybody play */
        cr_expect_geq(count(&season, 2, -1, bot, 2 * BOTS) + count(&season, 3, -1, bot, 2 * BOTS) +
                          count(&season, 4, -1, bot, 2 * BOTS),
                      3);
    for (int size = 2; size <= 4; size++)
        for (int bot = 0; bot < BOTS; bot++)
            cr_expect_geq(count(&season, size, -1, bot, 3 * BOTS), 1, "bot %d at %d seats", bot,
                          size);
    season_finish(&season);
}

Test(first_meetings, its_length_is_known_before_it_begins)
{
    static const struct {
        const char *rule;
        struct store_season terms;
        int64_t least, most;
    } rows[] = {
        {"two seats", {.player_counts = {2}, .player_count_count = 1}, BOTS * 10, BOTS * 10},
        {"all sizes", {.player_counts = {2, 3, 4}, .player_count_count = 3}, 1400, 1600},
    };

    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct store_season asked = rows[row].terms;
        struct season season;
        int64_t games;
        char name[16];

        snprintf(name, sizeof name, "row-%zu", row);
        asked.budget_games = 100000;
        fake_season(&fake, name, &asked);
        cr_assert_eq(season_load(&season, fake.store, name), 0);
        games = season_first_meeting_games(&season);
        season_finish(&season);
        cr_expect(games >= rows[row].least && games <= rows[row].most, "%s: %lld", rows[row].rule,
                  (long long)games);
        fake_run(&fake, name, (struct fake_drive){.jobs = 1, .games = games + BOTS});
        cr_assert_eq(season_load(&season, fake.store, name), 0);
        cr_expect_eq(season.schedule.meeting_sizes, 0, "%s: it lasts longer than was told",
                     rows[row].rule);
        season_finish(&season);
    }
}

Test(first_meetings, a_size_that_nobody_can_fill_does_not_lengthen_it)
{
    struct season season;

    for (int i = 0; i < BOTS - 3; i++)
        cr_assert_eq(store_bot_retire(fake.store, names[i], 5), 0);
    fake_season(&fake, "spring", &terms);
    cr_assert_eq(season_load(&season, fake.store, "spring"), 0);
    cr_expect_eq(season_first_meeting_games(&season), 3 * 2 + 3, "three pairs, one table of three");
    season_finish(&season);
}

/* ---- up to twelve bots play in rounds: each pair of them as often as every other ---- */

/* Plays a group: who has the lower number wins, but for some games. */
static void play(struct schedule *schedule, int number)
{
    const struct schedule_group *group = &schedule->groups[number];

    for (int rotation = 0; rotation < group->player_count; rotation++) {
        struct store_game game = {
            .group = number, .rotation = rotation, .player_count = group->player_count};
        const int luck = number * 7 % 5;

        for (int seat = 0; seat < group->player_count; seat++) {
            game.seats[seat].entry = schedule_seat(group, rotation, seat);
            game.seats[seat].rank = 1;
            for (int other = 0; other < group->player_count; other++)
                game.seats[seat].rank += schedule_seat(group, rotation, other) + luck <
                                         game.seats[seat].entry + (seat == 0) * 2 * luck;
        }
        for (int seat = 0; seat < group->player_count; seat++)
            if (game.seats[seat].rank > group->player_count)
                game.seats[seat].rank = group->player_count;
        cr_assert_eq(schedule_record(schedule, &game), 0);
    }
}

static void add_batch(struct schedule *schedule)
{
    struct store_group *groups = NULL;
    unsigned sizes;
    int count = schedule_choose_batch(schedule, 0, 12345, &groups, &sizes);

    cr_assert_gt(count, 0);
    for (int i = 0; i < count; i++)
        cr_assert_eq(schedule_add(schedule, &groups[i]), 0);
    schedule->meeting_sizes = sizes;
    if (schedule->batch_count > 1)
        for (int i = 0; i < schedule->group_count - count; i++)
            if (schedule->groups[i].states[0] == SCHEDULE_TO_PLAY)
                play(schedule, i);
    free(groups);
}

/* Returns by how many meetings at this size two pairs of the first bots differ at most. */
static int find_spread(const struct schedule *schedule, int bot_count, int size)
{
    int met[12][12] = {{0}}, spread = 0;

    for (int i = 0; i < schedule->group_count; i++) {
        const struct schedule_group *group = &schedule->groups[i];
        int least = INT_MAX, most = 0;

        if (group->player_count != size)
            continue;
        for (int a = 0; a < size; a++)
            for (int b = 0; b < size; b++)
                if (group->base[a] < bot_count && group->base[b] < bot_count)
                    met[group->base[a]][group->base[b]]++;
        for (int a = 0; a < bot_count; a++)
            for (int b = 0; b < a; b++) {
                least = met[a][b] < least ? met[a][b] : least;
                most = met[a][b] > most ? met[a][b] : most;
            }
        spread = most - least > spread ? most - least : spread;
    }
    return spread;
}

static int enter(struct schedule *schedule)
{
    const int entry = schedule->entry_count;

    return schedule_enter(schedule, &(struct schedule_entry){.bot_id = entry + 1,
                                                             .previous = SCHEDULE_NOBODY,
                                                             .name_entry = entry,
                                                             .author = entry,
                                                             .batch = schedule->batch_count,
                                                             .active = true});
}

Test(rounds, every_pair_meets_as_often_as_every_other)
{
    static const struct {
        const char *rule;
        struct store_season terms;
        int least, late_count;
        int most[GAME_PLAYERS_MAX + 1]; /* by size: by how many groups pairs may differ */
    } rows[] = {
        {"two seats", {.player_counts = {2}, .player_count_count = 1}, 3, 0, {[2] = 1}},
        {"two seats, by dates",
         {.player_counts = {2}, .player_count_count = 1, .games_a_day = 9},
         3,
         0,
         {[2] = 1}},
        {"late bots",
         {.player_counts = {2}, .player_count_count = 1, .games_a_day = 9},
         3,
         3,
         {[2] = 1}},
        {"three seats",
         {.player_counts = {3}, .player_count_count = 1, .games_a_day = 9},
         3,
         0,
         {[3] = 3}},
        {"four seats",
         {.player_counts = {4}, .player_count_count = 1, .games_a_day = 9},
         4,
         0,
         {[4] = 3}},
        {"all sizes",
         {.player_counts = {2, 3, 4}, .player_count_count = 3, .games_a_day = 9},
         4,
         0,
         {[2] = 1, [3] = 3, [4] = 3}},
    };

    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (int bot_count = rows[row].least;
             bot_count <= PAIRING_ROUND_ROBIN_MAX - rows[row].late_count; bot_count++) {
            struct schedule schedule;
            struct store_season asked = rows[row].terms;

            asked.budget_games = STORE_BUDGET_GAMES_MAX;
            schedule_init(&schedule, &asked);
            for (int i = 0; i < bot_count; i++)
                enter(&schedule);
            while (schedule.group_count < 6 * bot_count * bot_count) {
                if (schedule.group_count > 2 * bot_count * bot_count &&
                    schedule.entry_count < bot_count + rows[row].late_count)
                    enter(&schedule);
                add_batch(&schedule);
            }
            for (int size = 2; size <= GAME_PLAYERS_MAX; size++) {
                int spread = find_spread(&schedule, bot_count, size);

                cr_expect_leq(spread, rows[row].most[size],
                              "%s, %d bots: at %d seats pairs differ by %d groups", rows[row].rule,
                              bot_count, size, spread);
            }
            schedule_finish(&schedule);
        }
}
