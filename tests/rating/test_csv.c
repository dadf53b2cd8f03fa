/* SPDX-License-Identifier: MIT */
/* What the reader of CSV accepts, and its messages for the rest. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv.h"
#include "tests/rating/files.h"

#define GAMES    "game,group,player,seat,rank\n"
#define RESULTS  "first,second,first_wins,draws,second_wins\n"
#define VERSIONS "game,group,player,seat,rank,us,previous\n"
#define FULL     "a,b,1000000,1000000,1000000\n"
#define GAME7    "7,0,a,0,1\n7,0,b,1,2\n"

static const struct {
    const char *text;
    int64_t line;
    const char *part; /* of the message */
} bad_cases[] = {
    {"", 1, "header"},
    {"\n\n", 2, "header"},
    {"a,b,c,d,e\n", 1, "header"},
    {"game,group,player,seat\n", 1, "header"},
    {GAMES "1,0,a,0\n", 2, "the line has 4 fields, but the header needs 5"},
    {VERSIONS "1,0,a,0,1\n", 2, "the line has 5 fields, but the header needs 7"},
    {VERSIONS "1,0,a2,0,1,,a\n1,0,b,1,2,,\n", 2, "previous version has no game in this file"},
    {VERSIONS "1,0,a3,0,1,,a2\n1,0,a2,1,2,,a1\n", 3, "previous version has no game in this file"},
    {VERSIONS "1,0,a2,0,1,,a1\n1,0,a1,1,2,,a2\n", 2, "its own previous version"},
    {VERSIONS "1,0,a,0,1,,a\n1,0,b,1,2,,\n", 2, "its own previous version"},
    {VERSIONS "1,0,a2,0,1,,b\n1,0,b,1,2,,\n2,0,a2,0,1,,c\n2,0,c,1,2,,\n", 4,
     "a different previous version in line 2"},
    {GAMES GAME7 "\n\n8,0\n", 6, "needs 5"},
    {GAMES ",0,a,0,1\n", 2, "id must have 1 to 128 bytes, not 0"},
    {GAMES "1,x,a,0,1\n", 2, "a group must be a whole number from 0"},
    {GAMES "1,-1,a,0,1\n", 2, "not '-1'"},
    {GAMES "1,1.5,a,0,1\n", 2, "not '1.5'"},
    {GAMES "1,99999999999999999999999,a,0,1\n", 2, "a group must be a whole number"},
    {GAMES "1,0,,0,1\n", 2, "name must have 1 to 128 bytes, not 0"},
    {GAMES "1,0,a\001b,0,1\n", 2, "without control characters, not 'a?b'"},
    {GAMES "1,0,\xff,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,\xc0\x80,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,\xed\xa0\x80,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,a,4,1\n", 2, "a seat must be a whole number from 0 to 3, not '4'"},
    {GAMES "1,0,a,,1\n", 2, "a seat"},
    {GAMES "1,0,a,0,0\n", 2, "a rank must be a whole number from 1 to 4, not '0'"},
    {GAMES "1,0,a,0,5\n", 2, "a rank"},
    {GAMES "1,0,a,0,first\n", 2, "not 'first'"},
    {GAMES "1,0,a,0,1\n", 2, "only one row"},
    {GAMES GAME7 "1,0,a,0,1\n1,0,b,2,2\n", 4, "no row for seat 1"},
    {GAMES GAME7 "1,0,a,0,1\n1,0,b,1,3\n", 4, "2 players, but a player has rank 3"},
    {GAMES GAME7 "1,0,a,0,2\n1,0,b,1,2\n", 4, "nobody has rank 1"},
    {GAMES GAME7 "7,0,c,1,1\n", 4, "seat 1 of the game from line 2 already has a row"},
    {GAMES "1,0,a,0,1\n1,0,b,1,2\n" GAME7 "7,0,a,2,1\n", 4,
     "seats 0 and 2 of the game have the same player"},
    {GAMES GAME7 "7,1,c,2,3\n", 4, "to group 0 in line 2"},
    {GAMES GAME7 "\"8,0,c,2,3\n", 4, "only one row"},
    {RESULTS "a,a,1,1,1\n", 2, "cannot play itself"},
    {RESULTS "a,b,1,1\n", 2, "needs 5"},
    {RESULTS "a,b,1,-1,1\n", 2, "draws must be a whole number from 0 to 1000000, not '-1'"},
    {RESULTS "a,b,1,1,1000001\n", 2, "second_wins"},
    {RESULTS FULL FULL FULL "a,b,1000000,0,0\na,b,0,0,1\n", 6, "more than 10000000 games"},
};

