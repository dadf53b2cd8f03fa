/* SPDX-License-Identifier: MIT */
/*
 * The rules as rows: a position, an action, and the position that follows; or none if the action is
 * illegal and changes nothing. Parts missing in a position's text have the default: colored board,
 * round 1 (purple is wild), drafting, seat 0 to act, empty boards, score 5, and all other tiles in
 * the bag.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/game.h"
#include "engine/notation.h"

struct row {
    const char *rule;
    const char *before;
    const char *action;
    const char *after; /* NULL: illegal */
};

static const uint8_t seed[GAME_SEED_BYTES] = {1, 2, 3};

static void check_row(const struct row *row)
{
    struct game game, expected;
    struct position seen, wanted;
    char text[NOTATION_POSITION_BYTES];
    struct action action;
    const char *refusal = game_from_text(&game, row->before, seed);

    cr_assert(refusal == NULL, "%s: before: %s", row->rule, refusal);
    refusal = game_from_text(&expected, row->after ? row->after : row->before, seed);
    cr_assert(refusal == NULL, "%s: after: %s", row->rule, refusal);
    cr_assert(notation_read_action(&action, row->action) == NULL, "%s", row->rule);
    cr_expect(game_apply(&game, action) == (row->after != NULL), "%s: legal or not", row->rule);
    game_view(&game, &seen);
    game_view(&expected, &wanted);
    notation_write_position(&seen, text);
    cr_expect(memcmp(&seen, &wanted, sizeof seen) == 0, "%s: %s", row->rule, text);
    cr_expect_eq(game_hash(&game), game_hash(&expected), "%s", row->rule);
}

#define CHECK_ROWS(rows)                                                                           \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                     \
    check_row(&(rows)[i])

/* A full supply, so that no tile is drawn at the end of a turn. */
#define FULL  " supply:g2o2y2b2r2 "
#define PLACE "phase:place" FULL

Test(rules, worked_examples)
{
    static const struct row rows[] = {
        {"take a color, the rest goes to the center", "displays:y2r2/p/-/-/- | |", "draft 0 r",
         "player:1 displays:-/p/-/-/- center:y2 | hand:r2 |"},
        {"one wild tile goes along", "displays:p2gy/r/-/-/- | |", "draft 0 g",
         "player:1 displays:-/r/-/-/- center:py | hand:pg |"},
        {"the first from the center takes the token and loses points",
         "displays:r/-/-/-/- center:py3 | |", "draft center y",
         "player:1 token:0 displays:r/-/-/-/- | score:1 hand:py3 |"},
        {"a lone tile scores 1, the others go into the tower", PLACE "| hand:b7 |", "place 2 5 b 0",
         "phase:place player:1" FULL
         "tower:b5 | score:6 hand:b stars:....../....../.....b/....../....../....../...... |"},
        {"nothing next to it: 1 point",
         PLACE "| hand:r3 stars:....../r...r./....../....../....../....../...... |",
         "place 1 2 r 0",
         "phase:place player:1" FULL
         "tower:r2 | score:6 stars:....../r.r.r./....../....../....../....../...... |"},
        {"three wild tiles help, and the window gives 3 bonus tiles",
         PLACE "| hand:p3b3 stars:....../....../...bb./....../....../....../...... |",
         "place 2 5 b 3",
         "phase:bonus bonus:3" FULL
         "tower:p3b2 | score:8 stars:....../....../...bbb/....../....../....../...... |"},
        {"one own tile and three wild ones",
         PLACE "| hand:p3go stars:....oo/....../....../....../....../....../...... |",
         "place 0 3 o 3",
         "phase:place player:1" FULL
         "tower:p3 | score:8 hand:g stars:...ooo/....../....../....../....../....../...... |"},
        {"the wild color is paid in its own tiles",
         PLACE "| hand:p2g4r2 stars:....../....../....../....../....../p.p.../...... |",
         "place 5 1 p 0",
         "phase:place player:1" FULL "tower:p | score:8 hand:g4r2 "
         "stars:....../....../....../....../....../ppp.../...... |"},
        {"passing keeps 4 and loses a point for each other tile", PLACE "| hand:g4r2 |", "pass g4",
         "phase:place player:1" FULL "tower:r2 | score:3 corners:g4 passed:yes |"},
    };

    CHECK_ROWS(rows);
}

