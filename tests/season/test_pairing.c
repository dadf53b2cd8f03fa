/* SPDX-License-Identifier: MIT */
/* Who plays whom: rules that apply to every batch, and the purpose of each batch. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/season/pairing.h"

enum {
    BOTS_MAX = 24,
};

/* A field with its own copies of all that it points to, and the groups chosen last. */
static struct sample {
    struct pairing_field field;
    struct pairing_bot bots[BOTS_MAX];
    double pair_se_elo[BOTS_MAX * BOTS_MAX];
    struct pairing_list list;
} sample;

static void finish(void)
{
    pairing_finish(&sample.list);
}

TestSuite(pairing, .fini = finish);

/*
 * Creates a field of active bots, 30 Elo apart, each of a different author, with errors of 40 Elo.
 */
static void sample_init(int player_count, int bot_count, uint32_t batch)
{
    finish();
    memset(&sample, 0, sizeof sample);
    for (int i = 0; i < bot_count; i++) {
        sample.bots[i].author = i;
        sample.bots[i].elo = -30.0 * i;
        sample.bots[i].share = 20;
    }
    for (int i = 0; i < bot_count * bot_count; i++)
        sample.pair_se_elo[i] = 40;
    sample.field = (struct pairing_field){
        .player_count = player_count,
        .bot_count = bot_count,
        .bots = sample.bots,
        .pair_se_elo = sample.pair_se_elo,
        .only_first = batch == 0,
        .batch = batch,
        .seed = 12345,
    };
}

/* Counts the groups with a bot, or with both of two bots. */
static int count_groups(int a, int b)
{
    int count = 0;

    for (size_t g = 0; g < sample.list.group_count; g++) {
        int seated = 0;

        for (int seat = 0; seat < sample.field.player_count; seat++)
            seated +=
                sample.list.groups[g].bots[seat] == a || sample.list.groups[g].bots[seat] == b;
        count += seated == (a == b ? 1 : 2);
    }
    return count;
}

/* Checks the rules that every group must obey. */
static void expect_legal(void)
{
    int player_count = sample.field.player_count;

    for (size_t g = 0; g < sample.list.group_count; g++)
        for (int i = 0; i < player_count; i++) {
            int a = sample.list.groups[g].bots[i];

            cr_expect_lt(a, sample.field.bot_count);
            cr_expect_neq(sample.bots[a].role, PAIRING_AWAY);
            for (int j = 0; j < i; j++) {
                int b = sample.list.groups[g].bots[j];

                cr_expect_neq(a, b, "a bot against itself");
                cr_expect(player_count == 2 || sample.bots[a].author != sample.bots[b].author,
                          "one author twice at a table of %d", player_count);
            }
        }
}

/* Chooses groups, in place of those chosen last. */
static void choose(void)
{
    finish();
    cr_assert_eq(pairing_choose(&sample.field, &sample.list), 0);
    expect_legal();
}

Test(pairing, opening_of_up_to_twelve_is_a_round_robin)
{
    for (int player_count = 2; player_count <= 4; player_count++)
        for (int bot_count = player_count; bot_count <= PAIRING_ROUND_ROBIN_MAX; bot_count++) {
            sample_init(player_count, bot_count, 0);
            choose();
            for (int a = 0; a < bot_count; a++)
                for (int b = 0; b < a; b++) {
                    int met = count_groups(a, b);

                    cr_expect(player_count == 2 ? met == 1 : met >= 1, "%d of %d: %d and %d: %d",
                              player_count, bot_count, a, b, met);
                }
            /* At most 75 % more groups than if no two bots met twice, plus a few. */
            size_t least =
                (size_t)(bot_count * (bot_count - 1) / (player_count * (player_count - 1)));
            cr_expect_leq(sample.list.group_count, least + 3 * least / 4 + 4,
                          "%d of %d: %zu groups", player_count, bot_count, sample.list.group_count);
        }
}

/* Counts how many others a bot has met. */
static int count_met(int bot)
{
    int met = 0;

    for (int other = 0; other < sample.field.bot_count; other++)
        met += other != bot && count_groups(bot, other) > 0;
    return met;
}

