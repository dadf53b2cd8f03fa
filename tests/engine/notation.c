/* SPDX-License-Identifier: MIT */
/* Texts that are accepted, and texts that are refused with a reason. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/game.h"
#include "engine/notation.h"

Test(notation, actions_there_and_back)
{
    static const struct {
        const char *text;
        struct action action;
    } rows[] = {
        {"draft center r", {ACTION_DRAFT, {-1, COLOR_RED}}},
        {"draft 0 p", {ACTION_DRAFT, {0, COLOR_PURPLE}}},
        {"draft 8 y", {ACTION_DRAFT, {8, COLOR_YELLOW}}},
        {"place 6 5 b 3", {ACTION_PLACE, {6, 5, COLOR_BLUE, 3}}},
        {"place 0 0 o 0", {ACTION_PLACE, {0, 0, COLOR_ORANGE, 0}}},
        {"bonus p2g", {ACTION_BONUS, {2, 1}}},
        {"pass -", {ACTION_PASS, {0}}},
        {"pass gr3", {ACTION_PASS, {0, 1, 0, 0, 0, 3}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NOTATION_ACTION_BYTES];
        struct action action;

        cr_expect_eq(notation_write_action(rows[i].action, text), strlen(rows[i].text));
        cr_expect_str_eq(text, rows[i].text);
        cr_expect_null(notation_read_action(&action, rows[i].text));
        cr_expect(memcmp(&action, &rows[i].action, sizeof action) == 0, "%s", rows[i].text);
    }
}

Test(notation, no_action)
{
    static const char *const texts[] = {
        "",
        "draft",
        "draft ",
        "draft 9 p",
        "draft 0 x",
        "draft 0p",
        "draft center",
        "draft -1 p",
        "place 7 0 b 0",
        "place 0 6 b 0",
        "place 0 0 w 0",
        "place 0 0 b 6",
        "place 0 0 b",
        "place 0 0 b 0 ",
        "place 0,0 b 0",
        "place 0 0,b 0",
        "place 0 0 b,0",
        "bonus",
        "bonus ",
        "bonus p0",
        "bonus p2p",
        "bonus p23",
        "pass gg",
        "pass g 4",
        "pass g99999999999",
        "resign",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct action action = {9, {9}}, before = action;
        const char *refusal = notation_read_action(&action, texts[i]);

        cr_expect(refusal != NULL && *refusal, "'%s' was read", texts[i]);
        cr_expect(memcmp(&action, &before, sizeof action) == 0, "'%s' left a trace", texts[i]);
    }
}

Test(notation, actions_that_no_game_allows_are_written_too)
{
    static const struct {
        const char *text;
        struct action action;
    } rows[] = {
        {"?", {200, {0}}},
        {"draft ? ?", {ACTION_DRAFT, {-128, 6}}},
        {"place ? ? ? ?", {ACTION_PLACE, {7, 6, -1, 127}}},
        {"bonus p255g128", {ACTION_BONUS, {-1, -128}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NOTATION_ACTION_BYTES];

        notation_write_action(rows[i].action, text);
        cr_expect_str_eq(text, rows[i].text);
    }
}

#define SEATS_OVER "| passed:yes | passed:yes"

static const struct {
    const char *reason; /* a part of it */
    const char *text;
} refused_positions[] = {
    {"board:", "board:blue | |"},
    {"board:", "board:grayish | |"},
    {"round:", "round:0 | |"},
    {"round:", "round:7 | |"},
    {"round:", "round: | |"},
    {"phase:", "phase:end | |"},
    {"player:", "player:4 | |"},
    {"start:", "start:- | |"},
    {"token:", "token:x | |"},
    {"bonus:", "bonus:11 | |"},
    {"displays:", "displays:pp/-/-/-/- | |"},
    {"displays:", "displays:-/-/-/-/-/-/-/-/-/- | |"},
    {"center:", "center:p0 | |"},
    {"supply:", "supply:q | |"},
    {"bag:", "bag:p23 | |"},
    {"tower:", "tower:pgp | |"},
    {"score:", "| score:-1 |"},
    {"score:", "| score:1000000000 |"},
    {"hand:", "| hand: |"},
    {"corners:", "| corners:5 |"},
    {"passed:", "| passed:maybe |"},
    {"stars:", "| stars:...... |"},
    {"stars:", "| stars:......./....../....../....../....../....../...... |"},
    {"must begin with a field", "bored:gray | |"},
    {"what follows round: is no field", "round:1 board:gray | |"},
    {"what follows round: is no field", "round:1 round:1 | |"},
    {"after a '|' must come a field of a player", "board:gray | board:gray |"},
    {"what follows hand: is no field", "| hand:p score:5 |"},
    {"fewer than 2", ""},
    {"fewer than 2", "|"},
    {"more than 4", "| | | | |"},
    {"twice the number of players", "displays:p4/-/- | |"},
    {"no seat", "player:3 displays:p4/-/-/-/- | |"},
    {"no seat", "player:- displays:p4/-/-/-/- | |"},
    {"no seat", "start:2 displays:p4/-/-/-/- | |"},
    {"no seat", "token:2 displays:p4/-/-/-/- | |"},
    {"the game is over", "round:6 phase:over " SEATS_OVER},
    {"more than 4 tiles", "displays:p4g/-/-/-/- | |"},
    {"more than 10 tiles", "displays:p/-/-/-/- supply:p6g5 | |"},
    {"nothing is left", "| |"},
    {"tiles are left", "phase:place center:p | |"},
    {"not the start player", "phase:place token:1 | |"},
    {"before the end of round 6", "round:5 phase:over player:- " SEATS_OVER},
    {"not the bonus phase", "phase:place bonus:1 supply:p | |"},
    {"not 1 to 3", "phase:bonus supply:p | |"},
    {"not 1 to 3", "phase:bonus bonus:4 supply:p10 | |"},
    {"than the supply holds", "phase:bonus bonus:3 supply:p2 | |"},
    {"below 1", "phase:place | score:0 |"},
    {"above 1000000", "phase:place | score:1000001 |"},
    {"more than 4 tiles lie on the corners", "phase:place | | corners:p5 passed:yes"},
    {"has not passed", "phase:place | | corners:p"},
    {"the game is over", "round:6 phase:over player:- | corners:p passed:yes | passed:yes"},
    {"still has tiles in hand", "phase:place | | hand:p passed:yes"},
    {"during the draft phase", "center:p | | passed:yes"},
    {"player to act has passed", "phase:place | passed:yes |"},
    {"has not passed", "round:6 phase:over player:- | passed:yes |"},
    {"do not allow", "phase:place | stars:p...../....../....../....../....../....../...... |"},
    {"do not allow", "phase:place | stars:....../....../....../....../....../....../pp.... |"},
    {"do not allow",
     "board:gray phase:place | stars:ppg.../....../....../....../....../....../...... |"},
    {"do not allow",
     "board:gray phase:place | stars:pgp.../....../....../....../....../....../...... |"},
    {"purple does not have 22 tiles in all", "phase:place bag:- | |"},
    {"purple does not have 22 tiles in all", "phase:place tower:p22 | hand:p |"},
    {"red does not have 22 tiles in all", "phase:place tower:r22 | hand:r |"},
};

