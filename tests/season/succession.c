/* SPDX-License-Identifier: MIT */
/*
 * A new version is treated at first like its older version: it meets those nearest to that one's
 * Elo.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/season/fake.h"

enum {
    BOTS = 13, /* too many to go on in rounds */
    FIRST_GAMES = BOTS * 10,
    NEAR = 7, /* of the strongest: those that its new version may meet first */
};

static struct fake_bot bots[BOTS + 1];
static char names[BOTS][16];

/* Plays the first meetings and more, replaces the strongest bot, and continues. */
static void play(struct fake *fake)
{
    static const struct store_season terms = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = 1000};

    for (int i = 0; i < BOTS; i++) {
        snprintf(names[i], sizeof names[i], "bot-%02d", i);
        bots[i] = (struct fake_bot){names[i], "1", names[i], 4 * i, FAKE_HONEST};
    }
    fake_create(fake, bots, BOTS);
    fake_season(fake, "spring", &terms);
    fake_run(fake, "spring", (struct fake_drive){.jobs = 1, .games = 3 * FIRST_GAMES});
    bots[BOTS] = bots[BOTS - 1];
    bots[BOTS].version = "2";
    fake_submit(fake, &bots[BOTS]);
    fake->bot_count++;
    fake_run(fake, "spring", (struct fake_drive){.jobs = 1, .games = FIRST_GAMES});
}

Test(succession, a_new_version_begins_at_the_elo_of_the_one_before)
{
    struct fake fake;
    struct season season;
    int batch = -1, met_count = 0;

    play(&fake);
    cr_assert_eq(season_load(&season, fake.store, "spring"), 0);
    cr_assert_eq(season.schedule.entry_count, BOTS + 1);
    for (int i = 0; i < season.schedule.group_count; i++) {
        const struct schedule_group *group = &season.schedule.groups[i];

        for (int seat = 0; seat < 2; seat++) {
            int64_t other = season.schedule.entries[group->base[!seat]].bot_id;

            if (group->base[seat] != BOTS || (batch >= 0 && group->batch != batch))
                continue;
            batch = group->batch;
            met_count++;
            cr_expect_gt(other, BOTS - NEAR, "it met bot %d", (int)other);
        }
    }
    cr_expect_geq(met_count, 5);
    season_finish(&season);
    fake_remove(&fake);
}