Test(pairing, opening_of_more_lets_each_meet_ten_others)
{
    for (int player_count = 2; player_count <= 4; player_count++)
        for (int bot_count = PAIRING_ROUND_ROBIN_MAX + 1; bot_count <= BOTS_MAX; bot_count++) {
            sample_init(player_count, bot_count, 0);
            choose();
            for (int bot = 0; bot < bot_count; bot++) {
                int met = count_met(bot);

                cr_expect(player_count == 2 ? met == PAIRING_FIRST_MEETS
                                            : met >= PAIRING_FIRST_MEETS,
                          "%d of %d: %d met %d", player_count, bot_count, bot, met);
            }
            cr_expect(player_count > 2 || sample.list.group_count == 5 * (size_t)bot_count);
            cr_expect_leq(sample.list.group_count, 5 * (size_t)bot_count);
        }
}

Test(pairing, opening_gives_everybody_a_share_from_its_first_groups)
{
    for (int player_count = 2; player_count <= 4; player_count++) {
        sample_init(player_count, BOTS_MAX, 0);
        for (int bot = 0; bot < BOTS_MAX; bot++)
            sample.bots[bot].share = 0;
        sample.field.group_limit = BOTS_MAX;
        choose();
        cr_expect_eq(sample.list.group_count, BOTS_MAX);
        for (int bot = 0; bot < BOTS_MAX; bot++) {
            int groups = count_groups(bot, bot);

            cr_expect(groups >= player_count - 1 && groups <= player_count + 1,
                      "%d has %d groups of %d seats", bot, groups, player_count);
        }
    }
}

Test(pairing, bots_of_one_author_do_not_meet_where_three_take_part)
{
    for (int author_count = 2; author_count <= 4; author_count++)
        for (int is_free = 0; is_free < 2; is_free++)
            for (uint32_t batch = 0; batch < 8; batch++) {
                int met = 0;

                sample_init(2, 12, batch);
                sample.field.authors_free = is_free;
                for (int i = 0; i < 12; i++)
                    sample.bots[i].author = i % author_count;
                choose();
                for (size_t g = 0; g < sample.list.group_count; g++)
                    met += sample.bots[sample.list.groups[g].bots[0]].author ==
                           sample.bots[sample.list.groups[g].bots[1]].author;
                if (author_count >= 3 && !is_free)
                    cr_expect_eq(met, 0, "%d authors, batch %u", author_count, batch);
                else if (batch == 0)
                    cr_expect_gt(met, 0, "%d authors, free %d", author_count, is_free);
            }
}

Test(pairing, opening_keeps_authors_apart)
{
    for (int player_count = 3; player_count <= 4; player_count++) {
        sample_init(player_count, 12, 0);
        for (int i = 0; i < 12; i++)
            sample.bots[i].author = i % 4;
        choose();
        for (int a = 0; a < 12; a++)
            for (int b = 0; b < a; b++)
                cr_expect_eq(count_groups(a, b) > 0, a % 4 != b % 4);
    }
}

Test(pairing, a_batch_has_a_group_for_every_bot_that_plays)
{
    for (int player_count = 2; player_count <= 4; player_count++)
        for (int bot_count = player_count; bot_count <= BOTS_MAX; bot_count++)
            for (uint32_t batch = 1; batch < 9; batch++) {
                sample_init(player_count, bot_count, batch);
                choose();
                cr_expect_eq(sample.list.group_count, (size_t)bot_count);
            }
}

Test(pairing, least_decided_neighbors_play_most)
{
    for (int player_count = 2; player_count <= 4; player_count++) {
        sample_init(player_count, 20, 1);
        sample.bots[7].elo = sample.bots[6].elo - 1; /* z = 1/40, elsewhere 3/4 */
        choose();
        int close = count_groups(6, 7);

        for (int i = 1; i < 20; i++)
            cr_expect(player_count > 2 || count_groups(i - 1, i) <= close);
        cr_expect_geq(close, 5);
        cr_expect_leq(close, 12, "others get a part as well: %d", close);
    }
}

Test(pairing, tables_of_neighbors_seat_the_next_ranks)
{
    sample_init(4, 20, 1);
    choose();
    for (size_t g = 0; g < sample.list.group_count; g++) {
        int low = BOTS_MAX;
        int high = 0;

        for (int seat = 0; seat < 4; seat++) {
            int bot = sample.list.groups[g].bots[seat];
            low = bot < low ? bot : low;
            high = bot > high ? bot : high;
        }
        cr_expect_leq(high - low, 2 * PAIRING_RANKS_NEAR, "ranks %d to %d", low, high);
    }
}

