/* SPDX-License-Identifier: MIT */
/* What a season waits for, as a table. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/season/status.h"

/* A season of 100 games with two bots, which a process plays. */
#define FACTS                                                                                      \
    .terms = {.name = "cup", .player_counts = {2}, .player_count_count = 1, .budget_games = 100},  \
    .roster = {.bot_count = 2, .author_count = 2}, .owner = "process 12", .now_us = 1000
#define PLAYED .counts = {.groups = 50, .scheduled = 100, .played = 100}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct {
    const char *rule;
    struct season_facts facts;
    enum season_state state;
    const char *reason;
} rows[] = {
    {"a claimed season is played", {FACTS}, STATE_PLAYED, "played by process 12"},
    {"by this process", {FACTS, .owner = "", .is_ours = true}, STATE_PLAYED, "this daemon"},
    {"nobody plays it", {FACTS, .owner = ""}, STATE_IDLE, "season run cup"},
    {"a daemon that runs plays it soon",
     {FACTS, .owner = ""},
     STATE_IDLE,
     "`arena serve` (within seconds, if it runs already)"},
    {"nor just after its begin, since a daemon needs a moment",
     {FACTS, .owner = "", .terms.from_us = 900},
     STATE_EARLY,
     "its games begin at"},
    {"nobody plays it 10 seconds after its begin",
     {FACTS, .owner = "", .terms.from_us = 1000, .now_us = 10001000},
     STATE_IDLE,
     "season run cup"},
    {"the arena failed", {FACTS, .owner = "", .failure = "no room"}, STATE_FAILED, "no room"},
    {"this machine is too weak",
     {FACTS, .owner = "", .lack = "bot two is more than this machine has"},
     STATE_UNFIT,
     "than this machine has"},
    {"another machine is strong enough", {FACTS, .lack = "x"}, STATE_PLAYED, "process 12"},
    {"no worker is there", {FACTS, .workers = {true, 0, 0, 0}}, STATE_NO_WORKER, "arena worker"},
    {"workers of the right kind are there",
     {FACTS, .workers = {true, 3, 2, 1}},
     STATE_PLAYED,
     "and its workers"},
    {"all workers are too weak", {FACTS, .workers = {true, 3, 0, 0}}, STATE_UNFIT, "--require"},
    {"no worker has cores enough", {FACTS, .workers = {true, 3, 3, 0}}, STATE_UNFIT, "--pin"},
    {"all workers are set aside, or their role is",
     {FACTS, .workers = {true, 2, 0, 0, .barred_count = 2}},
     STATE_UNFIT,
     "arena workers release"},
    {"the others are of another architecture",
     {FACTS, .workers = {true, 3, 0, 0, .barred_count = 1, .foreign_count = 2}},
     STATE_UNFIT,
     "architecture"},
    {"the others are too weak",
     {FACTS, .workers = {true, 4, 0, 0, .barred_count = 1, .foreign_count = 2}},
     STATE_UNFIT,
     "--require"},
    {"workers that do not play this season do not matter",
     {FACTS, .workers = {false, 0, 0, 0}},
     STATE_PLAYED,
     ""},
    {"all games are played", {FACTS, PLAYED}, STATE_SPENT, "the budget is spent"},
    {"a spent season waits for no worker",
     {FACTS, PLAYED, .workers = {true, 0, 0, 0}},
     STATE_SPENT,
     ""},
    {"what is void is not played again",
     {FACTS, .counts = {.scheduled = 100, .played = 94, .void_scheduled = 6}},
     STATE_SPENT,
     ""},
    {"one bot",
     {FACTS, .roster = {.bot_count = 1, .author_count = 1}},
     STATE_FEW_BOTS,
     "1 may play, and a game needs 2"},
    {"one bot, but games that were chosen before",
     {FACTS, .roster.bot_count = 1, .counts = {.scheduled = 10, .played = 8}},
     STATE_PLAYED,
     ""},
    {"two authors are few for three",
     {FACTS, .terms.player_counts = {3}, .roster.bot_count = 9},
     STATE_FEW_BOTS,
     "needs 3 of different authors"},
    {"two authors play at tables of two, and that nobody sits at the others is said",
     {FACTS, .terms.player_counts = {2, 3, 4}, .terms.player_count_count = 3,
      .roster.bot_count = 9},
     STATE_PLAYED,
     "; games of 3 or 4 players need bots of as many authors, and there are 2"},
    {"three bots leave a table of four empty",
     {FACTS, .terms.player_counts = {2, 4}, .terms.player_count_count = 2,
      .roster = {.bot_count = 3, .author_count = 3}},
     STATE_PLAYED,
     "; games of 4 players need as many bots, and there are 3"},
    {"authors may meet",
     {FACTS, .terms.player_counts = {3}, .terms.authors_free = true, .roster.bot_count = 9},
     STATE_PLAYED,
     ""},
    {"for one the clock is too fast",
     {FACTS, .roster = {.bot_count = 1, .author_count = 1, .too_slow_count = 1}},
     STATE_FEW_BOTS,
     "needs 2; for 1 more its clock is too fast"},
    {"the first time is to come",
     {FACTS, .terms.from_us = 1000000, .roster.bot_count = 0},
     STATE_EARLY,
     "begin at 1970-01-01T00:00:01Z"},
    {"the order is certain",
     {FACTS, .terms.until_decided = true, .terms.decided_us = 1},
     STATE_DECIDED,
     ""},
    {"a run ended there, but the season does not",
     {FACTS, .terms.decided_us = 1},
     STATE_PLAYED,
     ""},
    {"being closed", {FACTS, .terms.closing_us = 2000}, STATE_CLOSING, "games under way may end"},
    {"a close that was interrupted",
     {FACTS, .terms.closing_us = 2000, .now_us = INT64_C(60002000)},
     STATE_CLOSING,
     "season close cup` closes it"},
    {"closed", {FACTS, .terms.closing_us = 1, .terms.closed_us = 2}, STATE_CLOSED, "closed"},
};
#pragma GCC diagnostic pop

Test(status, states)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct season_status status;

        season_status_of(&rows[i].facts, &status);
        cr_expect_str_eq(season_states[status.state], season_states[rows[i].state], "%s: %s",
                         rows[i].rule, season_states[status.state]);
        cr_expect(strstr(status.reason, rows[i].reason), "%s: %s", rows[i].rule, status.reason);
    }
}

Test(status, games)
{
    const struct season_facts facts = {
        FACTS, .counts = {.scheduled = 40, .played = 30, .void_scheduled = 6, .void_played = 4},
        .pace = {.game_count = 30, .first_us = 1, .last_us = 400}};
    struct season_status status;

    season_status_of(&facts, &status);
    cr_expect_eq(status.game_count, 26);
    cr_expect_eq(status.void_count, 6);
    cr_expect_eq(status.left_count, 68, "%d", (int)status.left_count);
    cr_expect_eq(status.idle_us, 600);
}
