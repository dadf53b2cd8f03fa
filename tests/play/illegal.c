/* SPDX-License-Identifier: MIT */
/* Why an answer is not a legal action: one row per answer, in positions of the notation. */
#include "arena/play/match.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation.h"

/* clang-format off */
static const char drafting[] = "displays:p2gr/b4/-/-/- center:o2 | |";
static const char placing[] = "phase:place supply:g2o2y2b2r2 | hand:p3b3 stars:....../....../...bb./....../....../....../...... |";

/* clang-format on */

Test(illegal, of_any_answer_is_one_line)
{
    static struct action legal[GAME_ACTIONS_MAX];
    static const uint8_t seed[GAME_SEED_BYTES];
    struct game game;
    size_t count;

    srand(1);
    cr_assert_null(game_from_text(&game, placing, seed));
    count = game_legal_actions(&game, legal);
    for (int i = 0; i < 20000; i++) {
        struct wire_act act = {.kind = i % 3 ? WIRE_ACT_ACTION : WIRE_ACT_OTHER};
        char words[ILLEGAL_BYTES];

        act.action.kind = (uint8_t)(rand() % 4);
        for (int number = 0; number < GAME_ACTION_NUMBERS; number++)
            act.action.number[number] = (int8_t)(rand() % (i % 2 ? 12 : 256) - 2);
        illegal_explain(words, &game, &act, legal, count);
        cr_assert(strlen(words) > 0 && strlen(words) < ILLEGAL_BYTES && !strchr(words, '\n'));
    }
}

/* ---- whole lines, at the bounds of each number; as numbers, which the notation may not accept
 * ---- */

/* clang-format off */
static const char bonus[] = "phase:bonus bonus:3 supply:p2g1o1 | hand:b1 |";
static const char rich[] = "phase:place supply:g2o2y2b2r2 | hand:p6b6o1 stars:....../....../...b../....../....../....../...... |";