Test(rules, drafting)
{
    static const struct row rows[] = {
        {"only wild tiles: exactly one is taken", "displays:p4/r/-/-/- | |", "draft 0 p",
         "player:1 displays:-/r/-/-/- center:p3 | hand:p |"},
        {"only wild tiles in the center: one is taken, the others stay",
         "token:1 displays:r/-/-/-/- center:p3 | |", "draft center p",
         "player:1 token:1 displays:r/-/-/-/- center:p2 | hand:p |"},
        {"wild is not named where another color lies", "displays:p3g/-/-/-/- | |", "draft 0 p",
         NULL},
        {"a color that is not there", "displays:p3g/-/-/-/- | |", "draft 0 r", NULL},
        {"an empty display", "displays:p3g/-/-/-/- | |", "draft 1 g", NULL},
        {"a display that the table does not have", "displays:p3g/-/-/-/- | |", "draft 5 g", NULL},
        {"an empty center", "displays:p3g/-/-/-/- | |", "draft center g", NULL},
        {"what is left in the center stays", "token:1 displays:-/-/-/-/- center:y2br | |",
         "draft center y", "player:1 token:1 displays:-/-/-/-/- center:br | hand:y2 |"},
        {"the token costs once", "token:1 displays:r/-/-/-/- center:y2 | |", "draft center y",
         "player:1 token:1 displays:r/-/-/-/- | hand:y2 |"},
        {"the token's price stops at score 1", "displays:r/-/-/-/- center:py3 | score:3 |",
         "draft center y", "player:1 token:0 displays:r/-/-/-/- | score:1 hand:py3 |"},
        {"after the last tile the token's holder starts", "token:1 center:r | |", "draft center r",
         "phase:place player:1 start:1 token:1 | hand:r |"},
        {"nobody took the token: the start player stays", "start:1 displays:r2/-/-/-/- | |",
         "draft 0 r", "phase:place player:1 start:1 | hand:r2 |"},
        {"the last draft takes the token and starts", "player:1 center:r | |", "draft center r",
         "phase:place player:1 start:1 token:1 | | score:4 hand:r"},
        {"clockwise, then from the first seat again", "player:2 displays:r/y/-/-/-/-/- | | |",
         "draft 0 r", "player:0 displays:-/y/-/-/-/-/- | | | hand:r"},
        {"placing is for later", "displays:r/-/-/-/- | hand:r |", "place 1 0 r 0", NULL},
        {"so is passing", "displays:r/-/-/-/- | hand:r |", "pass -", NULL},
        {"the second round's wild color is green", "round:2 displays:pg2/r/-/-/- | |", "draft 0 p",
         "round:2 player:1 displays:-/r/-/-/- center:g | hand:pg |"},
    };

    CHECK_ROWS(rows);
}

#define STARS_GRAY_ONE   "stars:....../....../..r.../....../....../....../...... "
#define STARS_GRAY_EQUAL "stars:....../....../r.r.../....../....../....../...... "
#define STARS_GRAY_MIXED "stars:....../....../..ry../....../....../....../...... "

