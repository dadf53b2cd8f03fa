/* SPDX-License-Identifier: MIT */
/* The rollouts that compare the lines of a search. */
#include <criterion/criterion.h>

#include "bots/search/mind.h"
#include "engine/tiles.h"
#include "tests/bots/play.h"

static struct weights_set set;
static struct search search;
static struct rollout rollout;
static struct mind mind;

static int find_lines(const struct game *game, int32_t margin,
                      struct search_line lines[static SEARCH_LINES])
{
    struct action best;
    int32_t worth;

    tables_load(2, BOARD_COLORED, &set);
    search.set = &set;
    search.lambda = 256;
    search.depth_max = SEARCH_DEPTH_MAX;
    best = search_draft(&search, game, &worth);
    cr_assert(search.is_exact);
    return search_lines(&search, game, best, worth, margin, SEARCH_LINES, lines);
}

/* What two orders of drafts end in is one line, so that rollouts see different ends. */
Test(search, lines_end_differently_the_best_first)
{
    int line_count = 0;

    for (uint64_t number = 0; number < 6; number++) {
        struct game game = late_draft(settings[0], number, 3, 10);
        struct search_line lines[SEARCH_LINES];
        int count = find_lines(&game, 6 * VALUE_POINT, lines);

        line_count += count;
        for (int i = 1; i < count; i++) {
            cr_expect_leq(lines[i].worth, lines[i - 1].worth, "game %d, line %d", (int)number, i);
            for (int j = 0; j < i; j++)
                cr_expect_neq(game_hash(&lines[i].last), game_hash(&lines[j].last),
                              "game %d, lines %d and %d", (int)number, j, i);
        }
    }
    cr_expect_gt(line_count, 10, "%d lines", line_count);
}

static int calls_left;

static bool is_enough_later(void *context)
{
    (void)context;
    return calls_left-- <= 0;
}

/* Two lines that differ in nothing but what the seat has: the search is wrong about them. */
Test(rollout, believes_what_it_sees_more_than_what_was_thought)
{
    static const struct {
        const char *rule;
        int more_points; /* of the second line */
        int thought;     /* of it, beforehand */
        int calls;
        int chosen;
    } rows[] = {
        {"the second has more", 5, -1, 100000, 1},
        {"the second has less", -5, -1, 100000, 0},
        {"the same, and nothing speaks for it", 0, -1, 100000, 0},
        {"no time: what was thought", 5, -1, 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int round = 5; round <= 6; round++) {
            struct game game = late_draft(settings[0], 3, round, 8);
            struct search_line lines[SEARCH_LINES];

            find_lines(&game, VALUE_POINT, lines);
            lines[1] = lines[0];
            lines[1].worth += rows[i].thought * VALUE_POINT;
            lines[1].last.seats[game.player].score += rows[i].more_points;
            rollout.set = &set;
            rollout.lambda = 256;
            rollout.enough_fn = is_enough_later;
            calls_left = rows[i].calls;
            cr_expect_eq(rollout_choose(&rollout, ROLLOUT_DRAFTS, game.player, lines, 2),
                         rows[i].chosen, "round %d: %s", round, rows[i].rule);
            if (rows[i].calls > 0)
                cr_expect_lt(rollout.count, 100, "it saw soon enough: %s", rows[i].rule);
        }
}

/* What the lines of a position bring in so many calls of enough_fn. */
static void play_lines_of(const struct game *game, int calls)
{
    struct search_line lines[SEARCH_LINES];
    int count = find_lines(game, 30 * VALUE_POINT, lines);

    cr_assert_gt(count, 1);
    rollout.set = &set;
    rollout.lambda = 256;
    rollout.enough_fn = is_enough_later;
    calls_left = calls;
    rollout_choose(&rollout, ROLLOUT_DRAFTS, game->player, lines, count);
}

/* Plans take bonus tiles without a supply: rollouts start with all tiles of the game, no more. */
Test(rollout, has_all_tiles_of_the_game)
{
    for (uint64_t number = 0; number < 12; number++) {
        struct game game = late_draft(settings[0], number, 1 + (int)number % 5, 8), *start;
        uint64_t tiles;

        play_lines_of(&game, 100);
        start = &rollout.lines[1].game;
        tiles = start->bag + start->tower + start->supply;
        for (int i = 0; i < 2; i++) {
            tiles += start->seats[i].tiles;
            for (int star = 0; star < GAME_STARS; star++)
                for (int space = 0; space < GAME_SPACES; space++)
                    if (start->seats[i].filled >> (8 * star + space) & 1)
                        tiles += tiles_one(start->seats[i].colors[star] >> (4 * space) & 0xf);
        }
        for (int color = 0; color < GAME_COLORS; color++)
            cr_expect_eq(tiles_of(tiles, color), GAME_TILES_PER_COLOR, "game %d, color %d: %d",
                         (int)number, color, (int)tiles_of(tiles, color));
    }
}

/* Of round 5: there the worth is what the scores say, in whole points. */
Test(rollout, goes_on_to_the_end_of_the_game)
{
    for (int round = 4; round <= 5; round++) {
        int whole = 0;

        for (uint64_t number = 0; number < 4; number++) {
            struct game game = late_draft(settings[0], number, round, 8);

            play_lines_of(&game, 400);
            cr_assert_gt(rollout.count, 0);
            whole += rollout.lines[1].sum % ROLLOUT_POINT == 0;
        }
        cr_expect(round == 5 ? whole == 4 : whole < 4, "round %d: %d", round, whole);
    }
}

/* One that was stopped before each line had its turn. */
Test(rollout, counts_only_if_it_is_whole)
{
    struct game game = late_draft(settings[0], 2, 3, 8);
    int64_t sums[100] = {0};
    int most = 0;

    for (int calls = 1; calls < 300; calls++) {
        play_lines_of(&game, calls);
        cr_assert_lt(rollout.count, 16, "none is out yet");
        if (rollout.count > most)
            sums[most = rollout.count] = rollout.lines[1].sum;
        cr_assert_eq(rollout.count, most);
        cr_expect_eq(rollout.lines[1].sum, sums[most], "%d calls", calls);
    }
    cr_expect_gt(most, 2, "%d", most);
}

/* Drafts at random and places by plans, up to the first placement of the last round. */
static struct game last_placements(uint64_t number)
{
    struct game game = deal(settings[0], number);
    uint64_t random = number;

    tables_load(2, BOARD_COLORED, &set);
    while (game.round < GAME_ROUNDS || game.phase != PHASE_PLACE)
        game_play(&game, game.phase == PHASE_DRAFT
                             ? game_draw_action(&game, draw_next(&random))
                             : plan_make(&set, &game, game.player, game.bonus, 1, true).first);
    return game;
}

/* Passing at once against the best plan, whatever was thought of it. */
Test(rollout, plays_first_placements_to_the_end)
{
    static const struct {
        const char *rule;
        int thought; /* points, of the plan, beforehand */
        int calls;
        int chosen;
    } rows[] = {
        {"the plan brings more", -1, 100000, 1},
        {"no time: what was thought", -1, 0, 0},
    };

    rollout.set = &set;
    rollout.lambda = 256;
    rollout.enough_fn = is_enough_later;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t number = 0; number < 6; number++) {
            struct game game = last_placements(number);
            struct plan plans[2] = {{.first = {.kind = ACTION_PASS}}};

            plans[1] = plan_make(&set, &game, game.player, 0, 4, true);
            cr_assert_neq(plans[1].first.kind, ACTION_PASS);
            plans[1].worth = plans[0].worth + rows[i].thought * VALUE_POINT;
            calls_left = rows[i].calls;
            cr_expect_eq(rollout_choose_first(&rollout, &game, plans, 2), rows[i].chosen,
                         "game %d: %s", (int)number, rows[i].rule);
        }
}