static const struct {
    const char *position;
    struct action action;
    const char *words;
} bounds[] = {
    /* of several at the same distance, the first is nearest */
    {drafting, {ACTION_DRAFT, {0, 3}}, "draft 0 y: display 0 has no yellow tile; the nearest legal action is draft center o"},
    {drafting, {ACTION_DRAFT, {-2, 1}}, "draft ? g: there is no display -2: displays are 0 to 4, and -1 is the center; the nearest legal action is draft center o"},
    {drafting, {ACTION_DRAFT, {5, 1}}, "draft 5 g: there is no display 5: displays are 0 to 4, and -1 is the center; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_DRAFT, {4, 1}}, "draft 4 g: display 4 has no green tile; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_DRAFT, {0, -1}}, "draft 0 ?: there is no color -1: colors are 0 to 5; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_DRAFT, {0, 6}}, "draft 0 ?: there is no color 6: colors are 0 to 5; the nearest legal action is draft 0 r"},
    {drafting, {ACTION_DRAFT, {-1, 5}}, "draft center r: the center has no red tile; the nearest legal action is draft 0 r"},
    {drafting, {ACTION_DRAFT, {0, 0}}, "draft 0 p: display 0 also has tiles of other colors: the wild color, purple, may be chosen only where all tiles are wild; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_PASS, {0}}, "pass -: a draft is due, not a pass; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_BONUS, {1}}, "bonus p: a draft is due, not a bonus; the nearest legal action is draft 0 g"},
    {drafting, {ACTION_PASS + 1, {0}}, "?: a draft is due; the nearest legal action is draft 0 g"},
    {rich, {ACTION_PLACE, {-1, 0, 4, 0}}, "place ? 0 b 0: there is no star -1 with a position 0: stars are 0 to 6, positions 0 to 5; the nearest legal action is place 0 0 o 0"},
    {rich, {ACTION_PLACE, {7, 0, 4, 0}}, "place ? 0 b 0: there is no star 7 with a position 0: stars are 0 to 6, positions 0 to 5; the nearest legal action is place 6 0 b 0"},
    {rich, {ACTION_PLACE, {6, -1, 4, 0}}, "place 6 ? b 0: there is no star 6 with a position -1: stars are 0 to 6, positions 0 to 5; the nearest legal action is place 6 0 b 0"},
    {rich, {ACTION_PLACE, {0, 6, 4, 0}}, "place 0 ? b 0: there is no star 0 with a position 6: stars are 0 to 6, positions 0 to 5; the nearest legal action is place 0 5 o 5"},
    {rich, {ACTION_PLACE, {6, 5, -1, 0}}, "place 6 5 ? 0: there is no color -1: colors are 0 to 5; the nearest legal action is place 6 5 p 0"},
    {rich, {ACTION_PLACE, {6, 5, 6, 0}}, "place 6 5 ? 0: there is no color 6: colors are 0 to 5; the nearest legal action is place 6 5 b 0"},
    {rich, {ACTION_PLACE, {2, 3, 4, 0}}, "place 2 3 b 0: star 2, position 3 is filled; the nearest legal action is place 2 2 b 0"},
    {rich, {ACTION_PLACE, {4, 0, 4, 1}}, "place 4 0 b 1: star 4, position 0 costs 1 tiles, at least one of them blue, but the action pays 1 wild tiles; the nearest legal action is place 2 0 b 0"},
    {rich, {ACTION_PLACE, {4, 5, 4, 6}}, "place 4 5 b ?: star 4, position 5 costs 6 tiles, at least one of them blue, but the action pays 6 wild tiles; the nearest legal action is place 2 5 b 5"},
    {rich, {ACTION_PLACE, {4, 5, 4, -1}}, "place 4 5 b ?: star 4, position 5 costs 6 tiles, at least one of them blue, but the action pays -1 wild tiles; the nearest legal action is place 2 5 b 0"},
    {rich, {ACTION_PLACE, {2, 1, 2, 0}}, "place 2 1 o 0: the space costs 2 tiles; with 0 wild tiles it needs 2 orange tiles, but the hand has 1; the nearest legal action is place 2 1 b 0"},
    {rich, {ACTION_PLACE, {2, 1, 2, 1}}, "place 2 1 o 1: star 2 does not accept orange tiles now; the nearest legal action is place 2 1 b 1"},
    {rich, {ACTION_PLACE, {0, 3, 0, 1}}, "place 0 3 p 1: purple is the wild color of this round: give 0 as the number of wild tiles; the nearest legal action is place 0 2 o 2"},
    {rich, {ACTION_PLACE, {4, 5, 3, 0}}, "place 4 5 y 0: the space costs 6 tiles; with 0 wild tiles it needs 6 yellow tiles, but the hand has 0; the nearest legal action is place 5 5 p 0"},
    {rich, {ACTION_PLACE, {0, 5, 4, 1}}, "place 0 5 b 1: star 0 does not accept blue tiles now; the nearest legal action is place 2 5 b 1"},
    {placing, {ACTION_PLACE, {4, 5, 4, 2}}, "place 4 5 b 2: the space costs 6 tiles; with 2 wild tiles it needs 4 blue tiles, but the hand has 3; the nearest legal action is place 2 5 b 3"},
    {placing, {ACTION_PLACE, {4, 5, 4, 3}}, "place 4 5 b 3: star 4 does not accept blue tiles now; the nearest legal action is place 2 5 b 3"},
    {placing, {ACTION_PLACE, {4, 4, 4, 4}}, "place 4 4 b 4: the action pays 4 wild tiles, but the hand has 3 purple tiles; the nearest legal action is place 6 4 b 3"},
    {placing, {ACTION_PLACE, {1, 5, 4, 4}}, "place 1 5 b 4: the action pays 4 wild tiles, but the hand has 3 purple tiles; the nearest legal action is place 2 5 b 3"},
    {rich, {ACTION_PASS, {4, 0, 1}}, "pass p4o: the action keeps 5 tiles, but a player may keep at most 4; the nearest legal action is pass p3o"},
    {rich, {ACTION_PASS, {-1, 0, 1}}, "pass p255o: the action takes -1 purple tiles, but the hand has 6; the nearest legal action is pass o"},
    {rich, {ACTION_PASS, {7, 0, 0}}, "pass p7: the action takes 7 purple tiles, but the hand has 6; the nearest legal action is pass p4"},
    {rich, {ACTION_PASS, {0, 0, 0, 0, 0, 1}}, "pass r: the action takes 1 red tiles, but the hand has 0; the nearest legal action is pass -"},
    {rich, {ACTION_DRAFT, {0, 0}}, "draft 0 p: a place is due, not a draft; the nearest legal action is pass -"},
    {bonus, {ACTION_BONUS, {2, 0, 0}}, "bonus p2: the action takes 2 bonus tiles, but the player is due 3; the nearest legal action is bonus p2o"},
    {bonus, {ACTION_BONUS, {2, 1, 1}}, "bonus p2go: the action takes 4 bonus tiles, but the player is due 3; the nearest legal action is bonus pgo"},
    {bonus, {ACTION_BONUS, {3, 0, 0}}, "bonus p3: the action takes 3 purple tiles, but the supply has 2; the nearest legal action is bonus p2o"},
    {bonus, {ACTION_BONUS, {-1, 1, 1}}, "bonus p255go: the action takes -1 purple tiles, but the supply has 2; the nearest legal action is bonus pgo"},
    {bonus, {ACTION_BONUS, {1, 1, 0, 0, 1}}, "bonus pgb: the action takes 1 blue tiles, but the supply has 0; the nearest legal action is bonus pgo"},
    {bonus, {ACTION_PLACE, {0}}, "place 0 0 p 0: a bonus is due, not a place; the nearest legal action is bonus pgo"},
};
/* clang-format on */

Test(illegal, says_all_of_it_at_each_bound)
{
    static const uint8_t seed[GAME_SEED_BYTES];

    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        static struct action legal[GAME_ACTIONS_MAX];
        const struct wire_act act = {.kind = WIRE_ACT_ACTION, .action = bounds[i].action};
        char words[ILLEGAL_BYTES];
        struct game game;
        size_t count;

        cr_assert_null(game_from_text(&game, bounds[i].position, seed), "%zu", i);
        count = game_legal_actions(&game, legal);
        cr_expect_not(game_apply(&game, act.action), "%zu: is legal", i);
        illegal_explain(words, &game, &act, legal, count);
        cr_expect_str_eq(words, bounds[i].words, "%zu: %s", i, words);
    }
}

Test(illegal, tells_what_an_answer_may_be)
{
    static const struct {
        struct wire_act act;
        const char *words;
    } answers[] = {
        {{.kind = WIRE_ACT_INDEX, .index = 1000},
         "action 1000 is not one of the 4 legal actions: the last is 3, draft 1 b"},
        {{.kind = WIRE_ACT_INDEX, .index = -1},
         "action -1 is not one of the 4 legal actions: the first is 0, draft center o"},
        {{.kind = WIRE_ACT_OTHER},
         "the answer holds neither an action nor the index (0 to 3) of an action"},
    };
    static const uint8_t seed[GAME_SEED_BYTES];
    static struct action legal[GAME_ACTIONS_MAX];
    struct game game;

    cr_assert_null(game_from_text(&game, drafting, seed));
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        char words[ILLEGAL_BYTES];

        illegal_explain(words, &game, &answers[i].act, legal, game_legal_actions(&game, legal));
        cr_expect_str_eq(words, answers[i].words);
    }
}
