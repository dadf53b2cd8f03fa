/* The lines of a search, and the rollouts that compare them. */
#include <criterion/criterion.h>

#include "bots/search/mind.h"
#include "engine/tiles.h"
#include "tests/bots/play.h"

static struct weights_set set;
static struct search search;
static struct rollout rollout;
static struct mind mind;

/* Plays at random until at most that many tiles are on the table in a draft of the round. */
static struct game late_draft(uint64_t number, int round, int tiles)
{
    struct game game = deal(settings[0], number);
    uint64_t random = number;

    while (game.round < round || game.phase != PHASE_DRAFT ||
           tiles_total(drafting_table(&game)) > tiles)
        game_play(&game, game_draw_action(&game, draw_next(&random)));
    return game;
}

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
    return search_lines(&search, game, best, worth, margin, lines);
}

/* Returns the worth of a draft to the seat that plays it, from a separate search. */
static int32_t worth_of(const struct game *game, struct action action)
{
    struct game after = *game;
    int32_t worth;

    cr_assert(game_apply(&after, action));
    if (after.phase != PHASE_DRAFT)
        return value_of_draft(&set, &after, game->player, 256);
    search_draft(&search, &after, &worth); /* to the other one */
    return -worth;
}

Test(search, lines_are_the_best_drafts_and_end_the_draft)
{
    const int32_t margin = 8 * VALUE_POINT;
    int longer = 0;

    for (uint64_t number = 0; number < 12; number++) {
        struct game game = late_draft(number, 1 + (int)number % 6, 8);
        struct search_line lines[SEARCH_LINES];
        int count = find_lines(&game, margin, lines), near = 0;
        struct action actions[GAME_ACTIONS_MAX];
        size_t action_count = game_legal_actions(&game, actions);

        for (int i = 0; i < count; i++) {
            cr_expect_eq(lines[i].worth, worth_of(&game, lines[i].action), "game %d, line %d",
                         (int)number, i);
            cr_expect_neq(lines[i].last.phase, PHASE_DRAFT);
            cr_expect_eq(value_of_draft(&set, &lines[i].last, game.player, 256), lines[i].worth,
                         "game %d, line %d does not lead where it is worth that", (int)number, i);
            cr_expect(i == 0 || lines[i].worth <= lines[i - 1].worth);
        }
        for (size_t i = 0; i < action_count; i++)
            near += worth_of(&game, actions[i]) > lines[0].worth - margin;
        cr_expect_leq(count, near); /* displays with the same tiles are one */
        cr_expect(count == SEARCH_LINES || count >= near / 2, "game %d: %d of %d", (int)number,
                  count, near);
        longer += count > 1;
    }
    cr_assert_gt(longer, 4);
}

static int calls_left;

static bool is_enough_later(void *context)
{
    (void)context;
    return calls_left-- <= 0;
}

/* In each round, including the last, no tile is lost or created. */
Test(rollout, keeps_every_tile)
{
    tables_load(2, BOARD_COLORED, &set);
    for (uint64_t number = 0; number < 12; number++) {
        struct game game = late_draft(number, 1 + (int)number % 6, 8);
        struct search_line lines[SEARCH_LINES];
        int count = find_lines(&game, 3 * VALUE_POINT, lines);

        rollout.set = &set;
        rollout.lambda = 256;
        rollout.enough_fn = is_enough_later;
        calls_left = 200;
        rollout_choose(&rollout, game.player, lines, count);
        for (int i = 0; i < count; i++) {
            const struct game *closed = &rollout.lines[i].game;
            uint64_t tiles = closed->bag + closed->supply + closed->tower;

            for (int seat = 0; seat < 2; seat++) {
                tiles += closed->seats[seat].tiles;
                for (int star = 0; star < GAME_STARS; star++)
                    for (unsigned bits = closed->seats[seat].filled >> (8 * star) & 0x3f; bits;
                         bits &= bits - 1)
                        tiles += tiles_one(
                            (int)(closed->seats[seat].colors[star] >> (4 * __builtin_ctz(bits)) &
                                  0xf));
            }
            cr_expect_eq(tiles, GAME_TILES_PER_COLOR * TILES_EACH, "game %d, line %d", (int)number,
                         i);
        }
    }
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
            struct game game = late_draft(3, round, 8);
            struct search_line lines[SEARCH_LINES];

            find_lines(&game, VALUE_POINT, lines);
            lines[1] = lines[0];
            lines[1].worth += rows[i].thought * VALUE_POINT;
            lines[1].last.seats[game.player].score += rows[i].more_points;
            rollout.set = &set;
            rollout.lambda = 256;
            rollout.enough_fn = is_enough_later;
            calls_left = rows[i].calls;
            cr_expect_eq(rollout_choose(&rollout, game.player, lines, 2), rows[i].chosen,
                         "round %d: %s", round, rows[i].rule);
            if (rows[i].calls > 0)
                cr_expect_lt(rollout.count, 100, "it saw soon enough: %s", rows[i].rule);
        }
}

/* A seat that has passed keeps the board and the tiles with which its plan ended. */
Test(rollout, leaves_who_has_passed)
{
    struct game game = late_draft(3, 4, 8);
    struct search_line lines[SEARCH_LINES];

    find_lines(&game, VALUE_POINT, lines);
    lines[1] = lines[0];
    lines[1].last.passed = (uint8_t)(1u << game.player);
    rollout.set = &set;
    rollout.lambda = 256;
    rollout.enough_fn = is_enough_later;
    calls_left = 1000;
    rollout_choose(&rollout, game.player, lines, 2);
    for (int seat = 0; seat < 2; seat++) {
        const struct game_seat *before = &lines[1].last.seats[seat];
        const struct game_seat *after = &rollout.lines[1].game.seats[seat];

        cr_expect_eq(before->filled == after->filled, seat == game.player, "seat %d", seat);
    }
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
    static const int64_t think_us[] = {MIND_ROLLOUT_US, MIND_PLACE_US};

    mind_init(&mind);
    for (int i = 0; i < 2; i++) {
        struct game game = deal(settings[0], 9);
        int drafts = 0, placements = 0, last = 0;

        mind_begin(&mind, settings[0].player_count, settings[0].side);
        while (!game_is_over(&game)) {
            bool is_draft = game.phase == PHASE_DRAFT, is_last = game.round == GAME_ROUNDS;

            calls_left = 500;
            cr_assert(
                game_apply(&game, mind_choose(&mind, &game, think_us[i], is_enough_later, NULL)));
            drafts += is_draft && mind.rollout.count > 0;
            placements += !is_draft && mind.rollout.count > 0;
            last += is_last && !is_draft && mind.rollout.count > 0;
        }
        cr_expect_gt(drafts, 10);
        cr_expect_eq(placements > 10, think_us[i] == MIND_PLACE_US, "%d placements", placements);
        cr_expect_eq(last > 3, think_us[i] == MIND_PLACE_US, "%d in the last round", last);
    }
}