Test(rules, which_color_goes_where)
{
    static const struct row rows[] = {
        {"an outer star takes its color only", PLACE "| hand:r6 |", "place 2 0 r 0", NULL},
        {"a filled space takes nothing",
         PLACE "| hand:b6 stars:....../....../b...../....../....../....../...... |",
         "place 2 0 b 0", NULL},
        {"the center star takes a color once",
         PLACE "| hand:b6 stars:....../....../....../....../....../....../b..... |",
         "place 6 1 b 0", NULL},
        {"the center star takes another color",
         PLACE "| hand:y2 stars:....../....../....../....../....../....../b..... |",
         "place 6 1 y 0",
         "phase:place player:1" FULL
         "tower:y | score:7 stars:....../....../....../....../....../....../by.... |"},
        {"gray: an empty star takes any color", "board:gray " PLACE "| hand:y |", "place 2 2 y 0",
         "board:gray phase:place player:1" FULL
         "| score:6 stars:....../....../..y.../....../....../....../...... |"},
        {"gray: a star of one tile takes another color",
         "board:gray " PLACE "| hand:y2 " STARS_GRAY_ONE "|", "place 2 1 y 0",
         "board:gray phase:place player:1" FULL
         "tower:y | score:7 stars:....../....../.yr.../....../....../....../...... |"},
        {"gray: a star of one tile takes the same color",
         "board:gray " PLACE "| hand:r2 " STARS_GRAY_ONE "|", "place 2 1 r 0",
         "board:gray phase:place player:1" FULL
         "tower:r | score:7 stars:....../....../.rr.../....../....../....../...... |"},
        {"gray: two equal tiles take only their color",
         "board:gray " PLACE "| hand:y6 " STARS_GRAY_EQUAL "|", "place 2 1 y 0", NULL},
        {"gray: two equal tiles take their color",
         "board:gray " PLACE "| hand:r2 " STARS_GRAY_EQUAL "|", "place 2 1 r 0",
         "board:gray phase:place player:1" FULL
         "tower:r | score:8 stars:....../....../rrr.../....../....../....../...... |"},
        {"gray: two different tiles take no color twice",
         "board:gray " PLACE "| hand:r6 " STARS_GRAY_MIXED "|", "place 2 1 r 0", NULL},
        {"gray: two different tiles take a third color",
         "board:gray " PLACE "| hand:b2 " STARS_GRAY_MIXED "|", "place 2 1 b 0",
         "board:gray phase:place player:1" FULL
         "tower:b | score:8 stars:....../....../.bry../....../....../....../...... |"},
        {"gray: the center star of one color",
         "board:gray " PLACE "| hand:r3 stars:....../....../....../....../....../....../r.r... |",
         "place 6 1 r 0",
         "board:gray phase:place player:1" FULL
         "tower:r2 | score:8 stars:....../....../....../....../....../....../rrr... |"},
    };

    CHECK_ROWS(rows);
}

Test(rules, paying_and_scoring)
{
    static const struct row rows[] = {
        {"too few tiles", PLACE "| hand:b5 |", "place 2 5 b 0", NULL},
        {"at least one of the color itself", PLACE "| hand:p6 |", "place 2 0 b 1", NULL},
        {"wild tiles that are not there", PLACE "| hand:pb5 |", "place 2 5 b 2", NULL},
        {"wild tiles for wild tiles", PLACE "| hand:p6 |", "place 5 1 p 1", NULL},
        {"gray: cost 3 at position 0", "board:gray " PLACE "| hand:b2 |", "place 2 0 b 0", NULL},
        {"gray: cost 1 at position 2", "board:gray " PLACE "| hand:b |", "place 2 2 b 0",
         "board:gray phase:place player:1" FULL
         "| score:6 stars:....../....../..b.../....../....../....../...... |"},
        {"the run goes around the ring",
         PLACE "| hand:b stars:....../....../.b..bb/....../....../....../...... |", "place 2 0 b 0",
         "phase:place player:1" FULL
         "| score:9 stars:....../....../bb..bb/....../....../....../...... |"},
        {"a whole star scores 6",
         PLACE "| hand:b3 stars:....../....../bb.bbb/....../....../....../...... |",
         "place 2 2 b 0",
         "phase:place player:1" FULL
         "tower:b2 | score:11 stars:....../....../bbbbbb/....../....../....../...... |"},
        {"a pillar gives 1, though another color lies on the center star",
         PLACE "| hand:b3 stars:....../....../.b..../....../....../....../.gr... |",
         "place 2 2 b 0",
         "phase:bonus bonus:1" FULL
         "tower:b2 | score:7 stars:....../....../.bb.../....../....../....../.gr... |"},
        {"a statue gives 2",
         PLACE "| hand:b2 stars:....../....../b...../..yy../....../....../...... |",
         "place 2 1 b 0",
         "phase:bonus bonus:2" FULL
         "tower:b | score:7 stars:....../....../bb..../..yy../....../....../...... |"},
        {"the statue between the last star and the first",
         PLACE "| hand:p2 stars:..oo../....../....../....../....../p...../...... |",
         "place 5 1 p 0",
         "phase:bonus bonus:2" FULL
         "tower:p | score:7 stars:..oo../....../....../....../....../pp..../...... |"},
        {"two features at once give their sum",
         PLACE "| hand:b2 stars:....../....../b.b.../..yy../....../....../.gr... |",
         "place 2 1 b 0",
         "phase:bonus bonus:3" FULL
         "tower:b | score:8 stars:....../....../bbb.../..yy../....../....../.gr... |"},
        {"a feature pays once",
         PLACE "| hand:b4 stars:....../....../....bb/....../....../....../...... |",
         "place 2 3 b 0",
         "phase:place player:1" FULL
         "tower:b3 | score:8 stars:....../....../...bbb/....../....../....../...... |"},
        {"the center star completes a pillar",
         PLACE "| hand:g3 stars:....../....../.bb.../....../....../....../.r.... |",
         "place 6 2 g 0",
         "phase:bonus bonus:1" FULL
         "tower:g2 | score:7 stars:....../....../.bb.../....../....../....../.rg... |"},
    };

    CHECK_ROWS(rows);
}

