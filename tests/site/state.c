/* SPDX-License-Identifier: MIT */
/* The lines of a page that say how far a season is, what it waits for, and whether bots may enter.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/page.h"
#include "arena/site/parts.h"

enum {
    GAMES = 30,
};
#define SECOND_US INT64_C(1000000)
#define NOW_US    (1000000 * SECOND_US)

static struct ladder_row leader = {.plays = true, .ranked = true, .game_count = 1};
static struct roster_member member = {.bot.name = "ant"};
static struct data_game games[GAMES]; /* a game a second, up to now: 3600 an hour */

#define SEASON .name = "cup", .player_counts = {2}, .player_count_count = 1, .budget_games = 36000

static const struct {
    const char *rule;
    struct store_season season;
    enum season_state state;
    int64_t played, void_count, left;
    const char *has, *has_not;
    int64_t too_slow;
} rows[] = {
    {"a played season says how long it lasts",
     {SEASON},
     STATE_PLAYED,
     18000,
     0,
     18000,
     "about 5 h left",
     "until"},
    {"but not longer than until its end",
     {SEASON, .until_us = NOW_US + 1200 * SECOND_US},
     STATE_PLAYED,
     18000,
     0,
     18000,
     ", until <time datetime=\"1970-01-12T14:06:40Z\">",
     "left"},
    {"an end that comes later does not matter",
     {SEASON, .until_us = NOW_US + 86400 * SECOND_US},
     STATE_PLAYED,
     18000,
     0,
     18000,
     "about 5 h left",
     "until"},
    {"a played season invites",
     {SEASON},
     STATE_PLAYED,
     18000,
     0,
     18000,
     "How to enter",
     "not being played"},
    {"but not after its deadline",
     {SEASON, .deadline_us = NOW_US - SECOND_US},
     STATE_PLAYED,
     18000,
     0,
     18000,
     "of 36,000",
     "How to enter"},
    {"nor after its end, which nobody has brought about",
     {SEASON, .until_us = NOW_US - SECOND_US},
     STATE_IDLE,
     18000,
     0,
     18000,
     "is not being played",
     "How to enter"},
    {"a spent season does not",
     {SEASON},
     STATE_SPENT,
     36000,
     0,
     0,
     "only if the organizer adds games",
     "How to enter"},
    {"a spent season has no pace",
     {SEASON},
     STATE_SPENT,
     36000,
     0,
     0,
     "All 36,000 games are played",
     "an hour"},
    {"void games are told",
     {SEASON},
     STATE_SPENT,
     35994,
     6,
     0,
     "and 6 that do not count",
     "of 36,000"},
    {"a decided season does not invite",
     {SEASON},
     STATE_DECIDED,
     600,
     0,
     35400,
     "is certain",
     "How to enter"},
    {"a season that nobody plays has no pace",
     {SEASON},
     STATE_IDLE,
     600,
     0,
     35400,
     "is not being played",
     "an hour"},
    {"the first games come at a time",
     {SEASON, .from_us = NOW_US + 60 * SECOND_US},
     STATE_EARLY,
     0,
     0,
     36000,
     "The first games begin at <time datetime=\"1970-01-12T13:47:40Z\">",
     "admitted"},
    {"or with more bots",
     {SEASON},
     STATE_FEW_BOTS,
     0,
     0,
     36000,
     "once two bots are admitted",
     "at <time"},
    {"or with faster ones",
     {SEASON},
     STATE_FEW_BOTS,
     0,
     0,
     36000,
     "once two bots are admitted that are fast enough for its clock",
     "at <time",
     .too_slow = 10},
    {"or soon", {SEASON}, STATE_PLAYED, 0, 0, 36000, "No game is finished yet", "admitted"},
};

Test(state, lines)
{
    char error[TEMPLATE_ERROR_BYTES];
    struct pages *pages = pages_create(NULL, error);

    cr_assert(pages, "%s", error);
    for (int i = 0; i < GAMES; i++)
        games[i].started_us = NOW_US - (GAMES - i) * SECOND_US;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct season_data data = {.standings = {.season = rows[i].season},
                                   .games = games,
                                   .count = rows[i].played ? GAMES : 0,
                                   .newest_us = rows[i].played ? NOW_US - SECOND_US : 0,
                                   .told.facts = {.terms = rows[i].season,
                                                  .now_us = NOW_US,
                                                  .roster.too_slow_count = rows[i].too_slow},
                                   .told.status = {.state = rows[i].state,
                                                   .budget_games = rows[i].season.budget_games,
                                                   .game_count = rows[i].played,
                                                   .void_count = rows[i].void_count,
                                                   .left_count = rows[i].left}};
        char *text = NULL;
        size_t size;
        FILE *page = open_memstream(&text, &size);

        data.standings.ladders[0].games.game_count = rows[i].played;
        data.standings.ladders[0].rows = &leader;
        data.standings.row_counts[0] = 1;
        data.standings.roster.members = &member;
        cr_expect_eq(
            page_write(pages, page, "state",
                       json_pack("{s:o}", "state", parts_state_json(&data, "../index.html")),
                       error),
            0, "%s", error);
        fclose(page);
        cr_expect(strstr(text, rows[i].has), "%s: %s", rows[i].rule, text);
        cr_expect_not(strstr(text, rows[i].has_not), "%s: %s", rows[i].rule, text);
        free(text);
    }
    pages_destroy(pages);
}
