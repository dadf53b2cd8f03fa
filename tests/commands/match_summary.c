/* The table at the end of a run, from matches with known results. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/match_summary.h"

static const char *const names[] = {"ant", "b\u00e4r", "cat"};

/* A match in which the seats of outs go out, one after another, each before its first answer;
   HELLO of them before the match began. */
struct row {
    int64_t group;
    int bots[GAME_PLAYERS_MAX];
    bool hello;
    int out_count;
    int outs[GAME_PLAYERS_MAX];
    enum wire_reason reason;
};

static void add(struct match_summary *summary, const struct row *row, int64_t us)
{
    static struct match match;
    struct match_terms terms = {.player_count = summary->bot_count,
                                .clock = {1000, 10000, 0, 5000}};

    match_init(&match, &terms);
    for (int seat = 0; seat < summary->bot_count; seat++)
        match_ready(&match, seat, true);
    for (int i = 0; row->hello && i < row->out_count; i++)
        match_out(&match, row->outs[i], row->reason);
    match_begin(&match);
    for (int asked = 0; match.phase == MATCH_PLAYING; asked++) {
        int seat = match_next(&match);
        struct wire_act act = {.turn = (int64_t)match.decision_count, .kind = WIRE_ACT_INDEX};
        struct match_times times = {.us = us};
        enum wire_reason reason;
        bool out = false;

        if (seat == GAME_NOBODY)
            break;
        for (int i = 0; i < row->out_count; i++)
            out |= row->outs[i] == seat;
        if (out)
            match_out(&match, seat, row->reason);
        else
            cr_assert_null(match_answer(&match, seat, &act, &times, &reason));
    }
    cr_assert_eq(match_summary_add(summary, row->group, row->bots, &match), 0);
    match_finish(&match);
}

static void expect_text(struct match_summary *summary, int64_t run_us, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    cr_assert_eq(match_summary_print(summary, run_us, stream), 0);
    fclose(stream);
    cr_expect_str_eq(text, wanted, "%s", text);
    free(text);
}

/* ant leads 3 : 1 with one shared; a seat that answers before another goes out took 2 ms. */
Test(match_summary, two_players)
{
    static const struct row rows[] = {
        {.group = 0, .bots = {0, 1}, .out_count = 1, .outs = {1}, .reason = WIRE_TIMEOUT},
        {.group = 0, .bots = {1, 0}, .out_count = 1, .outs = {0}, .reason = WIRE_CRASH},
        {.group = 1, .bots = {0, 1}, .out_count = 1, .outs = {1}, .reason = WIRE_TIMEOUT},
        {.group = 1, .bots = {1, 0}, .out_count = 1, .outs = {1}, .reason = WIRE_EXIT},
        {.group = 2,
         .bots = {0, 1},
         .hello = true,
         .out_count = 2,
         .outs = {0, 1},
         .reason = WIRE_START},
    };
    struct match_summary summary;

    cr_assert_eq(match_summary_init(&summary, names, 2), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add(&summary, &rows[i], 2000);
    expect_text(&summary, 2500000,
                "pair         won   tied   lost   score     Elo     +-     LOS\n"
                "ant - b\u00e4r      3      1      1   70.0%  +132.0  309.7   79.8% ?\n"
                "?: too few matches to tell\n"
                "\n"
                "seat      1st    2nd\n"
                "0           4      1\n"
                "1           2      3\n"
                "\n"
                "bot    played     start   timeout      exit     crash\n"
                "ant         3         1         0         1         0\n"
                "b\u00e4r         1         1         2         0         1\n"
                "\n"
                "bot      mean       p99       max   ms a decision\n"
                "ant      2.00      2.00      2.00\n"
                "b\u00e4r      2.00      2.00      2.00\n"
                "\n"
                "5 matches in 2.5 s, 2.0 a second\n");
    match_summary_finish(&summary);
}

Test(match_summary, three_players)
{
    static const struct row row = {
        .bots = {2, 0, 1}, .out_count = 2, .outs = {0, 1}, .reason = WIRE_ILLEGAL};
    struct match_summary summary;

    cr_assert_eq(match_summary_init(&summary, names, 3), 0);
    add(&summary, &row, 1);
    expect_text(&summary, 0,
                "pair         won   tied   lost   score     Elo     +-     LOS\n"
                "ant - b\u00e4r      0      0      1    0.0%  -259.1  651.5   21.8% ?\n"
                "ant - cat      1      0      0  100.0%  +259.1  651.5   78.2% ?\n"
                "b\u00e4r - cat      1      0      0  100.0%  +259.1  651.5   78.2% ?\n"
                "?: too few matches to tell\n"
                "\n"
                "seat      1st    2nd    3rd\n"
                "0           0      0      1\n"
                "1           0      1      0\n"
                "2           1      0      0\n"
                "\n"
                "bot    played   illegal\n"
                "ant         0         1\n"
                "b\u00e4r         1         0\n"
                "cat         0         1\n"
                "\n"
                "bot      mean       p99       max   ms a decision\n"
                "ant      0.00      0.00      0.00\n"
                "b\u00e4r      0.00      0.00      0.00\n"
                "cat      0.00      0.00      0.00\n"
                "\n"
                "1 match in 0.0 s, 0.0 a second\n");
    match_summary_finish(&summary);
}

Test(match_summary, matches_a_second_of_a_run_shorter_than_one)
{
    static const struct row row = {
        .bots = {0, 1}, .out_count = 1, .outs = {1}, .reason = WIRE_TIMEOUT};
    struct match_summary summary;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    cr_assert_eq(match_summary_init(&summary, names, 2), 0);
    add(&summary, &row, 2009);
    cr_assert_eq(match_summary_print(&summary, 500000, stream), 0);
    fclose(stream);
    cr_expect_not_null(strstr(text, "ant      2.00      2.00      2.00\n"), "%s", text);
    cr_expect_not_null(strstr(text, "\n1 match in 0.5 s, 2.0 a second\n"), "%s", text);
    free(text);
    match_summary_finish(&summary);
}

/* In a fit of all three, b\u00e4r's better games against cat would lift it above ant. */
Test(match_summary, an_even_score_is_no_elo_apart)
{
    static const struct row rows[] = {
        {.bots = {2, 1, 0}, .out_count = 2, .outs = {0, 1}, .reason = WIRE_ILLEGAL},
        {.group = 1, .bots = {0, 2, 1}, .out_count = 2, .outs = {0, 1}, .reason = WIRE_ILLEGAL},
    };
    struct match_summary summary;
    char *text = NULL, *line;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    cr_assert_eq(match_summary_init(&summary, names, 3), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add(&summary, &rows[i], 1);
    cr_assert_eq(match_summary_print(&summary, 0, stream), 0);
    fclose(stream);
    line = strstr(text, "ant - b\u00e4r");
    cr_assert(line);
    cr_expect(strstr(line, "      1      0      1   50.0%    +0.0 "), "%s", text);
    cr_expect_lt(strstr(line, "+0.0") - line, strchr(line, '\n') - line);
    free(text);
    match_summary_finish(&summary);
}
