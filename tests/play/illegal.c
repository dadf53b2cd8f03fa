/* Why an answer is not a legal action: one row per answer, in positions of the notation. */
#include "arena/play/illegal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation.h"

/* clang-format off */
static const char drafting[] = "displays:p2gr/b4/-/-/- center:o2 | |";
static const char placing[] = "phase:place supply:g2o2y2b2r2 | hand:p3b3 stars:....../....../...bb./....../....../....../...... |";

static const struct {
    const char *rule, *position;
    int index;          /* where action is NULL */
    const char *action; /* in the notation */
    const char *words;  /* part of the line */
} rows[] = {
    {"one behind the last", drafting, 1000, NULL, "action 1000 of 4: the last is 3, draft 1 b"},
    {"before the first", drafting, -1, NULL, "action -1 of 4: the first is 0, draft center o"},
    {"a color that is not there", drafting, 0, "draft 1 y", "display 1 has no yellow tile; nearest: draft 1 b"},
    {"the wild color among others", drafting, 0, "draft 0 p", "is chosen only where it is alone"},
    {"the center without that color", drafting, 0, "draft center r", "the center has no red tile"},
    {"a display of larger tables", drafting, 0, "draft 7 r", "there is no display 7: they are 0 to 4"},
    {"one display behind the last", drafting, 0, "draft 5 r", "there is no display 5: they are 0 to 4"},
    {"the wrong phase", drafting, 0, "place 2 5 b 0", "a draft is due, not a place; nearest:"},
    {"a filled space", placing, 0, "place 2 3 b 0", "star 2, position 3 is filled"},
    {"more than the hand has", placing, 0, "place 4 5 b 0", "costs 6 tiles, 0 of them wild: 6 blue needed, the hand has 3"},
    {"only wild tiles", placing, 0, "place 4 1 b 2", "of which at least one is blue"},
    {"tiles kept that are not there", placing, 0, "pass g1", "1 green asked for, the hand has 0"},
    {"too many tiles kept", placing, 0, "pass p3b2", "5 tiles kept, at most 4 may be"},
};
/* clang-format on */

Test(illegal, says_why)
{
    static const uint8_t seed[GAME_SEED_BYTES];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct action legal[GAME_ACTIONS_MAX];
        struct wire_act act = {.kind = WIRE_ACT_INDEX, .index = rows[i].index};
        char words[ILLEGAL_BYTES];
        const char *fault;
        struct game game;
        size_t count;

        fault = game_from_text(&game, rows[i].position, seed);
        cr_assert_null(fault, "%s: %s", rows[i].rule, fault);
        count = game_legal_actions(&game, legal);
        if (rows[i].action) {
            act.kind = WIRE_ACT_ACTION;
            fault = notation_read_action(&act.action, rows[i].action);
            cr_assert_null(fault, "%s: %s", rows[i].rule, fault);
            cr_expect_not(game_apply(&game, act.action), "%s: is legal", rows[i].rule);
        }
        illegal_explain(words, &game, &act, legal, count);
        cr_expect_not_null(strstr(words, rows[i].words), "%s: %s", rows[i].rule, words);
    }
}

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

/* Numbers that the notation does not accept, but a message may contain. */
Test(illegal, names_the_stars_and_positions_there_are)
{
    static const uint8_t seed[GAME_SEED_BYTES];
    static struct action legal[GAME_ACTIONS_MAX];
    const struct wire_act act = {.kind = WIRE_ACT_ACTION,
                                 .action = {.kind = ACTION_PLACE, .number = {7, 3, 4, 0}}};
    char words[ILLEGAL_BYTES];
    struct game game;

    cr_assert_null(game_from_text(&game, placing, seed));
    illegal_explain(words, &game, &act, legal, game_legal_actions(&game, legal));
    cr_expect_not_null(strstr(words, "stars are 0 to 6, positions 0 to 5"), "%s", words);
}

Test(illegal, tells_what_an_answer_may_be)
{
    static const uint8_t seed[GAME_SEED_BYTES];
    static struct action legal[GAME_ACTIONS_MAX];
    const struct wire_act act = {.kind = WIRE_ACT_OTHER};
    char words[ILLEGAL_BYTES];
    struct game game;

    cr_assert_null(game_from_text(&game, drafting, seed));
    illegal_explain(words, &game, &act, legal, game_legal_actions(&game, legal));
    cr_expect_str_eq(words, "its action is neither an index, 0 to 3, nor an action");
}
