/* What the reader of CSV takes, and what it says of the rest. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv.h"
#include "tests/rating/files.h"

#define GAMES   "game,group,player,seat,rank\n"
#define RESULTS "first,second,first_wins,draws,second_wins\n"
#define GAME7   "7,0,a,0,1\n7,0,b,1,2\n"

static const struct {
    const char *text;
    int64_t line;
    const char *part; /* of the message */
} bad_cases[] = {
    {"", 1, "header"},
    {"\n\n", 2, "header"},
    {"a,b,c,d,e\n", 1, "header"},
    {"game,group,player,seat\n", 1, "header"},
    {GAMES "1,0,a,0\n", 2, "5 fields are needed, here are 4"},
    {GAMES GAME7 "\n\n8,0\n", 6, "5 fields"},
    {GAMES ",0,a,0,1\n", 2, "id has 1 to 128 bytes, not 0"},
    {GAMES "1,x,a,0,1\n", 2, "a group is a whole number from 0"},
    {GAMES "1,-1,a,0,1\n", 2, "not '-1'"},
    {GAMES "1,1.5,a,0,1\n", 2, "not '1.5'"},
    {GAMES "1,99999999999999999999999,a,0,1\n", 2, "a group is a whole number"},
    {GAMES "1,0,,0,1\n", 2, "name has 1 to 128 bytes, not 0"},
    {GAMES "1,0,a\001b,0,1\n", 2, "without control characters, not 'a?b'"},
    {GAMES "1,0,\xff,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,\xc0\x80,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,\xed\xa0\x80,0,1\n", 2, "UTF-8"},
    {GAMES "1,0,a,4,1\n", 2, "a seat is a whole number from 0 to 3, not '4'"},
    {GAMES "1,0,a,,1\n", 2, "a seat"},
    {GAMES "1,0,a,0,0\n", 2, "a rank is a whole number from 1 to 4, not '0'"},
    {GAMES "1,0,a,0,5\n", 2, "a rank"},
    {GAMES "1,0,a,0,first\n", 2, "not 'first'"},
    {GAMES "1,0,a,0,1\n", 2, "one row only"},
    {GAMES GAME7 "1,0,a,0,1\n1,0,b,2,2\n", 4, "none for seat 1"},
    {GAMES GAME7 "1,0,a,0,1\n1,0,b,1,3\n", 4, "2 rows but a rank of 3"},
    {GAMES GAME7 "1,0,a,0,2\n1,0,b,1,2\n", 4, "nobody has rank 1"},
    {GAMES GAME7 "7,0,c,1,1\n", 4, "begins in line 2 has a seat 1 already"},
    {GAMES "1,0,a,0,1\n1,0,b,1,2\n" GAME7 "7,0,a,2,1\n", 4, "one player at seats 0 and 2"},
    {GAMES GAME7 "7,1,c,2,3\n", 4, "in group 0 since line 2"},
    {GAMES GAME7 "\"8,0,c,2,3\n", 4, "one row only"},
    {RESULTS "a,a,1,1,1\n", 2, "does not play itself"},
    {RESULTS "a,b,1,1\n", 2, "5 fields"},
    {RESULTS "a,b,1,-1,1\n", 2, "draws is a whole number from 0 to 1000000000, not '-1'"},
    {RESULTS "a,b,1,1,1000000001\n", 2, "second_wins"},
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
