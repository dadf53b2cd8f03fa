/* SPDX-License-Identifier: MIT */
/* The value of positions: fast and simple implementations agree; the files of weights. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "bots/search/drafting.h"
#include "engine/board.h"
#include "engine/tiles.h"
#include "tests/bots/play.h"

static struct weights_set set, other;
static struct drafting_values values;
static uint8_t bytes[TABLES_BYTES_MAX];

/* Every draft of some random games, all six settings. */
Test(value, is_the_same_prepared_for_a_draft)
{
    long compared = 0;

    fill_by_chance(&set, 1);
    for (int i = 0; i < SETTINGS; i++)
        for (uint64_t number = 0; number < 4; number++) {
            struct game game = deal(settings[i], number);
            uint64_t random = number;
            int round = 0;

            while (!game_is_over(&game)) {
                if (game.phase == PHASE_DRAFT && game.round != round) {
                    round = game.round;
                    drafting_prepare(&values, &set, &game);
                }
                game_play(&game, game_draw_action(&game, draw_next(&random)));
                for (int seat = 0;
                     game.round == round && game.phase == PHASE_DRAFT && seat < game.player_count;
                     seat++) {
                    struct outlook outlook = outlook_of_draft(&game, seat);

                    cr_assert_eq(drafting_worth(&values, &game, seat, drafting_table(&game),
                                                outlook_groups(&game)),
                                 VALUE_POINT * game.seats[seat].score + value_of(&set, &outlook),
                                 "setting %d, round %d, seat %d", i, round, seat);
                    compared++;
                }
            }
        }
    cr_assert_gt(compared, 5000);
}

Test(value, groups_are_the_largest_of_all_sources)
{
    struct game game = deal(settings[0], 1);
    uint64_t random = 1;
    long largest = 0;

    for (; !game_is_over(&game); game_play(&game, game_draw_action(&game, draw_next(&random))))
        for (int color = 0; color < GAME_COLORS; color++) {
            int most = 0;

            for (int source = 0; source <= GAME_DISPLAYS_MAX; source++)
                if (tiles_of(game.sources[source], color) > most)
                    most = tiles_of(game.sources[source], color);
            cr_assert_eq(tiles_of(outlook_groups(&game), color), most);
            largest = most > largest ? most : largest;
        }
    cr_assert_geq(largest, 4);
}

/* Files of version 1 know no groups; the weights after theirs are where they belong. */
Test(value, files_of_version_1_have_no_groups)
{
    const struct tables_header written = {3, BOARD_COLORED, 1};
    const size_t zeros = offsetof(struct weights, group) / sizeof(int32_t) - 2;
    struct tables_header header;
    size_t size = TABLES_HEADER_BYTES;

    memset(&set, 0, sizeof set);
    cr_assert_gt(tables_pack(&set, &written, bytes, sizeof bytes), 0);
    bytes[4] = 1;
    /* In each round and kind: a first weight of its own, a 0, how many more are 0. */
    for (int i = 0; i < GAME_ROUNDS * VALUE_KINDS; i++) {
        bytes[size++] = (uint8_t)((i + 1) << 1);
        bytes[size++] = 0;
        bytes[size++] = (uint8_t)(zeros & 0x7f) | 0x80;
        bytes[size++] = (uint8_t)(zeros >> 7);
    }
    memset(&set, 1, sizeof set);
    cr_assert_null(tables_unpack(bytes, size, &header, &set));
    for (int i = 0; i < GAME_ROUNDS * VALUE_KINDS; i++) {
        const int32_t *weights = (const int32_t *)&set + (size_t)i * WEIGHTS_COUNT;

        cr_assert_eq(weights[0], (i + 1) * TABLES_STEP);
        for (size_t k = 1; k < WEIGHTS_COUNT; k++)
            cr_assert_eq(weights[k], 0, "round and kind %d, weight %zu", i, k);
    }
}