#define WINDOW_BEFORE "stars:....../....../....b./....../....../....../...... "
#define WINDOW_AFTER  "stars:....../....../....bb/....../....../....../...... "
/* The tiles that are neither in the supply nor in the first hand, in the second hand. */
#define REST_B7  "| hand:p22g22o22y22b14r21"
#define REST_B7_ "| hand:p22g22o22y22b14r22"

Test(rules, bonus_tiles)
{
    static const struct row rows[] = {
        {"chosen freely, the supply filled from all that is left",
         "phase:bonus bonus:2 supply:g2o2y2 bag:p | | hand:p21g20o20y20b22r22", "bonus oy",
         "phase:place player:1 supply:pg2oy bag:- | hand:oy | hand:p21g20o20y20b22r22"},
        {"fewer than earned", "phase:bonus bonus:2" FULL "| |", "bonus y", NULL},
        {"more than earned", "phase:bonus bonus:2" FULL "| |", "bonus yrb", NULL},
        {"what the supply does not hold", "phase:bonus bonus:2" FULL "| |", "bonus p2", NULL},
        {"passing does not do", "phase:bonus bonus:2" FULL "| |", "pass -", NULL},
        {"no more than the supply holds",
         "phase:place supply:r bag:- | hand:b7 " WINDOW_BEFORE REST_B7, "place 2 5 b 0",
         "phase:bonus bonus:1 supply:r bag:- tower:b5 | score:7 hand:b " WINDOW_AFTER REST_B7},
        {"an empty supply leaves nothing to choose, and the turn is over",
         "phase:place bag:- | hand:b7 " WINDOW_BEFORE REST_B7_, "place 2 5 b 0",
         "phase:place player:1 supply:b5 bag:- | score:7 hand:b " WINDOW_AFTER REST_B7_},
    };

    CHECK_ROWS(rows);
}