/* The draws to come are not the game's own, which no player can know. */
Test(rollout, does_not_see_the_draws_to_come)
{
    const uint8_t other[GAME_SEED_BYTES] = {7};
    int varied = 0;

    rollout.set = &set;
    rollout.lambda = 256;
    rollout.enough_fn = is_enough_later;
    for (uint64_t number = 0; number < 8; number++) {
        struct game games[2] = {last_placements(number), last_placements(number)};
        int64_t sums[2], squares[2];

        game_reseed(&games[1], other);
        for (int i = 0; i < 2; i++) {
            struct plan plans[2] = {{.first = {.kind = ACTION_PASS}}};

            plans[1] = plan_make(&set, &games[i], games[i].player, 0, 4, true);
            plans[1].worth = plans[0].worth;
            calls_left = 2000;
            rollout_choose_first(&rollout, &games[i], plans, 2);
            sums[i] = rollout.lines[1].sum;
            squares[i] = rollout.lines[1].squares;
        }
        cr_expect_eq(sums[0], sums[1], "game %d", (int)number);
        cr_expect_eq(squares[0], squares[1], "game %d", (int)number);
        varied += squares[0] * rollout.count != sums[0] * sums[0];
    }
    cr_expect_gt(varied, 3, "the draws count");
}

/* Whole games: rollouts judge drafts, with more time placements too, and every action is legal. */
Test(mind, plays_with_rollouts)
{
    static const int64_t think_us[] = {MIND_ROLLOUT_US, MIND_PLACE_US, MIND_PLAY_US};

    mind_init(&mind);
    for (int i = 0; i < 3; i++) {
        const bool has_places = think_us[i] >= MIND_PLACE_US;
        struct game game = deal(settings[0], 9);
        int drafts = 0, placements = 0, last = 0, played = 0;

        mind_begin(&mind, settings[0].player_count, settings[0].side);
        while (!game_is_over(&game)) {
            bool is_draft = game.phase == PHASE_DRAFT, is_last = game.round == GAME_ROUNDS;

            calls_left = 500;
            cr_assert(
                game_apply(&game, mind_choose(&mind, &game, think_us[i], is_enough_later, NULL)));
            drafts += is_draft && mind.rollout.count > 0;
            placements += !is_draft && mind.rollout.count > 0;
            last += is_last && !is_draft && mind.rollout.count > 0;
            played += is_draft && mind.search.play_count > 0;
        }
        cr_expect_gt(drafts, 10);
        cr_expect_eq(placements > 10, has_places, "%d placements", placements);
        cr_expect_eq(last > 3, has_places, "%d in the last round", last);
        cr_expect_eq(played > 0, think_us[i] >= MIND_PLAY_US, "%d of its drafts", played);
    }
}