Test(csv, bad_text_is_told_with_its_line)
{
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        struct csv csv;
        struct csv_error error = {0};

        cr_expect_eq(csv_read(bad_cases[i].text, strlen(bad_cases[i].text), &csv, &error), -EINVAL,
                     "case %zu", i);
        cr_expect_eq(error.line, bad_cases[i].line, "case %zu: line %lld: %s", i,
                     (long long)error.line, error.message);
        cr_expect(strstr(error.message, bad_cases[i].part), "case %zu: %s", i, error.message);
        cr_expect(!strchr(error.message, '\n'), "case %zu", i);
    }
}

static const struct {
    const char *rule;
    const char *text;
    int bots, games, groups;
} good_cases[] = {
    {"a header alone is an empty set", GAMES, 0, 0, 0},
    {"a header without a line end, too", "first,second,first_wins,draws,second_wins", 0, 0, 0},
    {"lines may end in CRLF", "game,group,player,seat,rank\r\n1,0,a,0,1\r\n1,0,b,1,2\r\n", 2, 1, 1},
    {"the last line need not end", GAMES "1,0,a,0,1\n1,0,b,1,2", 2, 1, 1},
    {"a byte order mark is passed over", "\xef\xbb\xbf" GAMES GAME7, 2, 1, 1},
    {"empty lines are passed over", "\n" GAMES "\n1,0,a,0,1\n\n\n1,0,b,1,2\n\n", 2, 1, 1},
    {"further columns are passed over",
     "game,group,player,seat,rank,score,reason\n1,0,a,0,1,90,played\n1,0,b,1,2,70,crash\n", 2, 1,
     1},
    {"of these, previous versions are read",
     VERSIONS "1,0,a2,0,1,5,a1\n1,0,b,1,2,5,\n2,1,a1,0,1,5,\n2,1,b,1,2,5,\n", 3, 2, 2},
    {"fields may stand in quotes",
     "\"game\",\"group\",\"player\",\"seat\",\"rank\"\r\n1,0,\"a, b\",0,1\r\n1,0,c,1,\"2\"\r\n", 2,
     1, 1},
    {"ids are any text", GAMES "S-000001-0,0,a,0,1\nS-000001-0,0,b,1,2\n", 2, 1, 1},
    {"rows of games may be mixed", GAMES "1,0,a,0,1\n2,0,b,0,1\n1,0,b,1,2\n2,0,a,1,2\n", 2, 2, 1},
    {"names may be any UTF-8", GAMES "1,0,\xc3\xa4,0,1\n1,0,\xf0\x9f\x90\x99,1,2\n", 2, 1, 1},
    {"each result is a group", RESULTS "a,b,3,1,1\nb,a,0,0,2\n", 2, 7, 7},
    {"a pairing without games still names its bots", RESULTS "a,b,0,0,0\n", 2, 0, 0},
};

Test(csv, good_text_is_read)
{
    for (size_t i = 0; i < sizeof good_cases / sizeof *good_cases; i++) {
        struct csv csv = files_parse(good_cases[i].text);

        cr_expect_eq(csv.games.bot_count, good_cases[i].bots, "%s", good_cases[i].rule);
        cr_expect_eq(csv.games.game_count, good_cases[i].games, "%s", good_cases[i].rule);
        cr_expect_eq(csv.games.group_count, good_cases[i].groups, "%s", good_cases[i].rule);
        csv_finish(&csv);
    }
}

enum {
    MANY_GAMES = 300,
    MANY_ROWS = MANY_GAMES * 5 / 2,
    ROW_BYTES = 80,
};

