/* SPDX-License-Identifier: MIT */
/* What a site must not reveal: games of incomplete groups. */
#include <criterion/criterion.h>
#include <math.h>

#include "arena/site/season_data.h"
#include "tests/store/fixture.h"

/* Returns a game with valid times for a ladder: 30 decisions of 10 us. */
static struct store_game make_game(int group, int rotation)
{
    static uint8_t times[LATENCY_PACKED_MAX];
    struct store_game game = fixture_game(group, rotation);
    struct latency latency = {0};

    for (int i = 0; i < 30; i++)
        latency_add(&latency, 10);
    for (int seat = 0; seat < 2; seat++) {
        game.seats[seat].times = times;
        game.seats[seat].times_bytes = latency_pack(&latency, times);
        game.seats[seat].us_max = 10;
    }
    return game;
}

Test(secrets, groups_that_are_not_whole)
{
    static const uint8_t replay[] = "bytes";
    static const int played[][2] = {{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}};
    struct fixture fixture;
    struct season_data data;

    fixture_create(&fixture);
    fixture_fill(&fixture, 3);
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        struct store_game game = make_game(played[i][0], played[i][1]);

        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, replay, sizeof replay),
                     0, "%s", store_failure(fixture.store));
    }
    cr_assert_eq(season_data_load(&data, fixture.store, &fixture.season), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(data.count, 4, "%d", data.count);
    for (int i = 0; i < data.count; i++)
        cr_expect_neq(data.games[i].group, 1);
    cr_expect(isnan(data.games[0].ratings[0]), "nobody has a rating before the first group");
    cr_expect(data.games[3].ratings[0] > 1000 && data.games[3].ratings[0] < 2000);
    season_data_finish(&data);
    fixture_remove(&fixture);
}