/* A step says what the engine does, but for the supply, which the engine fills up by chance. */
Test(value, steps_are_what_the_engine_plays)
{
    long compared = 0;

    for (int i = 0; i < SETTINGS; i++)
        for (uint64_t number = 0; number < 8; number++) {
            struct game game = deal(settings[i], number), after;
            uint64_t random = number;

            for (; !game_is_over(&game); game = after) {
                struct action action = game_draw_action(&game, draw_next(&random));
                struct step step = step_of(&game, action);
                const struct game_seat *seat;

                after = game;
                game_play(&after, action);
                seat = &after.seats[game.player];
                if (action.kind == ACTION_DRAFT || game_is_over(&after))
                    continue;
                cr_assert_eq(step.seat.tiles, seat->tiles);
                cr_assert_eq(step.seat.filled, seat->filled);
                cr_assert_eq(step.seat.takes, seat->takes);
                cr_assert_eq(step.seat.score, seat->score);
                cr_assert_eq(step.bonus, after.bonus);
                compared++;
            }
        }
    cr_assert_gt(compared, 1000);
}

Test(value, the_end_is_exact)
{
    const struct setting two = {2, BOARD_COLORED};
    struct game game = deal(two, 3);
    struct game_seat seat = game.seats[0];
    struct outlook outlook;

    game.round = GAME_ROUNDS;
    for (int position = 0; position < GAME_SPACES; position++)
        board_fill(&seat, BOARD_COLORED, 0, position, COLOR_ORANGE);
    seat.tiles = tiles_one(COLOR_RED) * 3;
    outlook = outlook_of_place(&game, &seat, 0, VALUE_END, 0);
    cr_assert_eq(value_of(&set, &outlook), VALUE_POINT * (17 - 3));
}

Test(tables, what_is_packed_is_unpacked)
{
    const struct tables_header header = {3, BOARD_GRAY, 123456};
    struct tables_header read;
    int32_t *weights = (int32_t *)&set;
    size_t size, again;

    fill_by_chance(&set, 2);
    memset(weights + 1000, 0, 5000 * sizeof *weights); /* a long run of nothing */
    memset(weights + sizeof set / sizeof *weights - 10, 0, 10 * sizeof *weights);
    size = tables_pack(&set, &header, bytes, sizeof bytes);
    cr_assert_gt(size, 0);
    cr_assert_null(tables_unpack(bytes, size, &read, &other));
    cr_assert_eq(read.player_count, 3);
    cr_assert_eq(read.side, BOARD_GRAY);
    cr_assert_eq(read.game_count, 123456);
    for (size_t i = 0; i < sizeof set / sizeof *weights; i++)
        cr_assert_leq(abs(((int32_t *)&other)[i] - weights[i]), TABLES_STEP / 2, "weight %zu", i);
    again = tables_pack(&other, &header, bytes, sizeof bytes);
    cr_assert_eq(again, size);
    cr_assert_eq(tables_pack(&set, &header, bytes, size - 1), 0);
}

Test(tables, refuses_what_is_no_file_of_weights)
{
    const struct tables_header header = {2, BOARD_COLORED, 1};
    struct tables_header read;
    size_t size;

    memset(&set, 0, sizeof set);
    ((int32_t *)&set)[7] = VALUE_POINT;
    size = tables_pack(&set, &header, bytes, sizeof bytes);
    cr_assert_null(tables_unpack(bytes, size, &read, &other));
    for (size_t cut = 0; cut < size; cut++)
        cr_assert_not_null(tables_unpack(bytes, cut, &read, &other), "cut to %zu bytes", cut);
    cr_assert_not_null(tables_unpack(bytes, size + 1, &read, &other), "a byte more");
    for (size_t i = 0; i < 7; i++) {
        bytes[i] ^= 0x80;
        cr_assert_not_null(tables_unpack(bytes, size, &read, &other), "byte %zu changed", i);
        bytes[i] ^= 0x80;
    }
    memset(bytes + TABLES_HEADER_BYTES, 0xff, 64);
    cr_assert_not_null(tables_unpack(bytes, 64, &read, &other), "a number without end");
}

/* All that the repository keeps: readable, for the right games, small. */
Test(tables, are_built_in)
{
    size_t together = 0;

    for (int i = 0; i < SETTINGS; i++) {
        struct tables_header header;
        size_t size;
        const uint8_t *file = tables_file(settings[i].player_count, settings[i].side, &size);
        const char *fault = tables_unpack(file, size, &header, &set);

        cr_assert_null(fault, "setting %d: %s", i, fault);
        cr_assert_eq(header.player_count, settings[i].player_count);
        cr_assert_eq(header.side, settings[i].side);
        cr_assert_geq(header.game_count, 10000, "setting %d", i);
        together += size;
    }
    cr_assert_leq(together, 1 << 20);
}