/* Reads many games of two and three players, with their rows in the order 0, step, 2 step... */
static struct csv read_many(int step)
{
    static char rows[MANY_ROWS][ROW_BYTES], text[MANY_ROWS * ROW_BYTES];
    char *at = stpcpy(text, GAMES);
    int row = 0;

    for (int game = 0; game < MANY_GAMES; game++)
        for (int seat = 0; seat < 2 + game % 2; seat++, row++)
            snprintf(rows[row], ROW_BYTES, "season-%06d-0,%d,bot %c,%d,%d\n", game, game / 3,
                     'z' - (7 * game + 5 * seat) % 11, seat, 1 + (game / 5 + seat) % 2);
    for (int i = 0; i < MANY_ROWS; i++)
        at = stpcpy(at, rows[(long)i * step % MANY_ROWS]);
    return files_parse(text);
}

static void expect_same(const struct csv *csv, const struct csv *expected)
{
    size_t bot_count = (size_t)expected->games.bot_count;

    cr_assert_eq(csv->games.bot_count, expected->games.bot_count);
    cr_assert_eq(csv->games.table_count, expected->games.table_count);
    cr_expect_eq(csv->games.game_count, expected->games.game_count);
    cr_expect_eq(csv->games.group_count, expected->games.group_count);
    cr_expect_eq(csv->games.tie_halves, expected->games.tie_halves);
    cr_expect_arr_eq(csv->games.bots, expected->games.bots, bot_count * sizeof *csv->games.bots);
    cr_expect_arr_eq(csv->games.pairs, expected->games.pairs,
                     bot_count * (bot_count - 1) / 2 * sizeof *csv->games.pairs);
    cr_expect_arr_eq(csv->games.seats, expected->games.seats, sizeof csv->games.seats);
    cr_expect_arr_eq(csv->games.tables, expected->games.tables,
                     expected->games.table_count * sizeof *expected->games.tables);
}

Test(csv, in_whatever_order_the_rows_come_the_games_are_the_same)
{
    static const int steps[] = {MANY_ROWS - 1, 331}; /* backwards, mixed */
    struct csv expected = read_many(1);

    cr_assert_eq(expected.games.game_count, MANY_GAMES);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct csv csv = read_many(steps[i]);

        expect_same(&csv, &expected);
        csv_finish(&csv);
    }
    csv_finish(&expected);
}

Test(csv, bots_stand_in_order_of_their_names)
{
    struct csv csv = files_parse(RESULTS "b,aa,1,0,0\nc,a,1,0,0\n");
    static const char *const names[] = {"a", "aa", "b", "c"};

    for (int i = 0; i < 4; i++)
        cr_expect_str_eq(csv.names[i], names[i]);
    cr_expect_null(csv.names[4]);
    csv_finish(&csv);
}

Test(csv, more_bots_than_the_limit_are_refused)
{
    char *text = malloc(GAMES_BOTS_MAX * 32 + 128);
    struct csv csv;
    struct csv_error error = {0};
    char *at = stpcpy(text, RESULTS);

    for (int i = 0; i < GAMES_BOTS_MAX; i++)
        at += sprintf(at, "bot%d,bot%d,1,0,0\n", i, i + 1);
    cr_expect_eq(csv_read(text, (size_t)(at - text), &csv, &error), -EINVAL);
    cr_expect_eq(error.line, GAMES_BOTS_MAX + 1);
    free(text);
}

Test(csv, previous_versions_are_told_by_bot)
{
    struct csv csv = files_parse(VERSIONS "1,0,a2,0,1,5,a1\n1,0,b,1,2,5,\n2,1,a1,0,1,5,\n"
                                          "2,1,b,1,2,5,\n");
    struct csv plain = files_parse(GAMES GAME7);

    cr_expect_eq(csv.previous[files_bot(&csv, "a2")], files_bot(&csv, "a1"));
    cr_expect_eq(csv.previous[files_bot(&csv, "a1")], -1);
    cr_expect_eq(csv.previous[files_bot(&csv, "b")], -1);
    cr_expect_eq(plain.previous[0], -1);
    csv_finish(&csv);
    csv_finish(&plain);
}