Test(rules, passing)
{
    static const struct row rows[] = {
        {"at most 4 tiles are kept", PLACE "| hand:g5 |", "pass g5", NULL},
        {"only what is there is kept", PLACE "| hand:g5 |", "pass r", NULL},
        {"none need be kept", PLACE "| hand:g2 |", "pass -",
         "phase:place player:1" FULL "tower:g2 | score:3 passed:yes |"},
        {"an empty hand passes, too", PLACE "| |", "pass -",
         "phase:place player:1" FULL "| passed:yes |"},
        {"the score stops at 1", PLACE "| score:3 hand:g7 |", "pass -",
         "phase:place player:1" FULL "tower:g7 | score:1 passed:yes |"},
        {"the supply is filled from the bag, then in mid-draw from the tower",
         "phase:place supply:g2o2y2b bag:p | hand:r2 | hand:p21g20o20y20b21r20", "pass -",
         "phase:place player:1 supply:pg2o2y2br2 bag:- | score:3 passed:yes "
         "| hand:p21g20o20y20b21r20"},
        {"the supply stays short when bag and tower are empty",
         "phase:place supply:g2 bag:- | hand:r2 | hand:p22g20o22y22b22r20", "pass r2",
         "phase:place player:1 supply:g2 bag:- | corners:r2 passed:yes | hand:p22g20o22y22b22r20"},
    };

    CHECK_ROWS(rows);
}

Test(rules, turns_of_placing)
{
    static const struct row rows[] = {
        {"those who passed are skipped", "phase:place player:2" FULL "| passed:yes | | hand:r2",
         "pass -", "phase:place player:1" FULL "tower:r2 | passed:yes | | score:3 passed:yes"},
        {"the last one goes on alone", "phase:place player:1" FULL "| passed:yes | hand:r",
         "place 1 0 r 0",
         "phase:place player:1" FULL
         "| passed:yes | score:6 stars:....../r...../....../....../....../....../......"},
    };

    CHECK_ROWS(rows);
}

/* 18 full stars of one color and two single tiles, on four gray boards. */
#define P            "pppppp"
#define G            "gggggg"
#define O            "oooooo"
#define Y            "yyyyyy"
#define B            "bbbbbb"
#define R            "rrrrrr"
#define FULL_BOARD_0 "stars:" P "/" P "/" P "/" G "/" G "/" G "/p....."
#define FULL_BOARD_1 "stars:" O "/" O "/" O "/" Y "/" Y "/" Y "/p....."
#define FULL_BOARD_2 "stars:" B "/" B "/" B "/" R "/" R "/" R "/......"

Test(rules, all_empty)
{
    static const struct row rows[] = {
        {"a round with nothing to draft begins with placing",
         "board:gray phase:place player:3 supply:y2b4r4 bag:- "
         "| corners:g4 passed:yes " FULL_BOARD_0 "| corners:p2o2 passed:yes " FULL_BOARD_1
         "| corners:o2y2 passed:yes " FULL_BOARD_2 "|",
         "pass -",
         "board:gray round:2 phase:place supply:y2b4r4 bag:- "
         "| hand:g4 " FULL_BOARD_0 "| hand:p2o2 " FULL_BOARD_1 "| hand:o2y2 " FULL_BOARD_2 "|"},
    };

    CHECK_ROWS(rows);
}

#define LAST  "round:6 phase:place player:1 token:0" FULL
#define OVER  "round:6 phase:over player:- token:0" FULL
#define MIXED "pgoybr"

