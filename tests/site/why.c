/* SPDX-License-Identifier: MIT */
/* The sentence of a match page that says why a seat won or lost, from the numbers of a replay. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/page.h"
#include "arena/site/story.h"

/*
 * Scores after rounds 1 to 6; in the final scoring: points for full stars, for every 2, tiles left
 * on corners; points for runs and lost to discarded tiles over the whole game.
 */
struct seat_numbers {
    int scores[GAME_ROUNDS];
    int stars, twos, corners;
    int runs, lost;
};

static const struct {
    const char *rule;
    struct seat_numbers seats[3];
    int player_count, seat;
    const char *words;
} rows[] = {
    {"the final scoring turned it",
     {{{9, 14, 20, 24, 30, 34}, .runs = 29, .corners = -1},
      {{7, 9, 14, 21, 25, 28}, .runs = 23, .stars = 14, .twos = 8, .corners = -1}},
     2,
     0,
     "ant lost to bee by 16 in the final scoring: ant led 34 : 28 before; then bee scored +14 : 0 "
     "for "
     "full stars and +8 : 0 for every 2."},
    {"level before the final scoring",
     {{{9, 14, 20, 24, 30, 30}, .runs = 25, .corners = -3}, {{7, 9, 14, 21, 25, 30}, .runs = 25}},
     2,
     1,
     "bee beat ant by 3 in the final scoring: both had 30 before; then bee scored 0 : -3 for "
     "tiles left "
     "on corners."},
    {"behind for good from round 3 on",
     {{{9, 14, 12, 15, 20, 22}, .runs = 28, .lost = -11},
      {{8, 14, 20, 25, 30, 40}, .runs = 36, .lost = -1}},
     2,
     0,
     "ant lost to bee by 18: it lost 11 points to discarded tiles (bee: 1) and got 28 points for "
     "runs "
     "of tiles (bee: 36), and was behind from round 3 on."},
    {"ahead from the first round, and a small second cause is left out",
     {{{9, 14, 20, 25, 30, 36}, .runs = 31, .twos = 8}, {{8, 12, 18, 20, 25, 34}, .runs = 29}},
     2,
     0,
     "ant beat bee by 10: it got 8 points for numbers covered (bee: 0), and was ahead from round 1 "
     "on."},
    {"a tie",
     {{{9, 14, 20, 25, 30, 36}, .runs = 31}, {{8, 12, 18, 20, 25, 28}, .runs = 23, .twos = 8}},
     2,
     1,
     "bee tied with ant at 36: it got 8 points for numbers covered (ant: 0) but got 23 points for "
     "runs of tiles (ant: 31)."},
    {"of three, a loser is compared with the winner",
     {{{9, 14, 20, 25, 30, 36}, .runs = 31},
      {{8, 12, 18, 20, 25, 28}, .runs = 23},
      {{7, 10, 14, 16, 18, 20}, .runs = 15}},
     3,
     2,
     "cat lost to ant by 16: it got 15 points for runs of tiles (ant: 31), and was behind from "
     "round "
     "1 on."},
    {"of three, the winner is compared with the second",
     {{{9, 14, 20, 25, 30, 36}, .runs = 31},
      {{8, 12, 18, 20, 25, 28}, .runs = 23},
      {{7, 10, 14, 16, 18, 20}, .runs = 15}},
     3,
     0,
     "ant beat bee by 8: it got 31 points for runs of tiles (bee: 23), and was ahead from round 1 "
     "on."},
};

static const char *const names[GAME_PLAYERS_MAX] = {"ant", "bee", "cat"};

static void expect_why(const char *rule, const struct replay *replay,
                       const struct game_story *story, int seat, const char *words)
{
    char *html = NULL;
    size_t size;
    char error[TEMPLATE_ERROR_BYTES];
    struct pages *pages = pages_create(NULL, error);
    FILE *stream = open_memstream(&html, &size);

    cr_assert(pages, "%s", error);
    cr_assert_eq(page_write(pages, stream, "why",
                            json_pack("{s:o}", "why", story_why(replay, story, names, seat)),
                            error),
                 0, "%s", error);
    fclose(stream);
    pages_destroy(pages);
    cr_assert_gt(size, 8);
    html[size - strlen("</p>\n")] = '\0';
    cr_expect_str_eq(html + strlen("<p>"), words, "%s: %s", rule, html);
    free(html);
}

Test(why, sentences)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct replay replay = {.result.player_count = rows[i].player_count};
        struct game_story story = {.is_whole = true};
        int *scores = replay.result.scores;

        for (int seat = 0; seat < rows[i].player_count; seat++) {
            const struct seat_numbers *row = &rows[i].seats[seat];
            int *numbers = story.seats[seat];

            replay.out_turns[seat] = REPLAY_STAYED;
            memcpy(&numbers[STORY_SCORES + 1], row->scores, sizeof row->scores);
            numbers[STORY_SCORES] = 5;
            numbers[STORY_RUNS] = row->runs;
            numbers[STORY_LOST] = row->lost;
            numbers[STORY_STARS] = row->stars;
            numbers[STORY_COSTS] = row->twos;
            numbers[STORY_CORNERS] = row->corners;
            story.finals[seat].costs[1] = row->twos;
            story.finals[seat].before = row->scores[GAME_ROUNDS - 1];
            scores[seat] = row->scores[GAME_ROUNDS - 1] + row->stars + row->twos + row->corners;
        }
        for (int seat = 0; seat < rows[i].player_count; seat++) {
            replay.result.ranks[seat] = 1;
            for (int other = 0; other < rows[i].player_count; other++)
                replay.result.ranks[seat] += scores[other] > scores[seat];
        }
        expect_why(rows[i].rule, &replay, &story, rows[i].seat, rows[i].words);
    }
}

Test(why, forfeits)
{
    struct forfeit forfeit = {.reason = WIRE_TIMEOUT,
                              .status = FORFEIT_NOT_KNOWN,
                              .words = "no complete answer by the deadline"};
    struct replay replay = {.result = {.player_count = 2, .ranks = {1, 2}},
                            .out_turns = {REPLAY_STAYED, 39},
                            .forfeits = {NULL, &forfeit}};
    struct game_story story = {0};

    expect_why(
        "the loser forfeited", &replay, &story, 1,
        "bee forfeited at <a href=\"#t=39\">decision 39</a>: timeout: no complete answer by the "
        "deadline.");
    replay.out_turns[1] = -1;
    expect_why(
        "the winner won by it", &replay, &story, 0,
        "ant won: bee forfeited before its first decision: timeout: no complete answer by the "
        "deadline.");
}