Test(notation, refused_positions)
{
    const uint8_t seed[GAME_SEED_BYTES] = {0};

    for (size_t i = 0; i < sizeof refused_positions / sizeof *refused_positions; i++) {
        struct game game, before;
        const char *refusal;

        memset(&game, 7, sizeof game);
        before = game;
        refusal = game_from_text(&game, refused_positions[i].text, seed);
        cr_expect(refusal != NULL, "'%s' was accepted", refused_positions[i].text);
        cr_expect(refusal && strstr(refusal, refused_positions[i].reason), "'%s': %s",
                  refused_positions[i].text, refusal);
        cr_expect(memcmp(&game, &before, sizeof game) == 0, "'%s' left a trace",
                  refused_positions[i].text);
    }
}

/* Positions that no text can express, but bytes can. */
Test(notation, positions_out_of_range)
{
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    struct position good, bad;
    struct game game;

    cr_assert_null(notation_read_position(&good, "phase:place | |"));
#define REFUSED(field, value)                                                                      \
    bad = good;                                                                                    \
    bad.field = value;                                                                             \
    cr_expect_not_null(game_from_position(&game, &bad, seed), #field)
    REFUSED(board, 2);
    REFUSED(player_count, 1);
    REFUSED(player_count, 5);
    REFUSED(round, 0);
    REFUSED(round, 7);
    REFUSED(phase, 4);
    REFUSED(wild, 1);
    REFUSED(token, -2);
    REFUSED(player, -2);
    REFUSED(seats[0].stars[0][0], 6);
    REFUSED(seats[0].stars[0][0], -2);
}

Test(notation, a_whole_line)
{
    const char *line =
        "board:gray round:2 phase:bonus player:1 start:2 token:2 bonus:2 displays:-/-/-/-/-/-/- "
        "center:- supply:pg2 bag:p19g19o22y21b22r21 tower:g "
        "| score:12 hand:- corners:p passed:yes "
        "stars:....../....../....../....../....../....../...... "
        "| score:5 hand:r corners:- passed:no "
        "stars:....../...y../....../....../....../....../p..... "
        "| score:1 hand:- corners:- passed:no "
        "stars:....../....../....../....../....../....../......";
    char text[NOTATION_POSITION_BYTES];
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    struct position position;
    struct game game;

    cr_assert_null(game_from_text(&game, line, seed));
    game_view(&game, &position);
    cr_expect_eq(notation_write_position(&position, text), strlen(line));
    cr_expect_str_eq(text, line);
}