Test(rules, final_scoring)
{
    static const struct row rows[] = {
        {"a point off for each tile on the corners",
         LAST "| score:9 corners:g3 passed:yes | score:8", "pass -",
         OVER "tower:g3 | score:6 passed:yes | score:8 passed:yes"},
        {"never below 1", LAST "| score:2 corners:g3 passed:yes | score:8", "pass -",
         OVER "tower:g3 | score:1 passed:yes | score:8 passed:yes"},
        {"orange star 17, green star 18",
         LAST "| passed:yes stars:" O "/....../....../....../" G "/....../...... |", "pass -",
         OVER "| score:40 passed:yes stars:" O "/....../....../....../" G
              "/....../...... | passed:yes"},
        {"red 14, blue 15, yellow 16, purple 20",
         LAST "| passed:yes stars:....../" R "/" B "/" Y "/....../" P "/...... |", "pass -",
         OVER "| score:70 passed:yes stars:....../" R "/" B "/" Y "/....../" P
              "/...... | passed:yes"},
        {"the center star of six colors 12",
         LAST "| passed:yes stars:....../....../....../....../....../....../" MIXED " |", "pass -",
         OVER "| score:17 passed:yes stars:....../....../....../....../....../....../" MIXED
              " | passed:yes"},
        {"every cost 1 and every cost 2: 4 + 8",
         LAST "| passed:yes stars:oo..../rr..../bb..../yy..../gg..../pp..../gr.... |", "pass -",
         OVER "| score:17 passed:yes stars:oo..../rr..../bb..../yy..../gg..../pp..../gr.... "
              "| passed:yes"},
        {"every cost 3 and every cost 4: 12 + 16",
         LAST "| passed:yes stars:..oo../..rr../..bb../..yy../..gg../..pp../..gr.. |", "pass -",
         OVER "| score:33 passed:yes stars:..oo../..rr../..bb../..yy../..gg../..pp../..gr.. "
              "| passed:yes"},
        {"all costs but one space",
         LAST "| passed:yes stars:..oo../..rr../..bb../..yy../..gg../..pp../..g... |", "pass -",
         OVER "| score:17 passed:yes stars:..oo../..rr../..bb../..yy../..gg../..pp../..g... "
              "| passed:yes"},
        {"costs 5 and 6 give nothing",
         LAST "| passed:yes stars:....oo/....rr/....bb/....yy/....gg/....pp/....gr |", "pass -",
         OVER "| score:5 passed:yes stars:....oo/....rr/....bb/....yy/....gg/....pp/....gr "
              "| passed:yes"},
        {"gray: a star of one color and one of six",
         "board:gray " LAST "| passed:yes stars:" B "/" MIXED
         "/....../....../....../....../...... |",
         "pass -",
         "board:gray " OVER "| score:32 passed:yes stars:" B "/" MIXED
         "/....../....../....../....../...... | passed:yes"},
        {"gray: every cost 1, in the outer stars alone",
         "board:gray " LAST "| passed:yes stars:..o.../..r.../..b.../..y.../..g.../..p.../...... |",
         "pass -",
         "board:gray " OVER "| score:9 passed:yes "
         "stars:..o.../..r.../..b.../..y.../..g.../..p.../...... | passed:yes"},
        {"gray: every cost 2 and 4",
         "board:gray " LAST "| passed:yes stars:.o.o../.r.r../.b.b../.y.y../.g.g../.p.p../...... |",
         "pass -",
         "board:gray " OVER "| score:29 passed:yes "
         "stars:.o.o../.r.r../.b.b../.y.y../.g.g../.p.p../...... | passed:yes"},
        {"gray: cost 3 includes the center star's six",
         "board:gray " LAST "| passed:yes stars:o...../r...../b...../y...../g...../p...../" R " |",
         "pass -",
         "board:gray " OVER
         "| score:31 passed:yes stars:o...../r...../b...../y...../g...../p...../" R
         " | passed:yes"},
        {"gray: the six outer 3s alone are not all of cost 3",
         "board:gray " LAST "| passed:yes stars:o...../r...../b...../y...../g...../p...../rrrrr. |",
         "pass -",
         "board:gray " OVER "| score:5 passed:yes "
         "stars:o...../r...../b...../y...../g...../p...../rrrrr. | passed:yes"},
        {"nothing can be done after the end", OVER "| passed:yes | passed:yes", "pass -", NULL},
    };

    CHECK_ROWS(rows);
}

Test(rules, shared_victory)
{
    static const struct {
        const char *position;
        int ranks[GAME_PLAYERS_MAX];
    } rows[] = {
        {OVER "| score:7 passed:yes | score:7 passed:yes | score:6 passed:yes", {1, 1, 3}},
        {OVER "| score:7 passed:yes | score:9 passed:yes | score:7 passed:yes | score:6 passed:yes",
         {2, 1, 2, 4}},
        {OVER "| score:7 passed:yes | score:7 passed:yes", {1, 1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game game;

        cr_assert(game_from_text(&game, rows[i].position, seed) == NULL);
        for (int seat = 0; seat < game_player_count(&game); seat++)
            cr_expect_eq(game_rank(&game, seat), rows[i].ranks[seat], "row %zu, seat %d", i, seat);
    }
}