Test(pairing, the_least_played_bot_gets_its_share)
{
    for (int player_count = 2; player_count <= 4; player_count++) {
        sample_init(player_count, 20, 1);
        for (int i = 0; i < 20; i++)
            sample.bots[i].elo *= 10; /* neighbors are decided: nobody else calls for it */
        sample.bots[11].share = 0;
        choose();
        cr_expect_geq(count_groups(11, 11), 5);
    }
}

Test(pairing, a_newcomer_meets_five_bots_near_its_estimate)
{
    for (int player_count = 2; player_count <= 4; player_count++) {
        int met = 0;

        sample_init(player_count, 20, 3);
        sample.bots[10].role = PAIRING_NEW;
        sample.bots[10].share = 0;
        choose();
        for (int i = 0; i < 20; i++)
            met += i != 10 && i >= 10 - 4 && i <= 10 + 4 && count_groups(10, i) > 0;
        cr_expect_geq(met, PAIRING_NEWCOMER_MEETS);
        bool first = false;
        for (int seat = 0; seat < player_count; seat++)
            first |= sample.list.groups[0].bots[seat] == 10;
        cr_expect(first, "its groups come first");
    }
}

Test(pairing, many_newcomers_make_a_longer_batch)
{
    sample_init(2, 20, 3);
    for (int i = 0; i < 10; i++)
        sample.bots[i].role = PAIRING_NEW;
    choose();
    cr_expect_eq(sample.list.group_count, 50);
}

Test(pairing, a_bot_on_probation_plays_now_and_then)
{
    int groups = 0;

    for (uint32_t batch = 1; batch <= 8 * PAIRING_PROBATION_BATCHES; batch++) {
        sample_init(3, 12, batch);
        sample.bots[4].role = PAIRING_PROBATION;
        sample.bots[4].share = 0;
        sample.bots[5].role = PAIRING_AWAY;
        choose();
        groups += count_groups(4, 4);
        cr_expect_eq(sample.list.group_count, 10);
        cr_expect_eq(count_groups(5, 5), 0);
    }
    cr_expect_eq(groups, 8);
}

Test(pairing, probation_does_not_stop_a_season)
{
    for (uint32_t batch = 0; batch < 8; batch++) {
        sample_init(2, 3, batch);
        sample.bots[0].role = PAIRING_PROBATION;
        sample.bots[1].role = PAIRING_PROBATION;
        choose();
        cr_expect_gt(sample.list.group_count, 0);
    }
}

static const struct {
    const char *rule;
    int player_count, bot_count, author_count, away_count;
    bool seats;
} seat_cases[] = {
    {"nobody", 2, 0, 1, 0, false},
    {"one bot", 2, 1, 1, 0, false},
    {"two bots of one author may play two", 2, 2, 1, 0, true},
    {"one of them retired", 2, 2, 2, 1, false},
    {"two bots at a table of three", 3, 2, 2, 0, false},
    {"three bots of two authors", 3, 3, 2, 0, false},
    {"three bots of three", 3, 3, 3, 0, true},
    {"nine bots of three authors at a table of four", 4, 9, 3, 0, false},
    {"nine bots of four authors", 4, 9, 4, 0, true},
    {"four authors of whom one is retired", 4, 4, 4, 1, false},
};

Test(pairing, a_table_needs_enough_bots_and_authors)
{
    for (size_t c = 0; c < sizeof seat_cases / sizeof *seat_cases; c++)
        for (uint32_t batch = 0; batch < 3; batch++) {
            sample_init(seat_cases[c].player_count, seat_cases[c].bot_count, batch);
            for (int i = 0; i < seat_cases[c].bot_count; i++)
                sample.bots[i].author = i % seat_cases[c].author_count;
            for (int i = 0; i < seat_cases[c].away_count; i++)
                sample.bots[i].role = PAIRING_AWAY;
            cr_expect_eq(pairing_can_seat(&sample.field), seat_cases[c].seats, "%s",
                         seat_cases[c].rule);
            choose();
            cr_expect_eq(sample.list.group_count > 0, seat_cases[c].seats, "%s",
                         seat_cases[c].rule);
        }
}
