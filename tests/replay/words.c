/* SPDX-License-Identifier: MIT */
/* A match in words: every sentence, and points whose sums agree with the rules. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/words.h"
#include "engine/board.h"
#include "engine/draw.h"
#include "engine/notation.h"

static const uint8_t seed[GAME_SEED_BYTES] = {7};

static const struct {
    const char *rule;
    const char *position;
    const char *action;
    const char *words;
} rows[] = {
    {"all tiles of a color, no wild there", "displays:g2y2/-/-/-/- | |", "draft 0 g",
     "takes 2 green from factory 0"},
    {"one wild tile comes along", "displays:-/-/-/-/p2gy | |", "draft 4 g",
     "takes 1 green and the wild purple from factory 4"},
    {"only wild tiles", "displays:p4/-/-/-/- | |", "draft 0 p",
     "takes 1 wild purple from factory 0"},
    {"the start token costs a point a tile", "center:g2 | score:9 |", "draft center g",
     "takes 2 green from the center with the start token: -2, 7 points"},
    {"nobody falls below 1", "center:g2 | score:2 |", "draft center g",
     "takes 2 green from the center with the start token: -1 (not -2, because a score never falls "
     "below 1), 1 point"},
    {"nor loses what is not there", "center:g2 | score:1 |", "draft center g",
     "takes 2 green from the center with the start token: +0 (not -2, because a score never falls "
     "below 1), 1 point"},
    {"the center without the token", "token:1 center:g2 | |", "draft center g",
     "takes 2 green from the center"},
    {"a placement", "phase:place | hand:g5 |", "place 4 4 g 0",
     "places 5 on the green star, 5 green: +1, 6 points"},
    {"wild tiles are named, behind the placed color", "phase:place | hand:r1p2 |", "place 1 2 r 2",
     "places 3 on the red star, 1 red and 2 wild purple: +1, 6 points"},
    {"the wild color placed is not told as wild", "phase:place | hand:p2 |", "place 5 1 p 0",
     "places 2 on the purple star, 2 purple: +1, 6 points"},
    {"a run and a window",
     "phase:place supply:g5o5 | score:19 hand:g6 "
     "stars:....../....../....../....../...gg./....../...... |",
     "place 4 5 g 0",
     "places 6 on the green star, 6 green: +3, 22 points; a run of 3; joins a window: 3 bonus "
     "tiles"},
    {"less in the supply than was earned",
     "phase:place supply:g1 | hand:g6 stars:....../....../....../....../....g./....../...... |",
     "place 4 5 g 0",
     "places 6 on the green star, 6 green: +2, 7 points; a run of 2; joins a window: 1 of 3 bonus "
     "tiles, because the supply holds no more"},
    {"two features at once",
     "phase:place supply:g5o5 | hand:o2 stars:o.o.../..rr../....../....../....../....../o....g |",
     "place 0 1 o 0",
     "places 2 on the orange star, 2 orange: +3, 8 points; a run of 3; joins a pillar and a "
     "statue: 3 bonus tiles"},
    {"gray stars are told by their place", "board:gray phase:place | hand:b3 |", "place 0 0 b 0",
     "places 3 on the top left star, 3 blue: +1, 6 points"},
    {"bonus tiles", "phase:bonus bonus:3 supply:p2g5y3 | |", "bonus pgy",
     "takes 1 wild purple, 1 green and 1 yellow from the supply"},
    {"a pass with nothing", "phase:place | |", "pass -", "passes"},
    {"a pass that keeps and discards", "phase:place | score:15 hand:g4r2 |", "pass g4",
     "passes, keeps 4 green, discards 2 red: -2, 13 points"},
};

static char *words_of(const struct game *game, const char *text)
{
    struct action action;
    struct effect effect;
    char *words = NULL;
    size_t size;
    FILE *stream;

    cr_assert_null(notation_read_action(&action, text));
    cr_assert(effect_of(game, action, &effect), "%s: illegal", text);
    stream = open_memstream(&words, &size);
    words_effect(stream, &effect);
    fclose(stream);
    return words;
}

Test(words, sentences)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game game;
        const char *fault;
        char *words;

        fault = game_from_text(&game, rows[i].position, seed);
        cr_assert_null(fault, "%s: %s", rows[i].rule, fault);
        words = words_of(&game, rows[i].action);
        cr_expect_str_eq(words, rows[i].words, "%s: %s", rows[i].rule, words);
        free(words);
    }
}

static void play_and_add_up(struct game *game, uint64_t random)
{
    while (!game_is_over(game)) {
        struct game before = *game;
        struct action action = game_draw_action(game, draw_next(&random));
        int seat = game_turn(game);
        struct effect effect;

        cr_assert(effect_of(&before, action, &effect));
        game_play(game, action);
        cr_assert_eq(effect.game_ended, game_is_over(game));
        if (effect.game_ended) {
            struct effect_final finals[GAME_PLAYERS_MAX];

            effect_final(&before, action, finals);
            cr_expect_eq(finals[seat].before, effect.score);
            for (int i = 0; i < game_player_count(game); i++) {
                int sum = finals[i].before - finals[i].corners;

                for (int star = 0; star < GAME_STARS; star++) {
                    sum += finals[i].stars[star];
                    cr_expect_eq(finals[i].stars[star] > 0, finals[i].covered[star] == GAME_SPACES);
                }
                for (int cost = 0; cost < BOARD_REWARDED_COSTS; cost++)
                    sum += finals[i].costs[cost];
                cr_expect_eq(finals[i].after, game_score(game, i));
                cr_expect_eq(sum, finals[i].after);
                cr_expect(finals[i].corners >= 0);
            }
        } else {
            cr_expect_eq(effect.score, game_score(game, seat));
            if (effect.action.kind == ACTION_PLACE)
                cr_expect_eq(effect.granted, game_phase(game) == PHASE_BONUS ? game->bonus : 0);
        }
    }
}

Test(words, points_add_up)
{
    for (int i = 0; i < 120; i++) {
        const uint8_t game_seed[GAME_SEED_BYTES] = {(uint8_t)i, 3};
        struct game game;

        game_init(&game, GAME_PLAYERS_MIN + i % 3, i & 1 ? BOARD_GRAY : BOARD_COLORED, game_seed);
        play_and_add_up(&game, (uint64_t)i);
    }
}

Test(words, stars)
{
    static const char *const stars[2][GAME_STARS] = {
        [BOARD_COLORED] = {"orange star", "red star", "blue star", "yellow star", "green star",
                           "purple star", "center star"},
        [BOARD_GRAY] = {"top left star", "top right star", "right star", "bottom right star",
                        "bottom left star", "left star", "center star"}};

    for (int side = 0; side < 2; side++)
        for (int star = 0; star < GAME_STARS; star++)
            cr_expect_str_eq(words_star((enum board_side)side, star), stars[side][star]);
}

Test(words, of_effects_that_are_rare)
{
    static const struct {
        struct effect effect;
        const char *words;
    } rare[] = {
        {{.action = {ACTION_PLACE, {6, 0, 1, 0}},
          .moved = {0, 1},
          .cost = 1,
          .points = 6,
          .run = 6,
          .score = 1,
          .features = 0x3f | 1 << 6 | 3 << 12,
          .earned = 10,
          .granted = 10},
         "places 1 on the center star, 1 green: +6, 1 point; a run of 6; joins 6 pillars, a statue "
         "and 2 windows: 10 bonus tiles"},
        {{.action = {ACTION_PLACE, {6, 0, 1, 0}},
          .moved = {1, 1},
          .cost = 2,
          .points = 1,
          .run = 1,
          .score = 2,
          .features = 1,
          .earned = 1,
          .granted = 1},
         "places 2 on the center star, 1 green and 1 wild purple: +1, 2 points; joins a pillar: 1 "
         "bonus tile"},
        {{.action = {ACTION_PLACE, {6, 0, 1, 0}},
          .moved = {0, 1},
          .cost = 1,
          .features = 1 << 17,
          .earned = 1,
          .granted = 0},
         "places 1 on the center star, 1 green; joins a window: 0 of 1 bonus tiles, because the "
         "supply holds no more"},
        {{.action = {ACTION_PASS, {0}},
          .moved = {1, 2, 1},
          .lost = {0, 0, 0, 1, 2, 3},
          .points = -6,
          .penalty = 6,
          .score = 1},
         "passes, keeps 1 purple, 2 green and 1 orange, discards 1 yellow, 2 blue and 3 red: -6, 1 "
         "point"},
        {{.action = {ACTION_PASS, {0}}, .lost = {0, 1}, .points = -1, .penalty = 2, .score = 1},
         "passes, discards 1 green: -1 (not -2, because a score never falls below 1), 1 point"},
    };

    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++) {
        char *words = NULL;
        size_t size;
        FILE *stream = open_memstream(&words, &size);

        words_effect(stream, &rare[i].effect);
        fclose(stream);
        cr_expect_str_eq(words, rare[i].words, "%s", words);
        free(words);
    }
}

Test(words, of_an_action_that_was_played_or_is_better)
{
    static const struct {
        struct effect effect;
        const char *present, *advice;
    } told[] = {
        {{.action = {ACTION_DRAFT, {3, 4}}, .moved = {0, 0, 0, 0, 2, 1}, .wild = 5, .points = -1},
         "takes 2 blue and the wild red from factory 3",
         "take 2 blue and the wild red from factory 3"},
        {{.action = {ACTION_PLACE, {6, 2, 4}},
          .moved = {0, 0, 0, 0, 2},
          .wild = 5,
          .cost = 2,
          .points = 3},
         "places 2 on the center star, 2 blue",
         "place 2 on the center star, 2 blue"},
        {{.action = {ACTION_BONUS, {0}}, .moved = {1, 1}, .wild = 5},
         "takes 1 purple and 1 green from the supply",
         "take 1 purple and 1 green from the supply"},
        {{.action = {ACTION_PASS, {0}}, .moved = {0, 0, 1}, .lost = {0, 3}, .points = -3},
         "passes, keeps 1 orange, discards 3 green",
         "pass, keep 1 orange, discard 3 green"},
    };

    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char words[2][128] = {0};
        FILE *present = fmemopen(words[0], sizeof words[0], "w");
        FILE *advice = fmemopen(words[1], sizeof words[1], "w");

        words_action(present, &told[i].effect, WORDS_PRESENT);
        words_action(advice, &told[i].effect, WORDS_ADVICE);
        fclose(present);
        fclose(advice);
        cr_expect_str_eq(words[0], told[i].present);
        cr_expect_str_eq(words[1], told[i].advice);
    }
}

Test(words, of_who_is_out)
{
    struct forfeit forfeit = {.words = "no\x1b answer"};
    struct replay replay = {.terms = {.player_count = 2},
                            .result = {.reasons = {WIRE_TIMEOUT, WIRE_EXIT}},
                            .forfeits = {&forfeit, NULL}};
    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);

    for (int seat = 0; seat < 2; seat++) {
        words_out(stream, &replay, seat);
        fputc('.', stream);
    }
    fclose(stream);
    cr_expect_str_eq(words, "is out: timeout: no\\x1b answer.is out: exit.", "%s", words);
    free(words);
}

static void expect_seat(const struct replay *replay, int seat, const char *wanted)
{
    char *name = words_seat(replay, seat);

    cr_expect_str_eq(name, wanted, "seat %d: %s", seat, name);
    free(name);
}

Test(words, seats_are_told_apart)
{
    struct replay replay = {.terms = {.player_count = 4},
                            .bots = {{"one"}, {"two\x1b[31m"}, {""}, {"one"}}};

    expect_seat(&replay, 0, "one (seat 0)");
    expect_seat(&replay, 1, "two\\x1b[31m");
    expect_seat(&replay, 2, "seat 2");
    expect_seat(&replay, 3, "one (seat 3)");
}
